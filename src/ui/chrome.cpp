// The page's frame: formula, strip, player and edit buttons, popovers, notices
// and the built-in text field.
#include "ui/page.hpp"

#include <algorithm>
#include <cmath>

namespace ui {

namespace {

/// A stretch of a formula; neighbours that are lit share one highlighter mark.
struct Segment {
  std::string text;  // rich
  bool lit = false;
  bool root = false;  // under a radical sign
  float gap = 0;      // px before it
  bool name = false;  // what the formula defines: in ink while its line is the present one
};

/// A mark stands 5 px out of its text: neighbours keep clear of it.
void make_room(std::vector<Segment>& segments) {
  for (std::size_t i = 1; i < segments.size(); ++i)
    if (segments[i].lit != segments[i - 1].lit && segments[i].gap == 0) segments[i].gap = 7;
}

float segment_width(const Draw& d, const Segment& segment, float size) {
  return segment.gap + (segment.root ? d.sqrt_width(segment.text, size) : d.rich_width(segment.text, size));
}

float segments_width(const Draw& d, const std::vector<Segment>& segments, float size) {
  float w = 0;
  for (const Segment& segment : segments) w += segment_width(d, segment, size);
  return w;
}

void draw_segments(Page& page, float x, float y, const std::vector<Segment>& segments, bool line_is_present,
                   float size = 16) {
  const float mark_h = size >= 16 ? 28 : 24;
  Draw& d = page.d;
  const Palette& c = page.c;
  float at = x;
  for (std::size_t i = 0; i < segments.size();) {  // marks first, under the text
    if (!segments[i].lit) {
      at += segment_width(d, segments[i++], size);
      continue;
    }
    const float start = at + segments[i].gap;
    while (i < segments.size() && segments[i].lit) at += segment_width(d, segments[i++], size);
    d.rect_filled(std::round(start) - 5, y - mark_h / 2, std::round(at - start) + 10, mark_h, c.mark, 4);
  }
  at = x;
  for (const Segment& segment : segments) {
    const bool strong = segment.lit || (segment.name && line_is_present);
    const Draw::RichStyle style{.size = size, .colour = strong ? c.ink : c.ink2};
    at += segment.gap;
    at += segment.root ? d.sqrt(at, y, segment.text, style) : d.rich(at, y, segment.text, style);
  }
}

std::vector<Segment> head_segments(const Page& page, std::string_view index) {
  using app::Step;
  const std::string i(index);
  const app::Step step = page.s.step;
  if (step <= Step::project)
    return {{.text = "head_{" + i + "} <q>=</q> ", .name = true},
            {.text = "Attention( "},
            {.text = "<b>X W</b>^{Q}_{" + i + "}, <b>X W</b>^{K}_{" + i + "}, <b>X W</b>^{V}_{" + i + "}",
             .lit = step == Step::project},
            {.text = " )"}};
  // Spaces beside a lit part are the mark's own margin.
  const bool softmax = step == Step::softmax, weigh = step == Step::weigh, all = softmax || weigh;
  std::vector<Segment> parts{
      {.text = "head_{" + i + "} <q>=</q> ", .name = true},
      {.text = softmax ? "<b>softmax</b>" : "softmax", .lit = all, .gap = all ? 6.f : 0.f},
      {.text = "( ", .lit = all, .gap = all ? 3.f : 0.f},
      {.text = "<b>Q</b>_{" + i + "} <b>K</b>_{" + i + "}^{T}", .lit = all || step == Step::score},
      {.text = " / ", .lit = all || step == Step::scale},
      {.text = "d_{k}", .lit = all || step == Step::scale, .root = true}};
  if (app::mask_is_on(page.s) || step == Step::mask)
    parts.push_back({.text = " + <b>M</b>", .lit = all || step == Step::mask, .gap = all ? 2.f : 8.f});
  parts.push_back({.text = all ? " )" : ")", .lit = all, .gap = all ? 0.f : parts.back().lit ? 7.f : 3.f});
  parts.push_back({.text = " <b>V</b>_{" + i + "}", .lit = weigh, .gap = softmax ? 4.f : 0.f});
  return parts;
}

}  // namespace

void Page::formula_multihead(float x, float y, float align, float width) {
  const bool concat = at(app::Step::concat), output = at(app::Step::output);
  std::vector<Segment> parts{
      {.text = at(app::Step::input) ? "MultiHead(<b>X</b>, <b>X</b>, <b>X</b>)"
                                    : "<q>MultiHead(</q><b>Q</b><q>, </q><b>K</b><q>, </q><b>V</b><q>)</q>",
       .lit = at(app::Step::input),
       .name = true},
      {.text = " = "},
      {.text = "Concat(head_{1}, …, head_{h})", .lit = concat || output, .gap = concat || output ? 10.f : 0.f},
      {.text = " <b>W</b>^{O}", .lit = output}};
  make_room(parts);
  float size = 16;
  while (size > 11 && align == 0 && segments_width(d, parts, size) + 6 > width) size -= 1;
  const float w = segments_width(d, parts, size);
  const float lit_margin = output ? 6.f : 0.f;
  draw_segments(*this, std::round(x - (w + lit_margin) * align), y, parts, concat || output, size);
}

float Page::formula_head_width(std::string_view index) {
  auto parts = head_segments(*this, index);
  make_room(parts);
  return segments_width(d, parts, 16);
}

void Page::formula_head(float x, float y, float align, std::string_view index, float width) {
  auto parts = head_segments(*this, index);
  make_room(parts);
  const bool present = s.step >= app::Step::project && s.step <= app::Step::weigh;
  float right_margin = 0;
  if (parts.back().lit) right_margin = 6;
  float size = 16;
  while (size > 11 && segments_width(d, parts, size) + 6 > width) size -= 1;
  draw_segments(*this, std::round(x - (segments_width(d, parts, size) + right_margin) * align), y, parts, present,
                size);
}

void Page::player_buttons(float right, float y, float h, float next_w, float play_w) {
  const bool last = at(app::Step::output);
  using Kind = ButtonStyle::Kind;
  button({right - next_w - 8 - play_w - 8 - 36, y, 36, h}, "", "previous", {.icon = Icon::previous},
         !at(app::Step::input));
  button({right - next_w - 8 - play_w, y, play_w, h}, s.playing ? "Pause" : "Play", s.playing ? "pause" : "play",
         {.icon = s.playing ? Icon::pause : Icon::play}, s.playing || !app::refusal_of(s, app::SetPlaying{true}));
  if (last)
    button({right - next_w, y, next_w, h}, "Again", "again", {.kind = Kind::primary});
  else
    button({right - next_w, y, next_w, h}, "Next", "next",
           {.kind = Kind::primary, .icon = Icon::next, .icon_after = true});
}

void Page::edit_buttons(float right, float y) {
  if (s.past.empty() && s.future.empty() && !app::any_edited(s)) return;
  const float reset_w = 56;
  button({right - reset_w - 72, y - 16, 32, 32}, "", "undo", {.kind = ButtonStyle::Kind::bare, .icon = Icon::undo},
         !s.past.empty());
  button({right - reset_w - 36, y - 16, 32, 32}, "", "redo", {.kind = ButtonStyle::Kind::bare, .icon = Icon::redo},
         !s.future.empty());
  button({right - reset_w, y - 16, reset_w, 32}, "Reset", "reset", {.kind = ButtonStyle::Kind::bare},
         app::any_edited(s));
}

void Page::menu_mark(float x, float y) { d.poly_filled({{x, y - 2}, {x + 7, y - 2}, {x + 3.5f, y + 2.5f}}, c.ink2); }

void Page::ribbons_to_lanes(float x, float y_top, float y_bottom, float lane_x, const std::vector<Rect>& lanes) {
  for (std::size_t k = 0; k < lanes.size(); ++k)
    d.ribbon(x, y_top, y_bottom, lane_x, lanes[k].y, lanes[k].y + lanes[k].h, head_colour(static_cast<int>(k)), 0.14f,
             0.55f);
}

void Page::notice() {
  if (s.notice.empty()) return;
  const float w = std::min(vp.width - 32, 720.f), x = std::round((vp.width - w) / 2);
  const std::string text = app::escape_rich(s.notice);
  const float text_w = w - 24 - 44;
  const bool narrow = vp.width < 720;
  const float size = narrow ? 12 : 14, pitch = narrow ? 17 : 20;
  const auto most = static_cast<int>((vp.height - 56 - 24 - 80) / pitch);
  const int lines = std::clamp(d.wrap_lines(text, size, Face::sans, text_w), 1, std::max(1, most));
  const float h = std::max(44.f, 24 + pitch * static_cast<float>(lines)), y = 56;
  Region card;  // a press on it puts it away, and goes no deeper
  card.rect = {x, y, w, h};
  card.action = "notice:";
  card.group = -1;
  add_region(card);
  d.rect_filled(x, y, w, h, c.surface, 8);
  d.rect(x, y, w, h, c.line2, {.radius = 8});
  d.push_clip(x, y, w, h);
  d.wrap(x + 16, y + h / 2 - pitch * static_cast<float>(lines - 1) / 2, text, {.size = size, .colour = c.ink}, text_w,
         pitch);
  d.pop_clip();
  button({x + w - 44, y + h / 2 - 16, 32, 32}, "", "notice:", {.kind = ButtonStyle::Kind::bare, .icon = Icon::close});
}

void Page::popover_ground(const Rect& r) {
  // A press anywhere else closes it: a region under the card, over the page.
  Region outside;
  outside.rect = {0, 0, vp.width, vp.height};
  outside.action = "ui:close";
  outside.group = -1;
  add_region(outside);
  d.rect_filled(r.x, r.y, r.w, r.h, c.surface, 8);
  d.rect(r.x, r.y, r.w, r.h, c.line2, {.radius = 8});
  Region card;  // its own ground: a press there neither closes it nor goes through
  card.rect = r;
  card.action = "ui:card";
  card.group = -1;
  add_region(card);
}

void Page::popover() {
  if (local.popover == Local::Popover::none) return;
  if (local.popover == Local::Popover::roles) {
    if (!folded_chips.empty()) roles_popover();
    return ring_on_popover();
  }
  if (local.popover == Local::Popover::sets) {
    if (v.practice.there) sets_popover();
    return ring_on_popover();
  }
  if (local.popover == Local::Popover::presets) {
    presets_popover();
    return ring_on_popover();
  }
  const bool menu = local.popover == Local::Popover::menu, walkthrough = s.page == app::Page::walkthrough;
  const bool pages = layout_for(vp) != Layout::full;  // there the header has no room for tabs
  const float w = std::min(280.f, vp.width - 32), row = 44;
  const float h = 16 +
                  row * ((menu && walkthrough ? 3.f : 0.f) + (pages ? static_cast<float>(app::kPages) : 0.f) + 2.f),
              y = 52;
  const float x = std::max(8.f, popover_right - w);
  popover_ground({x, y, w, h});
  float at_y = y + 8 + row / 2;
  const auto chips = [&](std::string_view label, const std::vector<std::pair<std::string, std::string>>& choices,
                         std::string_view chosen) {
    d.text(x + 16, at_y, label, {.size = 14, .colour = c.ink});
    float right = x + w - 12;
    std::vector<std::pair<Rect, std::string>> placed;  // right to left, pressed left to right
    for (auto it = choices.rbegin(); it != choices.rend(); ++it) {
      const bool on = it->second.substr(it->second.find(':') + 1) == chosen;
      const float cw = std::round(d.width(it->first, 12, on ? Face::bold : Face::sans)) + 20;
      const Rect r{right - cw, at_y - 12, cw, 24};
      if (on)
        d.rect_filled(r.x, r.y, r.w, r.h, c.ink, 12);
      else
        d.rect(r.x, r.y, r.w, r.h, c.line2, {.radius = 12});
      d.text(r.x + r.w / 2, at_y, it->first,
             {.size = 12, .face = on ? Face::bold : Face::sans, .colour = on ? c.on_ink : c.ink, .align = 0.5f});
      placed.emplace_back(r, it->second);
      right -= cw + 6;
    }
    for (auto it = placed.rbegin(); it != placed.rend(); ++it) region(it->first, it->second);
    at_y += row;
  };
  const auto name = [](auto value, std::string_view first, std::string_view second) {
    return static_cast<int>(value) == 0 ? std::string_view("automatic") : static_cast<int>(value) == 1 ? first : second;
  };
  if (pages)
    for (int i = 0; i < app::kPages; ++i) {
      const auto which = static_cast<app::Page>(i);
      const bool on = s.page == which;
      const std::string title = std::string(app::title_of(which)) + (local.awaited == which ? " …" : "");
      d.text(x + 16, at_y, title, {.face = on ? Face::bold : Face::sans, .colour = c.ink});
      if (on) d.icon(Icon::check, x + w - 26, at_y, c.ink);
      region({x + 4, at_y - row / 2, w - 8, row}, "page:" + std::string(app::name_of(which)));
      at_y += row;
    }
  if (menu && walkthrough)
    for (const auto& [label, action, enabled] : {std::tuple{"Undo", "undo", !s.past.empty()},
                                                 {"Redo", "redo", !s.future.empty()},
                                                 {"Reset all numbers", "reset", app::any_edited(s)}}) {
      d.text(x + 16, at_y, label, {.size = 14, .colour = enabled ? c.ink : c.ink3});
      region({x + 4, at_y - row / 2, w - 8, row}, action, enabled);
      at_y += row;
    }
  chips("Theme", {{"Page", "theme:automatic"}, {"Light", "theme:light"}, {"Dark", "theme:dark"}},
        name(s.theme, "light", "dark"));
  chips("Motion", {{"System", "motion:automatic"}, {"Full", "motion:full"}, {"Less", "motion:reduced"}},
        name(s.motion, "full", "reduced"));
  ring_on_popover();
}

void Page::ring_on_popover() {
  if (focus_rect_) d.focus_ring(focus_rect_->x, focus_rect_->y, focus_rect_->w, focus_rect_->h, focus_radius_);
}

void Page::editor() {
  const bool answer = local.editing_field == "answer", words = local.editing_field == "sentence" || answer;
  if (!local.editing && local.editing_field.empty()) return;
  const auto found = std::find_if(regions_.begin(), regions_.end(), [&](const Region& r) {
    return local.editing ? r.kind == Region::Kind::cell && r.cell == *local.editing
                         : r.action == std::string(kEditAction) + local.editing_field;
  });
  if (found == regions_.end()) return;
  TextStyle style{.size = 13, .face = Face::mono_medium, .colour = c.ink};
  if (answer)
    style.size = 16;
  else if (words)
    style.size = 14, style.face = Face::sans;
  const float text_w = d.width(local.edit_text, style.size, style.face);
  const float w = words ? found->rect.w : std::max(found->rect.w + 8, text_w + 20),
              h = std::max(found->rect.h - 2, 24.f);
  const float x = found->rect.x + found->rect.w / 2 - w / 2, y = found->rect.y + found->rect.h / 2 - h / 2;
  d.rect_filled(x, y, w, h, c.surface, 4);
  d.rect(x - 1, y - 1, w + 2, h + 2, c.focus, {.width = 2, .radius = 5});
  const float before_caret = d.width(std::string_view(local.edit_text).substr(0, local.caret), style.size, style.face);
  // Words start at the left and move when the caret would leave the field; a number stands in the middle.
  const float text_x = words ? x + (answer ? 14 : 10) - std::max(0.f, before_caret - (w - 20)) : x + (w - text_w) / 2;
  d.push_clip(x, y, w, h);
  if (local.all_selected) d.rect_filled(text_x - 1, y + h / 2 - 9, text_w + 2, 18, c.mark, 2);
  d.text(text_x, y + h / 2, local.edit_text, style);
  const float caret_x = text_x + before_caret;
  if (!local.all_selected) d.rect_filled(std::round(caret_x), y + h / 2 - 9, 1, 18, c.ink);
  d.pop_clip();
  if (!local.edit_refusal.empty()) {
    const std::string text = app::escape_rich(local.edit_refusal);
    const float note_w = std::min(360.f, vp.width - 32);
    const auto lines = static_cast<float>(d.wrap_lines(text, 12, Face::sans, note_w - 20));
    const float nx = std::clamp(x, 16.f, vp.width - note_w - 16), ny = y + h + 8;
    d.rect_filled(nx, ny, note_w, 12 + 18 * lines, c.surface, 6);
    d.rect(nx, ny, note_w, 12 + 18 * lines, c.warn, {.radius = 6});
    d.wrap(nx + 10, ny + 15, text, {.size = 12, .colour = c.ink}, note_w - 20, 18);
  }
}

}  // namespace ui
