// Text on the page: a browser's widths, whole rows of pixels, and strings that nobody meant to draw.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "draw_support.hpp"

using ui::Draw;
using ui::Face;

TEST_CASE("widths are the sums of the fonts' own advances") {
  // fontTools over Debian's fonts-inter 4.0~beta7 and fonts-jetbrains-mono 2.242, in em
  struct Sample {
    Face face;
    const char* text;
    float em;
  };
  constexpr Sample kSamples[] = {
      {Face::sans, "Multi-head attention", 9.6491f},
      {Face::sans, "Softmax turns each row of scores into weights", 22.0156f},
      {Face::sans, "0.944 − 0.056", 6.7869f},
      {Face::sans, "W→Q · √∞ ≈ ≤ ≥ ±", 8.8253f},
      {Face::bold, "Multi-head attention", 9.9357f},
      {Face::bold, "Softmax turns each row of scores into weights", 22.5039f},
      {Face::italic, "Multi-head attention", 9.6527f},
      {Face::mono, "0.944 − 0.056", 7.8f},
      {Face::mono_medium, "W→Q · √∞ ≈ ≤ ≥ ±", 9.6f},
      {Face::mono_bold, "Multi-head attention", 12},
  };
  Page page;
  page.draw([&](Draw& d) {
    for (const Sample& sample : kSamples)
      for (const float size : {9.5f, 10.5f, 12.0f, 13.0f, 14.0f, 16.0f, 20.0f, 32.0f}) {
        CAPTURE(sample.text);
        CAPTURE(size);
        CHECK(std::abs(d.width(sample.text, size, sample.face) - sample.em * size) < 0.02f);
      }
    // Chromium's measureText, kerning off
    CHECK(std::abs(d.width("Softmax turns each row of scores into weights", 14, Face::sans) - 308.2134f) < 0.05f);
    CHECK(std::abs(d.width("Multi-head attention", 14, Face::bold) - 139.0977f) < 0.05f);
  });
}

TEST_CASE("drawing and measuring agree, and a line is as wide as its parts") {
  Page page(1.5f);
  page.draw([&](Draw& d) {
    CHECK(d.text(10, 10, "weights", {.size = 13}) == doctest::Approx(d.width("weights", 13, Face::sans)));
    CHECK(d.rich_width("<b>W</b> rest", 14) ==
          doctest::Approx(d.width("W", 14, Face::bold) + d.width(" rest", 14, Face::sans)));
    CHECK(d.rich(10, 10, "<b>W</b>^{Q}_{i} x", {.size = 16}) ==
          doctest::Approx(d.rich_width("<b>W</b>^{Q}_{i} x", 16)));
    // stacked scripts share their place: the wider one counts
    CHECK(d.rich_width("^{QQQ}_{i}", 16) == doctest::Approx(d.rich_width("^{QQQ}", 16)));
    CHECK(d.fraction(0, 50, "4", "d_{k}", {.size = 16}, true) ==
          doctest::Approx(d.fraction_width("4", "d_{k}", 16, Face::sans, true)));
    CHECK(d.sqrt(0, 50, "d_{k}", {.size = 16}) == doctest::Approx(d.sqrt_width("d_{k}", 16)));
  });
}

TEST_CASE("a baseline lies at round(y + 0.362 em), on whole device pixels at every ratio") {
  struct Sample {
    float ratio, size, y, baseline;
  };  // device pixels
  for (const Sample& sample : {Sample{1, 14, 100, 105},
                               {1, 12, 100, 104},
                               {1, 13, 100, 105},
                               {1, 16, 100, 106},
                               {1, 20, 100, 107},
                               {1, 13, 100.5f, 105},
                               {2, 13, 100, 209},
                               {2, 14, 100, 210},
                               {1.5f, 14, 101, 159},
                               {1.25f, 12, 33, 47}}) {
    Page page(sample.ratio);
    const ImDrawList& list =
        page.draw([&](Draw& d) { d.text(10.3f, sample.y, "H", {.size = sample.size, .colour = 0x000000}); });
    REQUIRE(list.VtxBuffer.Size == 4);
    CAPTURE(sample.ratio);
    CAPTURE(sample.size);
    CHECK(*rows(list, sample.ratio).rbegin() ==
          doctest::Approx(sample.baseline).epsilon(1e-5));  // a capital stands on it
  }
}

TEST_CASE("glyphs stand on quarters of a device pixel, their pictures' samples on pixels") {
  for (const float ratio : {1.0f, 1.5f, 2.0f}) {
    Page page(ratio);
    const ImDrawList& list =
        page.draw([&](Draw& d) { d.text(10.5f, 50, "milk and bread", {.size = 13, .colour = 0}); });
    for (const float x : columns(list, ratio)) {
      const float samples = x * 4 + 1.5f;  // a picture begins 1.5 samples before the first one's middle
      CHECK(std::abs(samples - std::round(samples)) < 1e-2f);
    }
    for (const float y : rows(list, ratio)) CHECK(std::abs(y - std::round(y)) < 1e-2f);
  }
}

TEST_CASE("alignment moves text by its own width") {
  Page page;
  page.draw([&](Draw& d) {
    const float w = d.width("0.944", 13, Face::mono);
    for (const float align : {0.0f, 0.5f, 1.0f}) {
      ImDrawList& list = d.list();
      const int before = list.VtxBuffer.Size;
      d.text(200, 50, "0.944", {.size = 13, .face = Face::mono, .align = align});
      float left = 1e9f, right = 0;
      for (int i = before; i < list.VtxBuffer.Size; ++i) {
        left = std::min(left, list.VtxBuffer[i].pos.x);
        right = std::max(right, list.VtxBuffer[i].pos.x);
      }
      CHECK(left > 200 - w * align - 1);
      CHECK(right < 200 - w * align + w + 1);
    }
  });
}

TEST_CASE("lines break at spaces, never inside braces, and carry their tags on") {
  Page page;
  page.draw([&](Draw& d) {
    const std::string text = "one two three four five six seven";
    const float line = d.width("one two three", 14, Face::sans) + 1;
    CHECK(d.wrap_lines(text, 14, Face::sans, line) == 3);
    CHECK(d.wrap(0, 0, text, {.size = 14}, line, 20) == 60);
    CHECK(d.wrap_lines("", 14, Face::sans, line) == 0);
    CHECK(d.wrap_lines("   ", 14, Face::sans, line) == 0);
    CHECK(d.wrap_lines("unbreakable", 14, Face::sans, 5) == 1);
    CHECK(d.wrap_lines("W_{a b c d e f}", 14, Face::sans, 5) == 1);
    CHECK(d.wrap_lines("<b>one two three four</b>", 14, Face::sans, line) == 2);
    CHECK(d.wrap_lines("a b c", 14, Face::sans, -1) == 3);
  });
}

TEST_CASE("a tag goes on in the next line") {
  Page page;
  const auto places = [&](const auto& what) {
    std::vector<float> out;
    const ImDrawList& list = page.draw(what);
    for (const ImDrawVert& v : list.VtxBuffer)
      out.insert(out.end(), {v.pos.x, v.pos.y, v.uv.x, static_cast<float>(v.col >> 8)});
    return out;
  };
  places([](Draw& d) { d.rich(0, 50, "<b>mill</b><q>mill</q>", {}); });  // the texture is filled and stays
  CHECK(places([](Draw& d) { d.wrap(10, 50, "<b>mill mill</b>", {}, 40, 20); }) == places([](Draw& d) {
          d.rich(10, 50, "<b>mill</b>", {});
          d.rich(10, 70, "<b>mill</b>", {});
        }));
}

TEST_CASE("hostile strings draw something and cost little") {
  Page page;
  std::string endless(200000, 'x');
  const std::string strings[] = {
      "\xff\xfe\x80",         "\xe2\x82",   "\xf0\x9f\x98", "\xc0\xaf",           "\xed\xa0\x80", "\xf4\x90\x80\x80",
      std::string("a\0b", 3), "\t\n\r\x01", "中文 עברית 😀", "\u200b\u202e\ufeff", "\u00a0",       endless,
      std::string(1, '\xe2')};
  const ImDrawList& list = page.draw([&](Draw& d) {
    for (const std::string& text : strings) {
      const float w = d.text(20, 100, text, {.colour = 0});
      CHECK(std::isfinite(w));
      CHECK(w == doctest::Approx(d.width(text, 14, Face::sans)));
      CHECK(std::isfinite(d.rich(20, 100, text, {.colour = 0})));
    }
    CHECK(d.width("\u200b\u202e\ufeff", 14, Face::sans) == 0);
    CHECK(d.width("\u00a0", 14, Face::sans) == d.width(" ", 14, Face::sans));
    for (const char* missing : {"中", "☃", "ж"})
      CHECK(d.width(missing, 14, Face::bold) == d.width("?", 14, Face::bold));
    CHECK(d.width("\xff", 14, Face::sans) == d.width("?", 14, Face::sans));
    CHECK(d.width("", 14, Face::sans) == 0);
    d.text(0, 0, "size 0", {.size = 0});
    d.text(1e9f, 1e9f, "far", {});
  });
  CHECK(list.VtxBuffer.Size < 20000);  // what is out of sight isn't drawn
}
