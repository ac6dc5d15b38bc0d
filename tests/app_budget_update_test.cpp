// The budget's actions: carried out, refused with a reason and without a change, and as text.
#include "app_budget_support.hpp"

using namespace app_test;
using budget_test::has;

TEST_CASE("budget page: a preset brings its sizes and leaves text and precision alone") {
  State state = budget_state();
  REQUIRE(!update(state, SetSize{"n", "2048"}));
  REQUIRE(!update(state, SetSize{"batch", "4"}));
  REQUIRE(!update(state, SetSize{"bytes", "2"}));
  REQUIRE(!update(state, OpenPreset{"gpt3"}));
  CHECK(state.budget.sizes.d_model == 12288);
  CHECK(state.budget.sizes.layers == 96);
  CHECK(state.budget.sizes.n == 2048);
  CHECK(state.budget.sizes.batch == 4);
  CHECK(state.budget.sizes.bytes == 2);
  REQUIRE(!update(state, OpenPreset{"lesson"}));
  CHECK(state.budget.sizes.n == 2);
  CHECK(state.budget.sizes.batch == 4);
}

TEST_CASE("budget page: 512 with 12 heads is refused in the right words, and allowed without keep") {
  State state = budget_state();
  const State before = state;
  const std::string text = update(state, SetSize{"h", "12"}).value_or("");
  for (const char* part : {"512", "h = 12", "42.67", "1, 2, 4, 8, 16, 32, 64, 128, 256 or 512", "turn off"})
    CHECK_MESSAGE(has(text, part), text);
  CHECK(state == before);
  REQUIRE(!update(state, SetSize{"keep", "off"}));
  REQUIRE(!update(state, SetSize{"h", "12"}));
  CHECK(has(update(state, SetSize{"keep", "on"}).value_or(""), "42.67"));
  const BudgetView view = derive_budget(state.budget, nullptr);
  CHECK(view.code.torch.empty());
  CHECK_FALSE(view.code.keras.empty());
}

TEST_CASE("budget page: every refusal says why and changes nothing") {
  const State state = budget_state();
  const Action refused[] = {OpenPreset{"gpt5"},
                            OpenPreset{""},
                            SetSize{"h", "12"},
                            SetSize{"h", "0"},
                            SetSize{"h", "-8"},
                            SetSize{"h", "1025"},
                            SetSize{"h", std::string(100000, '9')},
                            SetSize{"d_model", "513"},
                            SetSize{"d_k", "65"},
                            SetSize{"h_kv", "3"},
                            SetSize{"bytes", "3"},
                            SetSize{"keep", "maybe"},
                            SetSize{"colour", "1"},
                            SetSize{std::string(100000, 'x'), "1"},
                            SetSize{"", ""},
                            ShowBudgetPanel{static_cast<BudgetPanel>(9)},
                            SetTarget{static_cast<budget::Target>(9)},
                            PinAmount{Amount::biases},
                            PinAmount{Amount::scores},
                            PinAmount{static_cast<Amount>(99)},
                            HoverAmount{Amount::rank}};
  for (const Action& action : refused) {
    State copy = state;
    const auto text = update(copy, action);
    REQUIRE(text);
    CHECK(has(*text, "wanted"));
    CHECK(text->ends_with("."));
    CHECK(text->size() < 600);
    CHECK(copy == state);
  }
  CHECK(has(reason(state, OpenPreset{"gpt5"}), "\"gpt5\""));
  CHECK(has(reason(state, PinAmount{Amount::scores}), "scores: wanted W_Q, W_K"));
}

TEST_CASE("budget page: after any walk the sizes are valid and the page is whole") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const State state = random_budget_state(seed);
    CHECK(budget::validate(state.budget.sizes).empty());
    const BudgetView view = derive_budget(state.budget, nullptr);
    CHECK_FALSE(view.parts.empty());
    CHECK_FALSE(view.sentence.empty());
  }
}

TEST_CASE("budget page: every action's text reads back as the same action") {
  std::vector<bool> seen(std::variant_size_v<Action>, false);
  Random random(6);
  State state = budget_state();
  for (int i = 0; i < 500; ++i) {
    const Action action = random_budget_action(random, state);
    seen[action.index()] = true;
    const std::string text = to_text(action);
    const auto read = read_action(text);
    REQUIRE_MESSAGE(std::holds_alternative<Action>(read), text);
    CHECK(to_text(std::get<Action>(read)) == text);
    State a = state, b = state;
    CHECK(update(a, action) == update(b, std::get<Action>(read)));
    CHECK(a == b);
    state = a;
  }
  CHECK(std::count(seen.begin(), seen.end(), true) == 6);
  for (const char* text : {"amount:", "amount-hover:", "size:h=8", "size:d_model=12,288", "size:keep=off"})
    CHECK(std::holds_alternative<Action>(read_action(text)));
  for (const char* text : {"size:", "size:h", "size:=8", "view:", "view:all", "target:x", "amount:x", "amount-hover:x"})
    CHECK_MESSAGE(std::holds_alternative<attention::Problem>(read_action(text)), text);
}

TEST_CASE("budget page: what is pointed at goes when the view or the page changes, what is pinned stays") {
  State state = budget_state();
  REQUIRE(!update(state, PinAmount{Amount::W_O}));
  REQUIRE(!update(state, HoverAmount{Amount::model}));
  CHECK(derive_budget(state.budget, nullptr).shown == Amount::model);
  REQUIRE(!update(state, ShowBudgetPanel{BudgetPanel::compute}));
  CHECK_FALSE(state.budget.hovered);
  CHECK(derive_budget(state.budget, nullptr).shown == Amount::project);
  REQUIRE(!update(state, ShowBudgetPanel{BudgetPanel::parameters}));
  CHECK(derive_budget(state.budget, nullptr).shown == Amount::W_O);
}
