// The JSON beside an attention file: tokens, words and the parse. Private to heads.
#pragma once

#include "heads/attention_file.hpp"
#include "heads/strict_json.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heads {

struct Companion {
  std::optional<std::vector<std::string>> tokens, words;
  std::vector<Dependency> dependencies;
};

/// A JSON list of texts.
std::vector<std::string> read_texts(StrictJson& json, const std::string& field);

/// Other keys than those of the format are passed over: such files carry ids and notes.
Companion read_companion(std::string_view text, Refusals& refusals);

/// [CLS], [SEP], [PAD] and what other models call them: no word's token.
bool is_special(std::string_view token);
bool is_separator(std::string_view token);  // [SEP], </s>
bool is_opening(std::string_view token);    // [CLS], <s>

/// Which word each token belongs to, -1 for special ones: words are spelled by their tokens one after the other, "##"
/// and the signs for a space ("Ġ", "▁") left out, ASCII letters large or small; [UNK] stands for any whole word.
/// Empty where they don't fit, which is then refused.
std::vector<int> words_of(const std::vector<std::string>& tokens, const std::vector<std::string>& words,
                          Refusals& refusals);

}  // namespace heads
