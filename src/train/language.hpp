// The language that a small transformer is trained on: seeded sentences whose every relation is known, made so that no
// simple rule finds the right token, and three bare tasks beside it.
//
// Letters: a relation leads from its asker to its target, both counted as tokens from [CLS], which is token 0.
//
// The grammar's own rules, which labels follow: determiners and adjectives belong to the last noun of their run ("this
// old garden dog": dog); "this duke 's dog": this belongs to duke; that and who belong to the noun right before them.
// Heads are called after relations, and held against simple rules, as in Voita et al. 2019, "Analyzing Multi-Head
// Self-Attention", section 5, and Clark et al. 2019, "What Does BERT Look At?", section 4.2.
#pragma once

#include "train/random.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace train {

// ---------------------------------------------------------------- words

/// What is trained on. The bare tasks share a vocabulary of their own; the head that does each is known beforehand.
enum class Task : std::uint8_t {
  language,
  copy_previous,   // digits, some of them a copy of the one before
  match_brackets,  // ( ) { } < >, nested
  sort_digits,     // distinct digits, a comma, the same digits in order
};
inline constexpr int kTasks = 4;

enum class WordClass : std::uint8_t {
  special,
  punctuation,
  possessive,
  determiner,
  adjective,
  animal,
  person,
  thing,
  verb,
  pronoun,
  preposition,
  joining,  // that, who, while
  adverb,
  place,
  first_name,
  last_name,
  digit,
  bracket
};
inline constexpr int kWordClasses = 18;
enum class GrammaticalNumber : std::uint8_t { none, singular, plural };
enum class Gender : std::uint8_t { none, male, female };

struct Word {
  std::string_view text;
  WordClass kind = WordClass::special;
  GrammaticalNumber number = GrammaticalNumber::none;  // of nouns, and of the words that agree with one
  Gender gender = Gender::none;                        // of single persons and their pronouns
  std::string_view family = {};  // "dog" for dog, dogs, barks, bark and loyal: who does what; empty for free words
};

inline constexpr int kPad = 0, kCls = 1, kMask = 2;  // ids in every vocabulary

/// A word's place in it is its id. The order is fixed: files of weights depend on it.
std::span<const Word> vocabulary(Task task);
std::optional<int> id_of(Task task, std::string_view word);
bool is_noun(WordClass kind);  // animal, person or thing; two-word names have no head and aren't counted
std::string_view name(WordClass kind);
std::string_view name(Task task);

// ---------------------------------------------------------------- sentences

enum class Relation : std::uint8_t {
  determiner_noun,     // "these old garden [dogs]"; this and these agree with it
  adjective_noun,      // "loyal old garden [dogs]"; each animal has an adjective of its own
  verb_subject,        // "the [dog] near the cats barks"; each animal has a verb of its own, which agrees in number
  object_verb,         // "the cart that the duke [rode]"; eight verbs have an object of their own
  pronoun_antecedent,  // "[she]": the one person of that gender and number
  verb_pronoun,        // the verb after a pronoun: what the antecedent does
  a_next,              // "an [old]": a or an goes by the next word
  next_word,           // first word of a two-word place to its second
  previous_word,       // the other way; in Task::copy_previous a digit to the one it copies
  repeated,            // last name of a person who was named before, to that name where it first stood
  matching_bracket,    // a closing bracket to the one it closes
  sorted_digit,        // a digit in order to where it stood before
};
inline constexpr int kRelations = 12;
std::string_view name(Relation relation);  // "determiner to noun"

struct Label {
  Relation relation = Relation::determiner_noun;
  int asker = 0, target = 0;  // tokens
  /// The token that may be masked in training since its prediction needs this relation: the asker, or for
  /// pronoun_antecedent the verb after the pronoun. Absent where another word gives it away ("the", past verbs, "this"
  /// before a noun whose own verb shows the number).
  std::optional<int> maskable = {};
  bool operator==(const Label&) const = default;
};

inline constexpr int kLongestSentence = 32;  // tokens, [CLS] among them

struct Sentence {
  Task task = Task::language;
  std::vector<int> tokens;    // ids; [CLS] first, 2 … kLongestSentence of them
  std::vector<Label> labels;  // at least one of them maskable
  bool operator==(const Sentence&) const = default;
};

/// The next sentence of this stream. Tokens after [CLS]: language 4 … 31; copy_previous 12; match_brackets 4 … 20 and
/// even; sort_digits 7 … 15 and odd.
Sentence make_sentence(Task task, Random& random);

enum class Split : std::uint8_t { training, held_out };
/// By a hash of the text, one in eight held out: the same sentence is on the same side in every stream.
Split split_of(const Sentence& sentence);
/// The next sentence on this side.
Sentence make_sentence(Task task, Split split, Random& random);

/// Its words with spaces between, without [CLS].
std::string text_of(const Sentence& sentence);

/// The words among which a masked token of this relation is chosen, by id: this and these, a and an, all verbs of
/// animals, … Accuracy is counted among them.
std::vector<int> alternatives(Task task, Relation relation);

/// Tokens to mask together, in order, at least one: in the language each maskable one half the time, but none that
/// another chosen label asks from or leads to; in bare tasks all of them, so that none is found by elimination.
std::vector<int> choose_masks(const Sentence& sentence, Random& random);

/// A noun of the other number stands between asker and target, nearer to the asker (Linzen et al. 2016, "Assessing the
/// Ability of LSTMs to Learn Syntax-Sensitive Dependencies", call it an attractor).
bool has_attractor(const Sentence& sentence, const Label& label);

/// FNV-1a (Fowler, Noll, Vo) over tokens and labels, continuing from `hash`.
inline constexpr std::uint64_t kFirstHash = 0xcbf29ce484222325u;
std::uint64_t hash_of(const Sentence& sentence, std::uint64_t hash = kFirstHash);

// ---------------------------------------------------------------- simple rules

/// How often a rule that sees word classes and places but no structure is right: what a head must beat to be called
/// after a relation. Counted over maskable labels.
struct Baseline {
  std::string rule;  // "first noun", "3 to the left"; "" where there is no label to count
  int right = 0, count = 0;
  double share() const { return count == 0 ? 0.0 : static_cast<double>(right) / count; }
};

/// The one distance from asker to target that is right most often.
Baseline best_fixed_offset(std::span<const Sentence> sentences, Relation relation);
/// Best first: for nouns and for each word class, the first, the last, the nearest and second nearest on each side, and
/// the first since the last comma or full stop; for each place, the token there. Neither asker nor masked token counts.
std::vector<Baseline> simple_rules(std::span<const Sentence> sentences, Relation relation);
Baseline best_simple_rule(std::span<const Sentence> sentences, Relation relation);

// ---------------------------------------------------------------- a learner's own sentence

struct Unknown {
  std::string word;  // as typed, its beginning where it is long; any bytes but spaces
  int token = 0;     // where it stands
  bool operator==(const Unknown&) const = default;
};

struct Reading {
  Sentence sentence;             // without labels; an unknown word stands as [MASK]
  std::vector<Unknown> unknown;  // in order; empty when the model knows all that it is given
  std::size_t left_out = 0;      // words after the last that has room
};

inline constexpr std::size_t kLongestWord = 40;  // bytes of an unknown word that are kept

/// Any text. Splits at spaces and punctuation and takes ASCII letters as small ones. "[MASK]" asks for a word.
Reading read_sentence(Task task, std::string_view text);

}  // namespace train
