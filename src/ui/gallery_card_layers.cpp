// The card's third panel: what share of each layer's heads does what, computed from this model, beside what others
// have measured and where they say so.
#include "ui/gallery.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace ui {
namespace {

enum class Fill : std::uint8_t { ink, ink2, grey, line, empty, hatch };
struct Kind {
  std::string_view name;
  int heads::LayerShares::*count;
  Fill fill;
};
constexpr std::array<Kind, 6> kKinds = {{{"positional", &heads::LayerShares::positional, Fill::ink},
                                         {"syntactic", &heads::LayerShares::syntactic, Fill::ink2},
                                         {"semantic", &heads::LayerShares::semantic, Fill::grey},
                                         {"resting", &heads::LayerShares::resting, Fill::line},
                                         {"diffuse", &heads::LayerShares::diffuse, Fill::empty},
                                         {"no role", &heads::LayerShares::none, Fill::hatch}}};

/// No hues: heads beyond three have none. Returns what text on it may have.
Colour draw_fill(Page& page, const Rect& r, Fill fill) {
  Draw& d = page.d;
  const Palette& c = page.c;
  const auto plain = [&](Colour colour) {
    d.rect_filled(r.x, r.y, r.w, r.h, colour, 2);
    return text_on(colour);
  };
  switch (fill) {
    case Fill::ink: return plain(c.ink);
    case Fill::ink2: return plain(c.ink2);
    case Fill::grey: return plain(c.line2);
    case Fill::line: {
      const Colour text = plain(c.line);
      d.rect(r.x, r.y, r.w, r.h, c.line2, {.radius = 2});
      return text;
    }
    case Fill::hatch:
      d.rect_filled(r.x, r.y, r.w, r.h, c.surface, 2);
      d.hatch(r.x, r.y, r.w, r.h, c.line);
      d.rect(r.x, r.y, r.w, r.h, c.line2, {.radius = 2});
      return c.ink;
    case Fill::empty: break;
  }
  d.rect_filled(r.x, r.y, r.w, r.h, c.surface, 2);
  d.rect(r.x, r.y, r.w, r.h, c.line2, {.radius = 2});
  return c.ink;
}

float draw_legend(Page& page, float left, float right, float y) {
  float x = left;
  for (const Kind& kind : kKinds) {
    const float w = 18 + page.d.width(kind.name, 12, Face::sans);
    if (x + w > right) {
      x = left;
      y += 20;
    }
    draw_fill(page, {x, y - 6, 12, 12}, kind.fill);
    page.d.text(x + 18, y, kind.name, {.size = 12, .colour = page.c.ink});
    x += w + 16;
  }
  return y;
}

void draw_layer(Page& page, const Rect& bar, const heads::LayerShares& shares) {
  int all = 0;
  for (const Kind& kind : kKinds) all += shares.*kind.count;
  if (all == 0) return;
  float x = bar.x;
  int before = 0;
  for (const Kind& kind : kKinds) {
    const int count = shares.*kind.count;
    if (count == 0) continue;
    before += count;
    const float end = std::round(bar.x + bar.w * static_cast<float>(before) / static_cast<float>(all));
    const Rect part{x, bar.y, end - x - (before < all ? 2.f : 0.f), bar.h};
    const Colour text = draw_fill(page, part, kind.fill);
    const int percent = static_cast<int>(std::lround(100.0 * count / all));
    const std::string label = std::to_string(percent) + " %";
    if (page.d.width(label, 12, Face::bold) + 10 <= part.w && bar.h >= 14) {
      const float w = page.d.width(label, 12, Face::bold);
      if (kind.fill == Fill::hatch)  // letters don't stand on stripes
        page.d.rect_filled(part.x + part.w / 2 - w / 2 - 4, bar.y + 2, w + 8, bar.h - 4, page.c.surface, 2);
      page.d.text(part.x + part.w / 2, bar.y + bar.h / 2, label,
                  {.size = 12, .face = Face::bold, .colour = text, .align = 0.5f});
    }
    x = end;
  }
}

std::string words_of(const app::ByLayerNote& note) {
  return app::escape_rich(note.text) + (note.source.empty() ? "" : " <q>" + app::escape_rich(note.source) + "</q>");
}

/// In 14 px where they all fit above `bottom`, else in 12; what still doesn't fit, the page's description says.
void draw_quotes(Page& page, float x, float y, float w, float bottom) {
  float size = 14, pitch = 20;
  const auto height = [&] {
    float h = 0;
    for (const app::ByLayerNote& note : page.v.gallery.layer_notes)
      if (note.quoted) h += pitch * static_cast<float>(page.d.wrap_lines(words_of(note), size, Face::sans, w)) + 6;
    return h;
  };
  if (y + height() > bottom) size = 12, pitch = 15;
  for (const app::ByLayerNote& note : page.v.gallery.layer_notes) {
    const float h = pitch * static_cast<float>(page.d.wrap_lines(words_of(note), size, Face::sans, w));
    if (!note.quoted || y + h - pitch > bottom) continue;
    page.d.wrap(x, y, words_of(note), {.size = size, .colour = page.c.ink}, w, pitch);
    y += h + 6;
  }
}

}  // namespace

void draw_layers_panel(Page& page, const Rect& card) {
  Draw& d = page.d;
  const Palette& c = page.c;
  const app::GalleryView& v = page.v.gallery;
  const float pad = card.w < 400 ? 12.f : 20.f, left = card.x + pad, right = card.x + card.w - pad;
  const TextStyle label{.size = 12, .face = Face::bold, .colour = c.ink2};
  d.text(left, card.y + 22, "Computed from this model", label);
  const bool low = card.h < 400;  // an iframe's card: no title, lower bars
  if (!low) d.text(left, card.y + 47, "What each layer’s heads do", {.size = 20, .face = Face::bold, .colour = c.ink});
  float y = draw_legend(page, left, right, card.y + (low ? 46.f : 78.f)) + 22;
  const auto layers = static_cast<int>(v.by_layer.size());
  if (layers == 0) {
    d.wrap(left, y, v.measured ? "" : "The roles of these heads aren’t counted.", {.colour = c.ink2}, right - left, 20);
    y += 30;
  }
  const float pitch =
      std::clamp((low ? 80.f : 168.f) / static_cast<float>(std::max(1, layers)), low ? 13.f : 15.f, low ? 24.f : 34.f);
  const float bar_h = std::min(22.f, pitch - 3);
  for (int row = 0; row < layers; ++row) {  // low layer at the bottom
    const int layer = layers - 1 - row;
    const float bar_y = y + static_cast<float>(row) * pitch;
    d.text(left, bar_y + bar_h / 2, "layer " + std::to_string(layer + 1), {.size = 12, .colour = c.ink2});
    draw_layer(page, {left + 60, bar_y, right - left - 60, bar_h}, v.by_layer[static_cast<std::size_t>(layer)]);
  }
  y += static_cast<float>(layers) * pitch + 14;
  const bool quotes = std::any_of(v.layer_notes.begin(), v.layer_notes.end(), [](const auto& n) { return n.quoted; });
  if (!quotes) return;
  d.line(left, y, right, y, c.line);
  d.text(left, y + 18, "Quoted from papers, about other models", label);
  y += 40;
  draw_quotes(page, left, y, right - left, card.y + card.h - 8);
}

}  // namespace ui
