// Every label of the language is right: found again from the words alone, without the grammar that wrote them.
#include "train_language_support.hpp"

#include <set>

using namespace train_language_test;

namespace {

constexpr int kMany = 6000;

const std::vector<Sentence>& many() {
  static const std::vector<Sentence> all = sentences(Task::language, kMany, 7);
  return all;
}

template <class Check>
int each_label(Relation relation, const Check& check) {
  int count = 0;
  for (const Sentence& sentence : many()) {
    for (const Label& label : sentence.labels) {
      if (label.relation != relation) continue;
      INFO(text_of(sentence) << ": " << name(relation) << " from " << label.asker << " to " << label.target);
      check(sentence, label);
      ++count;
    }
  }
  return count;
}

/// The last noun of the run of adjectives and nouns that begins after this word.
int head_after(const Sentence& sentence, int at) {
  int i = at + 1;
  while (word(sentence, i).kind == WordClass::adjective) ++i;
  while (i + 1 < length_of(sentence) && is_noun_at(sentence, i + 1)) ++i;
  return i;
}

/// The word before the whole noun phrase, its owners included.
WordClass kind_before_phrase(const Sentence& sentence, int head) {
  int i = head;
  const auto of_phrase = [](WordClass kind) {
    return is_noun(kind) || kind == WordClass::adjective || kind == WordClass::determiner ||
           kind == WordClass::possessive;
  };
  while (i > 0 && of_phrase(word(sentence, i).kind)) {
    // A determiner begins a phrase: what stands before it belongs to another.
    if (word(sentence, i--).kind == WordClass::determiner) break;
  }
  return word(sentence, i).kind;
}

bool fits(const Word& pronoun, const Word& noun) {
  if (!is_noun(noun.kind) || noun.number != pronoun.number) return false;
  return pronoun.number == GrammaticalNumber::plural || noun.gender == pronoun.gender;
}

}  // namespace

TEST_CASE("the language has 150 to 200 words, each once, with ids in a fixed order") {
  const std::span<const Word> words = vocabulary(Task::language);
  CHECK(words.size() >= 150);
  CHECK(words.size() <= 200);
  MESSAGE("words of the language: " << words.size() << ", of the bare tasks: " << vocabulary(Task::sort_digits).size());
  for (const Task task : {Task::language, Task::copy_previous}) {
    const std::span<const Word> all = vocabulary(task);
    for (std::size_t i = 0; i < all.size(); ++i) {
      INFO(all[i].text);
      CHECK(id_of(task, all[i].text) == static_cast<int>(i));
    }
    CHECK(id_of(task, "[PAD]") == kPad);
    CHECK(id_of(task, "[CLS]") == kCls);
    CHECK(id_of(task, "[MASK]") == kMask);
  }
  CHECK_FALSE(id_of(Task::language, "zebra"));
  CHECK_FALSE(id_of(Task::language, ""));
  CHECK_FALSE(id_of(Task::sort_digits, "dog"));
}

TEST_CASE("a sentence begins with [CLS], ends with a full stop, has room, and every label points inside of it") {
  int longest = 0, shortest = kLongestSentence;
  for (const Sentence& sentence : many()) {
    INFO(text_of(sentence));
    const int n = length_of(sentence);
    longest = std::max(longest, n);
    shortest = std::min(shortest, n);
    REQUIRE(n <= kLongestSentence);
    CHECK(token(sentence, 0) == kCls);
    CHECK(word(sentence, n - 1).text == ".");
    for (int i = 1; i < n; ++i) {
      REQUIRE(token(sentence, i) < static_cast<int>(vocabulary(Task::language).size()));
      CHECK(word(sentence, i).kind != WordClass::special);
      CHECK(token(sentence, i) != token(sentence, i - 1));
    }
    bool any_maskable = false;
    std::set<std::pair<Relation, int>> askers;
    for (const Label& label : sentence.labels) {
      INFO(name(label.relation));
      for (const int at : {label.asker, label.target, label.maskable.value_or(label.asker)}) {
        REQUIRE(at >= 1);
        REQUIRE(at < n);
      }
      CHECK(label.asker != label.target);
      CHECK(label.maskable != label.target);
      // A noun may be the object of two verbs: "met the owl that the cat saw". Every other asker has one target.
      if (label.relation != Relation::object_verb || label.maskable)
        CHECK(askers.insert({label.relation, label.asker}).second);
      if (!label.maskable) continue;
      any_maskable = true;
      CHECK(contains(alternatives(Task::language, label.relation), token(sentence, *label.maskable)));
    }
    CHECK(any_maskable);
  }
  CHECK(longest == kLongestSentence);
  CHECK(shortest >= 5);  // [CLS] and four words
}

TEST_CASE("a determiner and an adjective belong to the last noun of their run, and agree with it") {
  const int determiners = each_label(Relation::determiner_noun, [](const Sentence& sentence, const Label& label) {
    const Word &asker = word(sentence, label.asker), &target = word(sentence, label.target);
    CHECK(asker.kind == WordClass::determiner);
    CHECK(label.target == head_after(sentence, label.asker));
    CHECK(agree(asker.number, target.number));
    for (int i = label.asker + 1; i < label.target; ++i) CHECK(word(sentence, i).number != GrammaticalNumber::plural);
    // The owner's 's or ', or a verb that agrees, would show the number of what is masked.
    if (!label.maskable) return;
    CHECK(label.maskable == label.asker);
    CHECK(word(sentence, label.target + 1).kind != WordClass::possessive);
    CHECK(count_words(sentence, [&](const Word& it) {
            return it.kind == WordClass::verb && it.number != GrammaticalNumber::none && it.family == target.family;
          }) == 0);
  });
  const int adjectives = each_label(Relation::adjective_noun, [](const Sentence& sentence, const Label& label) {
    const Word &asker = word(sentence, label.asker), &target = word(sentence, label.target);
    CHECK(asker.kind == WordClass::adjective);
    CHECK(label.target == head_after(sentence, label.asker));
    CHECK(label.maskable.has_value() == !asker.family.empty());
    if (!label.maskable) return;
    CHECK(label.maskable == label.asker);
    CHECK(asker.family == target.family);
    CHECK(count_words(sentence, [&](const Word& it) { return it.family == asker.family; }) == 2);
  });
  int all_determiners = 0, all_adjectives = 0;
  for (const Sentence& sentence : many()) {
    all_determiners += count_words(sentence, [](const Word& it) { return it.kind == WordClass::determiner; });
    all_adjectives += count_words(sentence, [](const Word& it) { return it.kind == WordClass::adjective; });
  }
  CHECK(determiners == all_determiners);
  CHECK(adjectives == all_adjectives);
}

TEST_CASE("a verb's subject is the one noun of its family, agrees, and never stands after a preposition") {
  int maskable = 0, attracted = 0;
  each_label(Relation::verb_subject, [&](const Sentence& sentence, const Label& label) {
    const Word &verb = word(sentence, label.asker), &subject = word(sentence, label.target);
    CHECK(verb.kind == WordClass::verb);
    CHECK(is_noun(subject.kind));
    CHECK(label.maskable.has_value() == (verb.number != GrammaticalNumber::none));
    const Word& before = word(sentence, label.asker - 1);
    if (before.kind == WordClass::joining) {  // "that saw", "who sang"
      CHECK(label.target == label.asker - 2);
    } else {
      CHECK(kind_before_phrase(sentence, label.target) != WordClass::preposition);
      CHECK(label.target < label.asker);
    }
    if (!label.maskable) return;
    CHECK(label.maskable == label.asker);
    CHECK(subject.kind == WordClass::animal);
    CHECK(subject.family == verb.family);
    CHECK(subject.number == verb.number);
    CHECK(count_words(sentence, [&](const Word& it) { return it.family == verb.family; }) == 2);
    ++maskable;
    if (has_attractor(sentence, label)) ++attracted;
  });
  int verbs = 0, labels = 0;
  for (const Sentence& sentence : many()) {
    verbs += count_words(
        sentence, [](const Word& it) { return it.kind == WordClass::verb && it.number != GrammaticalNumber::none; });
    for (const Label& label : sentence.labels) labels += label.relation == Relation::verb_subject && label.maskable;
  }
  CHECK(verbs == labels);
  MESSAGE("subjects with a nearer noun of the other number: " << attracted << " of " << maskable);
  CHECK(attracted > 0.4 * maskable);
  CHECK(attracted < 0.8 * maskable);
}

TEST_CASE("before many a subject stands a noun that is none of its phrase, of either number") {
  int all = 0, singular = 0, plural = 0;
  each_label(Relation::verb_subject, [&](const Sentence& sentence, const Label& label) {
    if (!label.maskable) return;
    ++all;
    int comma = label.target;
    while (comma > 0 && word(sentence, comma).text != ",") --comma;
    for (int i = 1; i < comma; ++i) {
      if (!is_noun_at(sentence, i)) continue;
      ++(word(sentence, i).number == GrammaticalNumber::plural ? plural : singular);
      break;
    }
  });
  CHECK(singular > 0.15 * all);
  CHECK(plural > 0.1 * all);
}

TEST_CASE("an object's verb is the one of its family, before it or after it") {
  int before = 0, after = 0;
  each_label(Relation::object_verb, [&](const Sentence& sentence, const Label& label) {
    const Word &object = word(sentence, label.asker), &verb = word(sentence, label.target);
    CHECK(is_noun(object.kind));
    CHECK(verb.kind == WordClass::verb);
    CHECK(verb.number == GrammaticalNumber::none);
    CHECK(label.maskable.has_value() == (object.kind == WordClass::thing && !object.family.empty()));
    if (!label.maskable) return;
    CHECK(label.maskable == label.asker);
    CHECK(object.family == verb.family);
    CHECK(count_words(sentence, [&](const Word& it) { return it.family == verb.family; }) == 2);
    ++(label.target < label.asker ? before : after);
  });
  CHECK(before > 300);
  CHECK(after > 300);
}

TEST_CASE(
    "a pronoun's antecedent is the only noun that fits, others don't, and the verb after it is the antecedent's") {
  std::set<std::string_view> pronouns;
  const int count = each_label(Relation::pronoun_antecedent, [&](const Sentence& sentence, const Label& label) {
    const Word &pronoun = word(sentence, label.asker), &noun = word(sentence, label.target);
    CHECK(pronoun.kind == WordClass::pronoun);
    CHECK(noun.kind == WordClass::person);
    CHECK(fits(pronoun, noun));
    CHECK(count_words(sentence, [&](const Word& it) { return fits(pronoun, it); }) == 1);
    CHECK(count_words(sentence, [](const Word& it) { return it.kind == WordClass::person; }) >= 2);
    REQUIRE(label.maskable);
    CHECK(word(sentence, *label.maskable).family == noun.family);
    CHECK(count_words(sentence, [&](const Word& it) { return it.family == noun.family; }) == 2);
    pronouns.insert(pronoun.text);
  });
  const int verbs = each_label(Relation::verb_pronoun, [](const Sentence& sentence, const Label& label) {
    CHECK(word(sentence, label.asker).kind == WordClass::verb);
    CHECK(word(sentence, label.target).kind == WordClass::pronoun);
    CHECK(label.maskable == label.asker);
  });
  CHECK(count == verbs);
  CHECK(count > kMany / 10);
  CHECK(pronouns.size() == 3);
}

TEST_CASE("a and an go by the next word, and every one of them asks") {
  int labelled = 0, all = 0;
  labelled = each_label(Relation::a_next, [](const Sentence& sentence, const Label& label) {
    CHECK(label.target == label.asker + 1);
    CHECK(label.maskable == label.asker);
    const bool vowel = std::string_view("aeiou").find(word(sentence, label.target).text[0]) != std::string_view::npos;
    CHECK(word(sentence, label.asker).text == (vowel ? "an" : "a"));
  });
  for (const Sentence& sentence : many())
    all += count_words(sentence, [](const Word& it) { return it.text == "a" || it.text == "an"; });
  CHECK(labelled == all);
  CHECK(all > 1000);
}

TEST_CASE("the words of a place stand side by side and ask for each other") {
  const auto check = [](int offset) {
    return [offset](const Sentence& sentence, const Label& label) {
      CHECK(label.target == label.asker + offset);
      CHECK(label.maskable == label.asker);
      CHECK(word(sentence, label.asker).kind == WordClass::place);
      CHECK(word(sentence, label.asker).family == word(sentence, label.target).family);
      CHECK(word(sentence, std::min(label.asker, label.target) - 1).text == "in");
    };
  };
  const int next = each_label(Relation::next_word, check(1)), previous = each_label(Relation::previous_word, check(-1));
  CHECK(next == previous);
  CHECK(next > 1000);
}

TEST_CASE("a repeated last name follows the same first name as before, and no count gives it away") {
  const int count = each_label(Relation::repeated, [](const Sentence& sentence, const Label& label) {
    CHECK(label.target < label.asker);
    CHECK(label.maskable == label.asker);
    CHECK(token(sentence, label.asker) == token(sentence, label.target));
    CHECK(token(sentence, label.asker - 1) == token(sentence, label.target - 1));
    CHECK(word(sentence, label.asker - 1).kind == WordClass::first_name);
    // With the asker masked each last name stands once, so that each could be the one that is missing.
    std::vector<int> last_names;
    for (int i = 1; i < length_of(sentence); ++i)
      if (i != label.asker && word(sentence, i).kind == WordClass::last_name) last_names.push_back(token(sentence, i));
    CHECK(last_names.size() >= 2);
    CHECK(std::set<int>(last_names.begin(), last_names.end()).size() == last_names.size());
  });
  CHECK(count > kMany / 10);
}

TEST_CASE("an attractor is a noun of the other number in between") {
  const auto at = [](const char* text, int asker, int target) {
    return has_attractor(written(text), {Relation::verb_subject, asker, target});
  };
  CHECK(at("the dog near the cats barks .", 6, 2));
  CHECK_FALSE(at("the dog near the cat barks .", 6, 2));
  CHECK_FALSE(at("near the cats , the dog barks .", 7, 6));
}
