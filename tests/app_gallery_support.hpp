// What the gallery's tests share: small models, hand-made tables and reports, and random walks on the gallery's page.
#pragma once

#include "app_support.hpp"

#include "train/train.hpp"

namespace app_test {

/// Two layers of two heads, 16 wide: reads a sentence in no time.
inline heads::Plan small_plan(train::Task task = train::Task::language) {
  heads::Plan plan = heads::plan_for(task);
  plan.shape.layers = plan.shape.heads = 2;
  plan.shape.d_model = 16;
  return plan;
}

inline heads::Model small_model(std::uint64_t seed = 1, const heads::Plan& plan = small_plan()) {
  train::Random random{seed};
  return {.plan = plan,
          .step = 0,
          .parameters = train::random_parameters<float>(plan.shape, random),
          .table = std::nullopt};
}

inline heads::Subject subject(std::string id, std::string name, std::string asks, heads::Family family,
                              heads::Share offset, int by, heads::Share rule = {}, std::string rule_name = "") {
  heads::Subject made;
  made.id = std::move(id), made.name = std::move(name), made.asks = std::move(asks), made.family = family;
  made.explains = "Its largest weight falls on the right token.";
  made.best_offset = offset, made.offset = by, made.best_rule = rule, made.rule = std::move(rule_name);
  made.cases = offset.count;
  return made;
}

/// Head 1.1 previous token and next, 1.2 diffuse, 2.1 verb → subject, 2.2 nothing.
inline heads::Table small_table() {
  heads::Table table;
  table.layers = table.heads = 2;
  table.sentences = 1000, table.counted_on = "1,000 held-out sentences";
  table.subjects = {subject("verb_subject", "verb → subject", "verbs", heads::Family::syntactic, {82, 200}, -4,
                            {110, 200}, "nearest noun to the left"),
                    subject("pronoun_antecedent", "pronoun → noun", "pronouns", heads::Family::semantic, {5, 10}, -2),
                    subject("previous_token", "previous token", "tokens", heads::Family::positional, {1000, 1000}, -1)};
  table.rows.resize(4);
  const auto set = [&](std::size_t row, int verbs, int pronouns, int previous) {
    table.rows[row].scores = {{{verbs, 200}, 0.5, false}, {{pronouns, 10}, 0.5, false}, {{previous, 1000}, 0.5, false}};
  };
  set(0, 20, 1, 970), set(1, 30, 2, 100), set(2, 188, 3, 50), set(3, 119, 9, 60);
  table.rows[1].entropy_share = 0.93;
  heads::decide(table);
  return table;
}

inline Held<Specimen> model_specimen(const heads::Model& model = small_model(),
                                     const heads::Table& table = small_table()) {
  return Held(Specimen{"a model", model, table});
}

/// Two layers of three heads, looking at the token before and a little at the rest.
inline heads::Attention small_attention(std::vector<std::string> tokens = {"[CLS]", "dogs", "bark", "[SEP]"}) {
  heads::Attention attention;
  const auto n = static_cast<Eigen::Index>(tokens.size());
  attention.tokens = std::move(tokens);
  attention.layers = 2, attention.heads = 3;
  heads::Pattern pattern = heads::Pattern::Constant(n, n, 0.1f / static_cast<float>(n));
  for (Eigen::Index i = 0; i < n; ++i) pattern(i, i > 0 ? i - 1 : 0) += 0.9f;
  attention.patterns.assign(6, pattern);
  return attention;
}

inline Held<Specimen> file_specimen(const heads::Attention& attention = small_attention()) {
  return Held(Specimen{"a file", attention, heads::measure(attention)});
}

inline State gallery_state() {
  State state;
  REQUIRE(!update(state, OpenPage{Page::gallery}));
  REQUIRE(!update(state, OpenSpecimen{Source::shipped, model_specimen()}));
  return state;
}

/// Of a run of `plan` at `step`, with an exam.
inline heads::Report report(const heads::Plan& plan, std::uint64_t run, int step) {
  heads::Report made;
  made.run = run, made.running = true, made.step = step;
  made.points = {{step, 4.0 / (step + 1), 0.5}};
  heads::Exam exam;
  exam.step = step, exam.accuracy = {62, 100}, exam.table = small_table();
  made.exam = exam;
  made.model = small_model(static_cast<std::uint64_t>(step), plan);
  made.model->step = step;
  return made;
}

inline std::optional<std::string> take(State& state, heads::Report made) {
  return update(state, TakeReport{Held<heads::Report>(std::move(made))});
}

/// A gallery whose small plan has been started.
inline State training_state() {
  State state = gallery_state();
  state.gallery.training.plan = small_plan();
  REQUIRE(!update(state, Train{TrainingCommand::start}));
  return state;
}

inline std::string random_text(Random& random) {
  static const char* const pieces[] = {"the", "dogs", " ",   "bark", "<img onerror>", "%s", "_{", "\xff", "é",
                                       "\n",  "+",    "&=?", "#",    "[MASK]",        "\"", ",",  "'s",   "→"};
  std::string text;
  for (int i = random.whole(0, 8); i > 0; --i) text += pieces[random.whole(0, 17)];
  return text;
}

inline std::optional<MapCell> random_cell(Random& random) {
  if (random.whole(0, 3) == 0) return std::nullopt;
  return MapCell{random.whole(0, 12), random.whole(0, 12)};
}

/// Any of the gallery's actions, some of which will be refused.
inline Action random_gallery_action(Random& random, const State& state) {
  static const Held<Specimen> shipped = model_specimen(), file = file_specimen();
  static const char* const roles[] = {"", "verb_subject", "previous_token", "diffuse", "none", "induction", "a b&c"};
  static const char* const fields[] = {"task", "seed", "layers", "heads", "d_model", "learning_rate", "batch"};
  static const char* const values[] = {
      "1", "2", "3", "4", "8", "32", "48", "64", "96", "0.001", "language", "sort-digits", "copy-previous", "nan"};
  switch (random.whole(0, 21)) {
    case 0: return OpenPage{static_cast<Page>(random.whole(0, 1))};
    case 1: return SelectMap{random.whole(0, 2), random.whole(0, 2)};
    case 2: return HoverMap{random.coin() ? std::optional(random.whole(0, 5)) : std::nullopt};
    case 3: return PinMapCell{random_cell(random)};
    case 4: return HoverMapCell{random_cell(random)};
    case 5: return FocusMapCell{random_cell(random)};
    case 6: return FilterRole{roles[random.whole(0, 6)]};
    case 7: return ShowPanel{static_cast<Panel>(random.whole(0, 2))};
    case 8: return SetSource{static_cast<Source>(random.whole(0, 2))};
    case 9: return SetSentence{random_text(random)};
    case 10: return ShowExample{random.whole(0, kExamples)};
    case 11: return ShowExampleFor{roles[random.whole(0, 6)]};
    case 12: return SetAsking{static_cast<heads::Asking>(random.whole(0, 1))};
    case 13: return SetContributions{random.coin()};
    case 14: return Train{static_cast<TrainingCommand>(random.whole(0, 5))};
    case 15:
    case 16: return SetPlan{fields[random.whole(0, 6)], values[random.whole(0, 13)]};
    case 17: return Scrub{random.coin() ? std::optional(random.whole(0, 3) * 50) : std::nullopt};
    case 18: return random.coin() ? OpenSpecimen{Source::shipped, shipped} : OpenSpecimen{Source::file, file};
    case 19: return OpenSpecimen{static_cast<Source>(random.whole(0, 2)), {}};
    default: {
      const Training& training = state.gallery.training;
      return TakeReport{Held(report(training.plan, training.run - (random.whole(0, 4) == 0), random.whole(0, 3) * 50))};
    }
  }
}

/// A walk over both pages.
inline State random_gallery_state(std::uint64_t seed, int actions = 40) {
  Random random(seed);
  State state = gallery_state();
  for (int i = 0; i < actions; ++i)
    update(state, random.whole(0, 5) == 0 ? random_action(random, state) : random_gallery_action(random, state));
  return state;
}

}  // namespace app_test
