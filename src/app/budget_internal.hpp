// What the budget's files share with each other and with the files that carry all pages.
#pragma once

#include "app/internal.hpp"
#include "app/linked.hpp"

#include <utility>

namespace app {

// ------------------------------------------- actions (budget_update.cpp)

struct BudgetRefusal {
  const Budget& budget;
  using Reason = std::optional<std::string>;
  Reason operator()(const OpenPreset& action) const;
  Reason operator()(const SetSize& action) const;
  Reason operator()(const ShowBudgetPanel& action) const;
  Reason operator()(const SetTarget& action) const;
  Reason operator()(const PinAmount& action) const;
  Reason operator()(const HoverAmount& action) const;
};

/// A caller's duty: not refused.
struct BudgetCarry {
  Budget& budget;
  void operator()(const OpenPreset& action) const;
  void operator()(const SetSize& action) const;
  void operator()(const ShowBudgetPanel& action) const;
  void operator()(const SetTarget& action) const;
  void operator()(const PinAmount& action) const;
  void operator()(const HoverAmount& action) const;
};

/// A problem of sizes as a sentence; with `keep`, how to choose d_k and d_v by hand.
std::string refusal_text(const attention::Problem& problem, bool keep);
inline constexpr std::string_view kLessonPreset = "lesson";

// --------------------------------------------- as text (budget_text.cpp)

/// Absent: `verb` is none of the budget's.
std::optional<std::variant<Action, attention::Problem>> read_budget_action(std::string_view verb,
                                                                           std::string_view rest);
inline constexpr std::string_view kBudgetVerbs = "preset:, size:, view:, target:, amount:, amount-hover:";

std::string view_list();    // "parameters, compute, rank or code"
std::string target_list();

struct BudgetWriter {
  std::string operator()(const OpenPreset& action) const;
  std::string operator()(const SetSize& action) const;
  std::string operator()(const ShowBudgetPanel& action) const;
  std::string operator()(const SetTarget& action) const;
  std::string operator()(const PinAmount& action) const;
  std::string operator()(const HoverAmount& action) const;
};

// --------------------------------------------- in a link (budget_query.cpp)

/// What the budget adds to a query: keys ("budget", "view", "target") and plain values.
std::vector<std::pair<std::string_view, std::string>> query_of(const Budget& budget);
class BudgetReader : Linked {
 public:
  using Linked::Linked;
  bool take(Budget& budget, std::string_view key, std::string_view value);  // false: not the budget's

 private:
  void take_sizes(Budget& budget, std::string_view text) const;
  std::optional<std::string> value_in_limits(std::string_view entry, std::string_view field,
                                             std::string_view value) const;
};

// ----------------------------------------- described (budget_describe.cpp)

void describe_budget(Description& description, const State& state, const Derived& derived);

// -------------------------------------------- numbers (budget_numbers.cpp)

/// As running text and formulas show a number, "2048" and "12 288"; columns of numbers have `grouped`.
std::string figure(budget::Whole value);
std::string rounded(double value);
std::string aloud(std::string text);      // "12,288" for its gaps

// ------------------------------------------------------------------ words

void write_controls(BudgetView& view, const Budget& budget);    // (budget_controls.cpp)
void write_bill(BudgetView& view, const Budget& budget);        // (budget_bill.cpp)
void write_compute(BudgetView& view, const Budget& budget);     // (budget_compute.cpp)
void write_rank(BudgetView& view, const Budget& budget, const BudgetView* before);  // (budget_rank.cpp)
void write_code(BudgetView& view, const Budget& budget);  // (budget_rank.cpp)
void write_budget_strip(BudgetView& view, const Budget& budget);  // (budget_strip.cpp)
/// The amounts that a panel's strip can explain, its own first.
std::vector<Amount> amounts_of(const Budget& budget, BudgetPanel panel);

}  // namespace app
