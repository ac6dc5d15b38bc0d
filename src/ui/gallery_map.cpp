// One head enlarged: its map with the tokens' names, ribbons from who asks to what is looked at, scale and switches.
#include "ui/gallery.hpp"

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

constexpr int kMostCells = 40;  // tokens: beyond that the map is a texture without gaps, and only two tokens are named
constexpr int kMostRibbons = 32;  // tokens: beyond that only the shown row has ribbons
constexpr float kDrawnPitch = 25, kLargestSize = 275, kLargestPitch = 34, kLongestName = 62, kPhonePitch = 44;
constexpr float kCompactCard = 488;  // up to this width the switches stand in one row with the scale

float longest_name(const Page& page) {
  float longest = 0;
  for (const std::string& token : page.v.gallery.tokens)
    longest = std::max(longest, page.d.width(token, 12, Face::sans));
  return std::min(longest, kLongestName);
}

struct MapPlaces {
  float x = 0, y = 0, pitch = 0, size = 0;
  float ribbon_left = 0, ribbon_right = 0;  // equal: no room for ribbons
  float font = 12;
  float column(int key) const { return x + static_cast<float>(key) * pitch; }
  float row(int query) const { return y + static_cast<float>(query) * pitch; }
};

class Enlarged {
 public:
  Enlarged(Page& page_drawn, const Rect& card, float top)
      : page(page_drawn),
        d(page.d),
        c(page.c),
        v(page.v.gallery),
        map(v.map(v.layer, v.head)),
        n(v.n),
        q(v.shown.query),
        k(v.shown.key) {
    const float longest = longest_name(page);
    const bool narrow = card.w < 400, roomy = card.w >= 560;
    p.x = card.x + (narrow ? 70.f : 78.f);
    p.y = std::max(roomy ? card.y + 162 : card.y, std::round(top + 14 + longest + 8));
    const float names = std::min(longest, 56.f);
    const float ribbons = narrow ? 0.f : 24 + names + (roomy ? 82.f : 56.f) + 6 + names + 12;
    const float bottom = roomy                   ? card.y + card.h - 75 + (p.y > card.y + 162 ? 14.f : 0.f)
                         : card.w > kCompactCard ? card.y + card.h - 64
                                                 : card.y + card.h - 50;
    const float across = card.x + card.w - p.x - (narrow ? 12.f : ribbons);
    const float room = std::min(across, narrow ? across : bottom - p.y) / static_cast<float>(n);
    p.pitch = std::min(narrow ? kPhonePitch : std::min(kLargestPitch, kLargestSize / static_cast<float>(n)), room);
    if (n > 11 && !narrow) p.pitch = std::min(kDrawnPitch, room);
    const float ratio = page.vp.pixel_ratio;
    if (p.pitch >= 4) p.pitch = std::floor(p.pitch * ratio) / ratio;
    p.size = std::max(std::round(p.pitch * static_cast<float>(n)), 1.f);
    p.pitch = p.size / static_cast<float>(n);
    p.font = std::clamp(p.pitch + 0.5f, 8.f, 12.f);
    if (narrow) return;
    p.ribbon_left = p.x + p.size + (roomy ? 80.f : 24.f + names);
    p.ribbon_right = std::min(p.ribbon_left + 82, card.x + card.w - names - 12);
    if (p.ribbon_right < p.ribbon_left + 30) p.ribbon_left = p.ribbon_right = 0;
  }

  void draw() {
    headings();
    names();
    cells();
    if (has_ribbons()) ribbons();
    const float low = p.pitch >= 6 ? 1.f : 0.f;
    if (v.has_cell) {
      d.rect(p.x - 2, p.row(q) - 2, p.size + 3, std::max(p.pitch + 3, 5.f), c.ink2, {.radius = 3});
      d.hover_ring(p.column(k), p.row(q), p.pitch - low, p.pitch - low, c.surface);
    }
    Rect focused{p.x, p.y, p.size, p.size};
    if (page.s.gallery.focused) {
      const app::MapCell at = *page.s.gallery.focused;
      focused = {p.column(at.key) - 3, p.row(at.query) - 3, p.pitch - low + 6, p.pitch - low + 6};
    }
    page.map_region({p.x, p.y, p.size, p.size}, n, n, focused);
    if (v.has_cell) readout();
  }

  bool has_ribbons() const { return p.ribbon_right > p.ribbon_left; }
  MapPlaces p;

 private:
  bool named() const { return n <= kMostCells; }
  float middle(int i) const { return p.row(i) + p.pitch / 2; }
  float weight(int i, int j) const { return std::clamp(map(i, j) / page.local.largest, 0.f, 1.f); }

  void headings() {
    const TextStyle style{.size = 12, .face = Face::bold, .colour = c.ink2};
    TextStyle right = style;
    right.align = 1;
    d.text(p.x - 58, p.y - 16, "asks", style);
    if (!has_ribbons()) return;
    d.text(p.ribbon_left - 6, p.y - 16, "asks", right);
    d.text(p.ribbon_right + 6, p.y - 16, "looks at", style);
  }

  void names() {
    for (int i = 0; i < n; ++i) {
      const bool asks = i == q && v.has_cell, seen = i == k && v.has_cell;
      const std::string& token = v.tokens[static_cast<std::size_t>(i)];
      const auto style = [&](bool on, float align) {
        return TextStyle{.size = on ? std::max(p.font, 12.f) : p.font,
                         .face = on ? Face::bold : Face::sans,
                         .colour = on ? c.ink : c.ink2,
                         .align = align};
      };
      const auto cut = [&](bool on, float most) {
        return d.fitting(token, style(on, 0).size, style(on, 0).face, most);
      };
      // Where names stand closer than they are tall, those beside a bold one give way.
      const bool crowded = p.pitch < 11;
      const bool row_free = !crowded || asks || !v.has_cell || std::abs(i - q) > 1;
      const bool column_free = !crowded || seen || !v.has_cell || std::abs(i - k) > 1;
      if ((named() && row_free) || asks) d.text(p.x - 8, middle(i), cut(asks, 60), style(asks, 1));
      if ((named() && column_free) || seen)
        d.text_up(p.column(i) + p.pitch / 2, p.y - 8, cut(seen, kLongestName), style(seen, 0));
      if (!has_ribbons()) continue;
      if ((named() && row_free) || asks) d.text(p.ribbon_left - 6, middle(i), cut(asks, 56), style(asks, 1));
      if ((named() && column_free) || seen) d.text(p.ribbon_right + 6, middle(i), cut(seen, 56), style(seen, 0));
    }
  }

  void cells() {
    if (n > kMostCells) return d.map(p.x, p.y, p.size, p.size, v.layer * v.heads + v.head);
    const float gap = p.pitch >= 6 ? 1 : 0;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) d.cell(p.column(j), p.row(i), p.pitch - gap, p.pitch - gap, weight(i, j), false, gap);
  }

  void ribbons() {
    const float scale = std::clamp(p.pitch / kDrawnPitch, 0.24f, 1.f), l = p.ribbon_left, r = p.ribbon_right;
    const auto band = [&](int i, int j, float half, Colour colour, float alpha) {
      d.ribbon(l, middle(i) - half, middle(i) + half, r, middle(j) - half, middle(j) + half, colour, alpha);
    };
    for (int i = 0; i < n && n <= kMostRibbons; ++i)
      for (int j = 0; i != q && j < n; ++j)
        if (const float w = weight(i, j); w > 0.1f) band(i, j, w * 8 * scale, c.ink3, 0.16f);
    if (!v.has_cell) return;
    for (int j = 0; j < n; ++j)
      if (const float w = weight(q, j); w > 0.02f)
        band(q, j, std::max(0.6f, w * 9 * scale), c.seq[3], j == k ? 0.92f : 0.6f);
  }

  void readout() {
    // Beside the cell and above it; below where names stand above, left where the card ends.
    const bool below = p.row(q) - 34 < p.y - 14;
    const bool left = p.column(k) + p.pitch + 8 + 66 > page.vp.width - 8;
    const float x = left ? p.column(k) - 8 - 66 : p.column(k) + p.pitch + 8;
    const float y = below ? p.row(q) + p.pitch + 10 : p.row(q) - 34;
    d.rect_filled(x, y, 66, 22, c.ink, 4);
    d.text(x + 33, y + 11, app::format_number(static_cast<double>(map(q, k)), 3),
           {.size = 13, .face = Face::mono_medium, .colour = c.on_ink, .align = 0.5f});
    const float foot = left ? x + 66 : x, side = left ? -1.f : 1.f;
    if (below)
      d.poly_filled({{foot + side * 4, y + 1}, {foot - side * 4, y - 9}, {foot + side * 14, y + 1}}, c.ink);
    else
      d.poly_filled({{foot + side * 4, y + 21}, {foot - side * 4, y + 31}, {foot + side * 14, y + 21}}, c.ink);
  }

  Page& page;
  Draw& d;
  const Palette& c;
  const app::GalleryView& v;
  const heads::Pattern& map;
  const int n, q, k;
};

}  // namespace

float enlarged_height(const Page& page, float card_w) {
  const app::GalleryView& v = page.v.gallery;
  if (!v.reading || v.n == 0) return 40;
  const float n = static_cast<float>(v.n), pitch = std::min(kPhonePitch, (card_w - 82) / n);
  return 22 + longest_name(page) + pitch * n + (page.s.gallery.source == app::Source::file ? 70.f : 148.f);
}

void draw_enlarged(Page& page, const Rect& card, float top) {
  Draw& d = page.d;
  const app::GalleryView& v = page.v.gallery;
  if (!v.reading || v.n == 0 || v.tokens.size() != static_cast<std::size_t>(v.n)) return;
  Enlarged enlarged(page, card, top);
  enlarged.draw();
  const MapPlaces& p = enlarged.p;
  const bool narrow = card.w < 400, model = page.s.gallery.source != app::Source::file;
  const bool roomy = card.w >= 560, row = !narrow && card.w <= kCompactCard;
  const float y = row ? card.y + card.h - 34 : p.y + p.size + 20;
  const float scale_x = row ? card.x + 20 : p.x, scale_w = row ? 90.f : narrow || roomy ? 150.f : 110.f;
  const bool weights = !v.contributions;
  const std::string half = weights ? "0.5" : app::format_number(static_cast<double>(page.local.largest) / 2, 2);
  const std::string most = weights ? "1" : "≥ " + app::format_number(static_cast<double>(page.local.largest), 2);
  d.colour_scale(scale_x, y, scale_w, 12, false, {{0.f, "0"}, {0.5f, half}, {1.f, most}});
  if (!row)
    d.text(scale_x + scale_w + (roomy ? 16.f : 10.f), y + 6,
           v.contributions   ? "contribution"
           : roomy || narrow ? "attention weight"
                             : "weight",
           {.size = 12, .colour = page.c.ink2});
  if (!model) return;
  const bool hidden = v.asking == heads::Asking::hidden;
  const std::string contributions = v.contributions ? "contributions:off" : "contributions:on";
  const std::string asking = hidden ? "asking:visible" : "asking:hidden";
  if (narrow) {
    draw_toggle(page, card.x + 12, y + 58, 44, "Show contributions", v.contributions, contributions);
    draw_toggle(page, card.x + 12, y + 102, 44, "Hide the word that asks", hidden, asking);
    return;
  }
  if (row) {
    const float right = card.x + card.w - 20;
    draw_toggle(page, right - 232, y + 6, 24, "contributions", v.contributions, contributions, 12);
    draw_toggle(page, right - 98, y + 6, 24, "hide asker", hidden, asking, 12);
    return;
  }
  const float x = card.x + card.w - 228;
  const float last = card.y + card.h - 20, first = std::min(y + 4, last - 28);
  draw_toggle(page, x, first, 26, "Show contributions", v.contributions, contributions);
  draw_toggle(page, x, first + 28, 26, "Hide the word that asks", hidden, asking);
}

}  // namespace ui
