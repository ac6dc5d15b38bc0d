// The rasteriser: stb_truetype's exact area coverage, with finely flattened curves and four samples across a pixel.
#include "ui/text_raster.hpp"

#include <cstdlib>

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"  // a static copy: ImGui's own isn't exported, and unused parts go
#endif
#define STBTT_STATIC
#define STB_TRUETYPE_IMPLEMENTATION
#include "imstb_truetype.h"
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

namespace ui {
namespace {

// How far a curve's chords may be off, in device pixels: a stroke's edge then errs by less than three grey levels of
// 255.
constexpr float kFlatness = 0.02f;

/// Each sample becomes the mean of itself and the ones before: what a whole pixel that ends there would cover.
void widen_to_pixels(GlyphPicture& picture) {
  for (int y = 0; y < picture.h; ++y) {
    unsigned char* row = picture.coverage.data() + y * picture.w;
    for (int x = picture.w - 1; x >= 0; --x) {
      int sum = kSubpixels / 2;
      for (int k = 0; k < kSubpixels && x - k >= 0; ++k) sum += row[x - k];
      row[x] = static_cast<unsigned char>(sum / kSubpixels);
    }
  }
}

}  // namespace

struct FontFile::Info {
  stbtt_fontinfo stb;
  float em;  // of one font unit
};

FontFile::FontFile() : info_(std::make_unique<Info>()) {}
FontFile::~FontFile() = default;

std::unique_ptr<FontFile> FontFile::open(const unsigned char* data, int number) {
  std::unique_ptr<FontFile> file(new FontFile);
  const int offset = stbtt_GetFontOffsetForIndex(data, number);
  if (offset < 0 || !stbtt_InitFont(&file->info_->stb, data, offset)) return nullptr;
  file->info_->em = stbtt_ScaleForMappingEmToPixels(&file->info_->stb, 1);
  return file;
}

int FontFile::find_glyph(unsigned codepoint) const {
  return stbtt_FindGlyphIndex(&info_->stb, static_cast<int>(codepoint));
}

float FontFile::advance(int glyph) const {
  int width, bearing;
  stbtt_GetGlyphHMetrics(&info_->stb, glyph, &width, &bearing);
  return static_cast<float>(width) * info_->em;
}

float FontFile::ascent() const {
  int ascent, descent, gap;
  stbtt_GetFontVMetrics(&info_->stb, &ascent, &descent, &gap);
  return static_cast<float>(ascent) * info_->em;
}

float FontFile::descent() const {
  int ascent, descent, gap;
  stbtt_GetFontVMetrics(&info_->stb, &ascent, &descent, &gap);
  return static_cast<float>(descent) * info_->em;
}

GlyphPicture FontFile::rasterise(int glyph, float em_px) const {
  const float scale_y = info_->em * em_px, scale_x = scale_y * kSubpixels;
  int x0, y0, x1, y1;
  stbtt_GetGlyphBitmapBox(&info_->stb, glyph, scale_x, scale_y, &x0, &y0, &x1, &y1);
  if (x0 >= x1 || y0 >= y1) return {};
  GlyphPicture picture;
  picture.w = x1 - x0 + kSubpixels - 1;
  picture.h = y1 - y0;
  // A widened sample's middle lies kSubpixels / 2 samples before its right end. With this, a glyph whose pen is on a
  // quarter of a device pixel reads whole samples, and the texture's linear filter blurs nothing.
  picture.left = (static_cast<float>(x0) - 0.5f * (kSubpixels - 1)) / kSubpixels;
  picture.top = y0;
  picture.coverage.resize(static_cast<std::size_t>(picture.w) * static_cast<std::size_t>(picture.h));
  stbtt_vertex* outline = nullptr;
  const int points = stbtt_GetGlyphShape(&info_->stb, glyph, &outline);
  stbtt__bitmap target{x1 - x0, picture.h, picture.w, picture.coverage.data()};
  stbtt_Rasterize(&target, kFlatness, outline, points, scale_x, scale_y, 0, 0, x0, y0, 1, nullptr);
  stbtt_FreeShape(&info_->stb, outline);
  widen_to_pixels(picture);
  return picture;
}

}  // namespace ui
