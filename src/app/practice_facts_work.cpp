// Questions about the feed-forward part beside attention, and about how many maps and weights there are.
#include "app/practice_facts.hpp"

namespace app {
namespace {

double number(Whole value) { return static_cast<double>(value); }

void add_feed_forward_slips(Question& q, Whole d_model, bool biases) {
  const Whole d_ff = 4 * d_model, square = d_model * d_model;
  const Whole total = attention::count_feed_forward_parameters(d_model, d_ff, biases);
  const std::string first = figure(d_model) + " · " + figure(d_ff) + " = ?";
  const auto slip = [&](std::string id, std::string heading, std::string says, Whole answer, std::string way,
                        std::string first_name, std::string line) {
    add_number_slip(q, {std::move(id), std::move(heading), std::move(says), number(answer),
                        std::move(way) + " = " + figure(answer), std::move(first_name), std::move(line)});
  };
  slip("one_matrix", "that is one matrix of two",
       mono(4 * square) + " leads from d_{model} to d_{ff}. A second matrix leads back. All of attention has as many.",
       4 * square, figure(d_model) + " · " + figure(d_ff), "Then the way back",
       figure(d_ff) + " · " + figure(d_model) + " = ?");
  slip("no_expansion", "the middle is four times as wide",
       mono(2 * square) + " takes d_{ff} = d_{model}. Here the middle is four times as wide.", 2 * square,
       "2 · " + squared(d_model), "First the width in the middle", "4 · " + figure(d_model) + " = ?");
  slip("both_wide", "one side only is four times as wide",
       mono(16 * square) + " takes both sides of a matrix four times as wide. One side is d_{model}.", 16 * square,
       figure(d_ff) + " · " + figure(d_ff), "First one matrix", first);
  slip("width", "that is the width in the middle",
       mono(d_ff) + " is d_{ff}. The parameters are the numbers in both matrices.", d_ff, "4 · " + figure(d_model),
       "First one matrix", first);
  const Whole attention = attention::count_parameters({.d_model = d_model, .d_k = d_model, .d_v = d_model}).total;
  slip("with_attention", "that is the whole layer",
       mono(attention + total) + " counts attention, too. The feed-forward part alone is asked.", attention + total,
       figure(attention) + " + " + figure(total), "First one matrix", first);
  const Whole others = attention::count_feed_forward_parameters(d_model, d_ff, !biases);
  slip(biases ? "no_biases" : "biases", biases ? "the biases are missing" : "there are no biases here",
       biases ? mono(others) + " counts the two matrices. Each has one bias a column, too."
              : mono(others) + " also counts one bias a column. This part has none.",
       others,
       biases ? "2 · " + figure(d_model) + " · " + figure(d_ff)
              : "2 · " + figure(d_model) + " · " + figure(d_ff) + " + " + figure(d_ff) + " + " + figure(d_model),
       biases ? "Then the biases" : "The matrices alone",
       biases ? figure(d_ff) + " + " + figure(d_model) + " = ?"
              : "2 · " + figure(d_model) + " · " + figure(d_ff) + " = ?");
  if (biases)
    slip("one_bias", "the second matrix has biases, too",
         "This adds the " + mono(d_ff) + " biases of the middle only. The way back has one a column, " + mono(d_model) +
             ".",
         total - d_model, "2 · " + figure(d_model) + " · " + figure(d_ff) + " + " + figure(d_ff), "Then the biases",
         figure(d_ff) + " + " + figure(d_model) + " = ?");
}

}  // namespace

void ask_feed_forward(Question& q, Whole d_model, bool biases) {
  const Whole d_ff = 4 * d_model;
  const Whole total = attention::count_feed_forward_parameters(d_model, d_ff, biases);
  const Whole attention = attention::count_parameters({.d_model = d_model, .d_k = d_model, .d_v = d_model}).total;
  q.asks = Asks::number;
  q.whole = true;
  q.right = number(total);
  q.label = "parameters";
  q.hints = {"Two matrices: one leads from d_{model} to d_{ff}, one leads back.",
             "Each has d_{model} · d_{ff} numbers, and d_{ff} = 4 d_{model}."};
  if (biases) q.hints.push_back("Then add one bias for each column: d_{ff} of them, and d_{model}.");
  const std::string both = "2 · " + figure(d_model) + " · " + figure(d_ff);
  q.solution = biases ? working(both + " + " + figure(d_ff) + " + " + figure(d_model) + " = [" + figure(total) + "]")
                      : working("8 d_{model}^{2} = " + both + " = [" + figure(total) + "]");
  q.solution_says = std::string(total == 2 * attention ? "That is twice the " : "That is about twice the ") +
                    mono(attention) + " of attention, 4 d_{model}^{2}.";
  q.picture.formula = "d_{model} · <k>4 d_{model}</k> <q>+</q> <k>4 d_{model}</k> · d_{model}";
  q.picture.why =
      "The feed-forward part works on each token alone: it widens the token, passes each number through a curve, and "
      "narrows it again. Most parameters of a layer are here.";
  draw_bars(q, "One layer",
            {{"attention", "four matrices", number(attention), false},
             {"feed-forward", "two matrices, four times as wide", number(total), true}});
  add_feed_forward_slips(q, d_model, biases);
}

Question make_feed_forward(const State&, Dice& dice) {
  Question q;
  const Whole d_model = 32 * dice.from(2, 128);
  const bool biases = dice.below(2) == 0;
  q.title = "How many parameters does the feed-forward part of one layer have?";
  q.given = "d_{model} = " + mono(d_model) + " and d_{ff} = 4 d_{model}. It leads to d_{ff} and back. " +
            (biases ? "Both matrices have biases." : "There are no biases.");
  ask_feed_forward(q, d_model, biases);
  Stack stack = even_stack(d_model, 8);
  stack.sizes.biases = biases;
  show_in_budget(q, stack, {to_text(Action{SetSize{"d_ff", std::to_string(4 * d_model)}})});
  return q;
}

Question make_maps(const State&, Dice& dice) {
  Question q;
  constexpr Whole kHeads[] = {2, 3, 4, 6, 8, 10, 12, 16, 20, 24, 32};
  const Whole h = kHeads[dice.below(static_cast<int>(std::size(kHeads)))], layers = dice.from(2, 48);
  const Whole n = dice.from(5, 99), square = n * n;
  const int variant = dice.below(3);
  const Stack stack{even_stack(64 * h, h, layers)};
  std::vector<std::string> more{to_text(Action{SetSize{"n", std::to_string(n)}})};
  q.asks = Asks::number;
  q.whole = true;
  q.given = "The model has " + counted(layers, "layer") + " with " + counted(h, "head") + " each.";
  const auto slip = [&](std::string id, std::string heading, std::string says, Whole answer, std::string way,
                        std::string first_name, std::string first) {
    add_number_slip(q, {std::move(id), std::move(heading), std::move(says), number(answer), std::move(way),
                        std::move(first_name), std::move(first)});
  };
  const std::string per_map = figure(n) + " · " + figure(n) + " = ?";
  if (variant == 0) {
    q.title = "How many attention maps does a model make of one text?";
    q.given += " Each layer has one attention.";
    q.label = "maps";
    q.right = number(layers * h);
    q.hints = {"Every head of every layer makes one map.", "Multiply layers by heads."};
    q.solution = working(figure(layers) + " · " + figure(h) + " = [" + figure(layers * h) + "]");
    q.solution_says = "Each head of each layer has a map of its own, with one weight for each pair of tokens.";
    q.picture.formula = "maps <q>=</q> layers · <k>h</k>";
    const std::string first = figure(layers) + " · " + figure(h) + " = ?";
    slip("one_layer", "that is one layer", mono(h) + " is h, the maps of one layer.", h, "h = " + figure(h),
         "First all layers", first);
    slip("layers", "that counts each layer once", mono(layers) + " is the number of layers. Each has h maps.", layers,
         "layers = " + figure(layers), "First the heads, too", first);
    slip("added", "added instead of multiplied", "Each layer has all of its heads: multiply.", layers + h,
         figure(layers) + " + " + figure(h) + " = " + figure(layers + h), "First multiply", first);
    slip("three", "a head makes one map, not three", "Queries, keys and values of a head work on one map together.",
         3 * layers * h, "3 · " + figure(layers) + " · " + figure(h) + " = " + figure(3 * layers * h),
         "First count maps", first);
    draw_bars(q, "Attention maps",
              {{"one layer", counted(h, "head"), number(h), false},
               {"the model", counted(layers, "layer"), number(layers * h), true}});
  } else {
    const bool all = variant == 2;
    const Whole maps = all ? layers * h : h, total = maps * square;
    q.title = all ? "How many attention weights do all layers make of n = " + figure(n) + " tokens?"
                  : "How many attention weights does one layer make of n = " + figure(n) + " tokens?";
    q.given += " Every token may look at every token.";
    q.label = "weights";
    q.right = number(total);
    q.hints = {"One map has a row and a column for each token.", "Every head has a map of its own."};
    if (all) q.hints.push_back("So has every layer.");
    const std::string factors = all ? figure(layers) + " · " + figure(h) : figure(h);
    q.solution = working(factors + " · " + squared(n) + " = [" + figure(total) + "]");
    q.solution_says = "Twice as many tokens make four times as many weights: n counts twice.";
    q.picture.formula = std::string(all ? "layers · " : "") + "h · <k>n^{2}</k>";
    slip("linear", "n counts twice", "A map has n rows and n columns, so n · n weights.", maps * n,
         factors + " · " + figure(n) + " = " + figure(maps * n), "First one map", per_map);
    slip("one_head", "that is one map", mono(square) + " are the weights of one head" + (all ? " in one layer." : "."),
         square, squared(n) + " = " + figure(square), "Then all heads", factors + " · " + figure(square) + " = ?");
    if (all)
      slip("one_layer", "that is one layer", mono(h * square) + " are the weights of one layer. All layers are asked.",
           h * square, figure(h) + " · " + squared(n) + " = " + figure(h * square), "Then all layers",
           figure(layers) + " · " + figure(h * square) + " = ?");
    else
      slip("all_layers", "that is all layers",
           mono(layers * h * square) + " are the weights of all " + counted(layers, "layer") + ". One layer is asked.",
           layers * h * square,
           figure(layers) + " · " + figure(h) + " · " + squared(n) + " = " + figure(layers * h * square),
           "First one layer", figure(h) + " · " + figure(square) + " = ?");
    if (all)
      slip("layers_only", "every layer has h maps", mono(layers * square) + " takes one map for each layer.",
           layers * square, figure(layers) + " · " + squared(n) + " = " + figure(layers * square), "First the maps",
           figure(layers) + " · " + figure(h) + " = ?");
    slip("half", "every token looks at every token",
         "This keeps the half below the diagonal, as with a causal mask. Here nothing is masked.",
         maps * n * (n + 1) / 2,
         factors + " · (" + figure(n) + "~·~" + figure(n + 1) + ")|2 = " + figure(maps * n * (n + 1) / 2),
         "First one map", per_map);
    more.push_back(to_text(Action{ShowBudgetPanel{BudgetPanel::compute}}));
    draw_bars(q, "Attention weights of " + counted(n, "token"),
              {{"one head", "n rows, n columns", number(square), false},
               {"one layer", counted(h, "head"), number(h * square), !all},
               {"the model", counted(layers, "layer"), number(layers * h * square), all}});
  }
  q.picture.why =
      "One wide head would make one map a layer. More heads cost no parameters, but each makes its own map, "
      "and maps grow with the square of the text.";
  show_in_budget(q, stack, std::move(more));
  return q;
}

}  // namespace app
