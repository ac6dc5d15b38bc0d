// What follows from the state: numbers, stages, what is visible, which number the strip explains.
#include "app_support.hpp"

using namespace app_test;

TEST_CASE("the shipped example is the lesson's, with all that is computed from it") {
  const nlohmann::json reference = attention_test::read_json(std::string(HEADSCOPE_TEST_DATA) + "/worked-example.json");
  const State state;
  const Derived derived = derive(state);
  CHECK(state.document.tokens == reference["tokens"].get<std::vector<std::string>>());
  CHECK(state.document.features == reference["features"].get<std::vector<std::string>>());
  const auto compare = [&](const nlohmann::json& wanted, Tensor tensor, int head) {
    for (const Cell& cell : cells_of(state, tensor)) {
      if (cell.head != head) continue;
      const auto row = static_cast<std::size_t>(cell.row), col = static_cast<std::size_t>(cell.col);
      CHECK_MESSAGE(std::abs(value_of(state, derived, cell) - wanted[row][col].get<double>()) < 1e-12, to_text(cell));
    }
  };
  compare(reference["X"], Tensor::X, -1);
  compare(reference["W_O"], Tensor::W_O, -1);
  compare(reference["concat"], Tensor::concat, -1);
  compare(reference["output"], Tensor::output, -1);
  for (int head = 0; head < 3; ++head) {
    const nlohmann::json& wanted = reference["heads"][static_cast<std::size_t>(head)];
    CHECK(wanted["name"].get<std::string>().starts_with(state.document.head_names[static_cast<std::size_t>(head)]));
    for (const Tensor tensor : {Tensor::W_Q, Tensor::W_K, Tensor::W_V, Tensor::Q, Tensor::K, Tensor::V, Tensor::scores,
                                Tensor::scaled, Tensor::pattern})
      compare(wanted[std::string(attention::name_of(tensor))], tensor, head);
    compare(wanted["output"], Tensor::head, head);
  }
}

TEST_CASE("derive is a function of the state alone") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const State state = random_state(seed);
    CHECK(attention::hash_of(derive(state).trace) == attention::hash_of(derive(State(state)).trace));
  }
}

TEST_CASE("each step shows the drawing's number when nobody has chosen one") {
  const auto shown = [](Step step) { return to_text(*derive(at_step(step)).shown); };
  CHECK(shown(Step::input) == "X.1.1");
  CHECK(shown(Step::project) == "Q.1.2.1");
  CHECK(shown(Step::score) == "scores.1.2.1");
  CHECK(shown(Step::scale) == "scaled.1.2.1");
  CHECK(shown(Step::mask) == "masked.1.2.1");
  CHECK(shown(Step::softmax) == "pattern.1.2.1");
  CHECK(shown(Step::weigh) == "head.1.2.1");
  CHECK(shown(Step::concat) == "concat.2.1");
  CHECK(shown(Step::output) == "output.2.1");
  State state = at_step(Step::softmax);
  state.head = 2;
  CHECK(to_text(*derive(state).shown) == "pattern.3.2.1");
}

TEST_CASE("hovered goes before focused goes before pinned") {
  State state = at_step(Step::softmax);
  const Cell hovered{Tensor::pattern, 0, 0, 0}, focused{Tensor::scores, 0, 0, 1}, pinned{Tensor::V, 0, 1, 1};
  REQUIRE(!update(state, Pin{pinned}));
  CHECK(derive(state).shown == pinned);
  REQUIRE(!update(state, FocusCell{focused}));
  CHECK(derive(state).shown == focused);
  REQUIRE(!update(state, Hover{hovered}));
  CHECK(derive(state).shown == hovered);
}

TEST_CASE("a number that is not reached yet is not shown, and a pin waits for its step") {
  State state = at_step(Step::scale);
  REQUIRE(!update(state, Pin{Cell{Tensor::output, -1, 0, 3}}));
  CHECK(to_text(*derive(state).shown) == "scaled.1.2.1");
  REQUIRE(!update(state, GoToStep{Step::output}));
  CHECK(to_text(*derive(state).shown) == "output.1.4");
  REQUIRE(!update(state, Pin{Cell{Tensor::W_K, 0, 0, 0}}));
  CHECK(to_text(*derive(state).shown) == "output.2.1");
  REQUIRE(!update(state, GoToStep{Step::project}));
  CHECK(to_text(*derive(state).shown) == "W_K.1.1.1");
}

TEST_CASE("stages follow the computation, and weights are there when they are used") {
  const State state = at_step(Step::softmax);
  CHECK(stage_of(state, Tensor::X) == Stage::past);
  CHECK(stage_of(state, Tensor::Q) == Stage::past);
  CHECK(stage_of(state, Tensor::pattern) == Stage::present);
  CHECK(stage_of(state, Tensor::head) == Stage::future);
  CHECK(stage_of(state, Tensor::W_O) == Stage::future);
  CHECK_FALSE(is_visible(state, Tensor::W_Q));
  CHECK(is_visible(at_step(Step::project), Tensor::W_Q));
  CHECK_FALSE(is_visible(at_step(Step::input), Tensor::W_Q));
  CHECK_FALSE(is_visible(at_step(Step::concat), Tensor::W_O));
  CHECK(is_visible(at_step(Step::output), Tensor::W_O));
  for (int step = 0; step < kStepCount; ++step) CHECK(is_visible(at_step(static_cast<Step>(step)), Tensor::X));
}

TEST_CASE("scaled and masked share one place") {
  for (int step = 0; step < kStepCount; ++step)
    for (const bool on : {false, true}) {
      State state = at_step(static_cast<Step>(step));
      REQUIRE(!update(state, SetCausal{on}));
      const int visible = is_visible(state, Tensor::scaled) + is_visible(state, Tensor::masked);
      CHECK(visible == (state.step >= Step::scale ? 1 : 0));
      const bool masked = state.step == Step::mask || (on && state.step > Step::mask);
      CHECK(scaled_place(state) == (masked ? Tensor::masked : Tensor::scaled));
      CHECK((stage_of(state, scaled_place(state)) == Stage::present) ==
            (state.step == Step::scale || state.step == Step::mask));
    }
}

TEST_CASE("operands are the cells that made the number, as far as one can see them") {
  const auto operands = [](const State& state) {
    std::string list;
    for (const Cell& cell : derive(state).operands) list += to_text(cell) + " ";
    return list;
  };
  CHECK(operands(at_step(Step::input)).empty());
  CHECK(operands(at_step(Step::softmax)) == "scaled.1.2.1 scaled.1.2.2 ");
  CHECK(operands(at_step(Step::scale)) == "scores.1.2.1 ");
  CHECK(operands(at_step(Step::concat)) == "head.1.2.1 ");
  State state = at_step(Step::softmax);
  REQUIRE(!update(state, SetCausal{true}));
  CHECK(operands(state) == "masked.1.2.1 masked.1.2.2 ");
  REQUIRE(!update(state, Pin{Cell{Tensor::Q, 0, 0, 0}}));
  CHECK(operands(state) == "X.1.1 X.1.2 X.1.3 X.1.4 X.1.5 X.1.6 ");  // W^Q is not on the page now
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const State random = random_state(seed);
    const Derived derived = derive(random);
    for (const Cell& cell : derived.operands) {
      CHECK(is_visible(random, cell.tensor));
      CHECK(is_operand(derived, cell));
      CHECK_FALSE(cell == *derived.shown);
    }
  }
}

TEST_CASE("an edit of X changes everything that follows from it") {
  State state;
  REQUIRE(!update(state, SetCell{{Tensor::X, -1, 0, 0}, 0.25}));
  const Derived before = derive({}), after = derive(state);
  for (const Tensor tensor : {Tensor::Q, Tensor::K, Tensor::V, Tensor::scores, Tensor::scaled, Tensor::pattern,
                              Tensor::head, Tensor::concat, Tensor::output}) {
    int changed = 0;
    for (const Cell& cell : cells_of(state, tensor))
      changed += value_of(state, before, cell) != value_of(state, after, cell);
    CHECK_MESSAGE(changed > 0, attention::name_of(tensor));
  }
  // X[dogs, noun] · W^K_1[noun, 1] is all of K_1[dogs, 1]
  CHECK(value_of(state, after, {Tensor::K, 0, 0, 0}) == 0.5);
}

TEST_CASE("only what was changed is edited") {
  State state;
  const Cell changed{Tensor::W_V, 2, 4, 0};
  REQUIRE(!update(state, SetCell{changed, 3.5}));
  for (const Cell& cell : all_cells(state)) CHECK(is_edited(state, cell) == (cell == changed));
  REQUIRE(!update(state, SetCell{changed, 3}));
  CHECK_FALSE(any_edited(state));
}
