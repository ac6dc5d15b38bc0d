// The first panel: what the four matrices cost, the same bill seen otherwise, and attention's share of a layer.
#include "ui/budget.hpp"

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

constexpr float kDrawnWidth = 856;
constexpr int kMostSlices = 128;
constexpr float kLeastSlice = 3;  // px: narrower ones aren't cut

struct Placed {
  float x, w;  // of the bar
  float label_x, label_w;
};

/// Each bar as wide as its share, with room for the gaps; labels below, moved apart where bars are narrow.
std::vector<Placed> place_bars(const Draw& d, const std::vector<app::BillBar>& bars, float x, float w, float size) {
  double total = 0;
  for (const app::BillBar& bar : bars) total += static_cast<double>(bar.parameters);
  std::vector<Placed> placed;
  double sum = 0;
  const auto at = [&](double share) { return std::round(x + w * static_cast<float>(share)); };
  for (const app::BillBar& bar : bars) {
    const float from = at(total > 0 ? sum / total : 0);
    sum += static_cast<double>(bar.parameters);
    const float to = at(total > 0 ? sum / total : 0);
    const float label_w =
        std::round(d.rich_width(bar.symbol, size)) + 10 + d.width(app::grouped(bar.parameters), size - 1, Face::mono);
    const float bar_w = std::max(5.f, to - from - (placed.size() + 1 < bars.size() ? 3.f : 0.f));
    placed.push_back({std::min(from, x + w - bar_w), bar_w, from, label_w});
  }
  for (std::size_t i = 1; i < placed.size(); ++i)
    placed[i].label_x = std::max(placed[i].label_x, placed[i - 1].label_x + placed[i - 1].label_w + 12);
  float right = x + w;
  for (std::size_t i = placed.size(); i-- > 0;) {
    placed[i].label_x = std::min(placed[i].label_x, right - placed[i].label_w);
    right = placed[i].label_x - 12;
  }
  return placed;
}

void draw_bars(Page& page, const Rect& area) {
  Draw& d = page.d;
  const Palette& c = page.c;
  const auto& bars = page.v.budget.bars;
  float needed = 0, size = 14;
  for (const Placed& bar : place_bars(d, bars, area.x, area.w, size)) needed += bar.label_w + 12;
  if (needed > area.w + 12) size = 13;
  const std::vector<Placed> placed = place_bars(d, bars, area.x, area.w, size);
  page.next_group();
  for (std::size_t i = 0; i < bars.size(); ++i) {
    const Placed& at = placed[i];
    const Rect bar{at.x, area.y, at.w, area.h};
    draw_slices(page, bar, bars[i].slices, bars[i].amount != app::Amount::biases);
    if (is_lit(page, bars[i].amount)) d.hover_ring(bar.x, bar.y, bar.w, bar.h, c.bg);
    const float y = area.y + area.h + 15;
    const float symbol_w = d.rich(at.label_x, y, bars[i].symbol, {.size = size, .colour = c.ink});
    d.text(at.label_x + std::round(symbol_w) + 10, y, app::grouped(bars[i].parameters),
           {.size = size - 1, .face = Face::mono, .colour = c.ink2});
    amount_region(page, bar, bars[i].amount);
  }
}

void draw_legend(Page& page, float right, float y) {
  Draw& d = page.d;
  const float w = d.text(right, y, "owned by head 1", {.size = 12, .colour = page.c.ink2, .align = 1});
  const float x = std::round(right - w) - 16;
  d.rect_filled(x, y - 6, 10, 12, page.c.mark, 2);
  d.rect(x, y - 6, 10, 12, page.c.mark_line, {.radius = 2});
}

std::string tokens_text(const Page& page) { return budget::text_of(page.s.budget.sizes, "n"); }

void draw_rows(Page& page, float x, float w, float y, const Pace& pace, float first, float pitch) {
  Draw& d = page.d;
  const Palette& c = page.c;
  const auto& rows = page.v.budget.rows;
  const float f = std::min(1.f, w / kDrawnWidth);
  const bool roomy = w >= 760;
  const float c4 = x + w, c3 = std::round(x + 640 * f) - (roomy ? 0.f : 28.f);
  float names = 0;
  for (const app::BillRow& row : rows)
    names = std::max(names, d.rich_width(row.name, 14) +
                                (roomy || row.note.empty() ? 0 : 8 + d.rich_width(with_matrices(row.note), 12)));
  const float c2 = std::max(std::round(x + 196 * f), std::round(x + names + 14));
  double most = 1;
  float number_w = 0;
  for (const app::BillRow& row : rows) {
    most = std::max(most, static_cast<double>(row.parameters));
    number_w = std::max(number_w, d.width(app::grouped(row.parameters), 13, Face::mono));
  }
  const float bar_w = std::max(24.f, std::min(std::round(208 * f), c3 - 44 - number_w - 10 - c2));
  d.text(x, y, "Same bill, different view", {.face = Face::bold, .colour = c.ink});
  const TextStyle head{.size = 12, .colour = c.ink2}, head_right{.size = 12, .colour = c.ink2, .align = 1};
  if (c2 >= x + d.width("Same bill, different view", 14, Face::bold) + 14) d.text(c2, y, "parameters", head);
  d.text(c3, y, roomy ? "attention maps" : "maps", head_right);
  const std::string stored = (roomy ? "weights stored, " : "stored, ") + tokens_text(page);
  const float tokens_w = d.width(" tokens", 12, Face::sans);
  d.text(c4, y, " tokens", head_right);
  const float stored_w = d.width(stored, 12, Face::sans);
  d.text(c4 - tokens_w - stored_w, y, stored, head);
  draw_editable_end(page, {c4 - tokens_w - stored_w, y - 12, stored_w, 24}, tokens_text(page), 12, "n");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const app::BillRow& row = rows[i];
    const float at = y + first + static_cast<float>(i) * pitch, h = pace(12, 16);
    const float name_w = d.rich(x, at, row.name, {.colour = c.ink});
    const float length = std::round(bar_w * static_cast<float>(static_cast<double>(row.parameters) / most));
    draw_slices(page, {c2, at - h / 2, std::max(2.f, length), h}, row.slices, row.slices > 1, 1);
    const float end =
        c2 + length + 10 +
        d.text(c2 + length + 10, at, app::grouped(row.parameters), {.size = 13, .face = Face::mono, .colour = c.ink});
    const std::string maps = app::grouped(row.maps);
    const float maps_w = d.width(maps, 13, row.slices > 1 ? Face::mono_bold : Face::mono);
    const std::string note = with_matrices(row.note);
    if (!roomy || end + 12 + d.rich_width(note, 12) <= c3 - maps_w - 8)
      d.rich(roomy ? end + 12 : x + name_w + 8, at, note, {.size = 12, .colour = c.ink2});
    d.text(c3, at, maps,
           {.size = 13, .face = row.slices > 1 ? Face::mono_bold : Face::mono, .colour = c.ink, .align = 1});
    d.text(c4, at, app::grouped(row.stored), {.size = 13, .face = Face::mono, .colour = c.ink, .align = 1});
  }
}

void share_label(Page& page, float x, float w, float y, std::string_view name, const std::string& share, Face face,
                 Colour colour) {
  const std::string both = std::string(name) + "  " + share;
  if (page.d.width(both, 14, face) + 20 <= w)
    page.d.text(x + 12, y, both, {.face = face, .colour = colour});
  else if (page.d.width(share, 12, face) + 8 <= w)
    page.d.text(x + w / 2, y, share, {.size = 12, .face = face, .colour = colour, .align = 0.5f});
}

/// The hero number; on low pages beside its heading. Returns where the bars begin.
float draw_total(Page& page, const Rect& area, const Pace& pace) {
  Draw& d = page.d;
  const Palette& c = page.c;
  const std::string total = app::grouped(page.v.budget.parameters.attention.total);
  const TextStyle heading{.size = 12, .face = Face::bold, .colour = c.ink2};
  if (pace.t < 0.65f) {
    const float w = d.text(area.x, area.y + 11, "Attention parameters in one layer", heading);
    d.text(area.x + w + 14, area.y + 11, total, {.size = 24, .face = Face::mono_medium, .colour = c.ink});
    draw_legend(page, area.x + area.w, area.y + 11);
    return area.y + 28;
  }
  d.text(area.x, area.y + 7, "Attention parameters in one layer", heading);
  const float y = area.y + 38;
  d.text(area.x, y, total, {.size = 32, .face = Face::mono_medium, .colour = c.ink});
  draw_legend(page, area.x + area.w, y);
  return area.y + pace(56, 66);
}

/// Attention and feed-forward side by side. Returns the middle of the line of numbers below.
float draw_shares(Page& page, const Rect& bar, float under_dy) {
  Draw& d = page.d;
  const Palette& c = page.c;
  const app::BudgetView& v = page.v.budget;
  const float x = bar.x, w = bar.w, h = bar.h, middle = bar.y + h / 2;
  const float first =
      std::clamp(static_cast<float>(std::round(static_cast<double>(w) * v.attention_share)), 4.f, w - 4);
  const Rect left{x, bar.y, first - 2, h}, rest{x + first + 1, bar.y, w - first - 1, h};
  d.rect_filled(left.x, left.y, left.w, h, c.ink, 2);
  d.rect_filled(rest.x, rest.y, rest.w, h, bar_colour(c), 2);
  share_label(page, left.x, left.w, middle, "attention", percent(v.attention_share), Face::bold, c.on_ink);
  share_label(page, rest.x, rest.w, middle, "feed-forward", percent(1 - v.attention_share), Face::sans, c.ink);
  page.next_group();
  for (const auto& [amount, place] : {std::pair{app::Amount::attention, left}, {app::Amount::feed_forward, rest}}) {
    if (is_lit(page, amount)) d.hover_ring(place.x, place.y, place.w, place.h, c.bg);
    amount_region(page, place, amount);
  }
  const float under = bar.y + h + under_dy;
  const float attention_w =
      d.text(x, under, app::grouped(v.parameters.attention.total), {.size = 13, .face = Face::mono, .colour = c.ink2});
  const float formula_w = d.rich_width(v.feed_forward_formula, 13, Face::mono);
  const float formula_x = std::min(std::max(rest.x, x + attention_w + 16), x + w - formula_w);
  d.rich(formula_x, under, v.feed_forward_formula, {.size = 13, .face = Face::mono, .colour = c.ink2});
  return under;
}

/// The whole model, pressable, and below it what isn't counted beside the numbers of layers. Returns where it ends.
float draw_model(Page& page, float x, float w, float y, const Pace& pace) {
  Draw& d = page.d;
  const Palette& c = page.c;
  const app::BudgetView& v = page.v.budget;
  const auto lines = static_cast<float>(d.wrap_lines(v.model_line, 12, Face::sans, w));
  const Rect place{x - 4, y - 9, w + 8, lines * 15 + 3};
  if (is_lit(page, app::Amount::model)) d.rect_filled(place.x, place.y, place.w, place.h, c.sunk, 4);
  d.wrap(x, y, v.model_line, {.size = 12, .colour = c.ink}, even_width(d, v.model_line, 12, Face::sans, w), 15);
  page.next_group();
  amount_region(page, place, app::Amount::model);
  y += (lines - 1) * 15 + pace(20, 25);
  float fields = 0;
  const std::string_view names[] = {"cross_layers", "layers"};  // right to left
  for (const std::string_view field : names)
    if (const app::SizeControl* control = find_size(page, field)) fields += small_field_width(page, *control) + 16;
  float at = x + w - fields + 16;
  for (const std::string_view field : {names[1], names[0]})
    if (const app::SizeControl* control = find_size(page, field)) {
      const float field_w = small_field_width(page, *control);
      draw_small_field(page, *control, at + field_w, y);
      at += field_w + 16;
    }
  const float words_w = w - fields - 8;
  const auto left_lines = static_cast<float>(d.wrap_lines(v.left_out, 12, Face::sans, words_w));
  const std::string left_out = app::escape_rich(v.left_out);
  d.wrap(x, y - 7 * (left_lines - 1), left_out, {.size = 12, .colour = c.ink2},
         even_width(d, left_out, 12, Face::sans, words_w, 0.5f), 14);
  return y + 11;
}

}  // namespace

void draw_slices(Page& page, const Rect& bar, int slices, bool first_lit, float gap_after) {
  Draw& d = page.d;
  const Palette& c = page.c;
  const int count = std::clamp(slices, 1, kMostSlices);
  const float slice = bar.w / static_cast<float>(std::max(1, slices));
  const bool cut = slices > 1 && slices <= kMostSlices && slice >= kLeastSlice;
  const auto edge = [&](int k) {
    return bar.x + std::round(bar.w * static_cast<float>(k) / static_cast<float>(count));
  };
  if (cut && gap_after == 0) d.rect_filled(bar.x, bar.y, bar.w, bar.h, c.sunk, 2);
  if (cut) {
    for (int k = first_lit ? 1 : 0; k < count; ++k)
      d.rect_filled(edge(k), bar.y, edge(k + 1) - edge(k) - 1, bar.h, bar_colour(c), 1);
  } else {
    d.rect_filled(bar.x, bar.y, bar.w, bar.h, bar_colour(c), 1);
  }
  if (!first_lit) return;
  const float lit = cut ? edge(1) - bar.x - 1 : std::max(std::min(4.f, bar.w), std::round(slice));
  d.rect_filled(bar.x, bar.y, lit, bar.h, c.mark, 1);
  d.rect(bar.x, bar.y, lit, bar.h, c.mark_line, {.radius = 1});
}

float draw_bill(Page& page, const Rect& area) {
  Draw& d = page.d;
  const Palette& c = page.c;
  const app::BudgetView& v = page.v.budget;
  const float x = area.x, w = area.w, right = x + w;
  const int lines =
      d.wrap_lines(with_matrices(v.rows_note), 12, Face::sans, w) + d.wrap_lines(v.model_line, 12, Face::sans, w);
  const Pace pace = pace_for(area.h - 15 * static_cast<float>(lines - 3), kBillClose, kBillDrawn);
  const float bar_h = pace(28, 44);
  float y = draw_total(page, area, pace);
  draw_bars(page, {x, y, w, bar_h});
  y += bar_h + pace(53, 84);
  const float number_dy = pace(20, 28);
  draw_formula(page, x, y, w, 0, number_dy, -pace(17, 22));
  y += number_dy + pace(14, 22);
  d.line(x, y, right, y, c.line);
  y += pace(14, 18);
  draw_rows(page, x, w, y, pace, pace(20, 24), pace(19, 22));
  y += pace(20 + 3 * 19 - 2, 24 + 3 * 22 + 2);
  y += d.wrap(x, y, with_matrices(v.rows_note), {.size = 12, .colour = c.ink2},
              even_width(d, with_matrices(v.rows_note), 12, Face::sans, w), 15);
  y += pace(-4, -3);
  d.line(x, y, right, y, c.line);
  y += pace(13, 16);
  // the whole layer
  d.text(x, y, "Share of one layer", {.face = Face::bold, .colour = c.ink});
  const float note_w = d.rich_width(v.layer_note, 12);
  const float after = v.gated ? d.width(", gated", 12, Face::sans) : 0;  // the number isn't the last word then
  d.rich(right, y, v.layer_note, {.size = 12, .colour = c.ink2, .align = 1});
  if (const app::SizeControl* d_ff = find_size(page, "d_ff"))
    draw_editable_end(page, {right - note_w, y - 11, note_w - after, 22}, d_ff->value, 12, "d_ff");
  y += pace(11, 12);
  const float share_h = pace(20, 26);
  y = draw_shares(page, {x, y, w, share_h}, pace(12, 14)) + pace(17, 22);
  return draw_model(page, x, w, y, pace);
}

}  // namespace ui
