// From outlines to triangles: soft edges one device pixel wide, so that a straight edge covers each pixel exactly as
// far as it lies inside it. ImGui's own AddRect and AddLine shift by half a pixel and widen thin strokes at high pixel
// ratios, so only its vertex buffer is used here.
#include "ui/draw.hpp"

#include "imgui_internal.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace ui {
namespace {

/// A stretch of one axis in device pixels, cut at the pixel grid: first pixel, whole pixels, last pixel.
struct Stretch {
  float from, to, coverage;
};

int cut(float from, float to, std::array<Stretch, 3>& out) {
  constexpr float kTiny = 1.0f / 512;  // below what 8 bits show
  if (std::abs(from - std::round(from)) < kTiny) from = std::round(from);
  if (std::abs(to - std::round(to)) < kTiny) to = std::round(to);
  const float first = std::floor(from), last = std::floor(to);
  if (first == last) {
    out[0] = {first, first + 1, to - from};
    return to > from ? 1 : 0;
  }
  int n = 0;
  const float whole_from = std::ceil(from);
  if (whole_from > from) out[n++] = {first, whole_from, whole_from - from};
  if (last > whole_from) out[n++] = {whole_from, last, 1};
  if (to > last) out[n++] = {last, last + 1, to - last};
  return n;
}

ImVec2 unit(ImVec2 from, ImVec2 to) {
  const float x = to.x - from.x, y = to.y - from.y, length = std::sqrt(x * x + y * y);
  return length > 1e-6f ? ImVec2(x / length, y / length) : ImVec2(0, 0);
}

/// Where the corner between two edges (unit directions) moves when both edges move outward by one.
ImVec2 corner_shift(ImVec2 in, ImVec2 out) {
  const float x = 0.5f * (in.y + out.y), y = -0.5f * (in.x + out.x);
  const float longer = 1 / std::max(x * x + y * y, 0.1f);  // a miter, but no spikes at sharp corners
  return {x * longer, y * longer};
}

struct Writer {
  ImDrawList& list;
  ImVec2 white = list._Data->TexUvWhitePixel;
  unsigned base = 0;
  void reserve(std::size_t indices, std::size_t vertices) {
    list.PrimReserve(static_cast<int>(indices), static_cast<int>(vertices));
    base = list._VtxCurrentIdx;
  }
  void vertex(float x, float y, ImU32 colour) { list.PrimWriteVtx({x, y}, white, colour); }
  void triangle(std::size_t a, std::size_t b, std::size_t c) {
    for (const std::size_t i : {a, b, c}) list.PrimWriteIdx(static_cast<ImDrawIdx>(base + i));
  }
  void quad(std::size_t a, std::size_t b, std::size_t c, std::size_t d) {
    triangle(a, b, c);
    triangle(a, c, d);
  }
};

}  // namespace

void Draw::box(float x0, float y0, float x1, float y1, Colour colour, float alpha) {
  const float ratio = frame_.pixel_ratio;
  std::array<Stretch, 3> columns, rows;
  const int n = cut(x0 * ratio, x1 * ratio, columns), m = cut(y0 * ratio, y1 * ratio, rows);
  for (int j = 0; j < m; ++j)
    for (int i = 0; i < n; ++i)
      list_.AddRectFilled({columns[i].from / ratio, rows[j].from / ratio}, {columns[i].to / ratio, rows[j].to / ratio},
                          ink(colour, alpha * columns[i].coverage * rows[j].coverage));
}

void Draw::fill(const Points& clockwise, Colour colour, float alpha) {
  const std::size_t n = clockwise.size();
  const ImU32 full = ink(colour, alpha), none = full & ~IM_COL32_A_MASK;
  if (n < 3 || full == none) return;
  const float soft = 0.5f / frame_.pixel_ratio;
  Writer out{list_};
  out.reserve((n - 2) * 3 + n * 6, n * 2);
  for (std::size_t i = 0; i < n; ++i) {
    const ImVec2 at = clockwise[i];
    const ImVec2 shift = corner_shift(unit(clockwise[(i + n - 1) % n], at), unit(at, clockwise[(i + 1) % n]));
    out.vertex(at.x - shift.x * soft, at.y - shift.y * soft, full);
    out.vertex(at.x + shift.x * soft, at.y + shift.y * soft, none);
  }
  for (std::size_t i = 2; i < n; ++i) out.triangle(0, 2 * (i - 1), 2 * i);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t next = (i + 1) % n;
    out.quad(2 * i, 2 * i + 1, 2 * next + 1, 2 * next);
  }
}

void Draw::stroke(const Points& points, bool closed, float width, Colour colour, float alpha, bool round_ends) {
  const std::size_t n = points.size();
  if (n < 2) return;
  const float soft = 0.5f / frame_.pixel_ratio, half = 0.5f * width;
  const float inner = std::max(half - soft, 0.0f), outer = half + soft;
  const ImU32 full = ink(colour, alpha * std::min(1.0f, width * frame_.pixel_ratio)), none = full & ~IM_COL32_A_MASK;
  if (full == none) return;
  const std::size_t pieces = closed ? n : n - 1;
  Writer out{list_};
  out.reserve(pieces * 18, n * 4);
  for (std::size_t i = 0; i < n; ++i) {
    const ImVec2 at = points[i];
    ImVec2 in = unit(points[(i + n - 1) % n], at), on = unit(at, points[(i + 1) % n]);
    if (!closed && i == 0) in = on;
    if (!closed && i == n - 1) on = in;
    const ImVec2 shift = corner_shift(in, on);
    for (const auto& [distance, shade] : {std::pair{outer, none}, {inner, full}, {-inner, full}, {-outer, none}})
      out.vertex(at.x + shift.x * distance, at.y + shift.y * distance, shade);
  }
  for (std::size_t i = 0; i < pieces; ++i) {
    const std::size_t a = 4 * i, b = 4 * ((i + 1) % n);
    for (const std::size_t k : {0u, 1u, 2u}) out.quad(a + k, b + k, b + k + 1, a + k + 1);
  }
  if (!round_ends || closed) return;
  // half discs, so that a see-through stroke isn't darker where they meet it
  for (const bool last : {false, true}) {
    const ImVec2 at = last ? points[n - 1] : points[0], back = last ? points[n - 2] : points[1];
    const ImVec2 away = unit(back, at);
    const float turn = std::atan2(away.y, away.x);
    constexpr std::size_t kSteps = 6;
    out.reserve(kSteps * 9, 1 + 2 * (kSteps + 1));
    out.vertex(at.x, at.y, full);
    for (std::size_t i = 0; i <= kSteps; ++i) {
      const float angle = turn + std::numbers::pi_v<float> * (static_cast<float>(i) / kSteps - 0.5f);
      const float x = std::cos(angle), y = std::sin(angle);
      out.vertex(at.x + x * inner, at.y + y * inner, full);
      out.vertex(at.x + x * outer, at.y + y * outer, none);
    }
    for (std::size_t i = 0; i < kSteps; ++i) {
      out.triangle(0, 1 + 2 * i, 3 + 2 * i);
      out.quad(1 + 2 * i, 2 + 2 * i, 4 + 2 * i, 3 + 2 * i);
    }
  }
}

void Draw::dashes(const Points& points, bool closed, const StrokeStyle& style, Colour colour) {
  constexpr float kMost = 2000;  // dashes in one call: more is a mistake in a length, and would fill the vertex buffer
  const std::size_t n = points.size(), pieces = closed ? n : n - 1;
  float length = 0;
  for (std::size_t i = 0; i < pieces; ++i) {
    const ImVec2 a = points[i], b = points[(i + 1) % n];
    length += std::hypot(b.x - a.x, b.y - a.y);
  }
  const float period = style.dash + style.gap, width = stroke_width(style.width);
  if (!(length <= kMost * period)) return stroke(points, closed, width, colour, style.alpha * style.dash / period);

  Points dash;
  float left = style.dash;  // of the dash or gap that we are in
  bool on = true;
  const auto end_dash = [&] {
    if (dash.size() == 2 && (dash[0].x == dash[1].x || dash[0].y == dash[1].y)) {  // upright and level ones: exact
      const auto [ax, bx] = std::minmax(dash[0].x, dash[1].x);
      const auto [ay, by] = std::minmax(dash[0].y, dash[1].y);
      const float across = ax == bx ? width / 2 : 0, down = ay == by && ax != bx ? width / 2 : 0;
      box(ax - across, ay - down, bx + across, by + down, colour, style.alpha);
    } else {
      stroke(dash, false, width, colour, style.alpha);
    }
    dash.clear();
  };
  for (std::size_t i = 0; i < pieces; ++i) {
    const ImVec2 a = points[i], b = points[(i + 1) % n];
    const float piece = std::hypot(b.x - a.x, b.y - a.y);
    if (piece <= 0) continue;
    float at = 0;
    if (on) dash.push_back(a);
    while (piece - at > left) {
      at += left;
      const ImVec2 p(a.x + (b.x - a.x) * at / piece, a.y + (b.y - a.y) * at / piece);
      dash.push_back(p);
      if (on) end_dash();
      on = !on;
      left = on ? style.dash : style.gap;
    }
    left -= piece - at;
    if (on && i + 1 == pieces) dash.push_back(b);
  }
  if (on && dash.size() > 1) end_dash();
}

Draw::Points Draw::arc(float x, float y, float radius, float from, float to) const {
  // chords at most a twelfth of a device pixel off the circle
  const float device = std::max(radius * frame_.pixel_ratio, 0.5f);
  const float step = 2 * std::acos(std::max(1 - 0.08f / device, 0.0f));
  const int pieces = std::clamp(static_cast<int>(std::ceil(std::abs(to - from) / step)), 2, 128);
  Points points;
  for (int i = 0; i <= pieces; ++i) {
    const float angle = from + (to - from) * static_cast<float>(i) / static_cast<float>(pieces);
    points.push_back({x + radius * std::cos(angle), y + radius * std::sin(angle)});
  }
  return points;
}

Draw::Points Draw::round_box(float x0, float y0, float x1, float y1, float radius) const {
  const float r = std::clamp(radius, 0.0f, 0.5f * std::min(x1 - x0, y1 - y0));
  constexpr float kQuarter = std::numbers::pi_v<float> / 2;
  Points points;
  const auto corner = [&](float x, float y, float from) {
    if (r <= 0) return points.push_back({x, y});
    const Points turn = arc(x, y, r, from, from + kQuarter);
    // a side as long as the box is wide ends where the next corner begins: no point twice
    const bool same = !points.empty() && std::hypot(points.back().x - turn[0].x, points.back().y - turn[0].y) < 1e-3f;
    points.insert(points.end(), turn.begin() + (same ? 1 : 0), turn.end());
  };
  corner(x1 - r, y0 + r, -kQuarter);
  corner(x1 - r, y1 - r, 0);
  corner(x0 + r, y1 - r, kQuarter);
  corner(x0 + r, y0 + r, 2 * kQuarter);
  if (points.size() > 1 && std::hypot(points.back().x - points[0].x, points.back().y - points[0].y) < 1e-3f)
    points.pop_back();
  return points;
}

}  // namespace ui
