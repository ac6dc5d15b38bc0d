// The colour tables: the design's ends, the drawings' own mixtures in between, and lightness that never turns back.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "render/render.hpp"
#include "ui/draw.hpp"

namespace {

std::uint32_t rgb(const render::ColourTable& table, int i) {
  const auto& e = table[static_cast<std::size_t>(i)];
  return static_cast<std::uint32_t>(e[0] << 16 | e[1] << 8 | e[2]);
}

double luminance(const render::ColourTable& table, int i) {
  const auto linear = [](int byte) {
    const double v = byte / 255.0;
    return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
  };
  const auto& e = table[static_cast<std::size_t>(i)];
  return 0.2126 * linear(e[0]) + 0.7152 * linear(e[1]) + 0.0722 * linear(e[2]);
}

}  // namespace

TEST_CASE("a colour table starts and ends with the design's stops and mixes as the drawings do") {
  struct Sample {
    bool dark, diverging;
    std::uint32_t at[7];
  };
  constexpr int kPlaces[] = {0, 64, 100, 128, 171, 200, 255};
  // `ramp(stops, i / 255)` of the drawings' ds.js, in a browser
  constexpr Sample kSamples[] = {
      {false, false, {0xF8F7F2, 0xBCD4EC, 0x94B8DD, 0x75A3D2, 0x4C7CB7, 0x335F9C, 0x0E214C}},
      {false, true, {0x005884, 0x80BDE4, 0xC5DEED, 0xF8F6F1, 0xEEC8A2, 0xDDA36D, 0x994A08}},
      {true, false, {0x1C1E23, 0x273C64, 0x33578D, 0x3C6EAD, 0x659BD0, 0x88BBE4, 0xE6F7FD}},
      {true, true, {0x6DCAF8, 0x266186, 0x263A47, 0x201E1B, 0x644027, 0x965D31, 0xF6AC63}},
  };
  for (const Sample& sample : kSamples) {
    const ui::Palette& colours = ui::palette(sample.dark);
    const render::ColourTable table = render::make_colour_table(sample.diverging ? colours.div : colours.seq);
    CAPTURE(sample.dark);
    CAPTURE(sample.diverging);
    for (int k = 0; k < 7; ++k) {
      CAPTURE(kPlaces[k]);
      for (const int shift : {16, 8, 0})
        CHECK(std::abs(int(rgb(table, kPlaces[k]) >> shift & 255) - int(sample.at[k] >> shift & 255)) <= 1);
    }
    CHECK(rgb(table, 0) == sample.at[0]);
    CHECK(rgb(table, 255) == sample.at[6]);
    for (const auto& entry : table) CHECK(entry[3] == 255);
  }
}

TEST_CASE("more weight is more contrast with the page, without a step back") {
  for (const bool dark : {false, true}) {
    const render::ColourTable table = render::make_colour_table(ui::palette(dark).seq);
    for (int i = 1; i < 256; ++i) {
      CAPTURE(i);
      if (dark)
        CHECK(luminance(table, i) >= luminance(table, i - 1));
      else
        CHECK(luminance(table, i) <= luminance(table, i - 1));
    }
  }
}

TEST_CASE("signed numbers gain contrast away from zero on both sides") {
  for (const bool dark : {false, true}) {
    const render::ColourTable table = render::make_colour_table(ui::palette(dark).div);
    const double sign = dark ? 1 : -1;
    for (int i = 1; i <= 127; ++i) CHECK(sign * luminance(table, i) < sign * luminance(table, i - 1));
    for (int i = 129; i < 256; ++i) CHECK(sign * luminance(table, i) > sign * luminance(table, i - 1));
  }
}

TEST_CASE("any number finds an entry") {
  const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
  CHECK(render::colour_index(nan) == 0);
  CHECK(render::colour_index(-infinity) == 0);
  CHECK(render::colour_index(infinity) == 255);
  CHECK(render::colour_index(-0.1f) == 0);
  CHECK(render::colour_index(1e30f) == 255);
  CHECK(render::colour_index(0) == 0);
  CHECK(render::colour_index(1) == 255);
  for (int i = 0; i < 256; ++i) CHECK(render::colour_index(static_cast<float>(i) / 255) == i);
}

TEST_CASE("text on every colour of the tables reaches the contrast 4.5") {
  double worst = 21;
  for (const bool dark : {false, true})
    for (const bool diverging : {false, true}) {
      const ui::Palette& colours = ui::palette(dark);
      const render::ColourTable table = render::make_colour_table(diverging ? colours.div : colours.seq);
      for (int i = 0; i < 256; ++i) {
        const ui::Colour ink = ui::text_on(rgb(table, i));
        CHECK((ink == 0x000000 || ink == 0xFFFFFF));
        const double l = luminance(table, i), contrast = ink == 0 ? (l + 0.05) / 0.05 : 1.05 / (l + 0.05);
        CAPTURE(i);
        CHECK(contrast >= 4.5);
        worst = std::min(worst, contrast);
      }
    }
  MESSAGE("worst contrast: " << worst);
}

TEST_CASE("blending goes from one colour to the other") {
  CHECK(ui::blend(0xFF8000, 0x000000, 1) == 0xFF8000);
  CHECK(ui::blend(0xFF8000, 0x102030, 0) == 0x102030);
  CHECK(ui::blend(0xFFFFFF, 0x000000, 0.5f) == 0x808080);
}
