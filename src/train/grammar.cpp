// The four kinds of sentence, each with an answer that only its relation gives.
#include "train/grammar.hpp"

#include "train/phrases.hpp"

namespace train {
namespace {

/// Subject, what comes between, verb. The number and family that the verb shows are shown nowhere before it.
void animal_clause(Phrases& to) {
  const Noun subject = to.animal();
  const int noun =
      to.noun_phrase(subject, {.number_shown = true, .family_shown = true, .animal_modifiers = true, .owners = 2});
  if (to.percent(25)) {  // set off, so that the subject isn't always the first noun after a comma
    to.add(",");
    to.prepositional(0);
    to.add(",");
  } else {
    to.after_noun(noun, 2);
  }
  if (to.percent(25)) to.add(to.manner());
  const int verb = to.add(subject.number == GrammaticalNumber::plural ? subject.animal->do_ : subject.animal->does);
  to.label(Relation::verb_subject, verb, noun, verb);
}

/// "near these cats , the wolf dog that saw a bee barks ."
void write_animals(Phrases& to) {
  switch (to.one_of({45, 40, 15})) {
    case 0: to.opening(); break;
    case 1:
      to.prepositional(1);
      to.add(",");
      break;
    default:
      to.add("while");
      animal_clause(to);
      to.add(",");
      break;
  }
  animal_clause(to);
  switch (to.one_of({50, 25, 25})) {
    case 0: break;
    case 1: to.place(); break;
    default: to.prepositional(1); break;
  }
  to.add(".");
}

struct Candidate {
  const Person* kind;
  int pronoun;  // index in kPronouns
  Noun noun() const { return person_of(*kind, pronoun); }
};

/// Two or three persons of whom one fits the pronoun. Whatever else is named is a single thing, so that "they" fits
/// no other.
void write_people(Phrases& to) {
  std::vector<Candidate> people;
  const std::size_t count = to.percent(65) ? 3 : 2;
  const int pronoun = to.below(3);
  const std::size_t chosen = static_cast<std::size_t>(to.below(static_cast<int>(count)));
  for (std::size_t i = 0; i < count; ++i) {
    const Person& kind = to.person();
    const int other = (pronoun + 1 + to.below(2)) % 3;
    people.push_back({&kind, i == chosen ? pronoun : other});
  }
  // Where the third stands: before the clause, owner of the subject or of the object, or after either.
  enum class Third { none, first, owns_subject, owns_object, after_subject, after_object };
  const Third third = count == 2 ? Third::none : static_cast<Third>(1 + to.below(5));
  std::array<int, 3> places = {};
  const Noun owner = people.back().noun();
  const auto write = [&](std::size_t person, bool owned, bool followed) {
    Form form;
    if (owned) form = {.owner = &owner, .owner_at = &places[2]};
    places[person] = to.noun_phrase(people[person].noun(), form);
    if (followed) {
      to.add(to.any(kPrepositions));
      places[2] = to.noun_phrase(owner, {});
    }
  };

  if (third == Third::first) {
    to.add(to.any(kPrepositions));
    places[2] = to.noun_phrase(owner, {});
    to.add(",");
  } else {
    to.opening();
  }
  write(0, third == Third::owns_subject, third == Third::after_subject);
  const int verb = to.add(to.any(kMeetings));
  write(1, third == Third::owns_object, third == Third::after_object);
  to.label(Relation::verb_subject, verb, places[0]);
  to.label(Relation::object_verb, places[1], verb);
  if (to.percent(30)) to.place();
  to.add(".");

  if (to.percent(50)) to.add(to.adverb());
  const int asker = to.add(kPronouns[static_cast<std::size_t>(pronoun)]);
  for (int left = to.one_of({50, 30, 20}); left > 0; --left) to.add(to.manner());
  const int did = to.add(people[chosen].kind->did);
  to.label(Relation::pronoun_antecedent, asker, places[chosen], did);
  to.label(Relation::verb_pronoun, did, asker, did);
  to.add(".");
}

/// Two or three names, each once, then one of them again: nothing but its first mention tells its last name.
void write_names(Phrases& to) {
  to.opening();
  const int count = to.percent(60) ? 3 : 2, again = to.below(count);
  std::string_view first, last;
  int seen = 0;
  for (int i = 0; i < count; ++i) {
    if (i == 1) to.add(to.any(kMeetings));
    if (i == 2) to.add(to.any(kPrepositions));
    const std::string_view given = to.first_name(), family = to.last_name();
    to.add(given);
    const int place = to.add(family);
    if (i == again) first = given, last = family, seen = place;
    if (i < 2 && to.percent(25)) to.place();
  }
  to.add(".");
  if (to.percent(50)) to.add(to.adverb());
  to.add(first);
  const int asker = to.add(last);
  to.label(Relation::repeated, asker, seen, asker);
  if (to.percent(50)) {
    const int verb = to.add(to.any(kMeetings));
    const int object = to.noun_phrase(to.percent(50) ? to.animal() : to.any_person(), {.owners = 1});
    to.label(Relation::object_verb, object, verb);
  } else {
    to.add(to.deed().did);
    if (to.percent(50)) to.add(to.manner());
  }
  to.add(".");
}

/// "who sang", "who sang the song".
void who_clause(Phrases& to, int head) {
  const Deed& deed = to.deed();
  to.add("who");
  const int verb = to.add(deed.did);
  to.label(Relation::verb_subject, verb, head);
  if (to.percent(25)) {
    const int object = to.noun_phrase({deed.object}, {});
    to.label(Relation::object_verb, object, verb, object);
  }
}

/// A thing that only its verb tells. Verbs without their thing stand near, so that it isn't found by elimination.
void write_deeds(Phrases& to) {
  to.opening();
  const Deed& deed = to.deed();
  const Form of_thing = {.owners = 1};
  const Noun thing = {deed.object};
  const Noun somebody = to.any_person();
  int object = 0, verb = 0;
  switch (to.one_of({30, 30, 40})) {
    case 0: {  // "the duke who sang rode the cart"
      const int subject = to.noun_phrase(somebody, {.owners = 1});
      if (to.percent(60)) who_clause(to, subject);
      verb = to.add(deed.did);
      object = to.noun_phrase(thing, of_thing);
      to.label(Relation::verb_subject, verb, subject);
      break;
    }
    case 1: {  // "the duke baked , for the host who sang , the cake"
      const int subject = to.noun_phrase(somebody, {.owners = 1});
      verb = to.add(deed.did);
      to.label(Relation::verb_subject, verb, subject);
      to.add(",");
      to.add("for");
      who_clause(to, to.noun_phrase(to.any_person(), {}));
      to.add(",");
      object = to.noun_phrase(thing, of_thing);
      break;
    }
    default: {  // "the cart that the duke who sang rode vanished"
      object = to.noun_phrase(thing, of_thing);
      to.add("that");
      const int subject = to.noun_phrase(somebody, {.owners = 1});
      if (to.percent(60)) who_clause(to, subject);
      verb = to.add(deed.did);
      to.label(Relation::verb_subject, verb, subject);
      if (to.percent(30)) to.add(to.manner());
      to.label(Relation::verb_subject, to.add("vanished"), object);
      break;
    }
  }
  to.label(Relation::object_verb, object, verb, object);
  if (to.percent(25)) to.place();
  to.add(".");
}

}  // namespace

Sentence make_language_sentence(Random& random) {
  constexpr int kKinds = 4;
  constexpr void (*kWriters[kKinds])(Phrases&) = {write_animals, write_people, write_names, write_deeds};
  const int draw = random.below(100);
  const int kind = draw < 35 ? 0 : draw < 60 ? 1 : draw < 80 ? 2 : 3;
  for (;;) {  // the same kind again when it is too long
    Phrases phrases(random);
    kWriters[kind](phrases);
    if (phrases.is_good()) return phrases.sentence;
  }
}

}  // namespace train
