// Roles of heads whose patterns are made by hand, so that what each has to be called is known.
#include "heads_support.hpp"

#include <bit>
#include <cmath>
#include <set>

using namespace heads_test;

TEST_CASE("a head that finds subjects by construction is called so; one that looks at the nearest noun is not") {
  const Table table = count(Task::language, 600, {find(Relation::verb_subject), nearest_noun});
  const Subject& verbs = subject(table, "verb_subject");
  CHECK(verbs.name == "verb \u2192 subject");
  CHECK(verbs.family == Family::syntactic);
  CHECK(verbs.cases > 100);
  const Score& finder = score(table, 0, 0, "verb_subject");
  CHECK(finder.earned);
  CHECK(finder.share == Share{verbs.cases, verbs.cases});
  CHECK(finder.mean_weight > 0.75);
  CHECK(roles_of(table, 0, 0).starts_with("verb_subject"));
  // The nearest noun is one of the simple rules, so it can't be ten points above the best of them.
  const Score& nearest = score(table, 0, 1, "verb_subject");
  CHECK_FALSE(nearest.earned);
  CHECK(nearest.share.right > 0);
  CHECK(nearest.share.right <= verbs.best_rule.right);
  CHECK(verbs.best_rule.count == verbs.cases);
  CHECK(verbs.best_offset.count == verbs.cases);
  CHECK(table.sentences == 600);
  CHECK(table.counted_on == "600 held-out sentences");
}

TEST_CASE("a head that is right in two of three cases still earns the relation, with its true share") {
  const Table table = count(Task::language, 600, {find(Relation::verb_subject, 3)});
  const Score& found = score(table, 0, 0, "verb_subject");
  CHECK(found.share.right == found.share.count - found.share.count / 3);
  CHECK(found.earned);
}

TEST_CASE("a head may have several roles, or none") {
  const Look both = [](const Sentence& sentence, const std::vector<int>& masks, int query) {
    const int repeated = find(Relation::repeated)(sentence, masks, query);
    return repeated > 0 ? repeated : find(Relation::verb_subject)(sentence, masks, query);
  };
  const Look scattered = [](const Sentence& sentence, const std::vector<int>&, int query) {
    return (query * query + 3) % length_of(sentence);
  };
  const Table table = count(Task::language, 800, {both, scattered});
  CHECK(score(table, 0, 0, "repeated").earned);
  CHECK(score(table, 0, 0, "verb_subject").earned);
  CHECK(table.at(0, 0).roles.size() >= 2);
  CHECK(roles_of(table, 0, 1) == "");
}

TEST_CASE("heads that look at a fixed place are positional, and a fixed place is no relation") {
  const Table table = count(Task::language, 400, {look_back, look_on, look_at_itself, rest});
  const auto all = [&](int head, const char* id) {
    const Share& share = score(table, 0, head, id).share;
    return share.right == share.count && share.count > 1000;
  };
  CHECK(all(0, "previous_token"));
  CHECK(all(1, "next_token"));
  CHECK(all(2, "same_token"));
  CHECK(all(3, "first_token"));
  CHECK(roles_of(table, 0, 2) == "same_token");
  CHECK(roles_of(table, 0, 3) == "first_token");
  CHECK(subject(table, "first_token").family == Family::resting);
  // Two-word names are fixed places themselves: earned, and said to be positional.
  CHECK(score(table, 0, 0, "previous_word").earned);
  CHECK(score(table, 0, 1, "next_word").earned);
  CHECK(score(table, 0, 1, "a_next").earned);
  for (const char* id : {"previous_word", "next_word", "a_next"}) {
    CHECK(subject(table, id).family == Family::positional);
    CHECK(subject(table, id).best_offset.value() == 1);
    CHECK(subject(table, id).explains.find("90 %") != std::string::npos);
  }
  for (const char* id : {"verb_subject", "determiner_noun", "adjective_noun", "object_verb", "repeated"}) {
    for (int head = 0; head < 4; ++head) CHECK_FALSE(score(table, 0, head, id).earned);
  }
  CHECK(table.at(0, 3).mean_rest > 0.75);
  CHECK(table.at(0, 2).mean_rest < 0.1);
}

TEST_CASE("who looks evenly is right about nothing, and diffuse") {
  const Table table = count(Task::language, 60, {rest}, false, 0.0f);
  for (const Score& it : table.at(0, 0).scores) CHECK(it.share.right == 0);
  CHECK(table.at(0, 0).diffuse);
  CHECK(table.at(0, 0).entropy_share == doctest::Approx(1).epsilon(1e-6));
  CHECK(by_layer(table)[0].diffuse == 1);
  const Table sharp = count(Task::language, 60, {rest}, false, 1.0f);
  CHECK(sharp.at(0, 0).entropy_share == 0);
  CHECK(sharp.at(0, 0).mean_rest == 1);
}

TEST_CASE("a right key must be above every wrong one: ties count as wrong") {
  const std::vector<float> row = {0.3f, 0.3f, 0.2f, 0.2f};
  CHECK_FALSE(is_right(row, {0}));
  CHECK_FALSE(is_right(row, {1}));
  CHECK(is_right(row, {0, 1}));
  CHECK(is_right(row, {0, 1, 2}));
  CHECK_FALSE(is_right(row, {0, 2}));
  CHECK_FALSE(is_right(row, {2, 3}));
  CHECK(is_right(row, {3, 1, 0, 2}));
  CHECK_FALSE(is_right(std::vector<float>{0, 0}, {1}));
}

TEST_CASE("entropy as a share of the largest: one key 0, all alike 1, two of four a half") {
  CHECK(entropy_share_of(std::vector<float>{1, 0, 0, 0}, 4) == 0);
  CHECK(entropy_share_of(std::vector<float>{0.25f, 0.25f, 0.25f, 0.25f}, 4) == doctest::Approx(1));
  CHECK(entropy_share_of(std::vector<float>{0.5f, 0, 0.5f, 0}, 4) == doctest::Approx(0.5));
  CHECK(entropy_share_of(std::vector<float>{0.5f, 0.5f, 0, 0}, 2) == doctest::Approx(1));  // causal: two keys
  CHECK(entropy_share_of(std::vector<float>{1}, 1) == 0);
}

TEST_CASE("few cases: not testable, whatever the share") {
  const Table table = count(Task::language, 20, {find(Relation::verb_subject), find(Relation::repeated)});
  const Subject& verbs = subject(table, "verb_subject");
  REQUIRE(verbs.cases < kFewestCases);
  CHECK(score(table, 0, 0, "verb_subject").share.right == verbs.cases);
  CHECK_FALSE(score(table, 0, 0, "verb_subject").earned);
}

TEST_CASE("cases are the masked labels, and both baselines are counted on them and no others") {
  Random random{11};  // the sentences of `count`
  std::map<Relation, int> cases;
  std::vector<Sentence> asked;
  for (int i = 0; i < 300; ++i) {
    Sentence sentence = train::make_sentence(Task::language, train::Split::held_out, random);
    const std::vector<int> masks = train::choose_masks(sentence, random);
    std::erase_if(sentence.labels, [&](const train::Label& it) { return !it.maskable || !holds(masks, *it.maskable); });
    for (const train::Label& label : sentence.labels) ++cases[label.relation];
    asked.push_back(std::move(sentence));
  }
  const Table table = count(Task::language, 300, {rest});
  const std::vector<Relation> relations = relations_of(Task::language);
  REQUIRE(relations.size() == 10);
  for (std::size_t i = 0; i < relations.size(); ++i) {
    const Subject& it = table.subjects[i];
    CAPTURE(it.id);
    CHECK(it.cases == cases[relations[i]]);
    const train::Baseline offset = train::best_fixed_offset(asked, relations[i]);
    const train::Baseline rule = train::best_simple_rule(asked, relations[i]);
    CHECK(it.best_offset == Share{offset.right, offset.count});
    CHECK(it.best_rule == Share{rule.right, rule.count});
    CHECK(it.rule == rule.rule);
    CHECK(offset.rule == std::to_string(std::abs(it.offset)) + (it.offset < 0 ? " to the left" : " to the right"));
  }
}

TEST_CASE("every subject has words of its own, and an id that stays") {
  std::set<std::string> ids;
  for (const Subject& it : subjects_of(Task::language)) {
    CHECK(ids.insert(it.id).second);
    CHECK(it.explains.ends_with("."));
    CHECK(it.explains.find('!') == std::string::npos);
    CHECK(!it.name.empty());
    CHECK(!it.asks.empty());
  }
  CHECK(ids == std::set<std::string>{"determiner_noun", "adjective_noun", "verb_subject", "object_verb",
                                     "pronoun_antecedent", "verb_pronoun", "a_next", "next_word", "previous_word",
                                     "repeated", "induction", "previous_token", "next_token", "same_token",
                                     "first_token"});
  CHECK(subjects_of(Task::copy_previous).size() == 5);
  CHECK(subjects_of(Task::match_brackets).front().id == "matching_bracket");
  CHECK(subjects_of(Task::sort_digits).front().id == "sorted_digit");
}

TEST_CASE("bare tasks: the head that does each is named") {
  CHECK(score(count(Task::copy_previous, 60, {look_back}), 0, 0, "previous_word").earned);
  const Table brackets = count(Task::match_brackets, 200, {find(Relation::matching_bracket), look_back});
  CHECK(roles_of(brackets, 0, 0) == "matching_bracket");
  CHECK_FALSE(score(brackets, 0, 1, "matching_bracket").earned);  // right in half of them, as the best offset
  CHECK(score(brackets, 0, 1, "matching_bracket").share.right ==
        subject(brackets, "matching_bracket").best_offset.right);
  CHECK(roles_of(count(Task::sort_digits, 60, {find(Relation::sorted_digit)}), 0, 0) == "sorted_digit");
}

TEST_CASE("the model's own answers are counted among the words that compete") {
  Random random{3};
  const Sentence sentence = train::make_sentence(Task::match_brackets, random);
  const std::vector<int> masks = train::choose_masks(sentence, random);
  const std::vector<float> even(static_cast<std::size_t>(length_of(sentence) * length_of(sentence)));
  const PatternOf patterns = [&](int, int) { return std::span<const float>(even); };
  // A comma is the most likely word everywhere; among the closing brackets the right one leads, or another.
  for (const bool right : {true, false}) {
    std::vector<float> logits(train::vocabulary(Task::match_brackets).size());
    RoleCounter counter(Task::match_brackets, false, 1, 1);
    counter.add(sentence, masks, patterns, [&](int token) -> std::span<const float> {
      logits.assign(logits.size(), 0);
      logits[static_cast<std::size_t>(*train::id_of(Task::match_brackets, ","))] = 9;
      const int answer = sentence.tokens[static_cast<std::size_t>(token)];
      for (const int it : train::alternatives(Task::match_brackets, Relation::matching_bracket))
        logits[static_cast<std::size_t>(it)] = (it == answer) == right ? 2.0f : 1.0f;
      return logits;
    });
    const Table table = counter.finish("one");
    const int cases = static_cast<int>(masks.size());
    CHECK(subject(table, "matching_bracket").accuracy == Share{right ? cases : 0, cases});
    CHECK_FALSE(subject(table, "previous_token").accuracy);
  }
  RoleCounter without(Task::match_brackets, false, 1, 1);
  without.add(sentence, masks, patterns);
  CHECK_FALSE(subject(without.finish("one"), "matching_bracket").accuracy);
}

// ---------------------------------------------------------------- causal models

TEST_CASE("in a causal model the token before the masked one asks, and only about what stands there or before") {
  Random random{7};
  int pronouns = 0, left = 0;
  for (int i = 0; i < 400; ++i) {
    const Sentence sentence = train::make_sentence(Task::language, random);
    const std::vector<int> masks = train::choose_masks(sentence, random);
    int wanted = 0;
    for (const train::Label& label : sentence.labels) {
      if (!label.maskable || !holds(masks, *label.maskable)) continue;
      const int query = label.asker == *label.maskable ? label.asker - 1 : label.asker;
      wanted += label.target <= query ? 1 : 0;
      left += label.target > query ? 1 : 0;
    }
    const std::vector<LabelCase> cases = label_cases(sentence, masks, true);
    CHECK(static_cast<int>(cases.size()) == wanted);
    for (const LabelCase& it : cases) {
      CHECK(it.label.target <= it.query);
      CHECK(it.answers == *it.label.maskable - 1);
      if (it.label.relation == Relation::pronoun_antecedent) {
        ++pronouns;
        CHECK(it.query == it.label.asker);
      } else {
        CHECK(it.query == it.label.asker - 1);
      }
    }
    for (const LabelCase& it : label_cases(sentence, masks, false)) {
      CHECK(it.query == it.label.asker);
      CHECK(it.answers == *it.label.maskable);
    }
  }
  CHECK(pronouns > 10);
  CHECK(left > 50);
  const Table table = count(Task::language, 100, {look_back, look_at_itself}, true);
  CHECK(subject(table, "next_token").cases == 0);
  CHECK(subject(table, "determiner_noun").cases == 0);
  CHECK(subject(table, "previous_word").offset == 0);  // asked one earlier: the first word of the place itself
  CHECK(score(table, 0, 1, "previous_word").earned);
}

// ---------------------------------------------------------------- induction

namespace {

Sentence sentence_of(std::string_view text) {
  const train::Reading reading = train::read_sentence(Task::language, text);
  REQUIRE(reading.unknown.empty());
  return reading.sentence;
}

}  // namespace

TEST_CASE("induction: where the word before stood earlier, what followed it there is right") {
  //                                     1    2     3   4    5     6 7    8     9
  const Sentence sentence = sentence_of("anna smith saw kate frost . anna smith .");
  const auto cases = induction_cases(sentence, std::vector<int>{8}, false);
  REQUIRE(cases.size() == 1);
  CHECK(cases[0].query == 8);
  CHECK(cases[0].asker == 8);
  CHECK(cases[0].target == 2);
  const auto causal = induction_cases(sentence, std::vector<int>{8}, true);
  REQUIRE(causal.size() == 1);
  CHECK(causal[0].query == 7);
  CHECK(causal[0].target == 2);
  CHECK(induction_cases(sentence, std::vector<int>{2}, false).empty());     // "anna" didn't stand before
  CHECK(induction_cases(sentence, std::vector<int>{1}, false).empty());     // before it is [CLS]
  CHECK(induction_cases(sentence, std::vector<int>{2, 8}, false).empty());  // what followed is masked
  CHECK(induction_cases(sentence, std::vector<int>{1, 8}, false).empty());  // the earlier one is masked
  CHECK(induction_cases(sentence, std::vector<int>{7, 8}, false).empty());  // the word before is masked
  CHECK(induction_cases(sentence_of("anna saw anna saw anna [MASK]"), std::vector<int>{6}, false).empty());  // twice
  CHECK(induction_cases(sentence_of("saw anna anna [MASK]"), std::vector<int>{4}, false)
            .empty());  // it is the word before
}

TEST_CASE("a head that copies by induction earns it, with the repeated name as a gift") {
  const Look induct = [](const Sentence& sentence, const std::vector<int>& masks, int query) {
    if (!holds(masks, query)) return 0;
    for (int i = 1; i + 1 < query; ++i)
      if (sentence.tokens[static_cast<std::size_t>(i)] == sentence.tokens[static_cast<std::size_t>(query) - 1])
        return i + 1;
    return 0;
  };
  const Table table = count(Task::language, 500, {induct, find(Relation::repeated)});
  const Subject& it = subject(table, "induction");
  CHECK(it.cases > subject(table, "repeated").cases);  // other words come again, too
  CHECK(score(table, 0, 0, "induction").share == Share{it.cases, it.cases});
  CHECK(score(table, 0, 0, "induction").earned);
  CHECK(score(table, 0, 0, "repeated").earned);
  CHECK(score(table, 0, 1, "induction").share.right < it.cases);  // names alone
  CHECK(it.best_rule.count == it.cases);
  CHECK(it.best_rule.value() < 0.6);
}

// ---------------------------------------------------------------- bits

TEST_CASE("the same table, to the bit, in every build") {
  Random random{29};
  RoleCounter counter(Task::language, false, 2, 2);
  for (int i = 0; i < 40; ++i) {
    const Sentence sentence = train::make_sentence(Task::language, train::Split::held_out, random);
    const std::vector<int> masks = train::choose_masks(sentence, random);
    const int n = length_of(sentence);
    std::vector<std::vector<float>> patterns(4);
    for (std::vector<float>& pattern : patterns) {
      for (int row = 0; row < n; ++row) {
        std::vector<double> weights;
        double sum = 0;
        for (int key = 0; key < n; ++key) weights.push_back(random.unit() * random.unit() * random.unit());
        for (const double weight : weights) sum += weight;
        for (const double weight : weights) pattern.push_back(static_cast<float>(weight / sum));
      }
    }
    counter.add(sentence, masks, [&](int layer, int head) -> std::span<const float> {
      return patterns[static_cast<std::size_t>(2 * layer + head)];
    });
  }
  Table table = counter.finish("");
  for (Subject& it : table.subjects) it.name = it.asks = it.explains = "";  // numbers, not words
  std::uint64_t hash = train::kFirstHash;
  for (const char letter : to_json(table)) hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3u;
  CHECK(hash == 3844350271144069357u);
}
