// The table of one model, counted sentence by sentence from patterns and logits, wherever these come from. Private to
// heads.
#pragma once

#include "heads/cases.hpp"
#include "heads/counter.hpp"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace heads {

/// The logits (V) of a token that has a target; empty: the model gave none, and its answer counts as wrong.
using LogitsOf = std::function<std::span<const float>(int token)>;

class RoleCounter {
 public:
  RoleCounter(train::Task task, bool causal, int layers, int heads);

  /// One run: the sentence with these tokens hidden. Without `logits` the model's own accuracy isn't counted.
  void add(const train::Sentence& sentence, std::span<const int> masks, const PatternOf& patterns,
           const LogitsOf& logits = {});
  Table finish(std::string counted_on);

 private:
  void count_baselines();

  train::Task task_;
  bool causal_;
  std::vector<train::Relation> relations_;
  std::vector<std::vector<int>> alternatives_;  // by relation: the words that an answer is chosen among
  Counter counter_;
  std::vector<train::Sentence> asked_;      // the sentences with only the labels that were cases
  std::vector<train::Sentence> inductive_;  // with induction's cases as labels
  int sentences_ = 0;
};

/// "1,000 held-out sentences"
std::string counted_on_text(int sentences);

}  // namespace heads
