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

/// By √d_k, the width of one head, never √d_model (Vaswani et al. 2017, section 3.2.1).
template <class T>
void scale(const Matrix<T>& scores, int d_k, Matrix<T>& scaled) {
  const T divisor = std::sqrt(static_cast<T>(d_k));
  scaled.resize(scores.rows(), scores.cols());
  for (Eigen::Index i = 0; i < scores.size(); ++i) scaled.data()[i] = scores.data()[i] / divisor;
}

template <class T>
void mask(const Matrix<T>& scaled, const MayAttend& may_attend, Matrix<T>& masked) {
  masked = scaled;
  for (Eigen::Index i = 0; i < may_attend.size(); ++i) {
    if (may_attend.data()[i] == 0) masked.data()[i] = -std::numeric_limits<T>::infinity();
  }
}

/// Over keys: one row for each query, and that row sums to 1.
template <class T>
void softmax(const Matrix<T>& masked, const MayAttend& may_attend, Matrix<T>& pattern) {
  pattern.resize(masked.rows(), masked.cols());
  const Eigen::Index n_k = masked.cols();
  for (Eigen::Index query = 0; query < masked.rows(); ++query) {
    const std::uint8_t* allowed = may_attend.size() == 0 ? nullptr : may_attend.data() + query * n_k;
    softmax_row(masked.data() + query * n_k, allowed, n_k, pattern.data() + query * n_k);
  }
}

/// Head i fills columns i d_v … (i + 1) d_v - 1 of every token's own row.
template <class T>
void concatenate(const std::vector<HeadTrace<T>>& heads, const Config& config, Matrix<T>& concat) {
  concat.resize(config.n_q, config.h * config.d_v);
  for (int head = 0; head < config.h; ++head) {
    const Matrix<T>& output = heads[static_cast<std::size_t>(head)].output;
    for (int token = 0; token < config.n_q; ++token) {
      for (int col = 0; col < config.d_v; ++col) concat(token, head * config.d_v + col) = output(token, col);
    }
  }
}

}  // namespace

template <class T>
void forward(const Config& config, const Input<T>& input, const Weights<T>& weights, Trace<T>& trace) {
  assert(validate(config, input, weights).empty());
  const Matrix<T>& keys_from = is_self_attention(input) ? input.X : input.X_kv;
  trace.heads.resize(weights.heads.size());
  for (std::size_t i = 0; i < weights.heads.size(); ++i) {
    const HeadWeights<T>& weight = weights.heads[i];
    HeadTrace<T>& head = trace.heads[i];
    project(input.X, weight.W_Q, weight.b_Q, head.Q);
    project(keys_from, weight.W_K, weight.b_K, head.K);
    project(keys_from, weight.W_V, weight.b_V, head.V);
    multiply_transposed(head.Q, head.K, head.scores);
    scale(head.scores, config.d_k, head.scaled);
    mask(head.scaled, input.may_attend, head.masked);
    softmax(head.masked, input.may_attend, head.pattern);
    multiply(head.pattern, head.V, head.output);
  }
  concatenate(trace.heads, config, trace.concat);
  project(trace.concat, weights.W_O, weights.b_O, trace.output);
}

template void forward(const Config&, const Input<float>&, const Weights<float>&, Trace<float>&);
template void forward(const Config&, const Input<double>&, const Weights<double>&, Trace<double>&);

}  // namespace attention
