// "How this number was made", for each amount of the budget.
#include "app/budget_internal.hpp"

#include <algorithm>
#include <cmath>

namespace app {
namespace {

using budget::Sizes;
using budget::Whole;

/// A row of pieces.
struct Line {
  std::vector<Part>& parts;

  Line& text(std::string rich) { return parts.push_back({.text = std::move(rich)}), *this; }
  Line& mono(const std::string& rich) { return text("<m>" + rich + "</m>"); }
  Line& equals() {
    if (parts.size() > 1) parts.push_back({.kind = Part::Kind::line_break_hint});
    return text("<q>=</q>");
  }
  Line& chip(const std::string& number) {
    parts.push_back({.kind = Part::Kind::factor, .text = "<k>" + number + "</k>"});
    return *this;
  }
  Line& fraction(std::string above, std::string below) {
    parts.push_back({.kind = Part::Kind::fraction, .text = std::move(above), .below = std::move(below)});
    return *this;
  }
};

std::string times(Whole a, Whole b) { return figure(a) + " × " + figure(b); }
std::string all_of(Whole heads, const std::string& kind) {  // "head", "key/value head"
  return heads == 1 ? "The one " + kind : "All " + figure(heads) + " " + kind + "s";
}

class Explainer {
 public:
  Explainer(BudgetView& view, const Budget& budget)
      : view_(view), it_(budget.sizes), compute_(budget::compute(budget.sizes)) {}

  void write() {
    switch (view_.shown) {
      case Amount::W_Q: return matrix("<b>W</b>^{Q}", it_.d_model, it_.d_k, it_.h, true);
      case Amount::W_K: return matrix("<b>W</b>^{K}", it_.d_model, it_.d_k, it_.h_kv, true);
      case Amount::W_V: return matrix("<b>W</b>^{V}", it_.d_model, it_.d_v, it_.h_kv, true);
      case Amount::W_O: return matrix("<b>W</b>^{O}", it_.d_v, it_.d_model, it_.h, false);
      case Amount::biases: return biases();
      case Amount::attention: return attention();
      case Amount::feed_forward: return feed_forward();
      case Amount::model: return model();
      case Amount::project:
      case Amount::scores:
      case Amount::softmax:
      case Amount::weigh:
      case Amount::output: return work();
      case Amount::overtakes: return overtakes();
      case Amount::weights: return weights();
      case Amount::cache: return cache();
      case Amount::rank: return rank();
    }
  }

 private:
  Line first() { return {view_.parts}; }
  Line more() { return {view_.more_parts}; }
  std::string bytes(double numbers) const { return in_bytes(numbers * static_cast<double>(it_.bytes)); }

  // -------------------------------------------------------------- parameters

  /// One head's slice, and all of them side by side (`columns`) or one under the other.
  void matrix(const std::string& symbol, Whole rows, Whole cols, Whole heads, bool columns) {
    const std::string slice = figure(rows * cols), all = figure(rows * cols * heads);
    const bool shared = heads != it_.h;
    const std::string kind = shared ? "key/value head" : "head";
    first().text("One " + kind + " in " + symbol).equals();
    first().mono(times(rows, cols)).equals().chip(slice);
    const Whole wide = columns ? cols * heads : cols, tall = columns ? rows : rows * heads;
    more().text(all_of(heads, kind)).equals();
    more().mono(figure(heads) + " ×").chip(slice).equals().mono(all).equals().mono(times(tall, wide));
    const Whole cut = columns ? wide : tall, part = columns ? cols : rows;
    const std::string what = columns ? " columns" : " rows";
    if (shared)
      view_.sentence = "Each key/value head serves " + figure(it_.h / heads) + " query heads, so the matrix is " +
                       figure(it_.h / heads) + " times smaller than with keys and values of their own.";
    else if (heads == 1)
      view_.sentence = cut == 1 ? "One head owns the one" + what.substr(0, what.size() - 1) + "."
                                : "One head owns all " + figure(cut) + what + ".";
    else if (cut == it_.d_model)
      view_.sentence = "Splitting " + figure(cut) + what + " into " + figure(heads) + " slices of " + figure(part) +
                       " leaves the matrix as large as before.";
    else
      view_.sentence = figure(heads) + " slices of " + figure(part) + " make " + figure(cut) + what + ", " +
                       (cut > it_.d_model ? "more" : "fewer") + " than the " + figure(it_.d_model) +
                       " of one head of full width.";
  }

  void biases() {
    const Whole queries = it_.h * it_.d_k, keys = it_.h_kv * it_.d_k, values = it_.h_kv * it_.d_v;
    first().text("Biases").equals();
    first().mono(figure(queries) + " + " + figure(keys) + " + " + figure(values) + " + " + figure(it_.d_model));
    first().equals().chip(figure(view_.parameters.attention.biases));
    view_.sentence = "One number for each column of <b>W</b>^{Q}, <b>W</b>^{K}, <b>W</b>^{V} and <b>W</b>^{O}: " +
                     format_percent(static_cast<double>(view_.parameters.attention.biases) /
                                    static_cast<double>(view_.parameters.attention.total)) +
                     " of the layer’s attention.";
  }

  void attention() {
    const attention::ParameterCount& count = view_.parameters.attention;
    first().text("Attention").equals();
    first().mono(figure(count.W_Q) + " + " + figure(count.W_K) + " + " + figure(count.W_V) + " + " + figure(count.W_O) +
                 (it_.biases ? " + " + figure(count.biases) : ""));
    first().equals().chip(figure(count.total));
    const Whole d = it_.d_model;
    if (count.total - count.biases == 4 * d * d) {
      more().text("Four squares").equals().mono("4 · " + figure(d) + "^{2}").equals().mono(figure(4 * d * d));
      view_.sentence = "Three squares make queries, keys and values, the fourth is <b>W</b>^{O}." +
                       std::string(it_.keep ? " h isn’t in it." : "");
    } else {
      view_.sentence = "With one head of full width it would be 4 · " + figure(d) + "^{2} = " + figure(4 * d * d) + ".";
    }
  }

  void feed_forward() {
    const Whole matrices = it_.gated ? 3 : 2, total = view_.parameters.feed_forward;
    const Whole extra = total - matrices * it_.d_model * it_.d_ff;
    first().text("Feed-forward").equals();
    first().mono(figure(matrices) + " · " + figure(it_.d_model) + " · " + figure(it_.d_ff) +
                 (extra > 0 ? " + " + figure(extra) : ""));
    first().equals().chip(figure(total));
    const bool usual = it_.d_ff == 4 * it_.d_model && !it_.gated;
    if (usual)
      more()
          .text("The rule of four")
          .equals()
          .mono("8 · " + figure(it_.d_model) + "^{2}")
          .equals()
          .mono(figure(total - extra));
    view_.sentence = usual ? "Four times as wide as a token and back: 8 d_{model}^{2}, twice the 4 d_{model}^{2} of "
                             "even attention."
                           : "Every token goes through " + count_word(static_cast<int>(matrices)) +
                                 " matrices between " + figure(it_.d_model) + " and " + figure(it_.d_ff) + ".";
  }

  void model() {
    const budget::Parameters& count = view_.parameters;
    first().text("Attention in all layers").equals();
    first().mono(figure(count.attentions) + " · " + figure(count.attention.total)).equals();
    first().chip(figure(count.all_attention));
    more().text("With feed-forward").equals();
    more().mono(figure(count.all_attention) + " + " + figure(count.feed_forwards) + " · " + figure(count.feed_forward));
    more().equals().mono(figure(count.model));
    const std::string maps =
        figure(count.attention_maps) + (count.attention_maps == 1 ? " attention map" : " attention maps");
    view_.sentence = it_.cross_layers > 0
                         ? maps + " in all: " + figure(it_.layers * it_.h) + " in the encoder, and 2 · " +
                               figure(it_.cross_layers) + " · " + figure(it_.h) + " = " +
                               figure(2 * it_.cross_layers * it_.h) + " in the decoder, masked and across."
                         : figure(it_.layers) + (it_.layers == 1 ? " layer of " : " layers of ") + figure(it_.h) +
                               (it_.h == 1 ? " head: " : " heads: ") + maps + ".";
  }

  // ----------------------------------------------------------------- compute

  void work() {
    for (const WorkRow& row : view_.work) {
      if (!row.has_amount || row.amount != view_.shown) continue;
      first().text(row.name == "Output W^O" ? "Output <b>W</b>^{O}" : row.name).equals().mono(row.formula);
      first().equals().chip(rounded(row.operations));
      more()
          .text("It leaves")
          .equals()
          .mono(rounded(row.numbers) + (row.numbers == 1 ? " number" : " numbers"))
          .equals()
          .text(in_bytes(row.bytes));
    }
    switch (view_.shown) {
      case Amount::project:
        view_.sentence =
            "Every token is multiplied by <b>W</b>^{Q}, <b>W</b>^{K} and <b>W</b>^{V}. A multiply-add "
            "counts two.";
        break;
      case Amount::scores:
        view_.sentence =
            "Every query meets every key: twice the tokens, four times the work. A multiply-add counts "
            "two.";
        break;
      case Amount::softmax:
        view_.sentence = "Scale, take the largest off, exponential, add, divide: five operations a weight.";
        break;
      case Amount::weigh:
        view_.sentence = "Every query adds up all values, each times its weight. A multiply-add counts two.";
        break;
      default: view_.sentence = "All head outputs side by side, times <b>W</b>^{O}. A multiply-add counts two."; break;
    }
  }

  void overtakes() {
    const double n = static_cast<double>(it_.n);
    first().text("They are equal at n").equals();
    first().fraction(rounded(compute_.linear / n), rounded(compute_.square / (n * n))).text("<q>≈</q>");
    first().chip(compute_.overtakes_at < 1e5 ? format_number(compute_.overtakes_at, 1)
                                             : in_short(compute_.overtakes_at));
    view_.sentence = "Above: what one token costs in the projections. Below: what one pair of tokens costs, in " +
                     (it_.h == 1 ? "the one head." : "all " + figure(it_.h) + " heads.");
  }

  void weights() {
    first().text("Attention weights").equals();
    first().mono((it_.batch == 1 ? "" : figure(it_.batch) + " · ") + figure(it_.h) + " · " + figure(it_.n) + "^{2}");
    first().equals().chip(rounded(compute_.weights)).equals().text(bytes(compute_.weights));
    const Whole attentions = view_.parameters.attentions;
    more().text(attentions == 1 ? "The one attention" : "All " + figure(attentions) + " attentions").equals();
    more().mono(rounded(compute_.all_weights)).equals().text(bytes(compute_.all_weights));
    view_.sentence = "Every head keeps a weight for every pair of tokens, " + std::to_string(it_.bytes) +
                     (it_.bytes == 1 ? " byte" : " bytes") + " each. A fused kernel never writes them down.";
  }

  void cache() {
    const Whole writers = it_.cross_layers > 0 ? it_.cross_layers : it_.layers;
    first().text("Key/value cache of one token").equals();
    first().mono(figure(writers) + " · " + figure(it_.h_kv) + " · (" + figure(it_.d_k) + " + " + figure(it_.d_v) + ")");
    first().equals().chip(rounded(compute_.cache_a_token)).equals().text(bytes(compute_.cache_a_token));
    more().text("All tokens").equals().mono(rounded(compute_.cache)).equals().text(bytes(compute_.cache));
    view_.sentence =
        it_.h_kv == it_.h
            ? "A model that writes keeps keys and values of all tokens before, in every layer. Key/value heads "
              "that are shared make it smaller."
            : "Only key/value heads are kept: " + figure(it_.h / it_.h_kv) + " times less than " + figure(it_.h) +
                  " heads with keys and values of their own.";
  }

  // -------------------------------------------------------------------- rank

  void rank() {
    const budget::LowRank& picture = *view_.low_rank;
    first().text("Rank of <b>Q</b><b>K</b>^{T}").text("<q>≤</q>");
    first().mono("min(" + figure(it_.n) + ", " + figure(it_.d_k) + ")").equals();
    first().chip(figure(std::min(it_.n, it_.d_k)));
    double all = 0, kept = 0;
    for (std::size_t i = 0; i < picture.singular_values.size(); ++i) {
      const double square = picture.singular_values[i] * picture.singular_values[i];
      all += square;
      if (static_cast<int>(i) < picture.k) kept += square;
    }
    more().text("Kept of the target").equals();
    more().fraction(format_number(kept, 2), format_number(all, 2)).equals().text(format_percent(picture.kept));
    view_.sentence = "<b>Q</b> and <b>K</b> are " + figure(it_.d_k) + (it_.d_k == 1 ? " number" : " numbers") +
                     " wide, so the scores are a sum of " + figure(it_.d_k) + " " +
                     (it_.d_k == 1 ? "product" : "products") +
                     " of a column and a row. Kept are the squares of the "
                     "largest singular values.";
  }

  BudgetView& view_;
  const Sizes& it_;
  const budget::Compute compute_;
};

/// As one reads it: "One head in W^Q = 512 × 64 = 32,768".
std::string said(const std::vector<Part>& parts) {
  std::string text;
  for (const Part& part : parts) {
    if (part.kind == Part::Kind::line_break_hint) continue;
    std::string piece = to_plain(part.text);
    if (part.kind == Part::Kind::fraction) piece += " / " + to_plain(part.below);
    text += (text.empty() ? "" : " ") + piece;
  }
  return text;
}

}  // namespace

std::vector<Amount> amounts_of(const Budget& budget, BudgetPanel panel) {
  switch (panel) {
    case BudgetPanel::parameters: {
      std::vector<Amount> list = {Amount::W_Q, Amount::W_K, Amount::W_V, Amount::W_O};
      if (budget.sizes.biases) list.push_back(Amount::biases);
      for (const Amount amount : {Amount::attention, Amount::feed_forward, Amount::model}) list.push_back(amount);
      return list;
    }
    case BudgetPanel::compute:
      return {Amount::project, Amount::scores,    Amount::softmax, Amount::weigh,
              Amount::output,  Amount::overtakes, Amount::weights, Amount::cache};
    case BudgetPanel::rank: return {Amount::rank};
    case BudgetPanel::code: return {Amount::attention};
  }
  return {};
}

void write_budget_strip(BudgetView& view, const Budget& budget) {
  const std::vector<Amount> list = amounts_of(budget, budget.panel);
  view.shown = list.front();
  for (const auto& chosen : {budget.pinned, budget.hovered})  // what is pointed at comes first
    if (chosen && std::find(list.begin(), list.end(), *chosen) != list.end()) view.shown = *chosen;
  Explainer(view, budget).write();
  view.spoken = said(view.parts) + ". ";
  if (!view.more_parts.empty()) view.spoken += said(view.more_parts) + ". ";
  view.spoken = aloud(view.spoken + to_plain(view.sentence));
}

}  // namespace app
