// Counts of right cases, sums of weights, and the fixed offset that is right most often. Sums are double, in the order
// in which cases are added.
#include "heads/counter.hpp"

#include "attention/arithmetic.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace heads {
namespace {

constexpr int kMostOffset = 512;  // keys are fewer in every model and file

std::span<const float> row_of(std::span<const float> pattern, int query, int n) {
  const auto width = static_cast<std::size_t>(n);
  return pattern.subspan(static_cast<std::size_t>(query) * width, width);
}

double weight_on(std::span<const float> row, std::span<const int> keys) {
  double sum = 0;
  for (const int key : keys) sum += static_cast<double>(row[static_cast<std::size_t>(key)]);
  return sum;
}

}  // namespace

bool is_right(std::span<const float> row, const std::vector<int>& right) {
  float best_right = 0, best_wrong = 0;
  for (std::size_t key = 0; key < row.size(); ++key) {
    const bool is_one = std::find(right.begin(), right.end(), static_cast<int>(key)) != right.end();
    float& best = is_one ? best_right : best_wrong;
    best = std::max(best, row[key]);
  }
  return best_right > best_wrong;
}

double entropy_share_of(std::span<const float> row, int keys) {
  if (keys < 2) return 0;
  double sum = 0;
  for (int key = 0; key < keys; ++key) {
    const double p = static_cast<double>(row[static_cast<std::size_t>(key)]);
    if (p > 0) sum -= p * attention::logarithm(p);
  }
  return sum / attention::logarithm(keys);
}

Counter::Counter(int layers, int heads, std::vector<Subject> subjects) {
  table_.layers = layers;
  table_.heads = heads;
  table_.subjects = std::move(subjects);
  const auto rows = static_cast<std::size_t>(layers * heads), columns = table_.subjects.size();
  table_.rows.resize(rows);
  for (HeadRoles& row : table_.rows) row.scores.resize(columns);
  weight_.assign(rows, std::vector<double>(columns));
  entropy_.assign(rows, 0);
  rest_.assign(rows, 0);
  by_offset_.assign(columns, std::vector<int>(2 * kMostOffset + 1));
}

void Counter::add_cases(const std::vector<Case>& cases, int n, const PatternOf& patterns) {
  for (const Case& it : cases) {
    assert(!it.right.empty() && it.query >= 0 && it.query < n);
    ++table_.subjects[it.subject].cases;
    for (const int key : it.right) {
      assert(key >= 0 && key < n);
      ++by_offset_[it.subject][static_cast<std::size_t>(key - it.query + kMostOffset)];
    }
  }
  for (std::size_t i = 0; i < table_.rows.size(); ++i) {
    const int row_index = static_cast<int>(i);
    const std::span<const float> pattern = patterns(row_index / table_.heads, row_index % table_.heads);
    for (const Case& it : cases) {
      const std::span<const float> row = row_of(pattern, it.query, n);
      Share& share = table_.rows[i].scores[it.subject].share;
      ++share.count;
      if (is_right(row, it.right)) ++share.right;
      weight_[i][it.subject] += weight_on(row, it.right);
    }
  }
}

void Counter::add_figures(std::span<const int> queries, std::span<const int> resting, int n, bool causal,
                          const PatternOf& patterns) {
  queries_ += static_cast<int>(queries.size());
  for (std::size_t i = 0; i < table_.rows.size(); ++i) {
    const int row_index = static_cast<int>(i);
    const std::span<const float> pattern = patterns(row_index / table_.heads, row_index % table_.heads);
    for (const int query : queries) {
      const std::span<const float> row = row_of(pattern, query, n);
      entropy_[i] += entropy_share_of(row, causal ? query + 1 : n);
      rest_[i] += weight_on(row, resting);
    }
  }
}

void Counter::add_accuracy(std::size_t subject, bool right) {
  std::optional<Share>& accuracy = table_.subjects[subject].accuracy;
  if (!accuracy) accuracy.emplace();
  ++accuracy->count;
  if (right) ++accuracy->right;
}

Table Counter::finish(int sentences, std::string counted_on) {
  for (std::size_t i = 0; i < table_.subjects.size(); ++i) {
    Subject& subject = table_.subjects[i];
    if (subject.cases == 0) continue;
    const auto best = std::max_element(by_offset_[i].begin(), by_offset_[i].end());
    subject.best_offset = {.right = *best, .count = subject.cases};
    subject.offset = static_cast<int>(best - by_offset_[i].begin()) - kMostOffset;
  }
  for (std::size_t i = 0; i < table_.rows.size(); ++i) {
    HeadRoles& row = table_.rows[i];
    for (std::size_t subject = 0; subject < row.scores.size(); ++subject) {
      const int count = row.scores[subject].share.count;
      row.scores[subject].mean_weight = count == 0 ? 0 : weight_[i][subject] / count;
    }
    row.entropy_share = queries_ == 0 ? 0 : entropy_[i] / queries_;
    row.mean_rest = queries_ == 0 ? 0 : rest_[i] / queries_;
  }
  table_.sentences = sentences;
  table_.counted_on = std::move(counted_on);
  decide(table_);
  return std::move(table_);
}

}  // namespace heads
