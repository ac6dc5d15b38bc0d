// Colour tables: five stops, evenly spaced, mixed in OKLab. Ottosson, "A perceptual color space for image
// processing", 2020, with its published matrices (linear sRGB -> cone response -> Lab and back).
#include "render/render.hpp"

#include <algorithm>
#include <cmath>

namespace render {
namespace {

struct Lab {
  double l, a, b;
};

double to_linear(double v) {
  return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
}
double to_srgb(double v) {
  return v <= 0.0031308 ? 12.92 * v : 1.055 * std::pow(v, 1 / 2.4) - 0.055;
}

Lab to_lab(std::uint32_t rgb) {
  const double r = to_linear((rgb >> 16 & 255) / 255.0), g = to_linear((rgb >> 8 & 255) / 255.0),
               b = to_linear((rgb & 255) / 255.0);
  const double l = std::cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const double m = std::cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const double s = std::cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
          1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
          0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

std::uint8_t to_byte(double linear) {
  return static_cast<std::uint8_t>(std::lround(255 * to_srgb(std::clamp(linear, 0.0, 1.0))));
}

std::array<std::uint8_t, 4> to_rgba(const Lab& c) {
  const double l = std::pow(c.l + 0.3963377774 * c.a + 0.2158037573 * c.b, 3);
  const double m = std::pow(c.l - 0.1055613458 * c.a - 0.0638541728 * c.b, 3);
  const double s = std::pow(c.l - 0.0894841775 * c.a - 1.2914855480 * c.b, 3);
  return {to_byte(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
          to_byte(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
          to_byte(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s), 255};
}

}  // namespace

int colour_index(float t) {
  if (!(t > 0)) return 0;
  return t >= 1 ? 255 : static_cast<int>(t * 255 + 0.5f);
}

ColourTable make_colour_table(std::span<const std::uint32_t, 5> stops_rgb) {
  ColourTable table;
  for (int i = 0; i < 256; ++i) {
    const double place = i / 255.0 * 4;
    const int below = std::min(3, static_cast<int>(place));
    const double share = place - below;
    const Lab a = to_lab(stops_rgb[below]), b = to_lab(stops_rgb[below + 1]);
    table[i] = to_rgba({std::lerp(a.l, b.l, share), std::lerp(a.a, b.a, share), std::lerp(a.b, b.b, share)});
  }
  return table;
}

}  // namespace render
