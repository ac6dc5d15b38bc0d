// The page without a pixel: title, sentence, every visible matrix as a table, every control.
#include "app/budget_internal.hpp"
#include "app/gallery_internal.hpp"
#include "app/practice_internal.hpp"

namespace app {
namespace {

constexpr Tensor kHeadTables[] = {Tensor::W_Q,    Tensor::b_Q,    Tensor::W_K,     Tensor::b_K, Tensor::W_V,
                                  Tensor::b_V,    Tensor::Q,      Tensor::K,       Tensor::V,   Tensor::scores,
                                  Tensor::scaled, Tensor::masked, Tensor::pattern, Tensor::head};
constexpr Tensor kLastTables[] = {Tensor::concat, Tensor::W_O, Tensor::b_O, Tensor::output};

std::string_view stage_name(Stage stage) {
  return stage == Stage::past ? "past" : stage == Stage::present ? "present" : "future";
}

// ------------------------------------------------------------------- tables

std::string caption_of(const State& state, Tensor tensor, int head) {
  std::string whose;
  if (head >= 0) {
    whose = " of head " + std::to_string(head + 1);
    if (head < static_cast<int>(state.document.head_names.size()))
      whose += " (" + at(state.document.head_names, head) + ")";
  }
  switch (tensor) {
    case Tensor::X: return "Input X: rows are tokens, columns are features";
    case Tensor::X_kv: return "Input X_kv for keys and values: rows are tokens, columns are features";
    case Tensor::W_Q: return "Query weights W^Q" + whose + ": rows are features, columns are the numbers of a query";
    case Tensor::W_K: return "Key weights W^K" + whose + ": rows are features, columns are the numbers of a key";
    case Tensor::W_V: return "Value weights W^V" + whose + ": rows are features, columns are the numbers of a value";
    case Tensor::b_Q: return "Query bias" + whose;
    case Tensor::additive_mask: return "Additive mask: rows are queries, columns are keys";
    case Tensor::b_K: return "Key bias" + whose;
    case Tensor::b_V: return "Value bias" + whose;
    case Tensor::Q: return "Queries Q" + whose + ": rows are tokens";
    case Tensor::K: return "Keys K" + whose + ": rows are tokens";
    case Tensor::V: return "Values V" + whose + ": rows are tokens";
    case Tensor::scores: return "Scores" + whose + ": rows are queries, columns are keys";
    case Tensor::scaled: return "Scaled scores" + whose + ": rows are queries, columns are keys";
    case Tensor::masked: return "Scaled scores after the mask" + whose + ": rows are queries, columns are keys";
    case Tensor::pattern: return "Attention weights A" + whose + ": rows are queries, columns are keys";
    case Tensor::head: return "Output" + whose + ": rows are tokens";
    case Tensor::gate: return "Gate" + whose;
    case Tensor::concat: return "Concat, the outputs of all heads side by side: rows are tokens";
    case Tensor::W_O:
      return "Output weights W^O: rows are the columns of concat, columns are the numbers of the output";
    case Tensor::b_O: return "Output bias";
    case Tensor::output: return "Output: rows are tokens";
  }
  return {};
}

DescribedCell describe_cell(const State& state, const Derived& derived, const Cell& cell) {
  const bool can_be_masked = cell.tensor == Tensor::masked || cell.tensor == Tensor::pattern;
  return {.cell = to_text(cell),
          .text = text_of(state, derived, cell),
          .value = to_text(value_of(state, derived, cell)),
          .editable = attention::is_given(cell.tensor),
          .edited = is_edited(state, cell),
          .masked = can_be_masked && !may_attend(state.document, cell.row, cell.col),
          .operand = is_operand(derived, cell),
          .pinned = state.pinned && at_its_place(state, *state.pinned) == cell};
}

void add_table(Description& description, const State& state, const Derived& derived, Tensor tensor, int head) {
  if (!is_visible(state, tensor) || !matrix_of(state.document, &derived.trace, tensor, head)) return;
  DescribedTable table;
  table.id = std::string(attention::name_of(tensor)) + (head >= 0 ? "." + std::to_string(head + 1) : "");
  table.caption = caption_of(state, tensor, head);
  table.stage = stage_name(stage_of(state, tensor));
  table.rows = row_names(state.document, tensor);
  table.cols = col_names(state.document, tensor);
  for (int row = 0; row < static_cast<int>(table.rows.size()); ++row) {
    auto& cells = table.cells.emplace_back();
    for (int col = 0; col < static_cast<int>(table.cols.size()); ++col)
      cells.push_back(describe_cell(state, derived, {tensor, head, row, col}));
  }
  description.tables.push_back(std::move(table));
}

// ------------------------------------------------------------------ controls

class Controls {
 public:
  Controls(Description& description, const State& state) : description_(description), state_(state) {}

  void add(std::string group, const Action& action, std::string label, std::optional<bool> pressed = std::nullopt) {
    add_control(description_, state_, std::move(group), action, std::move(label), pressed);
  }

  void add_all() {
    add_player();
    for (int i = 0; i < kStepCount; ++i) {
      const Step step = static_cast<Step>(i);
      add("steps", GoToStep{step}, "Step " + std::to_string(i + 1) + ": " + std::string(name_of(step)),
          step == state_.step);
    }
    for (int head = 0; head < state_.document.config.h; ++head) {
      std::string label = "Head " + std::to_string(head + 1);
      if (head < static_cast<int>(state_.document.head_names.size()))
        label += ": " + at(state_.document.head_names, head);
      add("heads", SelectHead{head}, label, head == state_.head);
    }
    add("numbers", Undo{}, "Undo");
    add("numbers", Redo{}, "Redo");
    add("numbers", Reset{}, "Reset");
    if (state_.step == Step::mask) add_mask();
  }

  void add_pages() {
    for (int i = 0; i < kPages; ++i) {
      const Page page = static_cast<Page>(i);
      add("pages", OpenPage{page}, std::string(title_of(page)), page == state_.page);
    }
  }

  void add_display() {
    for (const Theme theme : {Theme::automatic, Theme::light, Theme::dark})
      add("display", SetTheme{theme}, "Theme: " + std::string(name_of(theme)), theme == state_.theme);
    for (const Motion motion : {Motion::automatic, Motion::full, Motion::reduced})
      add("display", SetMotion{motion}, "Motion: " + std::string(name_of(motion)), motion == state_.motion);
  }

 private:
  void add_player() {
    add("player", PreviousStep{}, "Previous");
    add("player", SetPlaying{!state_.playing}, state_.playing ? "Pause" : "Play");
    if (state_.step == Step::output) return add("player", StartAgain{}, "Again");
    const Step next = static_cast<Step>(static_cast<int>(state_.step) + 1);
    add("player", NextStep{}, "Next: " + std::string(name_of(next)));
  }

  void add_mask() {
    add("mask", SetCausal{!is_causal(state_)}, "Causal mask", is_causal(state_));
    const auto queries = row_names(state_.document, Tensor::pattern),
               keys = col_names(state_.document, Tensor::pattern);
    for (int query = 0; query < state_.document.config.n_q; ++query)
      for (int key = 0; key < state_.document.config.n_k; ++key)
        add("mask", ToggleMay{query, key},
            at(queries, query) + " may look at " + (query == key ? "itself" : at(keys, key)),
            may_attend(state_.document, query, key));
  }

  Description& description_;
  const State& state_;
};

void describe_walkthrough(Description& description, const State& state, const Derived& derived) {
  const StepWords words = words_of(state, state.step);
  description.title = to_plain(words.title);
  description.subtitle = to_plain(words.subtitle);
  description.sentence = strip_of(state, derived).spoken;
  description.look_for = to_plain(words.look_for);
  add_table(description, state, derived, Tensor::X, -1);
  add_table(description, state, derived, Tensor::X_kv, -1);
  add_table(description, state, derived, Tensor::additive_mask, -1);
  for (int head = 0; head < state.document.config.h; ++head)
    for (const Tensor tensor : kHeadTables) add_table(description, state, derived, tensor, head);
  for (const Tensor tensor : kLastTables) add_table(description, state, derived, tensor, -1);
}

}  // namespace

void add_control(Description& description, const State& state, std::string group, const Action& action,
                 std::string label, std::optional<bool> pressed) {
  description.controls.push_back({.action = to_text(action),
                                  .label = std::move(label),
                                  .enabled = !refusal_of(state, action),
                                  .pressed = pressed,
                                  .group = std::move(group)});
}

Description describe(const State& state, const Derived& derived) {
  Description description;
  description.page = name_of(state.page);
  description.notice = state.notice;
  description.step = static_cast<int>(state.step) + 1;
  description.step_name = name_of(state.step);
  description.query = to_query(state);
  description.theme = name_of(state.theme);
  description.motion = name_of(state.motion);
  description.playing = state.playing;
  Controls controls(description, state);
  controls.add_pages();
  if (state.page == Page::gallery) {
    describe_gallery(description, state, derived);
  } else if (state.page == Page::budget) {
    describe_budget(description, state, derived);
  } else if (state.page == Page::practice) {
    describe_practice(description, state, derived);
  } else {
    describe_walkthrough(description, state, derived);
    controls.add_all();
  }
  controls.add_display();
  return description;
}

}  // namespace app
