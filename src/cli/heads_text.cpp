// The table of roles as text for people.
#include "cli/heads_commands.hpp"

#include <algorithm>
#include <cstdio>

namespace cli {
namespace {

std::string share_text(double share) {
  char buffer[16];
  std::snprintf(buffer, sizeof buffer, "%.3f", share);
  return buffer;
}

std::string offset_text(int offset) {
  if (offset == 0) return "itself";
  const int distance = std::abs(offset);
  return std::to_string(distance) + (offset < 0 ? " back" : " ahead");
}

std::string head_line(const heads::Table& table, std::size_t row, std::size_t subject) {
  const heads::Score& score = table.rows[row].scores[subject];
  const heads::Interval interval = heads::interval_of(score.share);
  const int index = static_cast<int>(row);
  return "    layer " + std::to_string(index / table.heads + 1) + " head " + std::to_string(index % table.heads + 1) +
         "  " + share_text(score.share.value()) + "  (95 %: " + share_text(interval.low) + " to " +
         share_text(interval.high) + ")  mean weight " + share_text(score.mean_weight) +
         (score.earned ? "" : "  not enough") + '\n';
}

}  // namespace

std::string to_text(const heads::Table& table) {
  std::string text = "Counted on " + table.counted_on +
                     ". A head has a role when its largest weight falls on the right token at least " +
                     std::to_string(static_cast<int>(heads::kMargin * 100)) +
                     " points more often\nthan the best simple rule; for a fixed place, " +
                     std::to_string(static_cast<int>(heads::kPositionalShare * 100)) + " % of the time.\n";
  for (std::size_t subject = 0; subject < table.subjects.size(); ++subject) {
    const heads::Subject& it = table.subjects[subject];
    text += '\n' + it.name + ": " + std::to_string(it.cases) + " cases";
    if (it.cases < heads::kFewestCases) text += ", too few to tell";
    if (it.best_offset.count > 0)
      text += "; always " + offset_text(it.offset) + " " + share_text(it.best_offset.value());
    if (it.best_rule.count > 0) text += "; " + it.rule + " " + share_text(it.best_rule.value());
    if (it.accuracy && it.accuracy->count > 0) text += "; the model's own answer " + share_text(it.accuracy->value());
    text += '\n';
    std::vector<std::size_t> rows(table.rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = i;
    std::stable_sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {
      return table.rows[a].scores[subject].share.value() > table.rows[b].scores[subject].share.value();
    });
    bool any = false;
    for (const std::size_t row : rows) {
      if (any && !table.rows[row].scores[subject].earned) continue;
      text += head_line(table, row, subject);  // the best one in any case
      any = true;
    }
  }
  return text;
}

}  // namespace cli
