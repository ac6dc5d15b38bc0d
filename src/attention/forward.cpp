// The forward pass, in the order of the formula, keeping every intermediate.
#include "attention/kernels.hpp"

#include <cassert>
#include <cmath>
#include <limits>

namespace attention {
namespace {

/// Each row of `matrix` plus the bias, which is added last: after the whole sum of the product.
template <class T>
void add_bias(const Matrix<T>& bias, Matrix<T>& matrix) {
  if (bias.size() == 0) return;
  for (Eigen::Index row = 0; row < matrix.rows(); ++row) {
    for (Eigen::Index col = 0; col < matrix.cols(); ++col) matrix(row, col) += bias(0, col);
  }
}

template <class T>
void project(const Matrix<T>& tokens, const Matrix<T>& weight, const Matrix<T>& bias, Matrix<T>& out) {
  multiply(tokens, weight, out);
  add_bias(bias, out);
}

/// By √d_k, the width of one head, never √d_model (Vaswani et al. 2017, section 3.2.1), unless a scale is given.
template <class T>
void scale(const Matrix<T>& scores, const Config& config, Matrix<T>& scaled) {
  scaled.resize(scores.rows(), scores.cols());
  if (config.scale) {
    const T factor = static_cast<T>(*config.scale);
    for (Eigen::Index i = 0; i < scores.size(); ++i) scaled.data()[i] = scores.data()[i] * factor;
  } else {
    const T divisor = std::sqrt(static_cast<T>(config.d_k));
    for (Eigen::Index i = 0; i < scores.size(); ++i) scaled.data()[i] = scores.data()[i] / divisor;
  }
}

/// What may not be attended to becomes -infinity, even where the score is NaN or +infinity: it isn't added to.
template <class T>
void mask(const Matrix<T>& scaled, const Matrix<T>& additive, const MayAttend& allowed, Matrix<T>& masked) {
  masked = scaled;
  for (Eigen::Index i = 0; i < additive.size(); ++i) masked.data()[i] += additive.data()[i];
  for (Eigen::Index i = 0; i < allowed.size(); ++i) {
    if (allowed.data()[i] == 0) masked.data()[i] = -std::numeric_limits<T>::infinity();
  }
}

/// Over keys: one row for each query, and that row sums to 1.
template <class T>
void softmax(const Matrix<T>& masked, const MayAttend& allowed, Matrix<T>& pattern) {
  pattern.resize(masked.rows(), masked.cols());
  const Eigen::Index n_k = masked.cols();
  for (Eigen::Index query = 0; query < masked.rows(); ++query) {
    const std::uint8_t* row = allowed.size() == 0 ? nullptr : allowed.data() + query * n_k;
    softmax_row(masked.data() + query * n_k, row, n_k, pattern.data() + query * n_k);
  }
}

/// Head i, times its gate, fills columns i d_v … (i + 1) d_v - 1 of every token's own row. A gate of 1 changes no bit.
template <class T>
void concatenate(const std::vector<HeadTrace<T>>& heads, const Weights<T>& weights, const Config& config,
                 Matrix<T>& concat) {
  concat.resize(config.n_q, config.h * config.d_v);
  for (int head = 0; head < config.h; ++head) {
    const Matrix<T>& output = heads[static_cast<std::size_t>(head)].output;
    const T gate = weights.heads[static_cast<std::size_t>(head)].gate;
    for (int token = 0; token < config.n_q; ++token) {
      for (int col = 0; col < config.d_v; ++col) concat(token, head * config.d_v + col) = output(token, col) * gate;
    }
  }
}

}  // namespace

template <class T>
void forward(const Config& config, const Input<T>& input, const Weights<T>& weights, Trace<T>& trace) {
  assert(validate(config, input, weights).empty());
  const Matrix<T>& keys_from = is_self_attention(input) ? input.X : input.X_kv;
  const MayAttend allowed = allowed_pairs(input);
  trace.heads.resize(weights.heads.size());
  for (std::size_t i = 0; i < weights.heads.size(); ++i) {
    const HeadWeights<T>& weight = weights.heads[i];
    HeadTrace<T>& head = trace.heads[i];
    project(input.X, weight.W_Q, weight.b_Q, head.Q);
    project(keys_from, weight.W_K, weight.b_K, head.K);
    project(keys_from, weight.W_V, weight.b_V, head.V);
    multiply_transposed(head.Q, head.K, head.scores);
    scale(head.scores, config, head.scaled);
    mask(head.scaled, input.additive_mask, allowed, head.masked);
    softmax(head.masked, allowed, head.pattern);
    multiply(head.pattern, head.V, head.output);
  }
  concatenate(trace.heads, weights, config, trace.concat);
  project(trace.concat, weights.W_O, weights.b_O, trace.output);
}

template <class T>
void forward(const Config& config, const std::vector<Input<T>>& batch, const Weights<T>& weights,
             std::vector<Trace<T>>& traces) {
  traces.resize(batch.size());
  for (std::size_t i = 0; i < batch.size(); ++i) forward(config, batch[i], weights, traces[i]);
}

template void forward(const Config&, const Input<float>&, const Weights<float>&, Trace<float>&);
template void forward(const Config&, const Input<double>&, const Weights<double>&, Trace<double>&);
template void forward(const Config&, const std::vector<Input<float>>&, const Weights<float>&,
                      std::vector<Trace<float>>&);
template void forward(const Config&, const std::vector<Input<double>>&, const Weights<double>&,
                      std::vector<Trace<double>>&);

}  // namespace attention
