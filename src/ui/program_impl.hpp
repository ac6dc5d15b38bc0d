// The inside of ui::Program, shared by the files that implement it.
#pragma once

#include "ui/page.hpp"

#include <memory>
#include <vector>

namespace ui {

struct Program::Impl {
  explicit Impl(const Viewport& v);
  ~Impl();

  Viewport viewport;
  app::State state;
  app::Derived derived;
  std::uint64_t revision = 1;
  Local local;
  Animation animation;
  std::vector<Region> regions;  // of the frame that is on screen
  bool dirty = true;
  double now = 0;
  double step_shown_at = 0;     // when the player arrived at this step

  ImGuiContext* context = nullptr;
  Fonts fonts;
  render::Renderer renderer;
  bool graphics = false;
  int tables_of_theme = -1;     // which palette the colour tables were made for
  render::ColourTable sequential{}, diverging{};

  bool dark() const;
  bool reduced() const;
  std::optional<std::string> dispatch(const app::Action& action);
  void changed(const app::State& before, const app::Derived& before_derived);
  void frame(double now_ms);
  void prepare_tables();

  const Region* region_at(float x, float y) const;
  void hover_at_pointer();
  void activate(const Region& region);
  void start_edit(const Region& region);

  bool key(Key key);
  bool editor_key(Key key);
  bool move_in_matrix(Key key);
  bool move_focus(int direction);
  void set_focus(const Region* region);
  const Region* focused_region() const;
  void scroll_to(const Rect& rect);
  bool scroll_by(float dy);
};

}  // namespace ui
