// The program that a host (browser or window) runs: takes pointer, wheel and
// keys, turns them into Actions, lays the page out and draws it.
//
// Coordinates are CSS pixels from the canvas's top left. A host creates the GL
// context, calls the input functions as things happen, and calls `frame` when
// `wants_frame` says so.
#pragma once

#include "app/app.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace ui {

struct Viewport {
  float width = 1280, height = 800;  // CSS pixels
  float pixel_ratio = 1;             // device pixels per CSS pixel
  bool dark_page = false;            // what the page or system asks for (Theme::automatic)
  bool reduced_motion = false;       // what the system asks for (Motion::automatic)
  bool touch = false;                // coarse pointer
  bool operator==(const Viewport&) const = default;
};

enum class Key : std::uint8_t {
  left, right, up, down, tab, shift_tab, enter, escape, space, home, end, undo, redo, backspace, delete_forward, select_all, other
};

struct Rect {
  float x = 0, y = 0, w = 0, h = 0;
  bool contains(float px, float py) const { return px >= x && px < x + w && py >= y && py < y + h; }
};

/// A number that wants a text field over its cell, or a field of the gallery that wants one over itself.
struct EditRequest {
  app::Cell cell;
  std::string field;    // "sentence", "plan.learning_rate"; empty: a cell
  bool decimal = true;  // a number is typed, not words
  Rect rect;            // where the cell or field is now
  std::string text;     // what stands there, to be selected
  std::string label;    // "X, dogs, noun"
  float font_px = 13;
};

class Program {
 public:
  explicit Program(const Viewport& viewport);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  const app::State& state() const;
  const app::Derived& derived() const;
  /// Counts up whenever state changed: the host then asks for query and description anew.
  std::uint64_t revision() const;
  /// The one door: carries the action out or returns why not.
  std::optional<std::string> dispatch(const app::Action& action);
  /// Replaces the whole state (a query was opened). What app::needs_other_pages must wait until they are here.
  void open(const app::State& state);

  // ---- the other pages than the walkthrough, where their code comes later (on the web, web/split.mjs)
  void expect_pages();             // before anything else: they aren't here
  void pages_are_here();           // carries out, in order, what waited for them
  void give_up_pages();            // they can't be had now: what waited is dropped
  enum class Wants : std::uint8_t { nothing, soon, now };
  /// now: something waits for them. soon: the learner points at what will, so the host may begin to fetch them.
  Wants wants_pages() const;

  // ---- training and files: the host carries text and bytes, and looks into neither (heads/studio.hpp)
  /// The next command for the studio, oldest first, when some action asked for one.
  std::optional<std::string> take_studio_command();
  /// True once after the learner asked for a file of their own: a host with a dialogue shows it.
  bool take_file_request();
  /// Text for the clipboard, once after the learner asked for it.
  std::optional<std::string> take_copy_request();
  /// What the studio answered; or why it can't be read.
  std::optional<std::string> take_report(std::string_view bytes);
  /// Opens a model or attention from a file, with its companion where there is one; or says all that is wrong with it,
  /// to the learner, too, unless it is the page's own (`shipped`).
  std::optional<std::string> open_file(std::string_view name, std::string_view bytes, std::string_view companion,
                                       bool shipped);
  /// True while the gallery shows the page's own model, or a question asks about it, and nobody has brought it.
  bool wants_shipped_model() const;

  /// Tells the time before input comes: what the input starts (a glide, the player) starts now, not at the last frame.
  void set_clock(double now_ms);

  // ---- input; each returns true when it was used (the host then keeps it from the page)
  void pointer_move(float x, float y, bool touch = false);
  void pointer_leave();
  bool pointer_down(float x, float y, bool touch = false);
  void pointer_up(float x, float y, bool touch = false);
  void pointer_cancel();                   // a drag that ended elsewhere, a touch that became a scroll
  bool wheel(float x, float y, float dy);  // true: something here scrolled
  bool can_scroll(float x, float y, float dy) const;
  bool key(Key key, double now_ms);
  /// Keyboard focus came to the canvas by Tab (+1), Shift+Tab (-1) or otherwise (0).
  void focus(int direction);
  void blur();
  bool has_keyboard_focus_inside() const;  // some item inside carries the ring
  /// The action of the button, field or slider with the ring ("view:compute", "ui:slide:h"); empty: none has it.
  std::string_view focused_action() const;
  /// "pointer", "text", "default"
  std::string_view cursor() const;

  // ---- editing: set after a click or Enter on a number or field that can be changed
  std::optional<EditRequest> edit_request() const;
  /// The rectangle of the cell being edited, after layout or scrolling moved it.
  std::optional<Rect> rect_of(const app::Cell& cell) const;
  /// Ends editing. Text unchanged: keeps the bits. Returns why the text was refused (editing goes on).
  std::optional<std::string> commit_edit(std::string_view text);
  void cancel_edit();
  void leave_edit();  // after a refusal, for something else: the old number stays; an answer that was refused stays, too
  /// For hosts without text fields: the program draws the field and takes `text_input` and the edit keys itself.
  void use_built_in_editor(bool on);
  void text_input(std::string_view utf8);  // typed or pasted
  std::string edit_selection() const;      // what Ctrl+C copies, empty when nothing is being edited

  // ---- drawing
  void resize(const Viewport& viewport);
  /// Makes GL objects in the current context; returns the driver's message on failure, else empty.
  std::string create_graphics();
  /// `lost`: the context is gone already.
  void destroy_graphics(bool lost);
  bool wants_frame(double now_ms) const;
  /// Milliseconds until `wants_frame` may turn true by itself: 0 now, negative never.
  double next_frame_in(double now_ms) const;
  /// Draws into the bound framebuffer.
  void frame(double now_ms);
  /// Ends every animation at once (screenshots).
  void settle();
  bool is_dark() const;
  bool is_motion_reduced() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ui
