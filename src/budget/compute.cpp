// What one forward pass costs: operations, and numbers to keep.
//
// A sum of m products is m multiply-adds. With a bias it starts there instead of at 0: a bias costs no operation more.
// An activation function between the feed-forward matrices, and a gate's product, are left out: they are d_ff a token.
#include "budget/budget.hpp"

namespace budget {

Compute compute(const Sizes& sizes) {
  const auto real = [](Whole value) { return static_cast<double>(value); };
  const double d_model = real(sizes.d_model), h = real(sizes.h), h_kv = real(sizes.h_kv), d_k = real(sizes.d_k),
               d_v = real(sizes.d_v), d_ff = real(sizes.d_ff), n = real(sizes.n), batch = real(sizes.batch);
  const double tokens = batch * n, pairs = batch * h * n * n;
  const double projected = h * d_k + h_kv * (d_k + d_v);  // numbers a token: Q, K and V
  const double inner = sizes.gated ? 2 * d_ff : d_ff;     // numbers a token between the feed-forward matrices
  using Part = Work::Part;

  Compute it;
  it.parts = {{Part::project, 2 * tokens * d_model * projected, tokens * projected, false},
              {Part::scores, 2 * pairs * d_k, pairs, true},
              {Part::softmax, kSoftmaxOperations * pairs, pairs, true},
              {Part::weigh, 2 * pairs * d_v, tokens * h * d_v, true},
              {Part::output, 2 * tokens * h * d_v * d_model, tokens * d_model, false},
              {Part::feed_forward, 2 * tokens * d_model * (inner + d_ff), tokens * (inner + d_model), false}};
  for (const Work& work : it.parts)
    if (work.part != Part::feed_forward) (work.square ? it.square : it.linear) += work.operations;
  it.attention = it.linear + it.square;

  // linear = L n and square = S n^2 are equal at n = L / S, whatever n is now.
  const double feed_forward = it.parts.back().operations;
  it.overtakes_at = it.linear * n / it.square;
  it.overtakes_layer_at = (it.linear + feed_forward) * n / it.square;

  it.weights = pairs;
  it.all_weights = pairs * real(sizes.layers + 2 * sizes.cross_layers);
  const Whole writers = sizes.cross_layers > 0 ? sizes.cross_layers : sizes.layers;
  it.cache_a_token = h_kv * (d_k + d_v) * real(writers);
  it.cache = it.cache_a_token * tokens;
  return it;
}

}  // namespace budget
