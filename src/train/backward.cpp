// The loss of a batch and its way back: forward.cpp read from its last line to its first, sequence by sequence.
//
// The stream runs through the model unbroken, and every sub-layer adds to it: so does each to its derivative, d_stream.
#include "attention/arithmetic.hpp"
#include "train/loss.hpp"
#include "train/norm.hpp"
#include "train/rows.hpp"

#include <cassert>
#include <limits>

namespace train {
namespace {

using Eigen::Index;

/// d_weight += fromᵀ d_out, by way of `room`: each sequence's sum first, then the sum over the batch.
template <class T>
void weight_backward(const Matrix<T>& from, const Matrix<T>& d_out, Matrix<T>& room, Matrix<T>& d_weight) {
  attention::transposed_multiply(from, d_out, room);
  add(room, d_weight);
}

template <class T>
void output_backward(const Shape& shape, const Parameters<T>& parameters, Workspace<T>& at) {
  const Matrix<T>& words = shape.tied ? parameters.embedding : parameters.unembedding;
  weight_backward(at.d_logits, at.trace.last, at.d_weight,
                  shape.tied ? at.gradients.embedding : at.gradients.unembedding);
  add_bias_backward(at.d_logits, at.gradients.output_bias);
  attention::multiply(at.d_logits, words, at.d_branch);
  normalise_backward(parameters.norm, at.trace.norm, at.d_branch, at.gradients.norm, at.d_stream);
}

template <class T>
void feed_forward_backward(const Layer<T>& layer, const LayerTrace<T>& trace, Layer<T>& d_layer, Workspace<T>& at) {
  weight_backward(trace.hidden, at.d_stream, at.d_weight, d_layer.W_2);
  add_bias_backward(at.d_stream, d_layer.b_2);
  attention::multiply_transposed(at.d_stream, layer.W_2, at.d_hidden);
  for (Index i = 0; i < at.d_hidden.size(); ++i) {
    if (trace.hidden.data()[i] == 0) at.d_hidden.data()[i] = 0;  // at and below ReLU's edge
  }
  weight_backward(trace.fed, at.d_hidden, at.d_weight, d_layer.W_1);
  add_bias_backward(at.d_hidden, d_layer.b_1);
  attention::multiply_transposed(at.d_hidden, layer.W_1, at.d_branch);
  normalise_backward(layer.norm_2, trace.norm_2, at.d_branch, d_layer.norm_2, at.d_normed);
  add(at.d_normed, at.d_stream);
}

/// `d_sink`: dL / d pattern(i, 0), the same for all queries i and heads.
template <class T>
void attention_backward(const Shape& shape, const Layer<T>& layer, const LayerTrace<T>& trace, T d_sink,
                        Layer<T>& d_layer, Workspace<T>& at) {
  const Index n = at.d_stream.rows();
  if (d_sink != 0) {
    at.d_patterns.resize(layer.attention.heads.size());
    for (Matrix<T>& d_pattern : at.d_patterns) {
      d_pattern.setZero(n, n);
      d_pattern.col(0).setConstant(d_sink);
    }
  }
  attention::backward(attention_config(shape, static_cast<int>(n)), trace.input, layer.attention, trace.attention,
                      at.d_stream, at.attention, d_sink != 0 ? &at.d_patterns : nullptr);
  const attention::Weights<T>& from = at.attention.d_weights;
  attention::Weights<T>& to = d_layer.attention;
  for (std::size_t i = 0; i < to.heads.size(); ++i) {
    using Head = attention::HeadWeights<T>;
    for (const auto matrix : {&Head::W_Q, &Head::W_K, &Head::W_V, &Head::b_Q, &Head::b_K, &Head::b_V}) {
      add(from.heads[i].*matrix, to.heads[i].*matrix);
    }
  }
  add(from.W_O, to.W_O);
  add(from.b_O, to.b_O);
  normalise_backward(layer.norm_1, trace.norm_1, at.attention.d_X, d_layer.norm_1, at.d_normed);
  add(at.d_normed, at.d_stream);
}

template <class T>
void embedding_backward(std::span<const int> tokens, Workspace<T>& at) {
  for (Index row = 0; row < at.d_stream.rows(); ++row) {
    const int word = tokens[static_cast<std::size_t>(row)];
    for (Index i = 0; i < at.d_stream.cols(); ++i) {
      at.gradients.embedding(word, i) += at.d_stream(row, i);
      at.gradients.positions(row, i) += at.d_stream(row, i);
    }
  }
}

template <class T>
void sequence_backward(const Shape& shape, const Parameters<T>& parameters, std::span<const int> tokens, T d_sink,
                       Workspace<T>& at) {
  output_backward(shape, parameters, at);
  for (std::size_t i = parameters.layers.size(); i-- > 0;) {
    const Layer<T>& layer = parameters.layers[i];
    const LayerTrace<T>& trace = at.trace.layers[i];
    Layer<T>& d_layer = at.gradients.layers[i];
    if (shape.feed_forward) feed_forward_backward(layer, trace, d_layer, at);
    attention_backward(shape, layer, trace, d_sink, d_layer, at);
  }
  embedding_backward(tokens, at);
}

/// Sum over layers, heads and tokens of (1 - attention on token 0).
template <class T>
double away_from_sink(const ModelTrace<T>& trace) {
  double sum = 0;
  for (const LayerTrace<T>& layer : trace.layers) {
    for (const attention::HeadTrace<T>& head : layer.attention.heads) {
      for (Index query = 0; query < head.pattern.rows(); ++query)
        sum += 1 - static_cast<double>(head.pattern(query, 0));
    }
  }
  return sum;
}

/// The real tokens.
std::size_t length_of(const Sequence& sequence) {
  return sequence.length ? static_cast<std::size_t>(*sequence.length) : sequence.tokens.size();
}

/// Loss of the batch, and with it the gradients where they are wanted.
template <class T>
Loss run(const Shape& shape, const Parameters<T>& parameters, const std::vector<Sequence>& batch, double sink_penalty,
         bool with_gradients, Workspace<T>& at) {
  assert(validate(shape, batch).empty());
  int targets = 0, tokens = 0;
  for (const Sequence& sequence : batch) {
    const std::size_t length = length_of(sequence);
    tokens += static_cast<int>(length);
    for (std::size_t i = 0; i < length; ++i) targets += sequence.targets[i] == kNoTarget ? 0 : 1;
  }
  const T d_sink = static_cast<T>(-sink_penalty / tokens);
  Loss loss;
  for (const Sequence& sequence : batch) {
    const std::span<const int> real(sequence.tokens.data(), length_of(sequence));
    if (!forward(shape, parameters, real, at.trace)) {
      loss.cross_entropy = std::numeric_limits<double>::quiet_NaN();
      return loss;
    }
    cross_entropy(at.trace.logits, std::span<const int>(sequence.targets.data(), real.size()), 1.0 / targets, loss,
                  with_gradients ? &at.d_logits : nullptr, at.exponentials);
    if (sink_penalty != 0) loss.sink += away_from_sink(at.trace);
    if (with_gradients) sequence_backward(shape, parameters, real, d_sink, at);
  }
  loss.cross_entropy /= targets;
  loss.sink *= sink_penalty / tokens;
  return loss;
}

template <class T>
void set_gradients_zero(const Shape& shape, Workspace<T>& at) {
  if (at.shape == shape) {
    for (Matrix<T>* matrix : matrices_of(at.gradients)) matrix->setZero();
    return;
  }
  at.gradients = zeros<T>(shape);
  at.shape = shape;
}

}  // namespace

template <class T>
Loss evaluate(const Shape& shape, const Parameters<T>& parameters, const std::vector<Sequence>& batch,
              double sink_penalty, Workspace<T>& workspace) {
  return run(shape, parameters, batch, sink_penalty, false, workspace);
}

template <class T>
Loss backward(const Shape& shape, const Parameters<T>& parameters, const std::vector<Sequence>& batch,
              double sink_penalty, Workspace<T>& workspace) {
  set_gradients_zero(shape, workspace);
  return run(shape, parameters, batch, sink_penalty, true, workspace);
}

template Loss evaluate(const Shape&, const Parameters<float>&, const std::vector<Sequence>&, double, Workspace<float>&);
template Loss evaluate(const Shape&, const Parameters<double>&, const std::vector<Sequence>&, double,
                       Workspace<double>&);
template Loss backward(const Shape&, const Parameters<float>&, const std::vector<Sequence>&, double, Workspace<float>&);
template Loss backward(const Shape&, const Parameters<double>&, const std::vector<Sequence>&, double,
                       Workspace<double>&);

}  // namespace train
