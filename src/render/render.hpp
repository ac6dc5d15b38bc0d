// OpenGL objects for what ImGui's own pipeline can't draw well: coloured cells
// through a 256-entry colour table, whole maps of them out of a texture, and ribbons. Takes plain views, knows no
// module of ours and no ImGui. Coordinates are CSS pixels from the top left.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace render {

struct Rgb {
  float r = 0, g = 0, b = 0;
};  // sRGB, 0..1

/// 256 colours made once from five stops, mixed in OKLab (Ottosson 2020). CPU and shader read the same table.
using ColourTable = std::array<std::array<std::uint8_t, 4>, 256>;
ColourTable make_colour_table(std::span<const std::uint32_t, 5> stops_rgb);  // 0xRRGGBB, low to high

/// The table's entry for `t`; below 0 and not a number give the first, above 1 the last. The shader does the same.
int colour_index(float t);

/// One filled, rounded cell. `t` in 0..1 looks the colour up in table `table`; alpha multiplies.
struct HeatCell {
  float x, y, w, h, radius, t, table, alpha;
};

/// A band between two vertical edges, S-shaped: cubic Bezier edges with horizontal tangents.
struct Ribbon {
  float x0, y0_top, y0_bottom, x1, y1_top, y1_bottom, bend;
  Rgb colour;
  float alpha;
};

/// One n x n map out of those that `set_maps` brought, as gapless cells; where a cell is smaller than a device pixel,
/// each pixel shows the largest of what it covers. Edges belong on device pixels.
struct MapQuad {
  float x, y, w, h, map, alpha;
};

/// A map's table entries, coarser and coarser.
struct MapLevel {
  int side = 0;                       // n >> level
  std::vector<std::uint8_t> entries;  // side * side: colour_index of the largest value of 2^level x 2^level cells
};
/// Level 0 is the map itself (`values`: n * n, row-major; `largest` has the last colour), the last level a single cell.
/// What doesn't divide goes to the last row and column, as OpenGL halves sizes.
std::vector<MapLevel> make_map_levels(const float* values, int n, float largest = 1);

/// A rectangle to keep within, CSS pixels; the default is everything.
struct Clip {
  float x0 = 0, y0 = 0, x1 = 1e6f, y1 = 1e6f;
};

struct Frame {
  float width = 0, height = 0;  // CSS pixels of the canvas
  float pixel_ratio = 1;        // device pixels per CSS pixel
  Clip clip = {};
};

/// Owns programs, buffers and the table texture of one GL context. Create and use with that context current.
class Renderer {
 public:
  Renderer();
  ~Renderer();
  Renderer(const Renderer&) = delete;
  Renderer& operator=(const Renderer&) = delete;

  /// Compiles the shaders. Returns the driver's message when that fails, empty when all is well.
  std::string create();
  /// Frees everything; `lost`: the context is gone, so only forget the names.
  void destroy(bool lost);

  /// Table 0 and 1. May be called before `create`, and survives a lost context.
  void set_tables(const ColourTable& sequential, const ColourTable& diverging);
  /// `maps`: n * n values each, 0..largest, row-major, sequential colours. Uploads when `revision` is another one than
  /// last time, or the context is new; nothing else is kept of them, so the caller gives them again at every frame.
  void set_maps(std::uint64_t revision, int n, std::span<const float* const> maps, float largest = 1);
  // All drop what was bound (program, arrays, blending, scissor, texture unit 0): the caller sets its own again.
  void draw_cells(const Frame& frame, std::span<const HeatCell> cells);
  void draw_ribbons(const Frame& frame, std::span<const Ribbon> ribbons);
  void draw_maps(const Frame& frame, std::span<const MapQuad> maps);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace render
