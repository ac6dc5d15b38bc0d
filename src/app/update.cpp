// The one door: says why an action can't be, or carries it out.
#include "app/budget_internal.hpp"
#include "app/gallery_internal.hpp"
#include "app/practice_internal.hpp"

#include <algorithm>
#include <cmath>

namespace app {
namespace {

using Reason = std::optional<std::string>;

constexpr Step kLastStep = Step::output;

std::string range(int last) { return "1 to " + std::to_string(last); }

Reason missing(const State& state, const std::optional<Cell>& cell) {
  if (!cell || has_cell(state.document, *cell)) return std::nullopt;
  return "There is no number " + to_text(*cell) + " here.";
}

// ---------------------------------------------------------------- refusals

struct Refusal : GalleryRefusal, BudgetRefusal, PracticeRefusal {
  using Reason = std::optional<std::string>;
  const State& state;
  using GalleryRefusal::operator();
  using BudgetRefusal::operator();
  using PracticeRefusal::operator();

  Reason operator()(const OpenPage& action) const {
    if (static_cast<int>(action.page) < kPages) return std::nullopt;
    return "There is no such page: wanted " + page_list() + ".";
  }
  Reason operator()(const GoToStep& action) const {
    if (static_cast<int>(action.step) < kStepCount) return std::nullopt;
    return "There is no such step: wanted " + step_list() + ".";
  }
  Reason operator()(const NextStep&) const {
    if (state.step != kLastStep) return std::nullopt;
    return std::string(name_of(kLastStep)) + " is the last step.";
  }
  Reason operator()(const PreviousStep&) const {
    if (state.step != Step::input) return std::nullopt;
    return std::string(name_of(Step::input)) + " is the first step.";
  }
  Reason operator()(const StartAgain&) const { return std::nullopt; }
  Reason operator()(const SetPlaying& action) const {
    if (!action.on) return std::nullopt;
    if (reduced_motion(state)) return "Motion is reduced, so the steps don't play by themselves. Press Next.";
    return std::nullopt;
  }
  Reason operator()(const SelectHead& action) const {
    const int heads = state.document.config.h;
    if (action.head >= 0 && action.head < heads) return std::nullopt;
    return "There is no head " + std::to_string(action.head + 1) + ": wanted " + range(heads) + ".";
  }
  Reason operator()(const Pin& action) const { return missing(state, action.cell); }
  Reason operator()(const Hover& action) const { return missing(state, action.cell); }
  Reason operator()(const FocusCell& action) const { return missing(state, action.cell); }
  Reason operator()(const SetCell& action) const {
    if (Reason reason = missing(state, action.cell)) return reason;
    if (!attention::is_given(action.cell.tensor))
      return to_text(action.cell) + " is computed: change X or a weight, and it follows.";
    if (std::isnan(action.value)) return to_text(action.cell) + ": found NaN, wanted a number.";
    if (!(std::abs(action.value) <= kLargestNumber))
      return to_text(action.cell) + ": found " + format_number(action.value, 3) + ", wanted a number from " +
             format_short(-kLargestNumber) + " to " + format_short(kLargestNumber) + ".";
    return std::nullopt;
  }
  Reason operator()(const ToggleMay& action) const {
    const attention::Config& config = state.document.config;
    if (action.query >= 0 && action.query < config.n_q && action.key >= 0 && action.key < config.n_k)
      return std::nullopt;
    return "There is no pair of query " + std::to_string(action.query + 1) + " and key " +
           std::to_string(action.key + 1) + ": wanted " + range(config.n_q) + " and " + range(config.n_k) + ".";
  }
  Reason operator()(const SetCausal&) const { return std::nullopt; }
  Reason operator()(const Undo&) const {
    if (state.past.empty()) return "There is nothing to undo.";
    return std::nullopt;
  }
  Reason operator()(const Redo&) const {
    if (state.future.empty()) return "There is nothing to redo.";
    return std::nullopt;
  }
  Reason operator()(const Reset&) const {
    if (!any_edited(state)) return "All numbers are the example's already.";
    return std::nullopt;
  }
  Reason operator()(const SetTheme& action) const {
    if (action.theme <= Theme::dark) return std::nullopt;
    return "There is no such theme: wanted automatic, light or dark.";
  }
  Reason operator()(const SetMotion& action) const {
    if (action.motion <= Motion::reduced) return std::nullopt;
    return "There is no such motion: wanted automatic, full or reduced.";
  }
  Reason operator()(const SetNotice&) const { return std::nullopt; }
  Reason operator()(const SetSystemMotion&) const { return std::nullopt; }
};

// -------------------------------------------------------------------- edits

/// Makes `changed` the document, with the old one to go back to; nothing when they are the same.
void edit(State& state, Document changed) {
  if (changed == state.document) return;
  state.past.push_back(std::move(state.document));
  if (state.past.size() > kHistory) state.past.erase(state.past.begin());
  state.future.clear();
  state.document = std::move(changed);
}

void go_to(State& state, Step step) {
  if (state.step == step) return;
  state.step = step;
  state.hovered.reset();
}

/// Keeps pointer and focus on something that is there to be pointed at.
void settle(State& state) {
  for (std::optional<Cell>* cell : {&state.hovered, &state.focused}) {
    if (!*cell) continue;
    **cell = at_its_place(state, **cell);
    if (!is_visible(state, (*cell)->tensor)) cell->reset();
  }
}

struct Carry : GalleryCarry, BudgetCarry, PracticeCarry {
  State& state;
  using GalleryCarry::operator();
  using BudgetCarry::operator();
  using PracticeCarry::operator();

  void operator()(const OpenPage& action) const {
    state.page = action.page;
    state.hovered.reset();
    gallery.hovered.reset(), gallery.hovered_map.reset();
    state.budget.hovered.reset();
  }
  void operator()(const GoToStep& action) const { go_to(state, action.step); }
  void operator()(const NextStep&) const { go_to(state, static_cast<Step>(static_cast<int>(state.step) + 1)); }
  void operator()(const PreviousStep&) const { go_to(state, static_cast<Step>(static_cast<int>(state.step) - 1)); }
  void operator()(const StartAgain&) const { go_to(state, Step::input); }
  void operator()(const SetPlaying& action) const {
    if (action.on && state.step == kLastStep) go_to(state, Step::input);  // from the end it plays again
    state.playing = action.on;
  }
  void operator()(const SelectHead& action) const {
    state.head = action.head;
    if (state.pinned && state.pinned->head >= 0) state.pinned->head = action.head;
  }
  void operator()(const Pin& action) const {
    state.pinned = action.cell;
    if (action.cell && action.cell->head >= 0) state.head = action.cell->head;
  }
  void operator()(const Hover& action) const { state.hovered = action.cell; }
  void operator()(const FocusCell& action) const { state.focused = action.cell; }
  void operator()(const SetCell& action) const {
    Document changed = state.document;
    (*given_matrix(changed, action.cell.tensor, action.cell.head))(action.cell.row, action.cell.col) =
        action.value == 0 ? 0.0 : action.value;
    edit(state, std::move(changed));
  }
  void operator()(const ToggleMay& action) const {
    Document changed = state.document;
    set_may_attend(changed, action.query, action.key, !may_attend(changed, action.query, action.key));
    edit(state, std::move(changed));
  }
  void operator()(const SetCausal& action) const {
    Document changed = state.document;
    set_causal(changed, action.on);
    edit(state, std::move(changed));
  }
  void operator()(const Undo&) const { travel(state.past, state.future); }
  void operator()(const Redo&) const { travel(state.future, state.past); }
  void operator()(const Reset&) const { edit(state, example()); }
  void operator()(const SetTheme& action) const { state.theme = action.theme; }
  void operator()(const SetMotion& action) const { state.motion = action.motion; }
  void operator()(const SetNotice& action) const { state.notice = quote(action.text, 1000); }
  void operator()(const SetSystemMotion& action) const { state.system_reduces_motion = action.reduced; }

 private:
  void travel(std::vector<Document>& from, std::vector<Document>& to) const {
    to.push_back(std::move(state.document));
    state.document = std::move(from.back());
    from.pop_back();
  }
};

template <class... Kinds>
bool is_one_of(const Action& action) {
  return (std::holds_alternative<Kinds>(action) || ...);
}

/// Pointing, and what comes from outside.
bool lets_play_on(const Action& action) {
  return is_one_of<Hover, FocusCell, SetPlaying, SetSystemMotion, HoverMap, HoverMapCell, FocusMapCell, OpenSpecimen,
                   TakeReport, HoverAmount>(action);
}

}  // namespace

bool reduced_motion(const State& state) {
  return state.motion == Motion::reduced || (state.motion == Motion::automatic && state.system_reduces_motion);
}

bool needs_other_pages(const Action& action) {
  if (const auto* open = std::get_if<OpenPage>(&action)) return open->page != Page::walkthrough;
  return !is_one_of<GoToStep, NextStep, PreviousStep, StartAgain, SetPlaying, SelectHead, Pin, Hover, FocusCell,
                    SetCell, ToggleMay, SetCausal, Undo, Redo, Reset, SetTheme, SetMotion, SetNotice, SetSystemMotion>(
      action);
}

std::optional<std::string> refusal_of(const State& state, const Action& action) {
  return std::visit(Refusal{{state.gallery}, {state.budget}, {state}, state}, action);
}

std::optional<std::string> update(State& state, const Action& action) {
  if (Reason reason = refusal_of(state, action)) return reason;
  std::visit(Carry{{state.gallery}, {state.budget}, {state}, state}, action);
  if (!lets_play_on(action) || reduced_motion(state)) state.playing = false;
  settle(state);
  if (needs_other_pages(action))
    if (std::string notice = settle(state.gallery); !notice.empty()) state.notice = std::move(notice);
  return std::nullopt;
}

void play_on(State& state) {
  if (state.step != kLastStep) go_to(state, static_cast<Step>(static_cast<int>(state.step) + 1));
  if (state.step == kLastStep) state.playing = false;
  settle(state);
}

}  // namespace app
