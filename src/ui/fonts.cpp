// The embedded faces as ImGui fonts, through our own rasteriser. ImGui rounds a font's size to whole pixels; so every
// face is asked for at one size, and the density alone makes it any size: em in device pixels = size * density.
//
// Text weight. A browser's grey for a half covered pixel depends on the ink: measured in the drawings' pictures,
// Chromium leaves dark and middle inks as they are (within 2 %), and raises near-white ones to about the power 0.85
// (0.25 -> 0.31, 0.5 -> 0.56, 0.75 -> 0.78), so that white on black looks as heavy as black on white. ImGui's
// RasterizerMultiply can't do that; so the same faces are baked once more at another size for near-white ink.
#include "ui/draw.hpp"
#include "ui/text_raster.hpp"

#include "embedded/fonts.hpp"
#include "imgui_internal.h"

#include <array>
#include <cmath>

namespace ui {
namespace {

FontFile& file_of(const ImFontConfig* source) { return *static_cast<FontFile*>(source->FontLoaderData); }

bool init_source(ImFontAtlas*, ImFontConfig* source) {
  source->FontLoaderData =
      FontFile::open(static_cast<const unsigned char*>(source->FontData), static_cast<int>(source->FontNo)).release();
  return source->FontLoaderData != nullptr;
}

void destroy_source(ImFontAtlas*, ImFontConfig* source) {
  delete static_cast<FontFile*>(source->FontLoaderData);
  source->FontLoaderData = nullptr;
}

bool contains_glyph(ImFontAtlas*, ImFontConfig* source, ImWchar codepoint) {
  return file_of(source).find_glyph(codepoint) != 0;
}

bool init_baked(ImFontAtlas*, ImFontConfig* source, ImFontBaked* baked, void*) {
  baked->Ascent = std::ceil(file_of(source).ascent() * baked->Size);
  baked->Descent = std::floor(file_of(source).descent() * baked->Size);
  return true;
}

unsigned char heavier(unsigned char grey) {
  static const std::array<unsigned char, 256> table = [] {
    std::array<unsigned char, 256> made{};
    for (int i = 0; i < 256; ++i)
      made[i] = static_cast<unsigned char>(std::lround(255 * std::pow(static_cast<float>(i) / 255, 0.85f)));
    return made;
  }();
  return table[grey];
}

bool load_glyph(ImFontAtlas* atlas, ImFontConfig* source, ImFontBaked* baked, void*, ImWchar codepoint,
                ImFontGlyph* out, float* only_advance) {
  const FontFile& file = file_of(source);
  const int index = file.find_glyph(codepoint);
  if (index == 0) return false;
  const float advance = file.advance(index) * baked->Size;  // not rounded: widths are a browser's
  if (only_advance) {
    *only_advance = advance;
    return true;
  }
  out->Codepoint = codepoint;
  out->AdvanceX = advance;

  const float density = source->RasterizerDensity * baked->RasterizerDensity;
  GlyphPicture picture = file.rasterise(index, baked->Size * density);
  if (picture.coverage.empty()) return true;
  if (baked->Size == kReferenceEmLight)
    for (unsigned char& grey : picture.coverage) grey = heavier(grey);
  const ImFontAtlasRectId place = ImFontAtlasPackAddRect(atlas, picture.w, picture.h);
  if (place == ImFontAtlasRectId_Invalid) return true;  // no room for so large a glyph: its width, but no picture
  out->X0 = picture.left / density;
  out->X1 = (picture.left + static_cast<float>(picture.w) / kSubpixels) / density;
  out->Y0 = static_cast<float>(picture.top) / density + baked->Ascent;
  out->Y1 = static_cast<float>(picture.top + picture.h) / density + baked->Ascent;
  out->Visible = true;
  out->PackId = place;
  ImFontAtlasBakedSetFontGlyphBitmap(atlas, baked, source, out, ImFontAtlasPackGetRect(atlas, place),
                                     picture.coverage.data(), ImTextureFormat_Alpha8, picture.w);
  return true;
}

const ImFontLoader* font_loader() {
  static const ImFontLoader loader = [] {
    ImFontLoader made;
    made.Name = "headscope";
    made.FontSrcInit = init_source;
    made.FontSrcDestroy = destroy_source;
    made.FontSrcContainsGlyph = contains_glyph;
    made.FontBakedInit = init_baked;
    made.FontBakedLoadGlyph = load_glyph;
    return made;
  }();
  return &loader;
}

}  // namespace

Fonts load_fonts(ImFontAtlas& atlas) {
  const embedded::Bytes faces[] = {embedded::inter_regular, embedded::inter_semibold,
                                   embedded::inter_italic,  embedded::mono_regular,
                                   embedded::mono_medium,   embedded::mono_semibold};  // as in Face
  Fonts fonts;
  for (int i = 0; i < 6; ++i) {
    ImFontConfig config;
    config.FontData = const_cast<unsigned char*>(faces[i].data);  // ImGui copies it when it doesn't own it
    config.FontDataSize = static_cast<int>(faces[i].size);
    config.FontDataOwnedByAtlas = false;
    config.SizePixels = kReferenceEm;
    config.FontLoader = font_loader();
    fonts.face[i] = atlas.AddFont(&config);
  }
  return fonts;
}

}  // namespace ui

/// Built with IMGUI_ENABLE_FREETYPE, ImGui asks here for the loader of an atlas whose fonts bring none.
namespace ImGuiFreeType {
const ImFontLoader* GetFontLoader() { return ui::font_loader(); }
}  // namespace ImGuiFreeType
