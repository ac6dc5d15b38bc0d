// The walkthrough at 1120 pixels and wider: three lanes, one for each head,
// with every matrix at a fixed place.
#include "ui/walkthrough_full.hpp"

#include <algorithm>
#include <cmath>

namespace ui {

namespace {

using app::Step;
using app::Tensor;
using Places = FullPlaces;

Rect band_of(const Page& page, const Places& p) {
  const float column_h = p.lane_y(2) + Places::lane_h - 178 + 4;
  const auto column = [&](float x, float w) { return Rect{x - 16, 178, w + 32, column_h}; };
  switch (page.s.step) {
    case Step::input: {
      const float y = p.row_y(1) - 84;
      return {p.left - 8, y, p.x_matrix + 6 * p.x_cell + 12 - p.left + 8, 2 * Places::row_h + 84 + 34};
    }
    case Step::project: return {p.lane + 10, 178, 470, column_h};
    case Step::score: return {p.score - 46, 178, 2 * p.score_cell + 62, column_h};  // with its row names
    case Step::scale:
    case Step::mask: return column(p.scaled, 2 * p.scaled_cell);
    case Step::softmax: return column(p.pattern, 2 * p.pattern_cell);
    case Step::weigh: return column(p.head, 2 * p.head_cell);
    case Step::concat: return {p.block - 8, p.row_y(0) - 46, 6 * p.block_cell + 16, 132};
    case Step::output: return {p.block - 8, p.row_y(2) - 46, 6 * p.block_cell + 16, 146};
  }
  return {};
}

void left_column(Page& page, const Places& p, const app::StepWords& words) {
  Draw& d = page.d;
  const Palette& c = page.c;
  d.text(p.left, p.lane_y(0) + 9, "Look for", {.size = 12, .face = Face::bold, .colour = c.ink2});
  d.wrap(p.left, p.lane_y(0) + 31, words.look_for, {.colour = c.ink}, 200, 20);
  if (page.at(Step::mask)) page.causal_toggle(p.left, p.lane_y(0) + 78, 32);

  const float y = p.row_y(1);
  d.rich(p.left, y - 66, "<b>X</b>  <q>tokens × features</q>", {.colour = c.ink});
  const auto& features = page.s.document.features;
  for (std::size_t j = 0; j < features.size(); ++j) {
    const float cx = p.x_matrix + static_cast<float>(j) * p.x_cell + p.x_cell / 2;
    const bool up = j % 2 == 0;
    d.text(cx, up ? y - 37 : y - 17, features[j], {.size = 12, .colour = c.ink2, .align = 0.5f});
    if (up) d.line(cx, y - 29, cx, y - 5, c.line);
  }
  for (int i = 0; i < page.n(); ++i)
    d.text(p.x_matrix - 10, y + (static_cast<float>(i) + 0.5f) * Places::row_h,
           page.s.document.tokens[static_cast<std::size_t>(i)], {.colour = c.ink, .align = 1});
  page.matrix({.tensor = Tensor::X, .x = p.x_matrix, .y = y, .cell_w = p.x_cell, .cell_h = Places::row_h, .dots = true});
  page.editable_note(p.left, y + 2 * Places::row_h + 19);

  const bool weights = page.at(Step::softmax);
  const float key_y = p.row_y(2) + 16;
  d.text(p.left, key_y, weights ? "Attention weight" : "Signed number",
         {.size = 12, .face = Face::bold, .colour = c.ink2});
  if (weights)
    d.colour_scale(p.left, key_y + 14, 180, 14, false, {{0.f, "0"}, {0.5f, "0.5"}, {1.f, "1"}});
  else
    d.colour_scale(p.left, key_y + 14, 180, 14, true, {{0.f, "−4"}, {0.5f, "0"}, {1.f, "4"}});
}

void projections(Page& page, const Places& p, int k) {
  const float y = p.lane_y(k) + 25;
  const char* const names[] = {"Q", "K", "V"};
  const Tensor made[] = {Tensor::Q, Tensor::K, Tensor::V};
  for (int j = 0; j < 3; ++j) {
    const float my = y + 41 * static_cast<float>(j);
    const bool future = app::stage_of(page.s, made[j]) == app::Stage::future;
    page.d.rich(p.qkv - 8, my + 17, "<b>" + std::string(names[j]) + "</b>_{" + std::to_string(k + 1) + "}",
                {.size = 13, .colour = future ? page.c.ink3 : page.c.ink, .align = 1});
    page.matrix({.tensor = made[j], .head = k, .x = p.qkv, .y = my, .cell_w = Places::qkv_cell,
                 .cell_h = Places::qkv_row, .most_decimals = 2, .font_px = 12});
  }
  if (!page.at(Step::project)) return;
  // X against each of the head's three weights, 6 x 2, the features named once.
  const Tensor weights[] = {Tensor::W_Q, Tensor::W_K, Tensor::W_V};
  const float first = p.qkv + 176, pitch = 98, wy = p.lane_y(k) + 34;
  page.d.rich(p.qkv + 76, y + 58, "=  <b>X</b>  ×", {.size = 14, .colour = page.c.ink2});
  const auto& features = page.s.document.features;
  for (std::size_t i = 0; i < features.size(); ++i)
    page.d.text(first - 10, wy + (static_cast<float>(i) + 0.5f) * Places::qkv_row, features[i],
                {.size = 12, .colour = page.c.ink2, .align = 1});
  for (int j = 0; j < 3; ++j) {
    const float wx = first + pitch * static_cast<float>(j);
    page.d.rich(wx + 28, p.lane_y(k) + 19, app::symbol_of(weights[j], k),
                {.size = 14, .colour = page.c.ink, .align = 0.5f});
    page.matrix({.tensor = weights[j], .head = k, .x = wx, .y = wy, .cell_w = Places::qkv_cell,
                 .cell_h = Places::qkv_row, .most_decimals = 2, .font_px = 12});
  }
}

void lane(Page& page, const Places& p, int k) {
  Draw& d = page.d;
  const Palette& c = page.c;
  const float y = p.lane_y(k), ry = p.row_y(k), row = Places::row_h;
  d.rect_filled(p.lane, y, 4, Places::lane_h, page.head_colour(k), 2);
  d.badge(p.lane + 14, y + 9, k);
  // At Score the band begins where the role would stand.
  const std::string role = page.at(Step::score) ? "" : "  <q>" + page.head_name(k) + "</q>";
  d.rich(p.lane + 40, y + 9, "<b>Head " + std::to_string(k + 1) + "</b>" + role, {.colour = c.ink});
  projections(page, p, k);
  const bool hide = page.at(Step::project);
  const auto tokens_above = [&](float x, float cell, bool present) {
    for (int j = 0; j < page.n(); ++j)
      d.text(x + (static_cast<float>(j) + 0.5f) * cell, ry - 11, page.s.document.tokens[static_cast<std::size_t>(j)],
             {.size = 12, .colour = present ? c.ink : c.ink2, .align = 0.5f});
  };
  if (page.reached(Step::score)) {
    tokens_above(p.score, p.score_cell, page.at(Step::score));
    for (int i = 0; i < page.n(); ++i)
      d.text(p.score - 9, ry + (static_cast<float>(i) + 0.5f) * row, page.s.document.tokens[static_cast<std::size_t>(i)],
             {.size = 12, .colour = c.ink2, .align = 1});
  }
  if (page.at(Step::mask)) tokens_above(p.scaled, p.scaled_cell, true);
  if (page.reached(Step::softmax)) tokens_above(p.pattern, p.pattern_cell, page.at(Step::softmax));
  page.matrix({.tensor = Tensor::scores, .head = k, .x = p.score, .y = ry, .cell_w = p.score_cell, .cell_h = row,
               .hidden_when_future = hide});
  page.matrix({.tensor = page.scaled_tensor(), .head = k, .x = p.scaled, .y = ry, .cell_w = p.scaled_cell,
               .cell_h = row, .hidden_when_future = hide});
  page.matrix({.tensor = Tensor::pattern, .head = k, .x = p.pattern, .y = ry, .cell_w = p.pattern_cell,
               .cell_h = row, .hidden_when_future = hide});
  page.matrix({.tensor = Tensor::head, .head = k, .x = p.head, .y = ry, .cell_w = p.head_cell, .cell_h = row});
  if (!hide)
    for (int i = 0; i < page.n(); ++i) {
      const float ay = ry + (static_cast<float>(i) + 0.5f) * row;
      page.row_arrow(p.score + 2 * p.score_cell + 9, p.scaled - 9, ay, page.scaled_tensor(), k, i, Step::scale);
      page.row_arrow(p.scaled + 2 * p.scaled_cell + 9, p.pattern - 7, ay,
                Tensor::pattern, k, i, Step::softmax);
      page.row_arrow(p.pattern + 2 * p.pattern_cell + 9, p.head - 9 + (page.reached(Step::weigh) ? 0.f : 2.f), ay,
                Tensor::head, k, i, Step::weigh);
    }
  // V runs along the lane's floor to where the weights meet it.
  const bool weigh = page.reached(Step::weigh);
  const StrokeStyle style = weigh ? StrokeStyle{} : StrokeStyle{.dash = 2, .gap = 3};
  const float vy = y + 136, join = p.pattern + 2 * p.pattern_cell + 24;
  if (!hide) {
    d.line(p.qkv + 80 - 24 + 9, vy, join, vy, c.line2, style);
    d.line(join, ry + row + row / 2 + (weigh ? 0 : 4), join, vy + (weigh ? 1 : 0), c.line2, style);
  }
}

void lane_rules(Page& page, const Places& p) {
  // Hairlines between lanes stop at the band.
  const Rect band = band_of(page, p);
  const bool cut = band.h > 400 && band.x > p.lane;
  for (int k = 0; k + 1 < page.heads(); ++k) {
    const float y = p.lane_y(k) + Places::lane_h + p.lane_gap / 2;
    const float from = p.lane + 14, to = p.head + 2 * p.head_cell;
    if (cut) {
      if (band.x > from) page.d.line(from, y, band.x, y, page.c.line);
      if (band.x + band.w < to) page.d.line(band.x + band.w, y, to, y, page.c.line);
    } else {
      page.d.line(from, y, to, y, page.c.line);
    }
  }
}

void right_block(Page& page, const Places& p) {
  Draw& d = page.d;
  const Palette& c = page.c;
  const bool concat = page.reached(Step::concat), output = page.reached(Step::output);
  const float x = p.block, cw = p.block_cell, row = Places::row_h;
  const StrokeStyle style = concat ? StrokeStyle{} : StrokeStyle{.dash = 2, .gap = 3};
  const float head_end = p.head + 2 * p.head_cell;
  for (int k = 0; k < page.heads(); ++k)
    d.line(head_end + (concat ? 6.f : 4.f), p.row_y(k) + row, p.bus, p.row_y(k) + row, c.line2, style);
  d.line(p.bus, p.row_y(0) + row, p.bus, p.row_y(2) + row + (concat ? 1.f : 0.f), c.line2, style);
  const float into = page.at(Step::concat) ? x - 15 : x - 7;
  d.line(p.bus, p.row_y(0) + row, into + (concat ? -4.f : 1.f), p.row_y(0) + row, c.line2, style);
  if (concat) d.arrow_head(into, p.row_y(0) + row + 0.5f, c.line2);

  const auto caption = [&](float y, std::string_view text, bool reached) {
    d.rich(x, y, text, {.colour = reached ? c.ink2 : c.ink3});
  };
  const int dv = page.s.document.config.d_v;
  const float w_y = p.row_y(1) + row - 54;
  caption(p.row_y(0) - 24, "<b>Concat</b>  2 × 6", concat);
  for (int k = 0; k < page.heads(); ++k)
    d.rect_filled(x + static_cast<float>(k * dv) * cw + (k ? 1.5f : 0), p.row_y(0) - 10,
                  static_cast<float>(dv) * cw - (k == 1 ? 3.f : 1.5f), 3, page.head_colour(k), 1);
  caption(w_y - 14, "×  <b>W</b>^{O}  6 × 6", output);
  for (int k = 0; k < page.heads(); ++k)
    d.rect_filled(x - 11, w_y + static_cast<float>(k) * 36 + 1, 3, 34, page.head_colour(k), 1);
  caption(p.row_y(2) - (output ? 30.f : 14.f), "=  <b>Output</b>  2 × 6", output);
  if (output)
    for (int j = 0; j < page.s.document.config.d_model; ++j)
      d.text(x + (static_cast<float>(j) + 0.5f) * cw, p.row_y(2) - 10, std::to_string(j + 1),
             {.size = 12, .face = Face::mono, .colour = c.ink2, .align = 0.5f});
  page.matrix({.tensor = Tensor::concat, .x = x, .y = p.row_y(0), .cell_w = cw, .cell_h = row, .most_decimals = 2,
               .font_px = 12, .tinted = true});
  page.matrix({.tensor = Tensor::W_O, .x = x, .y = w_y, .cell_w = cw, .cell_h = Places::w_o_row, .most_decimals = 2,
               .font_px = 12});
  page.matrix({.tensor = Tensor::output, .x = x, .y = p.row_y(2), .cell_w = cw, .cell_h = row, .most_decimals = 2,
               .font_px = 12});
}

}  // namespace

void draw_full(Page& page) {
  const Places p = full_places_for(page.vp);
  const app::StepWords words = app::words_of(page.s, page.s.step);
  Draw& d = page.d;
  draw_full_header(page, p);
  draw_full_stepper(page, p);
  d.rich(p.left, 124, words.title, {.size = 20, .face = Face::bold, .colour = page.c.ink});
  d.rich(p.left, 151, words.subtitle, {.colour = page.c.ink2});
  page.formula_multihead(p.right, 124, 1);
  page.formula_head(p.right, 152, 1, "i");
  page.band(band_of(page, p));
  draw_full_headings(page, p);
  left_column(page, p, words);
  std::vector<Rect> lanes;
  for (int k = 0; k < page.heads(); ++k) lanes.push_back({p.lane, p.lane_y(k) + 26, 4, 116});
  page.ribbons_to_lanes(p.x_matrix + 6 * p.x_cell + 7, p.row_y(1) - 1, p.row_y(1) + 2 * Places::row_h + 1, p.lane,
                        lanes);
  for (int k = 0; k < page.heads(); ++k) lane(page, p, k);
  lane_rules(page, p);
  right_block(page, p);
  draw_full_strip(page, p);
}

}  // namespace ui
