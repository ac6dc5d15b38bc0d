// What of the budget can be pressed and read: inside the canvas, apart from each other, large enough for a finger.
#include "ui_budget_support.hpp"

#include <set>
#include <string>
#include <utility>

using namespace budget_test;

namespace {

constexpr std::pair<float, float> kSizes[] = {{1280, 800},  {1120, 728}, {1120, 700}, {844, 390},
                                              {2000, 1200}, {1280, 560}, {900, 600},  {720, 560},
                                              {1119, 700},  {390, 844},  {320, 640}};
constexpr std::string_view kPresets[] = {"transformer_base", "gpt3", "llama2_70b", "falcon_7b", "lesson"};

float overlap(const ui::Rect& a, const ui::Rect& b) {
  const float w = std::min(a.x + a.w, b.x + b.w) - std::max(a.x, b.x);
  const float h = std::min(a.y + a.h, b.y + b.h) - std::max(a.y, b.y);
  return w > 0 && h > 0 ? std::min(w, h) : 0;
}

void check_regions(const Drawn& page, const ui::Viewport& viewport) {
  const bool phone = ui::layout_for(viewport) == ui::Layout::phone;
  for (std::size_t a = 0; a < page.regions.size(); ++a) {
    const ui::Region& r = page.regions[a];
    CAPTURE(r.action);
    CHECK(r.rect.x >= 0);
    CHECK(r.rect.x + r.rect.w <= viewport.width + 0.01f);
    CHECK(r.rect.w >= 3);
    if (page.scroll_max == 0) CHECK(r.rect.y + r.rect.h <= viewport.height + 0.01f);
    if (phone) CHECK(r.rect.h >= 43.9f);
    if (phone && r.rect.y < 49) continue;  // the bar lies over what scrolls
    for (std::size_t b = a + 1; b < page.regions.size(); ++b) {
      if (phone && page.regions[b].rect.y < 49) continue;
      CHECK_MESSAGE(overlap(r.rect, page.regions[b].rect) <= 4.5f, r.action << " over " << page.regions[b].action);
    }
  }
}

/// Letters of one text touch each other by a pixel at most; more is one text over another.
int glyphs_over_others(const Drawn& page, ui::Rect* first) {
  int count = 0;
  for (std::size_t a = 0; a < page.glyphs.size(); ++a)
    for (std::size_t b = a + 1; b < page.glyphs.size(); ++b)
      if (overlap(page.glyphs[a], page.glyphs[b]) > 2.6f && count++ == 0) *first = page.glyphs[a];
  return count;
}

bool all_inside(const Drawn& page, const ui::Viewport& viewport) {
  for (const ui::Rect& glyph : page.glyphs)
    if (glyph.x < 0 || glyph.x + glyph.w > viewport.width + 1) return false;
  return true;
}

}  // namespace

TEST_CASE("at every size, panel and preset: regions inside the canvas and apart, no text over another") {
  for (const auto& [width, height] : kSizes)
    for (const std::string_view preset : kPresets)
      for (int panel = 0; panel < app::kBudgetPanels; ++panel) {
        CAPTURE(width);
        CAPTURE(height);
        CAPTURE(preset);
        CAPTURE(panel);
        const ui::Viewport viewport = viewport_of(width, height);
        ui::Program program(viewport);
        open_budget(program);
        must(program, app::OpenPreset{std::string(preset)});
        must(program, app::ShowBudgetPanel{static_cast<app::BudgetPanel>(panel)});
        for (const float scroll : {0.f, 300.f, 100000.f}) {
          const Drawn page = drawn(program, viewport, scroll);
          REQUIRE(page.glyphs.size() > 80);  // both maps may fill a low page
          if (scroll == 0) check_regions(page, viewport);
          ui::Rect place;
          CHECK_MESSAGE(glyphs_over_others(page, &place) == 0,
                        "near " << place.x << ", " << place.y << " scrolled by " << scroll);
          CHECK(all_inside(page, viewport));
          if (page.scroll_max <= 0) break;
        }
      }
}

TEST_CASE("sizes of one's own, with biases, switches off and the longest numbers, have room, too") {
  for (const auto& [width, height] : kSizes)
    for (int panel = 0; panel < app::kBudgetPanels; ++panel) {
      CAPTURE(width);
      CAPTURE(panel);
      const ui::Viewport viewport = viewport_of(width, height);
      ui::Program program(viewport);
      open_budget(program);
      must(program, app::SetSize{"keep", "off"});
      must(program, app::SetSize{"biases", "on"});
      must(program, app::SetSize{"gated", "on"});
      must(program, app::SetSize{"h", "12"});
      must(program, app::SetSize{"d_model", "12288"});
      must(program, app::SetSize{"n", "32768"});
      must(program, app::ShowBudgetPanel{static_cast<app::BudgetPanel>(panel)});
      const Drawn page = drawn(program, viewport);
      check_regions(page, viewport);
      ui::Rect place;
      CHECK_MESSAGE(glyphs_over_others(page, &place) == 0, "near " << place.x << ", " << place.y);
      CHECK(all_inside(page, viewport));
    }
}

TEST_CASE("Tab and arrows reach everything that can be pressed") {
  for (const auto& [width, height] : {std::pair{1280.f, 800.f}, {900.f, 600.f}, {390.f, 844.f}})
    for (int panel = 0; panel < app::kBudgetPanels; ++panel) {
      CAPTURE(width);
      CAPTURE(panel);
      const ui::Viewport viewport = viewport_of(width, height);
      ui::Program program(viewport);
      open_budget(program);
      must(program, app::ShowBudgetPanel{static_cast<app::BudgetPanel>(panel)});
      draw(program);
      std::set<std::string> reached;
      const auto note = [&] { reached.insert(std::string(program.focused_action())); };
      while (program.key(ui::Key::tab, 0) && reached.size() < 200) {
        draw(program);
        note();
        const std::string stop(program.focused_action());
        if (stop.starts_with("ui:slide:")) continue;  // arrows would move it
        const auto walk = [&](ui::Key key, int most) {
          for (int i = 0; i < most; ++i) {
            const std::string before(program.focused_action());
            if (!program.key(key, 0)) return;
            draw(program), note();
            if (program.focused_action() == before) return;  // the end of its line
          }
        };
        walk(ui::Key::up, 8);
        for (int line = 0; line < 6; ++line) {
          walk(ui::Key::left, 8);
          walk(ui::Key::right, 8);
          const std::string before(program.focused_action());
          walk(ui::Key::down, 1);
          if (program.focused_action() == before) break;
        }
      }
      for (const ui::Region& region : drawn(program, viewport).regions)
        if (region.enabled && region.group >= 0) CHECK_MESSAGE(reached.contains(region.action), region.action);
    }
}

TEST_CASE("a low page scrolls its columns, and what has the ring comes into view") {
  const ui::Viewport viewport = viewport_of(720, 560);
  ui::Program program(viewport);
  open_budget(program);
  CHECK(drawn(program, viewport).scroll_max > 0);
  CHECK(program.can_scroll(600, 300, 40));
  CHECK_FALSE(program.can_scroll(600, 300, -40));
  CHECK_FALSE(program.can_scroll(600, 550, 40));  // the strip stays
  while (program.focused_action() != "amount:model") {
    REQUIRE(program.key(ui::Key::tab, 0));
    draw(program);
  }
  CHECK(program.can_scroll(600, 300, -40));
  CHECK(program.wheel(600, 300, -10000));
  draw(program);
  CHECK_FALSE(program.can_scroll(600, 300, -40));
  ui::Program high(viewport_of(1280, 800));
  open_budget(high);
  CHECK_FALSE(high.can_scroll(600, 300, 40));
}

TEST_CASE("on a phone the tabs and the bill's four bars come before the sizes, and are seen at once") {
  const ui::Viewport viewport = viewport_of(390, 844);
  ui::Program program(viewport);
  open_budget(program);
  const Drawn page = drawn(program, viewport);
  float bars = 0;
  for (const std::string_view action : {"view:parameters", "view:code", "amount:W_Q", "amount:W_O"}) {
    CAPTURE(action);
    const ui::Region* region = page.find(action);
    REQUIRE(region != nullptr);
    bars = std::max(bars, region->rect.y + region->rect.h);
  }
  CHECK(bars < 500);
  const ui::Region* slider = page.find("ui:slide:d_model");
  REQUIRE(slider != nullptr);
  CHECK(slider->rect.y > bars);
  CHECK(slider->visible.h >= 43.9f);  // the first size is in sight, too
}

TEST_CASE("the compute panel's knobs stand clear of the fields above and below them") {
  for (const auto& [width, height] : {std::pair{900.f, 600.f}, {1119.f, 700.f}, {1280.f, 800.f}}) {
    CAPTURE(width);
    const ui::Viewport viewport = viewport_of(width, height);
    ui::Program program(viewport);
    open_budget(program);
    must(program, app::ShowBudgetPanel{app::BudgetPanel::compute});
    const Drawn page = drawn(program, viewport);
    constexpr float kKnob = 9;  // its radius
    for (const auto& [field, below] : {std::pair{"n", "layers"}, {"batch", "cross_layers"}, {"bytes", "d_ff"}}) {
      CAPTURE(field);
      const ui::Region* slider = page.find(std::string("ui:slide:") + field);
      const ui::Region* own = page.find(std::string(ui::kEditAction) + "size." + field);
      const ui::Region* next = page.find(std::string(ui::kEditAction) + "size." + below);
      REQUIRE((slider && own && next));
      const float middle = slider->rect.y + slider->rect.h / 2;
      CHECK(own->rect.y + own->rect.h <= middle - kKnob + 0.5f);
      CHECK(next->rect.y >= middle + kKnob - 0.5f);
    }
    CHECK(page.scroll_max == 0);
  }
}
