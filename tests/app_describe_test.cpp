// The page without a pixel.
#include "app_support.hpp"

#include <algorithm>
#include <set>

using namespace app_test;

namespace {

Description described(const State& state) { return describe(state, derive(state)); }

std::vector<std::string> ids(const Description& description) {
  std::vector<std::string> list;
  for (const DescribedTable& table : description.tables) list.push_back(table.id);
  return list;
}

const DescribedControl* find(const Description& description, std::string_view action) {
  for (const DescribedControl& control : description.controls)
    if (control.action == action) return &control;
  return nullptr;
}

}  // namespace

TEST_CASE("every step is described with title, sentence and tables") {
  for (int i = 0; i < kStepCount; ++i) {
    const State state = at_step(static_cast<Step>(i));
    const Description description = described(state);
    CHECK(description.step == i + 1);
    CHECK(description.step_name == name_of(state.step));
    for (const std::string& text :
         {description.title, description.subtitle, description.sentence, description.look_for}) {
      CHECK_FALSE(text.empty());
      for (const char* markup : {"<b>", "</", "_{", "^{"}) CHECK_MESSAGE(text.find(markup) == std::string::npos, text);
    }
    CHECK_FALSE(description.tables.empty());
    for (const DescribedTable& table : description.tables) {
      CHECK_FALSE(table.caption.empty());
      CHECK(table.stage != "future");
      CHECK(table.cells.size() == table.rows.size());
      CHECK_FALSE(table.cells.empty());
      for (const auto& row : table.cells) CHECK(row.size() == table.cols.size());
    }
    CHECK(std::any_of(description.tables.begin(), description.tables.end(),
                      [](const DescribedTable& table) { return table.stage == "present"; }));
  }
}

TEST_CASE("tables stand in reading order, and only those that are on the page") {
  using List = std::vector<std::string>;
  CHECK(ids(described(at_step(Step::input))) == List{"X"});
  CHECK(ids(described(at_step(Step::project))) == List{"X", "W_Q.1", "W_K.1", "W_V.1", "Q.1", "K.1", "V.1", "W_Q.2",
                                                       "W_K.2", "W_V.2", "Q.2", "K.2", "V.2", "W_Q.3", "W_K.3", "W_V.3",
                                                       "Q.3", "K.3", "V.3"});
  State state = at_step(Step::output);
  const List lanes = ids(described(state));
  CHECK(lanes == List{"X",      "Q.1",    "K.1", "V.1",   "scores.1", "scaled.1", "pattern.1",
                      "head.1", "Q.2",    "K.2", "V.2",   "scores.2", "scaled.2", "pattern.2",
                      "head.2", "Q.3",    "K.3", "V.3",   "scores.3", "scaled.3", "pattern.3",
                      "head.3", "concat", "W_O", "output"});
  REQUIRE(!update(state, SetCausal{true}));
  const List masked = ids(described(state));
  CHECK(std::count(masked.begin(), masked.end(), "masked.1") == 1);
  CHECK(std::count(masked.begin(), masked.end(), "scaled.1") == 0);
}

TEST_CASE("rows are queries and columns are keys, in tables as on the canvas") {
  const Description description = described(at_step(Step::softmax));
  const auto table = std::find_if(description.tables.begin(), description.tables.end(),
                                  [](const DescribedTable& t) { return t.id == "pattern.1"; });
  REQUIRE(table != description.tables.end());
  CHECK(table->caption == "Attention weights A of head 1 (syntax): rows are queries, columns are keys");
  CHECK(table->rows == std::vector<std::string>{"dogs", "bark"});
  CHECK(table->cols == std::vector<std::string>{"dogs", "bark"});
  CHECK(table->cells[1][0].cell == "pattern.1.2.1");
  CHECK(table->cells[1][0].text == "0.944");
  CHECK(table->stage == "present");
}

TEST_CASE("described numbers are the trace's, to the bit, after any walk") {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const State state = random_state(seed);
    const Derived derived = derive(state);
    std::set<std::string> seen;
    for (const DescribedTable& table : describe(state, derived).tables)
      for (const auto& row : table.cells)
        for (const DescribedCell& cell : row) {
          const auto place = read_cell(cell.cell);
          REQUIRE(place);
          CHECK(seen.insert(cell.cell).second);
          const double value = value_of(state, derived, *place);
          CHECK(std::bit_cast<std::uint64_t>(std::strtod(cell.value.c_str(), nullptr)) ==
                std::bit_cast<std::uint64_t>(value));
          CHECK(cell.editable == attention::is_given(place->tensor));
          CHECK(cell.edited == is_edited(state, *place));
          CHECK(cell.operand == is_operand(derived, *place));
          const double shown = shown_number(cell.text);
          CHECK_MESSAGE((shown == value || std::abs(shown - value) <= std::max(0.0051, 0.051 * std::abs(value))),
                        cell.cell, " ", cell.text, " ", cell.value);
        }
    CHECK(seen.size() == visible_cells(state).size());
  }
}

TEST_CASE("masked cells say so") {
  State state = at_step(Step::softmax);
  REQUIRE(!update(state, SetCausal{true}));
  int masked = 0;
  for (const DescribedTable& table : described(state).tables)
    for (const auto& row : table.cells)
      for (const DescribedCell& cell : row) {
        masked += cell.masked;
        if (cell.masked)
          CHECK((cell.cell.starts_with("masked") ? cell.text == "\u2212∞" && cell.value == "-inf" : cell.text == "0"));
      }
  CHECK(masked == 6);  // one pair, before and after softmax, in three heads
}

TEST_CASE("a pinned number is marked, also when its place shows the mask") {
  State state = at_step(Step::scale);
  REQUIRE(!update(state, Pin{Cell{Tensor::scaled, 0, 1, 0}}));
  REQUIRE(!update(state, NextStep{}));
  int pinned = 0;
  for (const DescribedTable& table : described(state).tables)
    for (const auto& row : table.cells)
      for (const DescribedCell& cell : row) pinned += cell.pinned && cell.cell == "masked.1.2.1";
  CHECK(pinned == 1);
}

TEST_CASE("a control is enabled exactly when update would carry it out") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const State state = random_state(seed);
    std::set<std::string> groups;
    for (const DescribedControl& control : described(state).controls) {
      const auto read = read_action(control.action);
      const Action* action = std::get_if<Action>(&read);
      REQUIRE_MESSAGE(action, control.action);
      State copy = state;
      CHECK_MESSAGE(control.enabled == !update(copy, *action), control.action);
      CHECK_FALSE(control.label.empty());
      groups.insert(control.group);
    }
    CHECK(groups.size() == (state.step == Step::mask ? 7 : 6));
  }
}

TEST_CASE("controls say where they lead") {
  Description description = described(at_step(Step::softmax));
  CHECK(find(description, "next")->label == "Next: Weigh V");
  CHECK(find(description, "play")->label == "Play");
  CHECK(find(description, "step:softmax")->pressed == true);
  CHECK(find(description, "step:mask")->pressed == false);
  CHECK_FALSE(find(description, "causal:on"));
  description = described(at_step(Step::output));
  CHECK_FALSE(find(description, "next"));
  CHECK(find(description, "again")->label == "Again");
  description = described(at_step(Step::mask));
  CHECK(find(description, "causal:on")->label == "Causal mask");
  CHECK(find(description, "causal:on")->pressed == false);
  CHECK(find(description, "may:1.2")->label == "dogs may look at bark");
  CHECK(find(description, "may:1.2")->pressed == true);
}

TEST_CASE("the description's JSON parses and says the same") {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    State state = random_state(seed);
    state.notice = "a \"quoted\" <b>\\ %s";
    state.document.tokens[0] = "\x01<img onerror>\xff";
    const Description description = described(state);
    const nlohmann::json json = nlohmann::json::parse(to_json(description), nullptr, false);
    REQUIRE_FALSE(json.is_discarded());
    CHECK(json["title"] == description.title);
    CHECK(json["notice"] == state.notice);
    CHECK(json["query"] == to_query(state));
    CHECK(json["step"] == description.step);
    CHECK(json["steps"] == kStepCount);
    CHECK(json["playing"] == state.playing);
    REQUIRE(json["tables"].size() == description.tables.size());
    CHECK(json["tables"][0]["cells"][1][0]["cell"] == "X.2.1");
    CHECK(json["controls"].size() == description.controls.size());
    CHECK(json["controls"][0]["action"] == "page:walkthrough");
    CHECK(json["controls"][kPages].contains("pressed") == false);
  }
}
