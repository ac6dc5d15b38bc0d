// What the budget's layouts share: the presets, the sizes with their sliders and fields, the four panels, the strip.
// Private to `ui`. Each part is drawn into a rectangle that its layout gives it.
#pragma once

#include "ui/even_lines.hpp"
#include "ui/page.hpp"

#include <cmath>
#include <string>
#include <string_view>

namespace ui {

/// How far apart things stand: 0 as close as can be read, 1 as drawn, more on high pages.
struct Pace {
  float t = 1;
  float operator()(float close, float drawn) const { return std::round(close + (drawn - close) * t); }
};
/// The pace at which what is `close` to `drawn` high fills `height`.
inline Pace pace_for(float height, float close, float drawn) {
  const float t = (height - close) / (drawn - close);
  return {t < 0 ? 0 : t > 1.8f ? 1.8f : t};
}

inline Colour bar_colour(const Palette& c) { return c.dark ? 0x4A463D : 0xD3CEC2; }

// ---- controls
/// The label with the chip that opens all of them, then `rows` presets, the chosen one first. Returns where it ends.
float draw_presets(Page& page, float x, float y, float w, int rows, float row_h, float pitch);
/// Symbol, caption and field on one line with middle `y`, the slider `slider_dy` below it.
struct SizeLook {
  float slider_dy = 27;
  float field_w = 72, field_h = 28;
  float hit_h = 24;       // how tall the slider can be pressed
  float caption_dx = 54;  // from the symbol to the caption, at least
};
void draw_size(Page& page, const app::SizeControl& control, float x, float y, float w, const SizeLook& look = {});
/// A small field with its name before it, right-aligned at `right`.
void draw_small_field(Page& page, const app::SizeControl& control, float right, float y, float h = 22);
float small_field_width(const Page& page, const app::SizeControl& control);
void draw_keep(Page& page, float x, float y, float hit_h = 32);
void draw_biases(Page& page, float x, float y, float right, float hit_h = 32);
void draw_gated(Page& page, float x, float y, float hit_h = 32);
/// `left` negative: as wide as their names, up to `right`; else spread between both.
void draw_budget_tabs(Page& page, float left, float right, float y, float h);
float budget_tabs_width(const Page& page);
const app::SizeControl* find_size(const Page& page, std::string_view field);
/// Dots under the number at the end of `text`: pressing it edits it.
void draw_editable_end(Page& page, const Rect& text, std::string_view number, float size, std::string_view field);

// ---- columns
float draw_budget_column(Page& page, const Rect& area);  // presets, sizes, switches; returns where it ends
/// The column, a hairline and the chosen panel; `gap` at both sides of the line.
void draw_budget_columns(Page& page, const Rect& area, float column_w, float gap);

// ---- amounts
/// A place whose amount the strip explains while a pointer, the ring or a press is on it.
void amount_region(Page& page, const Rect& rect, app::Amount amount);
bool is_lit(const Page& page, app::Amount amount);  // chosen or pointed at: not merely shown for want of another
/// A bar cut into heads, the first one's slice lit. Too narrow slices aren't cut.
void draw_slices(Page& page, const Rect& bar, int slices, bool first_lit, float gap_after = 0);
std::string percent(double share);
std::string with_matrices(std::string_view plain);  // rich: "W^O" as a matrix is written

// ---- panels; each returns where it ends, and fits `area.h` if that is at least its close height
inline constexpr float kBillClose = 364, kBillDrawn = 516;
float draw_bill(Page& page, const Rect& area);
/// One below the other. What a phone shows first, above the sizes, and the rest of it below them.
float draw_bill_phone(Page& page, const Rect& area, float touch);
float draw_total_phone(Page& page, const Rect& area, float touch);
float draw_bill_rest_phone(Page& page, const Rect& area, float touch);
inline constexpr float kComputeClose = 396, kComputeDrawn = 516;
float draw_compute(Page& page, const Rect& area);
float draw_compute_phone(Page& page, const Rect& area, float touch);
float draw_overtakes_phone(Page& page, const Rect& area, float touch);
float draw_compute_rest_phone(Page& page, const Rect& area, float touch);
/// What attention's operations are against n: the part that grows with n, the part that grows with n * n.
void draw_growth(Page& page, const Rect& area);
float draw_rank(Page& page, const Rect& area);
float draw_code(Page& page, const Rect& area);
/// The chosen one. `touch`: the least height of what can be pressed, 0 where a pointer hits small things.
float draw_budget_panel(Page& page, const Rect& area, float touch = 0);
/// The formula, symbols over numbers, in as many lines as it needs; `y` the first symbols' middle. Returns the last
/// numbers' middle.
float draw_formula(Page& page, float x, float y, float w, float line_h, float number_dy, float label_dy);

// ---- strip
bool strip_takes_two_lines(const Page& page, float room);  // even in small type
void draw_budget_strip(Page& page, const Rect& area, float left, float right);
/// In lines of at most `w`; returns where it ends.
float draw_amount_lines(Page& page, float x, float y, float w);

}  // namespace ui
