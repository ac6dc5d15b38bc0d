// The walkthrough at 1120 pixels and wider: three lanes, one for each head,
// with every matrix at a fixed place.
#include "ui/page.hpp"

#include <algorithm>
#include <cmath>

namespace ui {

namespace {

using app::Step;
using app::Tensor;

/// Where things stand. The drawing is 1280 x 800; narrower pages close the gaps, wider ones centre.
struct Places {
  float left, right;                   // content
  float x_matrix, x_cell;              // X
  float lane;                          // rail
  float qkv, score, scaled, pattern, head, bus, block;
  float score_cell, scaled_cell, pattern_cell, head_cell, block_cell;
  float lane_gap, strip_y, strip_h;
  static constexpr float top = 222, lane_h = 142, row_h = 38, qkv_cell = 28, qkv_row = 17, w_o_row = 18;

  float lane_y(int k) const { return top + static_cast<float>(k) * (lane_h + lane_gap); }
  float row_y(int k) const { return lane_y(k) + 46; }
};

Places places_for(const Viewport& vp) {
  const float t = std::clamp((1280 - vp.width) / 160, 0.f, 1.f);
  const auto mix = [t](float wide, float narrow) { return std::round(wide + (narrow - wide) * t); };
  Places p{};
  p.left = std::max(24.f, std::round((vp.width - 1232) / 2));
  p.right = vp.width - p.left;
  p.x_cell = mix(31, 27);
  p.x_matrix = p.left + mix(42, 40);
  p.lane = p.left + mix(270, 231);
  p.qkv = p.lane + 38;
  p.score_cell = mix(36, 33);
  p.scaled_cell = mix(52, 48);
  p.pattern_cell = mix(58, 52);
  p.head_cell = mix(52, 48);
  p.block_cell = mix(42, 36);
  p.score = p.qkv + 56 + mix(50, 46);
  p.scaled = p.score + 2 * p.score_cell + mix(36, 30);
  p.pattern = p.scaled + 2 * p.scaled_cell + mix(58, 42);
  p.head = p.pattern + 2 * p.pattern_cell + mix(42, 38);
  p.block = p.right - 6 * p.block_cell;
  p.bus = p.block - 21;
  const float extra = std::max(0.f, vp.height - 800);
  p.lane_gap = 8 + std::min(40.f, std::floor(extra / 2));
  const float lanes_end = p.lane_y(2) + Places::lane_h + 16;
  p.strip_y = lanes_end;
  p.strip_h = vp.height - lanes_end;
  return p;
}

void header(Page& page, const Places& p) {
  Draw& d = page.d;
  const Palette& c = page.c;
  d.logo(p.left, 25);
  d.text(p.left + 24, 24, "Multi-head attention", {.face = Face::bold, .colour = c.ink});
  const float tab_x = p.left + 240, tab_w = std::round(d.width("Walkthrough", 14, Face::bold));
  d.text(tab_x, 24, "Walkthrough", {.face = Face::bold, .colour = c.ink});
  d.line(0, 48, page.vp.width, 48, c.line);
  d.rect_filled(tab_x, 46, tab_w, 3, c.ink);
  page.edit_buttons(p.right - 40, 24);
  d.theme_icon(p.right - 10, 24);
  page.region({p.right - 26, 8, 32, 32}, "ui:display");
}

void stepper(Page& page, const Places& p) {
  Draw& d = page.d;
  const Palette& c = page.c;
  constexpr float y = 72;
  const int current = static_cast<int>(page.s.step);
  float x = p.left;
  page.next_group();
  for (int i = 0; i < app::kStepCount; ++i) {
    const auto step = static_cast<Step>(i);
    const auto name = app::name_of(step);
    const bool on = i == current, done = i < current, off = step == Step::mask && !app::mask_is_on(page.s);
    const float start = x;
    if (on) {
      const float w = std::round(d.width(name, 14, Face::bold)) + 24;
      d.rect_filled(x, y - 14, w, 28, c.ink, 14);
      d.text(x + 12, y, name, {.face = Face::bold, .colour = c.on_ink});
      x += w;
    } else {
      x += d.text(x, y, name, {.colour = done ? c.ink : c.ink3});
    }
    if (off && !on) {
      const float w = std::round(d.width("off", 12, Face::sans)) + 10;
      d.rect(std::round(x) + 6, y - 9, w, 18, c.line2, {.radius = 4});
      d.text(std::round(x) + 11, y, "off", {.size = 12, .colour = c.ink2});
      x += w + 6;
    }
    x = std::round(x);
    page.region({start - 4, y - 16, x - start + 8, 32}, "step:" + std::string(app::slug_of(step)));
    if (i + 1 < app::kStepCount) {
      d.line(x + 9, y, x + 31, y, i < current ? c.ink : c.line2,
             i < current ? StrokeStyle{} : StrokeStyle{.dash = 2, .gap = 3});
      x += 40;
    }
  }
  page.player_buttons(p.right, 56, 32, 84, 76);
  d.line(0, 96, page.vp.width, 96, c.line);
}

void heading(Page& page, float cx, std::string_view name, std::string_view note, app::Stage stage) {
  const Palette& c = page.c;
  const Colour name_colour = stage == app::Stage::present  ? c.ink
                             : stage == app::Stage::future ? c.ink3
                                                           : c.ink2;
  page.d.text(cx, 191, name, {.size = 12, .face = Face::bold, .colour = name_colour, .align = 0.5f});
  page.d.rich(cx, 207, note,
              {.size = 12, .colour = stage == app::Stage::future ? c.ink3 : c.ink2, .align = 0.5f});
}

app::Stage stage_of_step(const Page& page, Step step) {
  return page.s.step == step  ? app::Stage::present
         : page.s.step > step ? app::Stage::past
                              : app::Stage::future;
}

void headings(Page& page, const Places& p) {
  Draw& d = page.d;
  const bool project = page.at(Step::project);
  const auto note = [&](Step step) { return app::words_of(page.s, step).band_note; };
  if (project) {
    heading(page, p.qkv + 232, "Project", "<b>Q</b> = <b>X W</b>^{Q}, <b>K</b> = <b>X W</b>^{K}, <b>V</b> = <b>X W</b>^{V}",
            app::Stage::present);
  } else {
    heading(page, p.qkv + 28, "Project", "<b>Q</b>, <b>K</b>, <b>V</b>", stage_of_step(page, Step::project));
    heading(page, p.score + p.score_cell, "Score", "<b>Q K</b>^{T}", stage_of_step(page, Step::score));
    const float cx = p.scaled + p.scaled_cell;
    if (page.at(Step::mask)) {
      heading(page, cx, "Mask", app::mask_is_on(page.s) ? "not allowed: −∞" : "off", app::Stage::present);
    } else {
      const auto stage = stage_of_step(page, Step::scale);
      heading(page, cx, page.reached(Step::mask) && app::mask_is_on(page.s) ? "Scale, mask" : "Scale", "", stage);
      const Colour colour = stage == app::Stage::future ? page.c.ink3 : page.c.ink2;
      const std::string d_k = std::to_string(page.s.document.config.d_k);
      const float w = d.width("÷ ", 12, Face::sans) + d.sqrt_width(d_k, 12);
      float x = std::round(cx - w / 2);
      x += d.text(x, 207, "÷ ", {.size = 12, .colour = colour});
      d.sqrt(x, 207, d_k, {.size = 12, .colour = colour});
    }
    heading(page, p.pattern + p.pattern_cell, "Softmax", note(Step::softmax), stage_of_step(page, Step::softmax));
  }
  heading(page, p.head + p.head_cell, "Weigh V", "<b>A V</b>", stage_of_step(page, Step::weigh));
}

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

/// Row arrows between two columns: dotted until reached, hot where the shown number is made.
void row_arrow(Page& page, float from, float to, float y, Tensor into, int head, int row, Step step) {
  if (!page.reached(step)) {
    page.d.line(from - 1, y, to + 1, y, page.c.line2, {.dash = 2, .gap = 3});
  } else if (page.is_hot_row(into, head, row)) {
    page.d.hot_arrow(from, to, y);
  } else {
    page.d.arrow(from, to, y, page.c.line2);
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
      row_arrow(page, p.score + 2 * p.score_cell + 9, p.scaled - 9, ay, page.scaled_tensor(), k, i, Step::scale);
      row_arrow(page, p.scaled + 2 * p.scaled_cell + 9, p.pattern - 7, ay,
                Tensor::pattern, k, i, Step::softmax);
      row_arrow(page, p.pattern + 2 * p.pattern_cell + 9, p.head - 9 + (page.reached(Step::weigh) ? 0.f : 2.f), ay,
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

void strip(Page& page, const Places& p) {
  Draw& d = page.d;
  const Palette& c = page.c;
  d.rect_filled(0, p.strip_y, page.vp.width, page.vp.height - p.strip_y, c.sunk);
  d.line(0, p.strip_y, page.vp.width, p.strip_y, c.line);
  const bool bar = page.strip.bar.has_value();
  const float bar_x = p.pattern - 16, bar_w = p.right - bar_x;
  const float room = (bar ? bar_x - 24 : p.right) - p.left;
  if (p.strip_h < 80) {  // one line: the sentence, and the equation where both fit
    const float mid = p.strip_y + p.strip_h / 2;
    d.push_clip(p.left, p.strip_y, p.right - p.left, p.strip_h);
    page.equation(p.left, mid, room, true, 14);
    if (bar) d.rich(bar_x, mid, page.strip.sentence, {.size = 12, .colour = c.ink});
    d.pop_clip();
    return;
  }
  const float shift = std::clamp((p.strip_h - 120) / 3, -16.f, 24.f);
  const float y = p.strip_y + shift;
  if (p.strip_h >= 110)
    d.text(p.left, y + 21, "How this number was made", {.size = 12, .face = Face::bold, .colour = c.ink2});
  page.equation(p.left, y + 61, room, false);
  d.rich(p.left, y + 105, page.strip.sentence, {.colour = c.ink});
  if (!bar) return;
  const app::RowBar& row = *page.strip.bar;
  d.rich(bar_x, y + 21, row.title, {.size = 12, .colour = c.ink2});
  page.row_bar(bar_x, y + 51, bar_w, 20);
  if (row.labels.size() == 2) {
    d.text(bar_x, y + 40, row.labels[0], {.size = 12, .colour = c.ink});
    d.text(p.right, y + 40, row.labels[1], {.size = 12, .colour = c.ink, .align = 1});
    const TextStyle number{.size = 13, .face = Face::mono, .colour = c.ink};
    d.text(bar_x, y + 84, app::format_number(row.shares[0], 3), number);
    TextStyle right = number, middle = number;
    right.align = 1;
    middle.align = 0.5f;
    middle.colour = c.ink2;
    d.text(p.right, y + 84, app::format_number(row.shares[1], 3), right);
    d.text(bar_x + bar_w / 2, y + 84, row.sum, middle);
  }
}

}  // namespace

void draw_full(Page& page) {
  const Places p = places_for(page.vp);
  const app::StepWords words = app::words_of(page.s, page.s.step);
  Draw& d = page.d;
  header(page, p);
  stepper(page, p);
  d.rich(p.left, 124, words.title, {.size = 20, .face = Face::bold, .colour = page.c.ink});
  d.rich(p.left, 151, words.subtitle, {.colour = page.c.ink2});
  page.formula_multihead(p.right, 124, 1);
  page.formula_head(p.right, 152, 1, "i");
  page.band(band_of(page, p));
  headings(page, p);
  left_column(page, p, words);
  std::vector<Rect> lanes;
  for (int k = 0; k < page.heads(); ++k) lanes.push_back({p.lane, p.lane_y(k) + 26, 4, 116});
  page.ribbons_to_lanes(p.x_matrix + 6 * p.x_cell + 7, p.row_y(1) - 1, p.row_y(1) + 2 * Places::row_h + 1, p.lane,
                        lanes);
  for (int k = 0; k < page.heads(); ++k) lane(page, p, k);
  lane_rules(page, p);
  right_block(page, p);
  strip(page, p);
}

}  // namespace ui
