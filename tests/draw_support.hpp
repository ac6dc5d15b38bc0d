// A page without a screen: an ImGui context whose draw lists can be read.
#pragma once

#include "imgui.h"

#include "ui/draw.hpp"

#include <functional>
#include <set>

class Page {
 public:
  explicit Page(float pixel_ratio = 1, render::Renderer* renderer = nullptr, bool dark = false)
      : context_(ImGui::CreateContext()),
        frame_{1280, 800, pixel_ratio},
        renderer_(renderer),
        colours_(ui::palette(dark)),
        seq_(render::make_colour_table(colours_.seq)),
        div_(render::make_colour_table(colours_.div)) {
    ImGui::SetCurrentContext(context_);
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = {frame_.width, frame_.height};
    io.DisplayFramebufferScale = {pixel_ratio, pixel_ratio};
    io.BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
    fonts_ = ui::load_fonts(*io.Fonts);
  }
  ~Page() {
    ImGuiPlatformIO& io = ImGui::GetPlatformIO();
    for (ImTextureData* texture : io.Textures)
      texture->SetStatus(ImTextureStatus_Destroyed), texture->SetTexID(ImTextureID_Invalid);
    ImGui::DestroyContext(context_);
  }
  Page(const Page&) = delete;
  Page& operator=(const Page&) = delete;

  /// Draws one frame and hands out its list.
  ImDrawList& draw(const std::function<void(ui::Draw&)>& what) {
    ImGui::NewFrame();
    ImDrawList* list = ImGui::GetBackgroundDrawList();
    {
      ui::Draw hand(*list, colours_, fonts_, renderer_, frame_, seq_, div_);
      what(hand);
    }
    ImGui::Render();
    for (ImTextureData* texture : ImGui::GetPlatformIO().Textures)
      if (texture->Status != ImTextureStatus_Destroyed) texture->SetTexID(1), texture->SetStatus(ImTextureStatus_OK);
    return *list;
  }

  const ui::Palette& colours() const { return colours_; }

 private:
  ImGuiContext* context_;
  render::Frame frame_;
  render::Renderer* renderer_;
  const ui::Palette& colours_;
  render::ColourTable seq_, div_;
  ui::Fonts fonts_;
};

/// All x, and all y, of the vertices in device pixels.
inline std::set<float> columns(const ImDrawList& list, float ratio) {
  std::set<float> out;
  for (const ImDrawVert& v : list.VtxBuffer) out.insert(v.pos.x * ratio);
  return out;
}
inline std::set<float> rows(const ImDrawList& list, float ratio) {
  std::set<float> out;
  for (const ImDrawVert& v : list.VtxBuffer) out.insert(v.pos.y * ratio);
  return out;
}
