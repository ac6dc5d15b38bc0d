// Carries out the gallery's actions, and says what the studio has to be told.
#include "app/gallery_internal.hpp"

#include <algorithm>

namespace app {
namespace {

using Carry = GalleryCarry;

void let_go_of_cells(Gallery& gallery) { gallery.pinned.reset(), gallery.hovered.reset(), gallery.focused.reset(); }

std::vector<std::string> shown_tokens(const Gallery& gallery) {
  const Held<Specimen> specimen = shown_specimen(gallery);
  return specimen ? asked_of(gallery, *specimen).tokens : std::vector<std::string>();
}

/// Changes something; a cell that was chosen means nothing in another sentence.
template <class Change>
void change_sentence(Gallery& gallery, const Change& change) {
  const std::vector<std::string> before = shown_tokens(gallery);
  change();
  if (!before.empty() && before != shown_tokens(gallery)) let_go_of_cells(gallery);
}

/// As it is kept: UTF-8 on one line, and nothing when it is blank.
std::string clean_sentence(std::string_view text) {
  std::string line(text);
  for (char& c : line)
    if (c == '\n' || c == '\r' || c == '\t') c = ' ';
  return trim(line).empty() ? "" : quote(line, kLongestOwnSentence);
}

/// Back to before the start. The run's number stays, so that what still comes of it is known for old.
void let_go_of_run(Training& training) {
  Training fresh;
  fresh.plan = training.plan;
  fresh.run = training.run;
  training = std::move(fresh);
}

/// Lets go of every second checkpoint, but for the first, the last and the one that is looked at.
void thin(Training& training) {
  std::vector<Checkpoint> kept;
  std::optional<int> scrubbed;
  const int count = static_cast<int>(training.checkpoints.size());
  for (int i = 0; i < count; ++i) {
    if (i % 2 != 0 && i != count - 1 && i != training.scrubbed) continue;
    if (i == training.scrubbed) scrubbed = static_cast<int>(kept.size());
    kept.push_back(std::move(at(training.checkpoints, i)));
  }
  training.checkpoints = std::move(kept);
  training.scrubbed = scrubbed;
}

void add_checkpoint(Training& training, const heads::Report& report) {
  auto& list = training.checkpoints;
  Specimen specimen{.name = "this run, step " + std::to_string(report.exam->step),
                    .what = *report.model,
                    .table = report.exam->table};
  while (!list.empty() && list.back().step >= report.exam->step) list.pop_back();  // the same exam again
  list.push_back({report.exam->step, Held(std::move(specimen)), report.exam->accuracy});
  if (training.scrubbed && *training.scrubbed >= static_cast<int>(list.size())) training.scrubbed.reset();
  if (list.size() > kMostCheckpoints) thin(training);
}

}  // namespace

void Carry::operator()(const SelectMap& action) const {
  gallery.layer = action.layer, gallery.head = action.head, gallery.chosen = true;
}
void Carry::operator()(const HoverMap& action) const { gallery.hovered_map = action.map; }
void Carry::operator()(const PinMapCell& action) const { gallery.pinned = action.cell; }
void Carry::operator()(const HoverMapCell& action) const { gallery.hovered = action.cell; }
void Carry::operator()(const FocusMapCell& action) const { gallery.focused = action.cell; }
void Carry::operator()(const FilterRole& action) const { gallery.role = action.role; }
void Carry::operator()(const ShowPanel& action) const { gallery.panel = action.panel; }
void Carry::operator()(const SetSource& action) const {
  change_sentence(gallery, [&] { gallery.source = action.source; });
}
void Carry::operator()(const SetSentence& action) const {
  change_sentence(gallery, [&] { gallery.sentence = clean_sentence(action.text); });
}
void Carry::operator()(const ShowExample& action) const {
  change_sentence(gallery, [&] { gallery.sentence.clear(), gallery.example = action.example; });
}
void Carry::operator()(const ShowExampleFor& action) const {
  const Held<Specimen> specimen = shown_specimen(gallery);
  const auto next = next_example(model_of(*specimen)->plan, gallery.example, action.role);
  (*this)(ShowExample{next.value_or(gallery.example)});
}
void Carry::operator()(const SetAsking& action) const { gallery.asking = action.asking; }
void Carry::operator()(const SetContributions& action) const { gallery.contributions = action.on; }
void Carry::operator()(const OpenSpecimen& action) const {
  change_sentence(gallery, [&] {
    (action.source == Source::file ? gallery.file : gallery.shipped) = action.specimen;
    if (action.source == Source::file) gallery.source = Source::file, gallery.panel = Panel::head;
  });
}

void Carry::operator()(const Train& action) const {
  Training& training = gallery.training;
  switch (action.command) {
    case TrainingCommand::start:
      let_go_of_run(training);
      ++training.run;
      training.started = training.running = true;
      gallery.source = Source::trained, gallery.panel = Panel::training;
      let_go_of_cells(gallery);
      return;
    case TrainingCommand::pause:
    case TrainingCommand::step: training.running = false; return;
    case TrainingCommand::run: training.running = true; return;
    case TrainingCommand::rewind: return let_go_of_run(training);
    case TrainingCommand::new_seed:
      let_go_of_run(training);
      training.plan.seed = training.plan.seed >= kLargestSeed ? 0 : training.plan.seed + 1;
      return;
  }
}

void Carry::operator()(const SetPlan& action) const {
  auto changed = with_field(gallery.training.plan, action.field, action.value);
  if (auto* plan = std::get_if<heads::Plan>(&changed)) gallery.training.plan = *plan;
}

/// Whether it runs is what was commanded last: a report that was under way when Pause was pressed knows less.
void Carry::operator()(const TakeReport& action) const {
  const heads::Report& report = *action.report;
  Training& training = gallery.training;
  training.step = report.step;
  training.finished = report.finished;
  training.problem = quote(report.problem, 400);
  if (training.finished || !training.problem.empty()) training.running = false;
  for (const heads::Point& point : report.points)
    if (training.curve.empty() || point.step > training.curve.back().step) training.curve.push_back(point);
  for (const heads::Click& click : report.clicks)
    if (std::find(training.clicks.begin(), training.clicks.end(), click) == training.clicks.end())
      training.clicks.push_back(click);
  if (report.exam && report.model) add_checkpoint(training, report);
}

void Carry::operator()(const Scrub& action) const {
  Training& training = gallery.training;
  change_sentence(gallery, [&] {
    gallery.source = Source::trained;
    training.scrubbed.reset();
    for (int i = 0; i + 1 < static_cast<int>(training.checkpoints.size()); ++i)
      if (at(training.checkpoints, i).step == action.step) training.scrubbed = i;
  });
}

std::string settle(Gallery& gallery) {
  const Held<Specimen> specimen = shown_specimen(gallery);
  if (!specimen) {
    gallery.hovered.reset(), gallery.focused.reset(), gallery.hovered_map.reset();
    return "";
  }
  const MapCount maps = maps_of(*specimen);
  gallery.layer = std::clamp(gallery.layer, 0, maps.layers - 1);
  gallery.head = std::clamp(gallery.head, 0, maps.heads - 1);
  if (gallery.hovered_map && *gallery.hovered_map >= maps.all()) gallery.hovered_map.reset();
  if (gallery.pinned || gallery.hovered || gallery.focused) {
    const int n = static_cast<int>(asked_of(gallery, *specimen).tokens.size());
    for (std::optional<MapCell>* cell : {&gallery.pinned, &gallery.hovered, &gallery.focused})
      if (*cell && ((*cell)->query >= n || (*cell)->key >= n)) cell->reset();
  }
  const heads::Table* table = table_of(*specimen);
  if (!table) return "";
  const int enlarged = gallery.layer * maps.heads + gallery.head;
  if (const auto map = most_telling(*table); map && !gallery.chosen && !is_syntactic(*table, enlarged) &&
                                             (is_syntactic(*table, *map) || !tells(*table, enlarged)))
    gallery.layer = *map / maps.heads, gallery.head = *map % maps.heads;
  if (gallery.role.empty() || gallery.role == kDiffuse || gallery.role == kNone ||
      find_subject(*table, gallery.role) >= 0)
    return "";
  const std::string role = std::exchange(gallery.role, "");
  return "No head here is tested for the role \"" + quote(role) + "\", so all are shown.";
}

std::optional<std::string> studio_command(const State& state, const Train& action) {
  const Training& training = state.gallery.training;
  switch (action.command) {
    case TrainingCommand::start:
      return "{\"do\":\"start\",\"run\":" + std::to_string(training.run) +
             ",\"plan\":" + heads::to_json(training.plan) + "}";
    case TrainingCommand::pause: return R"({"do":"pause"})";
    case TrainingCommand::run: return R"({"do":"run"})";
    case TrainingCommand::step: return R"({"do":"step"})";
    case TrainingCommand::rewind: return R"({"do":"rewind"})";
    case TrainingCommand::new_seed:
      if (training.run == 0) return std::nullopt;  // there has been no run to let go of
      return R"({"do":"rewind"})";
  }
  return std::nullopt;
}

}  // namespace app
