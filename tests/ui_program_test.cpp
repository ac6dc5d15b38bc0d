// The program without a window: layouts at every size, pointer, keys, editing,
// and that nothing is drawn when nothing moves.
#include "app/app.hpp"
#include "ui/page.hpp"
#include "ui/program_impl.hpp"
#include "ui/ui.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace {

using app::Cell;
using app::Step;
using app::Tensor;

/// Draws one settled frame.
void draw(ui::Program& program, double now = 0) {
  program.settle();
  program.frame(now);
  program.settle();
  program.frame(now);
}

void click(ui::Program& program, const ui::Rect& rect) {
  program.pointer_move(rect.x + rect.w / 2, rect.y + rect.h / 2);
  program.pointer_down(rect.x + rect.w / 2, rect.y + rect.h / 2);
  program.pointer_up(rect.x + rect.w / 2, rect.y + rect.h / 2);
}

ui::Rect rect_of(ui::Program& program, const Cell& cell) {
  const auto rect = program.rect_of(cell);
  REQUIRE(rect.has_value());
  return *rect;
}

constexpr Cell kX00{Tensor::X, -1, 0, 0};
constexpr Cell kShown{Tensor::pattern, 0, 1, 0};

}  // namespace

TEST_CASE("at every size and step each visible number can be pointed at, inside the canvas, and no two overlap") {
  const float sizes[][2] = {{1280, 800}, {1120, 728}, {1119, 800}, {1440, 900}, {1920, 1080}, {900, 600},  {720, 560},
                            {719, 900},  {390, 844},  {360, 640},  {320, 480},  {1000, 420},  {2560, 1440}};
  for (const auto& size : sizes)
    for (int step = 0; step < app::kStepCount; ++step) {
      CAPTURE(size[0]);
      CAPTURE(size[1]);
      CAPTURE(step);
      ui::Viewport viewport;
      viewport.width = size[0];
      viewport.height = size[1];
      ui::Program program(viewport);
      program.dispatch(app::GoToStep{static_cast<Step>(step)});
      draw(program);
      const bool phone = ui::layout_for(viewport) == ui::Layout::phone;
      std::vector<ui::Rect> rects;
      for (int t = 0; t < attention::kTensorCount; ++t)
        for (int head = 0; head < 3; ++head) {
          const auto tensor = static_cast<Tensor>(t);
          if (!attention::is_per_head(tensor) && head > 0) continue;
          const auto shape = attention::shape_of(program.state().document.config, tensor);
          for (int i = 0; i < shape.rows; ++i)
            for (int j = 0; j < shape.cols; ++j)
              if (const auto rect = program.rect_of({tensor, attention::is_per_head(tensor) ? head : -1, i, j}))
                rects.push_back(*rect);
        }
      REQUIRE(rects.size() >= 4);
      for (std::size_t a = 0; a < rects.size(); ++a) {
        CHECK(rects[a].x >= 0);
        CHECK(rects[a].x + rects[a].w <= size[0]);
        if (!phone) CHECK(rects[a].y + rects[a].h <= size[1]);  // a phone's middle scrolls
        for (std::size_t b = a + 1; b < rects.size(); ++b) {
          const bool apart =
              rects[a].x + rects[a].w <= rects[b].x + 0.01f || rects[b].x + rects[b].w <= rects[a].x + 0.01f ||
              rects[a].y + rects[a].h <= rects[b].y + 0.01f || rects[b].y + rects[b].h <= rects[a].y + 0.01f;
          CHECK_MESSAGE(apart,
                        "numbers at " << rects[a].x << "," << rects[a].y << " and " << rects[b].x << "," << rects[b].y);
        }
      }
    }
}

TEST_CASE("the number under the pointer is the number that is explained") {
  ui::Program program(ui::Viewport{});
  program.dispatch(app::GoToStep{Step::softmax});
  draw(program);
  const ui::Rect rect = rect_of(program, {Tensor::pattern, 1, 0, 1});
  program.pointer_move(rect.x + 2, rect.y + 2);
  CHECK(program.derived().shown == Cell{Tensor::pattern, 1, 0, 1});
  program.pointer_leave();
  CHECK(program.derived().shown == kShown);
}

TEST_CASE("a click pins a computed number, a second one lets it go") {
  ui::Program program(ui::Viewport{});
  program.dispatch(app::GoToStep{Step::softmax});
  draw(program);
  const Cell cell{Tensor::pattern, 2, 0, 0};
  click(program, rect_of(program, cell));
  CHECK(program.state().pinned == cell);
  draw(program);
  click(program, rect_of(program, cell));
  CHECK_FALSE(program.state().pinned.has_value());
}

TEST_CASE("a press that ends elsewhere does nothing") {
  ui::Program program(ui::Viewport{});
  program.dispatch(app::GoToStep{Step::softmax});
  draw(program);
  const ui::Rect rect = rect_of(program, kShown);
  program.pointer_down(rect.x + 4, rect.y + 4);
  program.pointer_up(-50, 4000);
  CHECK_FALSE(program.state().pinned.has_value());
  program.pointer_up(rect.x + 4, rect.y + 4);
  CHECK_FALSE(program.state().pinned.has_value());
}

TEST_CASE("a click on a given number asks for a text field; what is typed changes every number after it") {
  ui::Program program(ui::Viewport{});
  program.dispatch(app::GoToStep{Step::output});
  draw(program);
  click(program, rect_of(program, kX00));
  const auto request = program.edit_request();
  REQUIRE(request.has_value());
  CHECK(request->cell == kX00);
  CHECK(request->text == "1");
  const double before = program.derived().trace.output(0, 0);
  CHECK_FALSE(program.commit_edit("2,5").has_value());
  CHECK(program.state().document.input.X(0, 0) == 2.5);
  CHECK(program.derived().trace.output(0, 0) != before);
  CHECK_FALSE(program.edit_request().has_value());
  CHECK(app::is_edited(program.state(), kX00));
}

TEST_CASE("a refused number says why, changes nothing and leaves the field open") {
  ui::Program program(ui::Viewport{});
  draw(program);
  click(program, rect_of(program, kX00));
  for (const char* text : {"", "nan", "1e999", "inf", "abc", "1.2.3", "0x10"}) {
    CAPTURE(text);
    const auto reason = program.commit_edit(text);
    REQUIRE(reason.has_value());
    CHECK(reason->size() > 10);
    CHECK(program.edit_request().has_value());
    CHECK(program.state().document == app::example());
  }
}

TEST_CASE("a field that is opened and left unchanged keeps the bits") {
  ui::Program program(ui::Viewport{});
  const double odd = 0.1 + 0.2;
  program.dispatch(app::SetCell{kX00, odd});
  draw(program);
  click(program, rect_of(program, kX00));
  const std::string text = program.edit_request()->text;
  CHECK_FALSE(program.commit_edit(text).has_value());
  CHECK(program.state().document.input.X(0, 0) == odd);
  CHECK(program.state().past.size() == 1);
}

TEST_CASE("arrows step; Home and End go to the ends; the ends give the key back") {
  ui::Program program(ui::Viewport{});
  draw(program);
  CHECK_FALSE(program.key(ui::Key::left, 0));
  CHECK(program.key(ui::Key::right, 0));
  CHECK(program.state().step == Step::project);
  CHECK(program.key(ui::Key::end, 0));
  CHECK(program.state().step == Step::output);
  CHECK_FALSE(program.key(ui::Key::right, 0));
  CHECK(program.key(ui::Key::home, 0));
  CHECK(program.state().step == Step::input);
}

TEST_CASE("Tab enters, walks through every stop and leaves; Shift+Tab walks back") {
  ui::Program program(ui::Viewport{});
  program.dispatch(app::GoToStep{Step::softmax});
  draw(program);
  int forward = 0, cells = 0;
  while (program.key(ui::Key::tab, 0)) {
    ++forward;
    if (program.state().focused) ++cells;
    REQUIRE(forward < 100);
    CHECK(program.has_keyboard_focus_inside());
  }
  CHECK(forward > 10);
  CHECK(cells >= 19);  // X and six matrices in each of three heads
  CHECK_FALSE(program.has_keyboard_focus_inside());
  int backward = 0;
  while (program.key(ui::Key::shift_tab, 0)) REQUIRE(++backward < 100);
  CHECK(backward == forward);
}

TEST_CASE("arrows walk in a matrix, Enter edits what is given, Escape leaves") {
  ui::Program program(ui::Viewport{});
  draw(program);
  while (program.key(ui::Key::tab, 0) && !program.state().focused) {
  }
  REQUIRE(program.state().focused == kX00);
  CHECK(program.key(ui::Key::right, 0));
  CHECK(program.key(ui::Key::down, 0));
  CHECK(program.state().focused == Cell{Tensor::X, -1, 1, 1});
  CHECK(program.derived().shown == program.state().focused);
  CHECK(program.state().step == Step::input);
  CHECK(program.key(ui::Key::enter, 0));
  draw(program);
  CHECK(program.edit_request().has_value());
  CHECK(program.key(ui::Key::escape, 0));
  CHECK_FALSE(program.edit_request().has_value());
  CHECK(program.key(ui::Key::escape, 0));
  CHECK_FALSE(program.state().focused.has_value());
  CHECK_FALSE(program.key(ui::Key::escape, 0));  // the page may have it
}

TEST_CASE("nothing moves, nothing is drawn; an input wants the next frame") {
  ui::Program program(ui::Viewport{});
  double now = 0;
  for (int i = 0; i < 200 && program.next_frame_in(now) >= 0; ++i) program.frame(now += 16);
  CHECK(program.next_frame_in(now) < 0);
  program.key(ui::Key::right, now);
  CHECK(program.wants_frame(now));
  const double start = now;
  for (int i = 0; i < 400 && program.next_frame_in(now) >= 0; ++i) program.frame(now += 16);
  CHECK(program.next_frame_in(now) < 0);
  CHECK(now - start < 1000);  // the step's motion ends
}

TEST_CASE("with reduced motion a step is complete in one frame") {
  ui::Viewport viewport;
  viewport.reduced_motion = true;
  ui::Program program(viewport);
  program.frame(0);
  program.frame(1);
  program.key(ui::Key::right, 2);
  program.frame(3);
  CHECK(program.next_frame_in(3) < 0);
}

TEST_CASE("with reduced motion the mark of an updated number stands still and then goes") {
  ui::Viewport viewport;
  viewport.reduced_motion = true;
  ui::Program program(viewport);
  program.dispatch(app::GoToStep{Step::output});
  program.frame(0);
  program.frame(1);
  program.dispatch(app::SetCell{kX00, 3});
  program.frame(2);
  const double wait = program.next_frame_in(2);
  CHECK(wait > 1000);
  CHECK_FALSE(program.wants_frame(2 + wait / 2));
  CHECK(program.wants_frame(2 + wait));
  program.frame(2 + wait);
  CHECK(program.next_frame_in(2 + wait) < 0);
}

TEST_CASE("play goes on by itself and stops at the end; any input pauses it") {
  ui::Program program(ui::Viewport{});
  program.frame(0);
  CHECK(program.key(ui::Key::space, 0));
  CHECK(program.state().playing);
  double now = 0;
  while (program.state().playing && now < 60000) program.frame(now += 100);
  CHECK(program.state().step == Step::output);
  CHECK(now > 8 * ui::kPlayStepMs - 1);
  CHECK(now < 8 * ui::kPlayStepMs + 2000);
  program.dispatch(app::StartAgain{});
  program.dispatch(app::SetPlaying{true});
  program.key(ui::Key::right, now);
  CHECK_FALSE(program.state().playing);
}

TEST_CASE("a touch shows its number while the finger is down, and a touch that became a scroll does nothing") {
  ui::Viewport viewport;
  viewport.width = 390;
  viewport.height = 844;
  viewport.touch = true;
  ui::Program program(viewport);
  program.dispatch(app::GoToStep{Step::softmax});
  draw(program);
  const Cell cell{Tensor::pattern, 0, 0, 0};
  const ui::Rect rect = rect_of(program, cell);
  program.pointer_down(rect.x + 9, rect.y + 9, true);
  CHECK(program.derived().shown == cell);
  program.pointer_cancel();
  CHECK(program.derived().shown == kShown);
  CHECK_FALSE(program.state().pinned.has_value());
  program.pointer_down(rect.x + 9, rect.y + 9, true);
  program.pointer_up(rect.x + 9, rect.y + 9, true);
  CHECK(program.state().pinned == cell);
  CHECK_FALSE(program.state().hovered.has_value());
}

TEST_CASE("the phone's middle scrolls only where it can, and only there") {
  ui::Viewport viewport;
  viewport.width = 390;
  viewport.height = 560;
  ui::Program program(viewport);
  program.dispatch(app::GoToStep{Step::softmax});
  draw(program);
  CHECK_FALSE(program.wheel(200, 200, -40));  // at its top
  CHECK(program.wheel(200, 200, 40));
  CHECK_FALSE(program.wheel(200, 555, 40));  // over the buttons
  ui::Program wide(ui::Viewport{});
  draw(wide);
  CHECK_FALSE(wide.wheel(600, 400, 40));
}

TEST_CASE("at the mask step a click on a score closes the pair, and a row without open pairs is all zeros") {
  ui::Program program(ui::Viewport{});
  program.dispatch(app::GoToStep{Step::mask});
  draw(program);
  click(program, rect_of(program, {Tensor::masked, 0, 1, 0}));
  CHECK(app::mask_is_on(program.state()));
  draw(program);
  click(program, rect_of(program, {Tensor::masked, 2, 1, 1}));
  CHECK(app::is_fully_masked(program.state(), 1));
  for (const auto& head : program.derived().trace.heads) {
    CHECK(head.pattern(1, 0) == 0);
    CHECK(head.pattern(1, 1) == 0);
  }
}

TEST_CASE("the built-in field takes text and keys where the host has none") {
  ui::Program program(ui::Viewport{});
  program.use_built_in_editor(true);
  draw(program);
  click(program, rect_of(program, kX00));
  draw(program);
  CHECK(program.edit_selection() == "1");
  program.text_input("-3");
  CHECK(program.key(ui::Key::left, 0));
  program.text_input(".");
  CHECK(program.key(ui::Key::backspace, 0));
  CHECK(program.key(ui::Key::enter, 0));
  CHECK(program.state().document.input.X(0, 0) == -3);
  CHECK(program.key(ui::Key::undo, 0));
  CHECK(program.state().document == app::example());
}

TEST_CASE("Tab goes round in an open card, Escape closes it, and no two stops share the ring") {
  ui::Viewport viewport;
  viewport.width = 390;
  viewport.height = 844;
  ui::Program program(viewport);
  draw(program);
  CHECK(program.key(ui::Key::tab, 0));  // the theme's button
  CHECK(program.key(ui::Key::tab, 0));  // the menu's
  CHECK(program.key(ui::Key::enter, 0));
  draw(program);
  for (int i = 0; i < 40; ++i) {
    CHECK(program.key(ui::Key::tab, 0));
    draw(program);
    CHECK(program.has_keyboard_focus_inside());
    CHECK_FALSE(program.state().focused.has_value());  // never into the page below
  }
  CHECK(program.key(ui::Key::escape, 0));
  draw(program);
  CHECK(program.state().step == Step::input);
}

TEST_CASE("a press on a notice puts it away and reaches nothing under it; Escape does the same") {
  for (const bool by_key : {false, true}) {
    ui::Program program(ui::Viewport{});
    program.open(app::read_query("?head=9&step=3"));
    REQUIRE_FALSE(program.state().notice.empty());
    draw(program);
    if (by_key) {
      CHECK(program.key(ui::Key::escape, 0));
    } else {
      program.pointer_move(500, 72);
      program.pointer_down(500, 72);
      program.pointer_up(500, 72);
    }
    CHECK(program.state().notice.empty());
    CHECK(program.state().step == Step::score);
  }
}

TEST_CASE("Tab comes to the button of a notice once and goes on, out of the page, both ways") {
  for (const char* query : {"?head=9&step=3", "?page=budget&budget=nope", "?page=practice&practice=nope"})
    for (const ui::Key key : {ui::Key::tab, ui::Key::shift_tab}) {
      CAPTURE(query);
      CAPTURE(key == ui::Key::tab);
      ui::Program program(ui::Viewport{});
      program.open(app::read_query(query));
      REQUIRE_FALSE(program.state().notice.empty());
      draw(program);
      int stops = 0, at_notice = 0;
      for (; stops < 100 && program.key(key, 0); ++stops) {
        at_notice += program.focused_action() == "notice:";
        draw(program);
      }
      CHECK(stops > 5);
      CHECK(stops < 100);
      CHECK(at_notice == 1);
    }
}

TEST_CASE("a field whose number leaves the page is closed and gives the keys back") {
  ui::Program program(ui::Viewport{});
  program.dispatch(app::GoToStep{Step::softmax});
  draw(program);
  click(program, rect_of(program, kX00));
  REQUIRE(program.edit_request().has_value());
  ui::Viewport narrow;
  narrow.width = 390;
  narrow.height = 844;
  program.resize(narrow);
  draw(program);
  CHECK_FALSE(program.edit_request().has_value());
  CHECK(program.key(ui::Key::right, 0));
  CHECK(program.state().step == Step::weigh);
}
