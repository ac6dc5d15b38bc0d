// Practice through ui::Program: typing, pressing, the keyboard's ring, the card of sets, the clipboard.
#include "ui_practice_support.hpp"

using namespace practice_ui_test;
using ui::Key;
using Verdict = app::PracticeView::Verdict;

namespace {

std::string text_of(const app::Question& question) { return app::answer_text(question, question.right); }

}  // namespace

TEST_CASE("an answer is typed into its field, Enter gives it, and it stays there") {
  Bench bench("weight");
  bench.program.use_built_in_editor(true);
  CHECK(bench.editing().empty());
  bench.press("ui:edit:answer");
  REQUIRE(bench.editing() == "answer");
  const auto request = bench.program.edit_request();
  CHECK(request->decimal);
  CHECK(request->text.empty());
  CHECK(request->label == app::to_plain(bench.view().question.label));
  bench.type("0.881");
  bench.key(Key::enter);
  CHECK(bench.editing().empty());
  CHECK(bench.view().progress.answer == "0.881");
  CHECK(bench.view().progress.tries == 1);
  CHECK(bench.view().verdict != Verdict::none);
  bench.press("ui:edit:answer");
  CHECK(bench.program.edit_request()->text == "0.881");
}

TEST_CASE(
    "a first answer counts though its field was empty, an empty one only closes it, and the same again is no try") {
  Bench bench("weight");
  bench.press("ui:edit:answer");
  CHECK_FALSE(bench.program.commit_edit("").has_value());
  CHECK(bench.editing().empty());
  CHECK(bench.view().progress.tries == 0);
  bench.press("ui:edit:answer");
  CHECK_FALSE(bench.program.commit_edit("0.5").has_value());
  CHECK(bench.view().progress.tries == 1);
  bench.press("ui:edit:answer");
  CHECK_FALSE(bench.program.commit_edit("0.5").has_value());
  CHECK(bench.view().progress.tries == 1);
  CHECK(bench.view().progress.answer == "0.5");
}

TEST_CASE("what can't be read is refused, says why, and costs nothing") {
  Bench bench("weight");
  bench.press("ui:edit:answer");
  const auto reason = bench.program.commit_edit("about half");
  REQUIRE(reason.has_value());
  CHECK(reason->find("about half") != std::string::npos);
  CHECK(bench.editing() == "answer");
  CHECK(bench.view().progress.tries == 0);
}

TEST_CASE("a refused answer that is left stays in its field, until it will do, is given up, or another question comes") {
  Bench bench("weight");
  const auto refuse = [&] {
    bench.press("ui:edit:answer");
    REQUIRE(bench.program.commit_edit("about half").has_value());
    bench.program.leave_edit();
    gallery_test::draw(bench.program);
    bench.press("ui:edit:answer");
    CHECK(bench.program.edit_request()->text == "about half");
  };
  refuse();
  CHECK(bench.program.commit_edit("about half").has_value());  // unchanged, and still refused
  bench.program.cancel_edit();                                 // Escape gives it up
  bench.press("ui:edit:answer");
  CHECK(bench.program.edit_request()->text.empty());
  bench.program.cancel_edit();

  refuse();
  CHECK_FALSE(bench.program.commit_edit("0.881").has_value());
  bench.press("ui:edit:answer");
  CHECK(bench.program.edit_request()->text == "0.881");
  CHECK(bench.program.commit_edit("x").has_value());
  CHECK_FALSE(bench.program.commit_edit("0.881").has_value());  // the old one again
  bench.press("ui:edit:answer");
  CHECK(bench.program.edit_request()->text == "0.881");
  bench.program.cancel_edit();

  must(bench.program, app::GoToQuestion{1});
  refuse();
  must(bench.program, app::GoToQuestion{2});
  gallery_test::draw(bench.program);
  bench.press("ui:edit:answer");
  CHECK(bench.program.edit_request()->text.empty());
}

TEST_CASE("Check opens the field, and ends it when something stands in it") {
  Bench bench("weight");
  bench.program.use_built_in_editor(true);
  bench.press("ui:check");
  REQUIRE(bench.editing() == "answer");
  bench.type("0.5");
  bench.press("ui:check");
  CHECK(bench.editing().empty());
  CHECK(bench.view().progress.answer == "0.5");
}

TEST_CASE("a host's own field closes under the pointer: the press on Check doesn't open it again") {
  Bench bench("weight");
  bench.press("ui:check");
  REQUIRE(bench.editing() == "answer");
  const auto check = bench.find("ui:check");
  const float x = check->rect.x + 10, y = check->rect.y + 10;
  bench.program.pointer_move(x, y);
  bench.program.pointer_down(x, y);
  CHECK_FALSE(bench.program.commit_edit("0.5").has_value());  // the field lost the focus
  bench.program.pointer_up(x, y);
  draw(bench.program);
  CHECK(bench.editing().empty());
  CHECK(bench.view().progress.answer == "0.5");
}

TEST_CASE("a recognised slip leads to its place in the walkthrough") {
  Bench bench("weight");
  REQUIRE_FALSE(bench.view().question.slips.empty());
  CHECK_FALSE(bench.find("show-on-canvas").has_value());
  must(bench.program, app::GiveAnswer{app::answer_text(bench.view().question, bench.view().question.slips[0].answer)});
  REQUIRE(bench.view().verdict == Verdict::slip);
  const app::Cell cell = *bench.view().question.cell;
  bench.press("show-on-canvas");
  CHECK(bench.program.state().page == app::Page::walkthrough);
  CHECK(bench.program.state().step == app::Step::softmax);
  CHECK(bench.program.state().pinned == cell);
}

TEST_CASE("what has just come is scrolled to before anything is shown: one frame, and nothing more to draw") {
  ui::Viewport phone = viewport_of(390, 640);
  phone.reduced_motion = true;
  Bench bench(phone);
  must(bench.program, app::OpenPractice{"weight"});
  bench.program.frame(0);
  REQUIRE_FALSE(bench.program.wants_frame(0));
  must(bench.program, app::GiveAnswer{"0.119"});
  CHECK(bench.program.wants_frame(0));
  bench.program.frame(0);
  CHECK_FALSE(bench.program.wants_frame(0));
}

TEST_CASE("hints come one by one until the button is off") {
  Bench bench("weight");
  const std::size_t all = bench.view().question.hints.size();
  REQUIRE(all >= 1);
  for (std::size_t i = 0; i < all; ++i) {
    CHECK(bench.find("hint")->enabled);
    bench.press("hint");
    CHECK(bench.view().hints.size() == i + 1);
  }
  CHECK_FALSE(bench.find("hint")->enabled);
  must(bench.program, app::SetPractice{"hints", "off"});
  CHECK_FALSE(bench.find("hint").has_value());
}

TEST_CASE("Try again takes the answer back, the solution shows everything, and then the next question can come") {
  Bench bench("weight");
  CHECK_FALSE(bench.find("try-again").has_value());
  CHECK_FALSE(bench.find("next-question")->enabled);
  must(bench.program, app::GiveAnswer{bench.unknown_answer()});
  CHECK(bench.view().verdict == Verdict::wrong);
  bench.press("try-again");
  CHECK(bench.view().verdict == Verdict::none);
  CHECK(bench.view().progress.tries == 1);
  bench.press("solution");
  CHECK(bench.view().solution_shown);
  CHECK_FALSE(bench.find("solution").has_value());
  CHECK(bench.find("next-question")->enabled);
  bench.press("next-question");
  CHECK(bench.view().at == 1);
  bench.press("question:1");
  CHECK(bench.view().at == 0);
}

TEST_CASE("by keyboard: typed, Enter, Tab to the next question, and the ring is on its answer") {
  Bench bench("weight");
  bench.program.use_built_in_editor(true);
  bench.tab_to("ui:edit:answer");
  bench.key(Key::enter);
  REQUIRE(bench.editing() == "answer");
  bench.type(text_of(bench.view().question));
  bench.key(Key::enter);
  CHECK(bench.view().verdict == Verdict::right);
  bench.tab_to("next-question");
  bench.key(Key::enter);
  REQUIRE(bench.view().at == 1);
  bench.key(Key::enter);
  CHECK(bench.editing() == "answer");
  CHECK(bench.program.edit_request()->text.empty());
}

TEST_CASE("by keyboard: Try again leads back to the answer, and Tab goes from the field to Check") {
  Bench bench("weight");
  bench.program.use_built_in_editor(true);
  must(bench.program, app::GiveAnswer{"0.5"});
  bench.tab_to("try-again");
  bench.key(Key::enter);
  CHECK(bench.view().progress.answer.empty());
  bench.key(Key::enter);
  REQUIRE(bench.editing() == "answer");
  bench.type("0.25");
  bench.key(Key::tab);  // gives it, and goes on to Check
  CHECK(bench.view().progress.answer == "0.25");
  bench.key(Key::tab);  // Hint
  bench.key(Key::enter);
  CHECK(bench.view().hints.size() == 1);
}

TEST_CASE("with the pointer no ring moves, whatever question comes") {
  Bench bench("weight");
  must(bench.program, app::ShowSolution{});
  bench.press("next-question");
  CHECK_FALSE(bench.program.has_keyboard_focus_inside());
}

TEST_CASE("a choice is taken by pointer, and by arrows and Enter") {
  const auto [set, at] = question_that(app::Asks::choice);
  {
    Bench bench(set, at);
    bench.press("answer:2");
    CHECK(bench.view().progress.answer == "2");
    bench.press("answer:1");
    CHECK(bench.view().progress.answer == "1");
  }
  Bench bench(set, at);
  CHECK_FALSE(bench.find("ui:check").has_value());
  bench.tab_to("answer:1");
  bench.key(Key::down);
  bench.key(Key::enter);
  CHECK(bench.view().progress.answer == "2");
  bench.key(Key::up);
  bench.key(Key::space);
  CHECK(bench.view().progress.answer == "1");
}

TEST_CASE("a cell of the picture is clicked, or reached with arrows") {
  const auto [set, at] = question_that(app::Asks::click);
  const auto action_of = [](const app::Cell& cell) { return "answer:" + app::to_text(cell); };
  {
    Bench bench(set, at);
    const auto right = std::get<app::Cell>(bench.view().question.right);
    bench.press(action_of(right));
    CHECK(bench.view().verdict == Verdict::right);
  }
  Bench bench(set, at);
  const auto right = std::get<app::Cell>(bench.view().question.right);
  bench.tab_to(action_of({right.tensor, right.head, 0, 0}));
  for (int i = 0; i < right.row; ++i) bench.key(Key::down);
  for (int i = 0; i < right.col; ++i) bench.key(Key::right);
  bench.key(Key::enter);
  CHECK(bench.view().verdict == Verdict::right);
}

TEST_CASE("the chip opens the sets: another one, hints, seed and count") {
  Bench bench("mixed");
  bench.press("ui:sets");
  bench.press("practice-hints:off", Popover::sets);
  CHECK_FALSE(bench.program.state().practice.hints);
  bench.press("ui:edit:practice.seed", Popover::sets);  // the card is still open
  REQUIRE(bench.editing() == "practice.seed");
  CHECK_FALSE(bench.program.commit_edit("42").has_value());
  CHECK(bench.program.state().practice.seed == 42);
  bench.press("ui:edit:practice.count", Popover::sets);
  REQUIRE(bench.editing() == "practice.count");
  CHECK(bench.program.commit_edit("0").has_value());
  CHECK_FALSE(bench.program.commit_edit("3").has_value());
  CHECK(bench.view().count == 3);
  bench.press("practice:lesson", Popover::sets);
  CHECK(bench.program.state().practice.set == "lesson");
  bench.key(Key::tab);  // the card is closed: Tab walks on the page
  CHECK_FALSE(bench.find("ui:edit:practice.seed", Popover::sets).has_value());  // the lesson's ten have no seed
}

TEST_CASE("a finished set offers its result to the clipboard, once for each press, and more questions") {
  Bench bench("weight");
  must(bench.program, app::SetPractice{"count", "2"});
  CHECK_FALSE(bench.find("ui:copy:result").has_value());
  for (int i = 0; i < 2; ++i) {
    must(bench.program, app::GoToQuestion{i});
    must(bench.program, app::GiveAnswer{text_of(bench.view().question)});
  }
  REQUIRE(bench.view().finished);
  CHECK_FALSE(bench.program.take_copy_request().has_value());
  bench.press("ui:copy:result");
  CHECK(bench.program.take_copy_request() == bench.view().result);
  CHECK_FALSE(bench.program.take_copy_request().has_value());
  bench.press("ui:sets");
  bench.press("ui:copy:link", Popover::sets);
  CHECK(bench.program.take_copy_request() == app::to_query(bench.program.state()));
  bench.key(Key::escape);
  const auto seed = bench.program.state().practice.seed;
  bench.press("more-questions");
  CHECK(bench.program.state().practice.seed == seed + 1);
  CHECK(bench.view().at == 0);
}
