// The renderer's GL objects: three programs with one instance buffer each, and the textures of colour tables and maps.
#include "render/render.hpp"

#include "render/gl.hpp"

#include "embedded/shaders.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace render {
namespace {

constexpr int kRibbonSegments = 40;

/// A program that draws instances out of one buffer.
struct Pipeline {
  GLuint program = 0, vertex_array = 0, buffer = 0;
  GLint canvas = -1, pixel_ratio = -1;
};

struct Attribute {
  int size;
  std::size_t offset;
};

Pipeline make_pipeline(GLuint program, std::size_t stride, std::span<const Attribute> attributes) {
  Pipeline made{.program = program};
  made.canvas = glGetUniformLocation(program, "canvas");
  made.pixel_ratio = glGetUniformLocation(program, "pixel_ratio");
  glGenVertexArrays(1, &made.vertex_array);
  glGenBuffers(1, &made.buffer);
  glBindVertexArray(made.vertex_array);
  glBindBuffer(GL_ARRAY_BUFFER, made.buffer);
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    const auto place = static_cast<GLuint>(i);
    glEnableVertexAttribArray(place);
    glVertexAttribPointer(place, attributes[i].size, GL_FLOAT, GL_FALSE, static_cast<GLsizei>(stride),
                          reinterpret_cast<const void*>(attributes[i].offset));
    glVertexAttribDivisor(place, 1);
  }
  glBindVertexArray(0);
  glBindBuffer(GL_ARRAY_BUFFER, 0);
  return made;
}

void free_pipeline(Pipeline& pipeline, bool lost) {
  if (!lost) {
    if (pipeline.program != 0) glDeleteProgram(pipeline.program);
    if (pipeline.vertex_array != 0) glDeleteVertexArrays(1, &pipeline.vertex_array);
    if (pipeline.buffer != 0) glDeleteBuffers(1, &pipeline.buffer);
  }
  pipeline = {};
}

/// Scissor of `frame.clip` in device pixels from the bottom left; false when nothing of it is on the canvas.
bool set_scissor(const Frame& frame) {
  const float ratio = frame.pixel_ratio;
  const float height = std::round(frame.height * ratio), width = std::round(frame.width * ratio);
  const auto device = [ratio](float v, float most) { return std::clamp(std::round(v * ratio), 0.0f, most); };
  const float x0 = device(frame.clip.x0, width), x1 = device(frame.clip.x1, width);
  const float y0 = device(frame.clip.y0, height), y1 = device(frame.clip.y1, height);
  if (!(x1 > x0 && y1 > y0)) return false;
  glEnable(GL_SCISSOR_TEST);
  glScissor(static_cast<GLint>(x0), static_cast<GLint>(height - y1), static_cast<GLsizei>(x1 - x0),
            static_cast<GLsizei>(y1 - y0));
  return true;
}

void draw_instances(const Pipeline& pipeline, const Frame& frame, const void* data, std::size_t bytes, int vertices,
                    std::size_t count) {
  glUseProgram(pipeline.program);
  glUniform2f(pipeline.canvas, frame.width, frame.height);
  glUniform1f(pipeline.pixel_ratio, frame.pixel_ratio);
  glDisable(GL_CULL_FACE);
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_STENCIL_TEST);
  glEnable(GL_BLEND);
  glBlendEquation(GL_FUNC_ADD);
  // Alpha adds up to one, so that an opaque canvas stays opaque: the page behind must not shine through.
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  glBindVertexArray(pipeline.vertex_array);
  glBindBuffer(GL_ARRAY_BUFFER, pipeline.buffer);
  glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(bytes), data, GL_STREAM_DRAW);
  glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, vertices, static_cast<GLsizei>(count));
  glBindVertexArray(0);
  glBindBuffer(GL_ARRAY_BUFFER, 0);
}

}  // namespace

struct Renderer::Impl {
  Pipeline cells, ribbons, maps;
  GLint maps_side = -1;  // the uniform
  GLuint texture = 0;
  std::array<ColourTable, 2> tables{};  // kept: a new context needs them again
  GLuint map_texture = 0;
  std::uint64_t map_revision = 0;
  int map_side = 0;           // n
  std::size_t map_count = 0;  // 0: nothing to draw

  void free_maps(bool lost) {
    if (!lost && map_texture != 0) glDeleteTextures(1, &map_texture);
    map_texture = 0;
    map_count = 0;
    map_side = 0;
  }

  void upload_tables() const {
    glBindTexture(GL_TEXTURE_2D, texture);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 256, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE, tables.data());
    glBindTexture(GL_TEXTURE_2D, 0);
  }
};

Renderer::Renderer() : impl_(std::make_unique<Impl>()) {}
// No GL calls: the context may be gone. `destroy` is for that.
Renderer::~Renderer() = default;

std::string Renderer::create() {
  destroy(false);
  std::string problem;
  const GLuint cells = make_program("heat-map", embedded::heatmap_vert, embedded::heatmap_frag, problem);
  const GLuint ribbons = cells != 0 ? make_program("ribbon", embedded::ribbon_vert, embedded::ribbon_frag, problem) : 0;
  const GLuint maps = ribbons != 0 ? make_program("map", embedded::maps_vert, embedded::maps_frag, problem) : 0;
  if (maps == 0) {
    if (cells != 0) glDeleteProgram(cells);
    if (ribbons != 0) glDeleteProgram(ribbons);
    return problem;
  }
  constexpr Attribute cell_parts[] = {{4, offsetof(HeatCell, x)}, {4, offsetof(HeatCell, radius)}};
  constexpr Attribute ribbon_parts[] = {
      {3, offsetof(Ribbon, x0)}, {3, offsetof(Ribbon, x1)}, {1, offsetof(Ribbon, bend)}, {4, offsetof(Ribbon, colour)}};
  constexpr Attribute map_parts[] = {{4, offsetof(MapQuad, x)}, {2, offsetof(MapQuad, map)}};
  impl_->cells = make_pipeline(cells, sizeof(HeatCell), cell_parts);
  impl_->ribbons = make_pipeline(ribbons, sizeof(Ribbon), ribbon_parts);
  impl_->maps = make_pipeline(maps, sizeof(MapQuad), map_parts);
  impl_->maps_side = glGetUniformLocation(maps, "side");

  glUseProgram(cells);
  glUniform1i(glGetUniformLocation(cells, "tables"), 0);
  glUseProgram(ribbons);
  glUniform1f(glGetUniformLocation(ribbons, "segments"), static_cast<float>(kRibbonSegments));
  glUseProgram(maps);
  glUniform1i(glGetUniformLocation(maps, "tables"), 0);
  glUniform1i(glGetUniformLocation(maps, "maps"), 1);
  glUseProgram(0);

  glGenTextures(1, &impl_->texture);
  glBindTexture(GL_TEXTURE_2D, impl_->texture);
  for (const auto& [key, value] : {std::pair{GL_TEXTURE_MIN_FILTER, GL_NEAREST},
                                   {GL_TEXTURE_MAG_FILTER, GL_NEAREST},
                                   {GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE},
                                   {GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE}})
    glTexParameteri(GL_TEXTURE_2D, static_cast<GLenum>(key), value);
  impl_->upload_tables();
  return {};
}

void Renderer::destroy(bool lost) {
  free_pipeline(impl_->cells, lost);
  free_pipeline(impl_->ribbons, lost);
  free_pipeline(impl_->maps, lost);
  impl_->free_maps(lost);
  if (!lost && impl_->texture != 0) glDeleteTextures(1, &impl_->texture);
  impl_->texture = 0;
}

void Renderer::set_tables(const ColourTable& sequential, const ColourTable& diverging) {
  impl_->tables = {sequential, diverging};
  if (impl_->texture != 0) impl_->upload_tables();
}

void Renderer::draw_cells(const Frame& frame, std::span<const HeatCell> cells) {
  if (cells.empty() || impl_->cells.program == 0 || !set_scissor(frame)) return;
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, impl_->texture);
  draw_instances(impl_->cells, frame, cells.data(), cells.size_bytes(), 4, cells.size());
}

void Renderer::draw_ribbons(const Frame& frame, std::span<const Ribbon> ribbons) {
  if (ribbons.empty() || impl_->ribbons.program == 0 || !set_scissor(frame)) return;
  draw_instances(impl_->ribbons, frame, ribbons.data(), ribbons.size_bytes(), 2 * (kRibbonSegments + 3),
                 ribbons.size());
}

void Renderer::set_maps(std::uint64_t revision, int n, std::span<const float* const> maps, float largest) {
  Impl& m = *impl_;
  if (m.maps.program == 0 || (m.map_texture != 0 && m.map_revision == revision)) return;
  GLint most_maps = 0, most_side = 0;
  glGetIntegerv(GL_MAX_ARRAY_TEXTURE_LAYERS, &most_maps);
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &most_side);
  const auto count = static_cast<GLsizei>(maps.size());
  const bool fits = n > 0 && count > 0 && count <= most_maps && n <= most_side;
  if (!fits) return m.free_maps(false);
  glActiveTexture(GL_TEXTURE1);
  const bool same_size = m.map_texture != 0 && m.map_side == n && m.map_count == maps.size();
  int levels = 1;
  while (n >> levels > 0) ++levels;
  if (!same_size) {
    m.free_maps(false);
    glGenTextures(1, &m.map_texture);
    glBindTexture(GL_TEXTURE_2D_ARRAY, m.map_texture);
    for (const auto& [key, value] : {std::pair<GLenum, GLint>{GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST},
                                     {GL_TEXTURE_MAG_FILTER, GL_NEAREST},
                                     {GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE},
                                     {GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE},
                                     {GL_TEXTURE_MAX_LEVEL, levels - 1}})
      glTexParameteri(GL_TEXTURE_2D_ARRAY, key, value);
    for (int level = 0; level < levels; ++level)
      glTexImage3D(GL_TEXTURE_2D_ARRAY, level, GL_R8, n >> level, n >> level, count, 0, GL_RED, GL_UNSIGNED_BYTE,
                   nullptr);
  } else {
    glBindTexture(GL_TEXTURE_2D_ARRAY, m.map_texture);
  }
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  for (GLint map = 0; map < count; ++map) {
    const std::vector<MapLevel> made = make_map_levels(maps[static_cast<std::size_t>(map)], n, largest);
    for (int level = 0; level < levels; ++level) {
      const MapLevel& part = made[static_cast<std::size_t>(level)];
      glTexSubImage3D(GL_TEXTURE_2D_ARRAY, level, 0, 0, map, part.side, part.side, 1, GL_RED, GL_UNSIGNED_BYTE,
                      part.entries.data());
    }
  }
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  glBindTexture(GL_TEXTURE_2D_ARRAY, 0);
  glActiveTexture(GL_TEXTURE0);
  m.map_revision = revision;
  m.map_side = n;
  m.map_count = maps.size();
}

void Renderer::draw_maps(const Frame& frame, std::span<const MapQuad> maps) {
  Impl& m = *impl_;
  if (maps.empty() || m.maps.program == 0 || m.map_texture == 0 || !set_scissor(frame)) return;
  glActiveTexture(GL_TEXTURE1);
  glBindTexture(GL_TEXTURE_2D_ARRAY, m.map_texture);
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, m.texture);
  glUseProgram(m.maps.program);
  glUniform1f(m.maps_side, static_cast<float>(m.map_side));
  draw_instances(m.maps, frame, maps.data(), maps.size_bytes(), 4, maps.size());
}

}  // namespace render
