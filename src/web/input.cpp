// Pointer, wheel, keys and focus. Functions that return int say whether the
// event was used: only then does JavaScript keep it from the page.
#include "web/bridge.hpp"
#include "web/keys.hpp"

#include <string>

using web::program;

// Coordinates are CSS pixels from the canvas's top left.
HS_EXPORT void hs_pointer_move(float x, float y, int touch) { program().pointer_move(x, y, touch != 0); }
HS_EXPORT void hs_pointer_leave() { program().pointer_leave(); }
HS_EXPORT int hs_pointer_down(float x, float y, int touch) { return program().pointer_down(x, y, touch != 0); }
HS_EXPORT void hs_pointer_up(float x, float y, int touch) { program().pointer_up(x, y, touch != 0); }
/// A drag that ended elsewhere, a touch that became a scroll.
HS_EXPORT void hs_pointer_cancel() { program().pointer_cancel(); }

/// `dy` in CSS pixels, down is positive.
HS_EXPORT int hs_wheel(float x, float y, float dy) { return program().wheel(x, y, dy); }
HS_EXPORT int hs_can_scroll(float x, float y, float dy) { return program().can_scroll(x, y, dy); }

/// `name` is KeyboardEvent.key.
HS_EXPORT int hs_key(const char* name, int shift, int command, int alt, double now_ms) {
  const auto key = web::read_key(name, {.shift = shift != 0, .command = command != 0, .alt = alt != 0});
  return key && program().key(*key, now_ms);
}

/// 1: Tab came from before the canvas, -1: Shift+Tab from after it, 0: a click or a script.
HS_EXPORT void hs_focus(int direction) { program().focus(direction); }
HS_EXPORT void hs_blur() { program().blur(); }
/// 1 while something inside carries the keyboard's ring.
HS_EXPORT int hs_has_ring() { return program().has_keyboard_focus_inside(); }

/// A value for CSS's `cursor`.
HS_EXPORT const char* hs_cursor() { return web::answer(std::string(program().cursor())); }
