// The budget at 720 to 1119 pixels (a page's iframe): one bar with the tabs in it, both columns below.
#include "ui/budget.hpp"

#include <algorithm>

namespace ui {

void draw_budget_compact(Page& page) {
  Draw& d = page.d;
  const Palette& c = page.c;
  const app::BudgetView& v = page.v.budget;
  const Viewport& vp = page.vp;
  constexpr float kMargin = 16, kTop = 98, kMostHeight = 620;
  const float right = vp.width - kMargin;
  const float strip_h = strip_takes_two_lines(page, right - kMargin) ? 104 : std::clamp(vp.height - 514, 78.f, 98.f);
  const float strip_y = std::min(vp.height - strip_h, kTop + kMostHeight);
  d.logo(kMargin, 25);
  const float name_w = d.text(kMargin + 24, 24, "Parameter budget", {.face = Face::bold, .colour = c.ink});
  page.menu_mark(kMargin + 24 + name_w + 5, 24);
  page.region({kMargin - 8, 4, 24 + name_w + 24, 40}, "ui:menu");
  page.popover_right = kMargin + 280;
  draw_budget_tabs(page, -1, right, 2, 46);
  d.line(0, 48, vp.width, 48, c.line);
  const float title_w = d.text(kMargin, 72, v.title, {.size = 20, .face = Face::bold, .colour = c.ink});
  const float room = right - kMargin - title_w - 20;
  if (d.rich_width(v.subtitle, 12) <= room)
    d.rich(right, 73, v.subtitle, {.size = 12, .colour = c.ink2, .align = 1});
  else if (room > 160)
    d.wrap(right - room, 66, v.subtitle, {.size = 12, .colour = c.ink2},
           even_width(d, v.subtitle, 12, Face::sans, room, 0.5f), 15);
  const float column_w = std::round(std::clamp(vp.width * 0.29f, 236.f, 300.f));
  draw_budget_columns(page, {kMargin, kTop, right - kMargin, strip_y - kTop - 4}, column_w, 16);
  draw_budget_strip(page, {0, strip_y, vp.width, vp.height - strip_y}, kMargin, right);
}

}  // namespace ui
