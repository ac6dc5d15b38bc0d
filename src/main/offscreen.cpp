// The ways to an OpenGL context without a window, most independent first.
#include "main/offscreen.hpp"

#include "main/sdl.hpp"

#ifdef HEADSCOPE_EGL
#define EGL_NO_X11  // keeps X11's macros out
#include <EGL/egl.h>
#include <EGL/eglext.h>
#endif

#include <iterator>
#include <vector>

namespace native {
namespace {

using Made = std::variant<std::unique_ptr<OffscreenContext>, std::string>;

#ifdef HEADSCOPE_EGL
class EglContext final : public OffscreenContext {
 public:
  explicit EglContext(EGLDisplay display) : display_(display) {}
  ~EglContext() override {
    eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (context_ != EGL_NO_CONTEXT) eglDestroyContext(display_, context_);
    eglTerminate(display_);
  }

  /// Empty when the context is current now.
  std::string create() {
    const EGLint wanted_config[] = {EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
    const EGLint wanted_context[] = {
        EGL_CONTEXT_MAJOR_VERSION,           3,       EGL_CONTEXT_MINOR_VERSION, 3, EGL_CONTEXT_OPENGL_PROFILE_MASK,
        EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
    EGLConfig config = nullptr;
    EGLint configs = 0;
    if (eglBindAPI(EGL_OPENGL_API) != EGL_TRUE) return "has no desktop OpenGL";
    if (eglChooseConfig(display_, wanted_config, &config, 1, &configs) != EGL_TRUE || configs == 0)
      return "has no configuration for OpenGL";
    context_ = eglCreateContext(display_, config, EGL_NO_CONTEXT, wanted_context);
    if (context_ == EGL_NO_CONTEXT) return "has no OpenGL 3.3";
    if (eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_) != EGL_TRUE) return "wants a surface";
    return {};
  }

 private:
  EGLDisplay display_;
  EGLContext context_ = EGL_NO_CONTEXT;
};

/// Displays that need no screen: Mesa's surfaceless one, then each graphics device, for drivers that aren't Mesa's.
std::vector<EGLDisplay> list_egl_displays() {
  std::vector<EGLDisplay> displays{eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr)};
  const auto query_devices = reinterpret_cast<PFNEGLQUERYDEVICESEXTPROC>(eglGetProcAddress("eglQueryDevicesEXT"));
  EGLDeviceEXT devices[8] = {};
  EGLint found = 0;
  if (query_devices != nullptr && query_devices(std::size(devices), devices, &found) == EGL_TRUE)
    for (EGLint i = 0; i < found; ++i)
      displays.push_back(eglGetPlatformDisplay(EGL_PLATFORM_DEVICE_EXT, devices[i], nullptr));
  std::erase(displays, EGL_NO_DISPLAY);
  return displays;
}

Made make_egl_context() {
  std::string reason = "can't be started";
  for (EGLDisplay display : list_egl_displays()) {
    if (eglInitialize(display, nullptr, nullptr) != EGL_TRUE) continue;
    auto context = std::make_unique<EglContext>(display);
    reason = context->create();
    if (reason.empty()) return context;
  }
  return "EGL " + reason;
}
#else
Made make_egl_context() { return "this build has no EGL"; }
#endif

class HiddenWindow final : public OffscreenContext {
 public:
  std::string create() {
    if (!video_.error().empty()) return video_.error();
    ask_for_opengl_33();
    window_.reset(SDL_CreateWindow("headscope", SDL_WINDOWPOS_UNDEFINED, SDL_WINDOWPOS_UNDEFINED, 64, 64,
                                   SDL_WINDOW_OPENGL | SDL_WINDOW_HIDDEN));
    if (!window_) return SDL_GetError();
    context_ = std::make_unique<GlContext>(window_.get());
    return *context_ ? std::string() : SDL_GetError();
  }

 private:
  Video video_;
  WindowOwner window_;
  std::unique_ptr<GlContext> context_;
};

Made make_hidden_window() {
  auto window = std::make_unique<HiddenWindow>();
  const std::string reason = window->create();
  if (reason.empty()) return window;
  return "a hidden window: " + reason;
}

}  // namespace

std::variant<std::unique_ptr<OffscreenContext>, std::string> make_offscreen_context() {
  Made egl = make_egl_context();
  if (egl.index() == 0) return egl;
  Made hidden = make_hidden_window();
  if (hidden.index() == 0) return hidden;
  return "there is no OpenGL 3.3 to draw with (" + std::get<1>(egl) + "; " + std::get<1>(hidden) + ")";
}

}  // namespace native
