// The phrases that sentences of the language are made of, each written with its labels. Private to `train`.
#pragma once

#include "train/lexicon.hpp"

namespace train {

// Shares are in percent. Whole numbers decide everything, so that every platform writes the same.

struct Noun {
  std::string_view text;
  GrammaticalNumber number = GrammaticalNumber::singular;
  const Animal* animal = nullptr;  // whose verb and adjective go with it; null for persons and things
};

/// What a noun phrase may be made of.
struct Form {
  bool number_shown = false;      // another word shows the number: its determiner isn't to be masked
  bool family_shown = false;      // another word shows the family: no adjective of its own
  bool animal_modifiers = false;  // "the wolf dog": animals stand before the noun, and not only things
  int owners = 0;                 // at most so many drawn ones: "the duke 's dog 's owl" has two
  const Noun* owner = nullptr;    // this one and no other
  int* owner_at = nullptr;        // where that one's place is written
};

class Phrases {
 public:
  explicit Phrases(Random& random);

  int add(std::string_view word);  // its place
  void label(Relation relation, int asker, int target, std::optional<int> maskable = {});

  bool percent(int share) { return random_.below(100) < share; }
  int below(int n) { return random_.below(n); }
  /// Index of one of the shares, which add up to 100.
  int one_of(std::initializer_list<int> shares);
  template <class List>
  std::string_view any(const List& list) {
    return list[static_cast<std::size_t>(random_.below(static_cast<int>(list.size())))];
  }

  // Nobody and nothing is drawn twice for one sentence.
  Noun animal();           // of either number
  const Person& person();  // the kind
  Noun any_person();
  std::string_view thing();
  const Deed& deed();
  std::string_view first_name();
  std::string_view last_name();
  std::string_view adverb();
  std::string_view manner();

  int noun_phrase(const Noun& head, const Form& form);  // the place of its head
  void prepositional(int depth);                        // with an animal; depth: how far what follows it nests
  void after_noun(int head, int depth);                 // nothing, a prepositional or a relative clause
  void place();                                         // "in new york"
  void opening();                                       // nothing, or an adverb or a place with its comma

  /// Complete and short enough; else it has to be written anew.
  bool is_good() const;
  Sentence sentence;

 private:
  void relative(int head, int depth);
  void modifiers(std::vector<std::string_view>& words, const Form& form);
  template <std::size_t n>
  std::size_t draw(std::array<bool, n>& used);

  Random& random_;
  bool exhausted_ = false;
  std::array<bool, kAnimals.size()> animals_ = {};
  std::array<bool, kPersons.size()> persons_ = {};
  std::array<bool, kThings.size()> things_ = {};
  std::array<bool, kDeeds.size()> deeds_ = {};
  std::array<bool, kFirstNames.size()> first_names_ = {};
  std::array<bool, kLastNames.size()> last_names_ = {};
  std::array<bool, kAdverbs.size()> adverbs_ = {};
  std::array<bool, kManners.size()> manners_ = {};
};

/// A person of this kind: "he", "she" or "they", counted as in kPronouns.
Noun person_of(const Person& kind, int pronoun);

}  // namespace train
