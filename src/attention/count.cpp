// How many numbers a layer is made of.
#include "attention/analysis.hpp"

#include <cassert>

namespace attention {
namespace {

/// Below 2^60, so that no sum of four or five of them overflows either.
std::int64_t product(std::int64_t a, std::int64_t b) {
  assert(a >= 1 && b >= 1 && a <= (std::int64_t{1} << 60) / b);
  return a * b;
}

}  // namespace

ParameterCount count_parameters(const Dimensions& dimensions) {
  const auto& [d_model, h, h_kv, d_k, d_v, biases] = dimensions;
  assert(d_model >= 1 && h >= 1 && h_kv >= 1 && d_k >= 1 && d_v >= 1);
  assert(h % h_kv == 0);
  const std::int64_t queries = product(h, d_k), keys = product(h_kv, d_k), values = product(h_kv, d_v);
  ParameterCount count;
  count.W_Q = product(queries, d_model);
  count.W_K = product(keys, d_model);
  count.W_V = product(values, d_model);
  count.W_O = product(product(h, d_v), d_model);
  count.biases = biases ? queries + keys + values + d_model : 0;
  count.total = count.W_Q + count.W_K + count.W_V + count.W_O + count.biases;
  return count;
}

ParameterCount count_parameters(const Config& config, bool biases) {
  return count_parameters({config.d_model, config.h, config.h, config.d_k, config.d_v, biases});
}

std::int64_t count_feed_forward_parameters(std::int64_t d_model, std::int64_t d_ff, bool biases) {
  const std::int64_t weights = product(2, product(d_model, d_ff));
  return biases ? weights + d_ff + d_model : weights;
}

}  // namespace attention
