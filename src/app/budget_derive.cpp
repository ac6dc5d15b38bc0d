// What the budget's page shows, as a pure function of what was chosen.
#include "app/budget_internal.hpp"

namespace app {

BudgetView derive_budget(const Budget& budget, const BudgetView* before) {
  BudgetView view;
  view.title = "What does multi-head attention cost?";
  view.subtitle = "More heads, same bill: if d_{k} = d_{model} / h, every extra head only makes the slices narrower.";
  write_controls(view, budget);
  write_bill(view, budget);
  write_compute(view, budget);
  write_rank(view, budget, before);
  write_code(view, budget);
  write_budget_strip(view, budget);
  return view;
}

}  // namespace app
