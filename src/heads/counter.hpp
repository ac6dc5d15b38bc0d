// Counts head by head how often the largest weight falls on the right key, and what else a table's rows say. Private to
// heads.
#pragma once

#include "heads/table.hpp"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace heads {

/// A query for which it is known what is right.
struct Case {
  std::size_t subject = 0;  // index of it
  int query = 0;
  std::vector<int> right;  // keys, at least one, each once
};

/// How a head spreads over n keys: (n, n) row-major, rows are queries.
using PatternOf = std::function<std::span<const float>(int layer, int head)>;

/// Is some right key's weight larger than every wrong one's? An even row is right about nothing, whatever its first
/// key.
bool is_right(std::span<const float> row, const std::vector<int>& right);

/// -sum p ln p / ln(keys) over the first `keys` weights: 0 one key, 1 all the same; 0 for one key alone. With the
/// engine's own logarithm, so that a table is the same to the bit everywhere.
double entropy_share_of(std::span<const float> row, int keys);

class Counter {
 public:
  /// Subjects come with their words and family; what is counted of them is 0.
  Counter(int layers, int heads, std::vector<Subject> subjects);

  /// `patterns` over n keys each.
  void add_cases(const std::vector<Case>& cases, int n, const PatternOf& patterns);
  /// Entropy and rest of these queries. `resting`: keys where a head with nothing to do looks. Causal: a query's keys
  /// end with itself.
  void add_figures(std::span<const int> queries, std::span<const int> resting, int n, bool causal,
                   const PatternOf& patterns);
  void add_accuracy(std::size_t subject, bool right);
  std::vector<Subject>& subjects() { return table_.subjects; }

  /// Means, best offsets, and what is earned by them.
  Table finish(int sentences, std::string counted_on);

 private:
  Table table_;
  std::vector<std::vector<double>> weight_;  // heads × subjects: sum on the right keys
  std::vector<double> entropy_, rest_;       // heads: sums over queries
  std::vector<std::vector<int>> by_offset_;  // subjects × offsets from -(kMostOffset): how often each is right
  int queries_ = 0;
};

}  // namespace heads
