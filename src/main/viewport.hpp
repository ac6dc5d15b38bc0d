// How large the page is for a framebuffer of whole device pixels.
#pragma once

#include "ui/ui.hpp"

#include <cmath>
#include <limits>

namespace native {

/// CSS pixels of a side. Times the ratio, cut to a whole number as Dear ImGui does it, they are `device_px` again:
/// 482 / 1.5 * 1.5 is 481.99997 in float, and the last column would never be drawn.
inline float css_side(int device_px, float pixel_ratio) {
  float side = static_cast<float>(device_px) / pixel_ratio;
  while (static_cast<int>(side * pixel_ratio) < device_px)
    side = std::nextafter(side, std::numeric_limits<float>::max());
  return side;
}

inline ui::Viewport viewport_of(int width_device_px, int height_device_px, float pixel_ratio) {
  ui::Viewport viewport;
  viewport.width = css_side(width_device_px, pixel_ratio);
  viewport.height = css_side(height_device_px, pixel_ratio);
  viewport.pixel_ratio = pixel_ratio;
  return viewport;
}

}  // namespace native
