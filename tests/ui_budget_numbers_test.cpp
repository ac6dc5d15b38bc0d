// Groups of three digits: a thin space is a gap, not a character.
#include "draw_support.hpp"

#include <doctest/doctest.h>

#include <cmath>

using ui::Draw;
using ui::Face;

TEST_CASE("a thin space is 0.28 em wide in every face and size, in plain and in rich text, and draws nothing") {
  Page page;
  std::size_t quads = 0;
  page.draw([&](Draw& d) {
    for (const Face face : {Face::sans, Face::bold, Face::mono, Face::mono_medium})
      for (const float size : {12.f, 13.f, 16.f, 32.f}) {
        CAPTURE(size);
        const float digits = d.width("1048576", size, face);
        CHECK(std::abs(d.width("1\u2009048\u2009576", size, face) - digits - 2 * 0.28f * size) < 0.01f);
        CHECK(std::abs(d.rich_width("<b></b>1\u2009048\u2009576", size, face) - digits - 2 * 0.28f * size) < 0.01f);
      }
  });
  const ImDrawList& list = page.draw([&](Draw& d) {
    const float w = d.text(100, 100, "1\u2009048", {.size = 16, .face = Face::mono, .colour = 0x1A1917});
    CHECK(std::abs(w - (4 * 0.6f + 0.28f) * 16) < 0.02f);
  });
  quads = static_cast<std::size_t>(list.VtxBuffer.Size) / 4;
  REQUIRE(quads == 4);
  const auto left = [&](int glyph) { return list.VtxBuffer[4 * glyph].pos.x; };
  const float close = left(3) - left(2), apart = left(1) - left(0);  // "48" and "1 0"
  CHECK(apart > close + 2);
}
