// Pictures of practice without the walkthrough's matrices: lengths by name, scores by head, a head's weights.
#include "ui/practice.hpp"

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

using Kind = app::Picture::Kind;

constexpr float kThinBar = 18, kLeastRow = 26, kMostRow = 56, kLineRoom = 18, kNote = 30, kTextBelow = 18;

struct Widths {
  float names = 0, texts = 0;
  bool below = false;  // texts stand below their bars: beside them there is no room
};

Widths widths_for(const Page& page, float w) {
  Widths widths;
  for (const auto& bar : page.v.practice.question.picture.bars) {
    if (!std::isfinite(bar.length)) continue;
    widths.names = std::max(widths.names, page.d.rich_width(with_superscripts(bar.name), 14, Face::bold));
    widths.texts = std::max(widths.texts, page.d.width(bar.text, 13, Face::mono_medium));
  }
  widths.names = std::min(widths.names, w * 0.4f);
  constexpr float kLeastBars = 64;
  widths.below = widths.names + widths.texts + 34 + kLeastBars > w;
  return widths;
}

}  // namespace

float bars_height(Page& page, float w) {
  const app::Picture& picture = page.v.practice.question.picture;
  const float above = picture.threshold ? kLineRoom : 8;
  return above + 12 +
         (kLeastRow + (widths_for(page, w).below ? kTextBelow : 0)) * static_cast<float>(picture.bars.size());
}

void draw_bars(Page& page, const Rect& area) {
  Draw& d = page.d;
  const Palette& c = page.c;
  const app::Picture& picture = page.v.practice.question.picture;
  if (picture.bars.empty()) return;
  const bool scores = picture.kind == Kind::scores;
  double most = 0, least = 0;
  for (const auto& bar : picture.bars) {
    if (!std::isfinite(bar.length)) continue;
    most = std::max(most, bar.length);
    least = std::min(least, bar.length);
  }
  if (picture.threshold) most = std::max(most, *picture.threshold), least = std::min(least, *picture.threshold);
  const double span = std::max(most - least, 1e-12);
  const auto [name_w, text_w, below] = widths_for(page, area.w);
  const float from = area.x + name_w + 14;
  const float room = std::max(20.f, area.x + area.w - from - (below ? 0 : text_w + 20));
  const auto x_of = [&](double value) { return std::round(from + room * static_cast<float>((value - least) / span)); };
  const float above = picture.threshold ? kLineRoom : 8;
  const auto count = static_cast<float>(picture.bars.size());
  const float row =
      std::clamp((area.h - above - 12) / count, std::min(kLeastRow, kThinBar + 4) + (below ? kTextBelow : 0), kMostRow);
  const float thick = row >= 44 && !below ? 24.f : kThinBar;
  const float top = area.y + above + std::max(0.f, (area.h - above - 12 - row * count) / 2);
  const float zero = x_of(0), bottom = top + row * count;
  const float line_x = picture.threshold ? x_of(*picture.threshold) : 0;
  float y = top + (below ? kThinBar / 2 + 4 : row / 2);
  for (const auto& bar : picture.bars) {
    const double length = std::isfinite(bar.length) ? bar.length : 0;
    const bool candidate = scores && picture.threshold && length < *picture.threshold;
    const float end = x_of(length), x = std::min(zero, end), w = std::max(2.f, std::abs(end - zero));
    const Face face = bar.lit ? Face::bold : Face::sans;
    if (const std::string name = with_superscripts(bar.name); d.rich_width(name, 14, face) <= name_w + 4)
      d.rich(area.x, y, name, {.face = face, .colour = c.ink});
    else
      d.text(area.x, y, d.fitting(bar.name, 14, face, name_w + 4), {.face = face, .colour = c.ink});
    const Colour fill = bar.lit ? c.mark : candidate ? c.line : scores ? c.ink : c.line;
    d.rect_filled(x, y - thick / 2, w, thick, fill, bar.lit || !candidate ? 1.f : 0.f);
    if (bar.lit)
      d.rect(x, y - thick / 2, w, thick, c.mark_line, {.radius = 1});
    else if (candidate || !scores)
      d.rect(x, y - thick / 2, w, thick, c.line2);
    if (below) {
      const float x_fits = std::max(area.x, std::min(from, area.x + area.w - text_w));  // the same for all
      const float size = text_w <= area.w ? 13.f : 12.f;
      d.text(x_fits, y + 20, bar.text,
             {.size = size, .face = bar.lit ? Face::mono_medium : Face::mono, .colour = c.ink});
      y += row;
      continue;
    }
    float text_x = std::max(zero, end) + 9;
    const float value_w = d.width(bar.text, 13, Face::mono_medium);  // never on the threshold's line
    if (picture.threshold && text_x < line_x + 9 && text_x + value_w > line_x - 6) text_x = line_x + 9;
    d.text(text_x, y, bar.text, {.size = 13, .face = bar.lit ? Face::mono_medium : Face::mono, .colour = c.ink});
    y += row;
  }
  if (!below) d.line(zero, top - 2, zero, bottom, c.line2);
  if (!picture.threshold) return;
  // What it stands for, the picture's title says.
  d.rect_filled(line_x - 1, top - 10, 2, bottom - top + 14, c.mark_line);
}

// --------------------------------------------------------------------- map

namespace {

constexpr float kLeastCell = 11, kMostCell = 30, kLabel = 12;

struct MapPlaces {
  int n = 0;
  float rows_w = 0, columns_h = 0, cell = 0;
};

MapPlaces map_places(const Page& page, float w, float h) {
  const auto& tokens = page.v.practice.question.picture.tokens;
  MapPlaces p;
  p.n = static_cast<int>(tokens.size());
  float widest = 0;
  for (const std::string& token : tokens) widest = std::max(widest, page.d.width(token, kLabel, Face::sans));
  p.rows_w = std::min(widest, w * 0.3f) + 8;
  p.columns_h = std::min(widest, 72.f) + 8;
  if (p.n > 0)
    p.cell = std::floor(std::clamp(
        std::min((w - p.rows_w) / static_cast<float>(p.n), (h - p.columns_h - kNote) / static_cast<float>(p.n)), 4.f,
        kMostCell));
  return p;
}

}  // namespace

float weights_map_height(Page& page, float w) {
  const MapPlaces p = map_places(page, w, 1e6f);
  return p.columns_h + std::max(kLeastCell, std::min(p.cell, 13.f)) * static_cast<float>(p.n) + kNote;
}

void draw_weights_map(Page& page, const Rect& area) {
  Draw& d = page.d;
  const Palette& c = page.c;
  const app::Picture& picture = page.v.practice.question.picture;
  const MapPlaces p = map_places(page, area.w, area.h);
  const auto n = static_cast<std::size_t>(p.n);
  if (n == 0 || picture.weights.size() < n * n) return;
  const float side = p.cell * static_cast<float>(p.n);
  const float x0 = std::round(area.x + (area.w - side - p.rows_w) / 2 + p.rows_w);
  const float y0 = std::round(area.y + std::max(0.f, (area.h - side - p.columns_h - kNote) / 2) + p.columns_h);
  const int stride = std::max(1, static_cast<int>(std::ceil(13 / p.cell)));  // names never run into each other
  const float gap = p.cell >= 12 ? 1.f : 0.f;
  for (int i = 0; i < p.n; ++i) {
    const float at = (static_cast<float>(i) + 0.5f) * p.cell;
    const std::string& token = picture.tokens[static_cast<std::size_t>(i)];
    if (i % stride == 0) {
      d.text(x0 - 7, y0 + at, d.fitting(token, kLabel, Face::sans, p.rows_w - 8),
             {.size = kLabel, .colour = c.ink2, .align = 1});
      d.text_up(x0 + at, y0 - 6, d.fitting(token, kLabel, Face::sans, p.columns_h - 8),
                {.size = kLabel, .colour = c.ink2});
    }
    for (int j = 0; j < p.n; ++j) {
      const float weight = picture.weights[static_cast<std::size_t>(i) * n + static_cast<std::size_t>(j)];
      const float t = std::isfinite(weight) ? std::clamp(weight, 0.f, 1.f) : 0.f;
      d.cell(x0 + static_cast<float>(j) * p.cell, y0 + static_cast<float>(i) * p.cell, p.cell - gap, p.cell - gap, t,
             false, gap > 0 ? 2.f : 0.f);
    }
  }
  d.rect(x0 - 1, y0 - 1, side + 2 - gap, side + 2 - gap, c.line2);
  d.text(x0 + side / 2, y0 + side + 16, "rows ask, columns are looked at",
         {.size = 12, .colour = c.ink2, .align = 0.5f});
}

}  // namespace ui
