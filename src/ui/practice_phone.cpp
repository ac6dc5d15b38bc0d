// Practice below 720 pixels: question, feedback and picture one below the other; the way on stays at the bottom.
#include "ui/practice.hpp"

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

constexpr float kMargin = 16, kWidest = 460, kTouch = 44, kBar = 72;

Column column_of(const Viewport& vp) {
  const float w = std::min(vp.width, kWidest) - 2 * kMargin;
  return {std::round((vp.width - w) / 2), w};
}

/// A word that is wider than a line (a result's link) goes on in the next one.
std::string in_pieces(const Draw& d, const std::string& text, float w) {
  std::string out;
  std::size_t word = 0;  // where the present one begins in `out`
  for (const char ch : text) {
    const bool continues = (static_cast<unsigned char>(ch) & 0xC0) == 0x80;  // not a letter of its own
    if (ch != ' ' && !continues && d.width(out.substr(word) + "mm", 12, Face::sans) > w) out += ' ', word = out.size();
    out += ch;
    if (ch == ' ') word = out.size();
  }
  return out;
}

void top_bar(Page& page, const Column& at) {
  page.groups_from(0);  // drawn late, over what scrolls, but first in reading order
  Draw& d = page.d;
  const float right = at.x + at.w;
  d.logo(at.x, 25);
  d.text(at.x + 24, 24, "Practice", {.face = Face::bold, .colour = page.c.ink});
  d.theme_icon(right - 52, 24);
  page.region({right - 78, 2, 46, kTouch}, "ui:theme");
  for (int i = -1; i < 2; ++i) d.rect_filled(right - 20, 23 + static_cast<float>(i) * 6, 18, 2, page.c.ink, 1);
  page.region({right - 32, 2, 46, kTouch}, "ui:menu");
  page.popover_right = right + 4;
  d.line(0, 48, page.vp.width, 48, page.c.line);
}

void bottom_bar(Page& page, const Column& at) {
  const float y = page.vp.height - kBar;
  page.d.rect_filled(0, y, page.vp.width, kBar, page.c.bg);
  page.d.line(0, y, page.vp.width, y, page.c.line);
  draw_onward(page, at.x + at.w, y + 12, 48, at.x);
}

}  // namespace

void draw_practice_phone(Page& page) {
  Draw& d = page.d;
  const Palette& c = page.c;
  const app::PracticeView& view = page.v.practice;
  const Column at = column_of(page.vp);
  if (!view.there) return top_bar(page, at);
  Local& l = page.local;
  l.scroll_area = {0, 49, page.vp.width, std::max(0.f, page.vp.height - 49 - kBar)};
  l.scroll = std::min(l.scroll, l.scroll_max);
  page.clip(l.scroll_area);
  page.groups_from(8);
  float y = 49 - l.scroll + 26;
  d.text(at.x, y, view.counter, {.size = 12, .face = Face::bold, .colour = c.ink2});
  draw_set_chip(page, at.x + at.w, y, kTouch, at.w - std::round(d.width(view.counter, 12, Face::bold)) - 16);
  y += 32;
  const PracticeStyle style{.title = 18, .title_pitch = 24, .phone = true, .picture_beside = false};
  float below = y + 36 + 26;
  below = draw_feedback(page, at, draw_question(page, at, below, style), style) + 20;
  const float card_h = picture_height(page, at.w);
  draw_picture(page, {at.x, below, at.w, card_h});
  below += card_h + 24;
  const std::string foot = app::escape_rich(in_pieces(d, view.finished ? view.result : view.foot, at.w));
  below += d.wrap(at.x, below, foot, {.size = 12, .colour = c.ink2}, at.w, 17);
  draw_pips(page, at.x, y, at.x + at.w, 44, 36);  // read after the question, as on wider pages
  page.unclip();
  end_scroll(page, below + 8);
  draw_scroll_thumb(page, page.vp.width - 7);
  bottom_bar(page, at);
  top_bar(page, at);
}

}  // namespace ui
