// What questions about sizes and counts share: a stack of layers in words, counts as text, working line by line.
#pragma once

#include "app/budget_internal.hpp"
#include "app/practice_internal.hpp"
#include "attention/analysis.hpp"

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace app {

using budget::Whole;

/// Layers that are asked about.
struct Stack {
  attention::Dimensions sizes;
  Whole layers = 1;  // with one attention each
};
/// d_k = d_v = d_model / h, which has to be whole (asserted); h_kv = h, no biases.
Stack even_stack(Whole d_model, Whole h, Whole layers = 1);
/// Of the budget's preset, without biases (an unknown one: asserted).
Stack preset_stack(std::string_view id);

// With `figure` (budget_numbers.cpp): "12 288", the gap a thin space.
std::string mono(Whole value);  // "<m>12 288</m>"
std::string mono(const std::string& text);
std::string squared(Whole value);                     // "12 288^{2}"
std::string counted(Whole n, std::string_view what);  // "1 head", "8 heads"
/// "h = 12" and the like, as the questions say sizes: "d_{model} = 768, h = 12 heads, …".
std::string sizes_text(const Stack& stack);

/// "4 · 8 + 2 = [34]" as pieces: numbers in Mono, signs in ink2, "[…]" a chip, "?" a blank, "a|b" a fraction. Pieces
/// are parted by spaces; "~" is a space within one.
std::vector<Part> working(std::string_view text);

/// A slip whose answer is a number. `first_name`: plain, before the first step that differs.
struct NumberSlip {
  std::string id, heading, says;
  double answer = 0;
  std::string way, first_name, first;  // way and first as `working` reads them
};
/// Adds it unless one couldn't tell it from the right answer or from an earlier slip, also once it is rounded to
/// `decimals`.
void add_number_slip(Question& question, NumberSlip slip, int decimals = 3);

/// Actions that open the budget with these sizes, in an order in which none is refused on the way.
void show_in_budget(Question& question, const Stack& stack, std::vector<std::string> more = {});
void show_preset(Question& question, std::string_view preset, std::vector<std::string> more = {});
/// Bars: a name and what stands beside it, the longest 1.
struct NamedLength {
  std::string name, text;
  double length = 0;
  bool lit = false;
};
void draw_bars(Question& question, std::string title, std::vector<NamedLength> bars);

// ------------------------------------------------------- questions by sizes

/// d_k = d_model / h (practice_facts_split.cpp).
void ask_split(Question& question, Whole d_model, Whole h);
/// Which of these h can, or can’t, split d_model: the first one is the right choice until they are shuffled.
void ask_divisor(Question& question, Whole d_model, std::vector<Whole> h, bool divides);
/// Parameters of one layer's attention (practice_facts_count.cpp).
void ask_count(Question& question, const Stack& stack);
/// Parameters of the feed-forward part, d_ff = 4 d_model (practice_facts_work.cpp).
void ask_feed_forward(Question& question, Whole d_model, bool biases);

// makers of the generated types
Question make_split(const State& state, Dice& dice);
Question make_count(const State& state, Dice& dice);
Question make_feed_forward(const State& state, Dice& dice);
Question make_maps(const State& state, Dice& dice);
Question make_shape(const State& state, Dice& dice);
Question make_role(const State& state, Dice& dice);
Question make_prune(const State& state, Dice& dice);

}  // namespace app
