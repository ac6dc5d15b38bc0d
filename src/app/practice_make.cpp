// What all makers of questions share: chance, numbers that can be asked about, slips, solutions.
#include "app/practice_internal.hpp"

#include <algorithm>
#include <cmath>

namespace app {

Dice::Dice(std::string_view type, std::uint64_t seed) {
  std::uint64_t hash =
      0xcbf29ce484222325u;  // FNV-1a of the type's name, so that two types of one seed don't walk in step
  for (const char c : type) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  random_.state = hash ^ (seed * 0x9e3779b97f4a7c15u);
}

int Dice::below(int n) { return random_.below(n); }
int Dice::from(int least, int most) { return least + below(most - least + 1); }

namespace {

Numbers numbers_of(const State& state, bool own) {
  Numbers numbers;
  State& quiet = numbers.state;  // nothing chosen: the page and its numbers only
  if (own) quiet.document = state.document;
  quiet.step = Step::output;
  numbers.derived = derive(quiet);
  numbers.own = own;
  numbers.edited = own && any_edited(quiet);
  return numbers;
}

/// Not to be told apart once the learner has rounded.
bool are_too_near(const Question& question, const Answer& a, const Answer& b) {
  const double *x = std::get_if<double>(&a), *y = std::get_if<double>(&b);
  return same_answer(question, a, b) || (x && y && std::abs(*x - *y) <= 2 * question.tolerance);
}

}  // namespace

Numbers numbers_for(const State& state, const std::function<bool(const Numbers&)>& serves) {
  Numbers own = numbers_of(state, true);
  if (serves(own)) return own;
  return numbers_of(state, false);
}

std::string whose_numbers(const Numbers& numbers, const State& state) {
  if (numbers.edited) return "These are your own numbers, as you changed them in the walkthrough.";
  if (!numbers.own && any_edited(state)) return "Your own numbers don’t serve here, so these are the lesson’s.";
  return {};
}

double value_at(const Numbers& numbers, const Cell& cell) { return value_of(numbers.state, numbers.derived, cell); }

double value_with(const Numbers& numbers, const Cell& cell, const std::function<void(Document&)>& change) {
  Document changed = numbers.state.document;
  change(changed);
  attention::Trace<double> trace;
  attention::forward(changed.config, changed.input, changed.weights, trace);
  return attention::value_of(changed.input, changed.weights, trace, cell);
}

Numbers changed(const Numbers& numbers, const std::function<void(Document&)>& change) {
  Numbers after = numbers;
  change(after.state.document);
  after.derived = derive(after.state);
  return after;
}

bool is_handy(double value) { return std::isfinite(value) && std::abs(value) < 10000; }

void add_slip(Question& question, Slip slip) {
  if (const double* value = std::get_if<double>(&slip.answer); value && !std::isfinite(*value)) return;
  if (are_too_near(question, slip.answer, question.right)) return;
  for (const Slip& other : question.slips)
    if (are_too_near(question, slip.answer, other.answer)) return;
  question.slips.push_back(std::move(slip));
}

void solve_by_strip(Question& question, const Numbers& numbers, const Cell& cell) {
  State at_cell = numbers.state;
  at_cell.step = step_of(cell.tensor);
  at_cell.pinned = cell;
  if (cell.head >= 0) at_cell.head = cell.head;
  const Strip strip = strip_of(at_cell, derive(at_cell));
  question.solution = strip.parts;
  question.solution_says = strip.sentence;
}

std::vector<std::string> walk_to(const Cell& cell) {
  std::vector<std::string> actions{to_text(Action{OpenPage{Page::walkthrough}}),
                                   to_text(Action{GoToStep{step_of(cell.tensor)}})};
  actions.push_back(to_text(Action{FocusCell{}}));  // what the keyboard was on would be explained in place of the pin
  actions.push_back(to_text(Action{Pin{cell}}));
  return actions;
}

std::string token(const Numbers& numbers, int i) {
  return "<i>" + escape_rich(at(numbers.state.document.tokens, i)) + "</i>";
}

std::string fixed(double value, int decimals) { return format_number(value, decimals); }

std::string short_number(double value, int decimals) {
  std::string text = format_number(value, decimals);
  if (text.find('.') == std::string::npos || text.find('e') != std::string::npos) return text;
  while (text.ends_with('0')) text.pop_back();
  if (text.ends_with('.')) text.pop_back();
  return text == "−0" ? "0" : text;
}

bool is_hidden(const PracticeView& view, const Cell& cell) {
  const Picture& picture = view.question.picture;
  if (!picture.hides_asked || view.solution_shown || attention::is_given(cell.tensor)) return false;
  if (!picture.chain.empty() && cell.tensor == picture.chain.front()) return false;
  return std::none_of(picture.operands.begin(), picture.operands.end(),
                      [&](const Cell& operand) { return operand.tensor == cell.tensor; });
}

Part words(std::string rich) { return {.text = std::move(rich)}; }
Part equals() { return {.text = "<q>=</q>"}; }
Part fraction(std::string above, std::string below) {
  return {.kind = Part::Kind::fraction, .text = std::move(above), .below = std::move(below)};
}
Part root(std::string above, std::string below) {
  return {.kind = Part::Kind::root_fraction, .text = std::move(above), .below = std::move(below)};
}
Part blank() { return {.kind = Part::Kind::blank, .text = "?"}; }
Part chip(std::string rich) { return {.kind = Part::Kind::factor, .text = "<k>" + rich + "</k>"}; }

}  // namespace app
