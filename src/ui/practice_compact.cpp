// Practice at 720 to 1119 pixels (a page's iframe): one bar, question and picture side by side, a low strip.
#include "ui/practice.hpp"

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

constexpr float kMargin = 16, kStrip = 76;

void bar(Page& page, float right) {
  Draw& d = page.d;
  const Palette& c = page.c;
  const app::PracticeView& view = page.v.practice;
  d.logo(kMargin, 25);
  const float name_w = d.text(kMargin + 24, 24, "Practice", {.face = Face::bold, .colour = c.ink});
  page.menu_mark(kMargin + 24 + name_w + 5, 24);
  page.region({kMargin - 8, 4, 24 + name_w + 24, 40}, "ui:menu");
  page.popover_right = kMargin + 280;
  d.line(0, 48, page.vp.width, 48, c.line);
  if (!view.there) return;
  const float x = kMargin + 24 + name_w + 48;
  const float counter_w = d.text(x, 24, view.counter, {.size = 12, .face = Face::bold, .colour = c.ink2});
  const float chip_x = draw_set_chip(page, right, 24, 40);
  draw_dashes(page, x + std::round(counter_w) + 20, 24, chip_x - 16);
}

void strip(Page& page, float right, float y) {
  Draw& d = page.d;
  const Palette& c = page.c;
  const app::PracticeView& view = page.v.practice;
  d.rect_filled(0, y, page.vp.width, kStrip, c.sunk);
  d.line(0, y, page.vp.width, y, c.line);
  draw_pips(page, kMargin, y + 8, right - onward_width(page) - 16, 44, 38);
  draw_onward(page, right, y + 8, 38);
  const std::string& foot = view.finished ? view.result : view.foot;
  d.text(kMargin, y + kStrip - 14, d.fitting(foot, 12, Face::sans, right - kMargin),
         {.size = 12, .colour = view.finished ? c.ink : c.ink2});
}

}  // namespace

void draw_practice_compact(Page& page) {
  const float right = page.vp.width - kMargin, strip_y = page.vp.height - kStrip;
  bar(page, right);
  if (!page.v.practice.there) return;
  Local& l = page.local;
  l.scroll_area = {0, 49, page.vp.width, strip_y - 49};
  l.scroll = std::min(l.scroll, l.scroll_max);
  page.clip(l.scroll_area);
  const float card_w = std::round((page.vp.width - 3 * kMargin) * 0.47f), card_x = right - card_w;
  const Column column{kMargin, card_x - 20 - kMargin};
  const float card_h =
      std::max(least_card_height(page, std::min(520.f, strip_y - 12 - 60)), picture_height(page, card_w));
  const float end = draw_practice_columns(page, column, 76 - l.scroll, strip_y, {card_x, 60, card_w, card_h}, {});
  page.unclip();
  end_scroll(page, end);
  draw_scroll_thumb(page, card_x - 12);
  strip(page, right, strip_y);
}

}  // namespace ui
