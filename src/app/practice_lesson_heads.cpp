// The lesson's questions about what heads look at: heads that are all alike (Q6), and a head on [SEP] (Q9).
#include "app/practice_lesson.hpp"

#include <algorithm>
#include <cmath>

namespace app {
namespace {

using attention::Config;
using Grid = attention::Matrix<double>;
using Weights = attention::Weights<double>;

// ---------------------------------------------------------------------- Q6

/// How differently two heads look, for each pair; and the mean.
struct Difference {
  struct Pair {
    int a = 0, b = 0;
    double bits = 0;
  };
  std::vector<Pair> pairs;
  double mean() const {
    double sum = 0;
    for (const Pair& pair : pairs) sum += pair.bits;
    return pairs.empty() ? 0 : sum / static_cast<double>(pairs.size());
  }
};
Difference difference_of(const attention::Trace<double>& trace) {
  Difference all;
  const int h = static_cast<int>(trace.heads.size());
  for (int a = 0; a < h; ++a)
    for (int b = a + 1; b < h; ++b)
      all.pairs.push_back(
          {a, b, attention::jensen_shannon_bits(at(trace.heads, a).pattern, at(trace.heads, b).pattern)});
  return all;
}
Difference of_clones(const Document& document) {
  Weights clones = document.weights;
  for (auto& head : clones.heads) head = clones.heads.front();
  attention::Trace<double> trace;
  attention::forward(document.config, document.input, clones, trace);
  return difference_of(trace);
}

// ---------------------------------------------------------------------- Q9

/// Made up, and said to be: a head whose queries all meet the key of [SEP], whose value is small.
struct Resting {
  std::vector<std::string> tokens;
  Config config;
  attention::Input<double> input;
  Weights weights;
  attention::Trace<double> trace;
  Grid contributions;
};
Resting resting_head() {
  Resting made;
  made.tokens = {"dogs", "bark", "[SEP]"};
  const int n = static_cast<int>(made.tokens.size());
  made.config = {.n_q = n, .n_k = n, .d_model = n, .h = 1, .d_k = 1, .d_v = 2};
  made.input.X = Grid::Identity(n, n);  // one column for each token, so that a row of W is what that token makes
  attention::HeadWeights<double> head;
  head.W_Q = Grid::Ones(n, 1);
  head.W_K = Grid::Zero(n, 1);
  head.W_K(n - 1, 0) = 3;
  head.W_V = Grid::Zero(n, 2);
  head.W_V(0, 0) = 4;
  head.W_V(1, 1) = 4;
  head.W_V(n - 1, 0) = 0.1;
  made.weights.heads = {head};
  made.weights.W_O = Grid::Zero(2, n);
  made.weights.W_O(0, 0) = made.weights.W_O(1, 1) = 1;
  attention::forward(made.config, made.input, made.weights, made.trace);
  made.contributions = attention::contributions(made.config, made.weights, made.trace, 0);
  return made;
}

}  // namespace

Question ask_q6(const State& state, Dice&) {
  Question q;
  const Numbers numbers = numbers_for(state, [](const Numbers& it) {
    const double mean = difference_of(it.derived.trace).mean();
    return std::isfinite(mean) && mean >= 0.0005;  // something to tell clones from
  });
  const Difference present = difference_of(numbers.derived.trace), clones = of_clones(numbers.state.document);
  q.title = "All heads of a layer have almost the same attention weights. What might this indicate?";
  q.given = "The model is trained.";
  if (const std::string whose = whose_numbers(numbers, state); !whose.empty()) q.given += " " + whose;
  offer(q,
        {{"The layer works as it should: good heads agree",
          "Several heads are there so that they can look at different things. Heads that agree do the same work twice, "
          "and most of them could be pruned."},
         {"The heads found no roles of their own",
          "Training may be too short, d_{k} too small, the data too uniform or the "
          "regularisation too strong. The heads then do the same work, and most can be pruned."},
         {"W^{O} was forgotten", "W^{O} comes after the weights. It can’t make them alike or different."},
         {"The scores weren’t divided by √d_{k}",
          "Scaling makes all weights softer or sharper. It doesn’t make heads look at "
          "the same token."}},
        1);
  q.hints = {"What are several heads good for, and what is missing here?",
             "Look for what keeps heads from becoming different in training."};
  const std::string now = fixed(present.mean()), cloned = fixed(clones.mean());
  q.solution = working("heads~as~they~are = " + now + "~bits , head~1~in~all~places = [" + cloned + "~bits]");
  q.solution_says =
      "Jensen–Shannon says how differently two heads look: 0 bits the same, 1 bit nothing in common. The mean over "
      "all pairs is " +
      mono(now) + " here, and " + mono(cloned) + " once head 1 is copied into all places.";
  std::vector<NamedLength> bars;
  for (const auto& [a, b, bits] : present.pairs)
    bars.push_back(
        {"heads " + std::to_string(a + 1) + " and " + std::to_string(b + 1), fixed(bits) + " bits", bits, false});
  draw_bars(q, "How differently the walkthrough’s heads look", std::move(bars));
  q.picture.formula = "H( <k>(p + q) / 2</k> ) <q>−</q> ( H(p) + H(q) ) / 2";
  q.picture.why = "The Jensen–Shannon divergence of two heads’ weights, in bits. Similar heads are near 0.";
  q.cell = Cell{Tensor::pattern, 0, 0, 0};
  q.show = walk_to(*q.cell);
  q.show_label = "Show me on the canvas";
  return q;
}

Question ask_q9(const State&, Dice&) {
  Question q;
  const Resting made = resting_head();
  const auto& pattern = made.trace.heads.front().pattern;
  const int sep = static_cast<int>(made.tokens.size()) - 1;
  const double weight = pattern(0, sep), share = made.contributions(0, sep) / made.contributions.row(0).sum();
  q.title = "Head 5 of layer 3 gives most of its weight to [SEP], whatever the text. What may its role be?";
  q.given = "[SEP] stands between two sentences, and at the end.";
  offer(q,
        {{"[SEP] carries most of the meaning of the text",
          "A large weight isn’t a large contribution. In a case made up for this, [SEP] gets " +
              mono(format_percent(weight)) + " of the weight and gives " + mono(format_percent(share)) +
              " of what arrives."},
         {"It looks at the token before, whatever that is",
          "Such a head looks at another token in each row. [SEP] stands in "
          "few places, far from most tokens."},
         {"It marks where sentences end, or rests there when it finds nothing",
          "Both fit. Clark et al. 2019 found that [SEP] takes over half of the attention in BERT’s layers 6–10, with "
          "little "
          "effect on the output: often a place to rest."},
         {"Its softmax went over the rows instead of the columns",
          "Then the weights of a row wouldn’t add up to 1. These do: "
          "one column simply gets most of each row."}},
        2);
  q.hints = {"The weight says where a head looks, not how much it takes from there.",
             "What could a head do with its weights, which have to add up to 1, when it finds nothing?"};
  q.solution = working("weight~on~[SEP] = " + fixed(weight) + " , its~share~of~what~arrives = [" + fixed(share) + "]");
  q.solution_says = "A case made up for this: [SEP] gets " + mono(fixed(weight)) +
                    " of the weight, but its value is small, so it gives " + mono(fixed(share)) +
                    " of what arrives (weight times the length of v W^{O}, Kobayashi et al. 2020).";
  std::vector<NamedLength> bars;
  for (int key = 0; key <= sep; ++key)
    bars.push_back({at(made.tokens, key), fixed(pattern(0, key)), pattern(0, key), key == sep});
  draw_bars(q, "Weights of the row “dogs”, in a case made up for this", std::move(bars));
  q.picture.formula = "contribution <q>=</q> weight · <k>length of v <b>W</b>^{O}</k>";
  q.picture.why = "Each row of weights has to add up to 1. A head that finds nothing still has to look somewhere.";
  q.show = {to_text(Action{OpenPage{Page::gallery}}), to_text(Action{ShowPanel{Panel::layers}})};
  q.show_label = "Show me in the gallery";
  return q;
}

}  // namespace app
