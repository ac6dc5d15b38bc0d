// Which tokens of a masked sentence ask what, and where the answer stands.
#include "heads/cases.hpp"

#include <algorithm>
#include <cassert>

namespace heads {
namespace {

bool holds(std::span<const int> list, int token) { return std::find(list.begin(), list.end(), token) != list.end(); }

}  // namespace

std::vector<LabelCase> label_cases(const train::Sentence& sentence, std::span<const int> masks, bool causal) {
  const std::vector<train::Relation> relations = relations_of(sentence.task);
  std::vector<LabelCase> out;
  for (const train::Label& label : sentence.labels) {
    if (!label.maskable || !holds(masks, *label.maskable)) continue;
    const auto found = std::find(relations.begin(), relations.end(), label.relation);
    assert(found != relations.end());
    LabelCase it{.label = label,
                 .index = static_cast<std::size_t>(found - relations.begin()),
                 .query = label.asker,
                 .answers = *label.maskable};
    if (causal) {
      --it.answers;
      if (label.asker == *label.maskable) --it.query;  // a pronoun, which isn't masked, looks for itself
      if (label.target > it.query) continue;
    }
    out.push_back(it);
  }
  return out;
}

std::vector<InductionCase> induction_cases(const train::Sentence& sentence, std::span<const int> masks, bool causal) {
  const std::vector<int>& tokens = sentence.tokens;
  std::vector<InductionCase> out;
  for (const int mask : masks) {
    const int before = mask - 1;
    if (before < 1 || holds(masks, before)) continue;
    const auto first = tokens.begin() + 1, end = tokens.begin() + before;
    const int token = tokens[static_cast<std::size_t>(before)];
    const auto earlier = std::find(first, end, token);
    if (earlier == end || std::find(earlier + 1, end, token) != end) continue;
    const int place = static_cast<int>(earlier - tokens.begin());
    if (holds(masks, place) || holds(masks, place + 1) || place + 1 == before) continue;
    out.push_back({.asker = mask, .query = causal ? before : mask, .target = place + 1});
  }
  return out;
}

std::vector<Case> place_cases(int n, int first_query, bool causal, std::size_t first) {
  std::vector<Case> out;
  for (int query = first_query; query < n; ++query) {
    if (query > 0) out.push_back({first, query, {query - 1}});
    if (query + 1 < n && !causal) out.push_back({first + 1, query, {query + 1}});
    out.push_back({first + 2, query, {query}});
    out.push_back({first + 3, query, {0}});
  }
  return out;
}

}  // namespace heads
