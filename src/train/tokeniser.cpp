// A learner's own sentence, as the words that a model knows.
#include "train/language.hpp"

#include <algorithm>

namespace train {
namespace {

constexpr std::string_view kMaskText = "[mask]";

bool is_space(char c) { return static_cast<unsigned char>(c) <= ' ' || c == '\x7f'; }
/// ASCII letters and digits, the hyphen, and every byte of a longer UTF-8 sequence, valid or not.
bool is_of_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         static_cast<unsigned char>(c) >= 0x80;
}

std::string in_small_letters(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

/// Typographic apostrophes as ASCII ones, no-break spaces as spaces.
std::string plain(std::string_view text) {
  struct Pair {
    std::string_view from;
    char to;
  };
  constexpr Pair kPairs[] = {{"\u2019", '\''}, {"\u2018", '\''}, {"\u00a0", ' '}};
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const Pair* found = std::find_if(std::begin(kPairs), std::end(kPairs),
                                     [&](const Pair& it) { return text.substr(i).starts_with(it.from); });
    out += found == std::end(kPairs) ? text[i] : found->to;
    i += found == std::end(kPairs) ? 1 : found->from.size();
  }
  return out;
}

/// Whether the apostrophe at `at` ends with its s a possessor: "dog's", not "dog'son".
bool is_possessive(std::string_view text, std::size_t at) {
  return at + 1 < text.size() && (text[at + 1] == 's' || text[at + 1] == 'S') &&
         (at + 2 >= text.size() || (!is_of_word(text[at + 2]) && text[at + 2] != '\''));
}

/// The word at the beginning of `text`, which isn't empty and doesn't begin with a space. `singly`: a character each.
std::size_t length_of_word(std::string_view text, bool singly) {
  if (in_small_letters(text.substr(0, kMaskText.size())) == kMaskText) return kMaskText.size();
  if (text[0] == '\'') return is_possessive(text, 0) ? 2 : 1;
  if (!is_of_word(text[0])) return 1;
  if (singly && text[0] >= '0' && text[0] <= '9') return 1;
  std::size_t n = 1;
  while (n < text.size()) {
    const bool inside = text[n] == '\'' && n + 1 < text.size() && is_of_word(text[n + 1]) && !is_possessive(text, n);
    if (!inside && !is_of_word(text[n])) break;
    ++n;
  }
  return n;
}

/// At most kLongestWord bytes, not ending inside of a character.
std::string beginning_of(std::string_view word) {
  if (word.size() <= kLongestWord) return std::string(word);
  std::size_t n = kLongestWord;
  while (n > kLongestWord - 4 && (static_cast<unsigned char>(word[n]) & 0xc0u) == 0x80u) --n;
  return std::string(word.substr(0, n));
}

/// As the vocabulary has it. [PAD] and [CLS] aren't for writing.
std::optional<int> find_word(Task task, std::string_view typed) {
  if (typed.size() > kLongestWord) return std::nullopt;
  const std::string word = in_small_letters(typed);
  if (word == kMaskText) return kMask;
  return id_of(task, word);
}

}  // namespace

Reading read_sentence(Task task, std::string_view text) {
  Reading reading;
  reading.sentence = {task, {kCls}, {}};
  const std::string all = plain(text);
  for (std::size_t i = 0; i < all.size();) {
    if (is_space(all[i])) {
      ++i;
      continue;
    }
    const std::string_view rest = std::string_view(all).substr(i);
    const std::string_view typed = rest.substr(0, length_of_word(rest, task != Task::language));
    i += typed.size();
    if (reading.sentence.tokens.size() == static_cast<std::size_t>(kLongestSentence)) {
      ++reading.left_out;
      continue;
    }
    const std::optional<int> known = find_word(task, typed);
    if (!known) reading.unknown.push_back({beginning_of(typed), static_cast<int>(reading.sentence.tokens.size())});
    reading.sentence.tokens.push_back(known.value_or(kMask));
  }
  return reading;
}

}  // namespace train
