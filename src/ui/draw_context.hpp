// What the program uses of Dear ImGui: a draw list, the font atlas, and what its OpenGL backend asks of a context.
//
// ImGui::CreateContext, NewFrame and Render refer to windows, tables, settings and navigation, which no page has, so a
// linker can't leave those out: a tenth of the download. Draw lists and atlas are made to work without them (see
// ImGui::Initialize in imgui.cpp); this does for them what those three functions do.
#pragma once

#include "imgui.h"
#include "imgui_internal.h"

namespace ui {

class DrawContext {
 public:
  DrawContext();
  ~DrawContext();
  DrawContext(const DrawContext&) = delete;
  DrawContext& operator=(const DrawContext&) = delete;

  void make_current();  // before any other call, here and to the backend: there may be more than one program
  ImFontAtlas& atlas() { return atlas_; }

  /// An empty list, clipped to the page. `size` in CSS pixels, `scale` in device pixels to one of them.
  ImDrawList& begin_frame(const ImVec2& size, const ImVec2& scale);
  void begin_again();       // the frame's list is emptied
  ImDrawData& end_frame();  // valid until the next frame begins

  /// The backend's shutdown takes this back, but glyphs are made while they are drawn, whether or not anything shows them.
  void promise_textures();

 private:
  ImFontAtlas atlas_;
  ImGuiContext context_;  // never initialised: it only holds its io, where the backend keeps its things
  ImDrawList list_;
  ImDrawData data_;
  int frame_ = 0;
};

}  // namespace ui
