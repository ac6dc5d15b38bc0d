// Keys of the gallery: the ring walks inside the enlarged map, along a slider, and among the chips and maps of one
// group.
#include "ui/program_impl.hpp"

#include <algorithm>
#include <cmath>

namespace ui {

std::optional<bool> Program::Impl::gallery_key(Key key) {
  switch (key) {
    case Key::left:
    case Key::right:
    case Key::home:
    case Key::end: return move_in_map(key) || move_slider(key) || move_in_group(key);
    case Key::up:
    case Key::down:
      return move_in_map(key) || move_slider(key) || move_in_group(key) || scroll_by(key == Key::up ? -48.f : 48.f);
    case Key::space: {
      const Region* region = focused_region();
      if (region == nullptr) return false;  // nothing plays here
      activate(Region(*region), state.gallery.focused);
      return true;
    }
    case Key::undo:
    case Key::redo: return false;  // of numbers that can't be seen here
    default: return std::nullopt;
  }
}

bool Program::Impl::move_in_map(Key key) {
  if (!state.gallery.focused) return false;
  app::MapCell target = *state.gallery.focused;
  const int last = derived.gallery.n - 1;
  switch (key) {
    case Key::left: --target.key; break;
    case Key::right: ++target.key; break;
    case Key::up: --target.query; break;
    case Key::down: ++target.query; break;
    case Key::home: target.key = 0; break;
    case Key::end: target.key = last; break;
    default: return false;
  }
  target.query = std::clamp(target.query, 0, std::max(0, last));
  target.key = std::clamp(target.key, 0, std::max(0, last));
  local.show_focus = true;
  dispatch(app::FocusMapCell{target});
  return true;
}

bool Program::Impl::move_slider(Key key) {
  const Region* slider = focused_region();
  if (slider == nullptr || slider->kind != Region::Kind::slider || slider->stops.empty()) return false;
  const int last = static_cast<int>(slider->stops.size()) - 1;
  int stop = slider->stop;
  switch (key) {
    case Key::left:
    case Key::down: stop = std::max(0, stop - 1); break;
    case Key::right:
    case Key::up: stop = std::min(last, stop + 1); break;
    case Key::home: stop = 0; break;
    case Key::end: stop = last; break;
    default: return false;
  }
  local.show_focus = true;
  const auto action = app::read_action(slider->stops[static_cast<std::size_t>(stop)]);
  if (const auto* known = std::get_if<app::Action>(&action)) dispatch(*known);
  return true;
}

bool Program::Impl::move_in_group(Key key) {
  const Region* current = focused_region();
  if (current == nullptr || current->kind != Region::Kind::button) return false;
  const auto middle_x = [](const Region& r) { return r.rect.x + r.rect.w / 2; };
  const auto middle_y = [](const Region& r) { return r.rect.y + r.rect.h / 2; };
  const Region* best = nullptr;
  float best_distance = 0;
  bool has_others = false;
  for (const Region& other : regions) {
    if (&other == current || other.group != current->group || !other.enabled) continue;
    has_others = true;
    const float dx = middle_x(other) - middle_x(*current), dy = middle_y(other) - middle_y(*current);
    const bool same_row = std::abs(dy) < current->rect.h / 2;
    float distance = -1;
    switch (key) {
      case Key::left: distance = same_row ? -dx : -1; break;
      case Key::right: distance = same_row ? dx : -1; break;
      case Key::up: distance = same_row || dy > 0 ? -1 : -2 * dy + std::abs(dx); break;
      case Key::down: distance = same_row || dy < 0 ? -1 : 2 * dy + std::abs(dx); break;
      case Key::home: distance = same_row && dx < 0 ? 1e4f + dx : -1; break;
      case Key::end: distance = same_row && dx > 0 ? 1e4f - dx : -1; break;
      default: return false;
    }
    if (distance > 0 && (best == nullptr || distance < best_distance)) {
      best = &other;
      best_distance = distance;
    }
  }
  if (best != nullptr) set_focus(best);
  return has_others;  // at the end of a row the ring stays
}

}  // namespace ui
