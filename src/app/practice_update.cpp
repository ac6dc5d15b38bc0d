// Practice's actions: why one can't be, and what it does.
#include "app/practice_internal.hpp"

#include <algorithm>

namespace app {
namespace {

using Reason = std::optional<std::string>;

/// This question's, as it was left; a new one where another question has taken its place.
Progress progress_of(const Practice& practice, const Question& question, int place) {
  if (place >= static_cast<int>(practice.progress.size())) return {};
  const Progress& progress = at(practice.progress, place);
  return progress.of == 0 || progress.of == hash_of(question) ? progress : Progress{};
}

Progress& progress_to_write(State& all, const Question& question) {
  Practice& practice = all.practice;
  const auto place = static_cast<std::size_t>(practice.at);
  if (practice.progress.size() <= place) practice.progress.resize(place + 1);
  Progress& progress = practice.progress[place];
  progress = progress_of(practice, question, practice.at);
  progress.of = hash_of(question);
  return progress;
}

void start_anew(Practice& practice) {
  practice.progress.clear();
  practice.at = 0;
}

std::optional<std::uint64_t> read_seed(std::string_view text) {
  const auto seed = budget::read_whole(text);
  if (!seed || *seed < 0 || static_cast<std::uint64_t>(*seed) > kLargestPracticeSeed) return std::nullopt;
  return static_cast<std::uint64_t>(*seed);
}

std::string not_that(const attention::Problem& problem) { return attention::to_sentence(problem); }

}  // namespace

Reason PracticeRefusal::operator()(const OpenPractice& action) const { return set_problem(action.set); }

Reason PracticeRefusal::operator()(const SetPractice& action) const {
  if (action.field == "seed") {
    if (read_seed(action.value)) return std::nullopt;
    return not_that(not_read("seed", action.value, "a whole number from 0 to " + std::to_string(kLargestPracticeSeed)));
  }
  if (action.field == "count") {
    const auto count = read_count(action.value);
    if (count && *count >= 1 && *count <= kMostQuestions) return std::nullopt;
    return not_that(not_read("count", action.value, "1 to " + std::to_string(kMostQuestions)));
  }
  if (action.field == "hints") {
    if (action.value == "on" || action.value == "off") return std::nullopt;
    return not_that(not_read("hints", action.value, "on or off"));
  }
  return not_that(not_read("practice", action.field, "seed, count or hints"));
}

Reason PracticeRefusal::operator()(const GiveAnswer& action) const {
  const Question question = question_at(all, all.practice.at);
  if (!question.waiting.empty()) return question.waiting;
  if (trim(action.text).empty()) return "Type an answer first.";
  const auto read = read_answer(question, action.text);
  if (const auto* problem = std::get_if<attention::Problem>(&read)) return not_that(*problem);
  return std::nullopt;
}

Reason PracticeRefusal::operator()(const TryAgain&) const {
  const Question question = question_at(all, all.practice.at);
  const Progress progress = progress_of(all.practice, question, all.practice.at);
  if (progress.answer.empty()) return "There is no answer to take back.";
  return std::nullopt;
}

Reason PracticeRefusal::operator()(const ShowHint&) const {
  if (!all.practice.hints) return "This set is asked without hints.";
  const Question question = question_at(all, all.practice.at);
  const Progress progress = progress_of(all.practice, question, all.practice.at);
  if (progress.hints < static_cast<int>(question.hints.size())) return std::nullopt;
  return question.hints.empty() ? "There is no hint here." : "That was the last hint.";
}

Reason PracticeRefusal::operator()(const ShowSolution&) const {
  const Question question = question_at(all, all.practice.at);
  if (!question.waiting.empty()) return question.waiting;
  const Progress progress = progress_of(all.practice, question, all.practice.at);
  if (progress.shown || progress.solved) return "The solution is there already.";
  if (!all.practice.hints && progress.tries == 0) return "Answer once, then the solution can be seen.";
  return std::nullopt;
}

Reason PracticeRefusal::operator()(const GoToQuestion& action) const {
  const int count = question_count(all.practice);
  if (action.question >= 0 && action.question < count) return std::nullopt;
  return "There is no question " + std::to_string(action.question + 1) + ": wanted 1 to " + std::to_string(count) + ".";
}

Reason PracticeRefusal::operator()(const NextQuestion&) const {
  if (all.practice.at + 1 < question_count(all.practice)) return std::nullopt;
  return "This is the last question.";
}

Reason PracticeRefusal::operator()(const MoreQuestions&) const {
  if (all.practice.set == "lesson") return "The lesson has these questions only: choose another set for more.";
  return std::nullopt;
}

Reason PracticeRefusal::operator()(const ShowOnCanvas&) const {
  if (question_at(all, all.practice.at).show.empty()) return "There is no place where this can be seen.";
  return std::nullopt;
}

// ------------------------------------------------------------------- carry

void PracticeCarry::operator()(const OpenPractice& action) const {
  Practice fresh;
  fresh.set = action.set;
  fresh.seed = all.practice.seed;
  fresh.hints = all.practice.hints;
  all.practice = std::move(fresh);
}

void PracticeCarry::operator()(const SetPractice& action) const {
  Practice& practice = all.practice;
  if (action.field == "hints") {
    practice.hints = action.value == "on";
    return;
  }
  if (action.field == "seed")
    practice.seed = *read_seed(action.value);
  else
    practice.count = *read_count(action.value);
  start_anew(practice);
}

void PracticeCarry::operator()(const GiveAnswer& action) const {
  const Question question = question_at(all, all.practice.at);
  const auto read = read_answer(question, action.text);
  const Answer& answer = std::get<Answer>(read);
  Progress& progress = progress_to_write(all, question);
  const std::string typed(trim(action.text));
  if (progress.answer == typed) return;  // the same again is no further try
  progress.answer = typed;
  if (progress.solved) return;
  ++progress.tries;
  if (is_right(question, answer)) progress.solved = true;
}

void PracticeCarry::operator()(const TryAgain&) const {
  const Question question = question_at(all, all.practice.at);
  progress_to_write(all, question).answer.clear();
}

void PracticeCarry::operator()(const ShowHint&) const {
  const Question question = question_at(all, all.practice.at);
  ++progress_to_write(all, question).hints;
}

void PracticeCarry::operator()(const ShowSolution&) const {
  const Question question = question_at(all, all.practice.at);
  progress_to_write(all, question).shown = true;
}

void PracticeCarry::operator()(const GoToQuestion& action) const { all.practice.at = action.question; }
void PracticeCarry::operator()(const NextQuestion&) const { ++all.practice.at; }

void PracticeCarry::operator()(const MoreQuestions&) const {
  Practice& practice = all.practice;
  practice.seed = practice.seed < kLargestPracticeSeed ? practice.seed + 1 : 1;
  start_anew(practice);
}

void PracticeCarry::operator()(const ShowOnCanvas&) const {
  const Question question = question_at(all, all.practice.at);
  for (const std::string& text : question.show) {
    const auto action = read_action(text);
    if (const auto* known = std::get_if<Action>(&action); known && !std::holds_alternative<ShowOnCanvas>(*known))
      update(all, *known);
  }
}

// -------------------------------------------------------------------- view

PracticeView derive_practice(const State& state) {
  const Practice& practice = state.practice;
  PracticeView view;
  view.there = true;
  view.count = question_count(practice);
  view.at = std::min(practice.at, view.count - 1);
  view.question = question_at(state, view.at);
  const Question& question = view.question;
  view.progress = progress_of(practice, question, view.at);
  write_verdict(view);
  write_frame(view, state);
  return view;
}

Progress progress_at(const State& state, int place) {
  const Practice& practice = state.practice;
  if (place >= static_cast<int>(practice.progress.size())) return {};
  const Progress& progress = at(practice.progress, place);
  if (progress == Progress{} || progress.of == 0) return progress;
  return progress_of(practice, question_at(state, place), place);
}

}  // namespace app
