// The second panel: operations and memory of one forward, part by part, and where the parts that grow with n * n
// overtake the others.
#include "ui/budget.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace ui {
namespace {

constexpr std::string_view kChosen[] = {"n", "batch", "bytes", "layers", "cross_layers", "d_ff"};

struct Columns {
  float name, formula, formula_end, operations, bytes, bar, bar_w;  // operations, bytes: their right ends
  bool in_short;                                                    // operations
};

Columns columns_for(const Page& page, const Rect& area) {
  float names = 0;
  for (const app::WorkRow& row : page.v.budget.work) names = std::max(names, page.d.width(row.name, 14, Face::sans));
  const bool roomy = area.w >= 760;
  Columns at{};
  at.name = area.x;
  at.formula = std::round(area.x + names + 20);
  at.bar_w = roomy ? 150.f : 70.f;
  at.bar = area.x + area.w - at.bar_w;
  at.bytes = at.bar - (roomy ? 20.f : 12.f);
  at.operations = at.bytes - (roomy ? 96.f : 76.f);
  float widest = 0;
  for (const app::WorkRow& row : page.v.budget.work)
    widest = std::max(widest, page.d.width(app::grouped(row.operations), 13, Face::mono));
  at.in_short = widest > (roomy ? 150.f : 80.f);
  at.formula_end = at.operations - (at.in_short ? 56.f : widest + 12);
  return at;
}

/// "201 M", the unit in words' type: units of one column stand below each other. Returns the width.
float draw_in_short(Page& page, float right, float y, double value) {
  Draw& d = page.d;
  const std::string text = app::in_short(value);
  const std::size_t gap = text.rfind(' ');
  const TextStyle number{.size = 13, .face = Face::mono, .colour = page.c.ink, .align = 1};
  constexpr float kUnit = 16;  // the widest is "M"
  if (gap == std::string::npos) return kUnit + d.text(right - kUnit, y, text, number);
  d.text(right - kUnit + 4, y, text.substr(gap + 1), {.size = 12, .colour = page.c.ink});
  return kUnit + d.text(right - kUnit, y, text.substr(0, gap), number);
}

std::string without_spaces(std::string text) {
  std::erase(text, ' ');
  return text;
}

double operations_of(const Page& page) {
  double sum = 0;
  for (const app::WorkRow& row : page.v.budget.work) sum += row.operations;
  return sum > 0 ? sum : 1;
}

void draw_work(Page& page, const Rect& area, float pitch) {
  Draw& d = page.d;
  const Palette& c = page.c;
  const Columns at = columns_for(page, area);
  const TextStyle head{.size = 12, .colour = c.ink2}, head_right{.size = 12, .colour = c.ink2, .align = 1};
  d.text(at.name, area.y, "One forward", {.face = Face::bold, .colour = c.ink});
  d.text(at.operations, area.y, "operations", head_right);
  d.text(at.bytes, area.y, "leaves", head_right);
  d.text(at.bar, area.y, "share", head);
  page.next_group();
  const double all = operations_of(page);
  for (std::size_t i = 0; i < page.v.budget.work.size(); ++i) {
    const app::WorkRow& row = page.v.budget.work[i];
    const float y = area.y + pitch * static_cast<float>(i + 1);
    const Rect line{area.x - 8, y - pitch / 2, area.w + 16, pitch};
    if (row.has_amount && is_lit(page, row.amount)) d.rect_filled(line.x, line.y, line.w, line.h, c.sunk, 4);
    d.rich(at.name, y, with_matrices(row.name), {.colour = c.ink});
    for (const auto& [formula, size] :
         {std::pair{row.formula, 13.f}, {row.formula, 12.f}, {without_spaces(row.formula), 12.f}})
      if (d.rich_width(formula, size, Face::mono) <= at.formula_end - at.formula) {
        d.rich(at.formula, y, formula, {.size = size, .face = Face::mono, .colour = c.ink2});
        break;
      }
    if (at.in_short)
      draw_in_short(page, at.operations, y, row.operations);
    else
      d.text(at.operations, y, app::grouped(row.operations),
             {.size = 13, .face = Face::mono, .colour = c.ink, .align = 1});
    d.text(at.bytes, y, app::in_bytes(row.bytes), {.size = 12, .colour = c.ink2, .align = 1});
    const double share = row.operations / all;
    const float full = at.bar_w - 48;
    d.rect_filled(at.bar, y - 6, std::max(1.f, full * static_cast<float>(share)), 12,
                  row.square ? c.ink : bar_colour(c), 1);
    d.text(area.x + area.w, y, percent(share), {.size = 12, .colour = c.ink2, .align = 1});
    if (row.has_amount) amount_region(page, line, row.amount);
  }
}

/// Attention's operations: what grows with n against what grows with n * n.
void draw_split(Page& page, const Rect& bar) {
  Draw& d = page.d;
  const Palette& c = page.c;
  const double linear = page.v.budget.linear_share;
  const float first = std::clamp(std::round(bar.w * static_cast<float>(linear)), 3.f, bar.w - 3);
  d.rect_filled(bar.x, bar.y, first - 2, bar.h, bar_colour(c), 2);
  d.rect_filled(bar.x + first + 1, bar.y, bar.w - first - 1, bar.h, c.ink, 2);
  const float y = bar.y + bar.h / 2;
  const std::string with_n = "grow with n  " + percent(linear);
  if (d.width(with_n, 12, Face::sans) + 20 <= first) d.text(bar.x + 10, y, with_n, {.size = 12, .colour = c.ink});
  const float rest = bar.w - first;
  for (const std::string& square : {"n^{2}  " + percent(1 - linear), percent(1 - linear), std::string("n^{2}")}) {
    if (d.rich_width(square, 12, Face::bold) + 10 > rest) continue;
    d.rich(rest < 90 ? bar.x + first + rest / 2 : bar.x + bar.w - 10, y, square,
           {.size = 12, .face = Face::bold, .colour = c.on_ink, .align = rest < 90 ? 0.5f : 1});
    break;
  }
}

/// The text line, pressable for the strip.
float amount_line(Page& page, float x, float y, float w, const std::string& text, app::Amount amount, float size,
                  float pitch, float least_h) {
  const auto lines = static_cast<float>(page.d.wrap_lines(text, size, Face::sans, w));
  const Rect all{x - 4, y - pitch / 2 - 2, w + 8, std::max(least_h, lines * pitch + 4)};
  if (is_lit(page, amount)) page.d.rect_filled(all.x, all.y, all.w, lines * pitch + 4, page.c.sunk, 4);
  page.d.wrap(x, y, text, {.size = size, .colour = page.c.ink}, w, pitch);
  page.next_group();
  amount_region(page, all, amount);
  return std::max(lines * pitch, least_h > 0 ? least_h + 4 : 0);
}

}  // namespace

float draw_compute(Page& page, const Rect& area) {
  const app::BudgetView& v = page.v.budget;
  const Pace pace = pace_for(area.h, kComputeClose, kComputeDrawn);
  const auto y = [&](float close, float drawn) { return area.y + pace(close, drawn); };
  // sizes: of the text, then of the model
  constexpr float kGap = 24;
  const float column = (area.w - 2 * kGap) / 3;
  // a knob is 18 px: it stands clear of its own field and of the next one
  const SizeLook look{.slider_dy = pace(19, 25),
                      .field_w = area.w >= 760 ? 64.f : 56.f,
                      .field_h = pace(20, 24),
                      .hit_h = pace(16, 20),
                      .caption_dx = 26};
  for (std::size_t i = 0; i < std::size(kChosen); ++i)
    if (const app::SizeControl* control = find_size(page, kChosen[i])) {
      const float x = area.x + static_cast<float>(i % 3) * (column + kGap);
      draw_size(page, *control, std::round(x), y(10, 14) + static_cast<float>(i / 3) * pace(38, 48), std::round(column),
                look);
    }
  page.d.line(area.x, y(79, 100), area.x + area.w, y(79, 100), page.c.line);
  const float table_y = y(91, 116), pitch_y = pace(18, 22);
  draw_work(page, {area.x, table_y, area.w, 0}, pitch_y);
  float below = table_y + pitch_y * static_cast<float>(v.work.size()) + pitch_y / 2 + 2;
  const float split_h = pace(17, 22);
  draw_split(page, {area.x, below, area.w, split_h});
  below += split_h + pace(5, 12);
  page.d.line(area.x, below, area.x + area.w, below, page.c.line);
  // the curves beside their words
  const bool roomy = area.w >= 760;
  const float words_w = std::round(area.w * (roomy ? 0.4f : 0.5f)), words_x = area.x + area.w - words_w;
  const float top = below + pace(6, 8), bottom = std::max(y(394, 512), top + 100);
  draw_growth(page, {area.x, top, area.w - words_w - 24, bottom - top});
  float text_y = top + (roomy ? 12.f : 8.f);
  const float size = roomy ? 14.f : 12.f, pitch = roomy ? 20.f : 15.f;
  text_y += amount_line(page, words_x, text_y, words_w, v.overtakes, app::Amount::overtakes, size, pitch, 0) +
            (roomy ? 12 : 4);
  text_y += amount_line(page, words_x, text_y, words_w, v.weights_line, app::Amount::weights, size, pitch, 0) +
            (roomy ? 12 : 4);
  text_y += amount_line(page, words_x, text_y, words_w, v.cache_line, app::Amount::cache, size, pitch, 0);
  return std::max(bottom, text_y);
}

float draw_overtakes_phone(Page& page, const Rect& area, float touch) {
  const float x = area.x, w = area.w;
  page.d.text(x, area.y + 12, "Attention’s operations", {.size = 12, .face = Face::bold, .colour = page.c.ink2});
  draw_split(page, {x, area.y + 28, w, 28});
  return area.y + 76 +
         amount_line(page, x, area.y + 76, w, page.v.budget.overtakes, app::Amount::overtakes, 14, 20, touch);
}

float draw_compute_rest_phone(Page& page, const Rect& area, float touch) {
  Draw& d = page.d;
  const Palette& c = page.c;
  const app::BudgetView& v = page.v.budget;
  const float x = area.x, w = area.w, right = x + w;
  float y = area.y + 22;
  for (const std::string_view field : kChosen)
    if (const app::SizeControl* control = find_size(page, field)) {
      draw_size(page, *control, x, y, w, {.slider_dy = 44, .field_w = 88, .field_h = 36, .hit_h = touch});
      y += 92;
    }
  d.text(x, y, "One forward", {.face = Face::bold, .colour = c.ink});
  d.text(right, y, "operations, and what is left behind", {.size = 12, .colour = c.ink2, .align = 1});
  y += 18;
  page.next_group();
  const double all = operations_of(page);
  float bytes_w = 0;
  for (const app::WorkRow& row : v.work) bytes_w = std::max(bytes_w, d.width(app::in_bytes(row.bytes), 12, Face::sans));
  for (const app::WorkRow& row : v.work) {
    const Rect line{x - 4, y, w + 8, 62};
    if (row.has_amount && is_lit(page, row.amount)) d.rect_filled(line.x, line.y, line.w, line.h, c.sunk, 6);
    const double share = row.operations / all;
    d.rich(x, y + 14, with_matrices(row.name), {.face = Face::bold, .colour = c.ink});
    d.text(right, y + 14, app::in_bytes(row.bytes), {.size = 12, .colour = c.ink2, .align = 1});
    draw_in_short(page, right - bytes_w - 12, y + 14, row.operations);
    if (d.rich_width(row.formula, 12, Face::mono) <= w)
      d.rich(x, y + 33, row.formula, {.size = 12, .face = Face::mono, .colour = c.ink2});
    d.rect_filled(x, y + 45, std::max(1.f, (w - 56) * static_cast<float>(share)), 10,
                  row.square ? c.ink : bar_colour(c), 1);
    d.text(right, y + 50, percent(share), {.size = 12, .colour = c.ink2, .align = 1});
    if (row.has_amount) amount_region(page, line, row.amount);
    y += 66;
  }
  y += 8;
  draw_growth(page, {x, y, w, 190});
  y += 206;
  for (const auto& [text, amount] :
       {std::pair{&v.weights_line, app::Amount::weights}, {&v.cache_line, app::Amount::cache}})
    y += amount_line(page, x, y + 8, w, *text, amount, 14, 20, touch) + 10;
  return y;
}

float draw_compute_phone(Page& page, const Rect& area, float touch) {
  const float y = draw_overtakes_phone(page, area, touch) + 12;
  return draw_compute_rest_phone(page, {area.x, y, area.w, 0}, touch);
}

}  // namespace ui
