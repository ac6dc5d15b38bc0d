// The model that ships with the page does what its card says: its own table, and the names that its heads are known by.
#include "heads/heads.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>

namespace {

heads::Model shipped() {
  std::ifstream file(HEADSCOPE_SOURCE_DIR "/src/heads/shipped.safetensors", std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  auto read = heads::read_model(bytes);
  if (auto* problems = std::get_if<std::vector<heads::Problem>>(&read)) {
    for (const auto& problem : *problems) FAIL_CHECK(attention::to_sentence(problem));
    return {};
  }
  return std::get<heads::Model>(std::move(read));
}

/// The largest share of a head that earned it.
double best_earned(const heads::Table& table, std::string_view id) {
  double best = 0;
  for (std::size_t subject = 0; subject < table.subjects.size(); ++subject)
    if (table.subjects[subject].id == id)
      for (const heads::HeadRoles& row : table.rows)
        if (row.scores[subject].earned) best = std::max(best, row.scores[subject].share.value());
  return best;
}

}  // namespace

TEST_CASE("the shipped model's card: counted on 1,000 held-out sentences, with these roles") {
  const heads::Model model = shipped();
  REQUIRE(model.table);
  CHECK(model.table->sentences == heads::kMeasuredSentences);
  CHECK(model.plan.task == train::Task::language);
  CHECK(model.step == model.plan.options.steps);
  for (const auto& [id, least] : {std::pair{"verb_subject", 0.95}, {"object_verb", 0.95}, {"determiner_noun", 0.9},
                                  {"pronoun_antecedent", 0.9}, {"repeated", 0.95}, {"previous_word", 0.95}})
    CHECK_MESSAGE(best_earned(*model.table, id) >= least, id);
  CHECK(best_earned(*model.table, "adjective_noun") == 0);  // 0.79 against a rule's 0.70: not enough, and it says so
  for (const heads::Subject& subject : model.table->subjects)
    if (subject.accuracy && subject.accuracy->count > 0) CHECK_MESSAGE(subject.accuracy->value() > 0.98, subject.id);
}

TEST_CASE("counting the shipped model on other sentences finds the same names") {
  const heads::Model model = shipped();
  const heads::Table table = heads::measure(model, 200, 99);
  for (const char* id : {"verb_subject", "object_verb", "determiner_noun", "pronoun_antecedent", "repeated", "previous_word"})
    CHECK_MESSAGE(best_earned(table, id) > 0.85, id);
}
