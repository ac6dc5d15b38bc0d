// Pointer, wheel and touch: what was pointed at becomes an Action.
#include "ui/program_impl.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ui {

const Region* Program::Impl::region_at(float x, float y) const {
  for (auto it = regions.rbegin(); it != regions.rend(); ++it)
    if (it->visible.contains(x, y)) return &*it;
  return nullptr;
}

namespace {

bool same_target(const Region& a, const Region& b) {
  return a.kind == b.kind && (a.kind == Region::Kind::cell ? a.cell == b.cell : a.action == b.action);
}

constexpr std::string_view kMapAction = "map:", kAmountAction = "amount:";
constexpr float kSlop = 4;  // CSS pixels that a finger moves without meaning to

/// What a region of the budget explains.
std::optional<app::Amount> amount_of(const Region* region) {
  if (region == nullptr || !region->action.starts_with(kAmountAction)) return std::nullopt;
  return app::find_amount(std::string_view(region->action).substr(kAmountAction.size()));
}

bool is_field(const Region& region) { return region.action.starts_with(kEditAction); }

app::MapCell map_cell_at(const Region& map, float x, float y) {
  const auto index = [](float share, int count) {
    return std::clamp(static_cast<int>(share * static_cast<float>(count)), 0, std::max(0, count - 1));
  };
  return {index((y - map.rect.y) / map.rect.h, map.rows), index((x - map.rect.x) / map.rect.w, map.cols)};
}

}  // namespace

void Program::Impl::hover_at_pointer() {
  const Region* under = local.pointer_inside ? region_at(local.pointer_x, local.pointer_y) : nullptr;
  std::optional<app::Cell> cell;
  std::optional<app::MapCell> map_cell;
  std::optional<int> map;
  if (under != nullptr && under->kind == Region::Kind::cell) cell = under->cell;
  if (under != nullptr && under->kind == Region::Kind::map)
    map_cell = map_cell_at(*under, local.pointer_x, local.pointer_y);
  if (under != nullptr && under->action.starts_with(kMapAction)) {
    const auto read = app::read_action(under->action);
    const auto* known = std::get_if<app::Action>(&read);
    const auto* select = known != nullptr ? std::get_if<app::SelectMap>(known) : nullptr;
    if (select != nullptr) map = select->layer * derived.gallery.heads + select->head;
  }
  dispatch(app::Hover{cell});
  dispatch(app::HoverMapCell{map_cell});
  dispatch(app::HoverMap{map});
  std::optional<app::Amount> amount = amount_of(under);
  if (!amount && local.show_focus) amount = amount_of(focused_region());  // the ring explains as a pointer does
  dispatch(app::HoverAmount{amount});
}

void Program::Impl::drag(const Region& slider, float x) {
  std::size_t nearest = 0;
  for (std::size_t i = 1; i < slider.places.size(); ++i)
    if (std::abs(slider.places[i] - x) < std::abs(slider.places[nearest] - x)) nearest = i;
  if (nearest >= slider.stops.size()) return;
  const auto action = app::read_action(slider.stops[nearest]);
  if (const auto* known = std::get_if<app::Action>(&action)) dispatch(*known);
}

void Program::Impl::activate(const Region& region, std::optional<app::MapCell> at) {
  if (!region.enabled) return;
  if (region.kind == Region::Kind::map) {
    if (at) dispatch(app::PinMapCell{state.gallery.pinned == at ? std::optional<app::MapCell>() : at});
    return;
  }
  if (region.kind == Region::Kind::slider) return;  // what it does, it did while it was dragged
  if (region.kind == Region::Kind::cell) {
    if (region.editable)
      start_edit(region);
    else if (region.cell.tensor == app::Tensor::masked && state.step == app::Step::mask)
      dispatch(app::ToggleMay{region.cell.row, region.cell.col});  // the mask's own numbers: open or closed
    else
      dispatch(app::Pin{state.pinned == region.cell ? std::optional<app::Cell>() : region.cell});
    return;
  }
  using Popover = Local::Popover;
  const auto toggle = [&](Popover which) { local.popover = local.popover == which ? Popover::none : which; };
  if (is_field(region)) {
    start_edit(region);
  } else if (region.action == "ui:display") {
    toggle(Popover::display);
  } else if (region.action == "ui:roles") {
    toggle(Popover::roles);
  } else if (region.action == "ui:sets") {
    toggle(Popover::sets);
  } else if (region.action == "ui:check") {
    check_answer();
  } else if (region.action == "ui:copy:result" || region.action == "ui:copy:link") {
    copy_request = region.action == "ui:copy:link" ? app::to_query(state) : derived.practice.result;
  } else if (region.action == "ui:presets") {
    toggle(Popover::presets);
  } else if (region.action == "ui:menu") {
    toggle(Popover::menu);
  } else if (region.action == "ui:theme") {
    dispatch(app::SetTheme{dark() ? app::Theme::light : app::Theme::dark});
  } else if (region.action == "source:file" && (!state.gallery.file || state.gallery.source == app::Source::file)) {
    file_requested = true;  // the first one, or another one
  } else if (region.action == "ui:card") {
    return;
  } else if (region.action == "ui:close") {
    local.popover = Popover::none;
  } else if (auto action = app::read_action(region.action); auto* known = std::get_if<app::Action>(&action)) {
    if (local.popover == Popover::roles || local.popover == Popover::presets) local.popover = Popover::none;
    if (std::holds_alternative<app::OpenPractice>(*known)) local.popover = Popover::none;
    if (const auto* pin = std::get_if<app::PinAmount>(known); pin != nullptr && pin->amount == state.budget.pinned)
      *known = app::PinAmount{};  // pressed again
    const auto reason = dispatch(*known);
    // A source without anything in it can still be pressed: it says what is missing.
    // Likewise a switch that the present sizes don't allow.
    if (reason && (std::holds_alternative<app::SetSource>(*known) || std::holds_alternative<app::SetSize>(*known)))
      dispatch(app::SetNotice{*reason});
  }
  dirty = true;
}

void Program::pointer_move(float x, float y, bool touch) {
  Impl& m = *impl_;
  if (m.local.pressed && m.local.pressed->kind == Region::Kind::slider) {
    const float dx = std::abs(x - m.press_x), dy = std::abs(y - m.press_y);
    m.slides = m.slides || (dx > dy && dx > kSlop);  // sideways; up and down scrolls
    if (m.slides) m.drag(Region(*m.local.pressed), x);
  }
  if (touch) return;  // a finger has no hover; what it presses it shows
  const Region* before = m.local.pointer_inside ? m.region_at(m.local.pointer_x, m.local.pointer_y) : nullptr;
  m.local.pointer_x = x;
  m.local.pointer_y = y;
  m.local.pointer_inside = true;
  if (m.region_at(x, y) != before) m.dirty = true;
  m.hover_at_pointer();
}

void Program::pointer_leave() {
  impl_->local.pointer_inside = false;
  impl_->local.finger_down = false;
  impl_->local.pressed.reset();
  impl_->dirty = true;
  impl_->hover_at_pointer();
}

bool Program::pointer_down(float x, float y, bool touch) {
  Impl& m = *impl_;
  m.local.show_focus = false;
  m.dispatch(app::FocusCell{std::nullopt});
  if (m.state.gallery.focused) m.dispatch(app::FocusMapCell{std::nullopt});
  m.local.focused_button.clear();
  m.dirty = true;
  const Region* under = m.region_at(x, y);
  m.local.answer_was_open = m.local.editing_field == "answer";
  m.local.pressed.reset();
  if (under != nullptr) m.local.pressed = *under;
  m.local.finger_down = touch;
  m.press_x = x;
  m.press_y = y;
  m.slides = !touch;
  if (!touch)
    pointer_move(x, y, false);
  else if (under != nullptr && under->kind == Region::Kind::cell)
    m.dispatch(app::Hover{under->cell});
  else if (under != nullptr && under->kind == Region::Kind::map)
    m.dispatch(app::HoverMapCell{map_cell_at(*under, x, y)});
  return m.local.pressed.has_value();
}

void Program::pointer_up(float x, float y, bool touch) {
  Impl& m = *impl_;
  const std::optional<Region> pressed = std::exchange(m.local.pressed, std::nullopt);
  m.local.finger_down = false;
  if (touch) {
    m.dispatch(app::Hover{std::nullopt});
    m.dispatch(app::HoverMapCell{std::nullopt});
  }
  const Region* under = m.region_at(x, y);
  if (!pressed || under == nullptr || !same_target(*pressed, *under)) return;
  if (under->kind == Region::Kind::slider && !m.slides) m.drag(Region(*under), x);  // a tap
  std::optional<app::MapCell> at;
  if (under->kind == Region::Kind::map) at = map_cell_at(*under, x, y);
  m.activate(Region(*under), at);
}

void Program::pointer_cancel() {
  impl_->local.pressed.reset();
  impl_->local.pointer_inside = impl_->local.finger_down = false;
  impl_->hover_at_pointer();
}

bool Program::Impl::scroll_by(float dy) {
  const float before = local.scroll;
  local.scroll = std::clamp(local.scroll + dy, 0.f, local.scroll_max);
  if (local.scroll == before) return false;
  dirty = true;
  return true;
}

bool Program::can_scroll(float x, float y, float dy) const {
  const Local& l = impl_->local;
  return l.scroll_area.contains(x, y) && (dy > 0 ? l.scroll < l.scroll_max : l.scroll > 0);
}

bool Program::wheel(float x, float y, float dy) { return can_scroll(x, y, dy) && impl_->scroll_by(dy); }

void Program::Impl::scroll_to(const Rect& rect) {
  const Rect& area = local.scroll_area;
  if (area.h <= 0 || local.scroll_max <= 0) return;
  if (rect.y < area.y + 12) scroll_by(rect.y - area.y - 12);
  if (rect.y + rect.h > area.y + area.h - 12) scroll_by(rect.y + rect.h - area.y - area.h + 12);
}

std::string_view Program::cursor() const {
  const Local& l = impl_->local;
  if (!l.pointer_inside) return "default";
  const Region* under = impl_->region_at(l.pointer_x, l.pointer_y);
  if (under == nullptr || under->action == "ui:close" || under->action == "ui:card") return "default";
  if (under->kind == Region::Kind::cell) return under->editable ? "text" : "pointer";
  if (is_field(*under)) return "text";
  return under->enabled ? "pointer" : "default";
}

}  // namespace ui
