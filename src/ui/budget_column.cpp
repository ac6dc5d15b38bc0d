// The budget's left column: presets, the five sizes of attention, switches. And the two columns side by side, which
// scroll where a page is too low for them.
#include "ui/budget.hpp"
#include "ui/practice.hpp"  // the scroll thumb

#include <algorithm>

namespace ui {
namespace {

constexpr float kColumnClose = 428, kColumnDrawn = 516;
constexpr float kNarrowPanel = 500;
constexpr float kOtherRows = 64, kOtherRowsDrawn = 80;  // what two presets more take

}  // namespace

float draw_budget_column(Page& page, const Rect& area) {
  const bool all = area.h >= kColumnClose;  // else only the chosen preset has a row of its own
  const Pace pace = all ? pace_for(area.h, kColumnClose, kColumnDrawn)
                        : pace_for(area.h, kColumnClose - kOtherRows, kColumnDrawn - kOtherRowsDrawn);
  const float row_h = pace(28, 36), pitch = pace(32, 40);
  draw_presets(page, area.x, area.y + 7, area.w, all ? 3 : 1, row_h, pitch);
  const float below = all ? pace(134, 172) : pace(70, 92);
  const float size_pitch = pace(43, 50);
  const SizeLook look{.slider_dy = pace(22, 27), .field_w = 72, .field_h = pace(24, 28), .hit_h = pace(18, 22)};
  float y = area.y + below;
  for (const app::SizeControl& control : page.v.budget.controls) {
    draw_size(page, control, area.x, y, area.w, look);
    y += size_pitch;
  }
  const float first = y - size_pitch + pace(48, 54), toggle = pace(28, 40), last = pace(28, 36), hit = pace(26, 32);
  draw_keep(page, area.x, first, hit);
  draw_biases(page, area.x, first + toggle, area.x + area.w, hit);
  draw_gated(page, area.x, first + toggle + last, hit);
  return first + toggle + last + 10;
}

void draw_budget_columns(Page& page, const Rect& area, float column_w, float gap) {
  Local& local = page.local;
  const float top = area.y - 10;  // the chip above the presets reaches out of its line
  local.scroll_area = {0, top, page.vp.width, area.y + area.h + 4 - top};
  local.scroll = std::clamp(local.scroll, 0.f, local.scroll_max);
  page.clip(local.scroll_area);
  const float y = area.y - local.scroll;
  const float panel_x = area.x + column_w + 2 * gap;
  const float column_end = draw_budget_column(page, {area.x, y, column_w, area.h});
  // A panel as narrow as a phone's is drawn like one, for a pointer.
  const float panel_w = area.x + area.w - panel_x;
  const float panel_end = draw_budget_panel(page, {panel_x, y, panel_w, area.h}, panel_w < kNarrowPanel ? 30.f : 0.f);
  const float line_x = area.x + column_w + gap;
  const float end = std::max(column_end, panel_end) - y;
  page.d.line(line_x, y, line_x, y + std::max(area.h, end), page.c.line);
  page.unclip();
  local.scroll_max = std::max(0.f, std::ceil(end - area.h));
  if (local.scroll_max <= 4) local.scroll_max = 0;  // a margin at the foot, nothing to see
  draw_scroll_thumb(page, area.x + area.w + 6);
}

}  // namespace ui
