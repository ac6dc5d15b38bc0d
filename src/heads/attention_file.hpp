// Attention that somebody else's model computed: one sentence's weights from a file, with its parse if there is one.
//
// File: safetensors with one tensor of weights, shape (layers, heads, n, n) or (1, layers, heads, n, n), any name, F16,
// BF16, F32 or F64; rows are queries and sum to 1 (within 0.001, in BF16 0.005). Tokens, in this order: metadata
// "tokens" as a JSON list of n texts, or "tokens" in the companion JSON. The companion (BertViz's and Clark et al.'s
// shape of data):
//   { "tokens": [text, …], "words": [text, …], "dependencies": { "list": [{ "child": word, "parent": word or null,
//     "relation": text }, …], "words": [text, …] } }
// All of it may be missing; the words may stand in either place; other keys than these are passed over, but not in the
// list. Each word has one parent at most.
// Words are counted from 0; a word may be several tokens ("wall", "##op"); [CLS] and [SEP] belong to none.
#pragma once

#include "heads/model.hpp"
#include "heads/table.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace heads {

inline constexpr int kMostLayers = 48, kMostHeads = 64;  // that a file may have
inline constexpr int kMostTokens = 512;
inline constexpr int kMostMaps = 12 * 12;  // beyond that the file is refused: the gallery has no room

struct Dependency {
  int child = 0;              // word
  std::optional<int> parent;  // absent: the root
  std::string relation;       // "nsubj"
  bool operator==(const Dependency&) const = default;
};

struct Attention {
  std::vector<std::string> tokens;  // n, text, never markup
  int layers = 0, heads = 0;
  std::vector<Pattern> patterns;         // layers * heads of (n, n), layer-major
  std::vector<int> word_of;              // n: which word a token belongs to, -1 for special tokens; empty: no parse
  std::vector<Dependency> dependencies;  // of words
  std::string model;                     // metadata "model": what the file says of itself; may be empty
  bool operator==(const Attention&) const = default;
};

/// `companion`: JSON, or empty. All that is wrong with either: lengths, shapes, rows that don't sum to 1 (within 1e-3),
/// negative or not finite weights, tokens of another number, words that don't spell the tokens, …
std::variant<Attention, std::vector<Problem>> read_attention(std::string_view bytes, std::string_view companion = {});

/// Previous, next, same and first token, [SEP] where it stands ("sep"; "cls" where [CLS] isn't first), induction where
/// a word comes again. Over all tokens. Named by the largest weight, as in Voita et al. 2019; Score::mean_weight is
/// what Clark et al. 2019 print. With a parse two subjects for each dependency: from a child's word to its parent's
/// ("nsubj") and back ("nsubj of"). They are counted on words, as in Clark et al., section 4: from a word the mean over
/// its tokens, to a word their sum; [CLS], [SEP] and the word itself don't count; `offset` is in words. No simple
/// rules: word classes aren't known. One sentence has few cases: most stay "not testable" (kFewestCases).
Table measure(const Attention& attention);

}  // namespace heads
