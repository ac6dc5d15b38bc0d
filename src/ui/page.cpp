// Matrices, rings and small questions: what all layouts draw with.
#include "ui/page.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace ui {

namespace {

constexpr float kMonoAdvance = 0.6f;  // em, of JetBrains Mono
constexpr double kSignedRange = 4;    // diverging colours run from -4 to 4

bool is_signed(app::Tensor tensor) { return tensor != app::Tensor::pattern; }

float colour_position(app::Tensor tensor, double value) {
  if (!is_signed(tensor)) return static_cast<float>(std::clamp(value, 0.0, 1.0));
  return static_cast<float>(0.5 + 0.5 * std::clamp(value / kSignedRange, -1.0, 1.0));
}

}  // namespace

Page::Page(Draw& draw, const app::State& state, const app::Derived& derived, const Viewport& viewport,
           Animation& animation, Local& local_state, std::vector<Region>& regions,
           const std::vector<Region>& last_regions)
    : d(draw),
      c(draw.c),
      s(state),
      v(derived),
      vp(viewport),
      strip(app::strip_of(state, derived)),
      anim(animation),
      local(local_state),
      regions_(regions),
      last_(last_regions) {}

std::string Page::token(int i) const { return app::escape_rich(s.document.tokens[static_cast<std::size_t>(i)]); }

std::string Page::head_name(int head) const {
  const auto i = static_cast<std::size_t>(head);
  return i < s.document.head_names.size() ? app::escape_rich(s.document.head_names[i]) : std::string();
}

app::Tensor Page::scaled_tensor() const { return app::scaled_place(s); }

bool Page::is_hot_row(app::Tensor tensor, int head, int row) const {
  return v.shown && v.shown->tensor == tensor && v.shown->head == head && v.shown->row == row &&
         app::stage_of(s, tensor) == app::Stage::present;
}

std::optional<Rect> Page::last_rect(const app::Cell& cell) const {
  for (const Region& r : last_)
    if (r.kind == Region::Kind::cell && r.cell == cell) return r.rect;
  return std::nullopt;
}

int Page::fitting_decimals(const Spot& spot, int rows, int cols) const {
  // The same in every head, so that columns of numbers compare; whole matrices need none.
  const auto characters = static_cast<int>((spot.cell_w - 1.95f) / (kMonoAdvance * spot.font_px));
  double largest = 0;
  bool whole = true, negative = false;
  const int first = spot.head >= 0 ? 0 : -1, last = spot.head >= 0 ? heads() - 1 : -1;
  for (int head = first; head <= last; ++head)
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < cols; ++j) {
        const double value = app::value_of(s, v, {spot.tensor, head, i, j});
        if (!std::isfinite(value)) continue;
        largest = std::max(largest, std::abs(value));
        if (head == spot.head) whole = whole && value == std::floor(value);
        negative = negative || value < 0;
      }
  if (whole) return 0;
  const int digits = largest < 10 ? 1 : static_cast<int>(std::floor(std::log10(largest))) + 1;
  const int room = characters - digits - 1 - (negative ? 1 : 0);
  return std::clamp(room, 1, spot.most_decimals);
}

std::string Page::fitting_text(double value, int decimals, float cell_w, float& size) {
  // A number never loses its sign or a digit before the point: smaller type first, then fewer decimals, then powers.
  constexpr float kSmallest = 10, kMargin = 1;
  std::string text = app::format_number(value, decimals);
  const auto characters = [](std::string_view s) {  // UTF-8: what doesn't continue a character begins one
    return static_cast<float>(std::count_if(s.begin(), s.end(), [](char ch) { return (ch & 0xC0) != 0x80; }));
  };
  const auto fits = [&] { return characters(text) * kMonoAdvance * size <= cell_w - kMargin; };
  const float full = size;
  while (!fits() && size > kSmallest) size -= 0.5f;
  for (int fewer = decimals - 1; !fits() && fewer >= 0; --fewer) text = app::format_number(value, fewer);
  while (!fits() && size > 9) size -= 0.5f;
  if (!fits()) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.0e", value);
    text.clear();
    for (const char* at = buffer; *at != 0; ++at) {  // 1e+04 is written 1e4
      if (*at == '+' || (*at == '0' && (at[-1] == '+' || at[-1] == '-') && at > buffer)) continue;
      text += *at == '-' ? std::string("−") : std::string(1, *at);
    }
  }
  size = full;
  while (!fits() && size > 8) size -= 0.5f;
  return text;
}

int Page::own_decimals(const Spot& spot, double value, int decimals) {
  // What is given or small is written as briefly as it can be: 1 and 0.5, not 1.0 and 0.5.
  const bool brief = attention::is_given(spot.tensor) || spot.tensor == app::Tensor::Q ||
                     spot.tensor == app::Tensor::K || spot.tensor == app::Tensor::V;
  if (!brief) return decimals;
  double scale = 1;
  const int most = std::max(decimals, attention::is_given(spot.tensor) ? 2 : decimals);
  for (int digits = 0; digits < most; ++digits, scale *= 10)
    if (std::abs(value * scale - std::round(value * scale)) < 1e-9) return digits;
  return most;
}

void Page::number(const Spot& spot, const app::Cell& cell, const Rect& rect, int decimals, app::Stage stage) {
  const double value = app::value_of(s, v, cell);
  const bool present = stage == app::Stage::present;
  const bool masked = cell.tensor == app::Tensor::masked && std::isinf(value);
  const bool switched_off =
      cell.tensor == app::Tensor::pattern && !attention::is_allowed(s.document.input, cell.row, cell.col);
  const bool operand = app::is_operand(v, cell);
  const Rect inner{rect.x + 1, rect.y + (rect.h < 20 ? 0.5f : 1.f), rect.w - 2, rect.h - (rect.h < 20 ? 1.f : 2.f)};

  Animation::Arrival arrival{1, 1};
  if (present) arrival = anim.arrival(cell.row);

  Colour ink = c.ink;
  Colour background = c.bg;
  Face face = Face::mono;
  if (operand && !present) {
    d.rect_filled(inner.x, inner.y, inner.w, inner.h, c.mark, rect.h < 20 ? 2.f : 3.f);
    background = c.mark;
    face = Face::mono_medium;
  } else if (masked || switched_off) {
    d.rect_filled(inner.x, inner.y, inner.w, inner.h, c.sunk, 2);
    d.rect(inner.x, inner.y, inner.w, inner.h, c.line2, {.radius = 2});
    background = c.sunk;
    ink = c.ink3;
  } else if (present) {
    const float t = colour_position(cell.tensor, value);
    d.cell(inner.x, inner.y, inner.w, inner.h, t, is_signed(cell.tensor), 2, arrival.fill);
    background = d.table_colour(t, is_signed(cell.tensor));
    if (arrival.fill >= 0.5f) ink = text_on(background);
    face = Face::mono_medium;
    if (operand) d.rect(inner.x, inner.y, inner.w, inner.h, c.mark_line, {.width = 2, .radius = 2});
  } else if (spot.tinted) {
    background = blend(head_colour(cell.col / std::max(1, s.document.config.d_v)), c.bg, 0.14f);
    d.rect_filled(inner.x, inner.y, inner.w, inner.h, background, 2);
  }
  if (!present && !operand && cell.tensor == app::Tensor::W_O && value == 0) ink = c.ink3;
  if (app::is_edited(s, cell)) face = Face::mono_medium;

  float x = rect.x + rect.w / 2, y = rect.y + rect.h / 2;
  if (arrival.travel < 1) {
    const auto explanation = attention::explain(s.document.config, s.document.input, s.document.weights, cell);
    std::optional<Rect> from;
    if (!explanation.operands.empty())
      from = last_rect(explanation.operands[static_cast<std::size_t>(explanation.own)]);
    else if (!explanation.products.empty())
      from = last_rect(explanation.products.front().a);
    if (from) {
      x = from->x + from->w / 2 + (x - from->x - from->w / 2) * arrival.travel;
      y = from->y + from->h / 2 + (y - from->y - from->h / 2) * arrival.travel;
    }
  }
  const bool editing_here = local.editing && *local.editing == cell;
  if (!editing_here) {
    float size = spot.font_px;
    const std::string text = masked         ? app::format_number(value, 0)
                             : switched_off ? std::string("0")
                                            : fitting_text(value, own_decimals(spot, value, decimals), rect.w, size);
    d.text(x, y, text, {.size = size, .face = face, .colour = ink, .align = 0.5f});
    if (spot.dots) d.editable_dots(rect.x + rect.w / 2, rect.y + rect.h / 2);
  }
  if (app::is_edited(s, cell)) d.edited_notch(rect.x, rect.y, rect.w, rect.h);
  if (const float pulse = anim.pulse(cell); pulse > 0) d.updated_ring(inner.x, inner.y, inner.w, inner.h, pulse);

  if (v.shown && *v.shown == cell && !shown_rect_ && !editing_here) {
    shown_rect_ = inner;
    shown_clip_ = clip_;
    shown_background_ = present ? c.surface : c.bg;
  }
  if (s.focused && *s.focused == cell && local.show_focus) {
    focus_rect_ = inner;
    focus_clip_ = clip_;
    focus_radius_ = 2;
  }
}

void Page::matrix(const Spot& spot) {
  const auto shape = attention::shape_of(s.document.config, spot.tensor);
  app::Stage stage = app::stage_of(s, spot.tensor);
  // Weights are given: at their step they stand settled beside what they make.
  if (stage == app::Stage::present && attention::is_given(spot.tensor) && spot.tensor != app::Tensor::X)
    stage = app::Stage::past;
  if (stage == app::Stage::future) {
    if (!spot.hidden_when_future) d.outline(spot.x, spot.y, shape.rows, shape.cols, spot.cell_w, spot.cell_h);
    return;
  }
  next_group();
  const float w = static_cast<float>(shape.cols) * spot.cell_w, h = static_cast<float>(shape.rows) * spot.cell_h;
  if (stage == app::Stage::past && !spot.tinted && !spot.bare) {
    const bool small = spot.tensor == app::Tensor::W_O;
    d.bracket(spot.x - 3, spot.y - (small ? 2.f : 1.f), w + 6, h + (small ? 4.f : 2.f),
              spot.head >= 0 ? head_colour(spot.head) : c.ink3);
  }
  const int decimals = fitting_decimals(spot, shape.rows, shape.cols);
  for (int i = 0; i < shape.rows; ++i)
    for (int j = 0; j < shape.cols; ++j) {
      const app::Cell cell{spot.tensor, spot.head, i, j};
      const Rect rect{spot.x + static_cast<float>(j) * spot.cell_w, spot.y + static_cast<float>(i) * spot.cell_h,
                      spot.cell_w, spot.cell_h};
      number(spot, cell, rect, decimals, stage);
      Region number_region;
      number_region.kind = Region::Kind::cell;
      number_region.rect = rect;
      number_region.cell = cell;
      number_region.editable = attention::is_given(spot.tensor);
      number_region.group = group_;
      number_region.font_px = spot.font_px;
      add_region(number_region);
    }
}

void Page::clip(const Rect& area) {
  clip_ = area;
  d.push_clip(area.x, area.y, area.w, area.h);
}

void Page::unclip() {
  clip_.reset();
  d.pop_clip();
}

void Page::add_region(Region region) {
  region.visible = region.rect;
  if (clip_) {  // what is scrolled away can be focused (it then scrolls into view) but not pointed at
    const float top = std::max(region.rect.y, clip_->y);
    const float bottom = std::min(region.rect.y + region.rect.h, clip_->y + clip_->h);
    region.visible.y = top;
    region.visible.h = std::max(0.f, bottom - top);
  }
  regions_.push_back(std::move(region));
}

void Page::region(const Rect& rect, const std::string& action, bool enabled) {
  next_group();
  region_beside(rect, action, false, enabled);
}

void Page::region_beside(const Rect& rect, const std::string& action, bool chosen, bool enabled) {
  Region pressable;
  pressable.rect = rect;
  pressable.action = action;
  pressable.enabled = enabled;
  pressable.chosen = chosen;
  pressable.group = group_;
  add_region(pressable);
  ring_if_focused(rect, action);
}

void Page::ring_if_focused(const Rect& rect, const std::string& action, float radius) {
  if (!local.show_focus || local.focused_button != action) return;  // also when it has just become disabled
  focus_rect_ = rect;
  focus_clip_ = clip_;
  focus_radius_ = radius;
}

void Page::map_region(const Rect& rect, int rows, int cols, const Rect& focused) {
  next_group();
  Region map;
  map.kind = Region::Kind::map;
  map.rect = rect;
  map.rows = rows;
  map.cols = cols;
  map.group = group_;
  add_region(map);
  if (!s.gallery.focused || !local.show_focus) return;
  focus_rect_ = focused;
  focus_clip_ = clip_;
  focus_radius_ = 6;
}

void Page::slider_region(const Rect& rect, const std::string& name, std::vector<std::string> stops,
                         std::vector<float> places, int stop) {
  next_group();
  Region slider;
  slider.kind = Region::Kind::slider;
  slider.rect = rect;
  slider.action = name;
  slider.stops = std::move(stops);
  slider.places = std::move(places);
  slider.stop = stop;
  slider.group = group_;
  // The ring is the knob's: a circle around it.
  const auto at = static_cast<std::size_t>(std::max(0, stop));
  const bool knob = at < slider.places.size();
  const Rect ring = knob ? Rect{std::round(slider.places[at]) - 8, rect.y + rect.h / 2 - 8, 16, 16} : rect;
  add_region(std::move(slider));
  ring_if_focused(ring, name, knob ? 8 : 6);
}

void Page::button(const Rect& rect, std::string_view label, const std::string& action, ButtonStyle style,
                  bool enabled) {
  style.enabled = enabled;
  style.hovered = enabled && local.pointer_inside && rect.contains(local.pointer_x, local.pointer_y);
  d.button(rect.x, rect.y, rect.w, rect.h, label, style);
  region(rect, action, enabled);
}

void Page::band(const Rect& target) {
  const Rect r = anim.band(target);
  d.rect_filled(r.x, r.y, r.w, r.h, c.surface, 8);
  d.rect(r.x, r.y, r.w, r.h, c.line, {.radius = 8});
}

void Page::row_arrow(float from, float to, float y, app::Tensor into, int head, int row, app::Step step, float slack) {
  if (!reached(step))
    d.line(from - slack, y, to + slack, y, c.line2, {.dash = 2, .gap = 3});
  else if (is_hot_row(into, head, row))
    d.hot_arrow(from, to, y);
  else
    d.arrow(from, to, y, c.line2);
}

void Page::draw_rings() {
  const Rect everything{0, 0, vp.width, vp.height};
  if (shown_rect_) {
    const Rect area = shown_clip_.value_or(everything);
    d.push_clip(area.x, area.y, area.w, area.h);
    d.hover_ring(shown_rect_->x, shown_rect_->y, shown_rect_->w, shown_rect_->h, shown_background_);
    d.pop_clip();
  }
  if (focus_rect_) {
    const Rect area = focus_clip_.value_or(everything);
    d.push_clip(area.x, area.y, area.w, area.h);
    // Both rings may show: the keyboard's stands outside the pointer's.
    const float out = shown_rect_ && shown_rect_->x == focus_rect_->x && shown_rect_->y == focus_rect_->y ? 4.f : 0.f;
    d.focus_ring(focus_rect_->x - out, focus_rect_->y - out, focus_rect_->w + 2 * out, focus_rect_->h + 2 * out,
                 focus_radius_ + out);
    d.pop_clip();
  }
  const bool inside = s.focused.has_value() || !local.focused_button.empty();
  if (local.keyboard_here && local.show_focus && !inside)
    d.rect(0, 0, vp.width, vp.height, c.focus, {.width = 2, .radius = 0});
}

void Page::editable_note(float x, float y) {
  std::string text = "Click a number to change it";
  if (at(app::Step::project)) text = "Click a number in <b>X</b> or <b>W</b> to change it";
  if (at(app::Step::output)) text = "Click a number in <b>X</b> or <b>W</b>^{O} to change it";
  d.rich(x, y, text, {.size = 12, .colour = c.ink2});
}

void Page::causal_toggle(float x, float y, float hit_h) {
  const bool on = app::is_causal(s);
  d.toggle(x, y - 9, on, false);
  d.text(x + 42, y, "Causal mask", {.size = 14, .colour = c.ink});
  if (hit_h > 40 || vp.width >= 1120)
    d.text(x, y + 25, vp.touch || vp.width < 720 ? "or tap a score" : "or click a score to close it",
           {.size = 12, .colour = c.ink2});
  region({x - 4, y - hit_h / 2, 42 + d.width("Causal mask", 14, Face::sans) + 8, hit_h},
         on ? "causal:off" : "causal:on");
}

std::string with_superscripts(std::string_view plain) {
  std::string rich = app::escape_rich(plain);
  for (std::size_t place = 0; (place = rich.find("\\^", place)) != std::string::npos; place += 4)
    if (place + 2 < rich.size()) rich.replace(place, 3, "^{" + rich.substr(place + 2, 1) + "}");
  return rich;
}

void Page::finish() {
  draw_rings();
  notice();
  popover();
  if (local.built_in_editor) editor();
}

}  // namespace ui
