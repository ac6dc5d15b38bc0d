// The hand itself: device pixels, clipping, and the queue of shader drawings.
#include "ui/draw.hpp"

#include "imgui_internal.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace ui {
namespace {

/// What a shader drawing's callback gets, followed by its cells, ribbons or maps. ImGui keeps a copy until the frame is
/// drawn.
struct Batch {
  enum class Kind : std::uint8_t { cells, ribbons, maps };
  render::Renderer* renderer;
  render::Frame frame;
  std::uint32_t count;
  Kind kind;
};

template <class Item>
std::vector<Item> items_of(const unsigned char* data, std::size_t count) {
  std::vector<Item> items(count);  // copied: ImGui's buffer promises no alignment
  std::memcpy(items.data(), data + sizeof(Batch), count * sizeof(Item));
  return items;
}

void draw_batch(const ImDrawList*, const ImDrawCmd* command) {
  const auto* data = static_cast<const unsigned char*>(command->UserCallbackData);
  Batch batch;
  std::memcpy(&batch, data, sizeof batch);
  const ImVec4& clip = command->ClipRect;
  batch.frame.clip = {clip.x, clip.y, clip.z, clip.w};
  switch (batch.kind) {
    case Batch::Kind::cells:
      return batch.renderer->draw_cells(batch.frame, items_of<render::HeatCell>(data, batch.count));
    case Batch::Kind::ribbons:
      return batch.renderer->draw_ribbons(batch.frame, items_of<render::Ribbon>(data, batch.count));
    case Batch::Kind::maps: return batch.renderer->draw_maps(batch.frame, items_of<render::MapQuad>(data, batch.count));
  }
}

template <class Item>
void queue(ImDrawList& list, Batch batch, std::vector<Item>& items) {
  if (items.empty()) return;
  batch.count = static_cast<std::uint32_t>(items.size());
  std::vector<unsigned char> data(sizeof batch + items.size() * sizeof(Item));
  std::memcpy(data.data(), &batch, sizeof batch);
  std::memcpy(data.data() + sizeof batch, items.data(), items.size() * sizeof(Item));
  list.AddCallback(draw_batch, data.data(), data.size());
  list.AddCallback(ImDrawCallback_ResetRenderState, nullptr);
  items.clear();
}

}  // namespace

Draw::Draw(ImDrawList& list, const Palette& colours, const Fonts& fonts, render::Renderer* renderer,
           const render::Frame& frame, const render::ColourTable& seq, const render::ColourTable& div)
    : c(colours), list_(list), fonts_(fonts), renderer_(renderer), frame_(frame), seq_(seq), div_(div) {}

Draw::~Draw() {
  flush();
}

ImDrawList& Draw::list() {
  flush();
  return list_;
}

void Draw::flush() {
  queue(list_, {renderer_, frame_, 0, Batch::Kind::cells}, waiting_cells_);
  queue(list_, {renderer_, frame_, 0, Batch::Kind::ribbons}, waiting_ribbons_);
  queue(list_, {renderer_, frame_, 0, Batch::Kind::maps}, waiting_maps_);
}

void Draw::push_clip(float x, float y, float w, float h) {
  flush();
  list_.PushClipRect({on_pixel(x), on_pixel(y)}, {on_pixel(x + std::max(w, 0.0f)), on_pixel(y + std::max(h, 0.0f))},
                     true);
}

void Draw::pop_clip() {
  flush();
  list_.PopClipRect();
}

// ------------------------------------------------------------ device pixels

bool Draw::whole_ratio() const {
  return std::abs(frame_.pixel_ratio - std::round(frame_.pixel_ratio)) < 1e-3f;
}

float Draw::on_pixel(float v) const {
  return std::floor(v * frame_.pixel_ratio + 0.5f) / frame_.pixel_ratio;
}

// At a ratio of 1.5 every second whole CSS pixel falls between device pixels. What the drawings put on whole pixels
// goes to the nearest device pixel; what moves or grows by fractions keeps them.
float Draw::edge(float v) const {
  return !whole_ratio() && std::abs(v - std::round(v)) < 1e-3f ? on_pixel(v) : v;
}

float Draw::stroke_width(float width) const {
  if (whole_ratio()) return width;
  return std::max(1.0f, std::floor(width * frame_.pixel_ratio + 0.25f)) / frame_.pixel_ratio;
}

ImU32 Draw::ink(Colour colour, float alpha) const {
  const float a = alpha * alpha_;
  const auto byte = static_cast<unsigned>(a > 0 ? std::min(a, 1.0f) * 255 + 0.5f : 0.0f);
  return IM_COL32(colour >> 16 & 255, colour >> 8 & 255, colour & 255, byte);
}

// ------------------------------------------------------------ shader drawings

Colour Draw::table_colour(float t, bool diverging) const {
  const auto& entry = (diverging ? div_ : seq_)[static_cast<std::size_t>(render::colour_index(t))];
  return static_cast<Colour>(entry[0] << 16 | entry[1] << 8 | entry[2]);
}

void Draw::cell(float x, float y, float w, float h, float t, bool diverging, float radius, float alpha) {
  if (!renderer_) return rect_filled(x, y, w, h, table_colour(t, diverging), radius, alpha);
  const float x0 = edge(x), y0 = edge(y), x1 = edge(x + w), y1 = edge(y + h);
  if (!(x1 > x0 && y1 > y0)) return;
  if (!waiting_ribbons_.empty() || !waiting_maps_.empty()) flush();
  const float entry =
      static_cast<float>(render::colour_index(t)) / 255;  // chosen here: the shader may treat NaN its way
  waiting_cells_.push_back(
      {x0, y0, x1 - x0, y1 - y0, radius, entry, diverging ? 1.0f : 0.0f, std::clamp(alpha * alpha_, 0.0f, 1.0f)});
}

void Draw::ribbon(float x0, float y0a, float y0b, float x1, float y1a, float y1b, Colour colour, float alpha,
                  float bend) {
  if (!(x1 > x0)) return;
  if (renderer_) {
    if (!waiting_cells_.empty() || !waiting_maps_.empty()) flush();
    const auto part = [colour](int shift) { return static_cast<float>(colour >> shift & 255) / 255; };
    waiting_ribbons_.push_back({edge(x0),
                                y0a,
                                y0b,
                                edge(x1),
                                y1a,
                                y1b,
                                bend,
                                {part(16), part(8), part(0)},
                                std::clamp(alpha * alpha_, 0.0f, 1.0f)});
    return;
  }
  constexpr int kPieces = 24;
  const auto at = [&](int i, float ya, float yb) {
    const float s = static_cast<float>(i) / kPieces, r = 1 - s, k = bend * (x1 - x0);
    const float rise = 3 * s * s * r + s * s * s;
    return ImVec2(x0 * r * r * r + 3 * (x0 + k) * s * r * r + 3 * (x1 - k) * s * s * r + x1 * s * s * s,
                  ya + (yb - ya) * rise);
  };
  for (int i = 0; i < kPieces; ++i)
    poly_filled({at(i, y0a, y1a), at(i + 1, y0a, y1a), at(i + 1, y0b, y1b), at(i, y0b, y1b)}, colour, alpha);
}

void Draw::map(float x, float y, float w, float h, int map, float alpha) {
  if (!renderer_) return rect_filled(x, y, w, h, table_colour(0, false), 0, alpha);
  const float x0 = on_pixel(x), y0 = on_pixel(y), x1 = on_pixel(x + w), y1 = on_pixel(y + h);
  if (!(x1 > x0 && y1 > y0)) return;
  if (!waiting_cells_.empty() || !waiting_ribbons_.empty()) flush();
  waiting_maps_.push_back({x0, y0, x1 - x0, y1 - y0, static_cast<float>(map), std::clamp(alpha * alpha_, 0.0f, 1.0f)});
}

void Draw::colour_scale(float x, float y, float w, float h, bool diverging,
                        const std::vector<std::pair<float, std::string>>& ticks) {
  // one cell per device pixel: as smooth as the screen can be
  const int columns = std::clamp(static_cast<int>(std::lround(w * frame_.pixel_ratio)), 1, 4096);
  const float step = w / static_cast<float>(columns);
  for (int i = 0; i < columns; ++i)
    cell(x + static_cast<float>(i) * step, y, step, h, (static_cast<float>(i) + 0.5f) / static_cast<float>(columns),
         diverging, 0);
  rect(x, y, w, h, c.line2);
  for (const auto& [t, label] : ticks) {
    const float at = std::round(x + w * t), tick = std::min(at, x + w - 1);
    line(tick, y + h, tick, y + h + 4, c.line2);
    text(at, y + h + 12, label,
         {.size = 12,
          .face = Face::mono,
          .colour = c.ink2,
          .align = t <= 0   ? 0
                   : t >= 1 ? 1
                            : 0.5f});
  }
}

}  // namespace ui
