// The words of the language in their families. Private to `train`: others see vocabulary().
#pragma once

#include "train/language.hpp"

#include <array>

namespace train {

/// Each has a verb and an adjective that no other has. Adjectives begin with consonants: "an" must not give one away.
struct Animal {
  std::string_view one, many, does, do_, adjective;
};
inline constexpr auto kAnimals = std::to_array<Animal>({
    {"dog", "dogs", "barks", "bark", "loyal"},
    {"cat", "cats", "purrs", "purr", "proud"},
    {"owl", "owls", "hoots", "hoot", "wise"},
    {"ox", "oxen", "pulls", "pull", "stubborn"},
    {"ape", "apes", "climbs", "climb", "clever"},
    {"horse", "horses", "gallops", "gallop", "noble"},
    {"frog", "frogs", "hops", "hop", "green"},
    {"eagle", "eagles", "soars", "soar", "keen"},
    {"wolf", "wolves", "howls", "howl", "grey"},
    {"bee", "bees", "hums", "hum", "busy"},
});

/// Each kind has a verb of its own, in the past: it shows no number.
struct Person {
  std::string_view he, she, they, did;
};
inline constexpr auto kPersons = std::to_array<Person>({
    {"waiter", "waitress", "waiters", "served"},
    {"actor", "actress", "actors", "acted"},
    {"host", "hostess", "hosts", "welcomed"},
    {"prince", "princess", "princes", "ruled"},
    {"duke", "duchess", "dukes", "feasted"},
    {"steward", "stewardess", "stewards", "packed"},
    {"emperor", "empress", "emperors", "reigned"},
    {"sorcerer", "sorceress", "sorcerers", "conjured"},
});

/// Each verb has one object. Objects begin with consonants.
struct Deed {
  std::string_view did, object;
};
inline constexpr auto kDeeds = std::to_array<Deed>({
    {"baked", "cake"},
    {"rode", "cart"},
    {"sang", "song"},
    {"wrote", "letter"},
    {"drank", "potion"},
    {"played", "drum"},
    {"picked", "pear"},
    {"sold", "map"},
});

struct Place {
  std::string_view first, second;
};
inline constexpr auto kPlaces = std::to_array<Place>({
    {"new", "york"},
    {"san", "marino"},
    {"los", "angeles"},
    {"cape", "town"},
    {"hong", "kong"},
    {"tel", "aviv"},
    {"las", "vegas"},
    {"rio", "grande"},
});

inline constexpr auto kPronouns = std::to_array<std::string_view>({"he", "she", "they"});
inline constexpr auto kAdjectives = std::to_array<std::string_view>(
    {"old", "small", "angry", "big", "ugly", "young", "idle", "quiet", "eager", "brown"});
inline constexpr auto kThings =
    std::to_array<std::string_view>({"garden", "village", "palace", "forest", "mountain", "river"});
inline constexpr auto kPrepositions = std::to_array<std::string_view>({"near", "behind", "beside", "under"});
inline constexpr auto kAdverbs = std::to_array<std::string_view>({"yesterday", "today", "later", "often"});
inline constexpr auto kManners = std::to_array<std::string_view>({"slowly", "happily", "again", "indeed"});
inline constexpr auto kMeetings = std::to_array<std::string_view>({"saw", "met", "heard", "followed"});
inline constexpr auto kFirstNames =
    std::to_array<std::string_view>({"anna", "tom", "mary", "john", "kate", "paul", "lucy", "mark", "rosa", "hugo",
                                     "ida", "finn", "nora", "carl", "ella", "otto"});
inline constexpr auto kLastNames =
    std::to_array<std::string_view>({"smith", "jones", "brook", "stone", "field", "wood", "hill", "marsh", "frost",
                                     "lake", "ford", "bell", "cook", "page", "reed", "west"});

/// Of the word that follows: by its letter, since no word here has a silent h or a long u at its beginning.
inline std::string_view article_before(std::string_view word) {
  return std::string_view("aeiou").find(word.front()) != std::string_view::npos ? "an" : "a";
}

}  // namespace train
