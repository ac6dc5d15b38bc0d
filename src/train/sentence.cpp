// What holds for a sentence of any task: which side of the split it is on, its text, its masks and its hash.
#include "train/grammar.hpp"

#include <algorithm>

namespace train {
namespace {

constexpr std::uint64_t kPrime = 0x100000001b3u;  // FNV's, for 64 bits

std::uint64_t add_byte(std::uint64_t hash, unsigned byte) { return (hash ^ (byte & 0xffu)) * kPrime; }

const Word& word_at(const Sentence& sentence, int token) {
  const int id = sentence.tokens[static_cast<std::size_t>(token)];
  return vocabulary(sentence.task)[static_cast<std::size_t>(id)];
}

}  // namespace

Sentence make_sentence(Task task, Random& random) {
  switch (task) {
    case Task::language: return make_language_sentence(random);
    case Task::copy_previous: return make_copy(random);
    case Task::match_brackets: return make_brackets(random);
    case Task::sort_digits: return make_sorting(random);
  }
  return {};
}

Sentence make_sentence(Task task, Split split, Random& random) {
  for (;;) {
    Sentence sentence = make_sentence(task, random);
    if (split_of(sentence) == split) return sentence;
  }
}

std::string text_of(const Sentence& sentence) {
  std::string text;
  for (std::size_t i = 1; i < sentence.tokens.size(); ++i) {
    if (i > 1) text += ' ';
    text += word_at(sentence, static_cast<int>(i)).text;
  }
  return text;
}

Split split_of(const Sentence& sentence) {
  constexpr std::uint64_t kOneIn = 8;
  std::uint64_t hash = kFirstHash;
  for (const char letter : text_of(sentence)) hash = add_byte(hash, static_cast<unsigned char>(letter));
  // FNV-1a's low bits depend on the low bits of the letters alone; splitmix64's mixing brings the high ones down.
  return Random{hash}.bits() % kOneIn == 0 ? Split::held_out : Split::training;
}

std::uint64_t hash_of(const Sentence& sentence, std::uint64_t hash) {
  const auto add = [&](int number) {
    hash = add_byte(add_byte(hash, static_cast<unsigned>(number)), static_cast<unsigned>(number) >> 8);
  };
  add(static_cast<int>(sentence.task));
  add(static_cast<int>(sentence.tokens.size()));
  for (const int token : sentence.tokens) add(token);
  add(static_cast<int>(sentence.labels.size()));
  for (const Label& label : sentence.labels) {
    add(static_cast<int>(label.relation));
    add(label.asker);
    add(label.target);
    add(label.maskable ? *label.maskable + 1 : 0);
  }
  return hash;
}

std::vector<int> choose_masks(const Sentence& sentence, Random& random) {
  std::vector<Label> labels;
  for (const Label& label : sentence.labels)
    if (label.maskable) labels.push_back(label);
  if (sentence.task == Task::language) {
    for (std::size_t left = labels.size(); left > 1; --left)  // Fisher and Yates
      std::swap(labels[left - 1], labels[static_cast<std::size_t>(random.below(static_cast<int>(left)))]);
  }
  std::vector<int> masks;
  std::vector<int> needed;  // what a chosen label asks from and leads to, where it isn't the mask itself
  const auto holds = [](const std::vector<int>& list, int token) {
    return std::find(list.begin(), list.end(), token) != list.end();
  };
  for (const Label& label : labels) {
    const bool wanted = sentence.task != Task::language || masks.empty() || random.below(2) == 0;
    if (!wanted || holds(needed, *label.maskable) || holds(masks, label.target)) continue;
    if (label.asker != *label.maskable && holds(masks, label.asker)) continue;
    if (!holds(masks, *label.maskable)) masks.push_back(*label.maskable);
    needed.push_back(label.target);
    if (label.asker != *label.maskable) needed.push_back(label.asker);
  }
  std::sort(masks.begin(), masks.end());
  return masks;
}

bool has_attractor(const Sentence& sentence, const Label& label) {
  const GrammaticalNumber number = word_at(sentence, label.target).number;
  const int step = label.asker < label.target ? 1 : -1;
  for (int i = label.asker + step; i != label.target; i += step) {
    const Word& word = word_at(sentence, i);
    if (is_noun(word.kind) && word.number != number) return true;
  }
  return false;
}

}  // namespace train
