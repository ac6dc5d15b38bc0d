// Actions and cells as text, both ways.
#include "app_support.hpp"

using namespace app_test;
using attention::Problem;

namespace {

std::optional<Action> read(std::string_view text) {
  const auto result = read_action(text);
  const Action* action = std::get_if<Action>(&result);
  return action ? std::optional(*action) : std::nullopt;
}

}  // namespace

TEST_CASE("every action's text reads back as an action of the same kind and text") {
  State state;
  std::vector<Action> actions = {Hover{std::nullopt}, FocusCell{std::nullopt}, SetNotice{""}, SetNotice{"a:b = %s <b>"},
                                 OpenPage{Page::gallery}};
  Random random(3);
  for (int i = 0; i < 1000; ++i) actions.push_back(random_action(random, state));
  std::vector<bool> seen(std::variant_size_v<Action>, false);
  for (const Action& action : actions) {
    const auto again = read(to_text(action));
    REQUIRE_MESSAGE(again, to_text(action));
    CHECK_MESSAGE(again->index() == action.index(), to_text(action));
    CHECK(to_text(*again) == to_text(action));
    State a, b;
    CHECK(update(a, action) == update(b, *again));
    CHECK(a == b);
    seen[action.index()] = true;
  }
  const std::size_t of_gallery = Action(SelectMap{}).index();  // from there on: app_gallery_query_test.cpp
  for (std::size_t i = 0; i < of_gallery; ++i) CHECK_MESSAGE(seen[i], "action ", i, " was never tried");
}

TEST_CASE("the texts of the contract are understood") {
  for (const char* text : {"next",
                           "previous",
                           "again",
                           "play",
                           "pause",
                           "undo",
                           "redo",
                           "reset",
                           "step:softmax",
                           "step:6",
                           "head:2",
                           "theme:dark",
                           "theme:auto",
                           "motion:reduced",
                           "causal:on",
                           "may:1.2",
                           "pin:pattern.1.2.1",
                           "pin:",
                           "set:X.1.3=0.5",
                           "set:X.1.3=0,5",
                           "notice:",
                           "system:full"})
    CHECK_MESSAGE(read(text), text);
  const auto edit = read("set:X.1.3=0,5");
  const SetCell* set = std::get_if<SetCell>(&*edit);
  REQUIRE(set);
  CHECK(set->value == 0.5);
  CHECK(set->cell == Cell{Tensor::X, -1, 0, 2});
}

TEST_CASE("text that is no action says what was found and what was wanted") {
  const std::string huge = "set:" + std::string(100000, 'x');
  for (const char* text :
       {"",           "jump",          "step:",           "step:0",      "step:10",     "step:foo",
        "head:0",     "head:x",        "head:-1",         "theme:pink",  "motion:",     "causal:yes",
        "may:1",      "may:0.1",       "may:a.b",         "pin:foo.1.2", "pin:X.1",     "set:X.1.3",
        "set:X.1.3=", "set:X.1.3=nan", "set:X.1.3=1e999", "set:=1",      "hover:X.0.1", "system:",
        "NEXT",       "next ",         "<img onerror>",   "%s%n",        "step:\xff",   huge.c_str()}) {
    const auto result = read_action(text);
    const Problem* problem = std::get_if<Problem>(&result);
    REQUIRE_MESSAGE(problem, text);
    CHECK_FALSE(problem->found.empty());
    CHECK_FALSE(problem->wanted.empty());
    CHECK(problem->found.size() < 200);
  }
}

TEST_CASE("every cell's name reads back as the same cell") {
  for (const Cell& cell : all_cells({})) CHECK(read_cell(to_text(cell)) == cell);
  CHECK(to_text(Cell{Tensor::pattern, 0, 1, 0}) == "pattern.1.2.1");
  CHECK(to_text(Cell{Tensor::X, -1, 0, 2}) == "X.1.3");
  for (const char* text : {"", "X", "X.1", "X.1.1.1", "pattern.1.1", "X.0.1", "X.1.", "X.1.-1", "X.1.9999999", "x.1.1",
                           " X.1.1", "X.1.1 ", "X.1.1e0", "Y.1.1"})
    CHECK_MESSAGE(!read_cell(text), text);
}
