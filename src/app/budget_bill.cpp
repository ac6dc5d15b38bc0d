// The big bill: four matrices, the formula above its numbers, one head against many, and a layer beside its
// feed-forward part.
#include "app/budget_internal.hpp"

#include <algorithm>
#include <cmath>

namespace app {
namespace {

using budget::Sizes;
using budget::Whole;

constexpr std::string_view kW_Q = "<b>W</b>^{Q}", kW_K = "<b>W</b>^{K}", kW_V = "<b>W</b>^{V}", kW_O = "<b>W</b>^{O}";

void write_bars(BudgetView& view, const Sizes& sizes) {
  const attention::ParameterCount& it = view.parameters.attention;
  const auto add = [&](Amount amount, std::string_view symbol, Whole parameters, Whole slices) {
    view.bars.push_back({amount, std::string(symbol), parameters, static_cast<int>(slices)});
  };
  add(Amount::W_Q, kW_Q, it.W_Q, sizes.h);
  add(Amount::W_K, kW_K, it.W_K, sizes.h_kv);
  add(Amount::W_V, kW_V, it.W_V, sizes.h_kv);
  add(Amount::W_O, kW_O, it.W_O, sizes.h);
  if (sizes.biases) add(Amount::biases, "biases", it.biases, 1);
}

void write_formula(BudgetView& view, const Sizes& sizes) {
  const auto times = [](Whole a, Whole b) { return figure(a) + " · " + figure(b); };
  const auto term = [&](std::string symbol, std::string number, std::string_view label = "") {
    view.formula.push_back({std::move(symbol), std::move(number), std::string(label)});
  };
  const auto sign = [&](const std::string& text) { term(text, text); };
  const auto query = [&] { term("d_{model} d_{k}", times(sizes.d_model, sizes.d_k), kW_Q); };
  const auto key = [&] { term("d_{model} d_{k}", times(sizes.d_model, sizes.d_k), kW_K); };
  const auto value = [&] { term("d_{model} d_{v}", times(sizes.d_model, sizes.d_v), kW_V); };

  term("h", figure(sizes.h));
  sign("·");
  if (sizes.h_kv == sizes.h) {
    sign("("), query(), sign("+"), key(), sign("+"), value(), sign(")");
  } else {
    query(), sign("+"), term("h_{kv}", figure(sizes.h_kv)), sign("·");
    sign("("), key(), sign("+"), value(), sign(")");
  }
  sign("+");
  term("h d_{v}", times(sizes.h, sizes.d_v), kW_O);
  sign("·");
  term("d_{model}", figure(sizes.d_model));
  if (sizes.biases) sign("+"), term("biases", figure(view.parameters.attention.biases));
  sign("=");
  term("parameters", figure(view.parameters.attention.total));
}

// -------------------------------------------------------------- comparison

std::string percent_more(Whole part, Whole whole) {
  return format_percent(static_cast<double>(part - whole) / static_cast<double>(whole));
}

/// "exactly as many parameters as", "33.3 % more parameters than"
std::string against(Whole many, Whole one) {
  if (many == one) return "exactly as many parameters as";
  if (3 * many == 4 * one) return "one third more parameters (33.3 %) than";
  return many > one
             ? percent_more(many, one) + " more parameters than"
             : format_percent(static_cast<double>(one - many) / static_cast<double>(one)) + " fewer parameters than";
}

std::string heads_name(Whole h) { return figure(h) + (h == 1 ? " head" : " heads"); }

void write_rows(BudgetView& view, const Sizes& sizes) {
  const budget::Comparison it = budget::compare(sizes);
  const double square = static_cast<double>(sizes.n) * static_cast<double>(sizes.n);
  const auto name = [](Whole h, Whole d_k) {
    return "<b>" + heads_name(h) + "</b>  <q>d_{k} = " + figure(d_k) + "</q>";
  };
  view.rows = {{name(1, sizes.d_model), "without W^O", it.one_head_without_W_O, 1, 1, square},
               {name(1, sizes.d_model), "with W^O", it.one_head_with_W_O, 1, 1, square},
               {name(sizes.h, sizes.d_k), "with W^O", it.heads_with_W_O, static_cast<int>(sizes.h), sizes.h,
                square * static_cast<double>(sizes.h)}};
  const bool even = it.heads_with_W_O == it.one_head_with_W_O;
  const bool third = 3 * it.heads_with_W_O == 4 * it.one_head_without_W_O;
  const std::string has = sizes.h == 1 ? " has " : " have ";
  view.rows_note = "With W^O on both sides, " + heads_name(sizes.h) + has +
                   against(it.heads_with_W_O, it.one_head_with_W_O) + " one head of full width" +
                   (even ? ": no more" : "") + ". Against one head without W^O, " +
                   (sizes.h == 1 ? "it has " : "they have ") + against(it.heads_with_W_O, it.one_head_without_W_O) +
                   " it" + (third ? ", and that third is W^O" : "") + ". ";
  view.rows_note += even && third ? "Both are right: “no more parameters” and “one third more” compare with different "
                                    "layers."
                                  : "The two compare with different layers.";
}

// ------------------------------------------------------------------- layer

/// "4 d_{model} = 2048", "3.5 d_{model} = 14 336"; without a simple factor the number alone.
std::string width_text(const Sizes& sizes) {
  const Whole tenths = 10 * sizes.d_ff / sizes.d_model;
  if (tenths < 1 || tenths * sizes.d_model != 10 * sizes.d_ff) return figure(sizes.d_ff);
  const std::string factor =
      tenths % 10 == 0 ? figure(tenths / 10) : figure(tenths / 10) + "." + std::to_string(tenths % 10);
  return (factor == "1" ? "" : factor + " ") + "d_{model} = " + figure(sizes.d_ff);
}

void write_layer(BudgetView& view, const Sizes& sizes) {
  const budget::Parameters& it = view.parameters;
  view.attention_share =
      static_cast<double>(it.attention.total) / static_cast<double>(it.attention.total + it.feed_forward);
  view.layer_note = "feed-forward width d_{ff} = " + width_text(sizes);
  if (sizes.gated) view.layer_note += ", gated";
  const Whole matrices = sizes.gated ? 3 : 2;
  view.feed_forward_formula = figure(matrices) + " · " + figure(sizes.d_model) + " · " + figure(sizes.d_ff);
  if (sizes.biases)
    view.feed_forward_formula += " + " + figure(it.feed_forward - matrices * sizes.d_model * sizes.d_ff);
  view.feed_forward_formula += " = " + figure(it.feed_forward);
  const bool cross = sizes.cross_layers > 0;
  view.model_line =
      (it.feed_forwards == 1 ? "Attention in the one layer: "
                             : "Attention in all " + figure(it.feed_forwards) + " layers: ") +
      (cross ? "(" + figure(sizes.layers) + " + 2 · " + figure(sizes.cross_layers) + ")" : figure(sizes.layers)) +
      " · " + figure(it.attention.total) + " = <b>" + figure(it.all_attention) + "</b>. With feed-forward: <b>" +
      figure(it.model) + "</b>, so attention is " +
      format_percent(static_cast<double>(it.all_attention) / static_cast<double>(it.model)) + ".";
  view.left_out =
      sizes.biases ? "Layer norms and embeddings are left out." : "Layer norms, embeddings and biases are left out.";
}

}  // namespace

void write_bill(BudgetView& view, const Budget& budget) {
  view.parameters = budget::count(budget.sizes);
  write_bars(view, budget.sizes);
  write_formula(view, budget.sizes);
  write_rows(view, budget.sizes);
  write_layer(view, budget.sizes);
}

}  // namespace app
