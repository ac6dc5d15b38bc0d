// The drawing hand: the design system's primitives on one ImDrawList, in CSS
// pixels. A port of the drawings' own calls, so that coordinates carry over.
#pragma once

#include "render/render.hpp"

#include "imgui.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ui {

using Colour = std::uint32_t;  // 0xRRGGBB

struct Palette {
  bool dark;
  Colour bg, surface, sunk, line, line2, ink, ink2, ink3, mark, mark_line, focus, good, warn, on_ink;
  Colour head[3];
  std::uint32_t seq[5], div[5];
};
const Palette& palette(bool dark);

Colour blend(Colour top, Colour bottom, float alpha);
/// Black or white, whichever reads better on `fill`: linear luminance >= 0.179 takes black.
Colour text_on(Colour fill);

enum class Face : std::uint8_t { sans, bold, italic, mono, mono_medium, mono_bold };
enum class Icon : std::uint8_t { none, previous, next, play, pause, undo, redo, close, theme, menu, check };
enum class Direction : std::uint8_t { right, down, left, up };

/// The loaded faces. One per ImGui context.
struct Fonts { ImFont* face[6] = {}; };
Fonts load_fonts(ImFontAtlas& atlas);

struct TextStyle {
  float size = 14;        // em, in CSS pixels
  Face face = Face::sans;
  Colour colour = 0;
  float align = 0;        // 0 left, 0.5 centre, 1 right of x
  bool baseline = false;  // y is the baseline, else the vertical middle of a capital
  float alpha = 1;
};

struct StrokeStyle {
  float width = 1;
  float radius = 0;
  float dash = 0, gap = 0;  // 0: solid
  float alpha = 1;
};

struct ButtonStyle {
  enum class Kind : std::uint8_t { ghost, primary, bare } kind = Kind::ghost;
  Icon icon = Icon::none;
  float size = 14;
  bool icon_after = false;  // "Next >"
  bool focused = false, enabled = true, hovered = false;
};

/// One frame's drawing. Shader drawings keep their place in the order of calls.
class Draw {
 public:
  /// `alpha` dims everything drawn until it is set back (fades).
  Draw(ImDrawList& list, const Palette& colours, const Fonts& fonts, render::Renderer* renderer,
       const render::Frame& frame, const render::ColourTable& seq, const render::ColourTable& div);
  ~Draw();
  Draw(const Draw&) = delete;
  Draw& operator=(const Draw&) = delete;

  const Palette& c;
  /// For what isn't here. Shader drawings up to now come before what is added to it.
  ImDrawList& list();
  void set_alpha(float alpha) { alpha_ = alpha; }
  void push_clip(float x, float y, float w, float h);
  void pop_clip();

  // shapes; x y w h as the drawings give them; a stroke lies inside its rectangle
  void rect_filled(float x, float y, float w, float h, Colour fill, float radius = 0, float alpha = 1);
  void rect(float x, float y, float w, float h, Colour stroke, const StrokeStyle& style = {});
  void line(float x1, float y1, float x2, float y2, Colour stroke, const StrokeStyle& style = {});
  void polyline(const std::vector<ImVec2>& points, Colour stroke, float width, bool closed = false);
  void poly_filled(const std::vector<ImVec2>& points, Colour fill, float alpha = 1);  // convex
  void circle(float x, float y, float radius, Colour fill);
  void ring(float x, float y, float radius, Colour stroke, float width);
  void arrow_head(float x, float y, Colour colour, float size = 5, Direction direction = Direction::right);
  void arrow(float x0, float x1, float y, Colour colour);            // 1 px, 5 px head, tip at x1
  void hot_arrow(float x0, float x1, float y);                       // 2 px mark_line, 8 px head
  void hatch(float x, float y, float w, float h, Colour colour, float step = 6);
  void bracket(float x, float y, float w, float h, Colour colour);   // both brackets of a settled matrix
  void dash_rect(float x, float y, float w, float h, float alpha = 0.75f);
  /// Not reached yet: one dashed frame and a hairline grid.
  void outline(float x, float y, int rows, int cols, float cell_w, float cell_h, float alpha = 0.6f);

  // drawn by shaders
  void cell(float x, float y, float w, float h, float t, bool diverging, float radius = 2, float alpha = 1);
  void ribbon(float x0, float y0a, float y0b, float x1, float y1a, float y1b, Colour colour, float alpha = 0.14f,
              float bend = 0.5f);
  /// A whole map out of render::Renderer::set_maps; without graphics an empty one.
  void map(float x, float y, float w, float h, int map, float alpha = 1);
  /// A horizontal colour scale, its frame and its ticks; labels in mono 12.
  void colour_scale(float x, float y, float w, float h, bool diverging,
                    const std::vector<std::pair<float, std::string>>& ticks);
  Colour table_colour(float t, bool diverging) const;  // what `cell` fills with

  // text; returns the width
  float text(float x, float y, std::string_view plain, const TextStyle& style);
  /// Turned by 90 degrees: reads upward from `y`, and `x` is the middle of a capital.
  float text_up(float x, float y, std::string_view plain, const TextStyle& style);
  float width(std::string_view plain, float size, Face face) const;
  /// Cut with "…" where it is wider than `most`.
  std::string fitting(std::string_view plain, float size, Face face, float most) const;
  struct RichStyle {
    float size = 14;
    Face face = Face::sans;
    Colour colour = 0;
    float align = 0;
    bool baseline = false;
    float chip_height = 0;   // 0: as tall as its text
    float chip_pad = 3;
    Colour chip = 0;         // 0: mark
    float alpha = 1;
  };
  float rich(float x, float y, std::string_view source, const RichStyle& style);
  float rich_width(std::string_view source, float size, Face face = Face::sans) const;
  /// Breaks at spaces; returns the height used.
  float wrap(float x, float y, std::string_view source, const RichStyle& style, float width, float line_height);
  int wrap_lines(std::string_view source, float size, Face face, float width) const;
  float sqrt(float x, float y, std::string_view source, const RichStyle& style);  // radical sign over rich text
  float sqrt_width(std::string_view source, float size, Face face = Face::sans) const;
  float fraction(float x, float y, std::string_view above, std::string_view below, const RichStyle& style,
                 bool root_below = false);
  float fraction_width(std::string_view above, std::string_view below, float size, Face face,
                       bool root_below = false) const;

  // widgets of the system
  void hover_ring(float x, float y, float w, float h, Colour background);
  void focus_ring(float x, float y, float w, float h, float radius = 4);
  void updated_ring(float x, float y, float w, float h, float alpha);  // around the coloured cell, like hover_ring
  void edited_notch(float x, float y, float w, float h);               // in the whole cell: its pitch, gaps included
  void editable_dots(float x_mid, float y_mid);
  void badge(float x, float y_mid, int head, float size = 12);   // 18 px square with the head's number
  void button(float x, float y, float w, float h, std::string_view label, const ButtonStyle& style = {});
  void icon(Icon icon, float x, float y_mid, Colour colour);     // in a 10 px wide box
  void toggle(float x, float y, bool on, bool focused);          // 32 x 18
  void slider(float x, float y_mid, float w, float share, bool enabled = true);
  /// 24 tall; `count` in mono behind the label. Returns its width.
  float chip(float x, float y, std::string_view label, std::string_view count, bool on, bool hovered = false);
  float chip_width(std::string_view label, std::string_view count, bool on) const;
  void logo(float x, float y_mid);
  void theme_icon(float x, float y);                             // its middle; 12 px wide, ink2

 private:
  struct Run;
  std::vector<Run> layout(std::string_view source, float size, Face face, Colour colour, float& width) const;
  std::vector<std::string> break_lines(std::string_view source, float size, Face face, float width) const;

  // device pixels (draw.cpp)
  bool whole_ratio() const;
  float on_pixel(float v) const;            // to the nearest device pixel
  float edge(float v) const;                // whole CSS pixels go to whole device pixels, others stay
  float stroke_width(float width) const;    // whole device pixels where the ratio is broken (1.5)
  ImU32 ink(Colour colour, float alpha) const;

  // outlines (draw_outline.cpp)
  using Points = std::vector<ImVec2>;
  void box(float x0, float y0, float x1, float y1, Colour colour, float alpha);  // exact coverage of each pixel
  void fill(const Points& clockwise, Colour colour, float alpha);
  void stroke(const Points& points, bool closed, float width, Colour colour, float alpha, bool round_ends = false);
  void dashes(const Points& points, bool closed, const StrokeStyle& style, Colour colour);
  Points round_box(float x0, float y0, float x1, float y1, float radius) const;
  Points arc(float x, float y, float radius, float from, float to) const;
  float text_at(float x, float baseline, std::string_view plain, float size, Face face, Colour colour, float alpha,
                bool up = false);

  // shader drawings wait here, so that neighbours in the order of calls become one draw
  void flush();
  std::vector<render::HeatCell> waiting_cells_;
  std::vector<render::Ribbon> waiting_ribbons_;
  std::vector<render::MapQuad> waiting_maps_;

  ImDrawList& list_;
  const Fonts& fonts_;
  render::Renderer* renderer_;
  render::Frame frame_;
  const render::ColourTable& seq_;
  const render::ColourTable& div_;
  float alpha_ = 1;
};

}  // namespace ui
