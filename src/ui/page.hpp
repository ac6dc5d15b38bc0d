// What the page's parts share while one frame is drawn: the drawing hand, the
// state, where things are, and what can be pointed at. Private to `ui`.
#pragma once

#include "app/app.hpp"
#include "ui/animation.hpp"
#include "ui/draw.hpp"
#include "ui/ui.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ui {

/// Something that can be pointed at, focused and activated.
struct Region {
  enum class Kind : std::uint8_t { cell, button, map, slider } kind = Kind::button;
  Rect rect;
  app::Cell cell;      // kind cell
  std::string action;  // kind button: text for app::read_action, or "ui:…" for what only this module knows; slider: a name
  int rows = 0, cols = 0;           // kind map: the enlarged one, cells of rect / (rows, cols)
  std::vector<std::string> stops;   // kind slider: an action for each place, left to right
  std::vector<float> places;        // their x
  int stop = -1;                    // which it stands at
  bool chosen = false;              // where Tab enters its group
  bool enabled = true;
  bool editable = false;
  Rect visible{};        // what of `rect` can be pointed at (not scrolled away)
  int group = 0;       // Tab moves from group to group
  float font_px = 13;
};

/// What a field's region is called: "ui:edit:sentence" edits EditRequest::field "sentence".
inline constexpr std::string_view kEditAction = "ui:edit:";

/// One matrix at its place.
struct Spot {
  app::Tensor tensor = app::Tensor::X;
  int head = -1;
  float x = 0, y = 0, cell_w = 0, cell_h = 0;
  int most_decimals = 3;
  float font_px = 13;
  bool dots = false;          // dotted lines under numbers that can be changed
  bool tinted = false;        // past cells keep a 14 % tint of their head (concat)
  bool hidden_when_future = false;
  bool bare = false;          // no brackets (a card around it says enough)
};

/// Local to this module: no part of what the lesson's state is.
struct Local {
  bool keyboard_here = false;               // the canvas has keyboard focus
  bool show_focus = false;                  // and it came by keyboard: rings are drawn
  std::string focused_button;               // action of the button with the ring, empty: none
  float pointer_x = -1, pointer_y = -1;
  bool pointer_inside = false;
  bool finger_down = false;                 // what it presses is shown, as hovering would
  std::optional<Region> pressed;            // what was under the pointer when it went down
  enum class Popover : std::uint8_t { none, display, menu, roles, presets, sets } popover = Popover::none;
  float scroll = 0, scroll_max = 0;         // the phone's middle
  float largest = 1;                        // value of the gallery's maps that has the last colour
  Rect scroll_area;
  bool built_in_editor = false;
  std::optional<app::Cell> editing;
  std::string editing_field;                // of the gallery, instead of a cell: EditRequest::field
  bool edit_opened = false;                 // the host has not asked yet
  std::string edit_text;                    // built-in editor
  std::size_t caret = 0;
  bool all_selected = false;
  std::string edit_refusal;
  std::string refused_answer;               // typed in practice and left: it stays in its field until it will do
  // of practice: what of the question's cards was drawn, so that something new is scrolled to
  std::string practice_seen;
  std::size_t hints_seen = 0;
  std::optional<Rect> scroll_target;
  std::optional<app::Page> awaited;         // asked for before its code is there
  bool redraw = false;                      // it scrolled while it was drawn: to be drawn once more
  bool answer_was_open = false;             // when the pointer went down: a press on Check ends that
};

class Page {
 public:
  Page(Draw& draw, const app::State& state, const app::Derived& derived, const Viewport& viewport,
       Animation& animation, Local& local, std::vector<Region>& regions, const std::vector<Region>& last_regions);

  Draw& d;
  const Palette& c;
  const app::State& s;
  const app::Derived& v;
  const Viewport& vp;
  const app::Strip strip;  // of the number that is shown
  Animation& anim;
  Local& local;

  // ---- parts used by all layouts
  void matrix(const Spot& spot);
  void button(const Rect& rect, std::string_view label, const std::string& action, ButtonStyle style = {},
              bool enabled = true);
  void region(const Rect& rect, const std::string& action, bool enabled = true);  // pressable, drawn by the caller
  /// The same at the Tab stop of the one before it: arrow keys lead from one to the other. Tab enters at a `chosen` one.
  void region_beside(const Rect& rect, const std::string& action, bool chosen = false, bool enabled = true);
  void map_region(const Rect& rect, int rows, int cols, const Rect& focused);  // `focused`: the cell with the ring
  /// `stops` are actions, `places` their x, left to right; `stop` the one that it stands at.
  void slider_region(const Rect& rect, const std::string& name, std::vector<std::string> stops,
                     std::vector<float> places, int stop);
  bool is_hovered(const Rect& rect) const {
    return local.pointer_inside && rect.contains(local.pointer_x, local.pointer_y);
  }
  /// The next stops for the Tab key come from `group` on (what is drawn last may stand first in reading order).
  void groups_from(int group) { group_ = group; }
  int last_group() const { return group_; }
  /// A new stop for the Tab key.
  void next_group() { ++group_; }
  void band(const Rect& rect);  // the one place where the eye should land; glides from step to step
  /// Line 1: MultiHead(…), line 2: head_i = …; the present part is lit. Right-aligned when `align` is 1.
  void formula_multihead(float x, float y, float align, float width = 1e9f);  // left-aligned: shrinks to fit
  void formula_head(float x, float y, float align, std::string_view index, float width = 1e9f);
  float formula_head_width(std::string_view index);
  /// The arrow into one row of a column: dotted until `step` is reached (and `slack` px longer at both ends), hot
  /// where it carries the number that is shown.
  void row_arrow(float from, float to, float y, app::Tensor into, int head, int row, app::Step step, float slack = 1);
  void editable_note(float x, float y);  // how a number here is changed
  void causal_toggle(float x, float y, float hit_h);
  /// `skip_name`: the label at its start stands elsewhere already.
  /// Two or three lines where one is too narrow. Returns where it ends.
  float equation(float x, float y, float width, bool short_form, float size = 16, bool skip_name = false,
                float fraction_gap = 14);
  void row_bar(float x, float y, float w, float h);
  void player_buttons(float right, float y, float h, float next_w, float play_w);
  void menu_mark(float x, float y);  // a small triangle: what stands before it opens the menu
  void edit_buttons(float right, float y);  // undo, redo, reset; nothing when there is nothing to undo
  void ribbons_to_lanes(float x, float y_top, float y_bottom, float lane_x, const std::vector<Rect>& lanes);
  /// What is drawn and can be pointed at stays inside `area` until `unclip`.
  void clip(const Rect& area);
  void unclip();
  /// Ring, focus, popovers, notices, editor: what lies on top of everything.
  void finish();

  float popover_right = 0;  // where a card that opens from the header ends
  std::vector<std::size_t> folded_chips;  // roles that found no room: they open from the chip at `folded_at`
  Rect folded_at;          // of the budget: the chip that opens all presets

  Rect sets_at;             // of practice: the chip that opens the sets

  // ---- questions
  int n() const { return static_cast<int>(s.document.tokens.size()); }
  int heads() const { return s.document.config.h; }
  bool reached(app::Step step) const { return s.step >= step; }
  bool at(app::Step step) const { return s.step == step; }
  std::string token(int i) const;        // rich-safe
  std::string head_name(int head) const; // rich-safe
  app::Tensor scaled_tensor() const;     // scaled or masked, whichever stands in the place
  bool is_hot_row(app::Tensor tensor, int head, int row) const;  // the arrow into this row carries the shown number
  Colour head_colour(int head) const { return c.head[head % 3]; }
  std::optional<Rect> last_rect(const app::Cell& cell) const;

 private:
  void number(const Spot& spot, const app::Cell& cell, const Rect& rect, int decimals, app::Stage stage);
  static std::string fitting_text(double value, int decimals, float cell_w, float& size);
  static int own_decimals(const Spot& spot, double value, int decimals);
  int fitting_decimals(const Spot& spot, int rows, int cols) const;
  void equation_line(float x, float y, const std::vector<const app::Part*>& parts, float size, float fraction_gap,
                     float result_h);
  void add_region(Region region);
  void ring_if_focused(const Rect& rect, const std::string& action, float radius = 6);
  void draw_rings();
  void popover();
  void popover_ground(const Rect& card);  // a press beside the card closes it
  void roles_popover();
  void presets_popover();
  void sets_popover();
  void ring_on_popover();
  void notice();
  void editor();

  std::vector<Region>& regions_;
  const std::vector<Region>& last_;
  std::optional<Rect> shown_rect_;   // where the ring goes
  Colour shown_background_ = 0;
  std::optional<Rect> focus_rect_;
  std::optional<Rect> shown_clip_, focus_clip_;
  float focus_radius_ = 4;
  int group_ = 0;
  std::optional<Rect> clip_;
};

/// Plain words as rich text, with what follows "^" set high: "W^O".
std::string with_superscripts(std::string_view plain);

enum class Layout : std::uint8_t { full, compact, phone };
Layout layout_for(const Viewport& viewport);
void draw_full(Page& page);
void draw_compact(Page& page);
void draw_phone(Page& page);
void draw_gallery_full(Page& page);
void draw_gallery_compact(Page& page);
void draw_gallery_phone(Page& page);
void draw_budget_full(Page& page);
void draw_budget_compact(Page& page);
void draw_budget_phone(Page& page);
void draw_practice_full(Page& page);
void draw_practice_compact(Page& page);
void draw_practice_phone(Page& page);

}  // namespace ui
