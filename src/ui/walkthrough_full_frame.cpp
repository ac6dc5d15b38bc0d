// The full page around its lanes: header, stepper, headings of the columns, strip.
#include "ui/walkthrough_full.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ui {

namespace {

using app::Step;
using Places = FullPlaces;

void heading(Page& page, float cx, std::string_view name, std::string_view note, app::Stage stage) {
  const Palette& c = page.c;
  const Colour name_colour = stage == app::Stage::present ? c.ink : stage == app::Stage::future ? c.ink3 : c.ink2;
  page.d.text(cx, 191, name, {.size = 12, .face = Face::bold, .colour = name_colour, .align = 0.5f});
  page.d.rich(cx, 207, note, {.size = 12, .colour = stage == app::Stage::future ? c.ink3 : c.ink2, .align = 0.5f});
}

app::Stage stage_of_step(const Page& page, Step step) {
  return page.s.step == step ? app::Stage::present : page.s.step > step ? app::Stage::past : app::Stage::future;
}

}  // namespace

FullPlaces full_places_for(const Viewport& vp) {
  const float t = std::clamp((1280 - vp.width) / 160, 0.f, 1.f);
  const auto mix = [t](float wide, float narrow) { return std::round(wide + (narrow - wide) * t); };
  FullPlaces p{};
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
  p.block_cell = mix(42, 33);
  p.score = p.qkv + 56 + mix(50, 44);
  p.scaled = p.score + 2 * p.score_cell + mix(36, 30);
  p.pattern = p.scaled + 2 * p.scaled_cell + mix(58, 42);
  p.head = p.pattern + 2 * p.pattern_cell + mix(42, 38);
  p.block = p.right - 6 * p.block_cell;
  p.bus = p.block - 21;
  const float extra = std::max(0.f, vp.height - 800);
  p.lane_gap = 8 + std::min(40.f, std::floor(extra / 2));
  const float lanes_end = p.lane_y(2) + FullPlaces::lane_h + 16;
  p.strip_y = lanes_end;
  p.strip_h = vp.height - lanes_end;
  return p;
}

void draw_full_header(Page& page, const Places& p) {
  Draw& d = page.d;
  const Palette& c = page.c;
  d.logo(p.left, 25);
  d.text(p.left + 24, 24, "Multi-head attention", {.face = Face::bold, .colour = c.ink});
  d.line(0, 48, page.vp.width, 48, c.line);
  float tab_x = p.left + 240;
  for (int i = 0; i < app::kPages; ++i) {
    const auto which = static_cast<app::Page>(i);
    const std::string_view name = app::title_of(which);
    const bool on = page.s.page == which;
    const float w = std::round(d.width(name, 14, on ? Face::bold : Face::sans));
    const bool awaited = page.local.awaited == which;
    d.text(tab_x, 24, name, {.face = on ? Face::bold : Face::sans, .colour = on || awaited ? c.ink : c.ink2});
    if (on || awaited) d.rect_filled(tab_x, 46, w, 3, on ? c.ink : c.line2);
    page.region({tab_x - 8, 8, w + 16, 32}, "page:" + std::string(app::name_of(which)));
    tab_x += w + 28;
  }
  page.popover_right = p.right;
  if (page.s.page == app::Page::walkthrough) page.edit_buttons(p.right - 40, 24);
  d.theme_icon(p.right - 10, 24);
  page.region({p.right - 26, 8, 32, 32}, "ui:display");
}

void draw_full_stepper(Page& page, const Places& p) {
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

void draw_full_headings(Page& page, const Places& p) {
  Draw& d = page.d;
  const bool project = page.at(Step::project);
  const auto note = [&](Step step) { return app::words_of(page.s, step).band_note; };
  if (project) {
    heading(page, p.qkv + 232, "Project",
            "<b>Q</b> = <b>X W</b>^{Q}, <b>K</b> = <b>X W</b>^{K}, <b>V</b> = <b>X W</b>^{V}", app::Stage::present);
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

void draw_full_strip(Page& page, const Places& p) {
  Draw& d = page.d;
  const Palette& c = page.c;
  d.rect_filled(0, p.strip_y, page.vp.width, page.vp.height - p.strip_y, c.sunk);
  d.line(0, p.strip_y, page.vp.width, p.strip_y, c.line);
  const bool bar = page.strip.bar.has_value();
  const float bar_x = p.pattern - 16, bar_w = p.right - bar_x;
  const float room = (bar ? bar_x - 24 : p.right) - p.left;
  if (p.strip_h < 76) {  // one line: the equation, small, and its sentence
    const float mid = p.strip_y + p.strip_h / 2;
    d.push_clip(p.left, p.strip_y, p.right - p.left, p.strip_h);
    const float end = page.equation(p.left, mid, (p.right - p.left) * 0.55f, true, 14) + 24;
    const std::string& words =
        d.rich_width(page.strip.sentence, 14) <= p.right - end ? page.strip.sentence : page.strip.short_sentence;
    if (d.rich_width(words, 14) <= p.right - end)
      d.rich(end, mid, words, {.colour = c.ink});
    else
      d.wrap(end, mid - 8, words, {.size = 12, .colour = c.ink}, p.right - end, 17);
    d.pop_clip();
    return;
  }
  const bool low = p.strip_h < 114;  // no label, the lines closer
  const float shift = std::clamp((p.strip_h - 120) / 3, 0.f, 24.f);
  const float y = low ? p.strip_y + p.strip_h * 0.38f - 61 : p.strip_y + shift;
  const float sentence_y = low ? p.strip_y + p.strip_h - 14 : y + 105;
  if (!low) d.text(p.left, y + 21, "How this number was made", {.size = 12, .face = Face::bold, .colour = c.ink2});
  page.equation(p.left, y + 61, room, false);
  const float sentence_room = (bar && low ? bar_x - 24 : p.right) - p.left;
  d.rich(p.left, sentence_y,
         d.rich_width(page.strip.sentence, 14) <= sentence_room ? page.strip.sentence : page.strip.short_sentence,
         {.colour = c.ink});
  if (!bar) return;
  const app::RowBar& row = *page.strip.bar;
  if (low) {
    page.row_bar(bar_x, p.strip_y + p.strip_h / 2 - 16, bar_w, 16);
    d.rich(bar_x, p.strip_y + p.strip_h - 18, row.title, {.size = 12, .colour = c.ink2});
    d.text(p.right, p.strip_y + p.strip_h - 18, row.sum,
           {.size = 12, .face = Face::mono, .colour = c.ink2, .align = 1});
    return;
  }
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

}  // namespace ui
