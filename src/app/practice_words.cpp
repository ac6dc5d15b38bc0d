// What the page of practice says around a question: the verdict, the row of answers, the line to paste.
#include "app/practice_internal.hpp"

#include <algorithm>

namespace app {
namespace {

using Verdict = PracticeView::Verdict;
using Look = PracticeView::Tag::Look;

std::string times(int n, std::string_view what) {
  return std::to_string(n) + " " + std::string(what) + (n == 1 ? "" : "s");
}

/// An unknown wrong answer: as near as one can say without giving the right one away.
std::string far_off(const Question& question, const Answer& answer) {
  if (const double* value = std::get_if<double>(&answer)) {
    const double right = std::get<double>(question.right);
    if (*value * right < 0) return "The sign is the other one. Look at the sign of each product, step by step.";
    return std::abs(*value) > std::abs(right) ? "That is too large. Take one step at a time, and compare."
                                              : "That is too small. Take one step at a time, and compare.";
  }
  if (question.asks == Asks::shape) return "Ask of each side: what does one row stand for, and what does one column?";
  if (question.asks == Asks::click) return "That is another number. Rows ask, columns are looked at.";
  return "Look again at what is given.";
}

Look look_of(const Progress& progress) {
  if (progress.solved) return Look::solved;
  if (progress.shown) return Look::shown;
  return progress.tries > 0 ? Look::missed : Look::open;
}

std::string result_line(const State& state, const std::vector<Progress>& all) {
  const Practice& practice = state.practice;
  int solved = 0, first = 0, hinted = 0, shown = 0;
  for (const Progress& progress : all) {
    solved += progress.solved && !progress.shown;
    first += progress.solved && !progress.shown && progress.tries == 1 && progress.hints == 0;
    hinted += progress.solved && !progress.shown && progress.hints > 0;
    shown += progress.shown;
  }
  std::string line = "Multi-head attention, practice: " + practice.set;
  if (practice.set != "lesson") line += ", seed " + std::to_string(practice.seed);
  line += ": " + std::to_string(solved) + " of " + std::to_string(all.size()) + " solved, " + std::to_string(first) +
          " at the first try without a hint";
  if (hinted > 0) line += ", " + std::to_string(hinted) + " with hints";
  if (shown > 0) line += ", " + times(shown, "solution") + " looked at";
  if (any_edited(state)) line += ", about changed numbers";
  return line + ". " + to_query(state);
}

}  // namespace

void write_verdict(PracticeView& view) {
  const Question& question = view.question;
  const Progress& progress = view.progress;
  view.hint_left = progress.hints < static_cast<int>(question.hints.size());
  view.hints.assign(question.hints.begin(),
                    question.hints.begin() + std::min<std::ptrdiff_t>(progress.hints, std::ssize(question.hints)));
  view.solution_shown = progress.shown || progress.solved;
  if (progress.answer.empty()) {
    if (progress.solved) {
      view.verdict = Verdict::right;
      view.heading = "Solved";
      view.says = question.solution_says;
    }
    return;
  }
  const auto read = read_answer(question, progress.answer);
  const Answer* answer = std::get_if<Answer>(&read);
  if (!answer) return;
  const int* choice = std::get_if<int>(answer);
  if (is_right(question, *answer)) {
    view.verdict = Verdict::right;
    view.heading = progress.shown ? "That is it" : progress.tries <= 1 ? "Right, at the first try" : "Right";
    view.says = choice ? at(question.choices, *choice).why : question.solution_says;
    return;
  }
  for (std::size_t i = 0; i < question.slips.size(); ++i) {
    const Slip& slip = question.slips[i];
    if (!same_answer(question, slip.answer, *answer)) continue;
    view.verdict = Verdict::slip;
    view.slip = static_cast<int>(i);
    view.heading = "Not yet: " + slip.heading;
    view.says = slip.says;
    return;
  }
  view.verdict = Verdict::wrong;
  view.heading = "Not yet";
  view.says = choice ? at(question.choices, *choice).why : far_off(question, *answer);
}

void write_frame(PracticeView& view, const State& state) {
  const Practice& practice = state.practice;
  view.counter = "Question " + std::to_string(view.at + 1) + " of " + std::to_string(view.count);
  view.set_name = set_title(practice.set);
  std::vector<Progress> all;
  view.finished = true;
  for (int place = 0; place < view.count; ++place) {
    all.push_back(place == view.at ? view.progress : progress_at(state, place));
    PracticeView::Tag tag;
    const QuestionType* type = find_question_type(planned_at(practice, place).type);
    tag.text = type ? std::string(type->tag) : "";
    tag.now = place == view.at;
    tag.look = look_of(all.back());
    view.finished = view.finished && (all.back().solved || all.back().shown);
    view.tags.push_back(std::move(tag));
  }
  view.foot = practice.hints ? "Wrong answers cost nothing. You can try as often as you like."
                             : "This set is asked without hints. You can try as often as you like.";
  view.result = result_line(state, all);
  for (const std::string_view set : {"lesson", "mixed"})
    view.sets.emplace_back(to_text(Action{OpenPractice{std::string(set)}}), set_title(set));
  for (const QuestionType& type : question_types())
    if (!type.lesson)
      view.sets.emplace_back(to_text(Action{OpenPractice{std::string(type.id)}}), capitalise(std::string(type.name)));

  const Question& question = view.question;
  view.spoken = view.counter + ". " + to_plain(question.title);
  const auto say = [&](const std::string& text) {
    if (!text.empty()) view.spoken += (view.spoken.ends_with('?') || view.spoken.ends_with('.') ? " " : ". ") + text;
  };
  say(to_plain(question.given));
  say(question.rounding);
  say(question.waiting);
  say(view.heading);
  say(to_plain(view.says));
}

}  // namespace app
