// Why an action of the budget can't be carried out, and carries it out.
#include "app/budget_internal.hpp"

#include <algorithm>

namespace app {
namespace {

using Reason = BudgetRefusal::Reason;
using Refusal = BudgetRefusal;
using Carry = BudgetCarry;

Reason missing(const Budget& budget, const std::optional<Amount>& amount) {
  if (!amount) return std::nullopt;
  std::vector<std::string> names;
  for (const Amount it : amounts_of(budget, budget.panel)) {
    if (it == *amount) return std::nullopt;
    names.emplace_back(name_of(it));
  }
  const bool known = static_cast<int>(*amount) < kAmounts;
  return (known ? "This view doesn’t show " + std::string(name_of(*amount)) : "There is no such amount") + ": wanted " +
         join(names, "or") + ".";
}

std::variant<budget::Sizes, attention::Problem> changed_by(const Budget& budget, const SetSize& action) {
  return budget::with_field(budget.sizes, quote(action.field), quote(action.value));
}

}  // namespace

std::string refusal_text(const attention::Problem& problem, bool keep) {
  std::string text = attention::to_sentence(problem) + ".";
  const bool narrow = problem.field == "d_k" || problem.field == "d_v";
  if (keep && narrow) text += " To choose d_k and d_v yourself, turn off “Keep d_k = d_v = d_model / h”.";
  return text;
}

// ---------------------------------------------------------------- refusals

Reason Refusal::operator()(const OpenPreset& action) const {
  if (budget::find_preset(action.id)) return std::nullopt;
  std::vector<std::string> ids;
  for (const budget::Preset& preset : budget::presets()) ids.emplace_back(preset.id);
  return "There is no preset \"" + quote(action.id) + "\": wanted " + join(ids, "or") + ".";
}

Reason Refusal::operator()(const SetSize& action) const {
  const auto changed = changed_by(budget, action);
  if (const auto* problem = std::get_if<attention::Problem>(&changed)) return refusal_text(*problem, budget.sizes.keep);
  return std::nullopt;
}

Reason Refusal::operator()(const ShowBudgetPanel& action) const {
  if (static_cast<int>(action.panel) < kBudgetPanels) return std::nullopt;
  return "There is no such view: wanted " + view_list() + ".";
}

Reason Refusal::operator()(const SetTarget& action) const {
  if (static_cast<int>(action.target) < budget::kTargets) return std::nullopt;
  return "There is no such target: wanted " + target_list() + ".";
}

Reason Refusal::operator()(const PinAmount& action) const { return missing(budget, action.amount); }
Reason Refusal::operator()(const HoverAmount& action) const { return missing(budget, action.amount); }

// ------------------------------------------------------------- carried out

void Carry::operator()(const OpenPreset& action) const {
  const budget::Preset* preset = budget::find_preset(action.id);
  if (!preset) return;
  const budget::Sizes before = std::exchange(budget.sizes, preset->sizes);
  budget.sizes.batch = before.batch, budget.sizes.bytes = before.bytes;
  if (preset->id != kLessonPreset) budget.sizes.n = before.n;
}

void Carry::operator()(const SetSize& action) const {
  auto changed = changed_by(budget, action);
  if (const auto* sizes = std::get_if<budget::Sizes>(&changed)) budget.sizes = *sizes;
}

void Carry::operator()(const ShowBudgetPanel& action) const {
  budget.panel = action.panel;
  budget.hovered.reset();
}
void Carry::operator()(const SetTarget& action) const { budget.target = action.target; }
void Carry::operator()(const PinAmount& action) const { budget.pinned = action.amount; }
void Carry::operator()(const HoverAmount& action) const { budget.hovered = action.amount; }

}  // namespace app
