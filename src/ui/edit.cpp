// Editing: a number's cell or a field of the gallery opens for the host's text field or for the built-in one.
#include "ui/practice.hpp"
#include "ui/program_impl.hpp"

#include <algorithm>
#include <utility>

namespace ui {
namespace {

constexpr std::string_view kAnswer = "answer", kPractice = "practice.";  // of practice
constexpr std::string_view kSize = "size.";  // a field of the budget's sizes: budget::fields()

/// "d_model, width of a token"
std::string label_of_size(const app::BudgetView& view, std::string_view field) {
  for (const auto* controls : {&view.controls, &view.model_controls, &view.text_controls})
    for (const app::SizeControl& control : *controls)
      if (control.field == field) {
        const std::string symbol = app::to_plain(control.symbol);
        return control.caption.empty() || control.caption == symbol ? symbol : symbol + ", " + control.caption;
      }
  return std::string(field);
}

/// What a learner edits in place of a cell, as `field` names it.
std::string text_of_field(const app::State& state, const app::Derived& derived, std::string_view field) {
  if (field == kAnswer) return derived.practice.progress.answer;
  if (field == "practice.seed") return std::to_string(state.practice.seed);
  if (field == "practice.count") return std::to_string(derived.practice.count);
  if (field.starts_with(kSize)) return budget::text_of(state.budget.sizes, field.substr(kSize.size()));
  const app::Gallery& gallery = state.gallery;
  const heads::Plan& plan = gallery.training.plan;
  if (field == "plan.learning_rate") return app::to_text(plan.options.learning_rate);
  if (!gallery.sentence.empty() || !derived.gallery.reading || gallery.source == app::Source::file)
    return gallery.sentence;
  return train::text_of(derived.gallery.reading->sentence);
}

}  // namespace

const Region* Program::Impl::edited_region() const {
  for (const Region& region : regions)
    if (region.kind == Region::Kind::cell
            ? local.editing == region.cell
            : region.action.starts_with(kEditAction) && region.action.substr(kEditAction.size()) == local.editing_field)
      return &region;
  return nullptr;
}

std::string Program::Impl::edited_text() const {
  if (local.editing) return app::to_text(app::value_of(state, derived, *local.editing));
  return text_of_field(state, derived, local.editing_field);
}

std::string Program::Impl::text_to_edit() const {
  const bool refused = local.editing_field == kAnswer && !local.refused_answer.empty();
  return refused ? local.refused_answer : edited_text();
}

void Program::Impl::end_edit() {
  local.editing.reset();
  local.editing_field.clear();
}

void Program::Impl::start_edit(const Region& region) {
  end_edit();
  if (region.kind == Region::Kind::cell)
    local.editing = region.cell;
  else
    local.editing_field = region.action.substr(kEditAction.size());
  local.edit_opened = true;
  local.edit_text = text_to_edit();
  local.caret = local.edit_text.size();
  local.all_selected = true;
  local.edit_refusal.clear();
  dispatch(app::SetPlaying{false});
  dirty = true;
}

std::optional<EditRequest> Program::edit_request() const {
  const Local& l = impl_->local;
  const Region* region = impl_->is_editing() ? impl_->edited_region() : nullptr;
  if (region == nullptr) return std::nullopt;
  EditRequest request;
  request.rect = region->rect;
  request.text = impl_->text_to_edit();
  request.font_px = region->font_px;
  if (l.editing) {
    request.cell = *l.editing;
    request.label = app::to_plain(app::label_of(impl_->state, *l.editing));
  } else {
    request.field = l.editing_field;
    request.decimal = l.editing_field != "sentence";
    request.label = request.decimal ? "Learning rate" : "Your own sentence";
    if (request.field == kAnswer) {
      const app::Question& question = impl_->derived.practice.question;
      request.decimal = question.asks == app::Asks::number && !question.whole;
      request.label = answer_label(question);
    } else if (request.field.starts_with(kPractice)) {
      request.label = request.field == "practice.seed" ? "Seed" : "How many questions";
    }
    if (request.field.starts_with(kSize))
      request.label = label_of_size(impl_->derived.budget, std::string_view(request.field).substr(kSize.size()));
  }
  return request;
}

std::optional<Rect> Program::rect_of(const app::Cell& cell) const {
  for (const Region& region : impl_->regions)
    if (region.kind == Region::Kind::cell && region.cell == cell) return region.rect;
  return std::nullopt;
}

std::optional<std::string> Program::commit_edit(std::string_view text) {
  Impl& m = *impl_;
  if (!m.is_editing()) return std::nullopt;
  m.dirty = true;
  // Opened and left unchanged: the bits stay, whatever their text would read back as.
  if (text != m.edited_text()) {
    std::optional<std::string> reason;
    if (m.local.editing) {
      const auto number = app::read_number(text);
      if (const auto* problem = std::get_if<attention::Problem>(&number)) return attention::to_sentence(*problem);
      reason = m.dispatch(app::SetCell{*m.local.editing, std::get<double>(number)});
    } else if (m.local.editing_field == "sentence") {
      reason = m.dispatch(app::SetSentence{std::string(text)});
    } else if (m.local.editing_field == kAnswer) {
      if (text.find_first_not_of(' ') != std::string_view::npos)
        reason = m.dispatch(app::GiveAnswer{std::string(text)});
      if (reason) m.local.refused_answer = text;
      if (!reason) m.local.focused_button = answer_region(m.derived.practice);  // Tab goes on from the field
    } else if (m.local.editing_field.starts_with(kPractice)) {
      reason = m.dispatch(app::SetPractice{m.local.editing_field.substr(kPractice.size()), std::string(text)});
    } else if (m.local.editing_field.starts_with(kSize)) {
      reason = m.dispatch(app::SetSize{m.local.editing_field.substr(kSize.size()), std::string(text)});
    } else {
      reason = m.dispatch(
          app::SetPlan{m.local.editing_field.substr(m.local.editing_field.find('.') + 1), std::string(text)});
    }
    if (reason) return reason;
    m.dispatch(app::SetNotice{""});  // what was said of an earlier try is over
  }
  if (m.local.editing_field == kAnswer) m.local.refused_answer.clear();
  m.end_edit();
  return std::nullopt;
}

void Program::cancel_edit() {
  if (impl_->local.editing_field == kAnswer) impl_->local.refused_answer.clear();
  leave_edit();
}

void Program::leave_edit() {
  impl_->end_edit();
  impl_->dirty = true;
}

void Program::use_built_in_editor(bool on) { impl_->local.built_in_editor = on; }

void Program::text_input(std::string_view utf8) {
  Local& l = impl_->local;
  if (!impl_->is_editing() || !l.built_in_editor) return;
  if (std::exchange(l.all_selected, false)) {
    l.edit_text.clear();
    l.caret = 0;
  }
  std::string clean;
  for (const char ch : utf8)
    if (static_cast<unsigned char>(ch) >= 0x20) clean += ch;
  const std::size_t most = l.editing_field == "sentence" ? app::kLongestOwnSentence : 64;
  if (l.edit_text.size() + clean.size() > most) {
    std::size_t room = most - std::min(most, l.edit_text.size());
    while (room > 0 && (static_cast<unsigned char>(clean[room]) & 0xC0) == 0x80) --room;  // no half characters
    clean.resize(room);
  }
  l.edit_text.insert(l.caret, clean);
  l.caret += clean.size();
  l.edit_refusal.clear();
  impl_->dirty = true;
}

std::string Program::edit_selection() const {
  const Local& l = impl_->local;
  return impl_->is_editing() && l.built_in_editor && l.all_selected ? l.edit_text : std::string();
}

}  // namespace ui
