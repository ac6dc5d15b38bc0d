// The words with their ids: one list for the language, one for the bare tasks.
#include "train/lexicon.hpp"

#include <algorithm>
#include <unordered_map>

namespace train {
namespace {

using Ids = std::unordered_map<std::string_view, int>;

std::vector<Word> common_words() {
  return {{"[PAD]", WordClass::special},
          {"[CLS]", WordClass::special},
          {"[MASK]", WordClass::special},
          {".", WordClass::punctuation},
          {",", WordClass::punctuation}};
}

template <class List>
void add_free(std::vector<Word>& words, const List& list, WordClass kind) {
  for (const std::string_view text : list) words.push_back({text, kind});
}

std::vector<Word> language_words() {
  constexpr GrammaticalNumber one = GrammaticalNumber::singular, many = GrammaticalNumber::plural;
  std::vector<Word> words = common_words();
  words.insert(words.end(), {{"'s", WordClass::possessive, one},
                             {"'", WordClass::possessive, many},
                             {"the", WordClass::determiner},
                             {"a", WordClass::determiner, one},
                             {"an", WordClass::determiner, one},
                             {"this", WordClass::determiner, one},
                             {"these", WordClass::determiner, many}});
  for (const Animal& it : kAnimals) {
    words.insert(words.end(), {{it.one, WordClass::animal, one, Gender::none, it.one},
                               {it.many, WordClass::animal, many, Gender::none, it.one},
                               {it.does, WordClass::verb, one, Gender::none, it.one},
                               {it.do_, WordClass::verb, many, Gender::none, it.one},
                               {it.adjective, WordClass::adjective, GrammaticalNumber::none, Gender::none, it.one}});
  }
  for (const Person& it : kPersons) {
    words.insert(words.end(), {{it.he, WordClass::person, one, Gender::male, it.he},
                               {it.she, WordClass::person, one, Gender::female, it.he},
                               {it.they, WordClass::person, many, Gender::none, it.he},
                               {it.did, WordClass::verb, GrammaticalNumber::none, Gender::none, it.he}});
  }
  words.insert(words.end(), {{"he", WordClass::pronoun, one, Gender::male},
                             {"she", WordClass::pronoun, one, Gender::female},
                             {"they", WordClass::pronoun, many}});
  add_free(words, kAdjectives, WordClass::adjective);
  for (const std::string_view text : kThings) words.push_back({text, WordClass::thing, one});
  for (const Deed& it : kDeeds) {
    words.insert(words.end(), {{it.did, WordClass::verb, GrammaticalNumber::none, Gender::none, it.did},
                               {it.object, WordClass::thing, one, Gender::none, it.did}});
  }
  words.push_back({"vanished", WordClass::verb});
  add_free(words, kMeetings, WordClass::verb);
  add_free(words, kPrepositions, WordClass::preposition);
  words.insert(words.end(), {{"in", WordClass::preposition},
                             {"for", WordClass::preposition},
                             {"that", WordClass::joining},
                             {"who", WordClass::joining},
                             {"while", WordClass::joining}});
  add_free(words, kAdverbs, WordClass::adverb);
  add_free(words, kManners, WordClass::adverb);
  for (const Place& it : kPlaces) {
    words.insert(words.end(), {{it.first, WordClass::place, GrammaticalNumber::none, Gender::none, it.first},
                               {it.second, WordClass::place, GrammaticalNumber::none, Gender::none, it.first}});
  }
  add_free(words, kFirstNames, WordClass::first_name);
  add_free(words, kLastNames, WordClass::last_name);
  return words;
}

std::vector<Word> bare_words() {
  std::vector<Word> words = common_words();
  for (const std::string_view text : {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"})
    words.push_back({text, WordClass::digit});
  for (const std::string_view text : {"(", ")", "{", "}", "<", ">"}) words.push_back({text, WordClass::bracket});
  return words;
}

const std::vector<Word>& words_of(Task task) {
  static const std::vector<Word> language = language_words(), bare = bare_words();
  return task == Task::language ? language : bare;
}

Ids ids_of(const std::vector<Word>& words) {
  Ids ids;
  for (std::size_t i = 0; i < words.size(); ++i) ids.emplace(words[i].text, static_cast<int>(i));
  return ids;
}

}  // namespace

std::span<const Word> vocabulary(Task task) { return words_of(task); }

std::optional<int> id_of(Task task, std::string_view word) {
  static const Ids language = ids_of(words_of(Task::language)), bare = ids_of(words_of(Task::copy_previous));
  const Ids& ids = task == Task::language ? language : bare;
  const auto found = ids.find(word);
  if (found == ids.end()) return std::nullopt;
  return found->second;
}

bool is_noun(WordClass kind) {
  return kind == WordClass::animal || kind == WordClass::person || kind == WordClass::thing;
}

std::string_view name(WordClass kind) {
  switch (kind) {
    case WordClass::special: return "special token";
    case WordClass::punctuation: return "punctuation mark";
    case WordClass::possessive: return "possessive";
    case WordClass::determiner: return "determiner";
    case WordClass::adjective: return "adjective";
    case WordClass::animal: return "animal";
    case WordClass::person: return "person";
    case WordClass::thing: return "thing";
    case WordClass::verb: return "verb";
    case WordClass::pronoun: return "pronoun";
    case WordClass::preposition: return "preposition";
    case WordClass::joining: return "joining word";
    case WordClass::adverb: return "adverb";
    case WordClass::place: return "place";
    case WordClass::first_name: return "first name";
    case WordClass::last_name: return "last name";
    case WordClass::digit: return "digit";
    case WordClass::bracket: return "bracket";
  }
  return "";
}

std::string_view name(Task task) {
  switch (task) {
    case Task::language: return "language";
    case Task::copy_previous: return "copy-previous";
    case Task::match_brackets: return "match-brackets";
    case Task::sort_digits: return "sort-digits";
  }
  return "";
}

std::string_view name(Relation relation) {
  switch (relation) {
    case Relation::determiner_noun: return "determiner to noun";
    case Relation::adjective_noun: return "adjective to noun";
    case Relation::verb_subject: return "verb to subject";
    case Relation::object_verb: return "object to verb";
    case Relation::pronoun_antecedent: return "pronoun to antecedent";
    case Relation::verb_pronoun: return "verb to pronoun";
    case Relation::a_next: return "a or an to next word";
    case Relation::next_word: return "next word";
    case Relation::previous_word: return "previous word";
    case Relation::repeated: return "repeated name";
    case Relation::matching_bracket: return "matching bracket";
    case Relation::sorted_digit: return "sorted digit";
  }
  return "";
}

std::vector<int> alternatives(Task task, Relation relation) {
  std::vector<int> out;
  const std::span<const Word> words = vocabulary(task);
  const auto second_of_place = [](std::string_view text) {
    return std::any_of(kPlaces.begin(), kPlaces.end(), [&](const Place& it) { return it.second == text; });
  };
  const auto fits = [&](const Word& word) {
    const bool verb = word.kind == WordClass::verb, owned = !word.family.empty();
    switch (relation) {
      case Relation::determiner_noun: return word.text == "this" || word.text == "these";
      case Relation::adjective_noun: return word.kind == WordClass::adjective && owned;
      case Relation::verb_subject: return verb && word.number != GrammaticalNumber::none;
      case Relation::object_verb: return word.kind == WordClass::thing && owned;
      case Relation::pronoun_antecedent:
      case Relation::verb_pronoun:
        return verb &&
               std::any_of(kPersons.begin(), kPersons.end(), [&](const Person& it) { return it.did == word.text; });
      case Relation::a_next: return word.text == "a" || word.text == "an";
      case Relation::next_word: return word.kind == WordClass::place && !second_of_place(word.text);
      case Relation::previous_word:
        return word.kind == WordClass::digit || (word.kind == WordClass::place && second_of_place(word.text));
      case Relation::repeated: return word.kind == WordClass::last_name;
      case Relation::matching_bracket: return word.text == ")" || word.text == "}" || word.text == ">";
      case Relation::sorted_digit: return word.kind == WordClass::digit;
    }
    return false;
  };
  for (std::size_t i = 0; i < words.size(); ++i)
    if (fits(words[i])) out.push_back(static_cast<int>(i));
  return out;
}

}  // namespace train
