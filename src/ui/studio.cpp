// What a host carries between the program, the studio and files: text and bytes that it doesn't look into.
#include "ui/program_impl.hpp"

#include <utility>

namespace ui {
namespace {

std::string sentences_of(const std::vector<attention::Problem>& problems) {
  std::string text;
  for (const attention::Problem& problem : problems)
    text += (text.empty() ? "" : " ") + attention::to_sentence(problem);
  return text;
}

}  // namespace

std::optional<std::string> Program::take_studio_command() {
  auto& commands = impl_->studio_commands;
  if (commands.empty()) return std::nullopt;
  std::string first = std::move(commands.front());
  commands.pop_front();
  return first;
}

bool Program::take_file_request() { return std::exchange(impl_->file_requested, false); }

std::optional<std::string> Program::take_report(std::string_view bytes) {
  auto read = heads::read_report(bytes);
  if (const auto* problems = std::get_if<std::vector<attention::Problem>>(&read)) return sentences_of(*problems);
  return dispatch(app::TakeReport{app::Held<heads::Report>(std::move(*std::get_if<heads::Report>(&read)))});
}

std::optional<std::string> Program::open_file(std::string_view name, std::string_view bytes, std::string_view companion,
                                              bool shipped) {
  auto read = app::read_specimen(name, bytes, companion);
  std::optional<std::string> refusal;
  if (const auto* problems = std::get_if<std::vector<attention::Problem>>(&read)) {
    refusal = sentences_of(*problems);
  } else {
    const app::Source source = shipped ? app::Source::shipped : app::Source::file;
    refusal =
        dispatch(app::OpenSpecimen{source, app::Held<app::Specimen>(std::move(*std::get_if<app::Specimen>(&read)))});
    if (!refusal && !shipped) {
      dispatch(app::OpenPage{app::Page::gallery});  // who opens a file wants to see it
      refusal = dispatch(app::SetSource{source});
    }
  }
  if (refusal && !shipped) dispatch(app::SetNotice{*refusal});
  return refusal;
}

bool Program::wants_shipped_model() const {
  const app::State& state = impl_->state;
  if (state.gallery.shipped) return false;
  const bool shows = state.page == app::Page::gallery && state.gallery.source == app::Source::shipped;
  return shows || (state.page == app::Page::practice && !impl_->derived.practice.question.waiting.empty());
}

}  // namespace ui
