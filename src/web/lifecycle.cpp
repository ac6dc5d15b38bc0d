// Making the program, its size and settings, its frames and its end.
#include "web/bridge.hpp"

#include <cassert>
#include <memory>
#include <utility>

namespace web {
namespace {

std::unique_ptr<ui::Program> the_program;

}  // namespace

ui::Program& program() {
  assert(the_program);
  return *the_program;
}

const char* answer(std::string text) {
  static std::string kept;
  kept = std::move(text);
  return kept.c_str();
}

}  // namespace web

using web::program;

namespace {

ui::Viewport viewport_of(float width, float height, float pixel_ratio, int dark, int reduced, int touch) {
  return {.width = width, .height = height, .pixel_ratio = pixel_ratio, .dark_page = dark != 0,
          .reduced_motion = reduced != 0, .touch = touch != 0};
}

}  // namespace

/// `width`, `height` in CSS pixels; `pixel_ratio` device pixels per CSS pixel.
HS_EXPORT void hs_create(float width, float height, float pixel_ratio, int dark, int reduced, int touch) {
  web::the_program = std::make_unique<ui::Program>(viewport_of(width, height, pixel_ratio, dark, reduced, touch));
}

HS_EXPORT void hs_destroy() { web::the_program.reset(); }

HS_EXPORT void hs_resize(float width, float height, float pixel_ratio, int dark, int reduced, int touch) {
  program().resize(viewport_of(width, height, pixel_ratio, dark, reduced, touch));
}

// All times are milliseconds of one clock that stands still while nothing can be seen.
HS_EXPORT int hs_wants_frame(double now_ms) { return program().wants_frame(now_ms); }
HS_EXPORT double hs_next_frame_in(double now_ms) { return program().next_frame_in(now_ms); }
HS_EXPORT void hs_frame(double now_ms) { program().frame(now_ms); }
/// Before input: what it starts, starts now.
HS_EXPORT void hs_set_clock(double now_ms) { program().set_clock(now_ms); }
HS_EXPORT void hs_settle() { program().settle(); }

/// A double, since JavaScript would see 64 bits as a BigInt.
HS_EXPORT double hs_revision() { return static_cast<double>(program().revision()); }
HS_EXPORT int hs_is_dark() { return program().is_dark(); }
