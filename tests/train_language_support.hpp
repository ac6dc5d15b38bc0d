// What the tests of the training language share: many sentences, and words by their place.
#pragma once

#include "train/language.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace train_language_test {

using namespace train;

inline std::vector<Sentence> sentences(Task task, int count, std::uint64_t seed) {
  Random random{seed};
  std::vector<Sentence> out;
  for (int i = 0; i < count; ++i) out.push_back(make_sentence(task, random));
  return out;
}

inline int length_of(const Sentence& sentence) { return static_cast<int>(sentence.tokens.size()); }
inline int token(const Sentence& sentence, int at) { return sentence.tokens[static_cast<std::size_t>(at)]; }
inline const Word& word(const Sentence& sentence, int at) {
  return vocabulary(sentence.task)[static_cast<std::size_t>(token(sentence, at))];
}
inline bool is_noun_at(const Sentence& sentence, int at) { return is_noun(word(sentence, at).kind); }
inline bool agree(GrammaticalNumber a, GrammaticalNumber b) {
  return a == GrammaticalNumber::none || b == GrammaticalNumber::none || a == b;
}

/// How many words of the sentence satisfy this.
template <class Predicate>
int count_words(const Sentence& sentence, const Predicate& predicate) {
  int count = 0;
  for (int i = 1; i < length_of(sentence); ++i)
    if (predicate(word(sentence, i))) ++count;
  return count;
}

template <class T>
bool contains(const std::vector<T>& list, const T& value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

/// One sentence of ours from text whose words are all known.
inline Sentence written(std::string_view text, Task task = Task::language) {
  const Reading reading = read_sentence(task, text);
  INFO(text);
  REQUIRE(reading.unknown.empty());
  REQUIRE(reading.left_out == 0);
  return reading.sentence;
}

}  // namespace train_language_test
