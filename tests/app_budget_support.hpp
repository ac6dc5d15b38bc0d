// What the budget page's tests share: random walks on it.
#pragma once

#include "app_support.hpp"
#include "budget_support.hpp"

namespace app_test {

inline State budget_state() {
  State state;
  REQUIRE(!update(state, OpenPage{Page::budget}));
  return state;
}

/// As a learner may do it; some are refused.
inline Action random_budget_action(Random& random, const State& state) {
  const auto presets = budget::presets();
  const auto preset = [&] {
    return std::string(presets[static_cast<std::size_t>(random.whole(0, static_cast<int>(presets.size()) - 1))].id);
  };
  switch (random.whole(0, 8)) {
    case 0: return OpenPreset{preset()};
    case 1: return ShowBudgetPanel{static_cast<BudgetPanel>(random.whole(0, kBudgetPanels - 1))};
    case 2: return SetTarget{static_cast<budget::Target>(random.whole(0, budget::kTargets - 1))};
    case 3: return PinAmount{static_cast<Amount>(random.whole(0, kAmounts - 1))};
    case 4: return HoverAmount{static_cast<Amount>(random.whole(0, kAmounts - 1))};
    default: {
      const std::string_view field = budget_test::random_field(random);
      return SetSize{std::string(field), budget_test::random_value(random, state.budget.sizes, field)};
    }
  }
}

inline State random_budget_state(std::uint64_t seed, int steps = 20) {
  Random random(seed);
  State state = budget_state();
  for (int i = 0; i < steps; ++i) update(state, random_budget_action(random, state));
  return state;
}

inline std::string reason(const State& state, const Action& action) { return refusal_of(state, action).value_or(""); }

}  // namespace app_test
