// The words of questions and of the budget where a number is one, negative or rounded, and what refusals may not tell.
#include "app_budget_support.hpp"
#include "app_practice_facts_support.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>

using namespace practice_test;

namespace {

constexpr std::uint64_t kSeeds = 120;

template <class Look>
void each_question(const State& state, const Look& look) {
  for (const auto& type : app::question_types())
    for (std::uint64_t seed = 1; seed <= (type.lesson ? 1 : kSeeds); ++seed) look(make_question(state, type.id, seed));
}

const app::Slip* slip_of(const Question& question, std::string_view id) {
  for (const app::Slip& slip : question.slips)
    if (slip.id == id) return &slip;
  return nullptr;
}

std::string first_of(const Question& question, std::string_view id) {
  const app::Slip* slip = slip_of(question, id);
  return slip ? slip->first_name : "";
}

}  // namespace

TEST_CASE("words: a refusal's example is never the answer") {
  each_question({}, [](const Question& question) {
    if (!question.waiting.empty()) return;
    const auto read = read_answer(question, "??");
    const auto* problem = std::get_if<attention::Problem>(&read);
    REQUIRE(problem);
    if (question.asks == Asks::choice) return;
    std::string example = problem->wanted.substr(problem->wanted.rfind("as ") + 3);
    for (const std::string& each : {example.substr(0, example.find(" or ")), example.substr(example.rfind(" or ") + 1)})
      if (const auto again = read_answer(question, each); const app::Answer* answer = std::get_if<app::Answer>(&again))
        CHECK_MESSAGE(!is_right(question, *answer), question.id, ": ", problem->wanted);
  });
}

TEST_CASE("words: a shape without rows or columns is refused") {
  const Question question = make_question({}, "shape", 1);
  for (const char* text : {"0 x 10", "0x10", "4 x 0"})
    CHECK_MESSAGE(std::holds_alternative<attention::Problem>(read_answer(question, text)), text);
}

TEST_CASE("words: behind a sign a negative number stands in brackets") {
  int met = 0;
  each_question(edited_state(2, 1), [&](const Question& question) {
    for (const app::Slip& slip : question.slips) {
      const std::string way = plain_of(slip.way);
      met += way.find("(−") != std::string::npos;
      for (const char* bare : {"· −", "+ −"})
        CHECK_MESSAGE(way.find(bare) == std::string::npos, question.id, " ", slip.id, ": ", way);
    }
  });
  CHECK(met > 100);
}

TEST_CASE("words: a rounded number has three decimals in what is given, as in the solution") {
  const Question question = make_question({}, "head_output", 3);
  CHECK(to_plain(question.given).find("0.330 for dogs") != std::string::npos);
  CHECK(plain_of(question.solution).find("0.330") != std::string::npos);
}

TEST_CASE("words: the first step that a slip names is one that it does differently") {
  int axis = 0, head = 0, scaled = 0, share = 0;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const Question weight = make_question({}, "weight", seed), score = make_question({}, "score", seed);
    if (const app::Slip* slip = slip_of(weight, "wrong_axis")) {
      ++axis;
      CHECK(slip->first_name == "Sum of the row");
      CHECK(plain_of(slip->first).find(" + e^") != std::string::npos);
    }
    for (const char* id : {"other_head_1", "other_head_2", "other_head_3", "swapped"})
      if (slip_of(weight, id)) {
        ++head;
        CHECK(first_of(weight, id) == "First scale");
      }
    if (slip_of(score, "scaled_already")) {
      ++scaled;
      CHECK(first_of(score, "scaled_already") == "Products only");
    }
    const Question mask = make_question({}, "mask", seed);
    for (const char* id : {"other_key_1", "other_key_2"})
      if (slip_of(mask, id) && std::get<double>(mask.right) > 0) {
        ++share;
        CHECK(first_of(mask, id) == "First power");
      }
  }
  for (const int met : {axis, head, scaled, share}) CHECK(met > 5);
}

TEST_CASE("words: one head is one, and one name of two tokens says which") {
  State state;
  REQUIRE(!update(state, app::OpenSpecimen{app::Source::shipped, shipped_specimen()}));
  std::set<std::string> seen;
  each_question(state, [&](const Question& question) {
    std::string all = to_plain(question.title + " " + question.given + " " + question.solution_says);
    for (const std::string& hint : question.hints) all += " " + to_plain(hint);
    for (const app::Choice& choice : question.choices) {
      const std::string text = to_plain(choice.text), why = to_plain(choice.why);
      all += " " + why;
      if (question.id == "prune" && text.starts_with("Head ")) CHECK_MESSAGE(why.find("Their") == why.npos, why);
      if (question.id == "prune" && text.starts_with("Head ")) CHECK_MESSAGE(why.find("Those are") == why.npos, why);
    }
    for (const char* amiss : {"Which shape has", "head of one head", "203 a and an", "does it make", "columns 1 to 2"})
      CHECK_MESSAGE(all.find(amiss) == all.npos, question.id, ": ", all);
    if (all.find("No head can earn the name") != all.npos) seen.insert("unearnable");
    if (all.find("reaches 100 %") != all.npos) CHECK_MESSAGE(all.find("already reaches 100 %") != all.npos, all);
    if (all.find("the earlier ") != all.npos || all.find("the later ") != all.npos) seen.insert("which");
  });
  CHECK(seen.size() == 2);
}

TEST_CASE("words: a link's place that can't be read is said once") {
  const State state = app::read_query("?page=practice&practice=mixed&question=two");
  CHECK(state.notice.find("question=two") != std::string::npos);
  CHECK(state.notice.find("question=0") == std::string::npos);
  CHECK(app::read_query("?page=practice&practice=,").notice.find("called nothing") == std::string::npos);
}

TEST_CASE("words: the budget of one of everything has no plural") {
  State state = app::read_query("?page=budget&budget=d_model:1,h:1,layers:1,cross_layers:0,d_ff:1,n:1,bytes:1");
  std::string all;
  for (int panel = 0; panel < app::kBudgetPanels; ++panel) {
    state.budget.panel = static_cast<app::BudgetPanel>(panel);
    for (int amount = 0; amount < app::kAmounts; ++amount) {
      state.budget.pinned = static_cast<app::Amount>(amount);
      const app::BudgetView view = app::derive_budget(state.budget, nullptr);
      all += view.spoken + " " + to_plain(view.overtakes + view.cache_line + view.weights_line + view.rank_text) + "\n";
    }
  }
  for (const char* plural : {" 1 tokens", " 1 numbers ", " 1 attention maps", "all 1 ", " 1 are ", " 1 heads"})
    CHECK_MESSAGE(all.find(plural) == all.npos, plural, " in ", all);
}
