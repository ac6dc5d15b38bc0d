// Sentences are the same everywhere, nothing held out is ever trained on, and masks leave what they need visible.
#include "train_language_support.hpp"

#include <map>
#include <set>

using namespace train_language_test;

namespace {

constexpr Task kAll[kTasks] = {Task::language, Task::copy_previous, Task::match_brackets, Task::sort_digits};

std::uint64_t hash_of_first(Task task, int count, std::uint64_t seed) {
  std::uint64_t hash = kFirstHash;
  for (const Sentence& sentence : sentences(task, count, seed)) hash = hash_of(sentence, hash);
  return hash;
}

}  // namespace

TEST_CASE("the first 1000 sentences of seed 1 are the same on every platform") {
  CHECK(hash_of_first(Task::language, 1000, 1) == 0xa5aba15ae140db29u);
  CHECK(hash_of_first(Task::copy_previous, 1000, 1) == 0x132bf081d697f484u);
  CHECK(hash_of_first(Task::match_brackets, 1000, 1) == 0x1b93c21bddfcdff0u);
  CHECK(hash_of_first(Task::sort_digits, 1000, 1) == 0xf3ab6b9b59d723a6u);
}

TEST_CASE("the hash sees every token and every part of a label") {
  const Sentence sentence = sentences(Task::language, 1, 1).front();
  const auto differs = [&](const auto& change) {
    Sentence other = sentence;
    change(other);
    return hash_of(other) != hash_of(sentence);
  };
  CHECK(hash_of(sentence) == hash_of(Sentence(sentence)));
  CHECK(differs([](Sentence& it) { ++it.tokens.back(); }));
  CHECK(differs([](Sentence& it) { it.tokens.back() += 256; }));
  CHECK(differs([](Sentence& it) { it.task = Task::sort_digits; }));
  CHECK(differs([](Sentence& it) { ++it.labels.front().asker; }));
  CHECK(differs([](Sentence& it) { ++it.labels.front().target; }));
  CHECK(differs([](Sentence& it) { it.labels.front().maskable = 31; }));
  CHECK(differs([](Sentence& it) { it.labels.pop_back(); }));
}

TEST_CASE("a seed gives its sentences again, another seed gives others, and a copied generator continues alike") {
  for (const Task task : kAll) {
    INFO(name(task));
    CHECK(sentences(task, 200, 5) == sentences(task, 200, 5));
    CHECK(sentences(task, 200, 5) != sentences(task, 200, 6));
    Random random{5};
    for (int i = 0; i < 10; ++i) make_sentence(task, random);
    Random copy = random;
    CHECK(make_sentence(task, random) == make_sentence(task, copy));
    CHECK(random == copy);
  }
}

TEST_CASE("in 40,000 sentences duplicates are rare, and the same text always has the same labels") {
  std::map<std::string, Sentence> seen;
  int duplicates = 0, held_out = 0;
  constexpr int kCount = 40000;
  for (const Sentence& sentence : sentences(Task::language, kCount, 11)) {
    if (split_of(sentence) == Split::held_out) ++held_out;
    const auto [found, is_new] = seen.emplace(text_of(sentence), sentence);
    if (is_new) continue;
    ++duplicates;
    CHECK(found->second == sentence);
  }
  MESSAGE("duplicates: " << duplicates << ", held out: " << held_out << " of " << kCount);
  CHECK(duplicates < kCount / 100);
  CHECK(held_out > kCount * 0.12);
  CHECK(held_out < kCount * 0.13);
}

TEST_CASE("training and held-out sentences never overlap, whatever the seeds") {
  for (const Task task : kAll) {
    INFO(name(task));
    std::set<std::string> training, held_out;
    Random for_training{21}, for_held_out{22}, same_seed{21};
    for (int i = 0; i < 3000; ++i) {
      training.insert(text_of(make_sentence(task, Split::training, for_training)));
      held_out.insert(text_of(make_sentence(task, Split::held_out, for_held_out)));
      if (i < 500) held_out.insert(text_of(make_sentence(task, Split::held_out, same_seed)));
    }
    std::vector<std::string> both;
    std::set_intersection(training.begin(), training.end(), held_out.begin(), held_out.end(), std::back_inserter(both));
    CHECK(both.empty());
    CHECK(training.size() > 500);
    CHECK(held_out.size() > 100);
  }
}

TEST_CASE("the side of the split depends on the words alone") {
  for (Sentence sentence : sentences(Task::language, 300, 3)) {
    const Split split = split_of(sentence);
    CHECK(split_of(written(text_of(sentence))) == split);
    sentence.labels.clear();
    CHECK(split_of(sentence) == split);
  }
}

TEST_CASE("masks hide only what is maskable, and nothing that another masked word needs") {
  Random random{4};
  std::map<Relation, int> asked;
  for (const Sentence& sentence : sentences(Task::language, 4000, 8)) {
    INFO(text_of(sentence));
    const std::vector<int> masks = choose_masks(sentence, random);
    REQUIRE_FALSE(masks.empty());
    CHECK(std::is_sorted(masks.begin(), masks.end()));
    CHECK(std::set<int>(masks.begin(), masks.end()).size() == masks.size());
    for (const int mask : masks) {
      int answerable = 0;  // by a relation whose asker, unless it is the mask, and target are visible
      for (const Label& label : sentence.labels) {
        if (label.maskable != mask) continue;
        const bool asker_visible = label.asker == mask || !contains(masks, label.asker);
        CHECK(asker_visible);
        if (asker_visible && !contains(masks, label.target)) ++answerable, ++asked[label.relation];
      }
      CHECK(answerable >= 1);
    }
  }
  for (const Relation relation : {Relation::determiner_noun, Relation::adjective_noun, Relation::verb_subject,
                                  Relation::object_verb, Relation::pronoun_antecedent, Relation::verb_pronoun,
                                  Relation::a_next, Relation::next_word, Relation::previous_word, Relation::repeated}) {
    MESSAGE("asked in 4000 sentences: " << name(relation) << " " << asked[relation]);
    CHECK(asked[relation] > 300);
  }
}

TEST_CASE("bare tasks mask all that can be asked, so that nothing is found by elimination") {
  Random random{4};
  for (const Task task : {Task::copy_previous, Task::match_brackets, Task::sort_digits}) {
    for (const Sentence& sentence : sentences(task, 200, 8))
      CHECK(choose_masks(sentence, random).size() == sentence.labels.size());
  }
}
