// The bare tasks: sequences in which one known head does all the work.
#include "train/grammar.hpp"

#include <algorithm>
#include <array>

namespace train {
namespace {

int id(std::string_view word) { return id_of(Task::copy_previous, word).value_or(kPad); }
int digit(int value) { return id("0") + value; }

int length_of(const Sentence& sentence) { return static_cast<int>(sentence.tokens.size()); }

}  // namespace

/// Twelve digits: some stand twice side by side, and the second one asks. Never three, so that what is masked is always
/// the copy of its left neighbour.
Sentence make_copy(Random& random) {
  constexpr int kDigits = 12;
  Sentence sentence{Task::copy_previous, {kCls}, {}};
  bool copied = true;  // the first digit has nothing to copy
  int last = -1;
  while (length_of(sentence) <= kDigits) {
    // The last digit may have to be the first copy.
    const bool must = length_of(sentence) == kDigits && sentence.labels.empty();
    if (!copied && (must || random.below(2) == 0)) {
      const int at = length_of(sentence);
      sentence.tokens.push_back(digit(last));
      sentence.labels.push_back({Relation::previous_word, at, at - 1, at});
      copied = true;
    } else {
      const int step = last < 0 ? random.below(10) : 1 + random.below(9);  // another digit than the last
      last = (std::max(last, 0) + step) % 10;
      sentence.tokens.push_back(digit(last));
      copied = false;
    }
  }
  return sentence;
}

/// 2 to 10 pairs. A closing bracket's kind follows from the one that it closes, and from no count: all are masked.
Sentence make_brackets(Random& random) {
  constexpr std::array<std::string_view, 3> kOpen = {"(", "{", "<"}, kClose = {")", "}", ">"};
  Sentence sentence{Task::match_brackets, {kCls}, {}};
  struct Open {
    int at;
    std::size_t kind;
  };
  std::vector<Open> open;
  int to_open = 2 + random.below(9);
  while (to_open > 0 || !open.empty()) {
    if (open.empty() || (to_open > 0 && random.below(100) < 55)) {
      const std::size_t kind = static_cast<std::size_t>(random.below(3));
      open.push_back({length_of(sentence), kind});
      sentence.tokens.push_back(id(kOpen[kind]));
      --to_open;
    } else {
      const int at = length_of(sentence);
      sentence.tokens.push_back(id(kClose[open.back().kind]));
      sentence.labels.push_back({Relation::matching_bracket, at, open.back().at, at});
      open.pop_back();
    }
  }
  return sentence;
}

/// 3 to 7 different digits, a comma, and the same in rising order; each of those asks where it stood.
Sentence make_sorting(Random& random) {
  Sentence sentence{Task::sort_digits, {kCls}, {}};
  std::array<int, 10> digits = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, place = {};
  const int count = 3 + random.below(5);
  for (int i = 0; i < count; ++i) {  // Fisher and Yates, as far as needed
    std::swap(digits[static_cast<std::size_t>(i)], digits[static_cast<std::size_t>(i + random.below(10 - i))]);
    const int value = digits[static_cast<std::size_t>(i)];
    place[static_cast<std::size_t>(value)] = length_of(sentence);
    sentence.tokens.push_back(digit(value));
  }
  sentence.tokens.push_back(id(","));
  for (int value = 0; value < 10; ++value) {
    const int target = place[static_cast<std::size_t>(value)], at = length_of(sentence);
    if (target == 0) continue;  // not among them
    sentence.tokens.push_back(digit(value));
    sentence.labels.push_back({Relation::sorted_digit, at, target, at});
  }
  return sentence;
}

}  // namespace train
