// A learner's own sentence is read as typed: what is unknown is named with its place, and nothing crashes on odd text.
#include "train_language_support.hpp"

using namespace train_language_test;

namespace {

/// The words as read, joined by spaces; "?" where one is unknown.
std::string read_as(std::string_view text, Task task = Task::language) {
  const Reading reading = read_sentence(task, text);
  std::string out;
  for (int i = 1; i < length_of(reading.sentence); ++i) {
    const bool unknown =
        std::any_of(reading.unknown.begin(), reading.unknown.end(), [&](const Unknown& it) { return it.token == i; });
    if (i > 1) out += ' ';
    out += unknown ? "?" : std::string(word(reading.sentence, i).text);
  }
  return out;
}

/// What holds for every reading.
void check_sound(std::string_view text, Task task) {
  const Reading reading = read_sentence(task, text);
  REQUIRE(length_of(reading.sentence) >= 1);
  CHECK(length_of(reading.sentence) <= kLongestSentence);
  CHECK(token(reading.sentence, 0) == kCls);
  CHECK(reading.sentence.labels.empty());
  for (int i = 1; i < length_of(reading.sentence); ++i) {
    CHECK(token(reading.sentence, i) >= kMask);  // neither [PAD] nor a second [CLS]
    CHECK(token(reading.sentence, i) < static_cast<int>(vocabulary(task).size()));
  }
  int last = 0;
  for (const Unknown& it : reading.unknown) {
    CHECK(it.token > last);
    last = it.token;
    CHECK(it.token < length_of(reading.sentence));
    CHECK(token(reading.sentence, it.token) == kMask);
    CHECK_FALSE(it.word.empty());
    CHECK(it.word.size() <= kLongestWord);
  }
  split_of(reading.sentence);
}

}  // namespace

TEST_CASE("words are split at spaces and punctuation, and capitals are small letters") {
  CHECK(read_as("The dog barks.") == "the dog barks .");
  CHECK(read_as("  In New York,\tthe DOG\n barks .") == "in new york , the dog barks .");
  CHECK(read_as("This king's dog barks.") == "this ? 's dog barks .");
  CHECK(read_as("the duke's dog, the dukes' dogs") == "the duke 's dog , the dukes ' dogs");
  CHECK(read_as("the duke\u2019s dog\u00a0barks") == "the duke 's dog barks");
  CHECK(read_as("the duke 's dog") == "the duke 's dog");
  CHECK(read_as("The dog [MASK] . [mask]") == "the dog [MASK] . [MASK]");
  CHECK(read_as("").empty());
  CHECK(read_as(" \n\t ").empty());
}

TEST_CASE("unknown words are reported as typed, with their places") {
  const Reading reading = read_sentence(Task::language, "The Zebra barks, don't it? [PAD]");
  CHECK(reading.unknown ==
        std::vector<Unknown>{{"Zebra", 2}, {"don't", 5}, {"it", 6}, {"?", 7}, {"[", 8}, {"PAD", 9}, {"]", 10}});
  CHECK(reading.left_out == 0);
  CHECK(token(reading.sentence, 2) == kMask);
  CHECK(read_sentence(Task::language, "dog-like d'angelo's cats'").unknown ==
        std::vector<Unknown>{{"dog-like", 1}, {"d'angelo", 2}});
  CHECK(read_sentence(Task::language, "h\u00e9ron").unknown == std::vector<Unknown>{{"h\u00e9ron", 1}});
}

TEST_CASE("what the language writes is read back as it was") {
  for (const Task task : {Task::language, Task::copy_previous, Task::match_brackets, Task::sort_digits}) {
    for (const Sentence& sentence : sentences(task, 500, 9)) {
      const Reading reading = read_sentence(task, text_of(sentence));
      CHECK(reading.sentence.tokens == sentence.tokens);
      CHECK(reading.unknown.empty());
      CHECK(reading.left_out == 0);
    }
  }
}

TEST_CASE("in bare tasks every character is a word") {
  CHECK(read_as("312,123", Task::sort_digits) == "3 1 2 , 1 2 3");
  CHECK(read_as("({}<>)", Task::match_brackets) == "( { } < > )");
  CHECK(read_as("1 2x [MASK]", Task::copy_previous) == "1 2 ? [MASK]");
}

TEST_CASE("what has no room is counted") {
  std::string text;
  for (int i = 0; i < 40; ++i) text += "dog ";
  const Reading reading = read_sentence(Task::language, text);
  CHECK(length_of(reading.sentence) == kLongestSentence);
  CHECK(reading.left_out == 9);  // 31 and [CLS] have room
  CHECK(read_sentence(Task::language, std::string(1000000, '.')).left_out == 999969);
}

TEST_CASE("a long unknown word is cut where a character ends") {
  const Reading plain = read_sentence(Task::language, std::string(5000000, 'x'));
  REQUIRE(plain.unknown.size() == 1);
  CHECK(plain.unknown[0].word == std::string(kLongestWord, 'x'));
  std::string accents = "a";
  for (int i = 0; i < 100; ++i) accents += "\u00e9";
  const Reading cut = read_sentence(Task::language, accents);
  REQUIRE(cut.unknown.size() == 1);
  CHECK(cut.unknown[0].word == accents.substr(0, 39));  // 40 would be half of one
}

TEST_CASE("odd text is read without harm: markup, broken UTF-8, zeros, and noise of every kind") {
  using namespace std::string_literals;
  for (const Task task : {Task::language, Task::match_brackets}) {
    for (const std::string& text :
         {"<b>the dog</b>"s, "\xff\xfe\x80"s, "dog\0cat"s, "\xe2\x80"s, "'"s, "''s's"s, "[MASK"s, "[[MASK]]"s, "dog'"s,
          "'s"s, "\xf0\x9f\x90\xb6 barks"s, std::string(100, '\''), std::string(50, '\x80')}) {
      check_sound(text, task);
    }
    Random random{3};
    const std::string_view pieces[] = {"dog", "'s", "'", "[MASK]", " ", "\xe2\x80\x99", "\xff", "\n", "S", "-", "."};
    for (int i = 0; i < 3000; ++i) {
      std::string text;
      for (int left = random.below(60); left > 0; --left) {
        if (random.below(2) == 0)
          text += static_cast<char>(random.below(256));
        else
          text += pieces[random.below(11)];
      }
      check_sound(text, task);
    }
  }
}
