// OpenGL's header on each platform (3.3 core natively, ES 3.0 = WebGL 2 on the web), and a program from two shaders.
#pragma once

#if defined(__EMSCRIPTEN__)
#include <GLES3/gl3.h>
#elif defined(__APPLE__)
#define GL_SILENCE_DEPRECATION
#include <OpenGL/gl3.h>
#else
// Linux exports every entry point of 3.3 from libGL: prototypes are enough, no loader.
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>
#endif

#include <string>
#include <string_view>

namespace render {

/// Compiles and links. `vertex` and `fragment` come without #version. On failure returns 0 and says why in `problem`.
GLuint make_program(std::string_view name, std::string_view vertex, std::string_view fragment, std::string& problem);

}  // namespace render
