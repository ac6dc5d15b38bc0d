// Questions about places in Concat, and about what happens when W^O is left out.
#include "app/practice_live.hpp"

#include <algorithm>

namespace app::live {
namespace {

std::string W_O() { return symbol_of(Tensor::W_O, -1); }

/// Where number `number` of head `head` could be looked for, all counted from 1.
struct Place {
  std::string id, heading, says;  // `says` goes on after "column 5"
  int column;
  std::string way;  // rich: how one gets there, without the result
};

std::string counted(int i) { return std::to_string(i + 1); }

std::string columns_text(int count) { return std::to_string(count) + (count == 1 ? " column" : " columns"); }

/// "(3 − 1) · 2": the columns before head 3.
std::string columns_before(const attention::Config& config, int head) {
  return "(" + counted(head) + " − 1) · " + std::to_string(config.d_v);
}

std::vector<Place> other_places(const attention::Config& config, int head, int number) {
  const int h = config.h, d_v = config.d_v;
  const std::string takes = " Each head takes " + std::to_string(d_v) + " columns side by side, head 1 first.";
  return {{"interleaved", "the heads don’t take turns",
           "is where it would stand if the heads took turns, column by column." + takes, number * h + head + 1,
           "(" + counted(number) + " − 1) · " + std::to_string(h) + " + " + counted(head)},
          {"averaged", "the heads don’t share columns",
           "is where it would stand if all heads shared the same columns, added or averaged." + takes, number + 1,
           "0 + " + counted(number)},
          {"from_zero", "columns are counted from 1", "is its place counted from 0. Here the first column is 1.",
           head * d_v + number, columns_before(config, head) + " + " + std::to_string(number)},
          {"head_too_far", "that is one head too far",
           "also leaves room for " + head_name(head) + " itself. Only the heads before it count.",
           (head + 1) * d_v + number + 1, counted(head) + " · " + std::to_string(d_v) + " + " + counted(number)},
          {"d_model_wide", "a head is d_v columns wide, not d_model", "gives each head d_{model} columns." + takes,
           head * config.d_model + number + 1,
           "(" + counted(head) + " − 1) · " + std::to_string(config.d_model) + " + " + counted(number)},
          {"heads_backwards", "the heads are in the other order", "puts the last head first." + takes,
           (h - 1 - head) * d_v + number + 1,
           "(" + std::to_string(h) + " − " + counted(head) + ") · " + std::to_string(d_v) + " + " + counted(number)}};
}

Question picture_of_concat(const Numbers& numbers, const Cell& cell, int head, int number) {
  const attention::Config& config = numbers.state.document.config;
  Question q;
  q.cell = cell;
  q.show = walk_to(cell);
  q.show_label = "Show me on the canvas";
  q.given = "There are h = " + std::to_string(config.h) +
            " heads, and each gives d_{v} = " + std::to_string(config.d_v) + " numbers.";
  q.hints = {"Concat computes nothing: it puts the heads’ outputs side by side, head 1 first.",
             "Each head takes as many columns as its output is wide. How many columns do the heads before it take?"};
  q.picture.kind = Picture::Kind::chain;
  q.picture.numbers = Held(numbers);
  q.picture.head = head;
  q.picture.chain = {Tensor::head, Tensor::concat};
  q.picture.operands = {{Tensor::head, head, cell.row, number}};
  q.picture.formula =
      "<b>Concat</b> <q>=</q> [ head_{1} <k>side by side with</k> … head_{" + std::to_string(config.h) + "} ]";
  q.picture.why =
      "Why side by side? Adding or averaging the heads would mix them before anything could tell them apart. In "
      "columns of their own, " +
      W_O() + " can still treat each of them differently.";
  return q;
}

std::vector<Part> first_columns(const attention::Config& config, int head) {
  return {words(mono(columns_before(config, head))), equals(), blank()};
}

std::optional<Question> which_column(const Numbers& numbers, const Cell& cell) {
  const attention::Config& config = numbers.state.document.config;
  const int head = cell.col / config.d_v, number = cell.col % config.d_v;
  Question q = picture_of_concat(numbers, cell, head, number);
  q.asks = Asks::number;
  q.whole = true;
  q.right = cell.col + 1.0;
  q.title = "In which column of Concat does number " + counted(number) + " of " + head_name(head) + " stand?";
  q.given += " Columns are counted from 1.";
  q.label = "Column";
  for (const Place& place : other_places(config, head, number)) {
    const std::string column = std::to_string(place.column);
    add_slip(q, {.id = place.id,
                 .answer = static_cast<double>(place.column),
                 .heading = place.heading,
                 .says = "Column " + column + " " + place.says,
                 .way = {words(mono(place.way)), equals(), words(mono(column))},
                 .first_name = "Columns before",
                 .first = first_columns(config, head),
                 .differs_at = Tensor::concat,
                 .arc = kDiffers});
  }
  q.solution = {words(mono(columns_before(config, head) + " + " + counted(number))), equals(),
                words(mono(counted(cell.col)))};
  q.solution_says = (head == 0   ? std::string("No head stands before head 1")
                     : head == 1 ? "Head 1 takes the first " + columns_text(config.d_v)
                                 : "The heads before " + head_name(head) + " take " + columns_text(head * config.d_v)) +
                    ". This is number " + counted(number) + " of " + head_name(head) + ".";
  return q;
}

std::optional<Question> click_column(const Numbers& numbers, const Cell& cell) {
  const attention::Config& config = numbers.state.document.config;
  const int head = cell.col / config.d_v, number = cell.col % config.d_v;
  Question q = picture_of_concat(numbers, cell, head, number);
  q.asks = Asks::click;
  q.right = cell;
  q.title = "Where in Concat does number " + counted(number) + " of " + head_name(head) + " for " +
            token(numbers, cell.row) + " stand? Click the place.";
  const auto add = [&](Slip slip, const Cell& place) {
    if (!attention::exists(config, place)) return;
    slip.answer = place;
    slip.differs_at = Tensor::concat;
    slip.arc = kDiffers;
    add_slip(q, std::move(slip));
  };
  for (const Place& place : other_places(config, head, number))
    if (place.id != "from_zero")
      add({.id = place.id,
           .answer = 0,
           .heading = place.heading,
           .says = "Column " + std::to_string(place.column) + " " + place.says,
           .way = {words(mono(place.way)), equals(), words(mono(std::to_string(place.column)))},
           .first_name = "Columns before",
           .first = first_columns(config, head),
           .differs_at = {},
           .arc = {}},
          {Tensor::concat, -1, cell.row, place.column - 1});
  for (int other = 0; other < config.n_q; ++other)
    if (other != cell.row)
      add({.id = "other_token_" + counted(other),
           .answer = 0,
           .heading = "that is another token’s row",
           .says = "That is the row of " + bold_token(numbers, other) +
                   ". Each token keeps its own row from <b>X</b> to the output.",
           .way = {},
           .first_name = {},
           .first = {},
           .differs_at = {},
           .arc = {}},
          {Tensor::concat, -1, other, cell.col});
  solve_by_strip(q, numbers, cell);
  return q;
}

std::optional<Question> concat(const Numbers& numbers, const Cell& cell, Dice& dice) {
  if (!are_handy(row_of(numbers, Tensor::concat, -1, cell.row))) return std::nullopt;
  return dice.below(2) == 0 ? which_column(numbers, cell) : click_column(numbers, cell);
}

// ------------------------------------------------------------------ no W^O

void frame_no_W_O(Question& q, const attention::Config& config) {
  q.picture.chain = {Tensor::concat, Tensor::output};
  q.picture.head = -1;
  q.picture.formula =
      "<b>Output</b> <q>=</q> Concat(head_{1}, …, head_{" + std::to_string(config.h) + "}) <k>" + W_O() + "</k>";
  q.picture.why = "Why " + W_O() +
                  "? Without it, the output is only the heads side by side: each output number comes from "
                  "one head, and no number can combine what two heads have found.";
}

std::optional<Question> number_without(const Numbers& numbers, const Cell& cell) {
  const attention::Config& config = numbers.state.document.config;
  const int row = cell.row, col = cell.col, own = col / config.d_v;
  const List concat = row_of(numbers, Tensor::concat, -1, row), weights = column_of(numbers, Tensor::W_O, -1, col);
  // The engine once more, with the identity in place of W^O.
  const Numbers without = changed(numbers, [](Document& document) { document.weights.W_O.setIdentity(); });
  const Sum ours{concat, column_of(without, Tensor::W_O, -1, col)};
  Question q = number_question(without, cell, as_printed(at(concat, col)));
  const std::string number = counted(col);
  q.title = "Suppose that W^{O} is left out. What is output number " + number + " of " + token(numbers, row) + " then?";
  q.given = "The row of " + bold_token(numbers, row) + " in <b>Concat</b> is " + listed(concat) + ". Column " + number +
            " of " + W_O() + " is " + listed(weights) + ".";
  q.show = walk_to({Tensor::concat, -1, row, col});
  q.show_label = "Show me Concat";
  q.solution_says = "Without " + W_O() + ", the output is <b>Concat</b> itself: this is number " +
                    counted(col % config.d_v) + " of " + head_name(own) + ".";
  frame_no_W_O(q, config);
  for (int i = 0; i < static_cast<int>(concat.size()); ++i) q.picture.operands.push_back({Tensor::concat, -1, row, i});

  Slips slips{q, ours, Tensor::output};
  const auto add = [&](std::string id, double answer, std::string heading, const std::string& says,
                       std::vector<Part> way) {
    way.push_back(equals());
    way.push_back(words(mono(typed(answer))));
    add_number_slip(q, {.id = std::move(id),
                        .answer = answer,
                        .heading = std::move(heading),
                        .says = typed(answer) + " " + says,
                        .way = std::move(way),
                        .first_name = "Concat itself",
                        .first = {words("number " + number + " of <b>Concat</b>"), equals(), blank()},
                        .differs_at = Tensor::output,
                        .arc = kDiffers});
  };
  const std::string stays = " Without " + W_O() + ", number " + number + " of <b>Concat</b> goes on as it is.";
  const Sum with{concat, weights};
  std::vector<Part> products = way_of(with, total(with));
  products.resize(products.size() - 2);
  add("with_W_O", value_at(numbers, cell), "W^O is still there", "is the output with " + W_O() + "." + stays, products);
  double mean = 0, sum = 0;
  std::string added, all;
  for (int head = 0; head < config.h; ++head) {
    const double value = at(concat, head * config.d_v + col % config.d_v);
    mean += value / config.h;
    add_term(added, value);
  }
  for (const double value : concat) sum += value, add_term(all, value);
  add("averaged_heads", mean, "the heads are averaged",
      "is the mean of number " + counted(col % config.d_v) + " of all heads. Concat puts them side by side." + stays,
      {fraction(added, std::to_string(config.h))});
  add("sum_of_Concat", sum, "the heads are added up", "is the sum of the whole row." + stays, {words(mono(all))});
  for (int other = 0; other < config.n_q; ++other)
    if (other != row)
      add("other_token_" + counted(other), value_at(numbers, {Tensor::concat, -1, other, col}), "that is another token",
          "stands in the row of " + bold_token(numbers, other) + ".",
          {words("number " + number + " of " + bold_token(numbers, other))});
  for (int other = 0; other < static_cast<int>(concat.size()); ++other)
    if (other != col)
      add("other_column_" + counted(other), at(concat, other), "that is another column of Concat",
          "is number " + counted(other) + " of <b>Concat</b>." + stays,
          {words("number " + counted(other) + " of <b>Concat</b>")});
  if (!serves(q)) return std::nullopt;
  q.hints = {"What is there, before " + W_O() + " mixes it?",
             "Without " + W_O() + ", nothing is multiplied and nothing is added after Concat."};
  return q;
}

std::optional<Question> heads_without(const Numbers& numbers, const Cell& cell) {
  const attention::Config& config = numbers.state.document.config;
  const int own = cell.col / config.d_v;
  Question q;
  q.asks = Asks::choice;
  q.right = own;
  q.title = "Suppose that W^{O} is left out. Which heads can change output number " + counted(cell.col) + "?";
  q.given = "There are h = " + std::to_string(config.h) +
            " heads, and each gives d_{v} = " + std::to_string(config.d_v) + " numbers to <b>Concat</b>.";
  q.cell = cell;
  q.show = walk_to({Tensor::concat, -1, cell.row, cell.col});
  q.show_label = "Show me Concat";
  const std::string columns = "Without " + W_O() + ", output number " + counted(cell.col) + " is column " +
                              counted(cell.col) + " of <b>Concat</b>. ";
  for (int head = 0; head < config.h; ++head) {
    const std::string from = counted(head * config.d_v), to = counted((head + 1) * config.d_v - 1);
    q.choices.push_back({"Only " + head_name(head),
                         columns + capitalise(head_name(head)) +
                             (from == to ? " fills column " + from
                                         : " fills columns " + from + (config.d_v == 2 ? " and " : " to ") + to) +
                             (head == own ? ", so it alone decides this number." : " only.")});
  }
  q.choices.push_back(
      {"All heads", columns + "Only one head writes there. " + W_O() + " is what lets every head take part."});
  const auto add = [&](std::string id, int choice, std::string heading, std::string says, std::vector<Part> way) {
    add_slip(q, {.id = std::move(id),
                 .answer = choice,
                 .heading = std::move(heading),
                 .says = std::move(says),
                 .way = std::move(way),
                 .first_name = {},
                 .first = {},
                 .differs_at = Tensor::output,
                 .arc = kDiffers});
  };
  add("with_W_O", config.h, "that is what W^O is for", at(q.choices, config.h).why, {});
  add("interleaved", cell.col % config.h, "the heads don’t take turns",
      columns + "The heads stand there one after the other, each with all its columns.", {});
  q.solution = {words("output number " + counted(cell.col)), equals(),
                words("column " + counted(cell.col) + " of <b>Concat</b>"), equals(),
                words("number " + counted(cell.col % config.d_v) + " of " + head_name(own))};
  q.solution_says = at(q.choices, own).why;
  q.hints = {"Without " + W_O() + ", the output is Concat itself.",
             "Count the columns: each head takes d_{v} of them, head 1 first."};
  q.picture.kind = Picture::Kind::chain;
  q.picture.numbers = Held(numbers);
  frame_no_W_O(q, config);
  return q;
}

std::optional<Question> no_W_O(const Numbers& numbers, const Cell& cell, Dice& dice) {
  const attention::Config& config = numbers.state.document.config;
  if (config.h * config.d_v != config.d_model || numbers.state.document.weights.b_O.size() != 0) return std::nullopt;
  for (int row = 0; row < config.n_q; ++row)
    if (!are_handy(row_of(numbers, Tensor::concat, -1, row))) return std::nullopt;
  if (!are_handy(column_of(numbers, Tensor::W_O, -1, cell.col))) return std::nullopt;
  return dice.below(3) == 0 ? heads_without(numbers, cell) : number_without(numbers, cell);
}

}  // namespace

Question make_concat(const State& state, Dice& dice) { return ask(state, dice, {Tensor::concat}, concat); }

Question make_no_W_O(const State& state, Dice& dice) { return ask(state, dice, {Tensor::output}, no_W_O); }

}  // namespace app::live
