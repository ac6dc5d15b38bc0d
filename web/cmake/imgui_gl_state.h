// Included before Dear ImGui's OpenGL backend on the web. The backend reads the GL state before it draws and puts it back
// afterwards; nobody else draws into this context. In a browser each such question waits for the GPU's process: 17 of
// them took nine tenths of a frame. So they are answered here, with the state of a fresh context.
#pragma once

#include <GLES3/gl3.h>
#include <stdio.h>
#include <stdlib.h>

static inline void headscope_gl_get(GLenum name, GLint* answer) {
  switch (name) {
    case GL_CURRENT_PROGRAM:
    case GL_TEXTURE_BINDING_2D:
    case GL_SAMPLER_BINDING:
    case GL_ARRAY_BUFFER_BINDING:
    case GL_ELEMENT_ARRAY_BUFFER_BINDING:
    case GL_VERTEX_ARRAY_BINDING:
    case GL_BLEND_DST_RGB:
    case GL_BLEND_DST_ALPHA: *answer = 0; return;
    case GL_BLEND_SRC_RGB:
    case GL_BLEND_SRC_ALPHA: *answer = GL_ONE; return;
    case GL_BLEND_EQUATION_RGB:
    case GL_BLEND_EQUATION_ALPHA: *answer = GL_FUNC_ADD; return;
    case GL_ACTIVE_TEXTURE: *answer = GL_TEXTURE0; return;
    case GL_VIEWPORT:
    case GL_SCISSOR_BOX: answer[0] = answer[1] = answer[2] = answer[3] = 0; return;  // set anew by every frame
    default: glGetIntegerv(name, answer);  // limits and versions, at the start
  }
}
#define glGetIntegerv headscope_gl_get

// It also reads "MAJOR.MINOR" and "#version NUMBER" with sscanf, the only one in the program: 8 KB, 2.7 KB of the download.
static inline int headscope_scan(const char* text, const char*, int* first, int* second = nullptr) {
  while (*text != '\0' && (*text < '0' || *text > '9')) ++text;
  char* end = nullptr;
  *first = (int)strtol(text, &end, 10);
  if (second != nullptr && *end == '.') *second = (int)strtol(end + 1, nullptr, 10);
  return 1;
}
#define sscanf headscope_scan
