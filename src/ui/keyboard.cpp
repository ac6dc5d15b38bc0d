// Keys: steps, the ring that walks through the page, and the built-in editor.
#include "ui/program_impl.hpp"

#include <algorithm>
#include <utility>

namespace ui {
namespace {

bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }  // a character of UTF-8

std::size_t before(const std::string& text, std::size_t caret) {
  if (caret > 0) --caret;
  while (caret > 0 && continues(text[caret])) --caret;
  return caret;
}

std::size_t after(const std::string& text, std::size_t caret) {
  if (caret < text.size()) ++caret;
  while (caret < text.size() && continues(text[caret])) ++caret;
  return caret;
}

}  // namespace

const Region* Program::Impl::focused_region() const {
  for (const Region& region : regions) {
    const bool here = region.kind == Region::Kind::cell ? state.focused == region.cell
                      : region.kind == Region::Kind::map
                          ? state.gallery.focused.has_value()
                          : region.group >= 0 && !local.focused_button.empty() && region.action == local.focused_button;
    if (here) return &region;
  }
  return nullptr;
}

void Program::Impl::set_focus(const Region* region) {
  local.show_focus = true;
  local.focused_button.clear();
  std::optional<app::Cell> cell;
  std::optional<app::MapCell> map_cell;
  if (region != nullptr) {
    if (region->kind == Region::Kind::cell)
      cell = region->cell;
    else if (region->kind == Region::Kind::map)
      map_cell = state.gallery.focused.value_or(derived.gallery.shown);
    else
      local.focused_button = region->action;
    // What stands beside the part that scrolls is seen anyway.
    const Rect &at = region->rect, &area = local.scroll_area;
    const bool fixed = region->visible.h > 0 && (at.y + at.h <= area.y || at.y >= area.y + area.h);
    if (!fixed) scroll_to(Rect(at));
  }
  dispatch(app::FocusCell{cell});
  if (map_cell != state.gallery.focused) dispatch(app::FocusMapCell{map_cell});
  dirty = true;
}

bool Program::Impl::move_focus(int direction) {
  // While a card lies open, Tab stays on it.
  std::size_t first = 0;
  for (std::size_t i = 0; i < regions.size(); ++i)
    if (regions[i].action == "ui:close") first = i + 1;
  const Region* current = focused_region();
  const int from = current != nullptr ? current->group : direction > 0 ? -1 : 1 << 30;
  const Region* best = nullptr;
  for (std::size_t i = first; i < regions.size(); ++i) {
    const Region& candidate = regions[i];
    if (!candidate.enabled || candidate.group < 0) continue;
    const bool beyond = direction > 0 ? candidate.group > from : candidate.group < from;
    const bool nearer =
        best == nullptr || (direction > 0 ? candidate.group < best->group : candidate.group > best->group);
    if (beyond && nearer) best = &candidate;
    // Entering a matrix: at the number that the strip shows, if it is there.
    if (best != nullptr && candidate.group == best->group &&
        (candidate.kind == Region::Kind::cell ? derived.shown == candidate.cell : candidate.chosen))
      best = &candidate;
  }
  if (best == nullptr && first > 0 && current != nullptr) {  // an open card goes round
    set_focus(nullptr);
    return move_focus(direction);
  }
  if (best == nullptr) {
    set_focus(nullptr);
    return false;
  }
  set_focus(best);
  return true;
}

bool Program::Impl::move_in_matrix(Key key) {
  if (!state.focused) return false;
  app::Cell target = *state.focused;
  const auto shape = attention::shape_of(state.document.config, target.tensor);
  switch (key) {
    case Key::left: --target.col; break;
    case Key::right: ++target.col; break;
    case Key::up: --target.row; break;
    case Key::down: ++target.row; break;
    case Key::home: target.col = 0; break;
    case Key::end: target.col = shape.cols - 1; break;
    default: return false;
  }
  target.row = std::clamp(target.row, 0, shape.rows - 1);
  target.col = std::clamp(target.col, 0, shape.cols - 1);
  for (const Region& region : regions)
    if (region.kind == Region::Kind::cell && region.cell == target) {
      set_focus(&region);
      break;
    }
  return true;
}

bool Program::Impl::editor_key(Key key) {
  Local& l = local;
  dirty = true;
  switch (key) {
    case Key::left:
      l.caret = l.all_selected ? 0 : before(l.edit_text, l.caret);
      l.all_selected = false;
      return true;
    case Key::right:
      l.caret = after(l.edit_text, l.caret);
      l.all_selected = false;
      return true;
    case Key::home:
      l.caret = 0;
      l.all_selected = false;
      return true;
    case Key::end:
      l.caret = l.edit_text.size();
      l.all_selected = false;
      return true;
    case Key::select_all: l.all_selected = true; return true;
    case Key::backspace:
    case Key::delete_forward:
      l.edit_refusal.clear();
      if (std::exchange(l.all_selected, false)) {
        l.edit_text.clear();
        l.caret = 0;
      } else if (key == Key::backspace) {
        const std::size_t from = before(l.edit_text, l.caret);
        l.edit_text.erase(from, l.caret - from);
        l.caret = from;
      } else {
        l.edit_text.erase(l.caret, after(l.edit_text, l.caret) - l.caret);
      }
      return true;
    default: return false;
  }
}

bool Program::Impl::key(Key key) {
  const auto done = [&](const app::Action& action) { return !dispatch(action).has_value(); };
  if (state.page != app::Page::walkthrough)
    if (const auto used = gallery_key(key)) return *used;
  switch (key) {
    case Key::left:
    case Key::right:
      if (move_in_matrix(key)) return true;
      local.show_focus = true;
      return key == Key::left ? done(app::PreviousStep{}) : done(app::NextStep{});
    case Key::up:
    case Key::down: return move_in_matrix(key) || scroll_by(key == Key::up ? -48.f : 48.f);
    case Key::home: return move_in_matrix(key) || done(app::StartAgain{});
    case Key::end: return move_in_matrix(key) || done(app::GoToStep{app::Step::output});
    case Key::tab: return move_focus(1);
    case Key::shift_tab: return move_focus(-1);
    case Key::enter: {
      const Region* region = focused_region();
      if (region == nullptr) return false;
      activate(Region(*region), state.gallery.focused);
      return true;
    }
    case Key::space: {
      const Region* region = focused_region();
      if (region != nullptr && region->kind == Region::Kind::button)
        activate(Region(*region));
      else
        return done(app::SetPlaying{!state.playing});
      return true;
    }
    case Key::escape:
      if (local.popover != Local::Popover::none) {
        local.popover = Local::Popover::none;
        dirty = true;
        return true;
      }
      if (!state.notice.empty()) return done(app::SetNotice{""});
      if (focused_region() != nullptr || state.focused || state.gallery.focused || !local.focused_button.empty()) {
        set_focus(nullptr);
        return true;
      }
      return false;
    case Key::undo: return done(app::Undo{});
    case Key::redo: return done(app::Redo{});
    default: return false;
  }
}

bool Program::key(Key key, double now_ms) {
  Impl& m = *impl_;
  m.now = std::max(m.now, now_ms);
  if (m.is_editing()) {
    if (key == Key::escape) {
      cancel_edit();
      return true;
    }
    if (!m.local.built_in_editor) return false;
    if (key == Key::enter || key == Key::tab || key == Key::shift_tab) {
      if (auto reason = commit_edit(m.local.edit_text)) {
        m.local.edit_refusal = *reason;
        return true;
      }
      return key == Key::enter || m.key(key);
    }
    return m.editor_key(key);
  }
  return m.key(key);
}

void Program::focus(int direction) {
  Impl& m = *impl_;
  m.local.keyboard_here = true;
  m.dirty = true;
  if (direction != 0 && !m.state.focused && !m.state.gallery.focused && m.local.focused_button.empty())
    m.move_focus(direction);
}

void Program::blur() {
  Impl& m = *impl_;
  m.local.keyboard_here = false;
  m.local.show_focus = false;
  m.local.focused_button.clear();
  m.dispatch(app::FocusCell{std::nullopt});
  if (m.state.gallery.focused) m.dispatch(app::FocusMapCell{std::nullopt});
  m.dirty = true;
}

std::string_view Program::focused_action() const { return impl_->local.focused_button; }

bool Program::has_keyboard_focus_inside() const {
  return impl_->state.focused.has_value() || impl_->state.gallery.focused.has_value() ||
         !impl_->local.focused_button.empty();
}

}  // namespace ui
