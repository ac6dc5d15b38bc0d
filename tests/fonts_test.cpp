// The embedded fonts hold every character that the program draws, and stb_truetype (inside Dear ImGui) can draw them.
#include <doctest/doctest.h>

#include <array>
#include <string>
#include <utility>

#include "embedded/fonts.hpp"

#define STB_TRUETYPE_IMPLEMENTATION
#define STBTT_STATIC
#include <imstb_truetype.h>

namespace {

constexpr std::array<std::pair<const char*, const embedded::Bytes*>, 6> kFaces{{
    {"inter_regular", &embedded::inter_regular},
    {"inter_semibold", &embedded::inter_semibold},
    {"inter_italic", &embedded::inter_italic},
    {"mono_regular", &embedded::mono_regular},
    {"mono_medium", &embedded::mono_medium},
    {"mono_semibold", &embedded::mono_semibold},
}};

std::u32string drawn_characters() {
  std::u32string characters = U"·×÷−…→←√∞≈≤≥±’“”–α";
  for (char32_t c = U'!'; c <= U'~'; ++c) characters += c;
  return characters;
}

stbtt_fontinfo open_font(const embedded::Bytes& bytes) {
  stbtt_fontinfo font{};
  REQUIRE(stbtt_InitFont(&font, bytes.data, 0) != 0);
  return font;
}

}  // namespace

TEST_CASE("every embedded font draws every character of the program") {
  for (const auto& [name, bytes] : kFaces) {
    CAPTURE(name);
    const stbtt_fontinfo font = open_font(*bytes);
    const float scale = stbtt_ScaleForPixelHeight(&font, 32);
    for (const char32_t c : drawn_characters()) {
      CAPTURE(static_cast<unsigned>(c));
      const int glyph = stbtt_FindGlyphIndex(&font, static_cast<int>(c));
      CHECK(glyph != 0);
      int width = 0, height = 0;
      unsigned char* pixels = stbtt_GetGlyphBitmap(&font, scale, scale, glyph, &width, &height, nullptr, nullptr);
      int ink = 0;
      for (int i = 0; i < width * height; ++i) ink += pixels[i] > 127;
      CHECK(ink > 0);
      stbtt_FreeBitmap(pixels, nullptr);
    }
  }
}

TEST_CASE("a font's height in em is the one that the text sizes are computed with") {
  // Dear ImGui's sizes are ascent + descent; the design's are em.
  const std::array<std::pair<const embedded::Bytes*, float>, 2> heights{
      {{&embedded::inter_regular, 1.2102f}, {&embedded::mono_regular, 1.32f}}};
  for (const auto& [bytes, height_em] : heights) {
    const stbtt_fontinfo font = open_font(*bytes);
    int ascent = 0, descent = 0, gap = 0;
    stbtt_GetFontVMetrics(&font, &ascent, &descent, &gap);
    const float units_per_em = 1 / stbtt_ScaleForMappingEmToPixels(&font, 1);
    CHECK(static_cast<float>(ascent - descent) / units_per_em == doctest::Approx(height_em).epsilon(1e-3));
  }
}
