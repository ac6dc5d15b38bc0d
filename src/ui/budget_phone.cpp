// The budget below 720 pixels: tabs, what the chosen panel says first, sizes and switches, the rest of the panel, one
// below the other; the strip stays at the foot, so that a slider's effect is seen.
#include "ui/budget.hpp"
#include "ui/practice.hpp"  // the scroll thumb

#include <algorithm>
#include <tuple>
#include <utility>

namespace ui {
namespace {

constexpr float kMargin = 16, kWidest = 460, kTouch = 44;

void top_bar(Page& page, float left, float right) {
  page.groups_from(0);  // drawn late, over what scrolls, but first in reading order
  Draw& d = page.d;
  d.rect_filled(0, 0, page.vp.width, 48, page.c.bg);
  d.logo(left, 25);
  d.text(left + 24, 24, "Parameter budget", {.face = Face::bold, .colour = page.c.ink});
  d.theme_icon(right - 52, 24);
  page.region({right - 78, 2, 46, kTouch}, "ui:theme");
  for (int i = -1; i < 2; ++i) d.rect_filled(right - 20, 23 + static_cast<float>(i) * 6, 18, 2, page.c.ink, 1);
  page.region({right - 32, 2, 46, kTouch}, "ui:menu");
  page.popover_right = right + 4;
  d.line(0, 48, page.vp.width, 48, page.c.line);
}

/// How high the equation's lines are: measured by drawing them where they can't be seen.
float lines_height(Page& page, float w) {
  page.d.push_clip(0, 0, 0, 0);
  const float h = draw_amount_lines(page, 0, 0, w);
  page.d.pop_clip();
  return h;
}

}  // namespace

float draw_total_phone(Page& page, const Rect& area, float touch) {
  Draw& d = page.d;
  const Palette& c = page.c;
  const app::BudgetView& v = page.v.budget;
  const float x = area.x, w = area.w, right = x + w;
  float y = area.y + 12;
  const TextStyle label{.size = 12, .face = Face::bold, .colour = c.ink2};
  d.text(x, y, "Attention parameters in one layer", label);
  y += 30;
  const std::string total = app::grouped(v.parameters.attention.total);
  const float size = d.width(total, 32, Face::mono_medium) <= w ? 32.f : 24.f;
  d.text(x, y, total, {.size = size, .face = Face::mono_medium, .colour = c.ink});
  y += 26;
  double most = 1;
  for (const app::BillBar& bar : v.bars) most = std::max(most, static_cast<double>(bar.parameters));
  page.next_group();
  for (const app::BillBar& bar : v.bars) {
    const Rect line{x - 4, y, w + 8, touch};
    if (is_lit(page, bar.amount)) d.rect_filled(line.x, line.y, line.w, line.h, c.sunk, 6);
    const float middle = y + touch / 2, bar_w = w - 44 - 104;
    d.rich(x, middle, bar.symbol, {.colour = c.ink});
    const float length = std::max(3.f, bar_w * static_cast<float>(static_cast<double>(bar.parameters) / most));
    draw_slices(page, {x + 44, middle - 11, std::round(length), 22}, bar.slices, bar.amount != app::Amount::biases);
    d.text(right, middle, app::grouped(bar.parameters), {.size = 13, .face = Face::mono, .colour = c.ink, .align = 1});
    amount_region(page, line, bar.amount);
    y += touch + 2;
  }
  d.rect_filled(x + 44, y + 5, 10, 12, c.mark, 2);
  d.rect(x + 44, y + 5, 10, 12, c.mark_line, {.radius = 2});
  d.text(x + 60, y + 11, "owned by head 1", {.size = 12, .colour = c.ink2});
  return y + 20;
}

float draw_bill_rest_phone(Page& page, const Rect& area, float touch) {
  Draw& d = page.d;
  const Palette& c = page.c;
  const app::BudgetView& v = page.v.budget;
  const float x = area.x, w = area.w, right = x + w;
  float y = draw_formula(page, x, area.y + 42, w, 78, 26, -21) + 30;
  d.line(x, y, right, y, c.line);
  y += 24;
  d.text(x, y, "Same bill, different view", {.face = Face::bold, .colour = c.ink});
  y += 14;
  double widest = 1;
  for (const app::BillRow& row : v.rows) widest = std::max(widest, static_cast<double>(row.parameters));
  for (const app::BillRow& row : v.rows) {
    const float name_w = d.rich(x, y + 12, row.name, {.colour = c.ink});
    d.rich(x + name_w + 10, y + 12, with_matrices(row.note), {.size = 12, .colour = c.ink2});
    const float bar_w = w - 104;
    const float length = std::max(2.f, bar_w * static_cast<float>(static_cast<double>(row.parameters) / widest));
    draw_slices(page, {x, y + 26, std::round(length), 16}, row.slices, row.slices > 1, 1);
    d.text(right, y + 34, app::grouped(row.parameters), {.size = 13, .face = Face::mono, .colour = c.ink, .align = 1});
    d.text(x, y + 54,
           app::grouped(row.maps) + (row.maps == 1 ? " attention map, " : " attention maps, ") +
               app::grouped(row.stored) + " weights stored",
           {.size = 12, .colour = c.ink2});
    y += 72;
  }
  y += 10 + d.wrap(x, y + 8, with_matrices(v.rows_note), {.size = 12, .colour = c.ink2}, w, 17);
  const auto sized = [&](std::string_view field) {
    if (const app::SizeControl* control = find_size(page, field)) {
      draw_size(page, *control, x, y + 22, w, {.slider_dy = 44, .field_w = 88, .field_h = 36, .hit_h = touch});
      y += 92;
    }
  };
  sized("n");
  d.line(x, y, right, y, c.line);
  y += 24;
  d.text(x, y, "Share of one layer", {.face = Face::bold, .colour = c.ink});
  y += 16;
  page.next_group();
  for (const auto& [amount, name, share] : {std::tuple{app::Amount::attention, "attention", v.attention_share},
                                            {app::Amount::feed_forward, "feed-forward", 1 - v.attention_share}}) {
    const Rect line{x - 4, y, w + 8, touch};
    if (is_lit(page, amount)) d.rect_filled(line.x, line.y, line.w, line.h, c.sunk, 6);
    d.text(x, y + touch / 2, name, {.colour = c.ink});
    const float bar_x = x + 100, bar_w = w - 160;
    d.rect_filled(bar_x, y + touch / 2 - 11, std::max(2.f, bar_w * static_cast<float>(share)), 22,
                  amount == app::Amount::attention ? c.ink : bar_colour(c), 2);
    d.text(right, y + touch / 2, percent(share), {.size = 14, .colour = c.ink, .align = 1});
    amount_region(page, line, amount);
    y += touch + 2;
  }
  y += 12;
  y += d.wrap(x, y, v.layer_note, {.size = 12, .colour = c.ink2}, w, 18);
  y += d.wrap(x, y, v.feed_forward_formula, {.size = 13, .face = Face::mono, .colour = c.ink2}, w, 18) + 8;
  for (const std::string_view field : {"d_ff", "layers", "cross_layers"}) sized(field);
  y += 12;
  const float lines = static_cast<float>(d.wrap_lines(v.model_line, 14, Face::sans, w));
  const Rect model{x - 4, y - 12, w + 8, std::max(touch, lines * 20 + 8)};
  if (is_lit(page, app::Amount::model)) d.rect_filled(model.x, model.y, model.w, model.h, c.sunk, 6);
  d.wrap(x, y, v.model_line, {.colour = c.ink}, w, 20);
  page.next_group();
  amount_region(page, model, app::Amount::model);
  y = model.y + model.h + 16;
  return y + d.wrap(x, y, app::escape_rich(v.left_out), {.size = 12, .colour = c.ink2}, w, 17);
}

float draw_bill_phone(Page& page, const Rect& area, float touch) {
  const float y = draw_total_phone(page, area, touch);
  return draw_bill_rest_phone(page, {area.x, y, area.w, 0}, touch);
}

namespace {

/// What the chosen panel has to say first; returns where the line below it stands.
float draw_first(Page& page, const Rect& area) {
  switch (page.s.budget.panel) {
    case app::BudgetPanel::parameters: return draw_total_phone(page, area, kTouch) + 16;
    case app::BudgetPanel::compute: return draw_overtakes_phone(page, area, kTouch) + 8;
    case app::BudgetPanel::rank:
    case app::BudgetPanel::code: return draw_budget_panel(page, area, kTouch) + 12;
  }
  return area.y;
}

float draw_rest(Page& page, const Rect& area) {
  switch (page.s.budget.panel) {
    case app::BudgetPanel::parameters: break;
    case app::BudgetPanel::compute: break;
    case app::BudgetPanel::rank:
    case app::BudgetPanel::code: return area.y;
  }
  page.d.line(0, area.y, page.vp.width, area.y, page.c.line);
  return page.s.budget.panel == app::BudgetPanel::parameters
             ? draw_bill_rest_phone(page, area, kTouch)
             : draw_compute_rest_phone(page, {area.x, area.y + 12, area.w, 0}, kTouch);
}

}  // namespace

void draw_budget_phone(Page& page) {
  Draw& d = page.d;
  const Palette& c = page.c;
  const app::BudgetView& v = page.v.budget;
  const Viewport& vp = page.vp;
  const float w = std::min(vp.width, kWidest) - 2 * kMargin, left = std::round((vp.width - w) / 2), right = left + w;
  // the foot
  const bool high = vp.height >= 560;  // else the sentence isn't worth the middle's room
  const float lines_h = lines_height(page, w);
  const float sentence_h = high ? 17 * static_cast<float>(d.wrap_lines(v.sentence, 12, Face::sans, w)) : 0;
  const float foot_h = std::min(lines_h + 52 + (high ? sentence_h + 4 : 0), vp.height * 0.4f);
  const float foot_y = vp.height - foot_h;
  Local& local = page.local;
  local.scroll_area = {0, 49, vp.width, std::max(0.f, foot_y - 49)};
  local.scroll = std::clamp(local.scroll, 0.f, local.scroll_max);
  page.clip(local.scroll_area);
  page.groups_from(8);
  float y = 49 - local.scroll;
  const float top = y;
  y += 28;
  // First what the sizes are turned for, then the sizes, then the rest of the panel.
  const std::string title = app::escape_rich(v.title);
  y += d.wrap(left, y, title, {.size = 20, .face = Face::bold, .colour = c.ink},
              even_width(d, title, 20, Face::bold, w, 0.6f), 25);
  const std::string subtitle = tied(v.subtitle);
  y += d.wrap(left, y, subtitle, {.colour = c.ink2}, even_width(d, subtitle, 14, Face::sans, w), 20) - 6;
  draw_budget_tabs(page, left - 8, right + 8, y, kTouch);
  d.line(0, y + kTouch, vp.width, y + kTouch, c.line);
  y = draw_first(page, {left, y + kTouch + 12, w, 0});
  d.line(0, y, vp.width, y, c.line);
  y = draw_presets(page, left, y + 34, w, 1, kTouch, 48) + 34;
  for (const app::SizeControl& control : v.controls) {
    draw_size(page, control, left, y, w,
              {.slider_dy = control.locked ? 28.f : 44.f, .field_w = 88, .field_h = 36, .hit_h = kTouch});
    y += control.locked ? 64.f : 92.f;
  }
  y -= 4;
  draw_keep(page, left, y, kTouch);
  draw_biases(page, left, y + 46, right, kTouch);
  draw_gated(page, left, y + 92, kTouch);
  y = draw_rest(page, {left, y + 124, w, 0}) + 20;
  page.unclip();
  local.scroll_max = std::max(0.f, std::ceil(y - top - local.scroll_area.h));
  draw_scroll_thumb(page, vp.width - 7);
  d.rect_filled(0, foot_y, vp.width, foot_h, c.sunk);
  d.line(0, foot_y, vp.width, foot_y, c.line);
  const float end = draw_amount_lines(page, left, foot_y + 26, w);
  if (high) d.wrap(left, end + 32, v.sentence, {.size = 12, .colour = c.ink}, w, 17);
  top_bar(page, left, right);
}

}  // namespace ui
