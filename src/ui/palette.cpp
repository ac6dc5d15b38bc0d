// The two themes' colours (DESIGN-SYSTEM.md, 2) and the little colour arithmetic that drawing needs.
#include "ui/draw.hpp"

#include <cmath>

namespace ui {
namespace {

constexpr Palette kLight{.dark = false,
                         .bg = 0xFBFAF6,
                         .surface = 0xFFFFFF,
                         .sunk = 0xF3F1EA,
                         .line = 0xDDD9CE,
                         .line2 = 0x8B867A,
                         .ink = 0x1A1917,
                         .ink2 = 0x57534A,
                         .ink3 = 0x6B665C,
                         .mark = 0xFFE68C,
                         .mark_line = 0x8F6A00,
                         .focus = 0x1463D8,
                         .good = 0x1F6B45,
                         .warn = 0x8A5200,
                         .on_ink = 0xFFFFFF,
                         .head = {0xA42E07, 0x059583, 0x5C2F95},
                         .seq = {0xF8F7F2, 0xBCD4EC, 0x75A3D2, 0x396AAA, 0x0E214C},
                         .div = {0x005884, 0x80BDE4, 0xF8F7F2, 0xE8B27B, 0x994A08}};

constexpr Palette kDark{.dark = true,
                        .bg = 0x161513,
                        .surface = 0x1E1D1A,
                        .sunk = 0x201F1C,
                        .line = 0x3A372F,
                        .line2 = 0x827D71,
                        .ink = 0xF2EEE6,
                        .ink2 = 0xBFB9AD,
                        .ink3 = 0xA19B8F,
                        .mark = 0x574503,
                        .mark_line = 0xE9C04A,
                        .focus = 0x7FB4FF,
                        .good = 0x6FCF97,
                        .warn = 0xF0B35A,
                        .on_ink = 0x161513,
                        .head = {0xE8714F, 0x40D9C1, 0x9788F0},
                        .seq = {0x1C1E23, 0x273C64, 0x3C6DAD, 0x79B1E0, 0xE6F7FD},
                        .div = {0x6DCAF8, 0x266186, 0x1F1E1B, 0x87512A, 0xF6AC63}};

float linear(Colour colour, int shift) {
  const float v = static_cast<float>(colour >> shift & 255) / 255;
  return v <= 0.04045f ? v / 12.92f : std::pow((v + 0.055f) / 1.055f, 2.4f);
}

}  // namespace

const Palette& palette(bool dark) {
  return dark ? kDark : kLight;
}

Colour blend(Colour top, Colour bottom, float alpha) {
  Colour out = 0;
  for (const int shift : {16, 8, 0}) {
    const auto t = static_cast<float>(top >> shift & 255), b = static_cast<float>(bottom >> shift & 255);
    out |= static_cast<Colour>(std::lround(t * alpha + b * (1 - alpha))) << shift;
  }
  return out;
}

// Contrast with black is (L + 0.05) / 0.05, with white 1.05 / (L + 0.05) (WCAG 2.2): equal at L = 0.179, both 4.58.
Colour text_on(Colour fill) {
  return 0.2126f * linear(fill, 16) + 0.7152f * linear(fill, 8) + 0.0722f * linear(fill, 0) >= 0.179f ? 0x000000
                                                                                                      : 0xFFFFFF;
}

}  // namespace ui
