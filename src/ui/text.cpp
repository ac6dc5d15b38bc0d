// Plain text: widths from unrounded advances, glyphs on quarters of a device pixel, baselines on whole ones.
#include "ui/draw.hpp"
#include "ui/text_raster.hpp"

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

constexpr unsigned kThinSpace = 0x2009;  // between groups of digits; no face of ours has a glyph for it
constexpr float kThinSpaceEm = 0.28f;

/// The next code point, and moves on. Bad bytes give U+FFFD one at a time; never reads past the end.
unsigned next_codepoint(std::string_view& text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  const std::size_t length = first < 0x80                    ? 1
                             : first >= 0xC2 && first < 0xE0 ? 2
                             : first >= 0xE0 && first < 0xF0 ? 3
                             : first >= 0xF0 && first < 0xF5 ? 4
                                                             : 0;
  unsigned value = length == 1 ? first : length == 2 ? first & 31 : length == 3 ? first & 15 : first & 7;
  bool good = length > 0 && length <= text.size();
  for (std::size_t i = 1; good && i < length; ++i) {
    good = (byte(i) & 0xC0) == 0x80;
    value = value << 6 | (byte(i) & 63);
  }
  good = good && !(length == 3 && (value < 0x800 || (value >= 0xD800 && value < 0xE000))) &&
         !(length == 4 && (value < 0x10000 || value > 0x10FFFF));
  text.remove_prefix(good ? length : 1);
  return good ? value : 0xFFFD;
}

/// What is drawn for a code point; 0 for what has no width (joiners, marks of direction, variation selectors).
ImWchar glyph_of(unsigned codepoint) {
  if (codepoint < 0x20 || codepoint == 0x7F || codepoint == 0xA0) return ' ';
  if ((codepoint >= 0x200B && codepoint <= 0x200F) || (codepoint >= 0x202A && codepoint <= 0x202E) ||
      (codepoint >= 0x2060 && codepoint <= 0x2069) || (codepoint >= 0xFE00 && codepoint <= 0xFE0F) ||
      codepoint == 0xFEFF)
    return 0;
  return codepoint > IM_UNICODE_CODEPOINT_MAX ? IM_UNICODE_CODEPOINT_INVALID : static_cast<ImWchar>(codepoint);
}

ImFontBaked& baked(ImFont& font, float em, float density) {
  ImFontBaked* found = font.GetFontBaked(em, density);
  found->LoadNoRenderOnLayout = 1;  // measuring alone fills no texture
  return *found;
}

float advance_of(ImFontBaked& font, ImWchar glyph) {
  const float advance = font.GetCharAdvance(glyph);
  return advance > 0 ? advance : font.GetCharAdvance(glyph);  // ImGui answers 0 the first time for a missing glyph
}

bool is_near_white(Colour colour) {
  return 3 * (colour >> 16 & 255) + 6 * (colour >> 8 & 255) + (colour & 255) > 10 * 208;
}

}  // namespace

float Draw::width(std::string_view plain, float size, Face face) const {
  ImFontBaked& font = baked(*fonts_.face[static_cast<int>(face)], kReferenceEm, 1);
  double sum = 0;
  while (!plain.empty()) {
    const unsigned codepoint = next_codepoint(plain);
    if (codepoint == kThinSpace)
      sum += kThinSpaceEm * kReferenceEm;
    else if (const ImWchar glyph = glyph_of(codepoint))
      sum += advance_of(font, glyph);
  }
  return static_cast<float>(sum * size / kReferenceEm);
}

// `up`: turned to the left by 90 degrees around (x, baseline); the pen then moves up from there.
float Draw::text_at(float x, float baseline, std::string_view plain, float size, Face face, Colour colour, float alpha,
                    bool up) {
  const float em = is_near_white(colour) ? kReferenceEmLight : kReferenceEm;
  const float ratio = frame_.pixel_ratio, density = size * ratio / em;
  const ImU32 shade = ink(colour, alpha);
  if (!(density > 0.01f) || (shade & IM_COL32_A_MASK) == 0) return width(plain, size, face);
  flush();
  ImFontBaked& font = baked(*fonts_.face[static_cast<int>(face)], em, density);
  const float row = std::floor((up ? x : baseline) * ratio + 0.5f);
  const float start = up ? 0 : x;
  const ImVec2 clip_min = list_.GetClipRectMin(), clip_max = list_.GetClipRectMax();
  double pen = 0;  // CSS pixels
  while (!plain.empty()) {
    const unsigned next = next_codepoint(plain);
    if (next == kThinSpace) pen += kThinSpaceEm * size;
    const ImWchar codepoint = next == kThinSpace ? ImWchar(0) : glyph_of(next);
    if (codepoint == 0) continue;
    const float advance = advance_of(font, codepoint) * size / em;
    const float left = start + static_cast<float>(pen);
    pen += advance;
    // Text out of sight costs nothing: long strings must not fill the vertex buffer.
    if (up ? pen > 4096
           : left > clip_max.x || left + advance + size < clip_min.x || baseline - 2 * size > clip_max.y ||
                 baseline + size < clip_min.y)
      continue;
    const ImFontGlyph* glyph = font.FindGlyph(codepoint);
    if (!glyph || !glyph->Visible) continue;
    const float column = std::floor(left * ratio * kSubpixels + 0.5f) / kSubpixels;
    const float x0 = column + glyph->X0 * density, x1 = column + glyph->X1 * density;
    const float y0 = row + std::round((glyph->Y0 - font.Ascent) * density),
                y1 = row + std::round((glyph->Y1 - font.Ascent) * density);
    const ImVec2 uv0(glyph->U0, glyph->V0), uv1(glyph->U1, glyph->V1);
    list_.PrimReserve(6, 4);  // after FindGlyph, which may have made a new texture
    if (up) {
      const float foot = std::floor(baseline * ratio * kSubpixels + 0.5f) / kSubpixels;
      const auto turned = [&](float along, float across) { return ImVec2(across / ratio, (foot - along) / ratio); };
      list_.PrimQuadUV(turned(x0, y0), turned(x1, y0), turned(x1, y1), turned(x0, y1), uv0, {uv1.x, uv0.y}, uv1,
                       {uv0.x, uv1.y}, shade);
      continue;
    }
    list_.PrimRectUV({x0 / ratio, y0 / ratio}, {x1 / ratio, y1 / ratio}, uv0, uv1, shade);
  }
  return static_cast<float>(pen);
}

float Draw::text_up(float x, float y, std::string_view plain, const TextStyle& style) {
  return text_at(on_pixel(x + style.size * 0.362f), y, plain, style.size, style.face, style.colour, style.alpha, true);
}

std::string Draw::fitting(std::string_view plain, float size, Face face, float most) const {
  if (width(plain, size, face) <= most) return std::string(plain);
  std::string cut;
  std::string_view rest = plain;
  while (!rest.empty()) {
    const std::string_view from = rest;
    next_codepoint(rest);
    const std::string longer = cut + std::string(from.substr(0, from.size() - rest.size()));
    if (width(longer + "…", size, face) > most) break;
    cut = longer;
  }
  while (!cut.empty() && cut.back() == ' ') cut.pop_back();
  return cut + "…";
}

float Draw::text(float x, float y, std::string_view plain, const TextStyle& style) {
  const float left = style.align > 0 ? x - width(plain, style.size, style.face) * style.align : x;
  const float baseline = style.baseline ? y : y + style.size * 0.362f;  // half of Inter's capitals is 0.364 em
  return text_at(std::round(left * 2) / 2, on_pixel(baseline), plain, style.size, style.face, style.colour,
                 style.alpha);
}

}  // namespace ui
