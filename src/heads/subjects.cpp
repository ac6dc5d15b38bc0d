// What a head may look for, in words.
#include "heads/cases.hpp"

namespace heads {
namespace {

using train::Relation;
using train::Task;

struct Words {
  const char* id;
  const char* name;
  const char* asks;
  const char* explains;
  Family family;
};

/// The relations, by the enum's order.
constexpr Words kRelations[train::kRelations] = {
    {"determiner_noun", "determiner \u2192 noun", "determiners",
     "Its largest weight falls on the noun that the determiner belongs to, past other nouns.", Family::syntactic},
    {"adjective_noun", "adjective \u2192 noun", "adjectives",
     "Its largest weight falls on the noun that the adjective describes, past other nouns.", Family::syntactic},
    {"verb_subject", "verb \u2192 subject", "verbs",
     "Its largest weight falls on the subject of the verb, past nearer nouns.", Family::syntactic},
    {"object_verb", "object \u2192 verb", "objects",
     "Its largest weight falls on the verb that the object belongs to, past other verbs.", Family::syntactic},
    {"pronoun_antecedent", "pronoun \u2192 noun", "pronouns",
     "Its largest weight falls on the only person that the pronoun can mean.", Family::semantic},
    {"verb_pronoun", "verb \u2192 pronoun", "verbs after a pronoun",
     "Its largest weight falls on the pronoun before the verb; there is no other, so a simple rule finds it, too.",
     Family::semantic},
    {"a_next", "a, an \u2192 next word", "a and an",
     "Its largest weight falls on the next word, which decides between a and an; this place is fixed, so 90 % of the "
     "cases are wanted.",
     Family::positional},
    {"next_word", "place \u2192 second word", "first words of places",
     "Its largest weight falls on the second word of the place's name; it always comes next, so 90 % of the cases are "
     "wanted.",
     Family::positional},
    {"previous_word", "place \u2192 first word", "second words of places",
     "Its largest weight falls on the first word of the place's name; it always stands just before, so 90 % of the "
     "cases are wanted.",
     Family::positional},
    {"repeated", "repeated name", "last names that come again",
     "Its largest weight falls on the place where the same name stood before.", Family::semantic},
    {"matching_bracket", "closing \u2192 opening bracket", "closing brackets",
     "Its largest weight falls on the opening bracket of the same pair, past nearer brackets.", Family::syntactic},
    {"sorted_digit", "digit \u2192 same digit", "digits in order",
     "Its largest weight falls on the place where the same digit stood before.", Family::semantic}};

constexpr Words kCopy = {"previous_word", "copy \u2192 digit before", "copied digits",
                         "Its largest weight falls on the digit just before, which is the one to copy; this place is "
                         "fixed, so 90 % of the cases are wanted.",
                         Family::positional};

constexpr Words kInduction = {"induction", "induction", "words after a repeated word",
                              "The word before stood earlier, too, and its largest weight falls on the word that "
                              "followed there.",
                              Family::semantic};

constexpr Words kPlaces[] = {
    {"previous_token", "previous token", "tokens", "Its largest weight falls on the token just before.",
     Family::positional},
    {"next_token", "next token", "tokens", "Its largest weight falls on the token just after.", Family::positional},
    {"same_token", "same token", "tokens", "Its largest weight falls on the token itself.", Family::positional},
    {"first_token", "first token", "tokens",
     "Its largest weight falls on the first token, where a head rests when it has nothing to do.", Family::resting}};

Subject subject_of(const Words& words) {
  Subject out;
  out.id = words.id;
  out.name = words.name;
  out.asks = words.asks;
  out.explains = words.explains;
  out.family = words.family;
  return out;
}

}  // namespace

std::vector<Relation> relations_of(Task task) {
  switch (task) {
    case Task::language: break;
    case Task::copy_previous: return {Relation::previous_word};
    case Task::match_brackets: return {Relation::matching_bracket};
    case Task::sort_digits: return {Relation::sorted_digit};
  }
  return {Relation::determiner_noun,    Relation::adjective_noun, Relation::verb_subject, Relation::object_verb,
          Relation::pronoun_antecedent, Relation::verb_pronoun,   Relation::a_next,       Relation::next_word,
          Relation::previous_word,      Relation::repeated};
}

std::vector<Subject> subjects_of(Task task) {
  std::vector<Subject> out;
  for (const Relation relation : relations_of(task)) {
    const bool copy = task == Task::copy_previous && relation == Relation::previous_word;
    out.push_back(subject_of(copy ? kCopy : kRelations[static_cast<std::size_t>(relation)]));
  }
  if (task == Task::language) out.push_back(induction());
  for (Subject& place : places()) out.push_back(std::move(place));
  return out;
}

std::vector<Subject> places() {
  std::vector<Subject> out;
  for (const Words& words : kPlaces) out.push_back(subject_of(words));
  return out;
}

Subject induction() { return subject_of(kInduction); }

}  // namespace heads
