// The budget through ui::Program: sliders, fields, presets, tabs, and what the strip explains.
#include "ui_budget_support.hpp"

#include <set>
#include <string>

using namespace budget_test;

namespace {

const ui::Viewport kDesk = viewport_of(1280, 800);

const budget::Sizes& sizes(const ui::Program& program) { return program.state().budget.sizes; }

/// Walks with Tab until `action` has the ring; -1: never.
int tabs_to(ui::Program& program, std::string_view action, int most = 60) {
  for (int i = 1; i <= most; ++i) {
    if (!program.key(ui::Key::tab, 0)) return -1;
    draw(program);
    if (program.focused_action() == action) return i;
  }
  return -1;
}

}  // namespace

TEST_CASE("the page opens on the drawing's numbers") {
  ui::Program program(kDesk);
  open_budget(program);
  CHECK(program.derived().budget.parameters.attention.total == 1048576);
  // Of the drawing: presets at y 160, the first slider's field, the first bar.
  const Drawn page = drawn(program, kDesk);
  const auto at = [&](std::string_view action) {
    const ui::Region* region = page.find(action);
    REQUIRE_MESSAGE(region != nullptr, action);
    return region->rect;
  };
  CHECK(at("preset:transformer_base").y == 160);
  CHECK(at("preset:transformer_base").h == 36);
  CHECK(at("preset:bert_base").y == 200);
  CHECK(at("preset:gpt3").y == 240);
  CHECK(at("ui:edit:size.d_model").x == 264);
  CHECK(at("ui:edit:size.d_model").y == 298);
  CHECK(at("amount:W_Q").x == 400);
  CHECK(at("amount:W_Q").y == 206);
  CHECK(at("amount:W_Q").h == 44);
  CHECK(at("amount:W_K").x == 614);
  CHECK(at("amount:W_O").x == 1042);
  CHECK(at("size:keep=off").y == 550);
}

TEST_CASE("a slider is dragged: the size follows the pointer, and stays when it is let go") {
  ui::Program program(kDesk);
  open_budget(program);
  const Drawn page = drawn(program, kDesk);
  const ui::Region* slider = page.find("ui:slide:h");
  REQUIRE(slider != nullptr);
  REQUIRE(slider->stops.size() > 3);
  const float y = slider->rect.y + slider->rect.h / 2;
  program.pointer_move(slider->places[static_cast<std::size_t>(slider->stop)], y);
  program.pointer_down(slider->places[static_cast<std::size_t>(slider->stop)], y);
  CHECK(sizes(program).h == 8);
  program.pointer_move(slider->places.front() - 30, y + 200);  // beyond its end, off its line
  CHECK(sizes(program).h == 1);
  CHECK(sizes(program).d_k == 512);
  program.pointer_move(slider->places.back(), y);
  CHECK(sizes(program).h == 512);
  program.pointer_up(slider->places.back(), y);
  program.pointer_move(slider->places.front(), y);
  CHECK(sizes(program).h == 512);
  CHECK(program.derived().budget.parameters.attention.total == 1048576);  // more heads, same bill
}

TEST_CASE("a finger that scrolls from a slider leaves it; a tap and a sideways move set it") {
  ui::Program program(kDesk);
  open_budget(program);
  const Drawn page = drawn(program, kDesk);
  const ui::Region* slider = page.find("ui:slide:h");
  REQUIRE(slider != nullptr);
  const float y = slider->rect.y + slider->rect.h / 2, first = slider->places.front(), last = slider->places.back();
  program.pointer_down(last, y, true);
  program.pointer_move(last - 3, y - 1, true);
  program.pointer_move(last - 8, y - 30, true);
  CHECK(sizes(program).h == 8);
  program.pointer_cancel();  // the host: it was a swipe
  program.pointer_leave();
  CHECK(sizes(program).h == 8);

  program.pointer_down(last, y, true);
  CHECK(sizes(program).h == 8);
  program.pointer_up(last, y, true);
  CHECK(sizes(program).h == 512);

  program.pointer_down(last, y, true);
  program.pointer_move(last - 10, y + 2, true);
  program.pointer_move(first, y + 90, true);  // by then it may leave its line
  CHECK(sizes(program).h == 1);
  program.pointer_up(first, y + 90, true);
  CHECK(sizes(program).h == 1);
}

TEST_CASE("arrow keys, Home and End move a slider that has the ring") {
  ui::Program program(kDesk);
  open_budget(program);
  REQUIRE(tabs_to(program, "ui:slide:h") > 0);
  CHECK(program.key(ui::Key::right, 0));
  CHECK(sizes(program).h == 16);
  draw(program);
  CHECK(program.key(ui::Key::left, 0));
  draw(program);
  CHECK(program.key(ui::Key::left, 0));
  CHECK(sizes(program).h == 4);
  draw(program);
  CHECK(program.key(ui::Key::home, 0));
  CHECK(sizes(program).h == 1);
  draw(program);
  CHECK(program.key(ui::Key::left, 0));  // used, though there is nothing further
  CHECK(sizes(program).h == 1);
  draw(program);
  CHECK(program.key(ui::Key::end, 0));
  CHECK(sizes(program).h == 512);
}

TEST_CASE("a locked size is no slider and no field, until keeping is switched off") {
  ui::Program program(kDesk);
  open_budget(program);
  CHECK(drawn(program, kDesk).find("ui:slide:d_k") == nullptr);
  CHECK(drawn(program, kDesk).find("ui:edit:size.d_k") == nullptr);
  press(program, kDesk, "size:keep=off");
  CHECK_FALSE(sizes(program).keep);
  CHECK(drawn(program, kDesk).find("ui:slide:d_k") != nullptr);
  CHECK(drawn(program, kDesk).find("ui:edit:size.d_k") != nullptr);
}

TEST_CASE("a size is typed, with or without groups, and its field tells the host what it is") {
  ui::Program program(kDesk);
  open_budget(program);
  press(program, kDesk, "ui:edit:size.d_model");
  auto request = program.edit_request();
  REQUIRE(request.has_value());
  CHECK(request->field == "size.d_model");
  CHECK(request->decimal);
  CHECK(request->text == "512");
  CHECK(request->label == "d_model, width of a token");
  CHECK_FALSE(program.commit_edit("12 288").has_value());
  CHECK(sizes(program).d_model == 12288);
  CHECK_FALSE(program.edit_request().has_value());
  draw(program);
  press(program, kDesk, "ui:edit:size.d_model");
  CHECK(program.edit_request()->text == "12288");
  CHECK_FALSE(program.commit_edit("12288").has_value());  // left as it was
  CHECK(sizes(program).d_model == 12288);
}

TEST_CASE("a refused size says why and changes nothing, and editing goes on") {
  ui::Program program(kDesk);
  open_budget(program);
  const budget::Sizes before = sizes(program);
  press(program, kDesk, "ui:edit:size.h");
  const auto reason = program.commit_edit("12");
  REQUIRE(reason.has_value());
  CHECK(reason->find("42.67") != std::string::npos);
  CHECK(sizes(program) == before);
  CHECK(program.edit_request().has_value());
  CHECK(program.commit_edit("many").has_value());
  CHECK(sizes(program) == before);
  program.cancel_edit();
  CHECK_FALSE(program.edit_request().has_value());
}

TEST_CASE("the field that a window draws itself shows its refusal, too") {
  ui::Program program(kDesk);
  program.use_built_in_editor(true);
  open_budget(program);
  press(program, kDesk, "ui:edit:size.h");
  program.text_input("12");
  draw(program);
  CHECK(program.key(ui::Key::enter, 0));
  CHECK(program.edit_request().has_value());
  CHECK(sizes(program).h == 8);
  program.key(ui::Key::select_all, 0);
  program.text_input("16");
  CHECK(program.key(ui::Key::enter, 0));
  CHECK(sizes(program).h == 16);
  CHECK_FALSE(program.edit_request().has_value());
}

TEST_CASE("n, d_ff and layers are edited where the bill mentions them") {
  ui::Program program(kDesk);
  open_budget(program);
  press(program, kDesk, "ui:edit:size.n");
  CHECK_FALSE(program.commit_edit("2048").has_value());
  CHECK(sizes(program).n == 2048);
  draw(program);
  press(program, kDesk, "ui:edit:size.d_ff");
  CHECK_FALSE(program.commit_edit("1024").has_value());
  CHECK(sizes(program).d_ff == 1024);
  draw(program);
  press(program, kDesk, "ui:edit:size.layers");
  CHECK_FALSE(program.commit_edit("12").has_value());
  CHECK(sizes(program).layers == 12);
}

TEST_CASE("a switch that the sizes don't allow says so in a notice") {
  ui::Program program(kDesk);
  open_budget(program);
  must(program, app::SetSize{"keep", "off"});
  must(program, app::SetSize{"h", "12"});
  draw(program);
  press(program, kDesk, "size:keep=on");
  CHECK_FALSE(sizes(program).keep);
  CHECK(program.state().notice.find("42.67") != std::string::npos);
}

TEST_CASE("a preset is one press; all of them wait behind a chip, and choosing one closes the list") {
  ui::Program program(kDesk);
  open_budget(program);
  press(program, kDesk, "preset:gpt3");
  CHECK(sizes(program).d_model == 12288);
  // The chosen one stands first.
  CHECK(place_of(program, kDesk, "preset:gpt3").y == 160);
  CHECK(drawn(program, kDesk).find("preset:llama3_8b") == nullptr);
  const ui::Rect chip = place_of(program, kDesk, "ui:presets");
  click(program, chip.x + 5, chip.y + 5);
  draw(program);
  REQUIRE(program.focused_action().empty());
  // Tab stays on the list; Enter takes what has the ring.
  REQUIRE(program.key(ui::Key::tab, 0));
  draw(program);
  CHECK(program.focused_action() == "preset:gpt3");
  CHECK(program.key(ui::Key::down, 0));
  draw(program);
  CHECK(program.focused_action() != "preset:gpt3");
  CHECK(program.focused_action().starts_with("preset:"));
  CHECK(program.key(ui::Key::enter, 0));
  CHECK(sizes(program).d_model != 12288);
  draw(program);
  // Closed: the place beside the page's controls can be pressed again.
  press(program, kDesk, "view:compute");
  CHECK(program.state().budget.panel == app::BudgetPanel::compute);
}

TEST_CASE("every preset is on the list, inside the page, at every size") {
  for (const auto& [width, height] : {std::pair{1280.f, 800.f}, {900.f, 600.f}, {390.f, 844.f}, {320.f, 480.f}}) {
    CAPTURE(width);
    ui::Program program(viewport_of(width, height));
    open_budget(program);
    // By keyboard, since on a phone the chip may be scrolled away.
    REQUIRE(program.key(ui::Key::tab, 0));
    for (int i = 0; i < 12 && !program.focused_action().starts_with("preset:"); ++i) {
      program.key(ui::Key::tab, 0);
      draw(program);
    }
    program.key(ui::Key::up, 0);
    draw(program);
    REQUIRE(program.focused_action() == "ui:presets");
    program.key(ui::Key::enter, 0);
    draw(program);
    std::set<std::string> seen;
    program.key(ui::Key::tab, 0);
    draw(program);
    for (int i = 0; i < 20; ++i) program.key(ui::Key::up, 0), draw(program);
    for (int i = 0; i < 20; ++i) {
      seen.insert(std::string(program.focused_action()));
      program.key(ui::Key::down, 0);
      draw(program);
    }
    CHECK(seen.size() == budget::presets().size());
  }
}

TEST_CASE("tabs are one stop, arrows walk among them, Enter opens") {
  ui::Program program(kDesk);
  open_budget(program);
  REQUIRE(tabs_to(program, "view:parameters") > 0);
  for (const auto& [action, panel] : {std::pair{"view:compute", app::BudgetPanel::compute},
                                      {"view:rank", app::BudgetPanel::rank},
                                      {"view:code", app::BudgetPanel::code}}) {
    CHECK(program.key(ui::Key::right, 0));
    draw(program);
    CHECK(program.focused_action() == action);
    CHECK(program.key(ui::Key::enter, 0));
    CHECK(program.state().budget.panel == panel);
    draw(program);
  }
}

TEST_CASE("what is pointed at is explained in the strip; a press keeps it, another lets it go") {
  ui::Program program(kDesk);
  open_budget(program);
  const ui::Rect bar = place_of(program, kDesk, "amount:W_O");
  CHECK(program.derived().budget.shown == app::Amount::W_Q);
  program.pointer_move(bar.x + 9, bar.y + 9);
  CHECK(program.state().budget.hovered == app::Amount::W_O);
  CHECK(program.derived().budget.shown == app::Amount::W_O);
  program.pointer_move(bar.x + 9, bar.y - 30);
  CHECK(program.derived().budget.shown == app::Amount::W_Q);
  click(program, bar.x + 9, bar.y + 9);
  program.pointer_leave();
  CHECK(program.derived().budget.shown == app::Amount::W_O);
  draw(program);
  click(program, bar.x + 9, bar.y + 9);
  program.pointer_leave();
  CHECK(program.derived().budget.shown == app::Amount::W_Q);
  CHECK_FALSE(program.state().budget.pinned.has_value());
}

TEST_CASE("the keyboard's ring explains like a pointer") {
  ui::Program program(kDesk);
  open_budget(program);
  REQUIRE(tabs_to(program, "amount:W_Q") > 0);
  program.key(ui::Key::right, 0);
  draw(program);
  program.key(ui::Key::right, 0);
  draw(program);
  CHECK(program.focused_action() == "amount:W_V");
  CHECK(program.derived().budget.shown == app::Amount::W_V);
}

TEST_CASE("work rows explain themselves, and the walkthrough's keys do nothing here") {
  ui::Program program(kDesk);
  open_budget(program);
  must(program, app::ShowBudgetPanel{app::BudgetPanel::compute});
  draw(program);
  const ui::Rect row = place_of(program, kDesk, "amount:softmax");
  program.pointer_move(row.x + 9, row.y + row.h / 2);
  CHECK(program.derived().budget.shown == app::Amount::softmax);
  for (const ui::Key key : {ui::Key::left, ui::Key::right, ui::Key::home, ui::Key::end, ui::Key::space, ui::Key::undo})
    CHECK_FALSE(program.key(key, 0));
  CHECK(program.state().step == app::Step::input);
}

TEST_CASE("targets and n change the picture of the rank's limit") {
  ui::Program program(kDesk);
  open_budget(program);
  must(program, app::ShowBudgetPanel{app::BudgetPanel::rank});
  draw(program);
  press(program, kDesk, "target:previous");
  CHECK(program.state().budget.target == budget::Target::previous);
  press(program, kDesk, "ui:edit:size.n");
  CHECK_FALSE(program.commit_edit("32").has_value());
  draw(program);
  REQUIRE(program.derived().budget.low_rank);
  CHECK(program.derived().budget.low_rank->target.rows() == 32);
}
