// No simple rule finds what a relation leads to, so that a head which does has learned the relation.
#include "train_language_support.hpp"

#include <cstdio>

using namespace train_language_test;

namespace {

const Baseline& rule_named(const std::vector<Baseline>& rules, const std::string& rule) {
  static const Baseline none;
  const auto found = std::find_if(rules.begin(), rules.end(), [&](const Baseline& it) { return it.rule == rule; });
  INFO(rule);
  REQUIRE(found != rules.end());
  return found == rules.end() ? none : *found;
}

std::string percent(double share) {
  char text[16];
  std::snprintf(text, sizeof text, "%.3f", share);
  return text;
}

}  // namespace

TEST_CASE("no fixed offset and no simple rule finds a relation of the language in three of four cases") {
  // 1: the relation is itself a rule, an offset or the only pronoun.
  const auto at_most = [](Relation relation) {
    switch (relation) {
      case Relation::determiner_noun: return 0.6;
      case Relation::adjective_noun: return 0.75;
      case Relation::verb_subject: return 0.45;
      case Relation::object_verb: return 0.65;
      case Relation::pronoun_antecedent: return 0.45;
      case Relation::repeated: return 0.45;
      default: return 1.0;
    }
  };
  const std::vector<Sentence> all = sentences(Task::language, 8000, 31);
  for (int i = 0; i < kRelations; ++i) {
    const Relation relation = static_cast<Relation>(i);
    const std::vector<Baseline> rules = simple_rules(all, relation);
    if (rules.empty()) continue;  // of a bare task
    const Baseline offset = best_fixed_offset(all, relation);
    std::string line = std::string(name(relation)) + " (" + std::to_string(offset.count) + "): " + offset.rule + " " +
                       percent(offset.share());
    for (std::size_t k = 0; k < 3; ++k) line += "; " + rules[k].rule + " " + percent(rules[k].share());
    MESSAGE(line);
    CHECK(offset.count > 1000);
    CHECK(best_simple_rule(all, relation).share() == rules.front().share());
    CHECK(offset.share() <= at_most(relation));
    CHECK(rules.front().share() <= at_most(relation));
    if (at_most(relation) == 1) CHECK(std::max(offset.share(), rules.front().share()) == 1);
  }
}

TEST_CASE("the rules that the grammar is there to refute are refuted") {
  const std::vector<Sentence> all = sentences(Task::language, 4000, 32);
  const auto share = [&](Relation relation, const char* rule) {
    return rule_named(simple_rules(all, relation), rule).share();
  };
  CHECK(share(Relation::verb_subject, "first noun") < 0.5);
  CHECK(share(Relation::verb_subject, "nearest noun to the left") < 0.5);
  CHECK(share(Relation::verb_subject, "first noun since the last comma or full stop") < 0.6);
  CHECK(share(Relation::determiner_noun, "nearest noun to the right") < 0.75);
  CHECK(share(Relation::pronoun_antecedent, "first noun") < 0.5);
  CHECK(share(Relation::pronoun_antecedent, "nearest noun to the left") < 0.5);
  CHECK(share(Relation::pronoun_antecedent, "nearest person to the left") < 0.5);
}

TEST_CASE("a rule points where its name says") {
  //                             1    2   3     4   5    6     7 8    9   10    11 12    13    14 15
  Sentence sentence = written("near the owl behind the oxen , these wolf dogs under a pear slowly bark .");
  sentence.labels = {{Relation::verb_subject, 15, 10, 15},
                     {Relation::verb_subject, 15, 3}};  // the second isn't counted
  const std::vector<Sentence> one = {sentence};
  const std::vector<Baseline> rules = simple_rules(one, Relation::verb_subject);
  const auto right_rules = [&](int target) {
    std::vector<Sentence> moved = one;
    moved[0].labels[0].target = target;
    std::vector<std::string> names;
    for (const Baseline& it : simple_rules(moved, Relation::verb_subject))
      if (it.right > 0) names.push_back(it.rule);
    std::sort(names.begin(), names.end());
    return names;
  };
  using Names = std::vector<std::string>;
  CHECK(right_rules(3) == Names{"first animal", "first noun", "token 3"});
  CHECK(right_rules(6) == Names{"token 6"});
  CHECK(right_rules(9) == Names{"first animal since the last comma or full stop",
                                "first noun since the last comma or full stop", "second animal to the left",
                                "token 9"});
  CHECK(right_rules(10) == Names{"last animal", "nearest animal to the left", "second noun to the left", "token 10"});
  CHECK(right_rules(13) == Names{"first thing", "first thing since the last comma or full stop", "last noun",
                                 "last thing", "nearest noun to the left", "nearest thing to the left", "token 13"});
  CHECK(best_fixed_offset(one, Relation::verb_subject).rule == "5 to the left");
  CHECK(rules.front().right == 1);
  CHECK(rules.front().count == 1);
  for (std::size_t i = 1; i < rules.size(); ++i) CHECK(rules[i - 1].right >= rules[i].right);

  // Looking right, and neither asker nor masked word counts as found.
  sentence.labels = {{Relation::object_verb, 3, 10, 6}};
  const std::vector<Baseline> rightwards = simple_rules(std::vector<Sentence>{sentence}, Relation::object_verb);
  CHECK(rule_named(rightwards, "second noun to the right").right == 1);
  CHECK(rule_named(rightwards, "nearest noun to the right").right == 0);
}

TEST_CASE("where there is nothing to count there is no rule") {
  const std::vector<Sentence> none;
  CHECK(simple_rules(none, Relation::verb_subject).empty());
  CHECK(best_simple_rule(none, Relation::verb_subject).rule == "");
  CHECK(best_fixed_offset(none, Relation::verb_subject).count == 0);
  CHECK(best_fixed_offset(none, Relation::verb_subject).share() == 0);
}
