// Practice at 1120 pixels and wider: the question at the left, its picture at the right, the row of answers below.
#include "ui/practice.hpp"
#include "ui/walkthrough_full.hpp"

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

struct Places {
  float left, right, strip_y, strip_h, card_x, card_y;
  Column column;
};

Places places_for(const Viewport& vp) {
  Places p{};
  p.left = std::max(24.f, std::round((vp.width - 1232) / 2));
  p.right = vp.width - p.left;
  p.strip_h = std::clamp(vp.height - 680, 88.f, 120.f);
  p.strip_y = vp.height - p.strip_h;
  const float narrower = std::round(std::clamp(1280 - vp.width, 0.f, 160.f) / 2);
  p.column = {p.left, 560 - narrower};
  p.card_x = p.right - 624 + narrower;
  p.card_y = 64;
  return p;
}

void strip(Page& page, const Places& p) {
  Draw& d = page.d;
  const Palette& c = page.c;
  const app::PracticeView& view = page.v.practice;
  d.rect_filled(0, p.strip_y, page.vp.width, p.strip_h, c.sunk);
  d.line(0, p.strip_y, page.vp.width, p.strip_y, c.line);
  const bool low = p.strip_h < 114;
  const float row_y = p.strip_y + (low ? 28.f : 42.f);
  d.text(p.left, p.strip_y + (low ? 15.f : 21.f), "Your answers", {.size = 12, .face = Face::bold, .colour = c.ink2});
  // The buttons at the right come last in reading order: how much room they need is known before they are drawn.
  const float buttons = onward_width(page);
  draw_tags(page, p.left, row_y, p.right - buttons - 16, 36);
  draw_onward(page, p.right, row_y, 36);
  const std::string& foot = view.finished ? view.result : view.foot;
  d.text(p.left, p.strip_y + p.strip_h - (low ? 12.f : 20.f), d.fitting(foot, 12, Face::sans, p.right - p.left),
         {.size = 12, .colour = view.finished ? c.ink : c.ink2});
}

}  // namespace

void end_scroll(Page& page, float end) {
  Local& l = page.local;
  const Rect& area = l.scroll_area;
  l.scroll_max = std::max(0.f, std::ceil(end + l.scroll - area.y - area.h));
  const float before = l.scroll;
  if (l.scroll_target) {  // what has just come: all of it, or else its beginning
    const float top = l.scroll_target->y - 12, bottom = l.scroll_target->y + l.scroll_target->h + 12;
    if (bottom > area.y + area.h) l.scroll += std::min(bottom - area.y - area.h, top - area.y);
    if (top < area.y) l.scroll += top - area.y;
    l.scroll_target.reset();
  }
  l.scroll = std::clamp(l.scroll, 0.f, l.scroll_max);
  l.redraw = l.scroll != before;
}

void draw_scroll_thumb(Page& page, float x) {
  const Local& l = page.local;
  const Rect& area = l.scroll_area;
  if (l.scroll_max <= 0) return;
  const float room = area.h - 16, h = std::max(32.f, room * area.h / (area.h + l.scroll_max));
  page.d.rect_filled(x, area.y + 8 + (room - h) * std::min(1.f, l.scroll / l.scroll_max), 4, h, page.c.line2, 2, 0.6f);
}

float draw_practice_columns(Page& page, const Column& column, float y, float strip_y, const Rect& card,
                            const PracticeStyle& style) {
  const float end = draw_feedback(page, column, draw_question(page, column, y, style), style);
  // The card stays while the question scrolls, as far as it fits.
  const float beyond = std::max(0.f, card.y + card.h + 12 - strip_y);
  draw_picture(page, {card.x, card.y - std::min(page.local.scroll, beyond), card.w, card.h});
  return std::max(end + 12, page.local.scroll_area.y + page.local.scroll_area.h + beyond - page.local.scroll);
}

void draw_practice_full(Page& page) {
  const Places p = places_for(page.vp);
  Draw& d = page.d;
  const Palette& c = page.c;
  const app::PracticeView& view = page.v.practice;
  draw_full_header(page, full_places_for(page.vp));
  if (!view.there) return;
  Local& l = page.local;
  l.scroll_area = {0, 49, page.vp.width, p.strip_y - 49};
  l.scroll = std::min(l.scroll, l.scroll_max);
  page.clip(l.scroll_area);
  const float y = 77 - l.scroll;
  d.text(p.left, y, view.counter, {.size = 12, .face = Face::bold, .colour = c.ink2});
  const float counter_w = d.width(view.counter, 12, Face::bold);
  const float chip_x = draw_set_chip(page, p.column.x + p.column.w, y);
  draw_dashes(page, p.left + std::max(112.f, std::round(counter_w) + 23), y, chip_x - 16);
  const float room = p.strip_y - 12 - p.card_y, card_w = p.right - p.card_x;
  const float card_h = std::max(least_card_height(page, std::min(536.f, room)), picture_height(page, card_w));
  const float end = draw_practice_columns(page, p.column, y + 35, p.strip_y, {p.card_x, p.card_y, card_w, card_h}, {});
  page.unclip();
  end_scroll(page, end);
  draw_scroll_thumb(page, p.column.x + p.column.w + 8);  // beside what it scrolls
  strip(page, p);
}

}  // namespace ui
