// The gallery through ui::Program: pointer, keys, fields, and what hosts carry.
#include "ui_gallery_support.hpp"

#include <string>

using namespace gallery_test;

namespace {

// Of the drawing at 1280 x 800: the enlarged map of a file with 11 tokens whose card has no words but its title.
constexpr float kThumbX = 92, kThumbY = 183;

/// Walks with Tab until the gallery's map has the ring.
bool tab_to_map(ui::Program& program) {
  for (int i = 0; i < 60; ++i) {
    if (!program.key(ui::Key::tab, 0)) return false;
    draw(program);
    if (program.state().gallery.focused) return true;
  }
  return false;
}

/// Where a cell of the map is, found as a pointer finds it.
std::pair<float, float> place_of(ui::Program& program, app::MapCell wanted) {
  for (float y = 250; y < 640; y += 3)
    for (float x = 690; x < 1040; x += 3) {
      program.pointer_move(x, y);
      if (program.state().gallery.hovered == wanted) return {x, y};
    }
  FAIL("no place for cell " << wanted.query << "." << wanted.key);
  return {};
}

}  // namespace

TEST_CASE("the map's cell under the pointer is the one that is explained, and a click pins it until the next") {
  ui::Program program(ui::Viewport{});
  open_attention(program, 4, 6, 11);
  const auto [x, y] = place_of(program, {6, 2});
  CHECK(program.derived().gallery.shown == app::MapCell{6, 2});
  program.pointer_move(x + 25, y);  // columns are looked at, rows ask
  CHECK(program.state().gallery.hovered == app::MapCell{6, 3});
  program.pointer_move(x, y + 25);
  CHECK(program.state().gallery.hovered == app::MapCell{7, 2});
  click(program, x, y);
  CHECK(program.state().gallery.pinned == app::MapCell{6, 2});
  program.pointer_leave();
  CHECK_FALSE(program.state().gallery.hovered.has_value());
  CHECK(program.derived().gallery.shown == app::MapCell{6, 2});
  draw(program);
  click(program, x, y);
  CHECK_FALSE(program.state().gallery.pinned.has_value());
}

TEST_CASE("every cell of a small and of a very long sentence can be hovered: corners meet corners") {
  for (const int n : {1, 2, 11, 32, 40, 41, 512}) {
    CAPTURE(n);
    ui::Program program(ui::Viewport{});
    open_attention(program, 1, 1, n);
    if (program.derived().gallery.n != n) continue;  // too short to be shown
    REQUIRE(tab_to_map(program));
    program.key(ui::Key::home, 0);
    for (int i = 0; i < n; ++i) program.key(ui::Key::up, 0);
    CHECK(program.state().gallery.focused == app::MapCell{0, 0});
    program.key(ui::Key::end, 0);
    for (int i = 0; i < n + 3; ++i) program.key(ui::Key::down, 0);
    CHECK(program.state().gallery.focused == app::MapCell{n - 1, n - 1});
    CHECK(program.key(ui::Key::enter, 0));
    CHECK(program.state().gallery.pinned == app::MapCell{n - 1, n - 1});
    CHECK(program.key(ui::Key::escape, 0));
    CHECK_FALSE(program.state().gallery.focused.has_value());
  }
}

TEST_CASE("a map under the pointer is noted, a click on it enlarges it, and neither moves the walkthrough") {
  ui::Program program(ui::Viewport{});
  open_attention(program, 4, 6, 11);
  program.pointer_move(kThumbX + 3 * 96 + 20, kThumbY + 124 + 20);
  CHECK(program.state().gallery.hovered_map == 2 * 6 + 3);  // second line from above: layer 3
  click(program, kThumbX + 3 * 96 + 20, kThumbY + 124 + 20);
  CHECK(program.state().gallery.layer == 2);
  CHECK(program.state().gallery.head == 3);
  program.pointer_move(300, 60);
  CHECK_FALSE(program.state().gallery.hovered_map.has_value());
}

TEST_CASE("low layer at the bottom, in every size of grid") {
  for (const auto& [layers, heads] : {std::pair{1, 1}, {2, 4}, {2, 6}, {6, 8}, {12, 12}}) {
    CAPTURE(layers);
    CAPTURE(heads);
    ui::Program program(ui::Viewport{});
    open_attention(program, layers, heads, 11);
    int seen = 0, last_layer = layers;
    for (float y = 160; y < 680; y += 1) {
      program.pointer_move(kThumbX + 6, y);
      const auto map = program.state().gallery.hovered_map;
      if (!map || *map / heads == last_layer) continue;
      CHECK(*map / heads == last_layer - 1);
      last_layer = *map / heads;
      ++seen;
    }
    CHECK(seen == layers);
  }
}

TEST_CASE("without a ring, arrows, Space and undo do nothing here that the walkthrough would do") {
  ui::Program program(ui::Viewport{});
  must(program, app::GoToStep{app::Step::softmax});
  must(program, app::SetCell{{app::Tensor::X, -1, 0, 0}, 3});
  open_attention(program, 2, 4, 11);
  for (const ui::Key key : {ui::Key::left, ui::Key::right, ui::Key::home, ui::Key::end, ui::Key::space, ui::Key::undo})
    CHECK_FALSE(program.key(key, 0));
  CHECK(program.state().step == app::Step::softmax);
  CHECK_FALSE(program.state().playing);
  CHECK(program.state().document.input.X(0, 0) == 3);
  must(program, app::OpenPage{app::Page::walkthrough});
  draw(program);
  CHECK(program.key(ui::Key::left, 0));
  CHECK(program.state().step == app::Step::mask);
}

TEST_CASE("Tab takes maps as one stop, and arrows walk from map to map") {
  ui::Program program(ui::Viewport{});
  open_attention(program, 3, 4, 11);
  must(program, app::SelectMap{1, 1});
  draw(program);
  bool reached = false;
  for (int i = 0; i < 20 && !reached; ++i) {
    program.key(ui::Key::tab, 0);
    draw(program);
    ui::Key probe = ui::Key::enter;
    const auto before = program.state();
    // The ring is on a map when Right and Enter choose the head beside the chosen one.
    if (program.state().gallery.focused) break;
    program.key(ui::Key::right, 0);
    draw(program);
    program.key(probe, 0);
    draw(program);
    reached = program.state().gallery.layer == 1 && program.state().gallery.head == 2;
    if (!reached) program.open(before);
    draw(program);
  }
  REQUIRE(reached);
  CHECK(program.key(ui::Key::up, 0));
  CHECK(program.key(ui::Key::home, 0));
  CHECK(program.key(ui::Key::enter, 0));
  CHECK(program.state().gallery.layer == 2);  // up is the higher layer
  CHECK(program.state().gallery.head == 0);
}

TEST_CASE("the sentence is a field: the host gets a request without a cell, and its words come back as an action") {
  ui::Program program(ui::Viewport{});
  open_model(program);
  REQUIRE(program.derived().gallery.n > 1);
  click(program, 900, 100);
  const auto request = program.edit_request();
  REQUIRE(request.has_value());
  CHECK(request->field == "sentence");
  CHECK_FALSE(request->decimal);
  CHECK_FALSE(request->label.empty());
  CHECK(request->rect.contains(900, 100));
  CHECK(request->text == train::text_of(program.derived().gallery.reading->sentence));
  CHECK(program.cursor() == "text");
  CHECK_FALSE(program.commit_edit(request->text).has_value());
  CHECK(program.state().gallery.sentence.empty());  // left as it was: still the example
  draw(program);
  click(program, 900, 100);
  CHECK_FALSE(program.commit_edit("the dogs bark").has_value());
  CHECK(program.state().gallery.sentence == "the dogs bark");
  CHECK_FALSE(program.edit_request().has_value());
}

TEST_CASE("the built-in field takes words with spaces and letters of more than one byte, and its caret stays whole") {
  ui::Program program(ui::Viewport{});
  program.use_built_in_editor(true);
  open_model(program);
  click(program, 900, 100);
  draw(program);
  for (const char* piece : {"the", " ", "caf", "\xC3\xA9", " ", "x"}) program.text_input(piece);
  CHECK_FALSE(program.key(ui::Key::space, 0));  // its text comes by text_input
  program.key(ui::Key::backspace, 0);
  program.key(ui::Key::backspace, 0);
  program.key(ui::Key::backspace, 0);
  program.text_input("e dogs");
  draw(program);
  CHECK(program.key(ui::Key::enter, 0));
  CHECK(program.state().gallery.sentence == "the cafe dogs");
}

TEST_CASE("what is too long for a sentence is cut between letters") {
  ui::Program program(ui::Viewport{});
  program.use_built_in_editor(true);
  open_model(program);
  click(program, 900, 100);
  draw(program);
  std::string odd = "x";
  while (odd.size() < 2 * app::kLongestOwnSentence) odd += "\xC3\xA9";
  program.text_input(odd);
  CHECK(program.key(ui::Key::select_all, 0));
  const std::string kept = program.edit_selection();
  CHECK(kept.size() <= app::kLongestOwnSentence);
  CHECK(kept.size() >= app::kLongestOwnSentence - 1);
  CHECK((kept.size() - 1) % 2 == 0);  // no half letter at the end
}

TEST_CASE("a file's sentence is no field") {
  ui::Program program(ui::Viewport{});
  open_attention(program, 2, 2, 5);
  click(program, 900, 100);
  CHECK_FALSE(program.edit_request().has_value());
}

TEST_CASE("Train gives the host a command, once, in order; a refused one gives none") {
  ui::Program program(ui::Viewport{});
  must(program, app::OpenPage{app::Page::gallery});
  CHECK_FALSE(program.take_studio_command().has_value());
  CHECK(program.dispatch(app::Train{app::TrainingCommand::pause}).has_value());
  CHECK_FALSE(program.take_studio_command().has_value());
  must(program, app::Train{app::TrainingCommand::start});
  must(program, app::Train{app::TrainingCommand::rewind});
  const auto first = program.take_studio_command();
  REQUIRE(first.has_value());
  CHECK(first->find("start") != std::string::npos);
  const auto second = program.take_studio_command();
  REQUIRE(second.has_value());
  CHECK(second->find("rewind") != std::string::npos);
  CHECK_FALSE(program.take_studio_command().has_value());
}

TEST_CASE("the learning rate is a slider for pointer and keys, and a field for numbers") {
  ui::Program program(ui::Viewport{});
  must(program, app::OpenPage{app::Page::gallery});
  must(program, app::ShowPanel{app::Panel::training});
  draw(program);
  const double usual = program.state().gallery.training.plan.options.learning_rate;
  bool on_slider = false;  // its ring: the one stop where Right changes the rate
  for (int i = 0; i < 40 && !on_slider; ++i) {
    REQUIRE(program.key(ui::Key::tab, 0));
    draw(program);
    program.key(ui::Key::right, 0);
    on_slider = program.state().gallery.training.plan.options.learning_rate != usual;
    draw(program);
  }
  REQUIRE(on_slider);
  CHECK(program.state().gallery.training.plan.options.learning_rate > usual);
  program.key(ui::Key::end, 0);
  CHECK(program.state().gallery.training.plan.options.learning_rate == 1);
  draw(program);
  program.key(ui::Key::end, 0);
  CHECK(program.state().gallery.training.plan.options.learning_rate == 1);
  program.key(ui::Key::home, 0);
  CHECK(program.state().gallery.training.plan.options.learning_rate == 1e-4);
  draw(program);
  CHECK(program.key(ui::Key::tab, 0));
  draw(program);
  CHECK(program.key(ui::Key::enter, 0));
  const auto request = program.edit_request();
  REQUIRE(request.has_value());
  CHECK(request->field == "plan.learning_rate");
  CHECK(request->decimal);
  CHECK(program.commit_edit("fast").has_value());  // why not, and editing goes on
  CHECK(program.edit_request().has_value());
  CHECK_FALSE(program.commit_edit("0,004").has_value());
  CHECK(program.state().gallery.training.plan.options.learning_rate == 0.004);
}

TEST_CASE("a dragged knob follows the pointer, and lets go with it") {
  ui::Program program(ui::Viewport{});
  must(program, app::OpenPage{app::Page::gallery});
  must(program, app::ShowPanel{app::Panel::training});
  draw(program);
  const auto rate = [&] { return program.state().gallery.training.plan.options.learning_rate; };
  const double usual = rate();
  float found = 0;
  for (float y = 260; y < 400 && found == 0; y += 4) {
    program.pointer_down(1130, y);
    if (rate() != usual) found = y;
    if (found == 0) program.pointer_cancel();
  }
  REQUIRE(found > 0);
  program.pointer_move(1200, found + 60);  // off the track: it still holds the knob
  CHECK(rate() == 1);
  program.pointer_up(1200, found + 60);
  program.pointer_move(1060, found);
  CHECK(rate() == 1);
}

TEST_CASE("a file that isn't one says why to the learner; the page's own only to its host") {
  for (const bool shipped : {false, true}) {
    ui::Program program(ui::Viewport{});
    const auto reason = program.open_file("notes.txt", "not a model", {}, shipped);
    REQUIRE(reason.has_value());
    CHECK(reason->size() > 10);
    CHECK(program.state().notice == (shipped ? std::string() : *reason));
  }
  ui::Program program(ui::Viewport{});
  CHECK(program.take_report("nonsense").has_value());
}

TEST_CASE("a model file opens as the page's own, and is then not wanted any more") {
  ui::Program program(ui::Viewport{});
  CHECK_FALSE(program.wants_shipped_model());  // not on this page
  must(program, app::OpenPage{app::Page::gallery});
  CHECK(program.wants_shipped_model());
  const auto specimen = untrained_model();
  const std::string bytes = heads::write_model(std::get<heads::Model>(specimen->what));
  const auto reason = program.open_file("the model of this page", bytes, {}, true);
  CHECK_MESSAGE(!reason.has_value(), reason.value_or(""));
  CHECK_FALSE(program.wants_shipped_model());
  CHECK(program.derived().gallery.n > 1);
  CHECK_FALSE(program.open_file("mine.safetensors", bytes, {}, false).has_value());
  CHECK(program.state().gallery.source == app::Source::file);
}

TEST_CASE("the gallery is reached from every layout and back, with the keyboard alone") {
  for (const auto& [width, height] : {std::pair{1280.f, 800.f}, {900.f, 600.f}, {390.f, 844.f}}) {
    CAPTURE(width);
    ui::Program program(viewport_of(width, height));
    draw(program);
    for (const app::Page page : {app::Page::gallery, app::Page::walkthrough}) {
      program.blur();  // to the first stop again
      for (int i = 0; i < 40 && program.state().page != page; ++i) {
        // Enter on each stop in turn; what it opens stays, and the next Tab goes on in it.
        const auto before = program.state();
        program.key(ui::Key::tab, 0);
        draw(program);
        program.key(ui::Key::enter, 0);
        draw(program);
        if (program.edit_request()) program.cancel_edit();
        if (program.state().page == before.page && program.state().step != before.step)
          program.dispatch(app::GoToStep{before.step});
        draw(program);
      }
      CHECK(program.state().page == page);
    }
  }
}

TEST_CASE("a page that nobody touches draws nothing") {
  for (const auto& [width, height] : {std::pair{1280.f, 800.f}, {900.f, 600.f}, {390.f, 844.f}}) {
    ui::Program program(viewport_of(width, height));
    open_model(program);
    program.frame(1000);
    program.frame(2000);
    CHECK_FALSE(program.wants_frame(2016));
    CHECK(program.next_frame_in(2016) < 0);
    program.pointer_move(width / 2, height - 5);
    program.frame(3000);
    program.frame(4000);
    CHECK_FALSE(program.wants_frame(4016));
  }
}

TEST_CASE("the phone's gallery scrolls to its end and no further") {
  ui::Program program(viewport_of(390, 844));
  open_model(program);
  CHECK_FALSE(program.can_scroll(200, 400, -10));
  int turns = 0;
  while (program.wheel(200, 400, 200) && turns < 100) {
    draw(program);
    ++turns;
  }
  CHECK(turns > 2);
  CHECK(turns < 100);
  CHECK_FALSE(program.can_scroll(200, 400, 10));
}

TEST_CASE("the chip of the third source asks the host for a file, once a press, also for another one") {
  ui::Program program(ui::Viewport{});
  open_model(program);
  CHECK_FALSE(program.take_file_request());
  click(program, 1216, 69);
  CHECK(program.take_file_request());
  CHECK_FALSE(program.take_file_request());
  CHECK(program.state().gallery.source == app::Source::shipped);

  open_attention(program, 1, 1, 4);
  click(program, 1216, 69);
  CHECK(program.take_file_request());
  must(program, app::SetSource{app::Source::shipped});
  draw(program);
  click(program, 1216, 69);  // back to the file that is open
  CHECK_FALSE(program.take_file_request());
  CHECK(program.state().gallery.source == app::Source::file);
}
