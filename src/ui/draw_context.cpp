#include "ui/draw_context.hpp"

namespace ui {

DrawContext::DrawContext() : context_(&atlas_), list_(&context_.DrawListSharedData) {
  context_.DrawListSharedData.Context = &context_;
  context_.DrawListSharedData.FontAtlas = &atlas_;
  ImFontAtlasAddDrawListSharedData(&atlas_, &context_.DrawListSharedData);
  ++atlas_.RefCount;
  promise_textures();
}

DrawContext::~DrawContext() {
  --atlas_.RefCount;
  ImFontAtlasRemoveDrawListSharedData(&atlas_, &context_.DrawListSharedData);
  if (ImGui::GetCurrentContext() == &context_) ImGui::SetCurrentContext(nullptr);
}

void DrawContext::make_current() { ImGui::SetCurrentContext(&context_); }

void DrawContext::promise_textures() { context_.IO.BackendFlags |= ImGuiBackendFlags_RendererHasTextures; }

ImDrawList& DrawContext::begin_frame(const ImVec2& size, const ImVec2& scale) {
  context_.IO.DisplaySize = size;
  context_.IO.DisplayFramebufferScale = scale;
  ImFontAtlasUpdateNewFrame(&atlas_, ++frame_, true);

  ImDrawListSharedData& shared = context_.DrawListSharedData;
  const ImGuiStyle& style = context_.Style;
  shared.ClipRectFullscreen = {0, 0, size.x, size.y};
  shared.CurveTessellationTol = style.CurveTessellationTol;
  shared.SetCircleTessellationMaxError(style.CircleTessellationMaxError);
  shared.InitialFlags =
      ImDrawListFlags_AntiAliasedLines | ImDrawListFlags_AntiAliasedLinesUseTex | ImDrawListFlags_AntiAliasedFill;

  begin_again();
  return list_;
}

void DrawContext::begin_again() {
  list_._ResetForNewFrame();
  list_.PushTexture(atlas_.TexRef);
  list_.PushClipRectFullScreen();
}

ImDrawData& DrawContext::end_frame() {
  ImVector<ImTextureData*>& textures = context_.PlatformIO.Textures;
  textures.resize(0);
  for (ImTextureData* texture : atlas_.TexList) {
    texture->RefCount = static_cast<unsigned short>(atlas_.RefCount);
    textures.push_back(texture);
  }
  data_.Clear();
  data_.Valid = true;
  data_.DisplaySize = context_.IO.DisplaySize;
  data_.FramebufferScale = context_.IO.DisplayFramebufferScale;
  data_.Textures = &textures;
  data_.AddDrawList(&list_);
  return data_;
}

}  // namespace ui
