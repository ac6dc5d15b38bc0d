// The walkthrough below 720 pixels: one head at a time, the step's card at full
// width, the arithmetic on a sheet above the buttons.
#include "ui/page.hpp"

#include <algorithm>
#include <cmath>

namespace ui {

Layout layout_for(const Viewport& viewport) {
  if (viewport.width >= 1120 && viewport.height >= 728) return Layout::full;
  if (viewport.width >= 720 && viewport.height >= 560) return Layout::compact;
  return Layout::phone;
}

namespace {

using app::Step;
using app::Tensor;

constexpr float kMargin = 16, kSheet = 138, kSentenceLine = 18, kNav = 72, kWidest = 460;

/// The column of the phone's page: centred where the canvas is wider than a phone.
struct Column {
  float left, right, w;
  float squeeze;  // 1 on a 390 px phone, less on narrower ones
  float px(float drawn) const { return std::round(drawn * squeeze); }
};

Column column_of(const Viewport& vp) {
  const float w = std::min(vp.width, kWidest) - 2 * kMargin, left = std::round((vp.width - w) / 2);
  return {left, left + w, w, std::min(1.f, w / 358)};
}

void top_bar(Page& page, const Column& at) {
  page.groups_from(0);  // drawn late, over what scrolls, but first in reading order
  Draw& d = page.d;
  const Palette& c = page.c;
  d.logo(at.left, 25);
  d.text(at.left + 24, 24, "Walkthrough", {.face = Face::bold, .colour = c.ink});
  d.theme_icon(at.right - 52, 24);
  page.region({at.right - 74, 4, 42, 40}, "ui:theme");
  for (int i = -1; i < 2; ++i) d.rect_filled(at.right - 20, 23 + static_cast<float>(i) * 6, 18, 2, c.ink, 1);
  page.region({at.right - 32, 4, 42, 40}, "ui:menu");
  page.popover_right = at.right + 4;
  d.line(0, 48, page.vp.width, 48, c.line);
}

void tokens_left(Page& page, float x, float y, float row, float size, Colour colour) {
  for (int i = 0; i < page.n(); ++i)
    page.d.text(x, y + (static_cast<float>(i) + 0.5f) * row, page.s.document.tokens[static_cast<std::size_t>(i)],
                {.size = size, .colour = colour, .align = 1});
}

void tokens_above(Page& page, float x, float y, float cell, Colour colour) {
  for (int j = 0; j < page.n(); ++j)
    page.d.text(x + (static_cast<float>(j) + 0.5f) * cell, y, page.s.document.tokens[static_cast<std::size_t>(j)],
                {.size = 12, .colour = colour, .align = 0.5f});
}

/// The step's card: name, note, and what it holds below. Returns the y of the matrix.
float card(Page& page, const Column& at, float y, float inner_h, std::string_view name, std::string_view note) {
  page.band({at.left - 4, y, at.w + 8, inner_h + 64});
  page.d.text(at.left + 8, y + 17, name, {.size = 12, .face = Face::bold, .colour = page.c.ink});
  page.d.rich(at.right - 8, y + 17, note, {.size = 12, .colour = page.c.ink2, .align = 1});
  return y + 50;
}

void label(Page& page, float x, float y, std::string_view text) {
  page.d.text(x, y, text, {.size = 12, .face = Face::bold, .colour = page.c.ink2});
}

void head_tabs(Page& page, const Column& at, float y) {
  Draw& d = page.d;
  const Palette& c = page.c;
  const int heads = page.heads();
  const float w = at.w / static_cast<float>(heads);
  for (int k = 0; k < heads; ++k) {
    const float x = std::round(at.left + static_cast<float>(k) * w), tab_w = std::round(w);
    const bool on = k == page.s.head;
    if (on) d.rect_filled(x, y, tab_w, 44, c.surface, 6);
    d.badge(x + 10, y + 22, k);
    const float role_size = d.rich_width(page.head_name(k), 14, Face::bold) + 38 <= tab_w ? 14.f : 11.f;
    d.rich(x + 36, y + 22, page.head_name(k),
           {.size = role_size, .face = on ? Face::bold : Face::sans, .colour = on ? c.ink : c.ink2});
    if (on) d.rect_filled(x, y + 41, tab_w, 3, page.head_colour(k), 1);
    page.region({x, y, tab_w, 44}, "head:" + std::to_string(k + 1));
  }
  d.line(at.left, y + 44, at.right, y + 44, c.line);
}

/// Q, K, V of the chosen head in one row, 46 tall; a rule below.
void qkv_row(Page& page, const Column& at, float y, float cell_h, bool rule) {
  const int k = page.s.head;
  const std::string index = std::to_string(k + 1);
  const Tensor made[] = {Tensor::Q, Tensor::K, Tensor::V};
  const char* const names[] = {"Q", "K", "V"};
  for (int j = 0; j < 3; ++j) {
    const float x = at.left + 24 + static_cast<float>(j) * std::round((at.w + 8) / 3);
    page.d.rich(x - 8, y + cell_h, "<b>" + std::string(names[j]) + "</b>_{" + index + "}",
                {.colour = page.c.ink, .align = 1});
    page.matrix({.tensor = made[j], .head = k, .x = x, .y = y, .cell_w = at.px(36), .cell_h = cell_h, .most_decimals = 2});
  }
  if (rule) page.d.line(at.left, y + 2 * cell_h + 13, at.right, y + 2 * cell_h + 13, page.c.line);
}

/// Score and, when reached, what stands right of it.
void score_scale_row(Page& page, const Column& at, float y, bool with_scale) {
  Draw& d = page.d;
  const int k = page.s.head;
  const float row = 30, score_x = at.left + at.px(44), scale_x = at.left + at.px(200),
              score_cell = at.px(44), scale_cell = at.px(64);
  label(page, score_x, y - 32, "Score");
  tokens_left(page, score_x - 10, y, row, 12, page.c.ink2);
  tokens_above(page, score_x, y - 12, score_cell, page.c.ink2);
  page.matrix({.tensor = Tensor::scores, .head = k, .x = score_x, .y = y, .cell_w = score_cell, .cell_h = row});
  if (!with_scale) return;
  const bool masked = page.scaled_tensor() == Tensor::masked;
  const std::string_view name = masked ? "Scale, mask  " : "Scale  ";
  label(page, scale_x, y - 32, name);
  float x = scale_x + d.width(name, 12, Face::bold);
  x += d.text(x, y - 32, "÷ ", {.size = 12, .colour = page.c.ink2});
  d.sqrt(x, y - 32, std::to_string(page.s.document.config.d_k), {.size = 12, .colour = page.c.ink2});
  tokens_above(page, scale_x, y - 12, scale_cell, page.c.ink2);
  page.matrix({.tensor = page.scaled_tensor(), .head = k, .x = scale_x, .y = y, .cell_w = scale_cell, .cell_h = row});
  for (int i = 0; i < page.n(); ++i)
    d.arrow(score_x + 2 * score_cell + 14, scale_x - 12, y + (static_cast<float>(i) + 0.5f) * row, page.c.line2);
}

void down_arrow(Page& page, float x, float from, float to) {
  page.d.rect_filled(x - 1, from, 2, to - from - 6, page.c.mark_line);
  page.d.arrow_head(x, to, page.c.mark_line, 8, Direction::down);
}

float input_step(Page& page, const Column& at, float y) {
  const float cell = std::floor((at.w - 56) / 6), row = 48;
  const float x = at.left + 52, my = card(page, at, y, 2 * row + 26, "X", "tokens × features") + 24;
  const auto& features = page.s.document.features;
  for (std::size_t j = 0; j < features.size(); ++j) {
    const float cx = x + (static_cast<float>(j) + 0.5f) * cell;
    const bool up = j % 2 == 0;
    page.d.text(cx, up ? my - 32 : my - 12, features[j], {.size = 12, .colour = page.c.ink2, .align = 0.5f});
    if (up) page.d.line(cx, my - 24, cx, my - 3, page.c.line);
  }
  tokens_left(page, x - 8, my, row, 12, page.c.ink);
  page.matrix({.tensor = Tensor::X, .x = x, .y = my, .cell_w = cell, .cell_h = row, .font_px = 16, .dots = true});
  page.d.text(at.left, my + 2 * row + 36, "Tap a number to change it", {.size = 12, .colour = page.c.ink2});
  return my + 2 * row + 48;
}

float project_step(Page& page, const Column& at, float y) {
  Draw& d = page.d;
  const int k = page.s.head;
  const std::string index = std::to_string(k + 1);
  const float my = card(page, at, y, 52, "Project", "<b>Q</b> = <b>X W</b>^{Q}, and so on");
  qkv_row(page, at, my - 8, 30, false);
  const float xy = my + 92;
  d.rich(at.left, xy + 22, "<b>X</b>", {.colour = page.c.ink});
  tokens_left(page, at.left + 62, xy, 22, 12, page.c.ink2);
  page.matrix({.tensor = Tensor::X, .x = at.left + 72, .y = xy, .cell_w = std::floor((at.w - 80) / 6), .cell_h = 22});
  const float wy = xy + 78, row = 20;
  const Tensor weights[] = {Tensor::W_Q, Tensor::W_K, Tensor::W_V};
  const auto& features = page.s.document.features;
  for (std::size_t i = 0; i < features.size(); ++i)
    d.text(at.left + 46, wy + (static_cast<float>(i) + 0.5f) * row, features[i],
           {.size = 12, .colour = page.c.ink2, .align = 1});
  const float pitch = std::floor((at.w - 56) / 3);
  for (int j = 0; j < 3; ++j) {
    const float wx = at.left + 60 + pitch * static_cast<float>(j), cell = at.px(38);
    d.rich(wx + cell, wy - 14, app::symbol_of(weights[j], k), {.colour = page.c.ink, .align = 0.5f});
    page.matrix({.tensor = weights[j], .head = k, .x = wx, .y = wy, .cell_w = cell, .cell_h = row, .most_decimals = 2});
  }
  return wy + 6 * row + 12;
}

float big_card(Page& page, const Column& at, float y, Tensor tensor, std::string_view name, std::string_view note,
               bool headers) {
  const float x = at.left + 44, cell = std::floor((at.w - 58) / 2), row = 46;
  const float my = card(page, at, y, 2 * row, name, note);
  if (headers)
    tokens_above(page, x, my - 11, cell, page.c.ink);
  else
    for (int j = 0; j < 2; ++j)
      page.d.text(x + (static_cast<float>(j) + 0.5f) * cell, my - 11, std::to_string(j + 1),
                  {.size = 12, .face = Face::mono, .colour = page.c.ink2, .align = 0.5f});
  tokens_left(page, x - 10, my, row, 12, page.c.ink);
  page.matrix({.tensor = tensor, .head = page.s.head, .x = x, .y = my, .cell_w = cell, .cell_h = row, .font_px = 16});
  return y + 2 * row + 64;
}

float weigh_step(Page& page, const Column& at, float y) {
  const int k = page.s.head;
  const float row = 30, ax = at.left + at.px(44), vx = at.left + at.px(262),
              a_cell = at.px(64), v_cell = at.px(44);
  label(page, ax, y + 12, "Softmax");
  label(page, vx, y + 12, "V");
  tokens_left(page, ax - 10, y + 44, row, 12, page.c.ink2);
  tokens_above(page, ax, y + 32, a_cell, page.c.ink2);
  page.matrix({.tensor = Tensor::pattern, .head = k, .x = ax, .y = y + 44, .cell_w = a_cell, .cell_h = row});
  page.d.text(ax + 2 * a_cell + 20, y + 44 + row, "×", {.size = 16, .colour = page.c.ink2, .align = 0.5f});
  tokens_left(page, vx - 10, y + 44, row, 12, page.c.ink2);
  page.matrix({.tensor = Tensor::V, .head = k, .x = vx, .y = y + 44, .cell_w = v_cell, .cell_h = row, .most_decimals = 2});
  down_arrow(page, at.left + at.w / 2, y + 44 + 2 * row + 8, y + 140);
  return big_card(page, at, y + 140, Tensor::head, "Weigh V", "<b>A V</b>", false);
}

void six_wide(Page& page, const Column& at, float y, Tensor tensor, float row, float font, bool tinted) {
  const float cell = std::floor((at.w - 52) / 6), x = at.right - 6 * cell - 4;
  const int dv = page.s.document.config.d_v;
  if (tensor != Tensor::W_O) tokens_left(page, x - 8, y, row, 12, page.c.ink2);
  if (tensor == Tensor::concat)
    for (int k = 0; k < page.heads(); ++k)
      page.d.rect_filled(x + static_cast<float>(k * dv) * cell + (k ? 1.5f : 0), y - 8,
                         static_cast<float>(dv) * cell - (k == 1 ? 3.f : 1.5f), 3, page.head_colour(k), 1);
  if (tensor == Tensor::W_O)
    for (int k = 0; k < page.heads(); ++k)
      page.d.rect_filled(x - 12, y + static_cast<float>(k * dv) * row + 1, 3, static_cast<float>(dv) * row - 2,
                         page.head_colour(k), 1);
  page.matrix({.tensor = tensor, .x = x, .y = y, .cell_w = cell, .cell_h = row, .most_decimals = 2, .font_px = font,
               .tinted = tinted});
}

float concat_step(Page& page, const Column& at, float y) {
  const float pitch = std::round(at.w / 3), row = 34, cell = at.px(50);
  for (int k = 0; k < page.heads(); ++k) {
    const float x = at.left + static_cast<float>(k) * pitch + 6;
    page.d.badge(x, y + 12, k);
    page.d.rich(x + 26, y + 12, page.head_name(k), {.size = 12, .colour = page.c.ink2});
    page.matrix({.tensor = Tensor::head, .head = k, .x = x, .y = y + 34, .cell_w = cell, .cell_h = row});
  }
  const float cy = y + 34 + 2 * row + 36;
  down_arrow(page, at.left + at.w / 2, y + 34 + 2 * row + 8, cy);
  const float my = card(page, at, cy, 96, "Concat", "2 × 6, side by side");
  six_wide(page, at, my, Tensor::concat, 46, 13, true);
  return cy + 172;
}

float output_step(Page& page, const Column& at, float y) {
  page.d.rich(at.left, y + 8, "<b>Concat</b>", {.size = 12, .colour = page.c.ink2});
  six_wide(page, at, y + 28, Tensor::concat, 26, 12, true);
  page.d.rich(at.left, y + 96, "×  <b>W</b>^{O}  6 × 6", {.size = 12, .colour = page.c.ink2});
  six_wide(page, at, y + 110, Tensor::W_O, 20, 12, false);
  const float cy = y + 242;
  const float my = card(page, at, cy, 84, "Output", "=  <b>Concat W</b>^{O}");
  const float cell = std::floor((at.w - 52) / 6), x = at.right - 6 * cell - 4;
  for (int j = 0; j < page.s.document.config.d_model; ++j)
    page.d.text(x + (static_cast<float>(j) + 0.5f) * cell, my - 12, std::to_string(j + 1),
                {.size = 12, .face = Face::mono, .colour = page.c.ink2, .align = 0.5f});
  six_wide(page, at, my, Tensor::output, 44, 13, false);
  return cy + 152;
}

float middle(Page& page, const Column& at, float y) {
  const float w = at.left + at.px(44);
  switch (page.s.step) {
    case Step::input: return input_step(page, at, y);
    case Step::project: return project_step(page, at, y);
    case Step::concat: return concat_step(page, at, y);
    case Step::output: return output_step(page, at, y);
    case Step::weigh: return weigh_step(page, at, y);
    default: break;
  }
  label(page, at.left, y + 8, "Project");
  qkv_row(page, at, y + 28, 23, true);
  if (page.at(Step::score)) {
    down_arrow(page, at.left + at.w / 2, y + 94, y + 120);
    return big_card(page, at, y + 120, Tensor::scores, "Score", "<b>Q K</b>^{T}", true);
  }
  if (page.at(Step::scale) || page.at(Step::mask)) {
    score_scale_row(page, at, y + 133, false);
    const bool mask = page.at(Step::mask);
    if (mask) page.causal_toggle(at.left + at.px(200), y + 155, 44);
    down_arrow(page, w + at.px(44), y + 199, y + 215);
    return big_card(page, at, y + 215, page.scaled_tensor(), mask ? "Mask" : "Scale",
                    mask ? (app::mask_is_on(page.s) ? "not allowed: −∞" : "off") : "÷ √d_{k}", true);
  }
  score_scale_row(page, at, y + 133, true);
  down_arrow(page, at.left + at.px(264), y + 199, y + 215);
  return big_card(page, at, y + 215, Tensor::pattern, "Softmax",
                  app::words_of(page.s, Step::softmax).band_note, true);
}

int sentence_lines(const Page& page, const Column& at) {
  const int large = page.d.wrap_lines(page.strip.short_sentence, 14, Face::sans, at.w);
  return large <= 1 ? 1 : page.d.wrap_lines(page.strip.short_sentence, 13, Face::sans, at.w);
}

/// Two lines of words fit the drawn sheet; more make it taller.
float sheet_height(const Page& page, const Column& at) {
  return kSheet + kSentenceLine * static_cast<float>(std::max(0, sentence_lines(page, at) - 2));
}

/// `fixed`: it lies over the middle; else it is the middle's last part.
void sheet(Page& page, const Column& at, float y, bool fixed) {
  Draw& d = page.d;
  const Palette& c = page.c;
  d.rect_filled(0, y, page.vp.width, fixed ? page.vp.height - y : sheet_height(page, at), c.sunk);
  d.line(0, y, page.vp.width, y, c.line);
  if (fixed) d.rect_filled(page.vp.width / 2 - 18, y + 7, 36, 3, c.line2, 1.5f);
  const auto& parts = page.strip.short_parts;
  const bool named = !parts.empty() && parts.front().kind == app::Part::Kind::text;
  if (named) d.rich(at.left, y + 30, parts.front().text, {.size = 16, .colour = c.ink});
  page.equation(at.left, y + 72, at.w, true, 16, named, 10);
  const std::string& sentence = page.strip.short_sentence;  // the tab says which head
  if (sentence_lines(page, at) <= 1)
    d.rich(at.left, y + 118, sentence, {.colour = c.ink});
  else
    d.wrap(at.left, y + 107, sentence, {.size = 13, .colour = c.ink}, at.w, kSentenceLine);
}

void navigation(Page& page, const Column& at) {
  const float h = page.vp.height, y = h - 60;
  page.d.line(0, h - kNav, page.vp.width, h - kNav, page.c.line);
  page.button({at.left, y, 48, 48}, "", "previous", {.icon = Icon::previous}, !page.at(Step::input));
  page.button({at.left + 56, y, 88, 48}, page.s.playing ? "Pause" : "Play", page.s.playing ? "pause" : "play",
              {.icon = page.s.playing ? Icon::pause : Icon::play},
              page.s.playing || !app::refusal_of(page.s, app::SetPlaying{true}));
  const Rect next{at.left + 152, y, at.w - 152, 48};
  if (page.at(Step::output)) {
    page.button(next, "Again", "again", {.kind = ButtonStyle::Kind::primary});
  } else {
    const auto following = static_cast<Step>(static_cast<int>(page.s.step) + 1);
    page.button(next, "Next: " + std::string(app::name_of(following)), "next",
                {.kind = ButtonStyle::Kind::primary, .icon = Icon::next, .icon_after = true});
  }
}

}  // namespace

void draw_phone(Page& page) {
  const Column at = column_of(page.vp);
  const app::StepWords words = app::words_of(page.s, page.s.step);
  Draw& d = page.d;
  const Palette& c = page.c;
  const float h = page.vp.height;
  const bool with_sheet = h >= 520;  // else the arithmetic scrolls with the rest
  const float middle_end = h - kNav - (with_sheet ? sheet_height(page, at) : 0);

  // The middle scrolls under the bar, the sheet and the buttons.
  page.local.scroll_area = {0, 49, page.vp.width, std::max(0.f, middle_end - 49)};
  page.local.scroll = std::min(page.local.scroll, page.local.scroll_max);
  const float top = -page.local.scroll;
  page.clip(page.local.scroll_area);
  page.groups_from(8);
  const int current = static_cast<int>(page.s.step);
  d.text(at.left, top + 68, app::name_of(page.s.step), {.face = Face::bold, .colour = c.ink});
  d.text(at.right, top + 68, "Step " + std::to_string(current + 1) + " of 9",
         {.size = 12, .colour = c.ink2, .align = 1});
  const float pip = (at.w - 8 * 4) / 9;
  for (int i = 0; i < app::kStepCount; ++i) {
    const float x = std::round(at.left + static_cast<float>(i) * (pip + 4));
    d.rect_filled(x, top + (i == current ? 83.f : 84.f), std::round(pip), i == current ? 6.f : 4.f,
                  i <= current ? c.ink : c.line, 2);
    page.region({x - 2, top + 74, pip + 4, 24}, "step:" + std::string(app::slug_of(static_cast<Step>(i))));
  }
  d.rich(at.left, top + 116, words.phone_title[0], {.size = 20, .face = Face::bold, .colour = c.ink});
  d.rich(at.left, top + 141, words.phone_title[1], {.size = 20, .face = Face::bold, .colour = c.ink});
  const bool per_head = page.reached(Step::project) && !page.reached(Step::concat);
  if (per_head)
    page.formula_head(at.left, top + 178, 0, std::to_string(page.s.head + 1), at.w);
  else
    page.formula_multihead(at.left, top + 178, 0, at.w);
  float y = top + 204;
  if (per_head) {
    head_tabs(page, at, y);
    y += 48;
  }
  float end = middle(page, at, y);
  if (!with_sheet) {
    sheet(page, at, end + 12, false);
    end += 12 + sheet_height(page, at);
  }
  page.unclip();
  page.local.scroll_max = std::max(0.f, std::ceil(end - top + 8 - middle_end));
  const int after_middle = page.last_group();
  top_bar(page, at);
  page.groups_from(after_middle);
  if (with_sheet)
    sheet(page, at, middle_end, true);
  else
    d.rect_filled(0, middle_end, page.vp.width, kNav, c.sunk);
  navigation(page, at);
}

}  // namespace ui
