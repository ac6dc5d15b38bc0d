// Questions about a number of a head's output and of the layer's output.
#include "app/practice_live.hpp"

#include <algorithm>

namespace app::live {
namespace {

// -------------------------------------------------------------- head output

void add_weighing_slips(Question& q, const Numbers& numbers, const Cell& cell, const Sum& ours) {
  const attention::Config& config = numbers.state.document.config;
  const auto [tensor, head, query, col] = cell;
  const std::string asks = bold_token(numbers, query);
  const auto V = [&](int c) { return column_of(numbers, Tensor::V, head, c); };
  Slips slips{q, ours, Tensor::head};
  double sum = 0;
  std::string terms;
  for (const double value : ours.b) sum += value, add_term(terms, value);
  const double mean = sum / config.n_k;
  slips.way("plain_mean", mean, "the weights are missing",
            "is the plain mean of the values. Attention takes of each value as much as its weight says.",
            {fraction(terms, std::to_string(config.n_k)), equals(), words(mono(typed(mean)))});
  slips.way("no_weights", sum, "the weights are missing",
            "is the sum of the values. Attention takes of each value as much as its weight says.",
            {words(mono(terms)), equals(), words(mono(typed(sum)))});
  for (int other = 0; other < config.n_q; ++other)
    if (other != query)
      slips.sum("other_token_" + std::to_string(other + 1), "those are another token’s weights",
                "is made with the weights of " + bold_token(numbers, other) + ". Here the row of " + asks +
                    " in <b>A</b> counts.",
                {row_of(numbers, Tensor::pattern, head, other), ours.b});
  if (config.n_q == config.n_k)
    slips.sum(
        "column_of_A", "that is a column of A, not a row",
        "is made with what all tokens give to " + asks + ". The weights that " + asks + " gives stand in its row.",
        {column_of(numbers, Tensor::pattern, head, query), ours.b});
  Sum reversed = ours;
  std::reverse(reversed.a.begin(), reversed.a.end());
  slips.sum("swapped_values", "weights and values don’t belong together",
            "gives each weight to another token’s value. A weight for a token multiplies the value of that token.",
            reversed);
  for (int other = 0; other < config.d_v; ++other)
    if (other != col)
      slips.sum("other_column_" + std::to_string(other + 1), "that is another number of the head",
                "is number " + std::to_string(other + 1) + " of the head’s output. Here number " +
                    std::to_string(col + 1) + " of each value is wanted.",
                {ours.a, V(other)});
  slips.sum("scores_for_weights", "those are scores, not weights",
            "is made with the scaled scores. Softmax turns them into weights first.",
            {row_of(numbers, Tensor::scaled, head, query), ours.b});
  if (col < config.d_k)
    slips.sum("K_for_V", "those are keys, not values",
              "mixes the keys. Keys are only for being found; what a token gives is its value.",
              {ours.a, column_of(numbers, Tensor::K, head, col)});
  const auto most = std::max_element(ours.a.begin(), ours.a.end()) - ours.a.begin();
  const double winner = at(ours.b, static_cast<int>(most));
  slips.way("largest_only", winner, "only one token’s value is taken",
            "is the value of " + bold_token(numbers, static_cast<int>(most)) +
                " alone. Every token with a weight above 0 gives its part.",
            {words("value of " + token_name(numbers, static_cast<int>(most))), equals(), words(mono(typed(winner)))});
  slips.forgot_product();
}

std::optional<Question> head_output(const Numbers& numbers, const Cell& cell, Dice&) {
  const auto [tensor, head, query, col] = cell;
  const attention::Config& config = numbers.state.document.config;
  if (is_fully_masked(numbers.state, query)) return std::nullopt;
  const Sum ours{row_of(numbers, Tensor::pattern, head, query), column_of(numbers, Tensor::V, head, col)};
  for (int key = 0; key < config.n_k; ++key)
    if (!are_handy(row_of(numbers, Tensor::V, head, key))) return std::nullopt;
  for (int row = 0; row < config.n_q; ++row)
    if (!are_handy(row_of(numbers, Tensor::scaled, head, row))) return std::nullopt;
  Question q = number_question(numbers, cell, total_as_printed(ours));
  q.title = "What is number " + std::to_string(col + 1) + " of the output of " + head_name(head) + " for " +
            token(numbers, query) + "?";
  q.given = "In " + head_name(head) + " the weights of " + bold_token(numbers, query) + " are " +
            by_token(numbers, ours.a) + ". The values are " + rows_by_token(numbers, Tensor::V, head) + ".";
  add_weighing_slips(q, numbers, cell, ours);
  if (!serves(q)) return std::nullopt;
  q.hints = {"A head’s output is a mix of the values, and the weights say how much of each.",
             "Take number " + std::to_string(col + 1) + " of each token’s value.",
             "Multiply each of them by the weight of its token. Then add the products."};
  q.picture.chain = {Tensor::pattern, Tensor::head};
  for (int key = 0; key < config.n_k; ++key) q.picture.operands.push_back({Tensor::pattern, head, query, key});
  const std::string index = "_{" + std::to_string(head + 1) + "}";
  q.picture.formula = "head" + index + " <q>=</q> <b>A</b>" + index + " <k><b>V</b>" + index + "</k>";
  q.picture.why =
      "Why a mix? The weights of one row add up to 1, so each number of a head’s output lies between the smallest "
      "and the largest of that number in the values.";
  return q;
}

// ------------------------------------------------------------------- output

std::string W_O() { return symbol_of(Tensor::W_O, -1); }

void add_output_slips(Question& q, const Numbers& numbers, const Cell& cell, const Sum& ours) {
  const attention::Config& config = numbers.state.document.config;
  const int row = cell.row, col = cell.col;
  const auto width = static_cast<int>(ours.a.size());
  Slips slips{q, ours, Tensor::output};
  if (width == config.d_model)
    slips.sum("row_of_W_O", "that is a row of W^O, not a column",
              "is made with row " + std::to_string(col + 1) + " of " + W_O() + ". Output number " +
                  std::to_string(col + 1) + " is made with column " + std::to_string(col + 1) + ".",
              {ours.a, row_of(numbers, Tensor::W_O, -1, col)});
  if (col < width)
    slips.way("no_W_O", at(ours.a, col), "W^O is left out",
              "is number " + std::to_string(col + 1) + " of <b>Concat</b> itself. " + W_O() +
                  " lets every output number take from all heads.",
              {words("number " + std::to_string(col + 1) + " of <b>Concat</b>"), equals(),
               words(mono(typed(at(ours.a, col))))});
  Sum averaged{{}, ours.b};
  for (int i = 0; i < width; ++i) {
    double mean = 0;
    for (int head = 0; head < config.h; ++head) mean += at(ours.a, head * config.d_v + i % config.d_v) / config.h;
    averaged.a.push_back(mean);
  }
  slips.sum("averaged_heads", "the heads are averaged",
            "comes from the mean of the heads. Concat puts them side by side, so that " + W_O() +
                " can treat each of them differently.",
            averaged);
  for (int other = 0; other < config.n_q; ++other)
    if (other != row)
      slips.sum("other_token_" + std::to_string(other + 1), "that is another token",
                "is made with the row of " + bold_token(numbers, other) + " in <b>Concat</b>.",
                {row_of(numbers, Tensor::concat, -1, other), ours.b});
  slips.forgot_product();
  for (int head = 0; head < config.h; ++head) {
    Sum without = ours;
    for (int i = 0; i < config.d_v; ++i) at(without.a, head * config.d_v + i) = 0;
    slips.sum("without_head_" + std::to_string(head + 1), head_name(head) + " is left out",
              "is the output without " + head_name(head) + ". All heads add their part.", without);
  }
  for (int other = 0; other < config.d_model; ++other)
    if (other != col)
      slips.sum("other_column_" + std::to_string(other + 1), "that is another column of W^O",
                "is output number " + std::to_string(other + 1) + ", made with column " + std::to_string(other + 1) +
                    " of " + W_O() + ".",
                {ours.a, column_of(numbers, Tensor::W_O, -1, other)});
}

std::optional<Question> output(const Numbers& numbers, const Cell& cell, Dice&) {
  const attention::Config& config = numbers.state.document.config;
  if (numbers.state.document.weights.b_O.size() != 0) return std::nullopt;
  const Sum ours{row_of(numbers, Tensor::concat, -1, cell.row), column_of(numbers, Tensor::W_O, -1, cell.col)};
  if (!are_handy(ours.a) || !are_handy(ours.b)) return std::nullopt;
  for (int row = 0; row < config.n_q; ++row)
    if (!are_handy(row_of(numbers, Tensor::concat, -1, row))) return std::nullopt;
  Question q = number_question(numbers, cell, total_as_printed(ours));
  const std::string number = std::to_string(cell.col + 1);
  q.title = "What is output number " + number + " of " + token(numbers, cell.row) + "?";
  q.given = "The row of " + bold_token(numbers, cell.row) + " in <b>Concat</b> is " + listed(ours.a) + ". Column " +
            number + " of " + W_O() + " is " + listed(ours.b) + ".";
  add_output_slips(q, numbers, cell, ours);
  if (!serves(q)) return std::nullopt;
  q.hints = {
      "The last step is a row times a column, like a projection.",
      "Take the row of the token in <b>Concat</b>, with all heads side by side, and one column of " + W_O() + ".",
      "A 0 in the column switches its number off. Multiply the others, and add."};
  q.picture.chain = {Tensor::concat, Tensor::output};
  for (int i = 0; i < static_cast<int>(ours.a.size()); ++i)
    q.picture.operands.push_back({Tensor::concat, -1, cell.row, i});
  q.picture.formula =
      "<b>Output</b> <q>=</q> Concat(head_{1}, …, head_{" + std::to_string(config.h) + "}) <k>" + W_O() + "</k>";
  q.picture.why = "Why " + W_O() + "? Side by side, the heads don’t know of each other. " + W_O() +
                  " lets every output number take from every head.";
  return q;
}

}  // namespace

Question make_head_output(const State& state, Dice& dice) { return ask(state, dice, {Tensor::head}, head_output); }

Question make_output(const State& state, Dice& dice) { return ask(state, dice, {Tensor::output}, output); }

}  // namespace app::live
