// How many numbers a stack of layers learns.
#include "budget/budget.hpp"

namespace budget {
namespace {

/// Gated (Shazeer 2020, eq. 6): a third matrix of the same size, and its bias.
Whole count_feed_forward(const Sizes& sizes) {
  const Whole usual = attention::count_feed_forward_parameters(sizes.d_model, sizes.d_ff, sizes.biases);
  if (!sizes.gated) return usual;
  return usual + sizes.d_model * sizes.d_ff + (sizes.biases ? sizes.d_ff : 0);
}

}  // namespace

Parameters count(const Sizes& sizes) {
  Parameters it;
  it.attention = attention::count_parameters({sizes.d_model, sizes.h, sizes.h_kv, sizes.d_k, sizes.d_v, sizes.biases});
  it.one_head_qkv = sizes.d_model * (2 * sizes.d_k + sizes.d_v);
  it.one_head_output = sizes.d_v * sizes.d_model;
  it.feed_forward = count_feed_forward(sizes);
  it.attentions = sizes.layers + 2 * sizes.cross_layers;
  it.feed_forwards = sizes.layers + sizes.cross_layers;
  it.all_attention = it.attentions * it.attention.total;
  it.all_feed_forward = it.feed_forwards * it.feed_forward;
  it.model = it.all_attention + it.all_feed_forward;
  it.attention_maps = sizes.h * it.attentions;
  return it;
}

Comparison compare(const Sizes& sizes) {
  const Whole d = sizes.d_model;
  const attention::ParameterCount one = attention::count_parameters({d, 1, 1, d, d, false});
  const attention::ParameterCount heads =
      attention::count_parameters({d, sizes.h, sizes.h_kv, sizes.d_k, sizes.d_v, false});
  return {.one_head_without_W_O = one.total - one.W_O,
          .one_head_with_W_O = one.total,
          .heads_without_W_O = heads.total - heads.W_O,
          .heads_with_W_O = heads.total};
}

}  // namespace budget
