// A program whose other pages' code comes later: it keeps back what needs them, and carries it out once they are there.
#include "ui_gallery_support.hpp"

#include "doctest/doctest.h"

using namespace gallery_test;
using Wants = ui::Program::Wants;

namespace {

struct Walkthrough {
  ui::Program program{viewport_of(1280, 800)};
  Walkthrough() {
    program.expect_pages();
    gallery_test::draw(program);
  }
  void go(std::string_view text) {
    const auto read = app::read_action(text);
    REQUIRE_MESSAGE(std::holds_alternative<app::Action>(read), text);
    CHECK_FALSE(program.dispatch(std::get<app::Action>(read)).has_value());
  }
};

}  // namespace

TEST_CASE("another page waits until the pages are there, and nothing of it is touched before") {
  Walkthrough it;
  const app::State before = it.program.state();
  CHECK(it.program.wants_pages() == Wants::nothing);
  it.go("page:budget");
  it.go("preset:gpt3");
  it.go("view:rank");
  CHECK(it.program.state() == before);
  CHECK(it.program.derived().budget.presets.empty());
  CHECK(it.program.wants_pages() == Wants::now);
  it.go("step:softmax");  // the walkthrough goes on meanwhile
  CHECK(it.program.state().step == app::Step::softmax);
  gallery_test::draw(it.program);
  it.program.pages_are_here();
  CHECK(it.program.wants_pages() == Wants::nothing);
  CHECK(it.program.state().page == app::Page::budget);
  CHECK(it.program.state().budget.panel == app::BudgetPanel::rank);
  CHECK_FALSE(it.program.derived().budget.presets.empty());
  CHECK(it.program.state().step == app::Step::softmax);
  CHECK(it.program.state().notice.empty());
}

TEST_CASE("what the pages refuse once they are there is said") {
  Walkthrough it;
  it.go("page:practice");
  it.go("question:9999");
  it.program.pages_are_here();
  CHECK(it.program.state().page == app::Page::practice);
  CHECK_FALSE(it.program.state().notice.empty());
}

TEST_CASE("who goes back to the walkthrough waits for nothing; pages that can't be had are forgotten") {
  Walkthrough it;
  it.go("page:gallery");
  it.go("page:walkthrough");
  CHECK(it.program.wants_pages() == Wants::nothing);
  it.go("page:gallery");
  it.program.give_up_pages();
  CHECK(it.program.wants_pages() == Wants::nothing);
  it.program.pages_are_here();
  CHECK(it.program.state().page == app::Page::walkthrough);
  it.go("page:gallery");  // and from now on at once
  CHECK(it.program.state().page == app::Page::gallery);
}

TEST_CASE("the tab that is awaited is marked, and a pointer or the ring on a tab asks for the pages soon") {
  Walkthrough it;
  for (float x = 0; x < 1280 && it.program.wants_pages() == Wants::nothing; x += 4) it.program.pointer_move(x, 24);
  REQUIRE(it.program.wants_pages() == Wants::soon);
  it.program.pointer_leave();
  CHECK(it.program.wants_pages() == Wants::nothing);
  it.program.focus(1);
  int tabs = 0;
  for (; tabs < 80 && it.program.wants_pages() == Wants::nothing; ++tabs) {
    it.program.key(ui::Key::tab, 0);
    gallery_test::draw(it.program);
  }
  CHECK(it.program.wants_pages() == Wants::soon);
  CHECK(it.program.focused_action().starts_with("page:"));
  it.program.blur();
  CHECK(it.program.wants_pages() == Wants::nothing);
}

TEST_CASE("whatever isn't the walkthrough's needs the other pages") {
  const auto needs = [](std::string_view text) {
    const auto read = app::read_action(text);
    REQUIRE_MESSAGE(std::holds_alternative<app::Action>(read), text);
    return app::needs_other_pages(std::get<app::Action>(read));
  };
  for (const auto* text :
       {"next", "again", "undo", "step:softmax", "head:2", "pin:", "hover:", "focus:X.1.1", "set:X.1.3=0.5", "may:1.2",
        "causal:on", "theme:dark", "motion:reduced", "system:reduced", "notice:well", "page:walkthrough"})
    CHECK_MESSAGE(!needs(text), text);
  for (const auto* text :
       {"page:gallery",  "page:budget",       "page:practice",  "map:2.1",        "map-hover:5",
        "at:3.5",        "role:verb_subject", "panel:training", "source:trained", "sentence:the dogs bark",
        "example:7",     "train:start",       "plan:heads=4",   "scrub:600",      "preset:gpt3",
        "view:rank",     "practice:weight",   "answer:0.5",     "hint",           "solution",
        "show-on-canvas"})
    CHECK_MESSAGE(needs(text), text);
}

TEST_CASE("a link needs the other pages when it says anything of them") {
  for (const auto* query : {"", "?", "?step=softmax&head=2&cell=pattern.1.2.1&theme=dark&mask=causal&set=X.1.3:0.5",
                            "?utm_source=course&kernel=scalar", "?page=walkthrough", "?pages=2"})
    CHECK_MESSAGE(!app::needs_other_pages(std::string_view(query)), query);
  for (const auto* query : {"?page=gallery", "page=budget", "?page=unheard", "?step=softmax&practice=weight",
                            "?budget=gpt3", "?pa%67e=budget", "?heads=4", "?learning_rate=0.1"})
    CHECK_MESSAGE(app::needs_other_pages(std::string_view(query)), query);
}

TEST_CASE("every key that another page writes into a link is known as one of theirs") {
  app::State state = app::read_query(
      "?page=practice&practice=weight&seed=3&count=5&hints=off&question=2&progress=1s.2h&budget=gpt3,n:2048&view=rank&"
      "target=halves&map=2.1&at=3.5&role=verb_subject&panel=training&sentence=the+dogs+bark&example=7&asking=visible&"
      "contributions=on&source=trained&task=copy&plan_seed=4&layers=1&heads=2&d_model=24&learning_rate=0.01");
  std::string query = app::to_query(state).substr(1);
  int keys = 0;
  while (!query.empty()) {
    const std::size_t end = std::min(query.find('&'), query.size());
    const std::string pair = query.substr(0, end);
    query.erase(0, end + 1);
    CHECK_MESSAGE(app::needs_other_pages(std::string_view(pair)), pair);
    ++keys;
  }
  CHECK(keys >= 20);
}
