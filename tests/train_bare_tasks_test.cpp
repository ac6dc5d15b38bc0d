// Three tasks whose right head is known: copies, brackets and order are found again by plain means.
#include "train_language_support.hpp"

#include <array>
#include <set>

using namespace train_language_test;

namespace {

constexpr int kMany = 2000;

/// Lengths without [CLS], in order.
std::set<int> lengths(const std::vector<Sentence>& all) {
  std::set<int> out;
  for (const Sentence& sentence : all) out.insert(length_of(sentence) - 1);
  return out;
}

void check_common(const Sentence& sentence, Relation relation) {
  CHECK(token(sentence, 0) == kCls);
  REQUIRE_FALSE(sentence.labels.empty());
  REQUIRE(length_of(sentence) <= kLongestSentence);
  std::set<int> askers;
  for (const Label& label : sentence.labels) {
    CHECK(label.relation == relation);
    REQUIRE(label.target >= 1);
    REQUIRE(label.target < label.asker);
    REQUIRE(label.asker < length_of(sentence));
    CHECK(label.maskable == label.asker);
    CHECK(askers.insert(label.asker).second);
    CHECK(contains(alternatives(sentence.task, relation), token(sentence, label.asker)));
  }
}

}  // namespace

TEST_CASE("copy the previous token: a digit asks exactly where it equals the one before, and no three are alike") {
  const std::vector<Sentence> all = sentences(Task::copy_previous, kMany, 1);
  CHECK(lengths(all) == std::set<int>{12});
  for (const Sentence& sentence : all) {
    INFO(text_of(sentence));
    check_common(sentence, Relation::previous_word);
    std::size_t copies = 0;
    for (int i = 2; i < length_of(sentence); ++i) {
      if (token(sentence, i) != token(sentence, i - 1)) continue;
      CHECK(token(sentence, i - 1) != token(sentence, i - 2));
      REQUIRE(copies < sentence.labels.size());
      CHECK(sentence.labels[copies].asker == i);
      CHECK(sentence.labels[copies++].target == i - 1);
    }
    CHECK(copies == sentence.labels.size());
  }
}

TEST_CASE("find the matching bracket: kinds agree, and between the two every bracket that opens is closed") {
  const std::vector<Sentence> all = sentences(Task::match_brackets, kMany, 1);
  CHECK(lengths(all) == std::set<int>{4, 6, 8, 10, 12, 14, 16, 18, 20});
  const std::string_view open = "({<", close = ")}>";
  for (const Sentence& sentence : all) {
    INFO(text_of(sentence));
    check_common(sentence, Relation::matching_bracket);
    CHECK(sentence.labels.size() * 2 == sentence.tokens.size() - 1);
    for (const Label& label : sentence.labels) {
      const std::size_t kind = open.find(word(sentence, label.target).text);
      REQUIRE(kind != std::string_view::npos);
      CHECK(close.find(word(sentence, label.asker).text) == kind);
      int depth = 0;
      for (int i = label.target + 1; i < label.asker; ++i) {
        depth += open.find(word(sentence, i).text) != std::string_view::npos ? 1 : -1;
        CHECK(depth >= 0);
      }
      CHECK(depth == 0);
    }
  }
  CHECK(best_fixed_offset(all, Relation::matching_bracket).share() < 0.75);
  CHECK(best_simple_rule(all, Relation::matching_bracket).share() < 0.75);
}

TEST_CASE("sort digits: the same ones in rising order, each asking where it stood") {
  const std::vector<Sentence> all = sentences(Task::sort_digits, kMany, 1);
  CHECK(lengths(all) == std::set<int>{7, 9, 11, 13, 15});
  for (const Sentence& sentence : all) {
    INFO(text_of(sentence));
    check_common(sentence, Relation::sorted_digit);
    const int count = static_cast<int>(sentence.labels.size());
    REQUIRE(length_of(sentence) == 2 * count + 2);
    CHECK(word(sentence, count + 1).text == ",");
    std::vector<int> given(sentence.tokens.begin() + 1, sentence.tokens.begin() + 1 + count);
    const std::vector<int> sorted(sentence.tokens.begin() + 2 + count, sentence.tokens.end());
    for (const Label& label : sentence.labels) {
      CHECK(token(sentence, label.asker) == token(sentence, label.target));
      CHECK(label.target <= count);
      CHECK(label.asker > count + 1);
    }
    std::sort(given.begin(), given.end());
    CHECK(given == sorted);
    CHECK(std::adjacent_find(given.begin(), given.end()) == given.end());
  }
  CHECK(best_fixed_offset(all, Relation::sorted_digit).share() < 0.75);
  CHECK(best_simple_rule(all, Relation::sorted_digit).share() < 0.75);
}
