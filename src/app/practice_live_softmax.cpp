// Questions about a scaled score and about a softmax weight.
#include "app/practice_live.hpp"

#include <cmath>

namespace app::live {
namespace {

std::string under_root(int size) { return "√" + std::to_string(size); }

std::vector<Part> scaled_blanks(const Numbers& numbers, const List& scores) {
  std::vector<Part> parts;
  for (const double score : scores) {
    if (!parts.empty()) parts.push_back({.kind = Part::Kind::line_break_hint});
    parts.push_back(root(short_number(score), std::to_string(numbers.state.document.config.d_k)));
    parts.push_back(equals());
    parts.push_back(blank());
  }
  return parts;
}

/// The engine with another factor in place of 1/√d_k.
double with_scale(const Numbers& numbers, const Cell& cell, double scale) {
  return value_with(numbers, cell, [&](Document& document) { document.config.scale = scale; });
}

// ------------------------------------------------------------------- scaled

std::optional<Question> scaled(const Numbers& numbers, const Cell& cell, Dice&) {
  const attention::Config& config = numbers.state.document.config;
  const double score = value_at(numbers, {Tensor::scores, cell.head, cell.row, cell.col});
  if (!is_handy(score) || config.scale) return std::nullopt;
  const double printed = as_printed(score) / std::sqrt(static_cast<double>(config.d_k));
  Question q = number_question(numbers, cell, printed);
  const std::string number = short_number(score);
  q.title = "The raw score of " + token(numbers, cell.row) + " for " + token(numbers, cell.col) + " in " +
            head_name(cell.head) + " is " + number + ". What is it after scaling?";
  q.given = "d_{model} = " + std::to_string(config.d_model) + ", h = " + std::to_string(config.h) +
            ", d_{k} = " + std::to_string(config.d_k) + ".";

  const auto slip = [&](std::string id, double scale, std::string heading, const std::string& says,
                        std::vector<Part> way) {
    const double answer = with_scale(numbers, cell, scale);
    way.push_back(equals());
    way.push_back(words(mono(typed(answer))));
    add_number_slip(q, {.id = std::move(id),
                        .answer = answer,
                        .heading = std::move(heading),
                        .says = typed(answer) + " " + says,
                        .way = std::move(way),
                        .first_name = "First scale",
                        .first = scaled_blanks(numbers, {score}),
                        .differs_at = Tensor::scaled,
                        .arc = scale == 1 ? kSkips : kDiffers});
  };
  const double d_k = config.d_k, d_model = config.d_model;
  const Sum sum{row_of(numbers, Tensor::Q, cell.head, cell.row), row_of(numbers, Tensor::K, cell.head, cell.col)};
  std::vector<Part> products = way_of(sum, score);
  products.resize(products.size() - 2);  // "= 4" comes with the others
  const std::string by = "Attention divides by the square root of d_{k}, the width of one query.";
  slip("no_scaling", 1, "the scale step is missing", "is the raw score itself. " + by, std::move(products));
  slip("over_d_k", 1 / d_k, "that is divided by d_k, not by its square root", "is the score divided by d_{k}. " + by,
       {fraction(number, std::to_string(config.d_k))});
  slip("sqrt_d_model", 1 / std::sqrt(d_model), "that is the width of the whole model",
       "is the score divided by √d_{model}. " + by, {root(number, std::to_string(config.d_model))});
  slip("times_root", std::sqrt(d_k), "that is multiplied, not divided",
       "is the score times " + under_root(config.d_k) + ". Scaling makes scores smaller, not larger.",
       {words(mono(number) + " <q>·</q> " + mono(under_root(config.d_k)))});
  slip("over_d_model", 1 / d_model, "that is divided by d_model", "is the score divided by d_{model}. " + by,
       {fraction(number, std::to_string(config.d_model))});
  if (!serves(q)) return std::nullopt;

  q.hints = {"Scaling makes the scores smaller, all of them by the same factor.",
             "The divisor depends on the width of one query in one head.", "Divide the raw score by √d_{k}."};
  q.picture.chain = {Tensor::scores, Tensor::scaled};
  q.picture.operands = {{Tensor::scores, cell.head, cell.row, cell.col}};
  const std::string index = "_{" + std::to_string(cell.head + 1) + "}";
  q.picture.formula =
      "<b>Scaled</b>" + index + " <q>=</q> <b>Q</b>" + index + " <b>K</b>" + index + "^{T} <k>/ √d_{k}</k>";
  q.picture.why =
      "Why the square root? A score adds d_{k} products. When their signs are mixed, the sum grows like the square "
      "root of "
      "their number. Dividing by √d_{k} keeps scores of long vectors as large as those of short ones.";
  return q;
}

// ------------------------------------------------------------------- weight

struct Weighing {
  const Numbers& numbers;
  Question& q;
  Cell cell;
  List scores, scaled;

  /// Softmax of `row`, which isn't the scaled row.
  void skips_scaling(std::string id, double scale, std::string heading, const std::string& says, const List& row,
                     const char* arc) {
    const double answer = with_scale(numbers, cell, scale);
    add_number_slip(
        q, {.id = std::move(id),
            .answer = answer,
            .heading = std::move(heading),
            .says = typed(answer) + " " + says + " Attention first divides every score by the square root of d_{k}.",
            .way = softmax_way(row, cell.col, answer),
            .first_name = "First scale",
            .first = scaled_blanks(numbers, scores),
            .differs_at = Tensor::scaled,
            .arc = arc});
  }
  void leaves_at_softmax(std::string id, double answer, std::string heading, const std::string& says,
                         std::vector<Part> way) {
    leaves_at(std::move(id), answer, std::move(heading), says, std::move(way), "First power",
              {words(mono(power(at(scaled, cell.col)))), equals(), blank()}, Tensor::pattern);
  }
  /// The learner took other scores than those of this row and head.
  void leaves_at_scores(std::string id, double answer, std::string heading, const std::string& says,
                        std::vector<Part> way) {
    leaves_at(std::move(id), answer, std::move(heading), says, std::move(way), "First scale",
              scaled_blanks(numbers, scores), Tensor::scaled);
  }
  /// What stands above the line is the same; what it is divided by isn't.
  void leaves_at_sum(std::string id, double answer, std::string heading, const std::string& says,
                     std::vector<Part> way) {
    std::string sum;
    for (const double score : scaled) sum += (sum.empty() ? "" : " + ") + power(score);
    leaves_at(std::move(id), answer, std::move(heading), says, std::move(way), "Sum of the row",
              {words(mono(sum)), equals(), blank()}, Tensor::pattern);
  }
  void leaves_at(std::string id, double answer, std::string heading, const std::string& says, std::vector<Part> way,
                 std::string first_name, std::vector<Part> first, Tensor tensor) {
    add_number_slip(q, {.id = std::move(id),
                        .answer = answer,
                        .heading = std::move(heading),
                        .says = typed(answer) + " " + says,
                        .way = std::move(way),
                        .first_name = std::move(first_name),
                        .first = std::move(first),
                        .differs_at = tensor,
                        .arc = kDiffers});
  }
};

std::string raw_scores(const List& scores) {
  std::vector<std::string> each;
  for (const double score : scores) each.push_back(short_number(score));
  return join(each, "and");
}

List divided(const List& list, double by) {
  List result;
  for (const double value : list) result.push_back(value / by);
  return result;
}

void add_scaling_slips(Weighing& weighing) {
  const attention::Config& config = weighing.numbers.state.document.config;
  const List& scores = weighing.scores;
  const double d_k = config.d_k, root = std::sqrt(static_cast<double>(config.d_model));
  weighing.skips_scaling("no_scaling", 1, "the scale step is missing",
                         "is what softmax gives for the raw scores " + raw_scores(scores) + ".", scores, kSkips);
  weighing.skips_scaling("over_d_k", 1 / d_k, "the scores are divided by d_k, not by its square root",
                         "is what softmax gives for the scores divided by " + std::to_string(config.d_k) + ".",
                         divided(scores, d_k), kDiffers);
  weighing.skips_scaling(
      "sqrt_d_model", 1 / root, "that is the width of the whole model",
      "is what softmax gives for the scores divided by √d_{model}, which is " + under_root(config.d_model) + ".",
      divided(scores, root), kDiffers);
}

void add_softmax_slips(Weighing& weighing) {
  const Numbers& numbers = weighing.numbers;
  const attention::Config& config = numbers.state.document.config;
  const auto [tensor, head, query, key] = weighing.cell;
  const List& scaled = weighing.scaled;
  const std::string asks = bold_token(numbers, query), found = bold_token(numbers, key);
  for (int other = 0; other < config.n_k; ++other) {
    if (other == key) continue;
    const double answer = value_at(numbers, {tensor, head, query, other});
    weighing.leaves_at_softmax("other_key_" + std::to_string(other + 1), answer, "that is the other token’s share",
                               "is what " + asks + " gives to " + bold_token(numbers, other) +
                                   ". Above the line stands the power of the score for " + found + ".",
                               softmax_way(scaled, other, answer));
  }
  double sum = 0;
  std::string terms;
  for (const double value : scaled) sum += value, add_term(terms, value);
  weighing.leaves_at_softmax(
      "no_exponential", at(scaled, key) / sum, "the powers of e are missing",
      "is the share of the scaled score itself. Softmax takes e to the power of each score before "
      "it divides, so no weight is negative.",
      {fraction(typed(at(scaled, key)), terms), equals(), words(mono(typed(at(scaled, key) / sum)))});
  if (config.n_q > 1) {
    const List down = column_of(numbers, Tensor::scaled, head, key);
    const double answer = softmax_at(down, query);
    weighing.leaves_at_sum(
        "wrong_axis", answer, "that is softmax down a column",
        "compares the tokens that ask. Softmax works along a row: " + asks + " shares out its own attention.",
        softmax_way(down, query, answer));
  }
  if (query != key && query < config.n_k && key < config.n_q && is_open_row(numbers, key)) {
    const double answer = value_at(numbers, {tensor, head, key, query});
    weighing.leaves_at_scores("swapped", answer, "query and key are swapped",
                              "is what " + found + " gives to " + asks + ". Here " + asks + " asks.",
                              softmax_way(row_of(numbers, Tensor::scaled, head, key), query, answer));
  }
  for (int other = 0; other < config.h; ++other) {
    if (other == head) continue;
    const double answer = value_at(numbers, {tensor, other, query, key});
    weighing.leaves_at_scores("other_head_" + std::to_string(other + 1), answer, "that is " + head_name(other),
                              "is the weight in " + head_name(other) + ". Each head has scores of its own.",
                              softmax_way(row_of(numbers, Tensor::scaled, other, query), key, answer));
  }
}

std::optional<Question> weight(const Numbers& numbers, const Cell& cell, Dice&) {
  const auto [tensor, head, query, key] = cell;
  const attention::Config& config = numbers.state.document.config;
  for (int other = 0; other < config.h; ++other)
    for (int row = 0; row < config.n_q; ++row)
      if (!are_handy(row_of(numbers, Tensor::scores, other, row))) return std::nullopt;
  if (config.n_k < 2 || config.scale || !is_open_row(numbers, query)) return std::nullopt;
  Question q;
  Weighing weighing{numbers, q, cell, row_of(numbers, Tensor::scores, head, query),
                    row_of(numbers, Tensor::scaled, head, query)};
  const List printed = divided(as_printed(weighing.scores), std::sqrt(static_cast<double>(config.d_k)));
  q = number_question(numbers, cell, softmax_at(printed, key));
  q.rounding = "Round to three decimals.";
  q.title = "How much attention does " + token(numbers, query) + " give to " + token(numbers, key) + " in " +
            head_name(head) + "?";
  q.given = "The raw scores of " + bold_token(numbers, query) + " are " + by_token(numbers, weighing.scores) +
            ". d_{k} = " + std::to_string(config.d_k) + ".";
  add_scaling_slips(weighing);
  add_softmax_slips(weighing);
  if (!serves(q)) return std::nullopt;
  q.hints = {"Two steps are left: scale, then softmax along the row of the token that asks.",
             "First divide each raw score by √d_{k}.",
             "Then take e to the power of each scaled score, and divide the one that is asked by their sum."};
  q.picture.chain = {Tensor::scores, Tensor::scaled, Tensor::pattern};
  for (int k = 0; k < config.n_k; ++k) q.picture.operands.push_back({Tensor::scores, head, query, k});
  const std::string index = "_{" + std::to_string(head + 1) + "}";
  q.picture.formula =
      "<b>A</b>" + index + " <q>=</q> softmax( <b>Q</b>" + index + " <b>K</b>" + index + "^{T} <k>/ √d_{k}</k> )";
  q.picture.why =
      "Why scale? Long vectors give large scores, and large scores push softmax towards a single token. Dividing by "
      "the "
      "square root of d_{k} keeps the weights soft.";
  return q;
}

}  // namespace

Question make_scaled(const State& state, Dice& dice) { return ask(state, dice, {Tensor::scaled}, scaled); }

Question make_weight(const State& state, Dice& dice) { return ask(state, dice, {Tensor::pattern}, weight); }

}  // namespace app::live
