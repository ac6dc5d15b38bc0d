// Practice without a screen: what can be pressed on the page, and how one gets there by pointer and by Tab.
#pragma once

#include "ui/draw.hpp"
#include "ui/page.hpp"
#include "ui_budget_support.hpp"
#include "ui_gallery_support.hpp"

#include "imgui.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace practice_ui_test {

using namespace gallery_test;
using Popover = ui::Local::Popover;

/// One drawn page: its regions, and how far it scrolls.
struct Drawn {
  std::vector<ui::Region> regions;
  std::vector<ui::Rect> glyphs;  // visible ones, CSS pixels
  ui::Local local;
};

/// Draws pages of practice one after the other, with the fonts of one size.
class Stage {
 public:
  explicit Stage(const ui::Viewport& viewport) : viewport_(viewport), before_(ImGui::GetCurrentContext()) {
    context_ = ImGui::CreateContext();
    ImGui::SetCurrentContext(context_);
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = {viewport.width, viewport.height};
    io.BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
    fonts_ = ui::load_fonts(*io.Fonts);
    ImGui::SetCurrentContext(before_);
  }
  ~Stage() {
    ImGui::SetCurrentContext(context_);
    for (ImTextureData* texture : ImGui::GetPlatformIO().Textures)
      texture->SetStatus(ImTextureStatus_Destroyed), texture->SetTexID(ImTextureID_Invalid);
    ImGui::DestroyContext(context_);
    ImGui::SetCurrentContext(before_);
  }
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  const ui::Viewport& viewport() const { return viewport_; }

  /// `to_end`: scrolled down as far as it goes.
  Drawn draw(const app::State& state, const app::Derived& derived, Popover popover = Popover::none,
             bool to_end = false) {
    ImGuiContext* const outside = ImGui::GetCurrentContext();
    ImGui::SetCurrentContext(context_);
    Drawn drawn;
    drawn.local.popover = popover;
    drawn.local.practice_seen = "another";  // nothing has just come
    for (int frame = 0; frame < 2; ++frame) {
      ImGui::NewFrame();
      drawn.regions.clear();
      drawn.local.scroll_target.reset();
      {
        ui::Draw hand(*ImGui::GetBackgroundDrawList(), colours_, fonts_, nullptr,
                      {viewport_.width, viewport_.height, 1}, seq_, div_);
        ui::Page page(hand, state, derived, viewport_, animation_, drawn.local, drawn.regions, {});
        switch (ui::layout_for(viewport_)) {
          case ui::Layout::full: ui::draw_practice_full(page); break;
          case ui::Layout::compact: ui::draw_practice_compact(page); break;
          case ui::Layout::phone: ui::draw_practice_phone(page); break;
        }
        page.finish();
      }
      drawn.glyphs = budget_test::glyphs_of(*ImGui::GetBackgroundDrawList());
      ImGui::Render();
      for (ImTextureData* texture : ImGui::GetPlatformIO().Textures)
        if (texture->Status != ImTextureStatus_OK) texture->SetStatus(ImTextureStatus_OK);
      drawn.local.scroll = to_end ? drawn.local.scroll_max : 0;
    }
    ImGui::SetCurrentContext(outside);
    return drawn;
  }

 private:
  ui::Viewport viewport_;
  ImGuiContext *context_, *before_;
  ui::Fonts fonts_;
  ui::Animation animation_;
  const ui::Palette& colours_ = ui::palette(false);
  const render::ColourTable seq_ = render::make_colour_table(colours_.seq),
                            div_ = render::make_colour_table(colours_.div);
};

/// A program on the page of practice, and the stage that knows where its regions are.
struct Bench {
  /// Tall, so that nothing scrolls.
  explicit Bench(const ui::Viewport& viewport = viewport_of(1280, 1400)) : stage(viewport), program(viewport) {
    must(program, app::OpenPage{app::Page::practice});
  }
  explicit Bench(const std::string& set, int at = 0) : Bench() {
    must(program, app::OpenPractice{set});
    must(program, app::GoToQuestion{at});
    gallery_test::draw(program);
  }

  const app::PracticeView& view() const { return program.derived().practice; }
  Drawn drawn(Popover popover = Popover::none) { return stage.draw(program.state(), program.derived(), popover); }
  std::optional<ui::Region> find(std::string_view action, Popover popover = Popover::none) {
    for (const ui::Region& region : drawn(popover).regions)
      if (region.action == action) return region;
    return std::nullopt;
  }
  void press(std::string_view action, Popover popover = Popover::none) {
    gallery_test::draw(program);
    const auto region = find(action, popover);
    REQUIRE_MESSAGE(region.has_value(), action);
    click(program, region->rect.x + region->rect.w / 2, region->rect.y + region->rect.h / 2);
    gallery_test::draw(program);
  }
  /// From nowhere, as many times Tab as the page's reading order has stops before it.
  void tab_to(std::string_view action) {
    gallery_test::draw(program);
    const auto region = find(action);
    REQUIRE_MESSAGE(region.has_value(), action);
    REQUIRE(region->enabled);
    std::set<int> stops;
    for (const ui::Region& other : drawn().regions)
      if (other.enabled && other.group >= 0 && other.group <= region->group) stops.insert(other.group);
    program.blur();
    program.focus(0);
    for (std::size_t i = 0; i < stops.size(); ++i) key(ui::Key::tab);
  }
  void key(ui::Key pressed) {
    program.key(pressed, 0);
    gallery_test::draw(program);
  }
  void type(std::string_view text) {
    program.text_input(text);
    gallery_test::draw(program);
  }
  std::string editing() const {
    const auto request = program.edit_request();
    return request ? request->field : std::string();
  }
  /// An answer that is neither right nor recognised.
  std::string unknown_answer() const {
    const app::Question& question = view().question;
    for (double guess = 77777; guess < 77800; ++guess) {
      const app::Answer answer(guess);
      if (question.asks != app::Asks::number) break;
      if (!app::is_right(question, answer)) return app::answer_text(question, answer);
    }
    if (question.asks == app::Asks::shape) return "97 x 89";
    return {};
  }

  Stage stage;
  ui::Program program;
};

struct Found {
  std::string set;
  int at = 0;
};

/// The first question that asks in this way.
inline Found question_that(app::Asks asks) {
  for (const app::QuestionType& type : app::question_types()) {
    app::State state;
    if (app::update(state, app::OpenPractice{std::string(type.id)})) continue;
    for (int at = 0; at < app::question_count(state.practice); ++at) {
      const app::Question question = app::question_at(state, at);
      if (question.asks == asks && question.waiting.empty()) return {std::string(type.id), at};
    }
  }
  FAIL("no question asks so");
  return {};
}

}  // namespace practice_ui_test
