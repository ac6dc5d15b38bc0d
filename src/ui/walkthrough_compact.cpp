// The walkthrough at 720 to 1119 pixels (a page's iframe): the same three
// lanes, smaller, with X and the right block as thumbnails until their step.
#include "ui/page.hpp"

#include <algorithm>
#include <cmath>

namespace ui {

namespace {

using app::Step;
using app::Tensor;

struct Places {
  float margin = 16, right;
  float x_pitch, lane, qkv, score, scaled, pattern, head, block;
  float score_cell, scaled_cell, pattern_cell, head_cell, thumb_cell;
  float lane_gap, strip_y, strip_h, pip_x, pip_pitch, pip_w;
  static constexpr float top = 126, lane_h = 118, row_h = 34, qkv_cell = 24, qkv_row = 14;

  float lane_y(int k) const { return top + static_cast<float>(k) * (lane_h + lane_gap); }
  float row_y(int k) const { return lane_y(k) + 40; }
  float input_lane() const { return margin + 364; }  // beside the card with the large X
  static constexpr float late_cell = 38;  // Concat, W^O and Output once they are reached
  float late_x() const { return right - 6 * late_cell - 4; }
  bool pattern_fits_late() const { return pattern + 2 * pattern_cell + 12 < late_x() - 16; }
};

Places places_for(const Viewport& vp) {
  // 0 at the drawing's 900, 1 at 720, negative where there is more room.
  const float t = std::clamp((900 - vp.width) / 180, -1.25f, 1.f), narrow = std::max(0.f, t);
  const auto mix = [t](float drawn, float small) { return std::round(drawn + (small - drawn) * t); };
  const auto size = [narrow](float drawn, float small) { return std::round(drawn + (small - drawn) * narrow); };
  Places p{};
  p.right = vp.width - p.margin;
  p.x_pitch = size(14, 10);
  p.lane = p.margin + 6 * p.x_pitch + mix(26, 14);
  p.score_cell = size(30, 30);
  p.scaled_cell = size(50, 46);
  p.pattern_cell = size(56, 46);
  p.head_cell = size(44, 42);
  p.thumb_cell = size(16, 11);
  p.qkv = p.lane + 36;
  p.score = p.qkv + 48 + mix(52, 42);
  p.scaled = p.score + 2 * p.score_cell + mix(32, 22);
  p.pattern = p.scaled + 2 * p.scaled_cell + mix(50, 30);
  p.head = p.pattern + 2 * p.pattern_cell + mix(38, 26);
  p.block = p.right - 6 * p.thumb_cell;
  p.pip_x = size(214, 190);
  p.pip_pitch = size(28, 20);
  p.pip_w = p.pip_pitch - 4;
  const float extra = std::max(0.f, vp.height - 600);
  p.lane_gap = 6 + std::min(40.f, std::floor(extra / 3));
  p.strip_y = p.lane_y(2) + Places::lane_h + 10;
  p.strip_h = vp.height - p.strip_y;
  return p;
}

void bar(Page& page, const Places& p) {
  Draw& d = page.d;
  const Palette& c = page.c;
  d.logo(p.margin, 25);
  const float name_w = d.text(p.margin + 24, 24, "Multi-head attention", {.face = Face::bold, .colour = c.ink});
  page.menu_mark(p.margin + 24 + name_w + 3, 24);
  page.region({p.margin - 8, 4, 24 + name_w + 16, 40}, "ui:menu");
  page.popover_right = p.margin + 280;
  const int current = static_cast<int>(page.s.step);
  float x = p.pip_x;
  for (int i = 0; i < app::kStepCount; ++i) {
    d.rect_filled(x, 22, p.pip_w, 4, i <= current ? c.ink : c.line, 2);
    if (i == current) d.rect_filled(x, 20, p.pip_w, 8, c.ink, 4);
    page.region({x - 2, 8, p.pip_pitch, 32}, "step:" + std::string(app::slug_of(static_cast<Step>(i))));
    x += p.pip_pitch;
  }
  const std::string name = "<b>" + std::string(app::name_of(page.s.step)) + "</b>";
  const std::string of = "  <q>" + std::to_string(current + 1) + " of 9</q>";
  const float buttons = p.right - 80 - 8 - 72 - 8 - 36;
  const bool edits = !page.s.past.empty() || !page.s.future.empty() || app::any_edited(page.s);
  const float room = buttons - 12 - (edits ? 136.f : 0.f) - (x + 6);
  if (d.rich_width(name + of, 14) <= room)
    d.rich(x + 6, 24, name + of, {.colour = c.ink});
  else if (d.rich_width(name, 14) <= room)
    d.rich(x + 6, 24, name, {.colour = c.ink});
  page.edit_buttons(buttons - 8, 24);
  page.player_buttons(p.right, 8, 32, 80, 72);
  d.line(0, 48, page.vp.width, 48, c.line);
}

void heading(Page& page, float cx, std::string_view name, Step step) {
  const Palette& c = page.c;
  const Colour colour = page.at(step) ? c.ink : page.s.step > step ? c.ink2 : c.ink3;
  page.d.text(cx, 111, name, {.size = 12, .face = Face::bold, .colour = colour, .align = 0.5f});
}

Rect band_of(const Page& page, const Places& p) {
  const float h = p.lane_y(2) + Places::lane_h - 98 + 4;
  const auto column = [&](float x, float w) { return Rect{x - 12, 98, w + 24, h}; };
  switch (page.s.step) {
    case Step::input: return {p.margin - 8, p.row_y(1) - 66, 326, 200};
    case Step::project: return {p.lane + 8, 98, 430, h};
    case Step::score: return {p.score - 40, 98, 2 * p.score_cell + 52, h};  // with its row names
    case Step::scale:
    case Step::mask: return column(p.scaled, 2 * p.scaled_cell);
    case Step::softmax: return column(p.pattern, 2 * p.pattern_cell);
    case Step::weigh: return column(p.head, 2 * p.head_cell);
    case Step::concat: return {p.late_x() - 10, p.row_y(0) - 34, p.right - p.late_x() + 16, 124};
    case Step::output: return {p.late_x() - 10, p.row_y(2) - 37, p.right - p.late_x() + 16, 121};
  }
  return {};
}

void input_card(Page& page, const Places& p) {
  // X stands large where its thumbnail is, over what isn't reached yet.
  Draw& d = page.d;
  const Palette& c = page.c;
  const float x = p.margin + 46, y = p.row_y(1), cell = 42;
  d.rich(p.margin + 4, y - 46, "<b>X</b>  <q>tokens × features</q>", {.colour = c.ink});
  const auto& features = page.s.document.features;
  for (std::size_t j = 0; j < features.size(); ++j)
    d.text(x + (static_cast<float>(j) + 0.5f) * cell, y - 14, features[j], {.size = 12, .colour = c.ink2, .align = 0.5f});
  for (int i = 0; i < page.n(); ++i)
    d.text(x - 10, y + (static_cast<float>(i) + 0.5f) * 38, page.s.document.tokens[static_cast<std::size_t>(i)],
           {.colour = c.ink, .align = 1});
  page.matrix({.tensor = Tensor::X, .x = x, .y = y, .cell_w = cell, .cell_h = 38, .dots = true});
  page.editable_note(p.margin + 4, y + 2 * 38 + 24);
}

void thumbnail(Page& page, const Places& p) {
  Draw& d = page.d;
  const Palette& c = page.c;
  const float y = p.row_y(1) + Places::row_h - 13, pitch = p.x_pitch, side = pitch - 2;
  d.rich(p.margin, y - 16, "<b>X</b> <q>2 × 6</q>", {.colour = c.ink});
  for (int i = 0; i < page.n(); ++i)
    for (int j = 0; j < page.s.document.config.d_model; ++j) {
      const app::Cell cell{Tensor::X, -1, i, j};
      const double value = app::value_of(page.s, page.v, cell);
      const float x = p.margin + static_cast<float>(j) * pitch, cy = y + static_cast<float>(i) * pitch;
      const bool operand = app::is_operand(page.v, cell);
      if (operand) d.rect_filled(x - 1, cy - 1, side + 2, side + 2, c.mark, 3);
      if (value == 0)
        d.rect(x, cy, side, side, operand ? c.mark_line : c.line2, {.radius = 2});
      else
        d.rect_filled(x, cy, side, side, operand ? c.mark_line : c.ink2, 2,
                      static_cast<float>(std::clamp(std::abs(value), 0.25, 1.0)));
      if (app::is_edited(page.s, cell))
        d.poly_filled({{x + side - 5, cy}, {x + side, cy}, {x + side, cy + 5}}, c.mark_line);
    }
}

void projections(Page& page, const Places& p, int k) {
  const char* const names[] = {"Q", "K", "V"};
  const Tensor made[] = {Tensor::Q, Tensor::K, Tensor::V}, weights[] = {Tensor::W_Q, Tensor::W_K, Tensor::W_V};
  const float y = p.lane_y(k) + 21;
  for (int j = 0; j < 3; ++j) {
    const float my = y + 34 * static_cast<float>(j);
    const bool future = app::stage_of(page.s, made[j]) == app::Stage::future;
    page.d.rich(p.qkv - 7, my + 14, "<b>" + std::string(names[j]) + "</b>_{" + std::to_string(k + 1) + "}",
                {.size = 12, .colour = future ? page.c.ink3 : page.c.ink, .align = 1});
    page.matrix({.tensor = made[j], .head = k, .x = p.qkv, .y = my, .cell_w = Places::qkv_cell,
                 .cell_h = Places::qkv_row, .most_decimals = 2, .font_px = 12});
  }
  if (!page.at(Step::project)) return;
  const float first = p.qkv + 166, pitch = 88, wy = p.lane_y(k) + 27;
  page.d.rich(p.qkv + 62, y + 48, "=  <b>X</b>  ×", {.size = 14, .colour = page.c.ink2});
  const auto& features = page.s.document.features;
  for (std::size_t i = 0; i < features.size(); ++i)
    page.d.text(first - 9, wy + (static_cast<float>(i) + 0.5f) * 15, features[i],
                {.size = 12, .colour = page.c.ink2, .align = 1});
  for (int j = 0; j < 3; ++j) {
    const float wx = first + pitch * static_cast<float>(j);
    page.d.rich(wx + 24, p.lane_y(k) + 13, app::symbol_of(weights[j], k),
                {.size = 14, .colour = page.c.ink, .align = 0.5f});
    page.matrix({.tensor = weights[j], .head = k, .x = wx, .y = wy, .cell_w = Places::qkv_cell, .cell_h = 15,
                 .most_decimals = 2, .font_px = 12});
  }
}

void lane(Page& page, const Places& p, int k) {
  Draw& d = page.d;
  const Palette& c = page.c;
  const float y = p.lane_y(k), ry = p.row_y(k), row = Places::row_h;
  const bool late = page.reached(Step::concat), pattern = !late || p.pattern_fits_late();
  const bool input = page.at(Step::input), hide = page.at(Step::project) || input;
  d.rect_filled(input ? p.input_lane() : p.lane, y, 4, Places::lane_h, page.head_colour(k), 2);
  if (input) {
    // The lanes begin beside the card that covers their places.
    const float x = p.input_lane() + 14;
    d.badge(x, y + 59, k);
    d.rich(x + 26, y + 59, "<b>Head " + std::to_string(k + 1) + "</b>  <q>" + page.head_name(k) + "</q>",
           {.colour = c.ink});
  } else {
    d.badge(p.lane + 12, y + 9, k);
    const std::string role = page.at(Step::score) ? "" : "  <q>" + page.head_name(k) + "</q>";
    d.rich(p.lane + 38, y + 9, "<b>Head " + std::to_string(k + 1) + "</b>" + role, {.colour = c.ink});
    projections(page, p, k);
  }
  const auto above = [&](float x, float cell, bool present) {
    const float spread = cell < 40 ? 3.f : 0.f;  // names that would touch step aside
    for (int j = 0; j < page.n(); ++j)
      d.text(x + (static_cast<float>(j) + 0.5f) * cell + (j == 0 ? -spread : spread), ry - 10, page.s.document.tokens[static_cast<std::size_t>(j)],
             {.size = 12, .colour = present ? c.ink : c.ink2, .align = 0.5f});
  };
  if (page.reached(Step::score))
    for (int i = 0; i < page.n(); ++i)
      d.text(p.score - 8, ry + (static_cast<float>(i) + 0.5f) * row,
             page.s.document.tokens[static_cast<std::size_t>(i)], {.size = 12, .colour = c.ink2, .align = 1});
  if (page.at(Step::score)) above(p.score, p.score_cell, true);
  if (page.at(Step::scale) || page.at(Step::mask)) above(p.scaled, p.scaled_cell, true);
  if (page.reached(Step::softmax) && pattern) above(p.pattern, p.pattern_cell, page.at(Step::softmax));
  page.matrix({.tensor = Tensor::scores, .head = k, .x = p.score, .y = ry, .cell_w = p.score_cell, .cell_h = row,
               .hidden_when_future = hide});
  page.matrix({.tensor = page.scaled_tensor(), .head = k, .x = p.scaled, .y = ry, .cell_w = p.scaled_cell,
               .cell_h = row, .hidden_when_future = hide});
  if (pattern)
    page.matrix({.tensor = Tensor::pattern, .head = k, .x = p.pattern, .y = ry, .cell_w = p.pattern_cell,
                 .cell_h = row, .hidden_when_future = hide});
  if (!late)
    page.matrix({.tensor = Tensor::head, .head = k, .x = p.head, .y = ry, .cell_w = p.head_cell, .cell_h = row});
  if (hide) return;
  for (int i = 0; i < page.n(); ++i) {
    const float ay = ry + (static_cast<float>(i) + 0.5f) * row;
    page.row_arrow(p.score + 2 * p.score_cell + 8, p.scaled - 8, ay, page.scaled_tensor(), k, i, Step::scale, 2);
    if (pattern)
      page.row_arrow(p.scaled + 2 * p.scaled_cell + 8, p.pattern - (page.is_hot_row(Tensor::pattern, k, i) ? 7.f : 6.f),
                ay, Tensor::pattern, k, i, Step::softmax, 2);
    if (!late)
      page.row_arrow(p.pattern + 2 * p.pattern_cell + 8, p.head - 7, ay, Tensor::head, k, i, Step::weigh, 2);
  }
}

void lane_rules(Page& page, const Places& p) {
  const Rect band = band_of(page, p);
  const bool cut = band.h > 300 && band.x > p.lane;
  for (int k = 0; k + 1 < page.heads(); ++k) {
    const float y = p.lane_y(k) + Places::lane_h + p.lane_gap / 2, from = p.lane + 12,
                to = !page.reached(Step::concat) ? p.head + 2 * p.head_cell
                     : p.pattern_fits_late()     ? p.pattern + 2 * p.pattern_cell
                                                 : p.scaled + 2 * p.scaled_cell;
    if (page.at(Step::input)) continue;
    if (!cut) {
      page.d.line(from, y, to, y, page.c.line);
      continue;
    }
    if (band.x > from) page.d.line(from, y, band.x, y, page.c.line);
    if (band.x + band.w < to) page.d.line(band.x + band.w, y, to, y, page.c.line);
  }
}

void thumbnails_right(Page& page, const Places& p) {
  Draw& d = page.d;
  const Palette& c = page.c;
  const float x = p.block, cw = p.thumb_cell, bus = x - 13, head_end = p.head + 2 * p.head_cell;
  const StrokeStyle dotted{.dash = 2, .gap = 3};
  for (int k = 0; k < page.heads(); ++k)
    d.line(head_end + 4, p.row_y(k) + Places::row_h, bus, p.row_y(k) + Places::row_h, c.line2, dotted);
  d.line(bus, p.row_y(0) + Places::row_h, bus, p.row_y(2) + Places::row_h, c.line2, dotted);
  d.line(bus, p.row_y(0) + Places::row_h, x - 3, p.row_y(0) + Places::row_h, c.line2, dotted);
  const auto caption = [&](float y, std::string_view text) { d.rich(x, y, text, {.size = 12, .colour = c.ink3}); };
  caption(p.row_y(0) - 4, "<b>Concat</b>");
  for (int k = 0; k < page.heads(); ++k)
    d.rect_filled(x + static_cast<float>(k) * 2 * cw + (k ? 1.f : 0.f), p.row_y(0) + 10, 2 * cw - (k == 1 ? 2.f : 1.f), 3,
                  page.head_colour(k), 1);
  d.outline(x, p.row_y(0) + 18, 2, 6, cw, 16);
  caption(p.row_y(1) - 18, "× <b>W</b>^{O}");
  d.outline(x, p.row_y(1) - 4, 6, 6, cw, 13);
  caption(p.row_y(2) + 4, "= <b>Output</b>");
  d.outline(x, p.row_y(2) + 18, 2, 6, cw, 16);
}

/// From Concat on the right block needs room for its numbers: it takes the head outputs' place.
void block_right(Page& page, const Places& p) {
  Draw& d = page.d;
  const Palette& c = page.c;
  const bool output = page.reached(Step::output);
  const float cw = Places::late_cell, x = p.late_x(), bus = x - 20;
  const float from = p.pattern_fits_late() ? p.pattern + 2 * p.pattern_cell + 8 : p.scaled + 2 * p.scaled_cell + 8;
  for (int k = 0; k < page.heads(); ++k)
    d.line(from, p.row_y(k) + Places::row_h, bus, p.row_y(k) + Places::row_h, c.line2);
  d.line(bus, p.row_y(0) + Places::row_h, bus, p.row_y(2) + Places::row_h + 1, c.line2);
  d.line(bus, p.row_y(0) + Places::row_h, x - 13, p.row_y(0) + Places::row_h, c.line2);
  d.arrow_head(x - 9, p.row_y(0) + Places::row_h + 0.5f, c.line2);
  const float y0 = p.row_y(0);
  d.rich(x, y0 - 20, "<b>Concat</b>  2 × 6", {.size = 12, .colour = c.ink2});
  for (int k = 0; k < page.heads(); ++k)
    d.rect_filled(x + static_cast<float>(k) * 2 * cw + (k ? 1.5f : 0), y0 - 9, 2 * cw - (k == 1 ? 3.f : 1.5f), 3,
                  page.head_colour(k), 1);
  page.matrix({.tensor = Tensor::concat, .x = x, .y = y0, .cell_w = cw, .cell_h = Places::row_h, .most_decimals = 2,
               .font_px = 12, .tinted = true});
  const float wy = p.row_y(1) - 10, wh = 15;
  d.rich(x, wy - 14, "×  <b>W</b>^{O}  6 × 6", {.size = 12, .colour = output ? c.ink2 : c.ink3});
  for (int k = 0; k < page.heads(); ++k)
    d.rect_filled(x - 11, wy + static_cast<float>(k) * 2 * wh + 1, 3, 2 * wh - 2, page.head_colour(k), 1);
  page.matrix({.tensor = Tensor::W_O, .x = x, .y = wy, .cell_w = cw, .cell_h = wh, .most_decimals = 2, .font_px = 12});
  const float yo = p.row_y(2);
  d.rich(x, yo - 24, "=  <b>Output</b>  2 × 6", {.size = 12, .colour = output ? c.ink2 : c.ink3});
  if (output)
    for (int j = 0; j < page.s.document.config.d_model; ++j)
      d.text(x + (static_cast<float>(j) + 0.5f) * cw, yo - 8, std::to_string(j + 1),
             {.size = 12, .face = Face::mono, .colour = c.ink2, .align = 0.5f});
  page.matrix({.tensor = Tensor::output, .x = x, .y = yo, .cell_w = cw, .cell_h = Places::row_h, .most_decimals = 2,
               .font_px = 12});
}

void strip(Page& page, const Places& p) {
  Draw& d = page.d;
  const Palette& c = page.c;
  d.rect_filled(0, p.strip_y, page.vp.width, p.strip_h, c.sunk);
  d.line(0, p.strip_y, page.vp.width, p.strip_y, c.line);
  const float y = p.strip_y + std::clamp((p.strip_h - 98) / 3, -20.f, 24.f);
  const bool has_bar = page.strip.bar.has_value();
  const float bar_x = std::max(p.head, p.right - 246), bar_w = p.right - bar_x;
  const float room = (has_bar ? bar_x - 16 : p.right) - p.margin;
  page.equation(p.margin, y + 40, room, true, 16, false, 12);
  if (p.strip_h >= 84) {
    const float sentence_room = (has_bar ? bar_x - 16 : p.right) - p.margin;
    if (d.rich_width(page.strip.sentence, 14) <= sentence_room)
      d.rich(p.margin, y + 82, page.strip.sentence, {.colour = c.ink});
    else
      d.wrap(p.margin, y + 74, page.strip.sentence, {.size = 12, .colour = c.ink}, sentence_room, 16);
  }
  if (!has_bar) return;
  d.rich(bar_x, y + 18, page.strip.bar->short_title, {.size = 12, .colour = c.ink2});
  page.row_bar(bar_x, y + 31, bar_w, 18);
  d.text(bar_x, y + 64, page.strip.bar->sum, {.size = 13, .face = Face::mono, .colour = c.ink});
}

}  // namespace

void draw_compact(Page& page) {
  const Places p = places_for(page.vp);
  const app::StepWords words = app::words_of(page.s, page.s.step);
  Draw& d = page.d;
  bar(page, p);
  const float title_w = d.rich(p.margin, 72, words.short_title, {.size = 20, .face = Face::bold, .colour = page.c.ink});
  const bool late = page.reached(Step::concat);
  if (!late && title_w + 32 + page.formula_head_width("i") < p.right - p.margin) page.formula_head(p.right, 72, 1, "i");
  if (late && title_w + 32 + 386 < p.right - p.margin) page.formula_multihead(p.right, 72, 1);

  std::vector<Rect> lanes;
  for (int k = 0; k < page.heads(); ++k) lanes.push_back({p.lane, p.lane_y(k) + 22, 4, 95});
  const float x_y = p.row_y(1) + Places::row_h - 13;
  page.band(band_of(page, p));
  if (page.at(Step::input)) {
    for (Rect& lane : lanes) lane.x = p.input_lane();
    page.ribbons_to_lanes(p.margin + 46 + 6 * 42 + 5, p.row_y(1) - 1, p.row_y(1) + 77, p.input_lane(), lanes);
  } else {
    page.ribbons_to_lanes(p.margin + 6 * p.x_pitch + 1, x_y - 1, x_y + 27, p.lane, lanes);
  }
  if (!page.at(Step::input)) {
    if (page.at(Step::project)) {
      heading(page, p.qkv + 200, "Project", Step::project);
    } else {
      heading(page, p.qkv + 24, "Project", Step::project);
      heading(page, p.score + p.score_cell, "Score", Step::score);
      heading(page, p.scaled + p.scaled_cell, page.at(Step::mask) ? "Mask" : "Scale",
              page.at(Step::mask) ? Step::mask : Step::scale);
      if (!late || p.pattern_fits_late()) heading(page, p.pattern + p.pattern_cell, "Softmax", Step::softmax);
    }
    if (!late) heading(page, p.head + p.head_cell, "Weigh V", Step::weigh);
    thumbnail(page, p);
  } else {
    input_card(page, p);
  }
  for (int k = 0; k < page.heads(); ++k) lane(page, p, k);
  lane_rules(page, p);
  if (late)
    block_right(page, p);
  else
    thumbnails_right(page, p);
  strip(page, p);
  if (page.at(Step::mask)) page.causal_toggle(p.right - 132, p.strip_y + 40, 32);
}

}  // namespace ui
