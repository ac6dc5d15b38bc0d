// Noun phrases with owners and modifiers, what follows a noun, places and openings.
#include "train/phrases.hpp"

#include <algorithm>

namespace train {

Noun person_of(const Person& kind, int pronoun) {
  if (pronoun == 2) return {kind.they, GrammaticalNumber::plural};
  return {pronoun == 0 ? kind.he : kind.she, GrammaticalNumber::singular};
}

Phrases::Phrases(Random& random) : random_(random) { add("[CLS]"); }

int Phrases::add(std::string_view word) {
  sentence.tokens.push_back(id_of(Task::language, word).value_or(kPad));
  return static_cast<int>(sentence.tokens.size()) - 1;
}

void Phrases::label(Relation relation, int asker, int target, std::optional<int> maskable) {
  sentence.labels.push_back({relation, asker, target, maskable});
}

int Phrases::one_of(std::initializer_list<int> shares) {
  int left = random_.below(100), index = 0;
  for (const int share : shares) {
    if (left < share) return index;
    left -= share;
    ++index;
  }
  return index - 1;
}

template <std::size_t n>
std::size_t Phrases::draw(std::array<bool, n>& used) {
  const int unused = static_cast<int>(std::count(used.begin(), used.end(), false));
  if (unused == 0) {
    exhausted_ = true;
    return 0;
  }
  int skip = random_.below(unused);
  std::size_t i = 0;
  while (used[i] || skip-- > 0) ++i;
  used[i] = true;
  return i;
}

Noun Phrases::animal() {
  const Animal& it = kAnimals[draw(animals_)];
  if (percent(50)) return {it.one, GrammaticalNumber::singular, &it};
  return {it.many, GrammaticalNumber::plural, &it};
}
const Person& Phrases::person() { return kPersons[draw(persons_)]; }
Noun Phrases::any_person() {
  const Person& kind = person();
  return person_of(kind, below(3));
}
std::string_view Phrases::thing() { return kThings[draw(things_)]; }
const Deed& Phrases::deed() { return kDeeds[draw(deeds_)]; }
std::string_view Phrases::first_name() { return kFirstNames[draw(first_names_)]; }
std::string_view Phrases::last_name() { return kLastNames[draw(last_names_)]; }
std::string_view Phrases::adverb() { return kAdverbs[draw(adverbs_)]; }
std::string_view Phrases::manner() { return kManners[draw(manners_)]; }

/// Nouns before the noun, always singular as in English: "garden wolf dogs".
void Phrases::modifiers(std::vector<std::string_view>& words, const Form& form) {
  for (int left = one_of({52, 38, 10}); left > 0; --left) {
    if (form.animal_modifiers && percent(70))
      words.push_back(kAnimals[draw(animals_)].one);
    else
      words.push_back(thing());
  }
}

int Phrases::noun_phrase(const Noun& head, const Form& form) {
  std::optional<Noun> owner;
  if (form.owner != nullptr) {
    owner = *form.owner;
  } else if (form.owners > 0 && percent(25)) {
    if (percent(60))
      owner = animal();
    else
      owner = any_person();
  }
  if (owner) {  // 's or ' after it shows its number
    const int at = noun_phrase(
        *owner, {.number_shown = true, .animal_modifiers = form.animal_modifiers, .owners = form.owners - 1});
    if (form.owner_at != nullptr) *form.owner_at = at;
    add(owner->number == GrammaticalNumber::plural ? "'" : "'s");
  }

  std::vector<std::string_view> words;  // between determiner and noun
  while (words.size() < 2 && percent(40)) {
    const std::string_view adjective = any(kAdjectives);
    if (std::find(words.begin(), words.end(), adjective) == words.end()) words.push_back(adjective);
  }
  std::optional<std::size_t> own;  // where the family's adjective is
  if (head.animal != nullptr && !form.family_shown && percent(45)) {
    own = static_cast<std::size_t>(below(static_cast<int>(words.size()) + 1));
    words.insert(words.begin() + static_cast<std::ptrdiff_t>(*own), head.animal->adjective);
  }
  const std::size_t adjectives = words.size();
  modifiers(words, form);

  std::optional<int> determiner;
  bool agrees = false;
  if (!owner) {
    const std::string_view next = words.empty() ? head.text : words.front();
    if (head.number == GrammaticalNumber::plural) {
      agrees = percent(65);
      determiner = add(agrees ? "these" : "the");
    } else {
      const int which = one_of({55, 20, 25});
      const bool article = which == 2;
      agrees = which == 0;
      determiner = add(agrees ? "this" : article ? article_before(next) : "the");
      if (article) label(Relation::a_next, *determiner, *determiner + 1, *determiner);
    }
  }
  const int first = static_cast<int>(sentence.tokens.size());
  for (const std::string_view word : words) add(word);
  const int noun = add(head.text);

  if (determiner) {
    const bool maskable = agrees && !form.number_shown;
    label(Relation::determiner_noun, *determiner, noun, maskable ? determiner : std::nullopt);
  }
  for (std::size_t i = 0; i < adjectives; ++i) {
    const int at = first + static_cast<int>(i);
    label(Relation::adjective_noun, at, noun, own == i ? std::optional<int>(at) : std::nullopt);
  }
  return noun;
}

void Phrases::prepositional(int depth) {
  add(any(kPrepositions));
  const int noun = noun_phrase(animal(), {.animal_modifiers = true, .owners = 1});
  after_noun(noun, depth);
}

void Phrases::after_noun(int head, int depth) {
  if (depth == 0) return;
  switch (one_of({30, 45, 25})) {
    case 0: return;
    case 1: prepositional(depth - 1); return;
    default: relative(head, depth - 1); return;
  }
}

/// "that saw the owl", or "that the owl saw", where the noun before is the object.
void Phrases::relative(int head, int depth) {
  add("that");
  const Noun other = animal();
  const Form form = {.animal_modifiers = true, .owners = 1};
  if (percent(50)) {
    const int verb = add(any(kMeetings));
    label(Relation::verb_subject, verb, head);
    const int object = noun_phrase(other, form);
    label(Relation::object_verb, object, verb);
    after_noun(object, depth);
  } else {
    const int subject = noun_phrase(other, form);
    const int verb = add(any(kMeetings));
    label(Relation::verb_subject, verb, subject);
    label(Relation::object_verb, head, verb);
  }
}

void Phrases::place() {
  const Place& it = kPlaces[static_cast<std::size_t>(below(static_cast<int>(kPlaces.size())))];
  add("in");
  const int first = add(it.first), second = add(it.second);
  label(Relation::next_word, first, second, first);
  label(Relation::previous_word, second, first, second);
}

void Phrases::opening() {
  switch (one_of({50, 25, 25})) {
    case 0: return;
    case 1: add(adverb()); break;
    default: place(); break;
  }
  add(",");
}

bool Phrases::is_good() const {
  return !exhausted_ && sentence.tokens.size() <= static_cast<std::size_t>(kLongestSentence);
}

}  // namespace train
