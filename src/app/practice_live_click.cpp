// Questions that are answered by clicking a number: the key that gets most of a row, or least, and the number of K that
// a product takes.
#include "app/practice_live.hpp"

#include <algorithm>

namespace app::live {
namespace {

/// A click on `place` is this slip.
void add_click(Question& q, const attention::Config& config, std::string id, const Cell& place, std::string heading,
               std::string says) {
  if (!attention::exists(config, place)) return;
  add_slip(q, {.id = std::move(id),
               .answer = place,
               .heading = std::move(heading),
               .says = std::move(says),
               .way = {},
               .first_name = {},
               .first = {},
               .differs_at = place.tensor,
               .arc = "your place is another one"});
}

Question click_question(const Numbers& numbers, const Cell& right) {
  Question q;
  q.asks = Asks::click;
  q.right = right;
  q.cell = right;
  q.show = walk_to(right);
  q.show_label = "Show me on the canvas";
  solve_by_strip(q, numbers, right);
  q.picture.kind = Picture::Kind::chain;
  q.picture.numbers = Held(numbers);
  q.picture.head = right.head;
  return q;
}

std::optional<Question> extreme_weight(const Numbers& numbers, const Cell& cell, bool most) {
  const attention::Config& config = numbers.state.document.config;
  const auto [tensor, head, query, key] = cell;
  const List scores = row_of(numbers, Tensor::scores, head, query);
  if (!is_open_row(numbers, query) || !are_handy(scores) || config.n_k < 2) return std::nullopt;
  for (int row = 0; row < config.n_q; ++row)
    if (!are_handy(row_of(numbers, Tensor::scores, head, row))) return std::nullopt;
  // Of equal scores none is the largest: the asked one has to differ as it is printed.
  for (int other = 0; other < config.n_k; ++other) {
    const double ahead = as_printed(at(scores, key)) - as_printed(at(scores, other));
    if (other != key && (most ? ahead : -ahead) < 0.0015) return std::nullopt;
  }
  Question q = click_question(numbers, cell);
  const std::string asks = bold_token(numbers, query);
  q.title = std::string("Which token does ") + token(numbers, query) + " give the " + (most ? "most" : "least") +
            " attention to in " + head_name(head) + "? Click that weight.";
  q.given = "The raw scores of " + asks + " are " + by_token(numbers, scores) + ".";
  for (int other = 0; other < config.n_k; ++other)
    if (other != key)
      add_click(q, config, "other_key_" + std::to_string(other + 1), {tensor, head, query, other},
                most ? "that weight isn’t the largest of the row" : "that weight isn’t the smallest of the row",
                "Softmax keeps the order of the scores: a larger score gives a larger weight. Compare the scores of " +
                    asks + ".");
  if (query != key)
    add_click(q, config, "swapped", {tensor, head, key, query}, "query and key are swapped",
              "That is what " + bold_token(numbers, key) + " gives to " + asks +
                  ". The row says who asks, the column who is looked at.");
  for (int other = 0; other < config.n_q; ++other)
    if (other != query)
      add_click(q, config, "other_query_" + std::to_string(other + 1), {tensor, head, other, key},
                "that is another token’s row",
                "That is the row of " + bold_token(numbers, other) + ". Here " + asks + " asks.");
  q.hints = {"Rows ask and columns are looked at. Look along one row.",
             "Softmax keeps the order of the scores, so the scores already tell."};
  q.picture.chain = {Tensor::scores, Tensor::scaled, Tensor::pattern};
  for (int k = 0; k < config.n_k; ++k) q.picture.operands.push_back({Tensor::scores, head, query, k});
  const std::string index = "_{" + std::to_string(head + 1) + "}";
  q.picture.formula =
      "<b>A</b>" + index + " <q>=</q> <k>softmax</k>( <b>Q</b>" + index + " <b>K</b>" + index + "^{T} / √d_{k} )";
  q.picture.why =
      "Why can one tell from the scores? Dividing by √d_{k} and taking e to a power both keep the order: what is "
      "larger stays larger.";
  return q;
}

/// Which number of K meets number `cell.col` of the query that asks.
std::optional<Question> number_of_K(const Numbers& numbers, const Cell& cell, Dice& dice) {
  const attention::Config& config = numbers.state.document.config;
  const auto [tensor, head, key, number] = cell;
  const int query = dice.below(config.n_q);
  for (int row = 0; row < config.n_k; ++row)
    if (!are_handy(row_of(numbers, Tensor::K, head, row))) return std::nullopt;
  Question q = click_question(numbers, cell);
  const std::string asks = bold_token(numbers, query), found = bold_token(numbers, key),
                    place = std::to_string(number + 1);
  q.title = "In the score of " + token(numbers, query) + " for " + token(numbers, key) + " in " + head_name(head) +
            ", which number of K is multiplied by number " + place + " of the query? Click it.";
  if (number < config.n_k && key < config.d_k)
    add_click(q, config, "no_transpose", {tensor, head, number, key}, "rows and columns are swapped",
              "That number stands in a column that the transpose turns into a row. The query meets the key of " +
                  found + ": the row of " + found + " in <b>K</b>.");
  for (int other = 0; other < config.n_k; ++other)
    if (other != key)
      add_click(q, config, "other_key_" + std::to_string(other + 1), {tensor, head, other, number},
                "that is another token’s key",
                "That is in the key of " + bold_token(numbers, other) + ". The score of " + asks + " for " + found +
                    " takes the key of " + found + ".");
  for (int other = 0; other < config.d_k; ++other)
    if (other != number)
      add_click(q, config, "other_number_" + std::to_string(other + 1), {tensor, head, key, other},
                "that is another number of the key",
                "A dot product multiplies number by number: the first with the first, the second with the second.");
  q.hints = {
      "A score is one query times one key, number by number. Keys are rows of <b>K</b>.",
      "First find the row of the token that is looked at. Then take the number at the same place as in the query."};
  solve_by_strip(q, numbers, {Tensor::scores, head, query, key});
  q.solution_says = "Number " + place + " of the query meets number " + place + " of the key of " + found +
                    ", which stands in the row of " + found + " in <b>K</b>.";
  q.picture.chain = {Tensor::X, Tensor::K};
  q.picture.hides_asked = false;
  const std::string index = "_{" + std::to_string(head + 1) + "}";
  q.picture.formula = "<b>Score</b>" + index + " <q>=</q> <b>Q</b>" + index + " <k><b>K</b>" + index + "^{T}</k>";
  q.picture.why = "Why the transpose? Keys are rows of <b>K</b>. Turned into columns, each of them can meet a query.";
  return q;
}

std::optional<Question> largest(const Numbers& numbers, const Cell& cell, Dice& dice) {
  if (cell.tensor == Tensor::K) return number_of_K(numbers, cell, dice);
  return extreme_weight(numbers, cell, dice.below(3) > 0);
}

}  // namespace

Question make_largest(const State& state, Dice& dice) {
  return ask(state, dice, {Tensor::pattern, Tensor::K}, largest);
}

}  // namespace app::live
