// Shader compilation with the platform's #version in front.
#include "render/gl.hpp"

#include <array>

namespace render {
namespace {

#if defined(__EMSCRIPTEN__)
constexpr std::string_view kVersion = "#version 300 es\nprecision highp float;\nprecision highp int;\n";
#else
constexpr std::string_view kVersion = "#version 330 core\n";
#endif

GLuint compile(GLenum kind, std::string_view source, std::string& problem) {
  const GLuint shader = glCreateShader(kind);
  const std::array<const GLchar*, 2> parts{kVersion.data(), source.data()};
  const std::array<GLint, 2> lengths{static_cast<GLint>(kVersion.size()), static_cast<GLint>(source.size())};
  glShaderSource(shader, 2, parts.data(), lengths.data());
  glCompileShader(shader);
  GLint good = GL_FALSE;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
  if (good == GL_TRUE) return shader;
  std::array<GLchar, 1024> log{};
  glGetShaderInfoLog(shader, static_cast<GLsizei>(log.size()), nullptr, log.data());
  problem = log.data();
  if (problem.empty()) problem = "the driver gave no reason";
  glDeleteShader(shader);
  return 0;
}

}  // namespace

GLuint make_program(std::string_view name, std::string_view vertex, std::string_view fragment, std::string& problem) {
  const GLuint v = compile(GL_VERTEX_SHADER, vertex, problem);
  const GLuint f = v != 0 ? compile(GL_FRAGMENT_SHADER, fragment, problem) : 0;
  GLuint program = 0;
  if (f != 0) {
    program = glCreateProgram();
    glAttachShader(program, v);
    glAttachShader(program, f);
    glLinkProgram(program);
    GLint good = GL_FALSE;
    glGetProgramiv(program, GL_LINK_STATUS, &good);
    if (good != GL_TRUE) {
      std::array<GLchar, 1024> log{};
      glGetProgramInfoLog(program, static_cast<GLsizei>(log.size()), nullptr, log.data());
      problem = log.data();
      if (problem.empty()) problem = "the driver gave no reason";
      glDeleteProgram(program);
      program = 0;
    }
  }
  if (v != 0) glDeleteShader(v);  // the program keeps them alive
  if (f != 0) glDeleteShader(f);
  if (program == 0) problem = std::string(name) + " shader: " + problem;
  return program;
}

}  // namespace render
