// SDL2 with a plain `main`, and its objects as owners.
#pragma once

#define SDL_MAIN_HANDLED  // otherwise SDL renames our main to its own
#include <SDL.h>

#include <memory>
#include <string>

namespace native {

/// SDL's video part, shut down at the end. `error` is empty when it could be started.
class Video {
 public:
  Video() {
    SDL_SetMainReady();
    SDL_SetHint(SDL_HINT_VIDEO_X11_NET_WM_BYPASS_COMPOSITOR, "0");  // SDL switches the desktop's effects off, for games
#ifdef SDL_HINT_WINDOWS_DPI_SCALING
    SDL_SetHint(SDL_HINT_WINDOWS_DPI_SCALING, "1");  // points that are larger than device pixels, as elsewhere
#endif
    if (SDL_Init(SDL_INIT_VIDEO) != 0) error_ = SDL_GetError();
  }
  ~Video() { SDL_Quit(); }
  Video(const Video&) = delete;
  Video& operator=(const Video&) = delete;
  const std::string& error() const { return error_; }

 private:
  std::string error_;
};

struct FreeSdl {
  void operator()(SDL_Window* window) const { SDL_DestroyWindow(window); }
  void operator()(SDL_Cursor* cursor) const { SDL_FreeCursor(cursor); }
  void operator()(char* text) const { SDL_free(text); }
};
using WindowOwner = std::unique_ptr<SDL_Window, FreeSdl>;
using CursorOwner = std::unique_ptr<SDL_Cursor, FreeSdl>;
using TextOwner = std::unique_ptr<char, FreeSdl>;

/// An OpenGL context of a window, current from the start.
class GlContext {
 public:
  explicit GlContext(SDL_Window* window) : context_(SDL_GL_CreateContext(window)) {}
  ~GlContext() {
    if (context_ != nullptr) SDL_GL_DeleteContext(context_);
  }
  GlContext(const GlContext&) = delete;
  GlContext& operator=(const GlContext&) = delete;
  explicit operator bool() const { return context_ != nullptr; }

 private:
  SDL_GLContext context_;
};

/// Asks for OpenGL 3.3 core for the windows that are made after it.
inline void ask_for_opengl_33() {
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_CORE);
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 3);
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_FLAGS, SDL_GL_CONTEXT_FORWARD_COMPATIBLE_FLAG);  // macOS has no other
  SDL_GL_SetAttribute(SDL_GL_DOUBLEBUFFER, 1);
  SDL_GL_SetAttribute(SDL_GL_DEPTH_SIZE, 0);
}

}  // namespace native
