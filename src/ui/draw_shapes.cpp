// Rectangles, lines, polygons and what the drawings make of them. Strokes lie inside their rectangle.
#include "ui/draw.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ui {

void Draw::rect_filled(float x, float y, float w, float h, Colour colour, float radius, float alpha) {
  flush();
  const float x0 = edge(x), y0 = edge(y), x1 = edge(x + w), y1 = edge(y + h);
  if (!(x1 > x0 && y1 > y0)) return;
  if (radius > 0)
    fill(round_box(x0, y0, x1, y1, radius), colour, alpha);
  else
    box(x0, y0, x1, y1, colour, alpha);
}

void Draw::rect(float x, float y, float w, float h, Colour colour, const StrokeStyle& style) {
  flush();
  const float x0 = edge(x), y0 = edge(y), x1 = edge(x + w), y1 = edge(y + h);
  if (!(x1 > x0 && y1 > y0)) return;
  const float width = stroke_width(style.width), in = width / 2;
  const bool dashed = style.dash > 0 && style.gap > 0;
  if (style.radius <= 0 && !dashed) {
    if (width * 2 >= std::min(x1 - x0, y1 - y0)) return box(x0, y0, x1, y1, colour, style.alpha);
    box(x0, y0, x1, y0 + width, colour, style.alpha);
    box(x0, y1 - width, x1, y1, colour, style.alpha);
    box(x0, y0 + width, x0 + width, y1 - width, colour, style.alpha);
    box(x1 - width, y0 + width, x1, y1 - width, colour, style.alpha);
    return;
  }
  // the radius is the stroke's middle line's, as in SVG
  Points around = round_box(x0 + in, y0 + in, x1 - in, y1 - in, style.radius);
  if (!dashed) return stroke(around, true, width, colour, style.alpha);
  std::rotate(around.begin(), around.end() - 1, around.end());  // dashes start at the left of the top side, as in SVG
  dashes(around, true, style, colour);
}

void Draw::line(float x1, float y1, float x2, float y2, Colour colour, const StrokeStyle& style) {
  flush();
  const bool upright = x1 == x2, level = y1 == y2, dashed = style.dash > 0 && style.gap > 0;
  const float width = stroke_width(style.width);
  // As in the drawings: the middle of an odd line falls into the middle of its pixel.
  const auto middle = [&](float v) {
    const float whole = std::floor(v);
    return std::fmod(style.width, 2.0f) == 1 ? edge(whole) + (whole_ratio() ? 0.5f : width / 2) : edge(whole);
  };
  if (upright) x1 = x2 = middle(x1);
  if (level) y1 = y2 = middle(y1);
  if (!upright) x1 = edge(x1), x2 = edge(x2);
  if (!level) y1 = edge(y1), y2 = edge(y2);
  if (dashed) return dashes({{x1, y1}, {x2, y2}}, false, style, colour);
  if (upright && !level)
    return box(x1 - width / 2, std::min(y1, y2), x1 + width / 2, std::max(y1, y2), colour, style.alpha);
  if (level && !upright)
    return box(std::min(x1, x2), y1 - width / 2, std::max(x1, x2), y1 + width / 2, colour, style.alpha);
  if (!upright) stroke({{x1, y1}, {x2, y2}}, false, width, colour, style.alpha);
}

void Draw::polyline(const std::vector<ImVec2>& points, Colour colour, float width, bool closed) {
  flush();
  stroke(points, closed, stroke_width(width), colour, 1);
}

void Draw::poly_filled(const std::vector<ImVec2>& points, Colour colour, float alpha) {
  flush();
  float twice_area = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const ImVec2 a = points[i], b = points[(i + 1) % points.size()];
    twice_area += a.x * b.y - b.x * a.y;
  }
  if (twice_area >= 0) return fill(points, colour, alpha);  // y points down: positive is clockwise
  fill(Points(points.rbegin(), points.rend()), colour, alpha);
}

void Draw::circle(float x, float y, float radius, Colour colour) {
  flush();
  if (!(radius > 0)) return;
  Points points = arc(x, y, radius, 0, 2 * std::numbers::pi_v<float>);
  points.pop_back();
  fill(points, colour, 1);
}

void Draw::ring(float x, float y, float radius, Colour colour, float width) {
  flush();
  if (!(radius > 0)) return;
  Points points = arc(x, y, radius, 0, 2 * std::numbers::pi_v<float>);
  points.pop_back();
  stroke(points, true, stroke_width(width), colour, 1);
}

void Draw::arrow_head(float x, float y, Colour colour, float size, Direction direction) {
  const float s = size, t = size * 0.62f;
  switch (direction) {
    case Direction::right:
      return poly_filled({{x, y}, {x - s, y + t}, {x - s, y - t}}, colour);
    case Direction::down:
      return poly_filled({{x, y}, {x - t, y - s}, {x + t, y - s}}, colour);
    case Direction::left:
      return poly_filled({{x, y}, {x + s, y - t}, {x + s, y + t}}, colour);
    case Direction::up:
      return poly_filled({{x, y}, {x + t, y + s}, {x - t, y + s}}, colour);
  }
}

void Draw::arrow(float x0, float x1, float y, Colour colour) {
  line(x0, y, x1 - 4, y, colour);
  const float middle = edge(std::floor(y)) + (whole_ratio() ? 0.5f : stroke_width(1) / 2);
  arrow_head(x1, middle, colour, 5);
}

void Draw::hot_arrow(float x0, float x1, float y) {
  rect_filled(x0, y - 1, x1 - 5 - x0, 2, c.mark_line);
  arrow_head(x1, y, c.mark_line, 8);
}

void Draw::hatch(float x, float y, float w, float h, Colour colour, float step) {
  flush();
  if (!(w > 0 && h > 0 && step > 0) || (w + h) / step > 2000) return;
  // Line k goes from (x + k, y + h) up to the right; cut where it leaves the rectangle.
  for (float k = -h; k < w; k += step) {
    const float from = std::max(0.0f, -k), to = std::min(h, w - k);
    if (to > from) stroke({{x + k + from, y + h - from}, {x + k + to, y + h - to}}, false, stroke_width(1), colour, 1);
  }
}

void Draw::bracket(float x, float y, float w, float h, Colour colour) {
  flush();
  constexpr float kArm = 4;
  const float width = stroke_width(1.25f);
  // 1.25 px around the middle of the outermost pixel, as drawn; on a broken ratio whole device pixels from the edge
  const float out = whole_ratio() ? width / 2 - 0.5f : 0;
  const float left = edge(x) - out, right = edge(x + w) + out, top = edge(y) - out, bottom = edge(y + h) + out;
  const float reach = whole_ratio() ? kArm + 0.5f + out : on_pixel(kArm + 0.5f);
  for (const bool at_right : {false, true}) {
    const float outer = at_right ? right - width : left;
    box(outer, top, outer + width, bottom, colour, 1);
    const float from = at_right ? right - reach : left + width, to = at_right ? right - width : left + reach;
    box(from, top, to, top + width, colour, 1);
    box(from, bottom - width, to, bottom, colour, 1);
  }
}

void Draw::dash_rect(float x, float y, float w, float h, float alpha) {
  rect(x, y, w, h, c.line2, {.radius = 3, .dash = 3, .gap = 3, .alpha = alpha});
}

void Draw::outline(float x, float y, int rows, int cols, float cell_w, float cell_h, float alpha) {
  const float w = static_cast<float>(cols) * cell_w, h = static_cast<float>(rows) * cell_h;
  for (int j = 1; j < cols; ++j) {
    const float at = x + static_cast<float>(j) * cell_w;
    line(at, y + 3, at, y + h - 3, c.line);
  }
  for (int i = 1; i < rows; ++i) {
    const float at = y + static_cast<float>(i) * cell_h;
    line(x + 3, at, x + w - 3, at, c.line);
  }
  dash_rect(x, y, w, h, alpha);
}

}  // namespace ui
