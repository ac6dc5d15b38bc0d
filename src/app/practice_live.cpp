// Questions about the worked example's numbers, or about what the learner made of them: the list of them, and what
// their makers share.
#include "app/practice_live.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace app::live {
namespace {

constexpr MadeType kMakers[] = {
    {{"project", "Project", "a number of Q, K or V"}, make_project},
    {{"score", "Score", "a raw score"}, make_score},
    {{"scaled", "Scale", "a scaled score"}, make_scaled},
    {{"mask", "Mask", "a weight under a mask"}, make_mask},
    {{"weight", "Softmax", "a softmax weight"}, make_weight},
    {{"head_output", "Weigh V", "a number of a head’s output"}, make_head_output},
    {{"concat", "Concat", "a place in Concat"}, make_concat},
    {{"output", "Output", "a number of the output"}, make_output},
    {{"largest", "Click", "a number to click"}, make_largest},
    {{"no_W_O", "Unmixed", "heads that don’t mix"}, make_no_W_O},
};

/// Decimals that a printed number of this size has.
int decimals_for(double value) {
  const double size = std::abs(value);
  return size < 100 ? 3 : size < 1000 ? 2 : size < 10000 ? 1 : 0;
}

double rounded(double value, int decimals) {
  const double unit = std::pow(10.0, decimals);
  return std::round(value * unit) / unit;
}

bool is_exact(double value) { return std::abs(value - as_printed(value)) < 1e-9; }

}  // namespace

// ------------------------------------------------------------ drawing a cell

Numbers own_numbers(const State& state) {
  return numbers_for(state, [](const Numbers&) { return true; });
}
Numbers shipped_numbers(const State& state) {
  return numbers_for(state, [](const Numbers&) { return false; });
}

std::vector<Cell> cells_of(const Numbers& numbers, const std::vector<Tensor>& tensors) {
  const attention::Config& config = numbers.state.document.config;
  std::vector<Cell> cells;
  for (const Tensor tensor : tensors) {
    const attention::Shape shape = attention::shape_of(config, tensor);
    const bool per_head = attention::is_per_head(tensor);
    for (int head = per_head ? 0 : -1; head < (per_head ? config.h : 0); ++head)
      for (int row = 0; row < shape.rows; ++row)
        for (int col = 0; col < shape.cols; ++col) cells.push_back({tensor, head, row, col});
  }
  return cells;
}

std::optional<Question> draw(const Numbers& numbers, std::vector<Cell> cells, Dice& dice, Attempt attempt) {
  dice.shuffle(cells);
  for (const Cell& cell : cells)
    if (auto question = attempt(numbers, cell, dice)) return question;
  return std::nullopt;
}

Question ask(const State& state, Dice& dice, const std::vector<Tensor>& tensors, Attempt attempt) {
  for (const bool own : {true, false}) {
    const Numbers numbers = own ? own_numbers(state) : shipped_numbers(state);
    auto question = draw(numbers, cells_of(numbers, tensors), dice, attempt);
    if (!question) continue;
    say_whose(*question, numbers, state);
    return *std::move(question);
  }
  assert(false && "some cell of the shipped example serves");
  return {};
}

void say_whose(Question& question, const Numbers& numbers, const State& state) {
  const std::string whose = whose_numbers(numbers, state);
  if (!whose.empty()) question.given += (question.given.empty() ? "" : " ") + whose;
  if (numbers.own || !any_edited(state)) return;
  question.show.clear();  // the canvas shows other numbers than these
  question.show_label.clear();
}

void want_number(Question& question, double right, double from_given) {
  const int decimals = decimals_for(right);
  constexpr const char* kRounding[] = {"Round to a whole number.", "Round to one decimal.", "Round to two decimals.",
                                       "Round to three decimals."};
  question.asks = Asks::number;
  question.right = right;
  question.tolerance = 0.6 * std::pow(10.0, -decimals) + std::abs(right - from_given);
  question.rounding = is_exact(right) ? "" : kRounding[decimals];
}

Question number_question(const Numbers& numbers, const Cell& cell, double from_given) {
  Question question;
  want_number(question, value_at(numbers, cell), from_given);
  question.label = label_of(numbers.state, cell);
  question.cell = cell;
  question.show = walk_to(cell);
  question.show_label = "Show me on the canvas";
  solve_by_strip(question, numbers, cell);
  question.picture.kind = Picture::Kind::chain;
  question.picture.numbers = Held(numbers);
  question.picture.head = cell.head;
  return question;
}

bool serves(const Question& question, std::size_t slips) {
  if (question.slips.size() < slips) return false;
  const double* right = std::get_if<double>(&question.right);
  if (!right) return true;
  const bool is_hidden_by_rounding = *right != 0 && as_printed(*right) == 0;
  return is_handy(*right) && !is_hidden_by_rounding && question.tolerance < 0.01 + 0.001 * std::abs(*right);
}

// ------------------------------------------------------------------ numbers

List row_of(const Numbers& numbers, Tensor tensor, int head, int row) {
  List list;
  const int cols = attention::shape_of(numbers.state.document.config, tensor).cols;
  for (int col = 0; col < cols; ++col) list.push_back(value_at(numbers, {tensor, head, row, col}));
  return list;
}

List column_of(const Numbers& numbers, Tensor tensor, int head, int col) {
  List list;
  const int rows = attention::shape_of(numbers.state.document.config, tensor).rows;
  for (int row = 0; row < rows; ++row) list.push_back(value_at(numbers, {tensor, head, row, col}));
  return list;
}

bool are_handy(const List& list) { return std::all_of(list.begin(), list.end(), is_handy); }

double as_printed(double value) { return rounded(value, decimals_for(value)); }

List as_printed(const List& list) {
  List printed;
  for (const double value : list) printed.push_back(as_printed(value));
  return printed;
}

std::string typed(double value) { return is_exact(value) ? short_number(value) : fixed(value); }

std::string mono(const std::string& number) { return "<m>" + number + "</m>"; }

std::string listed(const List& list) {
  std::string text;
  for (const double value : list) text += (text.empty() ? "" : ", ") + mono(typed(value));
  return text;
}

std::string vector_of(const List& list) { return "(" + listed(list) + ")"; }

std::string token_name(const Numbers& numbers, int i) { return escape_rich(at(numbers.state.document.tokens, i)); }
std::string bold_token(const Numbers& numbers, int i) { return "<b>" + token_name(numbers, i) + "</b>"; }
std::string head_name(int head) { return "head " + std::to_string(head + 1); }

std::string by_token(const Numbers& numbers, const List& list) {
  std::vector<std::string> each;
  for (int i = 0; i < static_cast<int>(list.size()); ++i)
    each.push_back(mono(typed(at(list, i))) + " for " + token_name(numbers, i));
  return join(each, "and");
}

std::string rows_by_token(const Numbers& numbers, Tensor tensor, int head) {
  std::vector<std::string> each;
  for (int i = 0; i < attention::shape_of(numbers.state.document.config, tensor).rows; ++i)
    each.push_back(vector_of(row_of(numbers, tensor, head, i)) + " for " + token_name(numbers, i));
  return join(each, "and");
}

}  // namespace app::live

std::span<const app::MadeType> app::number_makers() { return live::kMakers; }
