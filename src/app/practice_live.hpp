// What the makers of questions about live numbers share: drawing a cell that serves, sums of products, softmax, and the
// slips that are made of them.
#pragma once

#include "app/practice_internal.hpp"

namespace app::live {

using List = std::vector<double>;

// ------------------------------------------------------------ drawing a cell

/// One attempt at a question about one cell; nothing when its numbers don't serve.
using Attempt = std::optional<Question> (*)(const Numbers& numbers, const Cell& cell, Dice& dice);

/// All cells of these matrices, each head's.
std::vector<Cell> cells_of(const Numbers& numbers, const std::vector<Tensor>& tensors);
/// The first of the cells, in an order that is drawn, of which `attempt` makes a question.
std::optional<Question> draw(const Numbers& numbers, std::vector<Cell> cells, Dice& dice, Attempt attempt);
/// Of the learner's numbers where a cell serves, else of the shipped ones; says whose they are, and leads to the canvas
/// only where it shows these numbers.
Question ask(const State& state, Dice& dice, const std::vector<Tensor>& tensors, Attempt attempt);
Numbers own_numbers(const State& state);
Numbers shipped_numbers(const State& state);
/// Whose numbers these are, at the end of `given`.
void say_whose(Question& question, const Numbers& numbers, const State& state);

/// A question for the number in `cell`, with all but words, slips and hints. `from_given`: what comes out when one
/// computes with the numbers as they are printed in `given`; the tolerance takes that in.
Question number_question(const Numbers& numbers, const Cell& cell, double from_given);
/// As `number_question`, for another number than the cell's own.
void want_number(Question& question, double right, double from_given);
/// Enough slips to be worth asking, and a number that can be typed.
bool serves(const Question& question, std::size_t slips = 3);
// ------------------------------------------------------------------ numbers

List row_of(const Numbers& numbers, Tensor tensor, int head, int row);
List column_of(const Numbers& numbers, Tensor tensor, int head, int col);
bool are_handy(const List& list);
double as_printed(double value);  // the number that short_number prints
List as_printed(const List& list);
std::string typed(double value);  // as one types an answer: "0.881", "4"
std::string mono(const std::string& number);
std::string listed(const List& list);                   // rich: "<m>1</m>, <m>0</m>"
std::string vector_of(const List& list);                // rich: "(<m>1</m>, <m>0</m>)"
std::string token_name(const Numbers& numbers, int i);  // of a token: escaped, no tags
std::string bold_token(const Numbers& numbers, int i);
std::string head_name(int head);  // "head 2"
/// "<m>3</m> for dogs and <m>1</m> for bark"
std::string by_token(const Numbers& numbers, const List& list);
/// "(<m>0</m>, <m>1</m>) for dogs and (…) for bark": the rows of a matrix
std::string rows_by_token(const Numbers& numbers, Tensor tensor, int head);

// --------------------------------------------------------------------- sums

/// a[0] · b[0] + a[1] · b[1] + …
struct Sum {
  List a, b;
};
double total(const Sum& sum);
/// Goes on with "2 + 3": a negative number behind a sign stands in brackets.
void add_term(std::string& sum, double value);
double total_as_printed(const Sum& sum);
/// "2 · 3 + 1 · 0 = 6": of a long sum only what counts.
std::vector<Part> way_of(const Sum& sum, double result);
/// The first product of `ours` that isn't in `theirs`, its result a blank.
std::vector<Part> first_product(const Sum& ours, const Sum& theirs);

/// What all slips of one question have in common.
struct Slips {
  Question& question;
  Sum ours;   // the right sum
  Tensor at;  // the matrix that comes out differently
  std::string first_name = "First product";
  /// `says` goes on after the number: "comes from row 1 of …"
  void sum(std::string id, std::string heading, const std::string& says, const Sum& theirs);
  void way(std::string id, double answer, std::string heading, const std::string& says, std::vector<Part> way);
  /// The sum without its last product that counts.
  void forgot_product();
};
/// Adds it where the number can be typed.
void add_number_slip(Question& question, Slip slip);
inline constexpr const char* kSkips = "your way skips this step";
inline constexpr const char* kDiffers = "your way does this differently";

// ------------------------------------------------------------------ softmax

std::string power(double exponent);  // rich: "e^{2.121}"
double softmax_at(const List& scores, int own);
/// "e^3/(e^3 + e^1) = 20.09/22.80 = 0.881"; large exponents lose their largest first, which changes nothing.
std::vector<Part> softmax_way(const List& scores, int own, double result);
bool is_open_row(const Numbers& numbers, int query);  // no key of it is masked

// ------------------------------------------------------- the makers, by file

Question make_project(const State& state, Dice& dice);  // practice_live_project.cpp
Question make_score(const State& state, Dice& dice);
Question make_scaled(const State& state, Dice& dice);  // practice_live_softmax.cpp
Question make_weight(const State& state, Dice& dice);
Question make_mask(const State& state, Dice& dice);         // practice_live_mask.cpp
Question make_head_output(const State& state, Dice& dice);  // practice_live_output.cpp
Question make_output(const State& state, Dice& dice);
Question make_concat(const State& state, Dice& dice);  // practice_live_concat.cpp
Question make_no_W_O(const State& state, Dice& dice);
Question make_largest(const State& state, Dice& dice);  // practice_live_click.cpp

}  // namespace app::live
