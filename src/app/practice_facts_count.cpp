// Questions about the parameters of one attention: of known models and of sizes made up, with biases and shared keys.
#include "app/practice_facts.hpp"

namespace app {
namespace {

using attention::Dimensions;
using attention::ParameterCount;

double number(Whole value) { return static_cast<double>(value); }

std::string product(std::initializer_list<Whole> factors) {
  std::string text;
  for (const Whole factor : factors) text += (text.empty() ? "" : " · ") + figure(factor);
  return text;
}

bool is_even(const Dimensions& d) { return d.d_model == d.h * d.d_k && d.d_k == d.d_v && d.h == d.h_kv; }

std::string bias_sum(const Dimensions& d) {
  return product({d.h, d.d_k}) + " + " + product({d.h_kv, d.d_k}) + " + " + product({d.h_kv, d.d_v}) + " + " +
         figure(d.d_model);
}

/// "589,824 + 589,824 + … = [total]"
std::string sum_of(const ParameterCount& count, bool with_W_O = true) {
  std::string text = figure(count.W_Q) + " + " + figure(count.W_K) + " + " + figure(count.W_V);
  if (with_W_O) text += " + " + figure(count.W_O);
  if (count.biases > 0) text += " + " + figure(count.biases);
  return text;
}

void add_slips(Question& q, const Stack& stack) {
  const Dimensions& d = stack.sizes;
  const ParameterCount count = attention::count_parameters(d);
  const Whole wide = d.h * d.d_model * d.d_model + 2 * d.h_kv * d.d_model * d.d_model;  // full matrices for each head
  const Whole one_head = d.d_model * (2 * d.d_k + d.d_v);
  const std::string h = figure(d.h);

  const Whole no_W_O = count.total - count.W_O;
  add_number_slip(q, {"no_W_O", "the output projection is missing",
                      mono(no_W_O) + " counts W^{Q}, W^{K} and W^{V}. W^{O}, which mixes the heads, is a matrix, too.",
                      number(no_W_O), sum_of(count, false) + " = " + figure(no_W_O), "First count W^O",
                      product({d.h, d.d_v, d.d_model}) + " = ?"});
  add_number_slip(
      q, {"h_times", "h times too many",
          "This gives each head matrices of the full width. One head has d_{model} × d_{k} numbers in "
          "W^{Q}, and all heads together " +
              mono(count.W_Q) + ".",
          number(wide + count.W_O + count.biases),
          product({d.h + 2 * d.h_kv}) + " · " + squared(d.d_model) + " + " + figure(count.W_O) +
              (count.biases > 0 ? " + " + figure(count.biases) : "") + " = " + figure(wide + count.W_O + count.biases),
          "First one head", product({d.d_model, d.d_k}) + " = ?"});
  if (stack.layers > 1)
    add_number_slip(q, {"all_layers", "that is all layers",
                        mono(count.total * stack.layers) + " counts all " + counted(stack.layers, "layer") +
                            ". One layer is asked.",
                        number(count.total * stack.layers),
                        figure(stack.layers) + " · " + figure(count.total) + " = " + figure(count.total * stack.layers),
                        "First one layer", sum_of(count) + " = ?"});
  add_number_slip(q,
                  {"one_head", "that is one head",
                   mono(one_head) + " counts W^{Q}, W^{K} and W^{V} of a single head. There are " + h + ", and W^{O}.",
                   number(one_head),
                   figure(d.d_model) + " · (" + figure(d.d_k) + "~+~" + figure(d.d_k) + "~+~" + figure(d.d_v) +
                       ") = " + figure(one_head),
                   "First all heads of W^Q", product({d.h, d.d_model, d.d_k}) + " = ?"});
  add_number_slip(q, {"one_matrix", "that is one matrix of four",
                      mono(count.W_Q) + " counts W^{Q} alone. W^{K}, W^{V} and W^{O} come on top.", number(count.W_Q),
                      product({d.h, d.d_model, d.d_k}) + " = " + figure(count.W_Q), "First count W^K, too",
                      product({d.h_kv, d.d_model, d.d_k}) + " = ?"});
  const Whole sliced = d.h * d.d_k * d.d_k + d.h_kv * (d.d_k * d.d_k + d.d_k * d.d_v);
  add_number_slip(
      q, {"sliced_X", "every head reads all of X",
          "This gives a head its own slice of X, d_{k} columns wide. But its matrices have d_{model} rows.",
          number(sliced + count.W_O + count.biases),
          figure(sliced) + " + " + figure(count.W_O) + (count.biases > 0 ? " + " + figure(count.biases) : "") + " = " +
              figure(sliced + count.W_O + count.biases),
          "First one head", product({d.d_model, d.d_k}) + " = ?"});
  Dimensions other = d;
  other.biases = !d.biases;
  const ParameterCount others = attention::count_parameters(other);
  add_number_slip(
      q,
      {d.biases ? "no_biases" : "biases", d.biases ? "the biases are missing" : "there are no biases here",
       d.biases ? mono(others.total) + " counts the matrices. Here each has one bias a column, too."
                : mono(others.total) + " also counts one bias a column. This layer has none.",
       number(others.total), sum_of(others) + " = " + figure(others.total),
       d.biases ? "First the biases" : "First the matrices alone", (d.biases ? bias_sum(d) : sum_of(count)) + " = ?"});
  if (d.h_kv == d.h) return;
  Dimensions own = d;
  own.h_kv = d.h;
  const ParameterCount unshared = attention::count_parameters(own);
  add_number_slip(q, {"not_shared", "keys and values are shared here",
                      mono(unshared.total) + " gives each of the " + h +
                          " heads its own W^{K} and W^{V}. Here there are " + figure(d.h_kv) + " of each.",
                      number(unshared.total), sum_of(unshared) + " = " + figure(unshared.total), "First count W^K",
                      product({d.h_kv, d.d_model, d.d_k}) + " = ?"});
  const Whole grouped_queries = count.total - count.W_Q + count.W_K;
  add_number_slip(
      q, {"queries_shared", "queries aren’t shared",
          "This shares W^{Q}, too. Each of the " + h + " heads asks its own question.", number(grouped_queries),
          figure(count.W_K) + " + " + figure(count.W_K) + " + " + figure(count.W_V) + " + " + figure(count.W_O) +
              (count.biases > 0 ? " + " + figure(count.biases) : "") + " = " + figure(grouped_queries),
          "First count W^Q", product({d.h, d.d_model, d.d_k}) + " = ?"});
}

}  // namespace

void ask_count(Question& q, const Stack& stack) {
  const Dimensions& d = stack.sizes;
  const ParameterCount count = attention::count_parameters(d);
  q.asks = Asks::number;
  q.whole = true;
  q.right = number(count.total);
  q.label = "parameters";
  q.hints = {"W^{Q} of one head has d_{model} rows and d_{k} columns. Count all heads.",
             "Count four matrices: W^{Q}, W^{K}, W^{V} and W^{O}."};
  q.hints.push_back(d.biases        ? "Then add one bias for each column of each matrix."
                    : d.h_kv != d.h ? "W^{K} and W^{V} are there once for each key/value head only."
                                    : "All four are equally large here.");
  const std::string total = "[" + figure(count.total) + "]";
  if (is_even(d) && !d.biases)
    q.solution = working("4 d_{model}^{2} = 4 · " + squared(d.d_model) + " = " + total);
  else
    q.solution = working(sum_of(count) + " = " + total);
  q.solution_says = "One head has " + mono(d.d_model * (2 * d.d_k + d.d_v)) +
                    " in W^{Q}, W^{K} and W^{V}. All heads have " + mono(count.W_Q + count.W_K + count.W_V) +
                    ", and W^{O} " + mono(count.W_O) + ".";
  if (count.biases > 0) q.solution_says += " The biases add " + mono(count.biases) + ".";

  q.picture.formula =
      d.h_kv == d.h ? "h d_{model} (2 d_{k} + d_{v}) <q>+</q> <k>h d_{v} d_{model}</k>"
                    : "h d_{model} d_{k} <q>+</q> <k>h_{kv} d_{model} (d_{k} + d_{v})</k> <q>+</q> h d_{v} d_{model}";
  q.picture.why = d.h_kv == d.h
                      ? "Each head reads all of a token, d_{model} numbers, and makes d_{k} of them. W^{O} mixes "
                        "what all heads found."
                      : "Query heads of one group share a key and a value head. That saves parameters, and "
                        "even more of the cache of keys and values.";
  const std::string heads = counted(d.h, "head"), shared = d.h_kv == d.h ? heads : counted(d.h_kv, "key/value head");
  std::vector<NamedLength> bars{{"W^Q", heads, number(count.W_Q), false},
                                {"W^K", shared, number(count.W_K), d.h_kv != d.h},
                                {"W^V", shared, number(count.W_V), d.h_kv != d.h},
                                {"W^O", "all heads together", number(count.W_O), d.h_kv == d.h}};
  if (d.biases) bars.push_back({"biases", "one a column", number(count.biases), true});
  draw_bars(q, "One layer’s attention", std::move(bars));
  add_slips(q, stack);
}

Question make_count(const State&, Dice& dice) {
  Question q;
  constexpr Whole kWidthsOfHead[] = {16, 32, 48, 64, 80, 96, 128};
  constexpr Whole kHeads[] = {4, 6, 8, 10, 12, 16, 20, 24, 32};
  Stack stack;
  std::string name = "A layer";
  const int variant = dice.below(4);
  if (variant == 0) {  // a model that has a name
    constexpr std::string_view kKnown[] = {
        "transformer_base", "transformer_big", "bert_base", "bert_large", "gpt2_small", "gpt2_medium",
        "gpt2_large",       "gpt2_xl",         "gpt3",      "falcon_7b",  "llama2_70b", "llama3_8b"};
    const std::string_view id = kKnown[dice.below(static_cast<int>(std::size(kKnown)))];
    stack = preset_stack(id);
    name = "A layer of the size of " + std::string(budget::find_preset(id)->name);
  } else {
    const Whole h = kHeads[dice.below(static_cast<int>(std::size(kHeads)))];
    const Whole d_k = kWidthsOfHead[dice.below(static_cast<int>(std::size(kWidthsOfHead)))];
    stack = even_stack(h * d_k, h, dice.from(2, 40));
    if (variant == 2 && h % 2 == 0) stack.sizes.h_kv = dice.below(2) == 0 ? h / 2 : h % 4 == 0 ? h / 4 : 1;
    if (variant == 3 && dice.below(2) == 0) stack.sizes.d_v = d_k / 2;
  }
  Dimensions& d = stack.sizes;
  d.biases = d.h_kv == d.h && dice.below(2) == 0;
  q.title = "How many parameters does the attention of one layer have?";
  q.given = name + ": " + sizes_text(stack);
  if (d.h_kv == 1 && d.h > 1)
    q.given += " All heads share one key and value head.";
  else if (d.h_kv != d.h)
    q.given +=
        " There are " + mono(d.h_kv) + " key/value heads, each shared by " + counted(d.h / d.h_kv, "query head") + ".";
  q.given += d.biases ? " Every matrix has biases." : " There are no biases.";
  q.given += " The model has " + counted(stack.layers, "layer") + ".";
  ask_count(q, stack);
  show_in_budget(q, stack);
  return q;
}

}  // namespace app
