// Why an action of the gallery can't be carried out.
#include "app/gallery_internal.hpp"

#include <algorithm>

namespace app {
namespace {

using Reason = std::optional<std::string>;

constexpr std::string_view kNothingYet = "There is no head to look at yet.";

std::string range(int last) { return "1 to " + std::to_string(last); }

Reason unknown(std::string_view what, std::string_view wanted) {
  return "There is no such " + std::string(what) + ": wanted " + std::string(wanted) + ".";
}

}  // namespace

Reason GalleryRefusal::no_weight(const std::optional<MapCell>& cell) const {
  if (!cell) return std::nullopt;
  const Held<Specimen> specimen = shown_specimen(gallery);
  if (!specimen) return std::string(kNothingYet);
  const int n = static_cast<int>(asked_of(gallery, *specimen).tokens.size());
  if (cell->query >= 0 && cell->query < n && cell->key >= 0 && cell->key < n) return std::nullopt;
  return "There is no weight " + pair_text(cell->query, cell->key) + " here: rows and columns go from " + range(n) +
         ".";
}

/// For what attention from a file can't do.
Reason GalleryRefusal::only_weights() const {
  const Held<Specimen> specimen = shown_specimen(gallery);
  if (!specimen || model_of(*specimen)) return std::nullopt;
  return "This file holds weights only, of one sentence: there is no model to ask.";
}

Reason GalleryRefusal::operator()(const SelectMap& action) const {
  const Held<Specimen> specimen = shown_specimen(gallery);
  if (!specimen) return std::string(kNothingYet);
  const MapCount maps = maps_of(*specimen);
  if (action.layer >= 0 && action.layer < maps.layers && action.head >= 0 && action.head < maps.heads)
    return std::nullopt;
  return "There is no head " + pair_text(action.layer, action.head) + ": wanted layer " + range(maps.layers) +
         " and head " + range(maps.heads) + ".";
}

Reason GalleryRefusal::operator()(const HoverMap& action) const {
  if (!action.map) return std::nullopt;
  const Held<Specimen> specimen = shown_specimen(gallery);
  if (!specimen) return std::string(kNothingYet);
  const int all = maps_of(*specimen).all();
  if (*action.map >= 0 && *action.map < all) return std::nullopt;
  return "There is no map " + std::to_string(*action.map + 1) + ": wanted " + range(all) + ".";
}

Reason GalleryRefusal::operator()(const FilterRole& action) const {
  if (action.role.empty()) return std::nullopt;
  const Held<Specimen> specimen = shown_specimen(gallery);
  if (!specimen) return std::string(kNothingYet);
  const heads::Table* table = table_of(*specimen);
  if (!table) return "The heads aren't tested yet, so none has a role.";
  if (heads_with(*table, action.role) > 0) return std::nullopt;
  return "No head has the role \"" + quote(action.role) + "\".";
}

Reason GalleryRefusal::operator()(const ShowPanel& action) const {
  if (static_cast<int>(action.panel) < kPanels) return std::nullopt;
  return unknown("panel", "head, training or layers");
}

Reason GalleryRefusal::operator()(const SetSource& action) const {
  switch (action.source) {
    case Source::shipped:
      if (gallery.shipped) return std::nullopt;
      return "The model of this page isn't here yet.";
    case Source::trained:
      if (gallery.training.started) return std::nullopt;
      return "Nothing is trained yet. Press Train in the training card.";
    case Source::file:
      if (gallery.file) return std::nullopt;
      return "No file is open yet.";
  }
  return unknown("source", "shipped, trained or file");
}

Reason GalleryRefusal::operator()(const SetSentence& action) const {
  if (Reason reason = only_weights()) return reason;
  if (action.text.size() <= kLongestOwnSentence) return std::nullopt;
  return "The sentence is too long: found " + std::to_string(action.text.size()) + " bytes, wanted at most " +
         std::to_string(kLongestOwnSentence) + ".";
}

Reason GalleryRefusal::operator()(const ShowExample& action) const {
  if (Reason reason = only_weights()) return reason;
  if (action.example >= 0 && action.example < kExamples) return std::nullopt;
  return "There is no example " + std::to_string(action.example + 1) + ": wanted " + range(kExamples) + ".";
}

Reason GalleryRefusal::operator()(const ShowExampleFor& action) const {
  if (Reason reason = only_weights()) return reason;
  const Held<Specimen> specimen = shown_specimen(gallery);
  if (!specimen) return std::string(kNothingYet);
  const heads::Plan& plan = model_of(*specimen)->plan;
  if (!has_cases(plan.task, action.role)) {
    const heads::Table* table = table_of(*specimen);
    if (table && find_subject(*table, action.role) >= 0) return "This role can be seen in every sentence.";
    return "There is no role \"" + quote(action.role) + "\" in this task.";
  }
  if (next_example(plan, gallery.example, action.role)) return std::nullopt;
  return "None of the " + std::to_string(kExamples) + " examples shows this role.";
}

Reason GalleryRefusal::operator()(const SetAsking& action) const {
  if (Reason reason = only_weights()) return reason;
  if (action.asking <= heads::Asking::visible) return std::nullopt;
  return unknown("way of asking", "hidden or visible");
}

Reason GalleryRefusal::operator()(const SetContributions& action) const {
  return action.on ? only_weights() : std::nullopt;
}

Reason GalleryRefusal::operator()(const OpenSpecimen& action) const {
  if (action.source != Source::shipped && action.source != Source::file)
    return "A model that was trained here comes from its run.";
  if (!action.specimen) return "There is nothing in it.";
  const MapCount maps = maps_of(*action.specimen);
  if (maps.layers < 1 || maps.heads < 1) return "There is no head in it.";
  const heads::Attention* attention = attention_of(*action.specimen);
  if (attention && static_cast<int>(attention->patterns.size()) != maps.all())
    return "It has " + std::to_string(attention->patterns.size()) + " maps, wanted " + std::to_string(maps.all()) + ".";
  return std::nullopt;
}

Reason GalleryRefusal::operator()(const Train& action) const {
  const Training& training = gallery.training;
  const bool over = training.finished || !training.problem.empty();
  switch (action.command) {
    case TrainingCommand::start:
      if (training.started) return "A run has begun. Rewind it to start anew.";
      if (const auto problems = heads::validate(training.plan); !problems.empty())
        return "This can't be trained. " + attention::to_sentence(problems.front()) + ".";
      return std::nullopt;
    case TrainingCommand::pause:
      if (!training.running) return "Training isn't running.";
      return std::nullopt;
    case TrainingCommand::run:
    case TrainingCommand::step:
      if (!training.started) return "No run has begun yet.";
      if (training.running) return "Training is running. Pause it first.";
      if (over) return "This run is over. Rewind it to train again.";
      return std::nullopt;
    case TrainingCommand::rewind:
      if (!training.started) return "No run has begun yet.";
      return std::nullopt;
    case TrainingCommand::new_seed: return std::nullopt;
  }
  return unknown("command", "start, pause, run, step, rewind or new_seed");
}

Reason GalleryRefusal::operator()(const SetPlan& action) const {
  if (gallery.training.started) return "A run has begun. Rewind it to change its plan.";
  const auto changed = with_field(gallery.training.plan, action.field, action.value);
  if (const std::string* reason = std::get_if<std::string>(&changed)) return *reason;
  return std::nullopt;
}

Reason GalleryRefusal::operator()(const TakeReport& action) const {
  if (!action.report) return "There is no report in it.";
  const heads::Report& report = *action.report;
  const Training& training = gallery.training;
  if (!training.started || report.run != training.run)
    return "This report is of run " + std::to_string(report.run) + ", which was let go.";
  if (!report.model || !report.exam) return std::nullopt;
  if (report.model->plan != training.plan) return "This report's model follows another plan.";
  if (report.exam->step < 0) return "This report's exam is of no step.";
  return std::nullopt;
}

Reason GalleryRefusal::operator()(const Scrub& action) const {
  const auto& checkpoints = gallery.training.checkpoints;
  if (checkpoints.empty()) return "There is no checkpoint yet.";
  if (!action.step) return std::nullopt;
  for (const Checkpoint& checkpoint : checkpoints)
    if (checkpoint.step == *action.step) return std::nullopt;
  return "There is no checkpoint of step " + std::to_string(*action.step) + ".";
}

}  // namespace app
