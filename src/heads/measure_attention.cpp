// The table of an attention file: places and rest on its tokens, dependencies on its words.
#include "heads/cases.hpp"
#include "heads/companion.hpp"

#include <algorithm>
#include <cassert>
#include <map>
#include <numeric>
#include <utility>

namespace heads {
namespace {

constexpr const char* kCountedOn = "this one sentence";

int length_of(const Attention& attention) { return static_cast<int>(attention.tokens.size()); }

/// No token attends to a later one, as in a model that writes from left to right.
bool is_causal(const Attention& attention) {
  if (length_of(attention) < 2) return false;
  return std::all_of(attention.patterns.begin(), attention.patterns.end(), [](const Pattern& pattern) {
    for (Eigen::Index query = 0; query < pattern.rows(); ++query)
      for (Eigen::Index key = query + 1; key < pattern.cols(); ++key)
        if (pattern(query, key) != 0) return false;
    return true;
  });
}

template <class Predicate>
std::vector<int> places_where(const std::vector<std::string>& tokens, const Predicate& predicate) {
  std::vector<int> out;
  for (std::size_t i = 0; i < tokens.size(); ++i)
    if (predicate(i)) out.push_back(static_cast<int>(i));
  return out;
}

/// Every query's cases of these keys: [SEP] wherever it stands.
void add_rest(const std::vector<int>& keys, int n, bool causal, std::size_t subject, std::vector<Case>& cases) {
  for (int query = 0; query < n; ++query) {
    std::vector<int> right;
    for (const int key : keys)
      if (!causal || key <= query) right.push_back(key);
    if (!right.empty()) cases.push_back({subject, query, right});
  }
}

Subject resting(std::string id, const std::string& token) {
  Subject out;
  out.id = std::move(id);
  out.name = token;
  out.asks = "tokens";
  out.explains = "Its largest weight falls on " + token + ", where a head rests when it has nothing to do.";
  out.family = Family::resting;
  return out;
}

/// Olsson et al. 2022: from a word that stood earlier to what followed it there.
void add_induction(const std::vector<std::string>& tokens, std::size_t subject, std::vector<Case>& cases) {
  for (std::size_t query = 1; query < tokens.size(); ++query) {
    if (is_special(tokens[query])) continue;
    std::vector<int> right;
    for (std::size_t earlier = 0; earlier + 1 < query; ++earlier)
      if (tokens[earlier] == tokens[query]) right.push_back(static_cast<int>(earlier) + 1);
    if (!right.empty()) cases.push_back({subject, static_cast<int>(query), right});
  }
}

// ---------------------------------------------------------------- words

/// Clark et al. 2019, section 4.1: from a word the mean over its tokens, to a word the sum; [CLS], [SEP] and the word
/// itself don't count. (Voita et al. 2019 leave out the closing token, too.)
std::vector<float> between_words(const Pattern& pattern, const std::vector<int>& word_of, int words) {
  const auto width = static_cast<std::size_t>(words);
  std::vector<double> sums(width * width);
  std::vector<int> tokens(width);
  for (std::size_t query = 0; query < word_of.size(); ++query) {
    if (word_of[query] < 0) continue;
    const auto from = static_cast<std::size_t>(word_of[query]);
    ++tokens[from];
    for (std::size_t key = 0; key < word_of.size(); ++key) {
      if (word_of[key] < 0 || word_of[key] == word_of[query]) continue;
      sums[from * width + static_cast<std::size_t>(word_of[key])] +=
          static_cast<double>(pattern(static_cast<Eigen::Index>(query), static_cast<Eigen::Index>(key)));
    }
  }
  std::vector<float> out(sums.size());
  for (std::size_t i = 0; i < sums.size(); ++i) out[i] = static_cast<float>(sums[i] / tokens[i / width]);
  return out;
}

struct WordCases {
  std::vector<Subject> subjects;
  std::vector<Case> cases;
};

Subject dependency_subject(const std::string& relation, bool of) {
  Subject out;
  out.name = of ? relation + " of" : relation;
  out.id = "dependency:" + out.name;
  out.asks = (of ? "words that have a word marked " : "words marked ") + relation;
  out.explains = of ? "From a word, its largest weight on another word falls on the one that is its " + relation + "."
                    : "From a word marked " + relation +
                          ", its largest weight on another word falls on the one that it belongs to.";
  out.family = Family::syntactic;
  return out;
}

/// Two subjects for each relation, by its name; one case for each word that asks, whose answers are all right.
WordCases word_cases(const Attention& attention, bool causal, std::size_t first) {
  struct Both {
    std::map<int, std::vector<int>> up, down;  // by the word that asks
  };
  std::map<std::string, Both> relations;
  for (const Dependency& it : attention.dependencies) {
    if (!it.parent) continue;
    Both& both = relations[it.relation];
    if (!causal || *it.parent < it.child) both.up[it.child].push_back(*it.parent);
    if (!causal || it.child < *it.parent) both.down[*it.parent].push_back(it.child);
  }
  WordCases out;
  for (const auto& [relation, both] : relations) {
    for (const bool of : {false, true}) {
      for (const auto& [word, right] : of ? both.down : both.up) {
        out.cases.push_back({first + out.subjects.size(), word, right});
      }
      out.subjects.push_back(dependency_subject(relation, of));
    }
  }
  return out;
}

}  // namespace

Table measure(const Attention& attention) {
  const int n = length_of(attention);
  const bool causal = is_causal(attention);
  const auto& tokens = attention.tokens;
  std::vector<Subject> subjects = places();
  std::vector<Case> cases = place_cases(n, 0, causal, 0);

  const auto opening = places_where(tokens, [&](std::size_t i) { return i > 0 && is_opening(tokens[i]); });
  const auto separators = places_where(tokens, [&](std::size_t i) { return is_separator(tokens[i]); });
  for (const auto& [keys, id] : {std::pair(&opening, "cls"), std::pair(&separators, "sep")}) {
    if (keys->empty()) continue;
    add_rest(*keys, n, causal, subjects.size(), cases);
    subjects.push_back(resting(id, tokens[static_cast<std::size_t>(keys->front())]));
  }
  const std::size_t before = cases.size();
  add_induction(tokens, subjects.size(), cases);
  if (cases.size() > before) subjects.push_back(induction());
  const WordCases words = word_cases(attention, causal, subjects.size());
  subjects.insert(subjects.end(), words.subjects.begin(), words.subjects.end());

  Counter counter(attention.layers, attention.heads, std::move(subjects));
  const auto map_of = [&](int layer, int head) { return static_cast<std::size_t>(layer * attention.heads + head); };
  const PatternOf patterns = [&](int layer, int head) {
    const Pattern& it = attention.patterns[map_of(layer, head)];
    return std::span<const float>(it.data(), static_cast<std::size_t>(it.size()));
  };
  counter.add_cases(cases, n, patterns);

  std::vector<int> queries(tokens.size());
  std::iota(queries.begin(), queries.end(), 0);
  auto rests = places_where(tokens, [&](std::size_t i) { return is_opening(tokens[i]) || is_separator(tokens[i]); });
  if (rests.empty()) rests = {0};
  counter.add_figures(queries, rests, n, causal, patterns);

  if (!words.cases.empty()) {
    const int count = 1 + *std::max_element(attention.word_of.begin(), attention.word_of.end());
    std::vector<std::vector<float>> pooled;
    for (const Pattern& pattern : attention.patterns)
      pooled.push_back(between_words(pattern, attention.word_of, count));
    counter.add_cases(words.cases, count,
                      [&](int layer, int head) -> std::span<const float> { return pooled[map_of(layer, head)]; });
  }
  return counter.finish(1, kCountedOn);
}

}  // namespace heads
