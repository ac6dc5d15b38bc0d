// The budget at 1120 pixels and wider: presets and sizes at the left, the chosen panel at the right, the strip below.
#include "ui/budget.hpp"
#include "ui/walkthrough_full.hpp"

#include <algorithm>

namespace ui {

void draw_budget_full(Page& page) {
  Draw& d = page.d;
  const Palette& c = page.c;
  const app::BudgetView& v = page.v.budget;
  const Viewport& vp = page.vp;
  const float left = std::max(24.f, std::round((vp.width - 1232) / 2)), right = vp.width - left;
  const float narrowed = std::clamp((1280 - vp.width) / 160, 0.f, 1.f);
  const float column_w = std::round(312 - 32 * narrowed), gap = std::round(32 - 4 * narrowed);
  constexpr float kTop = 140, kMostHeight = 620;  // higher pages give the rest to the strip
  const float least = strip_takes_two_lines(page, right - left) ? 104.f : 88.f;
  const float strip_y = std::min(vp.height - std::clamp(vp.height - 680, least, 120.f), kTop + kMostHeight);
  draw_full_header(page, full_places_for(vp));
  d.text(left, 77, v.title, {.size = 20, .face = Face::bold, .colour = c.ink});
  d.rich(left, 104, v.subtitle, {.colour = c.ink2});
  draw_budget_tabs(page, -1, right, 60, 38);
  draw_budget_columns(page, {left, kTop, right - left, strip_y - kTop - (vp.height >= 800 ? 24.f : 8.f)}, column_w,
                      gap);
  draw_budget_strip(page, {0, strip_y, vp.width, vp.height - strip_y}, left, right);
}

}  // namespace ui
