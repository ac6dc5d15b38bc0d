// An OpenGL context that draws without a window.
#pragma once

#include <memory>
#include <string>
#include <variant>

namespace native {

/// OpenGL 3.3 core, current on this thread as long as it lives. It has no framebuffer of its own that counts: draw
/// into one that you made.
class OffscreenContext {
 public:
  virtual ~OffscreenContext() = default;
  OffscreenContext(const OffscreenContext&) = delete;
  OffscreenContext& operator=(const OffscreenContext&) = delete;

 protected:
  OffscreenContext() = default;
};

/// EGL without a surface, which needs no display; where there is no EGL, or it fails, a hidden window.
/// Otherwise: why neither worked.
std::variant<std::unique_ptr<OffscreenContext>, std::string> make_offscreen_context();

}  // namespace native
