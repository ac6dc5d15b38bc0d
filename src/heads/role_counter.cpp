// Counts a model's heads, its own answers and the simple rules on the same cases.
#include "heads/role_counter.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace heads {
namespace {

/// The words that compete for a masked one: all of the vocabulary where the relation names fewer than two.
std::vector<int> competing_words(train::Task task, train::Relation relation) {
  std::vector<int> words = train::alternatives(task, relation);
  if (words.size() > 1) return words;
  words.resize(train::vocabulary(task).size());
  std::iota(words.begin(), words.end(), 0);
  return words;
}

/// The first of the largest, as in train::Loss.
int best_of(std::span<const float> logits, const std::vector<int>& words) {
  int best = words.front();
  for (const int word : words)
    if (logits[static_cast<std::size_t>(word)] > logits[static_cast<std::size_t>(best)]) best = word;
  return best;
}

}  // namespace

RoleCounter::RoleCounter(train::Task task, bool causal, int layers, int heads)
    : task_(task), causal_(causal), relations_(relations_of(task)), counter_(layers, heads, subjects_of(task)) {
  for (const train::Relation relation : relations_) alternatives_.push_back(competing_words(task, relation));
}

void RoleCounter::add(const train::Sentence& sentence, std::span<const int> masks, const PatternOf& patterns,
                      const LogitsOf& logits) {
  const int n = static_cast<int>(sentence.tokens.size());
  std::vector<Case> cases;
  train::Sentence asked{task_, sentence.tokens, {}}, inductive = asked;
  for (const LabelCase& it : label_cases(sentence, masks, causal_)) {
    cases.push_back({it.index, it.query, {it.label.target}});
    asked.labels.push_back(it.label);
    if (!logits) continue;
    const int answer = sentence.tokens[static_cast<std::size_t>(*it.label.maskable)];
    const std::span<const float> row = logits(it.answers);
    counter_.add_accuracy(it.index, !row.empty() && best_of(row, alternatives_[it.index]) == answer);
  }
  std::size_t next = relations_.size();
  if (task_ == train::Task::language) {
    for (const InductionCase& it : induction_cases(sentence, masks, causal_)) {
      cases.push_back({next, it.query, {it.target}});
      inductive.labels.push_back({train::Relation::repeated, it.asker, it.target, it.asker});
    }
    ++next;
  }
  for (Case& place : place_cases(n, 1, causal_, next)) cases.push_back(std::move(place));
  counter_.add_cases(cases, n, patterns);

  std::vector<int> queries(static_cast<std::size_t>(n - 1));
  std::iota(queries.begin(), queries.end(), 1);
  const int first_token = 0;
  counter_.add_figures(queries, {&first_token, 1}, n, causal_, patterns);
  asked_.push_back(std::move(asked));
  if (!inductive.labels.empty()) inductive_.push_back(std::move(inductive));
  ++sentences_;
}

/// The rules see the asker and what is masked as they would in training: neither counts as an answer.
void RoleCounter::count_baselines() {
  const auto set = [&](std::size_t index, const train::Baseline& best) {
    Subject& subject = counter_.subjects()[index];
    subject.best_rule = {.right = best.right, .count = best.count};
    subject.rule = best.rule;
  };
  for (std::size_t i = 0; i < relations_.size(); ++i) set(i, train::best_simple_rule(asked_, relations_[i]));
  if (task_ != train::Task::language) return;
  set(relations_.size(), train::best_simple_rule(inductive_, train::Relation::repeated));
}

Table RoleCounter::finish(std::string counted_on) {
  count_baselines();
  return counter_.finish(sentences_, std::move(counted_on));
}

std::string counted_on_text(int sentences) {
  std::string digits = std::to_string(sentences);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits + (sentences == 1 ? " held-out sentence" : " held-out sentences");
}

}  // namespace heads
