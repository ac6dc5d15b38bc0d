// What of the gallery can be pressed: inside the canvas, apart from each other, large enough for a finger on a phone.
#include "ui/draw.hpp"
#include "ui/page.hpp"
#include "ui_gallery_support.hpp"

#include "imgui.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace gallery_test;

namespace {

/// The regions that one frame of this state has.
std::vector<ui::Region> regions_of(const ui::Program& program, const ui::Viewport& viewport) {
  ImGuiContext* context = ImGui::CreateContext();
  ImGuiContext* before = ImGui::GetCurrentContext();
  ImGui::SetCurrentContext(context);
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.DisplaySize = {viewport.width, viewport.height};
  io.BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
  const ui::Fonts fonts = ui::load_fonts(*io.Fonts);
  const ui::Palette& colours = ui::palette(false);
  const auto seq = render::make_colour_table(colours.seq), div = render::make_colour_table(colours.div);
  std::vector<ui::Region> regions;
  ImGui::NewFrame();
  {
    ui::Animation animation;
    ui::Local local;
    ui::Draw hand(*ImGui::GetBackgroundDrawList(), colours, fonts, nullptr, {viewport.width, viewport.height, 1}, seq,
                  div);
    ui::Page page(hand, program.state(), program.derived(), viewport, animation, local, regions, {});
    switch (ui::layout_for(viewport)) {
      case ui::Layout::full: ui::draw_gallery_full(page); break;
      case ui::Layout::compact: ui::draw_gallery_compact(page); break;
      case ui::Layout::phone: ui::draw_gallery_phone(page); break;
    }
    page.finish();
  }
  ImGui::Render();
  for (ImTextureData* texture : ImGui::GetPlatformIO().Textures)
    texture->SetStatus(ImTextureStatus_Destroyed), texture->SetTexID(ImTextureID_Invalid);
  ImGui::DestroyContext(context);
  ImGui::SetCurrentContext(before == context ? nullptr : before);
  return regions;
}

float overlap(const ui::Rect& a, const ui::Rect& b) {
  const float w = std::min(a.x + a.w, b.x + b.w) - std::max(a.x, b.x);
  const float h = std::min(a.y + a.h, b.y + b.h) - std::max(a.y, b.y);
  return w > 0 && h > 0 ? std::min(w, h) : 0;
}

constexpr std::pair<float, float> kSizes[] = {{1280, 800}, {1120, 728}, {1920, 1080}, {900, 600},
                                              {720, 560},  {1119, 700}, {390, 844},   {320, 640}};

/// Every region inside the canvas, none over another, and on a phone tall enough for a finger.
void check(const ui::Program& program, const ui::Viewport& viewport, int all_maps) {
  const float width = viewport.width, height = viewport.height;
  const bool phone = ui::layout_for(viewport) == ui::Layout::phone;
  const auto regions = regions_of(program, viewport);
  int maps = 0;
  for (std::size_t a = 0; a < regions.size(); ++a) {
    const ui::Region& r = regions[a];
    CAPTURE(r.action);
    CHECK(r.rect.x >= 0);
    CHECK(r.rect.x + r.rect.w <= width + 0.01f);
    if (!phone) CHECK(r.rect.y + r.rect.h <= height + 0.01f);
    if (r.action.starts_with("map:")) ++maps;
    if (phone) {
      CHECK(r.rect.h >= 43.9f);
      if (r.kind == ui::Region::Kind::map) CHECK(r.rect.w >= 43.9f);
    }
    const bool fixed = phone && r.rect.y < 49;  // the bar lies over what scrolls
    for (std::size_t b = a + 1; b < regions.size() && !fixed; ++b) {
      if (phone && regions[b].rect.y < 49) continue;
      CHECK_MESSAGE(overlap(r.rect, regions[b].rect) <= 4.5f, r.action << " over " << regions[b].action);
    }
  }
  CHECK(maps == all_maps);
}

}  // namespace

TEST_CASE("at every size, grid and panel: inside the canvas, apart, and for fingers on a phone") {
  for (const auto& [width, height] : kSizes)
    for (const auto& [layers, heads, n] : {std::tuple{4, 6, 11}, {2, 4, 20}, {12, 12, 32}, {1, 1, 2}, {6, 8, 100}})
      for (int panel = 0; panel < app::kPanels; ++panel) {
        CAPTURE(width);
        CAPTURE(layers);
        CAPTURE(heads);
        CAPTURE(panel);
        const ui::Viewport viewport = viewport_of(width, height);
        ui::Program program(viewport);
        open_attention(program, layers, heads, n);
        must(program, app::ShowPanel{static_cast<app::Panel>(panel)});
        check(program, viewport, layers * heads);
      }
}

TEST_CASE("a model's switches, sentence and training have room, too") {
  for (const auto& [width, height] : kSizes)
    for (int panel = 0; panel < app::kPanels; ++panel) {
      CAPTURE(width);
      CAPTURE(panel);
      const ui::Viewport viewport = viewport_of(width, height);
      ui::Program program(viewport);
      open_model(program);
      must(program, app::ShowPanel{static_cast<app::Panel>(panel)});
      check(program, viewport, program.derived().gallery.layers * program.derived().gallery.heads);
    }
}
