// ui::Program: state and frame. Input is in input.cpp and keyboard.cpp.
#include "ui/program_impl.hpp"

#include "backends/imgui_impl_opengl3.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ui {

Program::Impl::Impl(const Viewport& v) : viewport(v) {
  context.make_current();
  fonts = load_fonts(context.atlas());
  state.system_reduces_motion = viewport.reduced_motion;
  derived = app::derive(state);
}

Program::Impl::~Impl() {
  context.make_current();
  if (!graphics) return;
  renderer.destroy(false);
  ImGui_ImplOpenGL3_Shutdown();
}

bool Program::Impl::dark() const {
  return state.theme == app::Theme::dark || (state.theme == app::Theme::automatic && viewport.dark_page);
}

bool Program::Impl::reduced() const { return app::reduced_motion(state); }

std::optional<std::string> Program::Impl::dispatch(const app::Action& action) {
  // A pointer moves often: don't copy the history for it.
  if (const auto* cell = std::get_if<app::Hover>(&action)) return hover(state.hovered == cell->cell, action);
  if (const auto* map = std::get_if<app::HoverMap>(&action))
    return hover(state.gallery.hovered_map == map->map, action);
  if (const auto* cell = std::get_if<app::HoverMapCell>(&action))
    return hover(state.gallery.hovered == cell->cell, action);
  if (const auto* amount = std::get_if<app::HoverAmount>(&action))
    return hover(state.budget.hovered == amount->amount, action);
  if (waits_for_pages(action)) return std::nullopt;
  const app::State before = state;
  if (auto reason = app::update(state, action)) return reason;
  if (const auto* train = std::get_if<app::Train>(&action))
    if (auto command = app::studio_command(state, *train)) studio_commands.push_back(std::move(*command));
  if (state == before) return std::nullopt;
  const app::Derived before_derived = derived;
  derived = app::derive(state, &before_derived);
  changed(before, before_derived);
  return std::nullopt;
}

std::optional<std::string> Program::Impl::hover(bool same, const app::Action& action) {
  if (same || waits_for_pages(action)) return std::nullopt;
  if (auto reason = app::update(state, action)) return reason;
  derived = app::derive(state, &derived);
  ++revision;
  dirty = true;
  return std::nullopt;
}

void Program::Impl::changed(const app::State& before, const app::Derived& before_derived) {
  if (before.step != state.step) {
    animation.begin(now, reduced());
    animation.step_changed(before.step, state.step);
    step_shown_at = now;
    local.scroll = 0;
    end_edit();
  }
  if (before.page != state.page) {
    local.scroll = 0;
    local.popover = Local::Popover::none;
    end_edit();
  }
  if (state.page == app::Page::practice && !(before.practice == state.practice)) practice_changed(before.practice);
  if (!before.playing && state.playing) step_shown_at = now;
  if (!(before.document == state.document)) {
    animation.begin(now, reduced());
    animation.numbers_changed(before, before_derived, state, derived);
  }
  ++revision;
  dirty = true;
}

void Program::Impl::prepare_tables() {
  const int theme = dark() ? 1 : 0;
  if (tables_of_theme == theme) return;
  const Palette& colours = palette(dark());
  sequential = render::make_colour_table(colours.seq);
  diverging = render::make_colour_table(colours.div);
  if (graphics) renderer.set_tables(sequential, diverging);
  tables_of_theme = theme;
}

namespace {

/// Contributions are lengths, which have no limit, and a few of them dwarf the rest: one scale for all heads, so that
/// they compare, up to what 98 % of the cells don't exceed.
float usual_most(const app::GalleryView& view) {
  std::vector<float> values;
  for (int map = 0; map < view.layers * view.heads; ++map) {
    const heads::Pattern& pattern = view.map(map / view.heads, map % view.heads);
    values.insert(values.end(), pattern.data(), pattern.data() + pattern.size());
  }
  std::erase_if(values, [](float value) { return !std::isfinite(value); });
  if (values.empty()) return 1;
  const auto most = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) * 98 / 100);
  std::nth_element(values.begin(), most, values.end());
  return *most > 0 ? *most : 1;
}

}  // namespace

void Program::Impl::prepare_low_rank() {
  const auto& low = derived.budget.low_rank;
  if (state.budget.panel != app::BudgetPanel::rank || !low) return;
  if (!mapped_low_rank.is_same_as(low)) {
    mapped_low_rank = low;
    mapped = {};  // the gallery's maps aren't there any more
    ++map_revision;
    for (int i = 0; i < 2; ++i) {
      const auto& values = i == 0 ? low->target : low->approximation;
      low_rank_values[i].assign(values.data(), values.data() + values.size());
    }
  }
  if (graphics && low->target.rows() > 0)
    renderer.set_maps(map_revision, static_cast<int>(low->target.rows()),
                      std::vector<const float*>{low_rank_values[0].data(), low_rank_values[1].data()});
}

void Program::Impl::prepare_maps() {
  if (state.page == app::Page::budget) return prepare_low_rank();
  const app::GalleryView& view = derived.gallery;
  if (state.page != app::Page::gallery || !view.reading) return;
  if (!mapped.is_same_as(view.reading) || !mapped_specimen.is_same_as(view.specimen) ||
      mapped_contributions != view.contributions) {
    mapped = view.reading;  // held, so that its address names no other reading
    mapped_low_rank = {};
    mapped_specimen = view.specimen;
    mapped_contributions = view.contributions;
    ++map_revision;
    local.largest = view.contributions ? usual_most(view) : 1;
  }
  if (!graphics) return;
  std::vector<const float*> maps;
  for (int layer = 0; layer < view.layers; ++layer)
    for (int head = 0; head < view.heads; ++head) {
      const heads::Pattern& map = view.map(layer, head);
      if (map.rows() != view.n || map.cols() != view.n) return;
      maps.push_back(map.data());
    }
  renderer.set_maps(map_revision, view.n, maps, local.largest);
}

void Program::Impl::frame(double now_ms) {
  context.make_current();
  if (state.playing && now_ms - step_shown_at >= kPlayStepMs) {
    const app::State before = state;
    const app::Derived before_derived = derived;
    now = now_ms;
    app::play_on(state);
    derived = app::derive(state, &before_derived);
    changed(before, before_derived);
  }
  // ImGui cuts size * scale to a whole number: a hair more, so that rounding never costs the last row of pixels.
  const auto scale = [&](float size) {
    return (std::round(size * viewport.pixel_ratio) + 0.01f) / std::max(1.f, size);
  };
  now = now_ms;
  prepare_tables();
  prepare_maps();
  if (graphics) ImGui_ImplOpenGL3_NewFrame();
  ImDrawList& list =
      context.begin_frame({viewport.width, viewport.height}, {scale(viewport.width), scale(viewport.height)});
  dirty = false;
  draw_page(list);
  if (std::exchange(local.redraw, false)) {  // it scrolled: no picture of where it was
    context.begin_again();
    draw_page(list);
    dirty = std::exchange(local.redraw, false);
  }
  ImDrawData& data = context.end_frame();
  if (graphics) {
    ImGui_ImplOpenGL3_RenderDrawData(&data);
  } else {
    // Without graphics (tests) nothing is uploaded: tell ImGui that its textures are served.
    for (ImTextureData* texture : *data.Textures)
      if (texture->Status != ImTextureStatus_OK) texture->SetStatus(ImTextureStatus_OK);
  }
  // A field whose number is no longer on the page (the layout changed) is closed: else it would hold the keys.
  if (is_editing() && edited_region() == nullptr) end_edit();
  if (!local.finger_down) hover_at_pointer();  // a finger shows what it presses until it lifts
}

void Program::Impl::draw_page(ImDrawList& list) {
  animation.begin(now, reduced());
  const Palette& colours = palette(dark());
  const render::Frame surface{viewport.width, viewport.height, viewport.pixel_ratio};
  Draw draw(list, colours, fonts, graphics ? &renderer : nullptr, surface, sequential, diverging);
  draw.rect_filled(0, 0, viewport.width, viewport.height, colours.bg);
  local.scroll_area = {};  // a layout that scrolls says where
  std::vector<Region> found;
  {
    Page page(draw, state, derived, viewport, animation, local, found, regions);
    using Drawing = void (*)(Page&);
    constexpr Drawing kDrawings[app::kPages][3] = {{draw_full, draw_compact, draw_phone},
                                                   {draw_gallery_full, draw_gallery_compact, draw_gallery_phone},
                                                   {draw_budget_full, draw_budget_compact, draw_budget_phone},
                                                   {draw_practice_full, draw_practice_compact, draw_practice_phone}};
    kDrawings[static_cast<std::size_t>(state.page)][static_cast<std::size_t>(layout_for(viewport))](page);
    page.finish();
  }
  regions = std::move(found);
}

Program::Program(const Viewport& viewport) : impl_(std::make_unique<Impl>(viewport)) {}
Program::~Program() = default;

const app::State& Program::state() const { return impl_->state; }
const app::Derived& Program::derived() const { return impl_->derived; }
std::uint64_t Program::revision() const { return impl_->revision; }
std::optional<std::string> Program::dispatch(const app::Action& action) { return impl_->dispatch(action); }

void Program::set_clock(double now_ms) { impl_->now = std::max(impl_->now, now_ms); }

void Program::open(const app::State& state) {
  impl_->state = state;
  impl_->state.system_reduces_motion = impl_->viewport.reduced_motion;
  impl_->derived = app::derive(impl_->state);
  impl_->end_edit();
  impl_->local.popover = Local::Popover::none;
  impl_->animation.settle();
  impl_->step_shown_at = impl_->now;
  ++impl_->revision;
  impl_->dirty = true;
}

void Program::resize(const Viewport& viewport) {
  if (impl_->viewport == viewport) return;
  impl_->viewport = viewport;
  impl_->dispatch(app::SetSystemMotion{viewport.reduced_motion});
  impl_->dirty = true;
}

std::string Program::create_graphics() {
  impl_->context.make_current();
  if (impl_->graphics) return {};
  if (std::string problem = impl_->renderer.create(); !problem.empty()) return problem;
  if (!ImGui_ImplOpenGL3_Init()) return "Dear ImGui's OpenGL backend could not start";
  impl_->graphics = true;
  impl_->tables_of_theme = -1;
  impl_->dirty = true;
  return {};
}

void Program::destroy_graphics(bool lost) {
  impl_->context.make_current();
  if (!impl_->graphics) return;
  impl_->renderer.destroy(lost);
  ImGui_ImplOpenGL3_Shutdown();
  impl_->context.promise_textures();
  impl_->graphics = false;
}

bool Program::wants_frame(double now_ms) const { return next_frame_in(now_ms) == 0; }

double Program::next_frame_in(double now_ms) const {
  const Impl& m = *impl_;
  if (m.dirty || m.animation.running()) return 0;
  double soonest = m.animation.wakes_in(now_ms);
  if (m.state.playing) {
    const double left = std::max(0.0, m.step_shown_at + kPlayStepMs - now_ms);
    soonest = soonest < 0 ? left : std::min(soonest, left);
  }
  return soonest;
}

void Program::frame(double now_ms) { impl_->frame(now_ms); }

void Program::settle() {
  impl_->animation.settle();
  impl_->dirty = true;
}

bool Program::is_dark() const { return impl_->dark(); }
bool Program::is_motion_reduced() const { return impl_->reduced(); }

}  // namespace ui
