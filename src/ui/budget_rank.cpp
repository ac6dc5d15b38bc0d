// The third panel: a pattern that a head might want, and the nearest that scores of rank d_k come to it.
#include "ui/budget.hpp"

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

constexpr int kMostCells = 40;  // tokens: beyond that a map is a texture without gaps

using Values = attention::Matrix<double>;

void draw_pattern(Page& page, const Values& values, float x, float y, float side, int map) {
  Draw& d = page.d;
  const auto n = static_cast<int>(values.rows());
  const float pitch = side / static_cast<float>(std::max(1, n)), gap = pitch >= 6 ? 1.f : 0.f;
  if (n > kMostCells) {
    d.map(x, y, side, side, map);
  } else {
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        d.cell(x + pitch * static_cast<float>(j), y + pitch * static_cast<float>(i), pitch - gap, pitch - gap,
               static_cast<float>(std::clamp(values(i, j), 0.0, 1.0)), false, gap);
  }
  d.rect(x - 1, y - 1, side + 2, side + 2, page.c.line2, {.radius = 2});
}

/// Ascending places, one bar each; those up to k are kept.
void draw_singular_values(Page& page, const Rect& area, const budget::LowRank& low) {
  Draw& d = page.d;
  const Palette& c = page.c;
  const auto& values = low.singular_values;
  if (values.empty()) return;
  const double most = std::max(values.front(), 1e-12);
  const auto count = static_cast<float>(values.size());
  const float pitch = area.w / count, gap = pitch >= 4 ? 1.f : 0.f;
  const float bottom = area.y + area.h;
  const auto edge = [&](std::size_t i) { return std::round(area.x + pitch * static_cast<float>(i)); };
  for (std::size_t i = 0; i < values.size(); ++i) {
    const float left = edge(i), w = std::max(1.f, edge(i + 1) - left - gap);
    const float h = std::max(1.f, area.h * static_cast<float>(values[i] / most));
    const bool kept = static_cast<int>(i) < low.k;
    d.rect_filled(left, bottom - h, w, h, kept ? c.ink : bar_colour(c), pitch >= 8 ? 1.f : 0.f);
  }
  d.line(area.x, bottom, area.x + area.w, bottom, c.line2);
  const float cut = std::round(area.x + pitch * static_cast<float>(low.k));
  d.rect_filled(std::min(cut, area.x + area.w) - 1, area.y - 4, 2, area.h + 8, c.mark_line);
}

void draw_targets(Page& page, float x, float& y, float w, float hit_h) {
  Draw& d = page.d;
  float at = x;
  page.next_group();
  for (const auto& [target, name] : page.v.budget.targets) {
    const bool on = page.s.budget.target == target;
    const float chip_w = d.chip_width(name, "", on);
    if (at > x && at + chip_w > x + w) {
      at = x;
      y += std::max(30.f, hit_h);
    }
    d.chip(at, y, name, "", on, page.is_hovered({at, y, chip_w, 24}));
    page.region_beside({at, y - (hit_h - 24) / 2, chip_w, hit_h}, "target:" + std::string(budget::name_of(target)), on);
    at += chip_w + 6;
  }
}

}  // namespace

float draw_rank(Page& page, const Rect& area) {
  Draw& d = page.d;
  const Palette& c = page.c;
  const app::BudgetView& v = page.v.budget;
  const bool narrow = area.w < 480, roomy = area.w >= 760;
  const float x = area.x, w = area.w;
  float y = area.y + (narrow ? 12.f : 7.f);
  const auto style = [&](float size) { return Draw::RichStyle{.size = size, .colour = c.ink}; };
  if (narrow)
    y += d.wrap(x, y, tied("<b>" + v.rank_title + "</b>"), style(14),
                even_width(d, tied(v.rank_title), 14, Face::bold, w), 20) -
         20;
  else
    d.rich(x, y, v.rank_title, {.size = 14, .face = Face::bold, .colour = c.ink});
  y += narrow ? 22.f : 16.f;
  draw_targets(page, x, y, w, narrow ? 44.f : 24.f);
  y += 24 + (narrow ? 28.f : 22.f);
  if (!v.low_rank) return y;
  const budget::LowRank& low = *v.low_rank;
  const auto n = static_cast<float>(low.target.rows());
  // Where everything fits beside each other: two maps and the bars. On a phone the bars stand below.
  const float control_width = narrow ? w : std::min(312.f, std::round(w * 0.36f));
  const float font = narrow || roomy ? 14.f : 12.f, line_h = font >= 14 ? 20.f : 16.f;
  const float words_x = x + control_width + 24, words_w = x + w - words_x;
  const float words_h = line_h * static_cast<float>(narrow ? 0 : d.wrap_lines(v.rank_text, font, Face::sans, words_w));
  const float room_h = area.h > 0 ? area.y + area.h - y - 12 - 44 - std::max(40.f, words_h) : 1e9f;
  float side = narrow ? std::floor((w - 16) / 2) : std::min({room_h, std::floor((w - 48) / 3 - 8), 300.f});
  side = std::max(60.f, side);
  if (n > 0 && n <= kMostCells && side >= n) side = std::floor(side / n) * n;
  const float gap = narrow ? w - 2 * side : 24.f;
  const float second = x + side + gap;
  const TextStyle head{.size = 12, .face = Face::bold, .colour = c.ink2};
  const std::string k = std::to_string(low.k), best = narrow ? "Best of rank " + k : "The best of rank " + k;
  d.text(x, y, "What it wants", head);
  d.text(second, y, d.fitting(best, 12, Face::bold, side), head);
  const float map_y = y + 12;
  draw_pattern(page, low.target, x, map_y, side, 0);
  draw_pattern(page, low.approximation, second, map_y, side, 1);
  const float note_y = map_y + side + 14;
  const TextStyle note{.size = 12, .colour = c.ink2};
  d.text(x, note_y, "rank " + std::to_string(low.rank), note);
  d.text(second, note_y, d.fitting("keeps " + percent(low.kept), 12, Face::sans, side), note);
  float bars_x = second + side + gap, bars_y = map_y, bars_h = side, bars_w = x + w - bars_x;
  float end = note_y + 10;
  if (narrow) {
    bars_x = x;
    bars_w = w;
    bars_y = note_y + 44;
    bars_h = 80;
    d.text(x, bars_y - 20, "Singular values", head);
    d.text(x, bars_y + bars_h + 14, k + " of " + std::to_string(low.singular_values.size()) + " kept", note);
    end = bars_y + bars_h + 24;
  } else {
    d.text(bars_x, y, "Singular values", head);
    d.text(bars_x, note_y, k + " of " + std::to_string(low.singular_values.size()) + " kept", note);
  }
  page.next_group();
  const Rect bars{bars_x, bars_y, bars_w, bars_h};
  if (is_lit(page, app::Amount::rank)) d.hover_ring(bars.x - 2, bars.y - 2, bars.w + 4, bars.h + 6, c.bg);
  draw_singular_values(page, bars, low);
  amount_region(page, {bars.x - 2, bars.y - 2, bars.w + 4, bars.h + 6}, app::Amount::rank);
  y = end + (narrow ? 30.f : 20.f);

  if (const app::SizeControl* tokens = find_size(page, "n"))
    draw_size(page, *tokens, x, y, control_width,
              narrow ? SizeLook{.slider_dy = 44, .field_w = 88, .field_h = 36, .hit_h = 44}
                     : SizeLook{.slider_dy = 25, .field_w = 64, .field_h = 24, .hit_h = 22});
  if (narrow) {
    y += 84;
    return y + d.wrap(x, y, v.rank_text, {.size = font, .colour = c.ink}, w, line_h);
  }
  return std::max(y + 40, y + d.wrap(words_x, y, v.rank_text, {.size = font, .colour = c.ink}, words_w, line_h));
}

}  // namespace ui
