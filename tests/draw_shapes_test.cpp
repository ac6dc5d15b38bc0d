// Shapes on the pixel grid, the queue of shader drawings, and lengths that nobody meant.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "draw_support.hpp"

using ui::Draw;

namespace {

bool whole(float v) {
  return std::abs(v - std::round(v)) < 1e-3f;
}

int callbacks(const ImDrawList& list) {
  int n = 0;
  for (const ImDrawCmd& command : list.CmdBuffer)
    n += command.UserCallback != nullptr && command.UserCallback != ImDrawCallback_ResetRenderState;
  return n;
}

}  // namespace

TEST_CASE("a hairline fills whole device pixels at every ratio") {
  for (const float ratio : {1.0f, 1.25f, 1.5f, 1.75f, 2.0f, 3.0f}) {
    CAPTURE(ratio);
    Page page(ratio);
    const ImDrawList& list = page.draw([](Draw& d) {
      d.line(0, 49, 1280, 49, 0x000000);
      d.line(437, 64, 437, 776, 0x000000);
      d.rect(11, 21, 31, 41, 0x000000);
      d.rect_filled(101, 51, 33, 17, 0x000000);
    });
    for (const float x : columns(list, ratio)) CHECK(whole(x));
    for (const float y : rows(list, ratio)) CHECK(whole(y));
    for (const ImDrawVert& v : list.VtxBuffer) CHECK((v.col >> IM_COL32_A_SHIFT) == 255);  // no pixel is half covered
  }
}

TEST_CASE("a stroke lies inside its rectangle") {
  Page page;
  const ImDrawList& list = page.draw([](Draw& d) { d.rect(10, 20, 30, 40, 0x000000, {.width = 2, .radius = 4}); });
  const auto xs = columns(list, 1), ys = rows(list, 1);
  CHECK(*xs.begin() == doctest::Approx(9.5f));  // half a pixel of soft edge
  CHECK(*xs.rbegin() == doctest::Approx(40.5f));
  CHECK(*ys.begin() == doctest::Approx(19.5f));
  CHECK(*ys.rbegin() == doctest::Approx(60.5f));
}

TEST_CASE("a rectangle between pixels covers each as far as it lies inside") {
  Page page;
  const ImDrawList& list = page.draw([](Draw& d) { d.rect_filled(10.25f, 20, 1.5f, 4, 0x000000); });
  REQUIRE(list.VtxBuffer.Size == 8);                          // two columns
  CHECK((list.VtxBuffer[0].col >> IM_COL32_A_SHIFT) == 191);  // 0.75
  CHECK((list.VtxBuffer[4].col >> IM_COL32_A_SHIFT) == 191);
  for (const float x : columns(list, 1)) CHECK(whole(x));
}

TEST_CASE("without a renderer cells are rectangles in the table's colours") {
  Page page;
  const ImDrawList& list = page.draw([](Draw& d) {
    d.cell(10, 10, 20, 20, 1, false, 0);
    CHECK(d.table_colour(1, false) == d.c.seq[4]);
    CHECK(d.table_colour(0, true) == d.c.div[0]);
    d.ribbon(0, 0, 10, 100, 50, 60, d.c.head[0]);
  });
  CHECK(callbacks(list) == 0);
  CHECK(list.VtxBuffer[0].col == IM_COL32(0x0E, 0x21, 0x4C, 255));
}

TEST_CASE("neighbouring cells are one draw, and the order of calls holds") {
  render::Renderer renderer;  // makes no GL call before `create`
  Page page(1, &renderer);
  const ImDrawList& list = page.draw([](Draw& d) {
    for (int i = 0; i < 100; ++i) d.cell(static_cast<float>(i) * 5, 10, 4, 4, 0.5f, false);
    d.rect_filled(0, 0, 10, 10, d.c.ink);
    d.cell(0, 0, 5, 5, 0.5f, true);
    d.ribbon(0, 0, 10, 100, 50, 60, d.c.head[0]);
    d.ribbon(0, 0, 10, 100, 70, 90, d.c.head[1]);
    d.text(10, 10, "on top", {.colour = d.c.ink});
    d.push_clip(100, 100, 50, 50);
    d.cell(100, 100, 90, 90, 1, false);
    d.pop_clip();
    d.cell(200, 200, 9, 9, 1, false);
  });
  std::vector<char> order;
  std::vector<ImVec4> clips;
  for (const ImDrawCmd& command : list.CmdBuffer) {
    if (command.UserCallback == ImDrawCallback_ResetRenderState) continue;
    if (command.UserCallback)
      order.push_back('s'), clips.push_back(command.ClipRect);
    else if (command.ElemCount > 0)
      order.push_back('v');
  }
  CHECK(order == std::vector<char>{'s', 'v', 's', 's', 'v', 's', 's'});
  REQUIRE(clips.size() == 5);
  CHECK(clips[3].x == 100);
  CHECK(clips[3].w == 150);
  CHECK(clips[4].z == 1280);
}

TEST_CASE("the list is complete when the hand is gone, and when its list is asked for") {
  render::Renderer renderer;
  Page page(1, &renderer);
  const ImDrawList& list = page.draw([](Draw& d) {
    d.cell(0, 0, 5, 5, 0.5f, true);
    CHECK(callbacks(d.list()) == 1);
    d.cell(0, 0, 5, 5, 0.5f, true);
  });
  CHECK(callbacks(list) == 2);
}

TEST_CASE("fading dims everything") {
  Page page;
  const ImDrawList& list = page.draw([](Draw& d) {
    d.set_alpha(0.5f);
    d.rect_filled(0, 0, 5, 5, 0x000000);
    d.text(50, 50, "x", {.colour = 0});
  });
  for (const ImDrawVert& v : list.VtxBuffer) CHECK((v.col >> IM_COL32_A_SHIFT) == 128);
}

TEST_CASE("a dashed frame is short strokes, and a length that can't be drawn dashed is one") {
  Page page;
  const ImDrawList& frame = page.draw([](Draw& d) { d.dash_rect(10, 10, 60, 40); });
  CHECK(frame.VtxBuffer.Size > 30 * 4);
  const ImDrawList& endless = page.draw([](Draw& d) { d.line(0, 10, 1e7f, 10, d.c.ink, {.dash = 1, .gap = 2}); });
  CHECK(endless.VtxBuffer.Size < 10);
}

TEST_CASE("sizes that make no sense draw nothing and break nothing") {
  Page page;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const ImDrawList& list = page.draw([&](Draw& d) {
    for (const float size : {0.0f, -5.0f, nan}) {
      d.rect_filled(10, 10, size, 10, d.c.ink, 4);
      d.rect(10, 10, size, 10, d.c.ink, {.radius = 4});
      d.rect(10, 10, size, 10, d.c.ink, {.dash = 3, .gap = 3});
      d.cell(10, 10, size, 10, size, false);
      d.hatch(10, 10, size, 10, d.c.ink);
      d.hatch(10, 10, 10, 10, d.c.ink, size);
      d.ribbon(10, 0, 10, 10 + size, 0, 10, d.c.ink);
      d.circle(10, 10, size, d.c.ink);
      d.ring(10, 10, size, d.c.ink, 1);
      d.push_clip(0, 0, size, size);
      d.pop_clip();
    }
    d.rect(10, 10, 0, 10, d.c.ink, {.dash = 3, .gap = 0});
    d.line(5, 5, 5, 5, d.c.ink);
    d.polyline({}, d.c.ink, 1);
    d.poly_filled({{0, 0}, {1, 1}}, d.c.ink);
    d.outline(0, 0, 0, 0, 10, 10);
  });
  for (const ImDrawVert& v : list.VtxBuffer) CHECK(std::isfinite(v.pos.x));
}

TEST_CASE("every icon and widget draws") {
  Page page;
  page.draw([](Draw& d) {
    using ui::Icon;
    for (int i = 1; i <= static_cast<int>(Icon::check); ++i) {
      const int before = d.list().VtxBuffer.Size;
      d.icon(static_cast<Icon>(i), 10, 10, d.c.ink);
      CHECK(d.list().VtxBuffer.Size > before);
    }
    d.button(10, 10, 90, 32, "Next",
             {.kind = ui::ButtonStyle::Kind::primary, .icon = Icon::next, .icon_after = true, .focused = true});
    d.button(10, 10, 90, 32, "", {.enabled = false, .hovered = true});
    d.badge(10, 10, -1);
    d.badge(10, 10, 99);
    d.toggle(10, 10, false, true);
    d.bracket(10, 10, 3, 3, d.c.ink);
    d.hover_ring(10, 10, 20, 20, d.c.bg);
    d.updated_ring(10, 10, 20, 20, 0.3f);
    d.colour_scale(10, 10, 180, 14, true, {{0.0f, "−4"}, {1.0f, "4"}});
    d.logo(10, 10);
    d.theme_icon(10, 10);
  });
}
