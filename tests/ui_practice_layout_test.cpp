// What of practice can be pressed: on the page or where it scrolls to, apart from each other, reached by Tab, and large
// enough for a finger on a phone.
#include "thin.hpp"
#include "ui_practice_support.hpp"

#include <utility>

using namespace practice_ui_test;

namespace {

constexpr std::pair<float, float> kSizes[] = {{1280, 800}, {1120, 728}, {900, 600}, {720, 560}, {390, 844}, {320, 640}};

float overlap(const ui::Rect& a, const ui::Rect& b) {
  const float w = std::min(a.x + a.w, b.x + b.w) - std::max(a.x, b.x);
  const float h = std::min(a.y + a.h, b.y + b.h) - std::max(a.y, b.y);
  return w > 0 && h > 0 ? std::min(w, h) : 0;
}

void check(Stage& stage, const app::State& state, const app::Derived& derived) {
  const ui::Viewport& viewport = stage.viewport();
  const bool phone = ui::layout_for(viewport) == ui::Layout::phone;
  for (const bool to_end : {false, true}) {
    const Drawn drawn = stage.draw(state, derived, Popover::none, to_end);
    const ui::Rect& area = drawn.local.scroll_area;
    std::set<std::string> actions;
    bool answered = false;
    for (std::size_t i = 0; i < drawn.regions.size(); ++i) {
      const ui::Region& r = drawn.regions[i];
      CAPTURE(r.action);
      CHECK(r.rect.x >= 0);
      CHECK(r.rect.x + r.rect.w <= viewport.width + 0.01f);
      const float lowest = std::max(viewport.height, area.y + area.h + drawn.local.scroll_max - drawn.local.scroll);
      CHECK(r.rect.y + r.rect.h <= lowest + 0.01f);
      CHECK(r.rect.y >= -drawn.local.scroll_max);
      CHECK(r.group >= 0);
      CHECK(actions.insert(r.action).second);  // two of one name: the ring would stay on the first
      answered = answered || r.action == "ui:edit:answer" || r.action.starts_with("answer:");
      if (phone) CHECK(r.rect.h >= 43.9f);
      // Six columns and the names of their rows: the smallest phones have no room for more.
      if (phone && r.action.starts_with("answer:")) CHECK(r.rect.w >= (viewport.width < 390 ? 33.9f : 43.9f));
      for (std::size_t k = i + 1; k < drawn.regions.size(); ++k) {
        const ui::Region& other = drawn.regions[k];
        CHECK_MESSAGE(overlap(r.visible, other.visible) <= 6.5f, r.action << " over " << other.action);
      }
    }
    CHECK(answered == derived.practice.question.waiting.empty());
  }
}

/// Every state that a question can be in.
std::vector<app::State> states_of(const app::State& start) {
  std::vector<app::State> out{start};
  const auto after = [&](std::vector<app::Action> actions) {
    app::State state = start;
    for (const app::Action& action : actions) (void)app::update(state, action);
    out.push_back(std::move(state));
  };
  const app::Question question = app::question_at(start, start.practice.at);
  const auto answer = [&](const app::Answer& given) { return app::GiveAnswer{app::answer_text(question, given)}; };
  after({answer(question.right)});
  after({app::ShowSolution{}});
  after({app::ShowHint{}, app::ShowHint{}, app::ShowHint{}});
  for (const app::Slip& slip : question.slips) after({answer(slip.answer)});
  if (!question.slips.empty())
    after({app::ShowHint{}, app::ShowHint{}, app::ShowHint{}, answer(question.slips[0].answer), app::ShowSolution{}});
  if (question.asks == app::Asks::number) after({app::GiveAnswer{"1234567.89"}});
  if (question.asks == app::Asks::choice) after({app::GiveAnswer{"1"}}), after({app::GiveAnswer{"2"}});
  return out;
}

app::State start_with(const std::string& set) {
  app::State state;
  REQUIRE_FALSE(app::update(state, app::OpenPage{app::Page::practice}).has_value());
  REQUIRE_FALSE(app::update(state, app::OpenSpecimen{app::Source::shipped, untrained_model()}).has_value());
  REQUIRE_FALSE(app::update(state, app::OpenPractice{set}).has_value());
  return state;
}

}  // namespace

TEST_CASE("every type of question and every verdict: on the page, apart, reached by Tab, and for fingers on a phone") {
  int index = 0;
  for (const auto& [width, height] : kSizes) {
    if (is_thinned_out(index++)) continue;
    CAPTURE(width);
    Stage stage(viewport_of(width, height));
    for (const app::QuestionType& type : app::question_types()) {
      CAPTURE(type.id);
      for (const app::State& state : states_of(start_with(std::string(type.id)))) {
        CAPTURE(state.practice.progress.empty() ? std::string() : state.practice.progress[0].answer);
        check(stage, state, app::derive(state));
      }
    }
  }
}

TEST_CASE("a set of a hundred questions keeps the present one and its neighbours in sight") {
  for (const auto& [width, height] : kSizes) {
    CAPTURE(width);
    Stage stage(viewport_of(width, height));
    for (const int at : {0, 1, 2, 49, 97, 98, 99}) {
      CAPTURE(at);
      app::State state = start_with("weight");
      REQUIRE_FALSE(app::update(state, app::SetPractice{"count", "100"}).has_value());
      REQUIRE_FALSE(app::update(state, app::GoToQuestion{at}).has_value());
      const app::Derived derived = app::derive(state);
      check(stage, state, derived);
      std::set<int> seen;
      for (const ui::Region& r : stage.draw(state, derived).regions)
        if (r.action.starts_with("question:")) seen.insert(std::stoi(r.action.substr(9)) - 1);
      CHECK(seen.contains(at));
      CHECK(seen.contains(std::max(0, at - 1)));
      CHECK(seen.contains(std::min(99, at + 1)));
    }
  }
}

TEST_CASE("two to twelve long choices wrap, and the last one can be reached") {
  for (const auto& [width, height] : kSizes) {
    CAPTURE(width);
    Stage stage(viewport_of(width, height));
    for (const int count : {2, 5, 12}) {
      CAPTURE(count);
      app::State state = start_with("weight");
      app::Derived derived = app::derive(state);
      app::PracticeView& view = derived.practice;
      view.question.asks = app::Asks::choice;
      view.question.right = 1;
      view.question.choices.clear();
      for (int i = 0; i < count; ++i)
        view.question.choices.push_back(
            {"Each head has weights of its own, and <b>all</b> of them read the whole of <b>X</b>, whatever head it is",
             "why"});
      view.progress.answer = "1";
      check(stage, state, derived);
      float last = 0, end = 0;
      const Drawn drawn = stage.draw(state, derived);
      for (const ui::Region& r : drawn.regions)
        if (r.action.starts_with("answer:")) last = std::max(last, r.rect.y + r.rect.h);
      end = drawn.local.scroll_area.y + drawn.local.scroll_area.h + drawn.local.scroll_max;
      CHECK(last > 0);
      CHECK(last <= end);
    }
  }
}

TEST_CASE("the card of sets is on the page at every size, and nothing of it overlaps") {
  for (const auto& [width, height] : kSizes) {
    CAPTURE(width);
    Stage stage(viewport_of(width, height));
    for (const char* set : {"mixed", "lesson"}) {
      const app::State state = start_with(set);
      const Drawn drawn = stage.draw(state, app::derive(state), Popover::sets);
      std::size_t first = 0;
      for (std::size_t i = 0; i < drawn.regions.size(); ++i)
        if (drawn.regions[i].action == "ui:card") first = i + 1;
      REQUIRE(first > 0);
      CHECK(drawn.regions.size() - first >= app::derive(state).practice.sets.size() + 2);
      const ui::Rect card = drawn.regions[first - 1].rect;
      for (std::size_t i = first; i < drawn.regions.size(); ++i) {
        const ui::Rect& r = drawn.regions[i].rect;
        CAPTURE(drawn.regions[i].action);
        CHECK(r.x >= 0);
        CHECK(r.x + r.w <= width);
        CHECK(r.y >= 0);
        CHECK(r.y + r.h <= card.y + card.h - 8);
        CHECK(card.y + card.h <= height);
        for (std::size_t k = i + 1; k < drawn.regions.size(); ++k)
          CHECK_MESSAGE(overlap(r, drawn.regions[k].rect) <= 1, drawn.regions[k].action);
      }
    }
  }
}

TEST_CASE("on a phone no word reaches into the margin: not a bar's, not a finished set's link") {
  for (const float width : {390.f, 320.f}) {
    CAPTURE(width);
    Stage stage(viewport_of(width, 640));
    std::vector<app::State> states;
    for (const app::QuestionType& type : app::question_types()) states.push_back(start_with(std::string(type.id)));
    states.push_back(app::read_query("?page=practice&practice=mixed&seed=7&progress=1s.1s.2s.1sh.1s.1s.1s.x"));
    for (const app::State& state : states) {
      const app::Derived derived = app::derive(state);
      CAPTURE(derived.practice.question.id);
      for (const bool to_end : {false, true}) {
        float right = 0;
        const Drawn drawn = stage.draw(state, derived, Popover::none, to_end);
        for (const ui::Rect& glyph : drawn.glyphs) right = std::max(right, glyph.x + glyph.w);
        CHECK(drawn.glyphs.size() > 40);
        CHECK(right <= width - 12);
      }
    }
  }
}

TEST_CASE("at the drawn size a hint and a recognised slip leave the buttons below them in sight") {
  const ui::Viewport viewport = viewport_of(1280, 800);
  Stage stage(viewport);
  for (const char* type : {"weight", "score", "output", "q10", "head_output"}) {
    CAPTURE(type);
    app::State state = start_with(type);
    const app::Question question = app::question_at(state, 0);
    REQUIRE_FALSE(question.slips.empty());
    REQUIRE_FALSE(app::update(state, app::ShowHint{}).has_value());
    const std::string answer = app::answer_text(question, question.slips[0].answer);
    REQUIRE_FALSE(app::update(state, app::GiveAnswer{answer}).has_value());
    const Drawn drawn = stage.draw(state, app::derive(state));
    CHECK(drawn.local.scroll_max == 0);
    for (const ui::Region& r : drawn.regions)
      if (r.action == "solution") CHECK(r.rect.y + r.rect.h <= drawn.local.scroll_area.y + drawn.local.scroll_area.h);
  }
}
