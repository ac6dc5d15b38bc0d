// The gallery at 1120 pixels and wider: filter and grid at the left, the card at the right, the strip below.
#include "ui/gallery.hpp"
#include "ui/walkthrough_full.hpp"

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

struct Places {
  float left, right, strip_y, card_x;
  Rect card, grid;
};

Places places_for(const Viewport& vp) {
  Places p{};
  p.left = std::max(24.f, std::round((vp.width - 1232) / 2));
  p.right = vp.width - p.left;
  p.strip_y = vp.height - std::clamp(vp.height - 680, 88.f, 120.f);
  const float card_w = std::round(580 - std::clamp(1280 - vp.width, 0.f, 160.f) * 0.5f);
  p.card_x = p.right - card_w;
  p.card = {p.card_x, 156, card_w, p.strip_y - 12 - 156};
  p.grid = {p.left + 68, 183, p.card_x - 8 - p.left - 68, p.strip_y - 1 - 183};
  return p;
}

}  // namespace

void draw_gallery_full(Page& page) {
  const Places p = places_for(page.vp);
  Draw& d = page.d;
  const Palette& c = page.c;
  const app::GalleryView& v = page.v.gallery;
  draw_full_header(page, full_places_for(page.vp));
  d.text(p.left, 74, v.title, {.size = 20, .face = Face::bold, .colour = c.ink});
  const float field_x = std::max(p.card_x + 104, p.left + 760);
  const bool warning = has_to_be_said(page);
  d.push_clip(p.left, 90, field_x - 16 - p.left, 24);
  d.rich(p.left, 101, subtitle_of(page, field_x - 16 - p.left < 740), {.colour = warning ? c.warn : c.ink2});
  d.pop_clip();
  draw_sources(page, p.right - sources_width(page), 57);
  if (v.n > 0) draw_sentence(page, {field_x, 87, p.right - field_x, 26});
  constexpr float kTabs = 250;
  draw_role_chips(page, p.left, 119, p.right - kTabs);
  if (v.n > 0)
    draw_grid(page, grid_places_for(p.grid, v.layers, v.heads, v.n), p.left + 10);
  else
    draw_empty(page, p.grid);
  draw_panel_tabs(page, -1, p.right - 8, 118, 38);
  draw_card(page, p.card);
  draw_gallery_strip(page, {0, p.strip_y, page.vp.width, page.vp.height - p.strip_y}, p.left, p.right, p.card_x + 20);
}

}  // namespace ui
