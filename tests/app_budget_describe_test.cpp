// The budget's page without a pixel.
#include "app_budget_support.hpp"

#include <set>

using namespace app_test;
using budget_test::has;

namespace {

Description described(const State& state) { return describe(state, derive(state)); }

const DescribedTable& table_of(const Description& description, std::string_view id) {
  for (const DescribedTable& table : description.tables)
    if (table.id == id) return table;
  FAIL("no table ", std::string(id));
  return description.tables.front();
}

const DescribedCell& cell_of(const DescribedTable& table, std::string_view row, std::string_view col) {
  const auto place = [](const std::vector<std::string>& names, std::string_view name) {
    const auto found = std::find(names.begin(), names.end(), name);
    REQUIRE_MESSAGE(found != names.end(), std::string(name));
    return static_cast<std::size_t>(found - names.begin());
  };
  return table.cells[place(table.rows, row)][place(table.cols, col)];
}

bool any_note(const Description& description, std::string_view part) {
  return std::any_of(description.notes.begin(), description.notes.end(),
                     [&](const std::string& note) { return has(note, part); });
}

}  // namespace

TEST_CASE("budget page: a control is enabled exactly when update would carry it out, after any walk") {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const State state = random_budget_state(seed);
    std::set<std::string> actions;
    for (const DescribedControl& control : described(state).controls) {
      const auto read = read_action(control.action);
      const Action* action = std::get_if<Action>(&read);
      REQUIRE_MESSAGE(action, control.action);
      CHECK_MESSAGE(actions.insert(control.action).second, control.action);
      State copy = state;
      CHECK_MESSAGE(control.enabled == !update(copy, *action), control.action);
      CHECK_FALSE(control.label.empty());
    }
  }
}

TEST_CASE("budget page: every group of controls is there, and what is pressed is what is so") {
  State state = budget_state();
  REQUIRE(!update(state, OpenPreset{"gpt3"}));
  REQUIRE(!update(state, SetTarget{budget::Target::halves}));
  std::set<std::string> groups, pressed;
  for (const DescribedControl& control : described(state).controls) {
    groups.insert(control.group);
    if (control.pressed == true) pressed.insert(control.action);
  }
  CHECK(groups == std::set<std::string>{"pages", "presets", "views", "sizes", "amounts", "targets", "display"});
  CHECK(pressed == std::set<std::string>{"page:budget", "preset:gpt3", "view:parameters", "size:keep=off", "amount:W_Q",
                                         "target:halves", "theme:automatic", "motion:automatic"});
}

TEST_CASE("budget page: the mirror has parameters of each matrix, per head, layer and model") {
  State state = budget_state();
  REQUIRE(!update(state, OpenPreset{"transformer_big"}));
  const Description description = described(state);
  const DescribedTable& table = table_of(description, "parameters");
  CHECK(table.rows == std::vector<std::string>{"W^Q", "W^K", "W^V", "W^O", "Attention", "Feed-forward", "Both"});
  CHECK(cell_of(table, "W^Q", "one head").text == "65,536");
  CHECK(cell_of(table, "W^Q", "one layer").text == "1,048,576");
  CHECK(cell_of(table, "W^Q", "whole model").value == std::to_string(18 * 1048576));
  CHECK(cell_of(table, "Attention", "one head").value == std::to_string(196608 + 65536));
  CHECK(cell_of(table, "Attention", "one layer").text == "4,194,304");
  CHECK(cell_of(table, "Attention", "whole model").value == "75497472");
  CHECK(cell_of(table, "Both", "whole model").value == std::to_string(18 * 4194304 + 12 * 8388608));
  CHECK(table.pin == "amount:");
  for (const auto& row : table.cells) {
    CHECK(row.size() == table.cols.size());
    for (const DescribedCell& cell : row)
      if (!cell.cell.empty()) {
        State copy = state;
        CHECK_MESSAGE(!update(copy, std::get<Action>(read_action(table.pin + cell.cell))), cell.cell);
      }
  }
}

TEST_CASE("budget page: the mirror compares, computes and remembers") {
  const Description description = described(budget_state());
  const DescribedTable& comparison = table_of(description, "comparison");
  REQUIRE(comparison.rows.size() == 3);
  CHECK(comparison.cells[0][1].text == "786,432");
  CHECK(comparison.cells[2][1].text == "1,048,576");
  CHECK(comparison.cols[3] == "weights stored, 128 tokens");
  CHECK(comparison.cells[2][3].text == "131,072");
  const DescribedTable& compute = table_of(description, "compute");
  CHECK(cell_of(compute, "Scores", "operations").value == "16777216");
  CHECK(cell_of(compute, "Scores", "how").text == "2 · 8 · 128^2 · 64");
  CHECK(cell_of(compute, "Scores", "grows with").text == "n^2");
  const DescribedTable& memory = table_of(description, "memory");
  CHECK(cell_of(memory, "Attention weights of one attention", "bytes").text == "512 KiB");
  CHECK(cell_of(memory, "Key/value cache of one token", "numbers").text == "6,144");
  for (const DescribedTable& table : description.tables) {
    CHECK(table.rows.size() == table.cells.size());
    for (const auto& row : table.cells) CHECK(row.size() == table.cols.size());
  }
}

TEST_CASE("budget page: notes say formula, both comparisons, the low rank and the code") {
  State state = budget_state();
  const Description description = described(state);
  CHECK(description.title == "What does multi-head attention cost?");
  CHECK(has(description.sentence, "Splitting 512 columns into 8 slices of 64"));
  CHECK(any_note(description, "parameters: 8 · ( 512 · 64 + 512 · 64 + 512 · 64 ) + 8 · 64 · 512 = 1,048,576."));
  CHECK(any_note(description, "one third more parameters (33.3 %)"));
  CHECK(any_note(description, "33.3 % of one layer"));
  CHECK(any_note(description, "first 96 of 128 tokens"));
  CHECK(any_note(description, "num_heads=8"));
  CHECK(any_note(description, "key_dim=64"));
  CHECK(any_note(description, "Transformer base: Vaswani et al. 2017, table 3."));
  for (const std::string& note : description.notes) {
    CHECK_FALSE(has(note, "\u2009"));
    CHECK_FALSE(has(note, "<b>"));
  }
  REQUIRE(!update(state, SetSize{"keep", "off"}));
  REQUIRE(!update(state, SetSize{"h", "12"}));
  CHECK(any_note(described(state), "In PyTorch: d_k: found 512 with h = 12: 42.67 is not whole"));
}

TEST_CASE("budget page: every size can be typed, and d_k and d_v only without keep") {
  State state = budget_state();
  for (const bool keep : {true, false}) {
    REQUIRE(!update(state, SetSize{"keep", keep ? "on" : "off"}));
    std::set<std::string> fields;
    for (const DescribedField& field : described(state).fields) {
      fields.insert(field.action);
      const bool width = field.action == "size:d_k=" || field.action == "size:d_v=";
      CHECK(field.enabled == !(keep && width));
      CHECK_FALSE(field.label.empty());
      State copy = state;
      CHECK(!update(copy, std::get<Action>(read_action(field.action + field.value))));
      CHECK(copy.budget == state.budget);
    }
    CHECK(fields.size() == 11);
  }
}

TEST_CASE("budget page: the description is the same for the same state, and as JSON") {
  const State state = random_budget_state(5);
  CHECK(to_json(described(state)) == to_json(described(state)));
  CHECK(nlohmann::json::accept(to_json(described(state))));
}
