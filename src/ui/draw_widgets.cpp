// The system's widgets (DESIGN-SYSTEM.md, 5): rings, marks, badge, buttons, toggle, and the icons' strokes.
#include "ui/draw.hpp"

#include <cmath>
#include <numbers>

namespace ui {
namespace {

constexpr float kIconStroke = 1.75f;
constexpr float kPi = std::numbers::pi_v<float>;

}  // namespace

void Draw::hover_ring(float x, float y, float w, float h, Colour background) {
  rect(x - 4, y - 4, w + 8, h + 8, c.ink, {.width = 2, .radius = 6});
  rect(x - 2, y - 2, w + 4, h + 4, background, {.width = 2, .radius = 4});
}

void Draw::focus_ring(float x, float y, float w, float h, float radius) {
  rect(x - 4, y - 4, w + 8, h + 8, c.focus, {.width = 2, .radius = radius + 4});
}

void Draw::updated_ring(float x, float y, float w, float h, float alpha) {
  rect(x - 2, y - 2, w + 4, h + 4, c.mark_line, {.width = 2, .radius = 4, .alpha = alpha});
}

void Draw::edited_notch(float x, float y, float w, float h) {
  const float side = h < 24 ? 5 : 8;  // in low cells it would lie over the last digit
  const float right = edge(x + w - 1), top = edge(y + (h < 24 ? 1 : 2));
  poly_filled({{right - side, top}, {right, top}, {right, top + side}}, c.mark_line);
}

void Draw::editable_dots(float x_mid, float y_mid) {
  line(x_mid - 6, y_mid + 9, x_mid + 6, y_mid + 9, c.line2, {.dash = 1, .gap = 2});
}

void Draw::badge(float x, float y_mid, int head, float size) {
  const Colour colour = head >= 0 && head < 3 ? c.head[head] : c.ink3;  // no more hues than three
  rect_filled(x, y_mid - 9, 18, 18, colour, 4);
  text(x + 9, y_mid, std::to_string(head + 1),
       {.size = size, .face = Face::mono_bold, .colour = text_on(colour), .align = 0.5f});
}

void Draw::button(float x, float y, float w, float h, std::string_view label, const ButtonStyle& style) {
  using Kind = ButtonStyle::Kind;
  const bool filled = style.kind == Kind::primary && style.enabled, hovered = style.hovered && style.enabled;
  if (filled) {
    rect_filled(x, y, w, h, c.ink, 6, hovered ? 0.9f : 1);
  } else if (style.kind == Kind::bare) {
    if (hovered) rect_filled(x, y, w, h, c.sunk, 6);
  } else {
    rect_filled(x, y, w, h, hovered ? c.sunk : c.surface, 6);
    rect(x, y, w, h, style.enabled ? c.line2 : c.line, {.radius = 6});
  }
  const Colour colour = filled ? c.on_ink : style.enabled ? c.ink : c.ink3;
  const Face face = style.kind == Kind::primary ? Face::bold : Face::sans;
  const float label_width = label.empty() ? 0 : width(label, style.size, face);
  const float icon_width = style.icon == Icon::none ? 0 : 10, gap = icon_width > 0 && !label.empty() ? 7 : 0;
  float at = x + (w - label_width - icon_width - gap) / 2;
  const float middle = y + h / 2;
  if (icon_width > 0 && !style.icon_after) {
    icon(style.icon, at, middle, colour);
    at += icon_width + gap;
  }
  if (!label.empty()) text(at, middle, label, {.size = style.size, .face = face, .colour = colour});
  if (icon_width > 0 && style.icon_after) icon(style.icon, at + label_width + gap, middle, colour);
  if (style.focused) focus_ring(x, y, w, h, 6);
}

void Draw::icon(Icon icon, float x, float y, Colour colour) {
  flush();
  const auto strokes = [&](const Points& points) { stroke(points, false, kIconStroke, colour, 1, true); };
  // An arrow around most of a circle, its head at the end on the left (undo) or, mirrored, on the right (redo).
  const auto turn = [&](float side) {
    const auto across = [&](float dx) { return x + 5 + side * dx; };
    strokes({{across(-1.6f), y - 5.6f}, {across(-4.4f), y - 2.8f}, {across(-1.6f), y}});
    Points way{{across(-4.2f), y - 2.8f}};
    for (const ImVec2& p : arc(1.2f, 0.7f, 3.5f, -kPi / 2, kPi / 2)) way.push_back({across(p.x), y + p.y});
    way.push_back({across(-2.4f), y + 4.2f});
    strokes(way);
  };
  switch (icon) {
    case Icon::none:
      return;
    case Icon::previous:
      return strokes({{x + 7, y - 5}, {x + 2, y}, {x + 7, y + 5}});
    case Icon::next:
      return strokes({{x + 2, y - 5}, {x + 7, y}, {x + 2, y + 5}});
    case Icon::play:
      return poly_filled({{x + 1, y - 5}, {x + 10, y}, {x + 1, y + 5}}, colour);
    case Icon::pause:
      rect_filled(x + 1, y - 5, 3, 10, colour, 0.5f);
      return rect_filled(x + 6, y - 5, 3, 10, colour, 0.5f);
    case Icon::undo:
      return turn(1);
    case Icon::redo:
      return turn(-1);
    case Icon::close:
      strokes({{x + 1, y - 4}, {x + 9, y + 4}});
      return strokes({{x + 1, y + 4}, {x + 9, y - 4}});
    case Icon::menu:
      for (const float dy : {-4.0f, 0.0f, 4.0f}) strokes({{x, y + dy}, {x + 10, y + dy}});
      return;
    case Icon::check:
      return strokes({{x + 0.75f, y}, {x + 3.75f, y + 3}, {x + 9.25f, y - 3.5f}});
    case Icon::theme:
      ring(x + 5, y, 6, colour, 1.5f);
      return fill(arc(x + 5, y, 6, -kPi / 2, kPi / 2), colour, 1);
  }
}

void Draw::toggle(float x, float y, bool on, bool focused) {
  constexpr float kWidth = 32, kHeight = 18;
  if (on) {
    rect_filled(x, y, kWidth, kHeight, c.ink, 9);
    circle(x + kWidth - 9, y + 9, 6, c.bg);
  } else {
    rect_filled(x, y, kWidth, kHeight, c.surface, 9);
    rect(x, y, kWidth, kHeight, c.line2, {.width = 1.5f, .radius = 8});
    ring(x + 9, y + 9, 5, c.line2, 1.5f);
  }
  if (focused) focus_ring(x, y, kWidth, kHeight, 9);
}

void Draw::slider(float x, float y, float w, float share, bool enabled) {
  const float knob = std::round(x + w * share);
  if (!enabled) {  // locked: a thin track and a dot
    rect_filled(x, y - 1, w, 2, c.line, 1);
    return circle(knob, y, 4, c.ink3);
  }
  rect_filled(x, y - 1, w, 2, c.line2, 1);
  rect_filled(x, y - 2, knob - x, 4, c.ink, 2);
  circle(knob, y, 8, c.bg);
  ring(knob, y, 8, c.ink, 2);
  circle(knob, y, 3, c.ink);
}

float Draw::chip_width(std::string_view label, std::string_view count, bool on) const {
  const float text_w = width(label, 12, on ? Face::bold : Face::sans);
  const float bias = 0.02f;  // widths that are a half but for rounding go down, as in the drawings
  return std::round(text_w + (count.empty() ? 0 : width(count, 12, Face::mono)) - bias) + (count.empty() ? 20.f : 26.f);
}

float Draw::chip(float x, float y, std::string_view label, std::string_view count, bool on, bool hovered) {
  constexpr float kHeight = 24;
  const float w = chip_width(label, count, on);
  if (on) {
    rect_filled(x, y, w, kHeight, c.ink, 12, hovered ? 0.9f : 1);
  } else {
    if (hovered) rect_filled(x, y, w, kHeight, c.sunk, 12);
    rect(x, y, w, kHeight, c.line2, {.radius = 12});
  }
  const float text_w =
      text(x + 10, y + 12, label, {.size = 12, .face = on ? Face::bold : Face::sans, .colour = on ? c.on_ink : c.ink});
  if (!count.empty())
    text(x + 10 + text_w + 6, y + 12, count, {.size = 12, .face = Face::mono, .colour = on ? c.on_ink : c.ink2});
  return w;
}

void Draw::logo(float x, float y_mid) {
  rect_filled(x, y_mid - 8, 4, 16, c.head[0], 1);
  rect_filled(x + 6, y_mid - 4, 4, 12, c.head[1], 1);
  rect_filled(x + 12, y_mid - 6, 4, 14, c.head[2], 1);
}

void Draw::theme_icon(float x, float y) {
  icon(Icon::theme, x - 5, y, c.ink2);
}

}  // namespace ui
