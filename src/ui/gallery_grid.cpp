// The grid of maps, layer by head, low layer at the bottom: one draw for all of them, then frames and captions.
#include "ui/gallery.hpp"

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

constexpr float kLargestSide = 200;
constexpr float kCaptions[] = {8, 31, 47};  // below a map: its captions and the way to the next one

std::string map_action(int layer, int head) {
  return "map:" + std::to_string(layer + 1) + "." + std::to_string(head + 1);
}

/// Whole cells of `n` where they fit well; else all of `most`.
float whole_side(float most, int n) {
  const float cells = static_cast<float>(std::max(1, n));
  const float whole = std::floor(most / cells) * cells;
  return whole >= 0.88f * most ? whole : std::floor(most);
}

void draw_axis(Page& page, const GridPlaces& p, float x) {
  Draw& d = page.d;
  const Palette& c = page.c;
  const int layers = page.v.gallery.layers;
  const float top = p.line_y(layers, layers - 1, 0), bottom = p.line_y(layers, 0, 0) + p.side;
  const bool low_rows = p.side < 60;  // "high" and "low" would touch the layers' names
  d.line(x, top + 5, x, bottom, c.line2);
  d.arrow_head(x + 0.5f, top, c.line2, 6, Direction::up);
  for (int layer = 0; layer < layers; ++layer) {
    const float y = p.line_y(layers, layer, 0) + p.side / 2;
    const bool on = layer == page.v.gallery.layer;
    d.rect_filled(x - 2, std::round(y) - 2, 5, 5, c.ink2, 2);
    d.text(x + 10, y, "layer " + std::to_string(layer + 1),
           {.size = 12, .face = on ? Face::bold : Face::sans, .colour = on ? c.ink : c.ink2});
  }
  if (low_rows && layers > 1) return;
  const TextStyle end{.size = 12, .face = Face::bold, .colour = c.ink2};
  d.text(x + 10, top + 6, "high", end);
  d.text(x + 10, bottom - 6, "low", end);
}

void draw_names(Page& page, const GridPlaces& p, bool axis) {
  Draw& d = page.d;
  const app::GalleryView& v = page.v.gallery;
  if (axis)
    for (int head = 0; head < v.heads; ++head)
      d.text(p.x + static_cast<float>(head) * p.pitch_x, p.y - 14,
             (p.pitch_x < 52 ? "" : "head ") + std::to_string(head + 1), {.size = 12, .colour = page.c.ink2});
  else
    for (int layer = 0; layer < v.layers; ++layer) {
      const bool on = layer == v.layer;
      d.text(p.x, p.line_y(v.layers, layer, 0) - 14, "layer " + std::to_string(layer + 1),
             {.size = 12, .face = on ? Face::bold : Face::sans, .colour = on ? page.c.ink : page.c.ink2});
    }
}

/// What a map without room for a caption says under the pointer or with the keyboard's ring.
void draw_tooltip(Page& page, const Rect& map, const app::MapCaption& caption, std::string_view name) {
  Draw& d = page.d;
  std::string text = std::string(name) + ": " + caption.role;
  if (!caption.evidence.empty()) text += ", " + caption.evidence;
  const float w = std::round(d.width(text, 12, Face::sans)) + 16;
  const float x = std::clamp(map.x + map.w / 2 - w / 2, 8.f, std::max(8.f, page.vp.width - w - 8));
  const float y = map.y - 32 > 50 ? map.y - 32 : map.y + map.h + 10;
  d.rect_filled(x, y, w, 22, page.c.ink, 4);
  d.text(x + 8, y + 11, text, {.size = 12, .colour = page.c.on_ink});
}

}  // namespace

GridPlaces grid_places_for(const Rect& area, int layers, int heads, int n, float least_pitch) {
  GridPlaces p;
  p.x = area.x;
  p.y = area.y;
  const float columns = static_cast<float>(std::max(1, heads));
  p.columns = std::max(1, heads);
  if (least_pitch > 0) {  // broken into lines of one length
    const int most = std::max(1, static_cast<int>(area.w / least_pitch));
    p.lines = (p.columns + most - 1) / most;
    p.columns = (p.columns + p.lines - 1) / p.lines;
  }
  p.pitch_x = std::floor(area.w / (p.lines > 1 || least_pitch > 0 ? static_cast<float>(p.columns) : columns));
  const float rows = static_cast<float>(std::max(1, layers) * p.lines);
  const bool bounded = area.h > 0;
  for (p.caption_lines = p.pitch_x >= 76 ? 2 : 0; p.caption_lines >= 0; --p.caption_lines) {
    const float gap = kCaptions[p.caption_lines];
    const float across = std::min(p.pitch_x - (p.caption_lines > 0 ? 18.f : 8.f), kLargestSide);
    const float room = bounded ? std::min(area.h / rows, across + gap + 48) : across + gap + 12;
    p.pitch_y = std::floor(room);
    p.side = std::min(across, p.pitch_y - gap);
    if (p.caption_lines == 0 || p.side >= 44) break;
  }
  p.side = whole_side(std::max(8.f, p.side), n);
  return p;
}

void draw_grid(Page& page, const GridPlaces& p, float axis_x) {
  Draw& d = page.d;
  const Palette& c = page.c;
  const app::GalleryView& v = page.v.gallery;
  const int count = v.layers * v.heads;
  const auto rect_of = [&](int map) {
    const int layer = map / v.heads, head = map % v.heads;
    return Rect{p.x + static_cast<float>(head % p.columns) * p.pitch_x, p.line_y(v.layers, layer, head / p.columns),
                p.side, p.side};
  };
  const auto caption_of = [&](int map) {
    const auto i = static_cast<std::size_t>(map);
    return i < v.captions.size() ? v.captions[i] : app::MapCaption{};
  };
  for (int map = 0; map < count; ++map) {
    const Rect r = rect_of(map);
    d.map(r.x, r.y, r.w, r.h, map, caption_of(map).shown ? 1.f : 0.25f);
  }
  page.next_group();
  std::optional<int> asked;  // whose caption is wanted
  for (int map = 0; map < count; ++map) {
    const int layer = map / v.heads, head = map % v.heads;
    const Rect r = rect_of(map);
    const app::MapCaption caption = caption_of(map);
    const bool on = layer == v.layer && head == v.head, hovered = page.s.gallery.hovered_map == map;
    const std::string action = map_action(layer, head);
    if (on)
      d.hover_ring(r.x, r.y, r.w, r.h, c.bg);
    else
      d.rect(r.x - 1, r.y - 1, r.w + 2, r.h + 2, hovered ? c.ink2 : c.line);
    if (hovered || (page.local.show_focus && page.local.focused_button == action)) asked = map;
    if (p.caption_lines > 0 && caption.shown) {
      const Face face = on ? Face::bold : Face::sans;
      const Colour colour = caption.quiet ? c.ink3 : c.ink;
      const float room = p.pitch_x - 8;
      float evidence_y = r.y + r.h + 28;
      if (p.pitch_y - r.h >= 64 && d.width(caption.role, 12, face) > room) {  // few layers: there is height
        const float used = d.wrap(r.x, r.y + r.h + 13, app::escape_rich(caption.role),
                                  {.size = 12, .face = face, .colour = colour}, room, 15);
        evidence_y = r.y + r.h + 13 + used;
      } else {
        d.text(r.x, r.y + r.h + 13, d.fitting(caption.role, 12, face, p.pitch_x - 2),
               {.size = 12, .face = face, .colour = colour});
      }
      if (p.caption_lines > 1 && !caption.evidence.empty())
        d.text(r.x, evidence_y, caption.evidence, {.size = 12, .colour = c.ink2});
    }
    const float below = p.caption_lines == 2 ? 36.f : p.caption_lines == 1 ? 20.f : 2.f;
    const float finger = std::min(44.f, p.pitch_y - 2);
    page.region_beside({r.x - 4, r.y - 4, std::max(r.w + 8, p.pitch_x - 2), std::max(r.h + 4 + below, finger)}, action,
                       on);
  }
  draw_names(page, p, axis_x >= 0);
  if (axis_x >= 0) draw_axis(page, p, axis_x);
  if (asked && p.caption_lines < 2)
    draw_tooltip(page, rect_of(*asked), caption_of(*asked),
                 "Layer " + std::to_string(*asked / v.heads + 1) + ", head " + std::to_string(*asked % v.heads + 1));
}

void draw_empty(Page& page, const Rect& area) {
  const std::string& why = page.v.gallery.empty;
  if (why.empty()) return;
  page.d.wrap(area.x, area.y + 12, app::escape_rich(why), {.colour = page.c.ink2}, std::min(area.w, 440.f), 20);
}

}  // namespace ui
