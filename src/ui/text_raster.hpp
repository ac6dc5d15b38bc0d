// Outlines to grey pictures of glyphs, as a browser makes them: exact area coverage, no hinting, four positions between
// two pixels. ImGui's own rasteriser flattens curves coarsely (0.35 px, visibly thinner letters) and has two positions.
#pragma once

#include <memory>
#include <vector>

namespace ui {

/// The size that every face is asked for at (ImFont::GetFontBaked); the density makes it any em. See fonts.cpp.
inline constexpr float kReferenceEm = 32;
/// The same for near-white ink, whose glyphs are a little heavier.
inline constexpr float kReferenceEmLight = 64;

/// Positions of a glyph between two device pixels. Skia, too, has four.
inline constexpr int kSubpixels = 4;

struct GlyphPicture {
  int w = 0, h = 0;                     // samples; kSubpixels of them to a pixel's width, one to its height
  float left = 0;                       // device pixels from the pen to the picture's left
  int top = 0;                          // device pixels from the baseline, downward
  std::vector<unsigned char> coverage;  // w * h; empty for a space
};

/// One TrueType or OpenType font in memory, which must outlive it. Lengths are in em.
class FontFile {
 public:
  static std::unique_ptr<FontFile> open(const unsigned char* data, int number);  // null: not a font
  ~FontFile();
  int find_glyph(unsigned codepoint) const;  // 0: it has none
  float advance(int glyph) const;
  float ascent() const;
  float descent() const;                                 // negative
  GlyphPicture rasterise(int glyph, float em_px) const;  // 255: wholly inside

 private:
  struct Info;
  FontFile();
  std::unique_ptr<Info> info_;
};

}  // namespace ui
