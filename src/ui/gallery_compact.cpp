// The gallery at 720 to 1119 pixels (a page's iframe): one bar, grid and card side by side.
#include "ui/gallery.hpp"

#include <algorithm>
#include <cmath>

namespace ui {

void draw_gallery_compact(Page& page) {
  Draw& d = page.d;
  const Palette& c = page.c;
  const app::GalleryView& v = page.v.gallery;
  constexpr float kMargin = 16;
  const float right = page.vp.width - kMargin, strip_h = std::clamp(page.vp.height - 502, 70.f, 98.f);
  const float strip_y = page.vp.height - strip_h;
  const float card_w = std::round(std::clamp(page.vp.width * 0.54f, 400.f, 520.f));
  const Rect card{right - card_w, 124, card_w, strip_y - 10 - 124};

  d.logo(kMargin, 25);
  const float name_w = d.text(kMargin + 24, 24, "Head gallery", {.face = Face::bold, .colour = c.ink});
  page.menu_mark(kMargin + 24 + name_w + 5, 24);
  page.region({kMargin - 8, 4, 24 + name_w + 24, 40}, "ui:menu");
  page.popover_right = kMargin + 280;
  const float sources = sources_width(page);
  draw_sources(page, right - sources, 12);
  if (v.n > 0) {
    const float x = kMargin + 24 + name_w + 36;
    const float room = right - sources - 16 - x;
    draw_sentence(page, {x, 10, room, 28});
  }
  d.line(0, 48, page.vp.width, 48, c.line);
  const bool warning = has_to_be_said(page);
  const float title_w = d.width(v.title, 20, Face::bold);
  d.text(kMargin, 72, v.title, {.size = 20, .face = Face::bold, .colour = c.ink});
  const float room = right - kMargin - title_w - 20;
  const std::string note = subtitle_of(page, true);
  if (d.rich_width(note, 12) <= room)
    d.rich(right, 73, note, {.size = 12, .colour = warning ? c.warn : c.ink2, .align = 1});
  else if (room > 160)
    d.wrap(right - room, 66, note, {.size = 12, .colour = warning ? c.warn : c.ink2}, room, 15);
  draw_role_chips(page, kMargin, 92, right - 250);
  if (v.n > 0) {
    const float x = kMargin + 64;
    draw_grid(page, grid_places_for({x, 146, card.x - 10 - x, strip_y - 8 - 146}, v.layers, v.heads, v.n), kMargin + 6);
  } else {
    draw_empty(page, {kMargin, 140, card.x - 24 - kMargin, 200});
  }
  draw_panel_tabs(page, -1, right - 8, 88, 36);
  draw_card(page, card);
  draw_gallery_strip(page, {0, strip_y, page.vp.width, strip_h}, kMargin, right, card.x + 12);
}

}  // namespace ui
