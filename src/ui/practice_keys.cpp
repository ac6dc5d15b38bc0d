// What practice does beside its actions: the Check button, the ring that goes to a new question's answer, the
// clipboard.
#include "ui/practice.hpp"
#include "ui/program_impl.hpp"

#include <utility>

namespace ui {

void Program::Impl::check_answer() {
  const std::string field = std::string(kEditAction) + "answer";
  // A host's own field closes when the pointer goes down: then Check has been answered already.
  const bool was_open = std::exchange(local.answer_was_open, false);
  if (local.editing_field == "answer") {
    if (!local.built_in_editor) return;  // the host commits what stands in its field
    if (local.edit_text.empty()) return;
    if (auto reason = dispatch(app::GiveAnswer{local.edit_text})) {
      local.edit_refusal = *reason;
      return;
    }
    end_edit();
    return;
  }
  if (was_open) return;
  for (const Region& region : regions)
    if (region.action == field) return start_edit(Region(region));
}

void Program::Impl::practice_changed(const app::Practice& before) {
  const app::Practice& after = state.practice;
  const bool other =
      before.at != after.at || before.set != after.set || before.seed != after.seed || before.count != after.count;
  const auto answer_of = [](const app::Practice& practice) {
    const auto at = static_cast<std::size_t>(practice.at);
    return at < practice.progress.size() ? practice.progress[at].answer : std::string();
  };
  const bool taken_back = !other && !answer_of(before).empty() && answer_of(after).empty();
  if ((before.set != after.set || before.seed != after.seed) && !is_editing()) local.popover = Local::Popover::none;
  if (other) {
    local.scroll = 0;
    local.refused_answer.clear();
    end_edit();
  }
  // By keyboard: the ring goes where the question is answered.
  if ((other || taken_back) && local.show_focus && local.popover == Local::Popover::none)
    local.focused_button = answer_region(derived.practice);
}

std::optional<std::string> Program::take_copy_request() { return std::exchange(impl_->copy_request, std::nullopt); }

}  // namespace ui
