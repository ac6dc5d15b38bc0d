// Rules without structure, and how often each is right.
#include "train/language.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace train {
namespace {

enum class Where { first, last, left, second_left, right, second_right, since_stop };
constexpr std::array kWheres = {Where::first, Where::last,         Where::left,      Where::second_left,
                                Where::right, Where::second_right, Where::since_stop};

/// Absent kind: any noun.
struct Rule {
  Where where = Where::first;
  std::optional<WordClass> kind = {};
};

std::string sentence_of(const Rule& rule) {
  const std::string what(rule.kind ? name(*rule.kind) : "noun");
  switch (rule.where) {
    case Where::first: return "first " + what;
    case Where::last: return "last " + what;
    case Where::left: return "nearest " + what + " to the left";
    case Where::second_left: return "second " + what + " to the left";
    case Where::right: return "nearest " + what + " to the right";
    case Where::second_right: return "second " + what + " to the right";
    case Where::since_stop: return "first " + what + " since the last comma or full stop";
  }
  return "";
}

std::string sentence_of_offset(int offset) {
  if (offset == 0) return "itself";
  return std::to_string(std::abs(offset)) + (offset < 0 ? " to the left" : " to the right");
}

/// Where a rule points to, nothing where no such word is.
std::optional<int> follow(const Rule& rule, const Sentence& sentence, const Label& label) {
  const std::span<const Word> words = vocabulary(sentence.task);
  const int n = static_cast<int>(sentence.tokens.size());
  const auto kind_at = [&](int i) {
    return words[static_cast<std::size_t>(sentence.tokens[static_cast<std::size_t>(i)])].kind;
  };
  const auto fits = [&](int i) {
    if (i == label.asker || i == label.maskable) return false;
    return rule.kind ? kind_at(i) == *rule.kind : is_noun(kind_at(i));
  };
  /// The nth that fits from `from` on, in this direction.
  const auto find = [&](int from, int step, int nth) -> std::optional<int> {
    for (int i = from; i >= 1 && i < n; i += step)
      if (fits(i) && --nth == 0) return i;
    return std::nullopt;
  };
  switch (rule.where) {
    case Where::first: return find(1, 1, 1);
    case Where::last: return find(n - 1, -1, 1);
    case Where::left: return find(label.asker - 1, -1, 1);
    case Where::second_left: return find(label.asker - 1, -1, 2);
    case Where::right: return find(label.asker + 1, 1, 1);
    case Where::second_right: return find(label.asker + 1, 1, 2);
    case Where::since_stop: {
      int from = label.asker - 1;
      while (from > 0 && kind_at(from) != WordClass::punctuation) --from;
      return find(from + 1, 1, 1);
    }
  }
  return std::nullopt;
}

template <class Visit>
void for_each_label(std::span<const Sentence> sentences, Relation relation, const Visit& visit) {
  for (const Sentence& sentence : sentences)
    for (const Label& label : sentence.labels)
      if (label.relation == relation && label.maskable) visit(sentence, label);
}

/// Equally good ones by name, so that the order is the same everywhere.
void sort_by_right(std::vector<Baseline>& rules) {
  std::sort(rules.begin(), rules.end(), [](const Baseline& a, const Baseline& b) {
    return a.right != b.right ? a.right > b.right : a.rule < b.rule;
  });
}

}  // namespace

Baseline best_fixed_offset(std::span<const Sentence> sentences, Relation relation) {
  std::array<int, 2 * kLongestSentence - 1> right = {};  // by offset, from -(kLongestSentence - 1)
  int count = 0;
  for_each_label(sentences, relation, [&](const Sentence&, const Label& label) {
    ++right[static_cast<std::size_t>(label.target - label.asker + kLongestSentence - 1)];
    ++count;
  });
  if (count == 0) return {};
  const auto best = std::max_element(right.begin(), right.end());
  return {sentence_of_offset(static_cast<int>(best - right.begin()) - (kLongestSentence - 1)), *best, count};
}

std::vector<Baseline> simple_rules(std::span<const Sentence> sentences, Relation relation) {
  std::vector<Rule> rules;
  for (const Where where : kWheres) {
    rules.push_back({where, std::nullopt});
    for (int kind = 0; kind < kWordClasses; ++kind) rules.push_back({where, static_cast<WordClass>(kind)});
  }
  std::vector<Baseline> found;
  for (const Rule& rule : rules) found.push_back({sentence_of(rule)});
  std::array<int, kLongestSentence> at_place = {};
  int count = 0;
  for_each_label(sentences, relation, [&](const Sentence& sentence, const Label& label) {
    ++count;
    ++at_place[static_cast<std::size_t>(label.target)];
    for (std::size_t i = 0; i < rules.size(); ++i)
      if (follow(rules[i], sentence, label) == label.target) ++found[i].right;
  });
  if (count == 0) return {};
  for (int place = 0; place < kLongestSentence; ++place)
    found.push_back({"token " + std::to_string(place), at_place[static_cast<std::size_t>(place)]});
  for (Baseline& it : found) it.count = count;
  sort_by_right(found);
  return found;
}

Baseline best_simple_rule(std::span<const Sentence> sentences, Relation relation) {
  const std::vector<Baseline> rules = simple_rules(sentences, relation);
  return rules.empty() ? Baseline{} : rules.front();
}

}  // namespace train
