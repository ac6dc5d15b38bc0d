// The inside of ui::Program, shared by the files that implement it.
#pragma once

#include "ui/draw_context.hpp"
#include "ui/page.hpp"

#include <deque>
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
  std::deque<std::string> studio_commands;
  bool file_requested = false;
  std::optional<std::string> copy_request;
  bool pages_here = true;
  std::vector<app::Action> waiting;  // for the other pages
  float press_x = 0, press_y = 0;  // where the pointer went down
  bool slides = false;             // the pressed slider follows the pointer: not yet while a finger may mean to scroll
  app::Held<heads::Reading> mapped;  // whose maps the renderer has under `map_revision`
  app::Held<app::Specimen> mapped_specimen;
  bool mapped_contributions = false;
  app::Held<budget::LowRank> mapped_low_rank;  // of the budget: instead of a reading
  std::vector<float> low_rank_values[2];       // wanted, nearest
  std::uint64_t map_revision = 0;

  DrawContext context;
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
  void draw_page(ImDrawList& list);
  void prepare_tables();
  void prepare_maps();
  void prepare_low_rank();
  bool waits_for_pages(const app::Action& action);  // true: kept for later, or a kept one is dropped for it
  std::optional<std::string> hover(bool same, const app::Action& action);  // a pointer's action, `same` as before

  void check_answer();              // of practice: ends the open field, or opens it
  void practice_changed(const app::Practice& before);
  const Region* region_at(float x, float y) const;
  void hover_at_pointer();
  void activate(const Region& region, std::optional<app::MapCell> at = std::nullopt);
  void start_edit(const Region& region);
  bool is_editing() const { return local.editing.has_value() || !local.editing_field.empty(); }
  void end_edit();
  const Region* edited_region() const;
  std::string edited_text() const;  // as it stood when editing began
  std::string text_to_edit() const;  // what the field opens with
  void drag(const Region& region, float x);

  bool key(Key key);
  bool editor_key(Key key);
  std::optional<bool> gallery_key(Key key);  // nothing: the same on every page
  bool move_in_matrix(Key key);
  bool move_in_map(Key key);
  bool move_in_group(Key key);
  bool move_slider(Key key);
  bool move_focus(int direction);
  void set_focus(const Region* region);
  const Region* focused_region() const;
  void scroll_to(const Rect& rect);
  bool scroll_by(float dy);
};

}  // namespace ui
