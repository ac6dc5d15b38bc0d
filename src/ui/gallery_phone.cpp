// The gallery below 720 pixels: one thing below the other, the maps in lines that a finger can hit.
#include "ui/gallery.hpp"

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

constexpr float kMargin = 16, kWidest = 460, kTouch = 44;

struct Column {
  float left, right;
};

Column column_of(const Viewport& vp) {
  const float w = std::min(vp.width, kWidest) - 2 * kMargin, left = std::round((vp.width - w) / 2);
  return {left, left + w};
}

float card_height(const Page& page, float w) {
  const app::GalleryView& v = page.v.gallery;
  switch (page.s.gallery.panel) {
    case app::Panel::training: return 810;
    case app::Panel::layers: return 170 + 24 * static_cast<float>(std::min<std::size_t>(12, v.by_layer.size())) + 340;
    case app::Panel::head: break;
  }
  const auto lines = [&](const std::string& text, float size) {
    return static_cast<float>(page.d.wrap_lines(text, size, Face::sans, w - 24));
  };
  if (v.n == 0) return 180;
  const float words = lines(v.finding, 14) * 20 + lines(v.not_testable, 14) * 20 + (v.not_testable.empty() ? 0 : 44) +
                      (v.why.empty() && v.other_roles.empty() ? 0 : lines(v.why + " " + v.other_roles, 12) * 16);
  return 132 + words - 12 + enlarged_height(page, w + 8);
}

float draw_words(Page& page, const Column& at, float y) {
  Draw& d = page.d;
  const Palette& c = page.c;
  const app::GalleryView& v = page.v.gallery;
  const TextStyle label{.size = 12, .face = Face::bold, .colour = c.ink2};
  const float w = at.right - at.left;
  const auto equation = [&](std::string_view name, const std::vector<app::Part>& parts) {
    if (parts.empty()) return;
    d.text(at.left, y + 8, name, label);
    draw_parts(page, at.left, y + 44, parts, w);
    y += 84;
  };
  equation("How this number was made", v.score_parts);
  if (!v.count.empty()) y += d.wrap(at.left, y, app::escape_rich(v.count), {.size = 12, .colour = c.ink2}, w, 17) + 12;
  equation("Baseline to beat", v.rule_parts.empty() ? v.baseline_parts : v.rule_parts);
  for (const std::string* text : {&v.strip_sentence, &v.asking_note, &v.caveat})
    if (!text->empty()) y += d.wrap(at.left, y, app::escape_rich(*text), {.size = 12, .colour = c.ink2}, w, 17) + 10;
  return y;
}

void top_bar(Page& page, const Column& at) {
  page.groups_from(0);  // drawn late, over what scrolls, but first in reading order
  Draw& d = page.d;
  d.logo(at.left, 25);
  d.text(at.left + 24, 24, "Head gallery", {.face = Face::bold, .colour = page.c.ink});
  d.theme_icon(at.right - 52, 24);
  page.region({at.right - 78, 2, 46, kTouch}, "ui:theme");
  for (int i = -1; i < 2; ++i) d.rect_filled(at.right - 20, 23 + static_cast<float>(i) * 6, 18, 2, page.c.ink, 1);
  page.region({at.right - 32, 2, 46, kTouch}, "ui:menu");
  page.popover_right = at.right + 4;
  d.line(0, 48, page.vp.width, 48, page.c.line);
}

}  // namespace

void draw_gallery_phone(Page& page) {
  Draw& d = page.d;
  const Palette& c = page.c;
  const app::GalleryView& v = page.v.gallery;
  const Column at = column_of(page.vp);
  const float w = at.right - at.left;
  page.local.scroll_area = {0, 49, page.vp.width, std::max(0.f, page.vp.height - 49)};
  page.local.scroll = std::min(page.local.scroll, page.local.scroll_max);
  page.clip(page.local.scroll_area);
  page.groups_from(8);
  float y = 49 - page.local.scroll;
  const float top = y;
  y += 28;
  y += d.wrap(at.left, y, app::escape_rich(v.title), {.size = 20, .face = Face::bold, .colour = c.ink}, w, 25);
  y += d.wrap(at.left, y, subtitle_of(page, true), {.colour = has_to_be_said(page) ? c.warn : c.ink2}, w, 20) + 14;
  draw_sources(page, at.left, y, kTouch);
  y += 44;
  if (v.n > 0) {
    draw_sentence(page, {at.left, y, w, kTouch});
    y += 62;
  }
  draw_role_chips(page, at.left, y, at.right, kTouch);
  y += 62;
  if (v.n > 0) {
    const GridPlaces grid = grid_places_for({at.left + 4, y, w - 4, 0}, v.layers, v.heads, v.n, 46);
    GridPlaces spaced = grid;
    spaced.pitch_y = std::max(grid.pitch_y, 46.f) + (grid.lines == 1 ? 20.f : 12.f);
    draw_grid(page, spaced, -1);
    y = spaced.line_y(v.layers, 0, grid.lines - 1) + spaced.pitch_y + 4;
  } else {
    draw_empty(page, {at.left, y, w, 120});
    y += 80;
  }
  draw_panel_tabs(page, at.left, at.right, y - 12, kTouch);
  y += 32;
  const Rect card{at.left - 4, y, w + 8, card_height(page, w)};
  draw_card(page, card);
  y = draw_words(page, at, y + card.h + 20) + 12;
  page.unclip();
  page.local.scroll_max = std::max(0.f, std::ceil(y - top - page.local.scroll_area.h));
  top_bar(page, at);
}

}  // namespace ui
