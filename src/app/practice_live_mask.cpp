// A question about a weight under a mask: the one that the learner has set, or one that the question states.
#include "app/practice_live.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

namespace app::live {
namespace {

using attention::MayAttend;

MayAttend mask_of(const Numbers& numbers) {
  const attention::Config& config = numbers.state.document.config;
  MayAttend mask(config.n_q, config.n_k);
  for (int query = 0; query < config.n_q; ++query)
    for (int key = 0; key < config.n_k; ++key) mask(query, key) = may_attend(numbers.state.document, query, key);
  return mask;
}

/// A mask under which every token may still look at one: causal, padding at the end, or one forbidden pair.
MayAttend drawn_mask(const attention::Config& config, Dice& dice) {
  switch (dice.below(3)) {
    case 0: return attention::causal_mask(config.n_q, config.n_k);
    case 1: return attention::padding_mask(config.n_q, config.n_k, config.n_k - 1);
    default: break;
  }
  MayAttend mask = MayAttend::Constant(config.n_q, config.n_k, 1);
  mask(dice.below(config.n_q), dice.below(config.n_k)) = 0;
  return mask;
}

/// "<b>dogs</b> may not look at <b>bark</b>."
std::string mask_in_words(const Numbers& numbers) {
  if (is_causal(numbers.state)) return "The causal mask is on: a token may look at itself and at those before it.";
  const attention::Config& config = numbers.state.document.config;
  std::string text;
  for (int key = 0; key < config.n_k; ++key) {
    std::vector<std::string> without;
    for (int query = 0; query < config.n_q; ++query)
      if (!may_attend(numbers.state.document, query, key)) without.push_back(bold_token(numbers, query));
    if (without.empty()) continue;
    text += text.empty() ? "A mask is on: " : ", and ";
    text += (static_cast<int>(without.size()) == config.n_q ? "no token may look at "
                                                            : join(without, "and") + " may not look at ") +
            bold_token(numbers, key);
  }
  return text + ".";
}

struct Masking {
  const Numbers& numbers;
  Question& q;
  Cell cell;
  List scaled;

  bool is_open(int key) const { return may_attend(numbers.state.document, cell.row, key); }

  /// "0.707 → [?]": what the mask makes of the first score that it forbids, or of the own one.
  std::vector<Part> first_step() const {
    int key = cell.col;
    for (int other = 0; other < static_cast<int>(scaled.size()); ++other)
      if (!is_open(other)) key = other;
    return {words(mono(short_number(at(scaled, key)))), words("<q>→</q>"), blank()};
  }
  void add(std::string id, double answer, std::string heading, const std::string& says, std::vector<Part> way,
           const char* arc = kDiffers) const {
    add_number_slip(q, {.id = std::move(id),
                        .answer = answer,
                        .heading = std::move(heading),
                        .says = typed(answer) + " " + says,
                        .way = std::move(way),
                        .first_name = "First mask",
                        .first = first_step(),
                        .differs_at = Tensor::masked,
                        .arc = arc});
  }
  /// The mask is right, or does nothing to this weight: it is softmax that is done differently.
  void add_at_softmax(std::string id, double answer, std::string heading, const std::string& says,
                      std::vector<Part> way) const {
    const bool open = is_open(cell.col);
    add_number_slip(q, {.id = std::move(id),
                        .answer = answer,
                        .heading = std::move(heading),
                        .says = typed(answer) + " " + says,
                        .way = std::move(way),
                        .first_name = open ? "First power" : "First mask",
                        .first = open ? std::vector<Part>{words(mono(power(at(scaled, cell.col)))), equals(), blank()}
                                      : first_step(),
                        .differs_at = open ? Tensor::pattern : Tensor::masked,
                        .arc = kDiffers});
  }
  /// What softmax makes of the keys that `open` allows.
  std::vector<Part> way_with(const MayAttend& open, double answer) const {
    List row;
    int own = -1;
    for (int key = 0; key < static_cast<int>(scaled.size()); ++key) {
      if (open(cell.row, key) == 0) continue;
      if (key == cell.col) own = static_cast<int>(row.size());
      row.push_back(at(scaled, key));
    }
    if (own >= 0) return softmax_way(row, own, answer);
    return {words("a masked weight"), equals(), words(mono(typed(answer)))};
  }
  void add_masked(std::string id, const MayAttend& open, std::string heading, const std::string& says,
                  const char* arc = kDiffers) const {
    const double answer = value_with(numbers, cell, [&](Document& document) { document.input.may_attend = open; });
    add(std::move(id), answer, std::move(heading), says, way_with(open, answer), arc);
  }
};

void add_mask_slips(const Masking& masking) {
  const Numbers& numbers = masking.numbers;
  const attention::Config& config = numbers.state.document.config;
  const Cell& cell = masking.cell;
  const std::string asks = bold_token(numbers, cell.row);
  const MayAttend mask = mask_of(numbers), all = MayAttend::Constant(config.n_q, config.n_k, 1);
  const std::string before =
      " A masked score becomes −∞ before softmax, so its weight is 0 and the others share the row.";
  masking.add_masked("forgot_mask", all, "the mask is missing", "is the weight without a mask." + before, kSkips);
  List zeroed = masking.scaled;
  for (int key = 0; key < config.n_k; ++key)
    if (!masking.is_open(key)) at(zeroed, key) = 0;
  const double with_zeros = softmax_at(zeroed, cell.col);
  masking.add("zero_score", with_zeros, "a masked score is −∞, not 0",
              "is what comes out when the masked score is set to 0. A score of 0 still gets e^{0} = 1 in softmax; only "
              "−∞ gets nothing.",
              softmax_way(zeroed, cell.col, with_zeros));
  if (config.n_q == config.n_k)
    masking.add_masked(
        "transposed_mask", mask.transpose(), "rows and columns of the mask are swapped",
        "is the weight under the mask turned over. A row of the mask says what one token may look at: here " + asks +
            ".");
  const MayAttend flipped = MayAttend::Constant(config.n_q, config.n_k, 1) - mask;
  masking.add_masked("reversed_mask", flipped, "the mask is the other way round",
                     "comes from letting through what is masked. Masked means: may not look.");
  const double equal = 1.0 / config.n_k;
  masking.add_at_softmax(
      "equal_shares", equal, "the row isn’t shared out equally",
      "gives every token the same share. Softmax shares by the scores, and only among those that are open.",
      {fraction("1", std::to_string(config.n_k)), equals(), words(mono(typed(equal)))});
  for (int other = 0; other < config.n_k; ++other)
    if (other != cell.col)
      masking.add_at_softmax(
          "other_key_" + std::to_string(other + 1), value_at(numbers, {cell.tensor, cell.head, cell.row, other}),
          "that is the other token’s share", "is what " + asks + " gives to " + bold_token(numbers, other) + ".",
          masking.is_open(other)
              ? Masking{numbers, masking.q, {cell.tensor, cell.head, cell.row, other}, masking.scaled}.way_with(
                    mask, value_at(numbers, {cell.tensor, cell.head, cell.row, other}))
              : std::vector<Part>{words("a masked weight"), equals(), words(mono("0"))});
}

std::optional<Question> masked(const Numbers& numbers, const Cell& cell, Dice&) {
  const attention::Config& config = numbers.state.document.config;
  if (is_fully_masked(numbers.state, cell.row) || config.n_k < 2) return std::nullopt;
  const List scaled = row_of(numbers, Tensor::scaled, cell.head, cell.row);
  if (!are_handy(scaled) || numbers.state.document.input.additive_mask.size() != 0) return std::nullopt;
  List printed;
  int own = -1;
  for (int key = 0; key < config.n_k; ++key) {
    if (!may_attend(numbers.state.document, cell.row, key)) continue;
    if (key == cell.col) own = static_cast<int>(printed.size());
    printed.push_back(as_printed(at(scaled, key)));
  }
  Question q = number_question(numbers, cell, own < 0 ? 0 : softmax_at(printed, own));
  q.title = (is_causal(numbers.state) ? "With the causal mask, how much attention does "
                                      : "With this mask, how much attention does ") +
            token(numbers, cell.row) + " give to " + token(numbers, cell.col) + " in " + head_name(cell.head) + "?";
  q.given = mask_in_words(numbers) + " The scaled scores of " + bold_token(numbers, cell.row) + " are " +
            by_token(numbers, scaled) + ".";
  q.rounding = "Round to three decimals.";
  add_mask_slips({numbers, q, cell, scaled});
  if (!serves(q)) return std::nullopt;
  q.hints = {"Read the mask along the row of the token that asks: which tokens may it look at?",
             "A masked score becomes −∞, and e to the power of −∞ is 0.",
             "Softmax shares out all of the row among the scores that are left."};
  q.picture.chain = {Tensor::scaled, Tensor::masked, Tensor::pattern};
  for (int key = 0; key < config.n_k; ++key) q.picture.operands.push_back({Tensor::scaled, cell.head, cell.row, key});
  const std::string index = "_{" + std::to_string(cell.head + 1) + "}";
  q.picture.formula = "<b>A</b>" + index + " <q>=</q> softmax( <b>Q</b>" + index + " <b>K</b>" + index +
                      "^{T} / √d_{k} <k>+ mask</k> )";
  q.picture.why =
      "Why −∞? Softmax turns it into exactly 0, and the rest of the row still adds up to 1. A score of 0 would "
      "still get a share, because e^{0} is 1.";
  return q;
}

/// The learner's mask when it leaves something to ask about, else one that is drawn.
Numbers under_a_mask(const Numbers& numbers, Dice& dice) {
  if (mask_is_on(numbers.state))
    for (int query = 0; query < numbers.state.document.config.n_q; ++query)
      if (!is_open_row(numbers, query) && !is_fully_masked(numbers.state, query)) return numbers;
  const MayAttend mask = drawn_mask(numbers.state.document.config, dice);
  return changed(numbers, [&](Document& document) { document.input.may_attend = mask; });
}

}  // namespace

Question make_mask(const State& state, Dice& dice) {
  for (const bool own : {true, false}) {
    const Numbers bare = own ? own_numbers(state) : shipped_numbers(state);
    const Numbers numbers = under_a_mask(bare, dice);
    auto question = draw(numbers, cells_of(numbers, {Tensor::pattern}), dice, masked);
    if (!question) continue;
    if (numbers.state.document.input.may_attend.size() == 0 || !same_numbers(numbers.state.document, state.document)) {
      // The canvas hasn't this mask: the step where it can be switched on, at the same score.
      const Cell score{Tensor::masked, question->cell->head, question->cell->row, question->cell->col};
      question->show = walk_to(score);
      question->show_label = "Show me the mask step";
    }
    say_whose(*question, numbers, state);
    return *std::move(question);
  }
  assert(false && "some cell of the shipped example serves");
  return {};
}

}  // namespace app::live
