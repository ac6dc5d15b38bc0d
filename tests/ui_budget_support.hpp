// The budget's page as one frame draws it: what can be pressed, and where glyphs stand.
#pragma once

#include "ui/draw.hpp"
#include "ui/page.hpp"
#include "ui_gallery_support.hpp"

#include "imgui.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace budget_test {

using gallery_test::click;
using gallery_test::draw;
using gallery_test::must;
using gallery_test::viewport_of;

struct Drawn {
  std::vector<ui::Region> regions;
  std::vector<ui::Rect> glyphs;  // visible ones, CSS pixels
  float scroll_max = 0;

  const ui::Region* find(std::string_view action) const {
    for (const ui::Region& region : regions)
      if (region.action == action) return &region;
    return nullptr;
  }
};

/// The quads that show a part of the font texture: two triangles whose corners have different texture coordinates.
inline std::vector<ui::Rect> glyphs_of(const ImDrawList& list) {
  std::vector<ui::Rect> glyphs;
  for (const ImDrawCmd& command : list.CmdBuffer)
    for (unsigned i = command.IdxOffset; i + 5 < command.IdxOffset + command.ElemCount;) {
      const ImDrawIdx* at = list.IdxBuffer.Data + i;
      const auto vertex = [&](int k) { return list.VtxBuffer[static_cast<int>(at[k] + command.VtxOffset)]; };
      const bool quad =
          at[1] == at[0] + 1 && at[2] == at[0] + 2 && at[3] == at[0] && at[4] == at[2] && at[5] == at[0] + 3;
      if (!quad) {
        i += 3;
        continue;
      }
      i += 6;
      const ImDrawVert a = vertex(0), c = vertex(2);
      if (a.uv.x == c.uv.x || a.uv.y == c.uv.y) continue;
      const float x0 = std::max(a.pos.x, command.ClipRect.x), x1 = std::min(c.pos.x, command.ClipRect.z);
      const float y0 = std::max(a.pos.y, command.ClipRect.y), y1 = std::min(c.pos.y, command.ClipRect.w);
      if (x1 > x0 && y1 > y0) glyphs.push_back({x0, y0, x1 - x0, y1 - y0});
    }
  return glyphs;
}

/// Two frames: the second knows how far it may scroll. `scroll` in pixels.
inline Drawn drawn(const ui::Program& program, const ui::Viewport& viewport, float scroll = 0) {
  ImGuiContext* before = ImGui::GetCurrentContext();
  ImGuiContext* context = ImGui::CreateContext();
  ImGui::SetCurrentContext(context);
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.DisplaySize = {viewport.width, viewport.height};
  io.BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
  const ui::Fonts fonts = ui::load_fonts(*io.Fonts);
  const ui::Palette& colours = ui::palette(false);
  const auto seq = render::make_colour_table(colours.seq), div = render::make_colour_table(colours.div);
  Drawn result;
  ui::Local local;
  for (int frame = 0; frame < 2; ++frame) {
    result.regions.clear();
    local.scroll = std::min(scroll, local.scroll_max);
    ImGui::NewFrame();
    {
      ui::Animation animation;
      ui::Draw hand(*ImGui::GetBackgroundDrawList(), colours, fonts, nullptr, {viewport.width, viewport.height, 1}, seq,
                    div);
      ui::Page page(hand, program.state(), program.derived(), viewport, animation, local, result.regions, {});
      switch (ui::layout_for(viewport)) {
        case ui::Layout::full: ui::draw_budget_full(page); break;
        case ui::Layout::compact: ui::draw_budget_compact(page); break;
        case ui::Layout::phone: ui::draw_budget_phone(page); break;
      }
      page.finish();
    }
    result.glyphs = glyphs_of(*ImGui::GetBackgroundDrawList());
    ImGui::Render();
    for (ImTextureData* texture : ImGui::GetPlatformIO().Textures)
      if (texture->Status != ImTextureStatus_OK) texture->SetStatus(ImTextureStatus_OK);
  }
  result.scroll_max = local.scroll_max;
  for (ImTextureData* texture : ImGui::GetPlatformIO().Textures)
    texture->SetStatus(ImTextureStatus_Destroyed), texture->SetTexID(ImTextureID_Invalid);
  ImGui::DestroyContext(context);
  ImGui::SetCurrentContext(before);
  return result;
}

inline void open_budget(ui::Program& program) {
  must(program, app::OpenPage{app::Page::budget});
  draw(program);
}

/// The middle of what is pressed for `action`.
inline ui::Rect place_of(const ui::Program& program, const ui::Viewport& viewport, std::string_view action) {
  const Drawn page = drawn(program, viewport);
  const ui::Region* region = page.find(action);
  REQUIRE_MESSAGE(region != nullptr, action);
  return region->rect;
}

inline void press(ui::Program& program, const ui::Viewport& viewport, std::string_view action) {
  const ui::Rect place = place_of(program, viewport, action);
  click(program, place.x + place.w / 2, place.y + place.h / 2);
  draw(program);
}

}  // namespace budget_test
