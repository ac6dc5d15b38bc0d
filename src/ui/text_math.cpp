// Root signs and fractions.
#include "ui/draw.hpp"

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

constexpr float kBar = 1.25f;      // a root's stroke and a fraction's line
constexpr float kFractionPad = 4;  // the line's overhang at each side

float root_sign_width(float size) {
  return std::round(size * 0.62f);
}

}  // namespace

float Draw::sqrt_width(std::string_view source, float size, Face face) const {
  return root_sign_width(size) + rich_width(source, size, face) + 4;
}

float Draw::sqrt(float x, float y, std::string_view source, const RichStyle& style) {
  const float sign = root_sign_width(style.size), inside = rich_width(source, style.size, style.face);
  const float top = on_pixel(y - style.size * 0.62f) + 0.5f, bottom = on_pixel(y + style.size * 0.42f);
  flush();
  stroke({{x, y + 1},
          {x + sign * 0.28f, y - 1},
          {x + sign * 0.55f, bottom},
          {x + sign, top},
          {x + sign + inside + 3, top}},
         false, stroke_width(kBar), style.colour, style.alpha, true);
  RichStyle inner = style;
  inner.align = 0;
  rich(x + sign + 1, y, source, inner);
  return sign + inside + 4;
}

float Draw::fraction_width(std::string_view above, std::string_view below, float size, Face face,
                           bool root_below) const {
  const float lower = root_below ? sqrt_width(below, size, face) : rich_width(below, size, face);
  // Monospaced widths are often whole but for rounding: a whole one gets the next pixel, as in the drawings.
  return std::ceil(std::max(rich_width(above, size, face), lower) + 0.01f) + 2 * kFractionPad;
}

float Draw::fraction(float x, float y, std::string_view above, std::string_view below, const RichStyle& style,
                     bool root_below) {
  const float w = fraction_width(above, below, style.size, style.face, root_below);
  RichStyle middle = style;
  middle.align = 0.5f;
  rich(x + w / 2, y - style.size * 0.95f, above, middle);
  if (root_below)
    sqrt(std::round(x + (w - sqrt_width(below, style.size, style.face)) / 2), y + style.size, below, style);
  else
    rich(x + w / 2, y + style.size, below, middle);
  const float line = on_pixel(y);
  rect_filled(x, line, w, stroke_width(kBar), style.colour, 0, style.alpha);
  return w;
}

}  // namespace ui
