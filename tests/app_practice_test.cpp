// Practice as a state: answers judged, progress kept, links, and what is refused.
#include "app_support.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>
#include <vector>

using namespace app_test;

namespace {

State practising(std::string set = "weight", int count = 5) {
  State state;
  REQUIRE(!update(state, OpenPage{Page::practice}));
  REQUIRE(!update(state, OpenPractice{std::move(set)}));
  REQUIRE(!update(state, SetPractice{"count", std::to_string(count)}));
  return state;
}

PracticeView view_of(const State& state) { return derive(state).practice; }

std::string right_text(const State& state) {
  const Question question = question_at(state, state.practice.at);
  return answer_text(question, question.right);
}

void answer(State& state, const std::string& text) { REQUIRE_MESSAGE(!update(state, GiveAnswer{text}), text); }

using Verdict = PracticeView::Verdict;

}  // namespace

TEST_CASE("practice: a right answer is one, and the solution comes with it") {
  State state = practising();
  CHECK(view_of(state).verdict == Verdict::none);
  answer(state, right_text(state));
  const PracticeView view = view_of(state);
  CHECK(view.verdict == Verdict::right);
  CHECK(view.heading == "Right, at the first try");
  CHECK(view.solution_shown);
  CHECK(!view.question.solution.empty());
  CHECK(view.progress.tries == 1);
  CHECK(view.tags[0].look == PracticeView::Tag::Look::solved);
}

TEST_CASE("practice: the value without scaling is recognised and named, and a later right answer solves it") {
  State state = practising();
  int place = 0;
  const auto slip_at = [&] {
    const Question question = question_at(state, state.practice.at);
    for (std::size_t i = 0; i < question.slips.size(); ++i)
      if (question.slips[i].id == "no_scaling") return static_cast<int>(i);
    return -1;
  };
  while (slip_at() < 0) REQUIRE(!update(state, GoToQuestion{++place}));  // equal scores have no such slip
  const Question question = question_at(state, state.practice.at);
  answer(state, format_number(std::get<double>(question.slips[static_cast<std::size_t>(slip_at())].answer), 3));
  PracticeView view = view_of(state);
  CHECK(view.verdict == Verdict::slip);
  CHECK(view.slip == slip_at());
  CHECK(view.heading == "Not yet: the scale step is missing");
  CHECK(!view.solution_shown);
  REQUIRE(!update(state, TryAgain{}));
  CHECK(view_of(state).verdict == Verdict::none);
  answer(state, right_text(state));
  view = view_of(state);
  CHECK(view.heading == "Right");
  CHECK(view.progress.tries == 2);
}

TEST_CASE("practice: the same answer again is no further try, and a far one isn't called a slip") {
  State state = practising();
  answer(state, "0.5001234");
  answer(state, " 0.5001234 ");
  CHECK(view_of(state).progress.tries == 1);
  CHECK(view_of(state).verdict == Verdict::wrong);
  CHECK(view_of(state).heading == "Not yet");
  answer(state, "17");
  CHECK(view_of(state).progress.tries == 2);
}

TEST_CASE("practice: an answer that can't be read is refused by name, costs nothing and changes nothing") {
  State state = practising();
  const State before = state;
  for (const char* text : {"", "  ", "abc", "0.5x", "1..2", "nan", "inf", "1e999", "1,000.5", "3/0", "%"}) {
    const auto reason = update(state, GiveAnswer{text});
    REQUIRE_MESSAGE(reason, text);
    CHECK(!reason->empty());
    CHECK(state == before);
  }
  const auto reason = update(state, GiveAnswer{"abc"});
  CHECK(reason->find("abc") != std::string::npos);
  CHECK(reason->find("wanted") != std::string::npos);
}

TEST_CASE("practice: numbers may be typed as people type them") {
  Question question;
  question.right = 0.8125;
  question.tolerance = 0.0006;
  for (const char* text : {"0.8125", "0,8125", " .8125", "13/16", "81.25%", "81.25 %", "8.125e-1", "0.813"}) {
    const auto read = read_answer(question, text);
    REQUIRE_MESSAGE(std::holds_alternative<Answer>(read), text);
    CHECK_MESSAGE(is_right(question, std::get<Answer>(read)), text);
  }
  const auto off = read_answer(question, "0.811");
  CHECK(!is_right(question, std::get<Answer>(off)));
  question.right = -2.0;
  CHECK(is_right(question, std::get<Answer>(read_answer(question, "−2"))));
}

TEST_CASE("practice: counts may be said in full or in short, and a slip that is near stays a slip") {
  Question question;
  question.whole = true;
  question.tolerance = 0.5;
  question.right = 603979776.0;
  Slip biases;
  biases.answer = 604028928.0;
  question.slips = {biases};
  for (const char* text : {"603979776", "603,979,776", "603 979 776", "604 million", "604M", "0.604 B", "6.04e8"}) {
    const auto read = read_answer(question, text);
    REQUIRE_MESSAGE(std::holds_alternative<Answer>(read), text);
    CHECK_MESSAGE(is_right(question, std::get<Answer>(read)), text);
  }
  const auto other = read_answer(question, "604028928");
  CHECK(!is_right(question, std::get<Answer>(other)));
  CHECK(same_answer(question, std::get<Answer>(other), biases.answer));
  for (const char* text : {"603979775", "600 million", "1.2 B"}) {
    const auto read = read_answer(question, text);
    REQUIRE_MESSAGE(std::holds_alternative<Answer>(read), text);
    CHECK_MESSAGE(!is_right(question, std::get<Answer>(read)), text);
  }
}

TEST_CASE("practice: shapes, choices and cells are read in several spellings, and refused by name") {
  Question question;
  question.asks = Asks::shape;
  question.right = attention::Shape{2, 6};
  for (const char* text : {"2 × 6", "2x6", "2 X 6", "2,6", "(2, 6)", "[2, 6]", "2 by 6", "2 6", "2*6", "2·6"}) {
    const auto read = read_answer(question, text);
    REQUIRE_MESSAGE(std::holds_alternative<Answer>(read), text);
    CHECK_MESSAGE(is_right(question, std::get<Answer>(read)), text);
  }
  for (const char* text : {"26", "2x6x1", "two by six", "2.5 x 6", "-2 x 6", "2 x"})
    CHECK_MESSAGE(std::holds_alternative<attention::Problem>(read_answer(question, text)), text);

  question.asks = Asks::choice;
  question.right = 1;
  question.choices.resize(3);
  CHECK(is_right(question, std::get<Answer>(read_answer(question, "2"))));
  CHECK(is_right(question, std::get<Answer>(read_answer(question, "b"))));
  CHECK(!is_right(question, std::get<Answer>(read_answer(question, "C"))));
  for (const char* text : {"0", "4", "d", "yes", "-1"})
    CHECK_MESSAGE(std::holds_alternative<attention::Problem>(read_answer(question, text)), text);

  question.asks = Asks::click;
  question.right = Cell{Tensor::pattern, 1, 0, 1};
  CHECK(is_right(question, std::get<Answer>(read_answer(question, "pattern.2.1.2"))));
  CHECK(!is_right(question, std::get<Answer>(read_answer(question, "pattern.2.1.1"))));
  for (const char* text : {"X.1.1", "pattern", "2", "pattern.0.1.1"})
    CHECK_MESSAGE(std::holds_alternative<attention::Problem>(read_answer(question, text)), text);
}

TEST_CASE("practice: what answer_text writes, read_answer reads back as right, for every type") {
  State state;
  for (const QuestionType& type : question_types())
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const Question question = make_question(state, type.id, seed);
      if (!question.waiting.empty()) continue;
      const auto read = read_answer(question, answer_text(question, question.right));
      REQUIRE_MESSAGE(std::holds_alternative<Answer>(read), type.id, " ", seed);
      CHECK_MESSAGE(is_right(question, std::get<Answer>(read)), type.id, " ", seed);
      CHECK(question.tag.size() <= 12);
      CHECK(question.id == type.id);
    }
}

TEST_CASE("practice: hints come one by one, and a set without hints has none") {
  State state = practising();
  const int all = static_cast<int>(question_at(state, 0).hints.size());
  REQUIRE(all >= 2);
  for (int i = 1; i <= all; ++i) {
    REQUIRE(!update(state, ShowHint{}));
    CHECK(static_cast<int>(view_of(state).hints.size()) == i);
  }
  CHECK(update(state, ShowHint{}) == "That was the last hint.");
  REQUIRE(!update(state, SetPractice{"hints", "off"}));
  REQUIRE(!update(state, GoToQuestion{1}));
  CHECK(update(state, ShowHint{}) == "This set is asked without hints.");
  CHECK(update(state, ShowSolution{}) == "Answer once, then the solution can be seen.");
  answer(state, "0.5001234");
  CHECK(!update(state, ShowSolution{}));
}

TEST_CASE("practice: a solution that was looked at is no solved question, also after the right answer") {
  State state = practising();
  REQUIRE(!update(state, ShowSolution{}));
  CHECK(view_of(state).solution_shown);
  CHECK(view_of(state).tags[0].look == PracticeView::Tag::Look::shown);
  CHECK(update(state, ShowSolution{}));
  answer(state, right_text(state));
  CHECK(view_of(state).heading == "That is it");
  CHECK(view_of(state).result.find("0 of 5 solved") != std::string::npos);
  CHECK(view_of(state).result.find("1 solution looked at") != std::string::npos);
}

TEST_CASE("practice: the result line counts what happened, and holds a link that opens the same") {
  State state = practising("weight", 3);
  answer(state, right_text(state));
  REQUIRE(!update(state, NextQuestion{}));
  REQUIRE(!update(state, ShowHint{}));
  answer(state, "0.5001234");
  answer(state, right_text(state));
  REQUIRE(!update(state, NextQuestion{}));
  CHECK(update(state, NextQuestion{}) == "This is the last question.");
  CHECK(!view_of(state).finished);
  REQUIRE(!update(state, ShowSolution{}));
  const PracticeView view = view_of(state);
  CHECK(view.finished);
  CHECK(view.result.find(
            "weight, seed 1: 2 of 3 solved, 1 at the first try without a hint, 1 with hints, 1 solution looked at") !=
        std::string::npos);
  const std::string link = view.result.substr(view.result.find(" ?") + 1);
  CHECK(link == to_query(state));
  const State again = read_query(link);
  CHECK(again.notice.empty());
  CHECK(to_query(again) == link);
  CHECK(view_of(again).result == view.result);
  CHECK(view_of(again).finished);
}

TEST_CASE("practice: a link restores set, seed, count, hints, place and progress, after any walk") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Random random(seed);
    State state = practising(random.whole(0, 1) ? "mixed" : "weight", random.whole(1, 9));
    for (int i = 0; i < 12; ++i) switch (random.whole(0, 6)) {
        case 0: update(state, SetPractice{"seed", std::to_string(random.whole(0, 999999))}); break;
        case 1: update(state, SetPractice{"hints", random.whole(0, 1) ? "on" : "off"}); break;
        case 2: update(state, GoToQuestion{random.whole(0, 8)}); break;
        case 3: update(state, ShowHint{}); break;
        case 4: update(state, ShowSolution{}); break;
        case 5: update(state, GiveAnswer{right_text(state)}); break;
        default: update(state, GiveAnswer{"1"}); break;
      }
    const std::string query = to_query(state);
    const State again = read_query(query);
    CHECK_MESSAGE(again.notice.empty(), query, " says ", again.notice);
    CHECK(to_query(again) == query);
    const Practice &a = state.practice, &b = again.practice;
    CHECK((a.set == b.set && a.seed == b.seed && a.count == b.count && a.at == b.at && a.hints == b.hints));
    for (std::size_t i = 0; i < b.progress.size(); ++i) {
      CHECK(a.progress[i].tries == b.progress[i].tries);
      CHECK((a.progress[i].solved == b.progress[i].solved && a.progress[i].shown == b.progress[i].shown));
      CHECK(a.progress[i].hints == b.progress[i].hints);
    }
    for (std::size_t i = b.progress.size(); i < a.progress.size(); ++i) CHECK(a.progress[i].tries == 0);
  }
}

TEST_CASE("practice: a teacher's link opens its set, and what is wrong in one is said") {
  State state = read_query("?page=practice&practice=weight&seed=7&count=10&hints=off");
  CHECK(state.notice.empty());
  CHECK((state.practice.set == "weight" && state.practice.seed == 7 && state.practice.count == 10));
  CHECK(!state.practice.hints);
  CHECK(state.gallery.training.plan == State{}.gallery.training.plan);

  const auto says = [](const char* query, const char* part) {
    const State read = read_query(query);
    CHECK_MESSAGE(read.notice.find(part) != std::string::npos, query, " says ", read.notice);
    return read;
  };
  CHECK(says("?practice=nonsense", "nonsense").practice.set == "lesson");
  CHECK(says("?practice=weight&seed=-1", "seed=-1").practice.seed == 1);
  CHECK(says("?practice=weight&count=0", "count=0").practice.count == 0);
  CHECK(says("?practice=weight&count=5000", "count=5000").practice.count == kMostQuestions);
  CHECK(says("?practice=weight&question=99", "question").practice.at == 7);
  CHECK(says("?practice=weight&hints=maybe", "hints=maybe").practice.hints);
  CHECK(says("?practice=weight&progress=1s.zz.2", "zz").practice.progress.size() == 3);
  std::string huge = "?practice=weight&progress=";
  for (int i = 0; i < 50000; ++i) huge += "1.";
  CHECK(read_query(huge).practice.progress.size() <= 8);
}

TEST_CASE("practice: the plan's seed and practice's don't take each other's place") {
  State state = practising("weight", 3);
  REQUIRE(!update(state, SetPractice{"seed", "7"}));
  REQUIRE(!update(state, SetPlan{"seed", "9"}));
  const State again = read_query(to_query(state));
  CHECK(again.practice.seed == 7);
  CHECK(again.gallery.training.plan == state.gallery.training.plan);
  CHECK(read_query("?page=gallery&seed=9").gallery.training.plan == state.gallery.training.plan);
  CHECK(read_query("?plan_seed=9").gallery.training.plan == state.gallery.training.plan);
}

TEST_CASE("practice: one seed always asks the same, another seed something else") {
  const State a = practising("mixed", 8), b = practising("mixed", 8);
  std::set<std::string> tags;
  for (int i = 0; i < 8; ++i) {
    const Question question = question_at(a, i);
    CHECK(hash_of(question) == hash_of(question_at(b, i)));
    tags.insert(question.id);
  }
  CHECK(tags.size() == std::min<std::size_t>(8, tags.size()));
  State other = a;
  REQUIRE(!update(other, MoreQuestions{}));
  CHECK(other.practice.seed == a.practice.seed + 1);
  int same = 0;
  for (int i = 0; i < 8; ++i) same += hash_of(question_at(a, i)) == hash_of(question_at(other, i));
  CHECK(same < 4);
}

TEST_CASE("practice: a question about the learner's own numbers follows them, and progress of the old one is let go") {
  State state = practising();
  const Question before = question_at(state, 0);
  answer(state, right_text(state));
  CHECK(view_of(state).verdict == Verdict::right);
  REQUIRE(before.cell);
  const Cell cell = *before.cell;
  REQUIRE(!update(state, SetCell{{Tensor::X, -1, cell.row, 2}, 0.7}));
  REQUIRE(!update(state, SetCell{{Tensor::X, -1, cell.row, 0}, -1.3}));
  const Question after = question_at(state, 0);
  CHECK(after.title == before.title);
  CHECK(hash_of(after) != hash_of(before));
  const PracticeView view = view_of(state);
  CHECK(view.verdict == Verdict::none);
  CHECK(view.progress.tries == 0);
  CHECK(after.given.find("your own numbers") != std::string::npos);
  CHECK(std::get<double>(after.right) == doctest::Approx(value_of(state, derive(state), cell)));
  answer(state, right_text(state));
  CHECK(view_of(state).verdict == Verdict::right);
  REQUIRE(!update(state, Undo{}));
  REQUIRE(!update(state, Undo{}));
  CHECK(view_of(state).verdict == Verdict::none);  // the first question again, as if never asked
}

TEST_CASE("practice: show me on the canvas opens the walkthrough at the cell, and the way back keeps everything") {
  State state = practising();
  answer(state, "0.5001234");
  const Practice before = state.practice;
  const Question question = question_at(state, 0);
  REQUIRE(!update(state, ShowOnCanvas{}));
  CHECK(state.page == Page::walkthrough);
  CHECK(state.step == Step::softmax);
  CHECK(derive(state).shown == question.cell);
  CHECK(state.practice == before);
  REQUIRE(!update(state, OpenPage{Page::practice}));
  CHECK(view_of(state).verdict == Verdict::wrong);
}

TEST_CASE("practice: every refused action says why and changes nothing") {
  const State start = practising();
  for (const Action& action :
       std::vector<Action>{OpenPractice{"x"}, OpenPractice{"weight,,score"}, OpenPractice{std::string(500, 'a')},
                           SetPractice{"seed", "-3"}, SetPractice{"seed", "1e9"}, SetPractice{"count", "0"},
                           SetPractice{"count", "101"}, SetPractice{"hints", "yes"}, SetPractice{"other", "1"},
                           GoToQuestion{-1}, GoToQuestion{5}, TryAgain{}}) {
    State state = start;
    const auto reason = update(state, action);
    REQUIRE_MESSAGE(reason, to_text(action));
    CHECK(!reason->empty());
    CHECK(state == start);
  }
  State lesson = start;
  REQUIRE(!update(lesson, OpenPractice{"lesson"}));
  CHECK(update(lesson, MoreQuestions{}));
}

TEST_CASE("practice: actions as text come back as they were") {
  for (const char* text :
       {"practice:mixed", "practice-seed:7", "practice-count:10", "practice-hints:off", "answer:0.881", "question:3",
        "try-again", "hint", "solution", "next-question", "more-questions", "show-on-canvas", "page:practice"}) {
    const auto read = read_action(text);
    REQUIRE_MESSAGE(std::holds_alternative<Action>(read), text);
    CHECK(to_text(std::get<Action>(read)) == text);
  }
  CHECK(std::holds_alternative<attention::Problem>(read_action("question:0")));
}

TEST_CASE("practice: the description asks, judges and offers everything, and gives nothing away") {
  State state = practising();
  const auto described = [&] { return describe(state, derive(state)); };
  Description description = described();
  CHECK(description.page == "practice");
  CHECK(description.sentence.find("Question 1 of 5") != std::string::npos);
  const Question question = question_at(state, 0);
  const std::string right = format_number(std::get<double>(question.right), 3);
  CHECK(to_json(description).find(right) == std::string::npos);
  const auto field = [&](std::string_view action) {
    for (const DescribedField& it : description.fields)
      if (it.action == action) return true;
    return false;
  };
  CHECK(field("answer:"));
  CHECK(field("practice-seed:"));
  CHECK(field("practice-count:"));
  for (const DescribedControl& control : description.controls)
    CHECK_MESSAGE(std::holds_alternative<Action>(read_action(control.action)), control.action);
  answer(state, "0.5001234");
  description = described();
  CHECK(description.sentence.find("Not yet") != std::string::npos);
  answer(state, right_text(state));
  description = described();
  CHECK(to_json(description).find(right) != std::string::npos);
}
