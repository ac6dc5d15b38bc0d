// What a model is asked about a sentence: the training loss's sequence, and which tokens are hidden when one asks.
#include "heads/model.hpp"

#include <algorithm>
#include <cassert>

namespace heads {
namespace {

using train::Task;
using train::WordClass;

const train::Word& word_at(const train::Sentence& sentence, int token) {
  const int id = sentence.tokens[static_cast<std::size_t>(token)];
  return train::vocabulary(sentence.task)[static_cast<std::size_t>(id)];
}

int length_of(const train::Sentence& sentence) { return static_cast<int>(sentence.tokens.size()); }

bool is_masked(const train::Sentence& sentence, int token) {
  return sentence.tokens[static_cast<std::size_t>(token)] == train::kMask;
}

/// The verb after a pronoun, past adverbs: "he slowly [ruled]". None where another word comes first.
std::vector<int> verb_after(const train::Sentence& sentence, int pronoun) {
  for (int i = pronoun + 1; i < length_of(sentence); ++i) {
    const WordClass kind = word_at(sentence, i).kind;
    if (kind == WordClass::verb || is_masked(sentence, i)) return {i};
    if (kind != WordClass::adverb) break;
  }
  return {};
}

std::vector<int> hidden_in_language(const train::Sentence& sentence, int query) {
  switch (word_at(sentence, query).kind) {
    case WordClass::punctuation: return {};
    case WordClass::special: return is_masked(sentence, query) ? std::vector<int>{query} : std::vector<int>{};
    case WordClass::pronoun: return verb_after(sentence, query);
    default: return {query};
  }
}

bool is_closing(std::string_view text) { return text == ")" || text == "}" || text == ">"; }

/// All tokens that stand for an answer: the second of two like digits, closing brackets, digits after the comma.
std::vector<int> answers_of(const train::Sentence& sentence) {
  std::vector<int> out;
  bool after_comma = false, copied = true;  // the first digit has nothing to copy
  for (int i = 1; i < length_of(sentence); ++i) {
    const train::Word& word = word_at(sentence, i);
    bool answer = is_masked(sentence, i);
    if (sentence.task == Task::copy_previous) {
      const bool same =
          !copied && sentence.tokens[static_cast<std::size_t>(i)] == sentence.tokens[static_cast<std::size_t>(i) - 1];
      answer = answer || same;
      copied = same;
    } else if (sentence.task == Task::match_brackets) {
      answer = answer || is_closing(word.text);
    } else {
      answer = answer || (after_comma && word.kind == WordClass::digit);
      after_comma = after_comma || word.text == ",";
    }
    if (answer) out.push_back(i);
  }
  return out;
}

}  // namespace

train::Sequence to_sequence(const train::Shape& shape, const train::Sentence& sentence, std::span<const int> masks) {
  train::Sequence out;
  out.tokens = sentence.tokens;
  out.targets.assign(sentence.tokens.size(), train::kNoTarget);
  for (const int mask : masks) {
    const auto at = static_cast<std::size_t>(mask);
    assert(mask >= 1 && at < sentence.tokens.size());
    out.targets[shape.causal ? at - 1 : at] = sentence.tokens[at];
    if (!shape.causal) out.tokens[at] = train::kMask;
  }
  return out;
}

std::vector<int> hidden_for(const Plan& plan, const train::Sentence& sentence, int query) {
  assert(query >= 0 && query < length_of(sentence));
  if (plan.shape.causal) return {};
  return plan.task == Task::language ? hidden_in_language(sentence, query) : answers_of(sentence);
}

}  // namespace heads
