// The backward pass: forward.cpp read from its last line to its first, one derivative behind each intermediate.
//
// For C = A B the chain rule gives d_A = d_C Bᵀ and d_B = Aᵀ d_C. Softmax: Bridle 1990, "Training Stochastic Model
// Recognition Algorithms as Networks"; it is written out in kernels.hpp.
#include "attention/kernels.hpp"

#include <cassert>
#include <cmath>

namespace attention {
namespace {

/// Same-shaped zeros, and "empty" where it was.
template <class T>
Matrix<T> zeros_like(const Matrix<T>& matrix) {
  return Matrix<T>::Zero(matrix.rows(), matrix.cols());
}

template <class T>
void add(const Matrix<T>& from, Matrix<T>& to) {
  assert(from.rows() == to.rows() && from.cols() == to.cols());
  for (Eigen::Index i = 0; i < to.size(); ++i) to.data()[i] += from.data()[i];
}

/// A bias is added to every row, so every row adds to its derivative. No bias: none.
template <class T>
void bias_backward(const Matrix<T>& bias, const Matrix<T>& d_out, Matrix<T>& d_bias) {
  d_bias = zeros_like(bias);
  if (bias.size() == 0) return;
  for (Eigen::Index row = 0; row < d_out.rows(); ++row) {
    for (Eigen::Index col = 0; col < d_out.cols(); ++col) d_bias(0, col) += d_out(row, col);
  }
}

/// out = tokens weight + bias. `d_tokens` is added to, since tokens are used more than once.
template <class T>
void project_backward(const Matrix<T>& tokens, const Matrix<T>& weight, const Matrix<T>& bias, const Matrix<T>& d_out,
                      Matrix<T>& d_weight, Matrix<T>& d_bias, Matrix<T>& d_tokens) {
  transposed_multiply(tokens, d_out, d_weight);
  bias_backward(bias, d_out, d_bias);
  Matrix<T> d_here;
  multiply_transposed(d_out, weight, d_here);
  add(d_here, d_tokens);
}

/// A head's columns of d_concat: times its output they give the gate's derivative, times the gate the output's.
template <class T>
void gate_backward(const Matrix<T>& output, T gate, const Matrix<T>& d_concat, Eigen::Index first_col, T& d_gate,
                   Matrix<T>& d_output) {
  d_gate = 0;
  d_output.resize(output.rows(), output.cols());
  for (Eigen::Index token = 0; token < output.rows(); ++token) {
    for (Eigen::Index col = 0; col < output.cols(); ++col) {
      const T d = d_concat(token, first_col + col);
      d_gate += d * output(token, col);
      d_output(token, col) = d * gate;
    }
  }
}

/// A masked weight is 0 whatever the values are, so nothing flows back through it, however large V is there.
template <class T>
void forbid(const MayAttend& allowed, Matrix<T>& d_pattern) {
  for (Eigen::Index i = 0; i < allowed.size(); ++i) {
    if (allowed.data()[i] == 0) d_pattern.data()[i] = 0;
  }
}

template <class T>
void softmax_backward(const Matrix<T>& pattern, const Matrix<T>& d_pattern, Matrix<T>& d_masked) {
  d_masked.resize(pattern.rows(), pattern.cols());
  const Eigen::Index n_k = pattern.cols();
  for (Eigen::Index query = 0; query < pattern.rows(); ++query) {
    const Eigen::Index row = query * n_k;
    softmax_row_backward(pattern.data() + row, d_pattern.data() + row, n_k, d_masked.data() + row);
  }
}

template <class T>
void scale_backward(const Matrix<T>& d_scaled, const Config& config, Matrix<T>& d_scores) {
  d_scores.resize(d_scaled.rows(), d_scaled.cols());
  if (config.scale) {
    const T factor = static_cast<T>(*config.scale);
    for (Eigen::Index i = 0; i < d_scaled.size(); ++i) d_scores.data()[i] = d_scaled.data()[i] * factor;
  } else {
    const T divisor = std::sqrt(static_cast<T>(config.d_k));
    for (Eigen::Index i = 0; i < d_scaled.size(); ++i) d_scores.data()[i] = d_scaled.data()[i] / divisor;
  }
}

/// From a head's d_output, and what else its pattern changes (or null), to its d_Q, d_K and d_V.
template <class T>
void attend_backward(const Config& config, const MayAttend& allowed, const HeadTrace<T>& head,
                     const Matrix<T>* d_pattern, HeadTrace<T>& d_head) {
  transposed_multiply(head.pattern, d_head.output, d_head.V);
  multiply_transposed(d_head.output, head.V, d_head.pattern);
  if (d_pattern != nullptr) add(*d_pattern, d_head.pattern);
  forbid(allowed, d_head.pattern);
  softmax_backward(head.pattern, d_head.pattern, d_head.masked);
  d_head.scaled = d_head.masked;  // masked is scaled plus a constant, or a constant, and then d_masked is 0
  scale_backward(d_head.scaled, config, d_head.scores);
  multiply(d_head.scores, head.K, d_head.Q);
  transposed_multiply(d_head.scores, head.Q, d_head.K);
}

template <class T>
void set_zero_like(const Weights<T>& weights, Weights<T>& d_weights) {
  d_weights.heads.resize(weights.heads.size());
  for (std::size_t i = 0; i < weights.heads.size(); ++i) {
    const HeadWeights<T>& head = weights.heads[i];
    d_weights.heads[i] = {zeros_like(head.W_Q),
                          zeros_like(head.W_K),
                          zeros_like(head.W_V),
                          zeros_like(head.b_Q),
                          zeros_like(head.b_K),
                          zeros_like(head.b_V),
                          0};
  }
  d_weights.W_O = zeros_like(weights.W_O);
  d_weights.b_O = zeros_like(weights.b_O);
}

template <class T>
void add(const Weights<T>& from, Weights<T>& to) {
  for (std::size_t i = 0; i < to.heads.size(); ++i) {
    for (const auto matrix : {&HeadWeights<T>::W_Q, &HeadWeights<T>::W_K, &HeadWeights<T>::W_V, &HeadWeights<T>::b_Q,
                              &HeadWeights<T>::b_K, &HeadWeights<T>::b_V}) {
      add(from.heads[i].*matrix, to.heads[i].*matrix);
    }
    to.heads[i].gate += from.heads[i].gate;
  }
  add(from.W_O, to.W_O);
  add(from.b_O, to.b_O);
}

}  // namespace

template <class T>
void backward(const Config& config, const Input<T>& input, const Weights<T>& weights, const Trace<T>& trace,
              const Matrix<T>& d_output, Gradients<T>& gradients, const std::vector<Matrix<T>>* d_patterns) {
  assert(validate(config, input, weights).empty());
  assert(trace.heads.size() == weights.heads.size());
  assert(d_patterns == nullptr || d_patterns->size() == weights.heads.size());
  assert(d_output.rows() == config.n_q && d_output.cols() == config.d_model);
  const bool self = is_self_attention(input);
  const Matrix<T>& keys_from = self ? input.X : input.X_kv;
  const MayAttend allowed = allowed_pairs(input);

  Trace<T>& d_trace = gradients.d_trace;
  Weights<T>& d_weights = gradients.d_weights;
  d_trace.heads.resize(weights.heads.size());
  d_weights.heads.resize(weights.heads.size());
  gradients.d_X = zeros_like(input.X);
  gradients.d_X_kv = zeros_like(input.X_kv);
  gradients.d_additive_mask = zeros_like(input.additive_mask);
  Matrix<T>& d_keys_from = self ? gradients.d_X : gradients.d_X_kv;

  d_trace.output = d_output;
  d_trace.concat = Matrix<T>::Zero(config.n_q, config.h * config.d_v);
  project_backward(trace.concat, weights.W_O, weights.b_O, d_trace.output, d_weights.W_O, d_weights.b_O,
                   d_trace.concat);

  // Sums over the heads run from the first to the last, and in each head d_X takes Q's, K's and V's part in turn.
  for (std::size_t i = 0; i < weights.heads.size(); ++i) {
    const HeadWeights<T>& weight = weights.heads[i];
    HeadWeights<T>& d_weight = d_weights.heads[i];
    HeadTrace<T>& d_head = d_trace.heads[i];
    gate_backward(trace.heads[i].output, weight.gate, d_trace.concat, static_cast<Eigen::Index>(i) * config.d_v,
                  d_weight.gate, d_head.output);
    attend_backward(config, allowed, trace.heads[i], d_patterns == nullptr ? nullptr : &(*d_patterns)[i], d_head);
    if (input.additive_mask.size() > 0) add(d_head.masked, gradients.d_additive_mask);
    project_backward(input.X, weight.W_Q, weight.b_Q, d_head.Q, d_weight.W_Q, d_weight.b_Q, gradients.d_X);
    project_backward(keys_from, weight.W_K, weight.b_K, d_head.K, d_weight.W_K, d_weight.b_K, d_keys_from);
    project_backward(keys_from, weight.W_V, weight.b_V, d_head.V, d_weight.W_V, d_weight.b_V, d_keys_from);
  }
}

template <class T>
void backward(const Config& config, const std::vector<Input<T>>& batch, const Weights<T>& weights,
              const std::vector<Trace<T>>& traces, const std::vector<Matrix<T>>& d_outputs,
              std::vector<Gradients<T>>& gradients, Weights<T>& d_weights) {
  assert(traces.size() == batch.size() && d_outputs.size() == batch.size());
  gradients.resize(batch.size());
  set_zero_like(weights, d_weights);
  for (std::size_t i = 0; i < batch.size(); ++i) {
    backward(config, batch[i], weights, traces[i], d_outputs[i], gradients[i]);
    add(gradients[i].d_weights, d_weights);
  }
}

template void backward(const Config&, const Input<float>&, const Weights<float>&, const Trace<float>&,
                       const Matrix<float>&, Gradients<float>&, const std::vector<Matrix<float>>*);
template void backward(const Config&, const Input<double>&, const Weights<double>&, const Trace<double>&,
                       const Matrix<double>&, Gradients<double>&, const std::vector<Matrix<double>>*);
template void backward(const Config&, const std::vector<Input<float>>&, const Weights<float>&,
                       const std::vector<Trace<float>>&, const std::vector<Matrix<float>>&,
                       std::vector<Gradients<float>>&, Weights<float>&);
template void backward(const Config&, const std::vector<Input<double>>&, const Weights<double>&,
                       const std::vector<Trace<double>>&, const std::vector<Matrix<double>>&,
                       std::vector<Gradients<double>>&, Weights<double>&);

}  // namespace attention
