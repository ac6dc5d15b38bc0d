// The table of roles: for each head and each thing that a head may look for, how often it does, what the best simple
// rules reach, and whether the head has earned the name.
//
// A head's share is counted on cases: a case is one query token for which the right key is known (or several are
// right), and the head is right when its largest weight falls on it: when a right key's weight is above that of every
// wrong one. A tie is no find, so that an even row is right about nothing. Sources: Voita et al. 2019, "Analyzing
// Multi-Head Self-Attention", section 5 (a head is called syntactic when it beats the best fixed offset by 10 points;
// positional when its largest weight falls on one offset 90 % of the time); Clark et al. 2019, "What Does BERT Look
// At?", section 4; Wilson 1927 (interval of a share).
#pragma once

#include "attention/attention.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace heads {

using attention::Problem;

/// What kind of thing is looked for; the by-layer picture adds up heads by it.
enum class Family : std::uint8_t {
  positional,  // previous, next, same token
  syntactic,   // determiner to noun, verb to subject, …
  semantic,    // pronoun to antecedent, repeated names: what a word refers to
  resting,     // first token, [CLS], [SEP]: where a head with nothing to do looks
  diffuse      // spread evenly
};
std::string_view name_of(Family family);

/// Right in `right` of `count` cases.
struct Share {
  int right = 0, count = 0;
  double value() const { return count == 0 ? 0.0 : static_cast<double>(right) / count; }
  bool operator==(const Share&) const = default;
};
struct Interval {
  double low = 0, high = 1;
};
/// Wilson 1927, the 95 % interval of a share; 0 … 1 for no cases.
Interval interval_of(const Share& share);

inline constexpr double kMargin = 0.10;          // what a head must be better by than every simple rule
inline constexpr double kPositionalShare = 0.9;  // Voita et al.'s, for roles that are a fixed offset themselves
inline constexpr double kDiffuseShare = 0.8;     // mean entropy, as a share of the largest possible
inline constexpr int kFewestCases = 20;          // fewer: "not testable"

/// Something that a head may look for: a column of the table.
struct Subject {
  std::string id;        // "verb_subject": stable, for URLs and files
  std::string name;      // "verb → subject"
  std::string asks;      // plural, what the cases are: "verbs"
  std::string explains;  // one sentence, plain: why a head is called so
  Family family = Family::syntactic;
  Share best_offset;  // "always look k tokens back": counted on the same cases
  int offset = 0;     // key - query of it
  Share best_rule;    // the best rule that sees word classes but no structure; count 0: none was tried
  std::string rule;   // "nearest noun to the left"
  int cases = 0;
  std::optional<Share> accuracy;  // of the model's own predictions on these cases, where it makes some
  bool operator==(const Subject&) const = default;
};

/// One head against one subject.
struct Score {
  Share share;
  double mean_weight = 0;  // on the right key, over the cases
  bool earned = false;
  bool operator==(const Score&) const = default;
};

struct HeadRoles {
  std::vector<Score> scores;  // one per subject, in order
  double entropy_share = 0;   // mean over queries of entropy / log2(keys): 0 one token, 1 even
  double mean_rest = 0;       // mean weight on the resting token ([CLS], [SEP])
  std::vector<int> roles;     // subjects that it earned, the best first: what stands under its picture; may be empty
  bool diffuse = false;
  bool operator==(const HeadRoles&) const = default;
};

struct Table {
  int layers = 0, heads = 0;  // heads: per layer
  std::vector<Subject> subjects;
  std::vector<HeadRoles> rows;  // layers * heads, layer-major
  int sentences = 0;            // that were counted on
  std::string counted_on;       // "1,000 held-out sentences", "this one sentence"
  const HeadRoles& at(int layer, int head) const { return rows[static_cast<std::size_t>(layer * heads + head)]; }
  bool operator==(const Table&) const = default;
};

/// Sets `earned`, `roles` and `diffuse` from the counts. A relation is earned when its share is at least kMargin above
/// the best offset and the best rule, and the interval's lower end above both, on kFewestCases or more. A positional or
/// resting one is earned at kPositionalShare. On fewer cases nothing is earned. Order of a head's roles: syntactic and
/// semantic before positional before resting; within these, by how far the share is above the best baseline.
void decide(Table& table);

/// By layer, low to high: how many heads have an earned role of each family (a head counts for its first role's
/// family), and how many none.
struct LayerShares {
  int positional = 0, syntactic = 0, semantic = 0, resting = 0, diffuse = 0, none = 0;
};
std::vector<LayerShares> by_layer(const Table& table);

/// The same text on every platform: what `headscope roles --json` prints and what the page describes. Layers and heads
/// are counted from 1 there, scores and roles name their subject, and each share has its interval beside it.
std::string to_json(const Table& table, int indent = 0);
/// Strict: names what is missing, too many or of another kind. Shares, intervals, `earned`, roles and `diffuse` must be
/// what the counts give: a file can't call a head what its own counts don't.
std::variant<Table, std::vector<Problem>> read_table(std::string_view json);

}  // namespace heads
