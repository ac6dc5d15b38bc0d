// The budget's names, and its actions as text, both ways.
#include "app/budget_internal.hpp"

#include <array>

namespace app {
namespace {

constexpr std::array<std::string_view, kBudgetPanels> kPanelNames = {"parameters", "compute", "rank", "code"};
constexpr std::array<std::string_view, kAmounts> kAmountNames = {
    "W_Q",    "W_K",     "W_V",   "W_O",    "biases",    "attention", "feed_forward", "model", "project",
    "scores", "softmax", "weigh", "output", "overtakes", "weights",   "cache",        "rank"};

template <class Value, std::size_t size>
std::optional<Value> find(const std::array<std::string_view, size>& names, std::string_view name) {
  for (std::size_t i = 0; i < size; ++i)
    if (names[i] == name) return static_cast<Value>(i);
  return std::nullopt;
}

using Read = std::variant<Action, attention::Problem>;

template <class Chosen>
Read read_amount(std::string_view verb, std::string_view text) {
  if (text.empty()) return Action{Chosen{std::nullopt}};
  if (const auto amount = find_amount(text)) return Action{Chosen{*amount}};
  return not_read(verb, text, join({kAmountNames.begin(), kAmountNames.end()}, "or"));
}

Read read_size(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) return not_read("size", text, "a field and a value: h=8");
  return Action{SetSize{std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))}};
}

std::string amount_text(const std::optional<Amount>& amount) { return amount ? std::string(name_of(*amount)) : ""; }

}  // namespace

std::string_view name_of(BudgetPanel panel) { return kPanelNames[static_cast<std::size_t>(panel)]; }
std::string_view name_of(Amount amount) { return kAmountNames[static_cast<std::size_t>(amount)]; }
std::optional<BudgetPanel> find_budget_panel(std::string_view name) { return find<BudgetPanel>(kPanelNames, name); }
std::optional<Amount> find_amount(std::string_view name) { return find<Amount>(kAmountNames, name); }

std::string view_list() { return join({kPanelNames.begin(), kPanelNames.end()}, "or"); }

std::string target_list() {
  std::vector<std::string> names;
  for (int i = 0; i < budget::kTargets; ++i) names.emplace_back(budget::name_of(static_cast<budget::Target>(i)));
  return join(names, "or");
}

std::optional<Read> read_budget_action(std::string_view verb, std::string_view rest) {
  if (verb == "preset") return Action{OpenPreset{std::string(rest)}};
  if (verb == "size") return read_size(rest);
  if (verb == "view") {
    if (const auto panel = find_budget_panel(rest)) return Action{ShowBudgetPanel{*panel}};
    return not_read(verb, rest, view_list());
  }
  if (verb == "target") {
    if (const auto target = budget::find_target(rest)) return Action{SetTarget{*target}};
    return not_read(verb, rest, target_list());
  }
  if (verb == "amount") return read_amount<PinAmount>(verb, rest);
  if (verb == "amount-hover") return read_amount<HoverAmount>(verb, rest);
  return std::nullopt;
}

using Writer = BudgetWriter;
std::string Writer::operator()(const OpenPreset& action) const { return "preset:" + action.id; }
std::string Writer::operator()(const SetSize& action) const { return "size:" + action.field + "=" + action.value; }
std::string Writer::operator()(const ShowBudgetPanel& action) const {
  return "view:" + std::string(name_of(action.panel));
}
std::string Writer::operator()(const SetTarget& action) const {
  return "target:" + std::string(budget::name_of(action.target));
}
std::string Writer::operator()(const PinAmount& action) const { return "amount:" + amount_text(action.amount); }
std::string Writer::operator()(const HoverAmount& action) const { return "amount-hover:" + amount_text(action.amount); }

}  // namespace app
