// What needs another page than the walkthrough waits until its code is there (on the web it is fetched when wanted).
#include "ui/program_impl.hpp"

#include <utility>

namespace ui {
namespace {

bool leads_elsewhere(const Region* region) {
  if (region == nullptr || region->action.empty()) return false;
  const auto read = app::read_action(region->action);
  const auto* action = std::get_if<app::Action>(&read);
  return action != nullptr && app::needs_other_pages(*action);
}

}  // namespace

bool Program::Impl::waits_for_pages(const app::Action& action) {
  if (pages_here) return false;
  if (!app::needs_other_pages(action)) {
    if (std::holds_alternative<app::OpenPage>(action) && !waiting.empty()) {  // the walkthrough, after all
      waiting.clear();
      local.awaited.reset();
      dirty = true;
    }
    return false;
  }
  if (const auto* open = std::get_if<app::OpenPage>(&action)) local.awaited = open->page;
  waiting.push_back(action);
  dirty = true;
  return true;
}

void Program::expect_pages() { impl_->pages_here = false; }

void Program::pages_are_here() {
  Impl& m = *impl_;
  m.pages_here = true;
  m.local.awaited.reset();
  m.dirty = true;
  for (const app::Action& action : std::exchange(m.waiting, {}))
    if (const auto refusal = m.dispatch(action)) m.dispatch(app::SetNotice{*refusal});
}

void Program::give_up_pages() {
  impl_->waiting.clear();
  impl_->local.awaited.reset();
  impl_->dirty = true;
}

Program::Wants Program::wants_pages() const {
  const Impl& m = *impl_;
  if (m.pages_here) return Wants::nothing;
  if (!m.waiting.empty()) return Wants::now;
  const Region* under = m.local.pointer_inside ? m.region_at(m.local.pointer_x, m.local.pointer_y) : nullptr;
  const bool soon = m.local.popover == Local::Popover::menu || leads_elsewhere(under) ||
                    (m.local.pressed && leads_elsewhere(&*m.local.pressed)) ||  // a finger points by pressing
                    (m.local.show_focus && leads_elsewhere(m.focused_region()));
  return soon ? Wants::soon : Wants::nothing;
}

}  // namespace ui
