// Pointer, wheel, touch and editing: what was pointed at becomes an Action.
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

}  // namespace

void Program::Impl::hover_at_pointer() {
  const Region* under = local.pointer_inside ? region_at(local.pointer_x, local.pointer_y) : nullptr;
  std::optional<app::Cell> cell;
  if (under != nullptr && under->kind == Region::Kind::cell) cell = under->cell;
  dispatch(app::Hover{cell});
}

void Program::Impl::start_edit(const Region& region) {
  local.editing = region.cell;
  local.edit_opened = true;
  local.edit_text = app::to_text(app::value_of(state, derived, region.cell));
  local.caret = local.edit_text.size();
  local.all_selected = true;
  local.edit_refusal.clear();
  dispatch(app::SetPlaying{false});
  dirty = true;
}

void Program::Impl::activate(const Region& region) {
  if (!region.enabled) return;
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
  if (region.action == "ui:display") {
    toggle(Popover::display);
  } else if (region.action == "ui:menu") {
    toggle(Popover::menu);
  } else if (region.action == "ui:theme") {
    dispatch(app::SetTheme{dark() ? app::Theme::light : app::Theme::dark});
  } else if (region.action == "ui:card") {
    return;
  } else if (region.action == "ui:close") {
    local.popover = Popover::none;
  } else if (auto action = app::read_action(region.action); auto* known = std::get_if<app::Action>(&action)) {
    dispatch(*known);
  }
  dirty = true;
}

void Program::pointer_move(float x, float y, bool touch) {
  Impl& m = *impl_;
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
  impl_->dispatch(app::Hover{std::nullopt});
}

bool Program::pointer_down(float x, float y, bool touch) {
  Impl& m = *impl_;
  m.local.show_focus = false;
  m.dispatch(app::FocusCell{std::nullopt});
  m.local.focused_button.clear();
  m.dirty = true;
  const Region* under = m.region_at(x, y);
  m.local.pressed.reset();
  if (under != nullptr) m.local.pressed = *under;
  m.local.finger_down = touch;
  if (!touch) pointer_move(x, y, false);
  else if (under != nullptr && under->kind == Region::Kind::cell) m.dispatch(app::Hover{under->cell});
  return under != nullptr;
}

void Program::pointer_up(float x, float y, bool touch) {
  Impl& m = *impl_;
  const std::optional<Region> pressed = std::exchange(m.local.pressed, std::nullopt);
  m.local.finger_down = false;
  if (touch) m.dispatch(app::Hover{std::nullopt});
  const Region* under = m.region_at(x, y);
  if (pressed && under != nullptr && same_target(*pressed, *under)) m.activate(Region(*under));
}

void Program::pointer_cancel() {
  impl_->local.pressed.reset();
  impl_->local.pointer_inside = impl_->local.finger_down = false;
  impl_->dispatch(app::Hover{std::nullopt});
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
  return under->enabled ? "pointer" : "default";
}

std::optional<EditRequest> Program::edit_request() const {
  const Local& l = impl_->local;
  if (!l.editing) return std::nullopt;
  const auto rect = rect_of(*l.editing);
  if (!rect) return std::nullopt;
  EditRequest request;
  request.cell = *l.editing;
  request.rect = *rect;
  request.text = app::to_text(app::value_of(impl_->state, impl_->derived, *l.editing));
  request.label = app::to_plain(app::label_of(impl_->state, *l.editing));
  for (const Region& region : impl_->regions)
    if (region.kind == Region::Kind::cell && region.cell == *l.editing) request.font_px = region.font_px;
  return request;
}

std::optional<Rect> Program::rect_of(const app::Cell& cell) const {
  for (const Region& region : impl_->regions)
    if (region.kind == Region::Kind::cell && region.cell == cell) return region.rect;
  return std::nullopt;
}

std::optional<std::string> Program::commit_edit(std::string_view text) {
  Impl& m = *impl_;
  if (!m.local.editing) return std::nullopt;
  const app::Cell cell = *m.local.editing;
  m.dirty = true;
  // Opened and left unchanged: the bits stay, whatever their text would read back as.
  if (text != app::to_text(app::value_of(m.state, m.derived, cell))) {
    const auto number = app::read_number(text);
    if (const auto* problem = std::get_if<attention::Problem>(&number)) return attention::to_sentence(*problem);
    if (auto reason = m.dispatch(app::SetCell{cell, std::get<double>(number)})) return reason;
    m.dispatch(app::SetNotice{""});  // what was said of an earlier try is over
  }
  m.local.editing.reset();
  return std::nullopt;
}

void Program::cancel_edit() {
  impl_->local.editing.reset();
  impl_->dirty = true;
}

void Program::use_built_in_editor(bool on) { impl_->local.built_in_editor = on; }

void Program::text_input(std::string_view utf8) {
  Local& l = impl_->local;
  if (!l.editing || !l.built_in_editor) return;
  if (std::exchange(l.all_selected, false)) {
    l.edit_text.clear();
    l.caret = 0;
  }
  std::string clean;
  for (const char ch : utf8)
    if (static_cast<unsigned char>(ch) >= 0x20) clean += ch;
  clean.resize(std::min<std::size_t>(clean.size(), 64 - std::min<std::size_t>(64, l.edit_text.size())));
  l.edit_text.insert(l.caret, clean);
  l.caret += clean.size();
  l.edit_refusal.clear();
  impl_->dirty = true;
}

std::string Program::edit_selection() const {
  const Local& l = impl_->local;
  return l.editing && l.built_in_editor && l.all_selected ? l.edit_text : std::string();
}

}  // namespace ui
