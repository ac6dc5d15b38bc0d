// Questions about the width of a head: d_k = d_model / h, and which numbers of heads divide it.
#include "app/practice_facts.hpp"

#include <algorithm>
#include <cmath>

namespace app {
namespace {

/// A width that people use, and the numbers of heads it is usually split into.
constexpr Whole kWidths[] = {96,  128,  192,  256,  320,  384,  512,  576,  640,  768,  896,
                             960, 1024, 1152, 1280, 1536, 1600, 2048, 2560, 3072, 4096, 5120};

std::vector<Whole> heads_for(Whole d_model) {
  std::vector<Whole> list;
  for (Whole h = 2; h <= 64; ++h)
    if (d_model % h == 0 && d_model / h >= 8) list.push_back(h);
  return list;
}

std::string quotient(Whole d_model, Whole h) {
  return short_number(static_cast<double>(d_model) / static_cast<double>(h), 2);
}

void write_frame(Question& q, Whole d_model, Whole h) {
  q.picture.formula = "d_{k} <q>=</q> <k>d_{model} / h</k>";
  q.picture.why =
      "Every head gets an equal share of the width. So all heads together cost as much as one head of full width.";
  draw_bars(
      q, "The width of one head beside the width of a token",
      {{"a token", counted(d_model, "number"), static_cast<double>(d_model), false},
       {"one head", counted(h, "head") + " share it", static_cast<double>(d_model) / static_cast<double>(h), true}});
}

}  // namespace

void ask_split(Question& q, Whole d_model, Whole h) {
  const Whole d_k = d_model / h;
  q.asks = Asks::number;
  q.whole = true;
  q.right = static_cast<double>(d_k);
  q.label = "d_{k}";
  q.hints = {"All heads together are as wide as one token.", "Divide the width of a token by the number of heads."};
  q.solution = working("d_{k} = d_{model}|h = " + figure(d_model) + "|" + figure(h) + " = [" + figure(d_k) + "]");
  q.solution_says = "Each of the " + counted(h, "head") + " works with " + counted(d_k, "number") + " a token.";
  write_frame(q, d_model, h);

  const std::string divide = figure(d_model) + " / " + figure(h) + " = ?";
  const auto slip = [&](std::string id, Whole answer, std::string heading, std::string says, std::string way) {
    add_number_slip(q, {std::move(id), std::move(heading), std::move(says), static_cast<double>(answer), std::move(way),
                        "First divide", divide});
  };
  slip("heads", h, "that is the number of heads", mono(h) + " is h. d_{k} says how wide one of the heads is.",
       "h = " + figure(h));
  slip("full_width", d_model, "that is the width of a whole token",
       mono(d_model) + " is d_{model}. The heads share it, and each gets one part.", "d_{model} = " + figure(d_model));
  slip("multiplied", d_model * h, "the heads share the width",
       mono(d_model * h) + " is d_{model} times h. More heads make each head narrower, not wider.",
       figure(d_model) + " · " + figure(h) + " = " + figure(d_model * h));
  if (d_k % 3 == 0)
    slip("thirds", d_k / 3, "one division too many",
         mono(d_k / 3) + " also splits the width between queries, keys and values. Each of the three has all of d_{k}.",
         figure(d_model) + " / " + figure(h) + " / 3 = " + figure(d_k / 3));
  const auto root = static_cast<Whole>(std::llround(std::sqrt(static_cast<double>(d_k))));
  if (root * root == d_k)
    slip("root", root, "that is the square root of it",
         mono(root) + " is √d_{k}, which scores are divided by. Here the width itself is asked.",
         "√" + figure(d_k) + " = " + figure(root));
}

void ask_divisor(Question& q, Whole d_model, std::vector<Whole> h, bool divides) {
  const Whole wanted = h.front();
  q.asks = Asks::choice;
  q.right = 0;
  q.given = "d_{k} = d_{model} / h has to be a whole number.";
  for (const Whole heads : h) {
    const bool whole = d_model % heads == 0;
    std::string why = figure(d_model) + " / " + figure(heads) + " = " + mono(quotient(d_model, heads));
    why += whole ? ": every head gets " + counted(d_model / heads, "column") + "."
                 : ", which is no whole number: the columns can’t be shared out evenly.";
    q.choices.push_back({"h = " + mono(heads), std::move(why)});
  }
  q.hints = {"Divide " + figure(d_model) + " by each of them.",
             divides ? "One division leaves no remainder." : "One division leaves a remainder."};
  q.solution =
      working("d_{model}|h = " + figure(d_model) + "|" + figure(wanted) + " = [" + quotient(d_model, wanted) + "]");
  q.solution_says = divides ? figure(wanted) + " divides " + figure(d_model) + ", the others don’t."
                            : figure(wanted) + " doesn’t divide " + figure(d_model) + ", the others do.";
  q.picture.formula = "d_{k} <q>=</q> <k>d_{model} / h</k>";
  q.picture.why =
      "Every head gets the same number of columns. So h has to divide d_{model}: libraries refuse what doesn’t.";
}

Question make_split(const State&, Dice& dice) {
  Question q;
  const Whole d_model = kWidths[dice.below(static_cast<int>(std::size(kWidths)))];
  const std::vector<Whole> fits = heads_for(d_model);
  const int variant = dice.below(3);
  if (variant == 0) {
    const Whole h = dice.one_of(fits);
    q.title = "A layer has d_{model} = " + figure(d_model) + " and h = " + figure(h) + ". What is d_{k}?";
    q.given = "The heads split the width of a token evenly.";
    ask_split(q, d_model, h);
    show_in_budget(q, even_stack(d_model, h));
    return q;
  }
  const bool divides = variant == 1;
  std::vector<Whole> odd;
  for (const Whole h : {6, 10, 12, 14, 18, 20, 22, 24, 28, 30, 36, 40, 48})  // that look as if they might
    if (d_model % h != 0) odd.push_back(h);
  std::vector<Whole> few = fits;
  dice.shuffle(few);
  dice.shuffle(odd);
  std::vector<Whole> h{divides ? few.front() : odd.front()};
  for (int i = 0; i < 3; ++i) h.push_back(divides ? at(odd, i) : at(few, i));
  q.title = "Which number of heads " + std::string(divides ? "splits" : "can’t split") +
            " d_{model} = " + figure(d_model) + " evenly?";
  ask_divisor(q, d_model, h, divides);
  const std::string right = at(q.choices, 0).text;
  dice.shuffle(q.choices);
  q.right = static_cast<int>(
      std::find_if(q.choices.begin(), q.choices.end(), [&](const Choice& choice) { return choice.text == right; }) -
      q.choices.begin());
  show_in_budget(q, even_stack(d_model, divides ? h.front() : at(h, 1)));
  return q;
}

}  // namespace app
