// Questions about a number of Q, K or V, and about a raw score.
#include "app/practice_live.hpp"

#include <cmath>

namespace app::live {
namespace {

struct Projection {
  Tensor made, weight;
  const char* word;    // "query"
  const char* symbol;  // "Q": above W
};
constexpr Projection kProjections[] = {{Tensor::Q, Tensor::W_Q, "query", "Q"},
                                       {Tensor::K, Tensor::W_K, "key", "K"},
                                       {Tensor::V, Tensor::W_V, "value", "V"}};

const Projection& projection_of(Tensor made) {
  for (const Projection& projection : kProjections)
    if (projection.made == made) return projection;
  return kProjections[0];
}

std::string symbol(const Projection& projection, int head) { return symbol_of(projection.weight, head); }

std::string column(int col) { return "column " + std::to_string(col + 1); }

void add_projection_slips(Question& q, const Numbers& numbers, const Cell& cell, const Sum& ours) {
  const Projection& mine = projection_of(cell.tensor);
  const attention::Config& config = numbers.state.document.config;
  const std::string W = symbol(mine, cell.head), row = bold_token(numbers, cell.row);
  Slips slips{q, ours, cell.tensor};
  slips.first_name = "Take " + column(cell.col);
  const std::string instead = " This number is made with " + column(cell.col) + " of " + W + ".";
  for (const Projection& other : kProjections) {
    if (other.made == mine.made || attention::shape_of(config, other.weight).cols <= cell.col) continue;
    slips.sum(std::string("other_projection_") + other.symbol,
              std::string("that is a number of the ") + other.word + ", not of the " + mine.word,
              "is made with " + symbol(other, cell.head) + "." + instead,
              {ours.a, column_of(numbers, other.weight, cell.head, cell.col)});
  }
  for (int col = 0; col < attention::shape_of(config, mine.weight).cols; ++col)
    if (col != cell.col)
      slips.sum("other_column_" + std::to_string(col + 1), "that is another column",
                "is made with " + column(col) + " of " + W + ": it is number " + std::to_string(col + 1) + " of the " +
                    mine.word + "." + instead,
                {ours.a, column_of(numbers, mine.weight, cell.head, col)});
  for (int head = 0; head < config.h; ++head)
    if (head != cell.head)
      slips.sum("other_head_" + std::to_string(head + 1), "that is " + head_name(head),
                "is what " + head_name(head) + " makes with its own weights." + instead,
                {ours.a, column_of(numbers, mine.weight, head, cell.col)});
  slips.first_name = "First product";
  for (int other = 0; other < config.n_q; ++other)
    if (other != cell.row)
      slips.sum("other_token_" + std::to_string(other + 1), "that is another token",
                "is made with the row of " + bold_token(numbers, other) + " in <b>X</b>. Here the row of " + row +
                    " is wanted.",
                {row_of(numbers, Tensor::X, -1, other), ours.b});
  slips.sum("no_input", "X is left out",
            "is the sum of " + column(cell.col) + " of " + W + ". Each weight is first multiplied by the feature of " +
                row + " in its row.",
            {List(ours.b.size(), 1.0), ours.b});
  slips.forgot_product();
}

std::optional<Question> project(const Numbers& numbers, const Cell& cell, Dice&) {
  const Projection& mine = projection_of(cell.tensor);
  const attention::Config& config = numbers.state.document.config;
  if (explain(config, numbers.state.document.input, numbers.state.document.weights, cell).bias) return std::nullopt;
  const Sum ours{row_of(numbers, Tensor::X, -1, cell.row), column_of(numbers, mine.weight, cell.head, cell.col)};
  if (!are_handy(ours.a) || !are_handy(ours.b)) return std::nullopt;
  Question q = number_question(numbers, cell, total_as_printed(ours));
  const std::string W = symbol(mine, cell.head);
  q.title = "What is number " + std::to_string(cell.col + 1) + " of the " + mine.word + " of " +
            token(numbers, cell.row) + " in " + head_name(cell.head) + "?";
  q.given = "The row of " + bold_token(numbers, cell.row) + " in <b>X</b> is " + listed(ours.a) + ". " +
            capitalise(column(cell.col)) + " of " + W + " is " + listed(ours.b) + ".";
  add_projection_slips(q, numbers, cell, ours);
  if (!serves(q)) return std::nullopt;
  q.hints = {
      "A projection is a row times a column: take the row of the token in <b>X</b>, and one column of " + W + ".",
      "Multiply each number of the row by the number at the same place in the column. Then add the products.",
      "A feature that is 0 switches its weight off. Look at the others only."};
  q.picture.chain = {Tensor::X, cell.tensor};
  for (int i = 0; i < config.d_model; ++i) q.picture.operands.push_back({Tensor::X, -1, cell.row, i});
  const std::string index = "_{" + std::to_string(cell.head + 1) + "}";
  q.picture.formula = "<b>" + std::string(mine.symbol) + "</b>" + index + " <q>=</q> <b>X</b> <k>" + W + "</k>";
  q.picture.why =
      "Why three projections? One token plays three parts: it asks (query), it is found (key), and it gives "
      "something (value). Each head learns weights of its own for each part, and reads all of <b>X</b>.";
  return q;
}

// -------------------------------------------------------------------- score

void add_score_slips(Question& q, const Numbers& numbers, const Cell& cell, const Sum& ours) {
  const attention::Config& config = numbers.state.document.config;
  const int head = cell.head;
  const std::string asks = bold_token(numbers, cell.row), found = bold_token(numbers, cell.col);
  const auto Q = [&](int row) { return row_of(numbers, Tensor::Q, head, row); };
  const auto K = [&](int row) { return row_of(numbers, Tensor::K, head, row); };
  Slips slips{q, ours, Tensor::scores};
  if (cell.row != cell.col)
    slips.sum("swapped", "query and key are swapped",
              "is the score of " + found + " for " + asks + ". Here " + asks + " asks, so its query meets the key of " +
                  found + ".",
              {Q(cell.col), K(cell.row)});
  if (config.n_k == config.d_k)
    slips.sum(
        "no_transpose", "K isn’t transposed",
        "is the query times a column of <b>K</b>. Because of the transpose, the query meets a row of <b>K</b>: one "
        "token’s key.",
        {ours.a, column_of(numbers, Tensor::K, head, cell.col)});
  for (int key = 0; key < config.n_k; ++key)
    if (key != cell.col)
      slips.sum(
          "other_key_" + std::to_string(key + 1), "that is another token’s key",
          "is the score of " + asks + " for " + bold_token(numbers, key) + ". Here the key of " + found + " is wanted.",
          {ours.a, K(key)});
  slips.sum("Q_for_K", "that is a query where a key is wanted",
            "is one query times another. The query of " + asks + " meets the key of " + found + ", a row of <b>K</b>.",
            {ours.a, Q(cell.col)});
  slips.sum("K_for_Q", "that is a key where a query is wanted",
            "is one key times another. The token that asks brings its query, a row of <b>Q</b>.",
            {K(cell.row), ours.b});
  const double scaled = value_at(numbers, {Tensor::scaled, head, cell.row, cell.col});
  slips.way("scaled_already", scaled, "that is the scaled score",
            "is the score divided by √d_{k}. The raw score comes before: only the sum of the products.",
            {root(typed(total(ours)), std::to_string(config.d_k)), equals(), words(mono(typed(scaled)))});
  if (!q.slips.empty() && q.slips.back().id == "scaled_already") {  // its products are right, and it goes on too far
    Slip& slip = q.slips.back();
    slip.first_name = "Products only";
    slip.first = way_of(ours, 0);
    slip.first.back() = blank();
  }
  slips.forgot_product();
  double added = 0;
  std::string terms;
  for (const List* list : {&ours.a, &ours.b})
    for (const double value : *list) added += value, add_term(terms, value);
  slips.way("added", added, "the numbers are added, not multiplied",
            "is the sum of all the numbers. A score multiplies number by number first, and then adds the products.",
            {words(mono(terms)), equals(), words(mono(typed(added)))});
}

std::optional<Question> score(const Numbers& numbers, const Cell& cell, Dice&) {
  const attention::Config& config = numbers.state.document.config;
  const Sum ours{row_of(numbers, Tensor::Q, cell.head, cell.row), row_of(numbers, Tensor::K, cell.head, cell.col)};
  for (const Tensor tensor : {Tensor::Q, Tensor::K})
    for (int row = 0; row < attention::shape_of(config, tensor).rows; ++row)
      if (!are_handy(row_of(numbers, tensor, cell.head, row))) return std::nullopt;
  Question q = number_question(numbers, cell, total_as_printed(ours));
  q.title = "What is the raw score of " + token(numbers, cell.row) + " for " + token(numbers, cell.col) + " in " +
            head_name(cell.head) + "?";
  q.given = "The queries are " + rows_by_token(numbers, Tensor::Q, cell.head) + ". The keys are " +
            rows_by_token(numbers, Tensor::K, cell.head) + ".";
  add_score_slips(q, numbers, cell, ours);
  if (!serves(q)) return std::nullopt;
  q.hints = {"The token that asks brings its query. The token that is looked at brings its key.",
             "A score is a dot product: multiply the query and the key number by number.",
             "Then add the products. Nothing is divided yet."};
  q.picture.chain = {Tensor::Q, Tensor::scores};
  for (int i = 0; i < config.d_k; ++i) q.picture.operands.push_back({Tensor::Q, cell.head, cell.row, i});
  const std::string index = "_{" + std::to_string(cell.head + 1) + "}";
  q.picture.formula = "<b>Score</b>" + index + " <q>=</q> <b>Q</b>" + index + " <k><b>K</b>" + index + "^{T}</k>";
  q.picture.why =
      "Why the transpose? Keys are rows of <b>K</b>. Turned into columns, each of them can meet a query: the row "
      "says who asks, the column who is looked at.";
  return q;
}

}  // namespace

Question make_project(const State& state, Dice& dice) {
  return ask(state, dice, {Tensor::Q, Tensor::K, Tensor::V}, project);
}

Question make_score(const State& state, Dice& dice) { return ask(state, dice, {Tensor::scores}, score); }

}  // namespace app::live
