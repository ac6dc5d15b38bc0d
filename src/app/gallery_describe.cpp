// The gallery without a pixel: the card's words, the tables of roles, of the enlarged head and of the layers, and every
// control.
#include "app/gallery_internal.hpp"

namespace app {
namespace {

constexpr int kWholeMap = 32;  // tokens up to which all rows of the enlarged map are listed

/// As one says it: "verb to subject".
std::string aloud(std::string text) {
  constexpr std::string_view arrow = "→";
  for (std::size_t place; (place = text.find(arrow)) != std::string::npos;) text.replace(place, arrow.size(), "to");
  return text;
}

std::string sentence_of(const GalleryView& view) {
  if (!view.empty.empty()) return view.empty;
  std::string text = view.head_title + ": " + view.role_title + ".";
  for (const std::string& more : {to_plain(view.finding), to_plain(view.why), view.count, to_plain(view.other_roles),
                                  view.not_testable, view.sentence_note, view.asking_note, view.caveat})
    if (!more.empty()) text += " " + more + (more.ends_with('.') ? "" : ".");
  return aloud(text);
}

std::vector<std::string> notes_of(const GalleryView& view) {
  std::vector<std::string> notes;
  for (const ByLayerNote& note : view.layer_notes)
    notes.push_back((note.quoted ? "Quoted, " + note.source : "Computed from this model") + ": " + note.text);
  for (const ClickNote& click : view.clicks)
    notes.push_back("Step " + std::to_string(click.step) + " of training: " + aloud(click.text) + ".");
  return notes;
}

DescribedCell words_cell(std::string text) {
  DescribedCell cell;
  cell.value = text;
  cell.text = std::move(text);
  return cell;
}
DescribedCell number_cell(double value, std::string text) {
  DescribedCell cell;
  cell.text = std::move(text);
  cell.value = to_text(value);
  return cell;
}

DescribedTable roles_table(const heads::Table& table) {
  DescribedTable out;
  out.id = "roles", out.pin = "", out.stage = "present";
  out.caption = "Roles of the heads" + (table.counted_on.empty() ? "" : ", counted on " + table.counted_on);
  out.cols = {"role", "share", "best fixed offset", "best simple rule", "cases", "95 % interval"};
  for (int map = 0; map < static_cast<int>(table.rows.size()); ++map) {
    out.rows.push_back(head_name(map, table.heads));
    auto& cells = out.cells.emplace_back();
    const heads::HeadRoles& row = at(table.rows, map);
    const int index = subject_of(table, map);
    std::string role = role_of(table, map);
    if (row.roles.empty() && index >= 0) role += ", nearest " + at(table.subjects, index).name;
    for (std::size_t i = 1; i < row.roles.size(); ++i) role += ", " + at(table.subjects, row.roles[i]).name;
    cells.push_back(words_cell(std::move(role)));
    if (index < 0) {
      cells.resize(out.cols.size(), words_cell("not counted"));
      continue;
    }
    const heads::Subject& subject = at(table.subjects, index);
    const heads::Share& share = at(row.scores, index).share;
    const auto add_share = [&](const heads::Share& it, const std::string& rest) {
      cells.push_back(it.count == 0 ? words_cell("none")
                                    : number_cell(it.value(), format_number(it.value(), 2) + rest));
    };
    add_share(share, "");
    add_share(subject.best_offset, ", " + offset_text(subject.offset));
    add_share(subject.best_rule, ", " + subject.rule);
    cells.push_back(number_cell(share.count, std::to_string(share.count) + " " + subject.asks));
    const heads::Interval interval = heads::interval_of(share);
    cells.push_back(words_cell(format_number(interval.low, 2) + "–" + format_number(interval.high, 2)));
  }
  return out;
}

DescribedTable map_table(const GalleryView& view, const Gallery& gallery) {
  DescribedTable out;
  out.id = "map", out.pin = "at:", out.stage = "present";
  const bool whole = view.n <= kWholeMap;
  out.caption = std::string(view.contributions ? "Contributions" : "Attention weights") + " of " +
                capitalise(view.head_title) + (whole ? "" : ", one row") +
                ": rows are the token that asks, columns the token it looks at";
  out.cols = view.tokens;
  const heads::Pattern& map = view.map(view.layer, view.head);
  for (int query = 0; query < view.n; ++query) {
    if (!whole && query != view.shown.query) continue;
    out.rows.push_back(at(view.tokens, query));
    auto& cells = out.cells.emplace_back();
    for (int key = 0; key < view.n; ++key) {
      const auto weight = static_cast<double>(map(query, key));
      DescribedCell cell = number_cell(weight, format_number(weight, 3));
      cell.cell = pair_text(query, key);
      cell.pinned = gallery.pinned == MapCell{query, key};
      cells.push_back(std::move(cell));
    }
  }
  return out;
}

DescribedTable layers_table(const GalleryView& view) {
  DescribedTable out;
  out.id = "layers", out.pin = "", out.stage = "present";
  out.caption = "Heads of each kind by layer, low to high, of this model";
  out.cols = {"positional", "syntactic", "semantic", "resting", "diffuse", "no role"};
  for (int layer = 0; layer < static_cast<int>(view.by_layer.size()); ++layer) {
    out.rows.push_back("Layer " + std::to_string(layer + 1));
    auto& cells = out.cells.emplace_back();
    const heads::LayerShares& it = at(view.by_layer, layer);
    for (const int count : {it.positional, it.syntactic, it.semantic, it.resting, it.diffuse, it.none})
      cells.push_back(number_cell(count, std::to_string(count)));
  }
  return out;
}

// ------------------------------------------------------------------ controls

struct Controls {
  Description& description;
  const State& state;
  const GalleryView& view;
  const Gallery& gallery = state.gallery;

  void add(std::string group, const Action& action, std::string label,
           std::optional<bool> pressed = std::nullopt) const {
    add_control(description, state, std::move(group), action, std::move(label), pressed);
  }

  void add_maps() const {
    for (const auto& [source, label] : {std::pair(Source::shipped, "The model of this page"),
                                        std::pair(Source::trained, "The model that is trained here"),
                                        std::pair(Source::file, "The file that was opened")})
      add("source", SetSource{source}, label, gallery.source == source);
    for (const RoleChip& chip : view.chips)
      add("roles", FilterRole{chip.id},
          chip.name + ", " + std::to_string(chip.heads) + (chip.heads == 1 ? " head" : " heads"),
          gallery.role == chip.id);
    for (int map = 0; map < static_cast<int>(view.captions.size()); ++map) {
      const MapCaption& caption = at(view.captions, map);
      add("maps", SelectMap{map / view.heads, map % view.heads},
          head_name(map, view.heads) + ": " + caption.role + (caption.evidence.empty() ? "" : ", " + caption.evidence) +
              (caption.shown ? "" : " (not of the chosen role)"),
          map == view.layer * view.heads + view.head);
    }
  }

  void add_sentence() const {
    add("sentence", ShowExample{(gallery.example + kExamples - 1) % kExamples}, "Previous example");
    add("sentence", ShowExample{(gallery.example + 1) % kExamples}, "Next example");
    if (!gallery.sentence.empty()) add("sentence", SetSentence{""}, "Back to the example");
    const heads::Model* model = view.specimen ? model_of(*view.specimen) : nullptr;
    for (const RoleChip& chip : view.chips)
      if (model && has_cases(model->plan.task, chip.id))
        add("sentence", ShowExampleFor{chip.id}, "Next example of " + chip.name);
    if (gallery.pinned) add("sentence", PinMapCell{std::nullopt}, "Let go of the pinned weight");
    add("asking", SetAsking{heads::Asking::hidden}, "Hide the word that asks, as in training",
        gallery.asking == heads::Asking::hidden);
    add("asking", SetAsking{heads::Asking::visible}, "Show every word", gallery.asking == heads::Asking::visible);
    add("asking", SetContributions{!gallery.contributions}, "Contributions instead of weights", gallery.contributions);
    for (const auto& [panel, label] : {std::pair(Panel::head, "The enlarged head"),
                                       std::pair(Panel::training, "Training"), std::pair(Panel::layers, "By layer")})
      add("panels", ShowPanel{panel}, label, gallery.panel == panel);
  }

  void add_training() const {
    for (const auto& [command, label] :
         {std::pair(TrainingCommand::start, "Start"), std::pair(TrainingCommand::pause, "Pause"),
          std::pair(TrainingCommand::run, "Go on"), std::pair(TrainingCommand::step, "One step"),
          std::pair(TrainingCommand::rewind, "Rewind"), std::pair(TrainingCommand::new_seed, "New seed")})
      add("training", Train{command}, label);
    const Training& training = gallery.training;
    const int last = static_cast<int>(training.checkpoints.size()) - 1;
    for (int i = 0; i <= last; ++i)
      add("checkpoints", Scrub{at(training.checkpoints, i).step},
          "Step " + std::to_string(at(training.checkpoints, i).step),
          gallery.source == Source::trained && training.scrubbed.value_or(last) == i);
    for (int i = 0; i < train::kTasks; ++i) {
      const auto task = static_cast<train::Task>(i);
      const std::string name(train::name(task));
      add("task", SetPlan{"task", name}, "Task: " + name, training.plan.task == task);
    }
  }

  void add_fields() const {
    description.fields.push_back(
        {"sentence:", "Your own sentence", gallery.sentence, !refusal_of(state, SetSentence{gallery.sentence})});
    const Training& training = gallery.training;
    for (const auto& [field, label] :
         {std::pair("seed", "Seed"), std::pair("layers", "Layers"), std::pair("heads", "Heads in each layer"),
          std::pair("d_model", "Width d_model"), std::pair("learning_rate", "Learning rate")})
      description.fields.push_back(
          {"plan:" + std::string(field) + "=", label, plan_text(training.plan, field), !training.started});
  }
};

}  // namespace

void describe_gallery(Description& description, const State& state, const Derived& derived) {
  const GalleryView& view = derived.gallery;
  description.title = view.title;
  description.subtitle = view.subtitle;
  description.look_for = view.look_for;
  description.sentence = sentence_of(view);
  description.training = aloud(view.training);
  description.notes = notes_of(view);
  const heads::Table* table = view.specimen ? table_of(*view.specimen) : nullptr;
  if (table) {
    description.tables.push_back(roles_table(*table));
    description.roles = heads::to_json(*table);
  }
  if (view.has_cell) description.tables.push_back(map_table(view, state.gallery));
  if (table) description.tables.push_back(layers_table(view));
  const Controls controls{.description = description, .state = state, .view = view};
  controls.add_maps();
  controls.add_sentence();
  controls.add_training();
  controls.add_fields();
}

}  // namespace app
