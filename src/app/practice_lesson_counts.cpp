// The lesson's questions whose answers are sizes and counts: Q1, Q2, Q4, Q5, Q8 and Q10.
#include "app/gallery_internal.hpp"
#include "app/practice_lesson.hpp"

#include <algorithm>
#include <cmath>

namespace app {
namespace {

using attention::ParameterCount;

double number(Whole value) { return static_cast<double>(value); }

/// Published: Brown et al. 2020, table 2.1.
constexpr double kGpt3Parameters = 175e9;

std::string panel(BudgetPanel which) { return to_text(Action{ShowBudgetPanel{which}}); }
std::string size(std::string field, Whole value) {
  return to_text(Action{SetSize{std::move(field), std::to_string(value)}});
}

}  // namespace

Question ask_q1(const State&, Dice&) {
  Question q;
  const Stack gpt3 = preset_stack("gpt3"), first = preset_stack("transformer_base");
  const Whole d_model = gpt3.sizes.d_model, h = gpt3.sizes.h;
  q.title = "GPT-3 has d_{model} = " + figure(d_model) + " and h = " + figure(h) + " heads. What is d_{k}?";
  q.given = "The heads split the width of a token evenly.";
  ask_split(q, d_model, h);
  q.solution_says = "Each head works in " + figure(gpt3.sizes.d_k) + " dimensions. The first Transformer’s heads had " +
                    figure(first.sizes.d_k) + ".";
  add_number_slip(
      q, {"other_model", "that is another model’s width",
          mono(first.sizes.d_k) + " is d_{k} of the first Transformer, with " + figure(first.sizes.h) + " heads.",
          number(first.sizes.d_k),
          figure(first.sizes.d_model) + " / " + figure(first.sizes.h) + " = " + figure(first.sizes.d_k), "First divide",
          figure(d_model) + " / " + figure(h) + " = ?"});
  show_preset(q, "gpt3");
  return q;
}

Question ask_q1b(const State&, Dice&) {
  Question q;
  const Stack gpt3 = preset_stack("gpt3");
  q.title = "How many parameters does the attention of one layer of GPT-3 have?";
  q.given = sizes_text(gpt3) + " Count W^{Q}, W^{K} and W^{V} of all heads, and W^{O}. Leave biases out.";
  ask_count(q, gpt3);
  const Whole total = attention::count_parameters(gpt3.sizes).total, all = total * gpt3.layers;
  q.solution_says = "In " + counted(gpt3.layers, "layer") + " that is " + mono(all) + ", " +
                    format_whole_percent(number(all) / kGpt3Parameters) + " of the model’s " +
                    in_short(kGpt3Parameters) + ". The lesson doesn’t say that its number is for one layer.";
  add_number_slip(q, {"whole_model", "that is the whole model",
                      mono(static_cast<Whole>(kGpt3Parameters)) + " is all of GPT-3, with what isn’t attention.",
                      kGpt3Parameters, "GPT-3 = " + figure(static_cast<Whole>(kGpt3Parameters)), "First one matrix",
                      figure(gpt3.sizes.d_model) + " · " + figure(gpt3.sizes.d_model) + " = ?"});
  show_preset(q, "gpt3", {panel(BudgetPanel::parameters)});
  return q;
}

Question ask_q2(const State&, Dice&) {
  Question q;
  const Stack base = preset_stack("transformer_base");
  const Whole d_model = base.sizes.d_model, h = 16;
  const Stack split = even_stack(d_model, h);
  q.title = "d_{model} = " + figure(d_model) + " and h = " + figure(h) + ". What is d_{k}, and is it reasonable?";
  q.given = "Answer with the number. What is reasonable stands in the solution.";
  ask_split(q, d_model, h);
  q.solution_says = figure(split.sizes.d_k) +
                    " is whole, so it works, and it is narrow: the scores of a head have rank " +
                    figure(split.sizes.d_k) + " at most, however long the text (Bhojanapalli et al. 2020). " +
                    figure(base.sizes.h) + " heads of " + figure(base.sizes.d_k) + " are more usual.";
  const auto slip = [&](std::string id, std::string heading, std::string says, Whole answer, std::string way) {
    add_number_slip(q, {std::move(id), std::move(heading), std::move(says), number(answer), std::move(way),
                        "First divide", figure(d_model) + " / " + figure(h) + " = ?"});
  };
  slip("usual_heads", "that is for the usual number of heads",
       mono(base.sizes.d_k) + " is d_{k} for " + figure(base.sizes.h) + " heads. Twice as many are half as wide.",
       base.sizes.d_k, figure(d_model) + " / " + figure(base.sizes.h) + " = " + figure(base.sizes.d_k));
  show_preset(q, "transformer_base", {size("h", h)});
  return q;
}

Question ask_q2b(const State&, Dice&) {
  Question q;
  const Whole d_model = preset_stack("transformer_base").sizes.d_model, odd = 12;
  q.title = "Which number of heads can’t split d_{model} = " + figure(d_model) + " evenly?";
  ask_divisor(q, d_model, {odd, 8, 16, 32}, false);
  const Whole rounded = (2 * d_model + odd) / (2 * odd);  // to the nearest
  q.choices.front().why += " The lesson rounds it to " + figure(rounded) + ", but " + figure(odd) + " · " +
                           figure(rounded) + " = " + figure(odd * rounded) + " columns aren’t " + figure(d_model) +
                           ". No standard implementation takes it.";
  std::rotate(q.choices.begin(), q.choices.begin() + 1, q.choices.begin() + 3);  // by size: 8, 16, 12, 32 …
  std::swap(q.choices[1], q.choices[2]);                                         // 8, 12, 16, 32
  q.right = 1;
  const auto problems = attention::validate_split(static_cast<int>(d_model), static_cast<int>(odd));
  q.solution_says = "The engine refuses it, too, and says “" + escape_rich(problems.front().found) + "”.";
  q.hints.emplace_back(figure(d_model) + " is a power of two, so only powers of two divide it.");
  show_preset(q, "transformer_base");
  return q;
}

Question ask_q4(const State&, Dice&) {
  Question q;
  const Stack big = preset_stack("transformer_big");
  q.title = "How many attention parameters are there for d_{model} = " + figure(big.sizes.d_model) +
            " and h = " + figure(big.sizes.h) + "?";
  q.given = "One layer, d_{k} = d_{v} = d_{model} / h, with W^{O}, without biases.";
  ask_count(q, {big.sizes, 1});
  const ParameterCount count = attention::count_parameters(big.sizes);
  const Whole qkv = count.W_Q + count.W_K + count.W_V;
  q.solution_says = "Each head has 3 · " + figure(big.sizes.d_model) + " · " + figure(big.sizes.d_k) + " = " +
                    mono(qkv / big.sizes.h) + ", all " + figure(big.sizes.h) + " together " + mono(qkv) +
                    ", and W^{O} " + mono(count.W_O) + ".";
  show_preset(q, "transformer_big", {panel(BudgetPanel::parameters)});
  return q;
}

Question ask_q5(const State&, Dice&) {
  Question q;
  const Whole d_model = preset_stack("transformer_base").sizes.d_model;
  q.title = "The feed-forward part is 4 times as wide as a token. How many parameters does it have for d_{model} = " +
            figure(d_model) + "?";
  q.given = "d_{ff} = 4 d_{model}. One matrix leads to d_{ff}, one leads back. Leave biases out.";
  ask_feed_forward(q, d_model, false);
  std::string widths;
  for (const std::string_view id : {"transformer_base", "bert_base", "transformer_big", "gpt3"}) {
    const budget::Sizes& sizes = budget::find_preset(id)->sizes;
    widths += (widths.empty() ? "" : ", ") + figure(sizes.d_model) + " → " + figure(sizes.d_ff);
  }
  q.solution_says +=
      " Why 4? It is a choice of the first Transformer that has proved itself, not a law: " + widths + ".";
  show_preset(q, "transformer_base", {panel(BudgetPanel::parameters)});
  return q;
}

Question ask_q8(const State&, Dice&) {
  Question q;
  const budget::Sizes& sizes = budget::find_preset("transformer_base")->sizes;
  const Whole layers = sizes.layers, h = sizes.h, encoder = layers * h, decoder = sizes.cross_layers * 2 * h;
  q.asks = Asks::number;
  q.whole = true;
  q.title = "An encoder has " + counted(layers, "layer") + " with " + counted(h, "head") +
            " each. How many attention mechanisms read the input?";
  q.given = "Each encoder layer has one attention, where tokens look at each other.";
  q.label = "mechanisms";
  q.right = number(encoder);
  q.hints = {"Every head is a mechanism of its own, with its own map.", "Multiply the heads of a layer by the layers."};
  q.solution = working(figure(layers) + " · 1 · " + figure(h) + " = [" + figure(encoder) + "]");
  q.solution_says = "A decoder of " + counted(sizes.cross_layers, "layer") + " adds " + figure(sizes.cross_layers) +
                    " · 2 · " + figure(h) + " = " + mono(decoder) +
                    ": each layer has masked self-attention and cross-attention.";
  const auto slip = [&](std::string id, std::string heading, std::string says, Whole answer, std::string way) {
    add_number_slip(
        q, {std::move(id), std::move(heading), std::move(says), number(answer), std::move(way) + " = " + figure(answer),
            "First multiply", figure(layers) + " · " + figure(h) + " = ?"});
  };
  slip("decoder", "that is the decoder", "A decoder layer has two attentions. An encoder layer has one.", decoder,
       figure(layers) + " · 2 · " + figure(h));
  slip("both", "the decoder isn’t asked", "This counts encoder and decoder together. The encoder alone is asked.",
       encoder + decoder, figure(encoder) + " + " + figure(decoder));
  slip("layers", "a layer has more than one", mono(layers) + " counts layers. Each has " + counted(h, "head") + ".",
       layers, "layers");
  slip("one_layer", "that is one layer", mono(h) + " counts the heads of one layer.", h, "h");
  slip("added", "added instead of multiplied", "Every layer has all of its heads: multiply.", layers + h,
       figure(layers) + " + " + figure(h));
  slip("squared", "heads work side by side", "Heads don’t read each other within a layer: each is counted once.",
       layers * h * h, figure(layers) + " · " + squared(h));
  q.picture.formula = "layers · <k>attentions a layer</k> · h";
  q.picture.why =
      "A head of one layer and a head of the next are different mechanisms: each has its own W^{Q}, W^{K} and W^{V}.";
  draw_bars(q, "Attention mechanisms",
            {{"encoder", "one attention a layer", number(encoder), true},
             {"decoder", "two attentions a layer", number(decoder), false}});
  show_preset(q, "transformer_base");
  return q;
}

Question ask_q10(const State&, Dice&) {
  Question q;
  const Stack base = preset_stack("transformer_base"), wide = even_stack(base.sizes.d_model, 1);
  const ParameterCount many = attention::count_parameters(base.sizes), one = attention::count_parameters(wide.sizes);
  const Whole bare = one.total - one.W_O, more = many.total - bare;
  q.asks = Asks::number;
  q.title = "How much more does multi-head attention cost than one head of full width without W^{O}?";
  q.given =
      "h heads, d_{k} = d_{v} = d_{model} / h, with W^{O}, without biases. Half as much more would be 0.5 or 50 %.";
  q.rounding = "Round to three decimals, or give a fraction.";
  q.label = "more";
  q.right = number(more) / number(bare);
  q.tolerance = 0.004;  // "33 %" is what the lesson says
  q.hints = {"W^{Q}, W^{K} and W^{V} of all heads are as large as those of one head of full width.",
             "So W^{O} is all that comes on top. Take it as a share of what was there before."};
  q.solution = working("( 4 d_{model}^{2} − 3 d_{model}^{2} ) / ( 3 d_{model}^{2} ) = " + figure(more) + "|" +
                       figure(bare) + " = [" + fixed(number(more) / number(bare)) + "]");
  q.solution_says =
      "Without W^{O} one head has 3 d_{model}^{2}, so many heads with W^{O} cost one third more. Against one "
      "head that has W^{O}, too, 4 d_{model}^{2}, they cost " +
      (many.total == one.total ? std::string("no more at all") : figure(many.total - one.total) + " more") +
      ". The lesson says both: they are different comparisons.";
  const std::string first = figure(many.total) + " − " + figure(bare) + " = ?";
  const auto slip = [&](std::string id, std::string heading, std::string says, double answer, std::string way) {
    add_number_slip(
        q, {std::move(id), std::move(heading), std::move(says), answer, std::move(way), "First what is added", first});
  };
  slip("with_W_O", "that is the other comparison",
       "Nothing is added when the one head has W^{O}, too. Here it has none.",
       number(many.total - one.total) / number(one.total), "(4~−~4)|4 = 0");
  slip("of_all", "the share is of what was there before",
       "W^{O} is a quarter of the new total. Asked is how much it is of the old one.",
       number(more) / number(many.total),
       figure(more) + "|" + figure(many.total) + " = " + fixed(number(more) / number(many.total)));
  slip("ratio", "that is all of it, not what is added", "The new total is so many times the old one. Take 1 away.",
       number(many.total) / number(bare),
       figure(many.total) + "|" + figure(bare) + " = " + fixed(number(many.total) / number(bare)));
  slip("h_times", "heads are narrower, the more there are",
       "This takes " + counted(base.sizes.h, "head") + " of full width. But d_{k} = d_{model} / h.",
       number(base.sizes.h - 1), figure(base.sizes.h) + " − 1 = " + figure(base.sizes.h - 1));
  slip("as_much", "W^O is one matrix of four", "This would add as much again. Only W^{O} is added.", 1, "3|3 = 1");
  // As one would type it without the sign of percent.
  for (const int decimals : {1, 0}) {
    const double unit = decimals == 1 ? 0.1 : 1, percent = std::round(100 * number(more) / number(bare) / unit) * unit;
    slip(decimals == 1 ? "percent" : "whole_percent", "the sign of percent is missing",
         "The number is right as percent. Write the sign behind it, or divide by 100.", percent,
         "100 · " + figure(more) + "|" + figure(bare) + " ≈ " + fixed(percent, decimals));
  }
  q.picture.formula = "3 d_{model}^{2} <q>+</q> <k>d_{model}^{2}</k>";
  q.picture.why =
      "Cutting the width into heads costs nothing: h heads of d_{model} / h are as much as one of d_{model}. W^{O} "
      "is what mixes them.";
  draw_bars(q, "One layer’s attention",
            {{"W^Q", "all heads", number(many.W_Q), false},
             {"W^K", "all heads", number(many.W_K), false},
             {"W^V", "all heads", number(many.W_V), false},
             {"W^O", "mixes the heads", number(many.W_O), true}});
  show_preset(q, "transformer_base", {panel(BudgetPanel::parameters)});
  return q;
}

}  // namespace app
