// The model's forward pass, from words to logits, keeping every intermediate.
#include "attention/arithmetic.hpp"
#include "train/norm.hpp"
#include "train/rows.hpp"

#include <cassert>

namespace train {
namespace {

using attention::MayAttend;
using Eigen::Index;

template <class T>
void embed(const Parameters<T>& parameters, std::span<const int> tokens, Matrix<T>& out) {
  const Index width = parameters.embedding.cols();
  out.resize(static_cast<Index>(tokens.size()), width);
  for (Index row = 0; row < out.rows(); ++row) {
    const int word = tokens[static_cast<std::size_t>(row)];
    assert(word >= 0 && word < parameters.embedding.rows());
    for (Index i = 0; i < width; ++i) out(row, i) = parameters.embedding(word, i) + parameters.positions(row, i);
  }
}

/// Empty where every token may attend to every token.
void set_mask(const Shape& shape, Index n, MayAttend& mask) {
  if (!shape.causal && !shape.inert_sink) {
    mask.resize(0, 0);
    return;
  }
  mask.resize(n, n);
  for (Index query = 0; query < n; ++query) {
    for (Index key = 0; key < n; ++key) {
      const bool later = shape.causal && key > query, out_of_sink = shape.inert_sink && query == 0 && key > 0;
      mask(query, key) = later || out_of_sink ? 0 : 1;
    }
  }
}

/// Vaswani et al. 2017, eq. 2: max(0, x W_1 + b_1) W_2 + b_2.
template <class T>
void feed_forward(const Layer<T>& layer, const Matrix<T>& x, Matrix<T>& hidden, Matrix<T>& out) {
  attention::multiply(x, layer.W_1, hidden);
  add_bias(layer.b_1, hidden);
  for (Index i = 0; i < hidden.size(); ++i) {
    if (hidden.data()[i] < 0) hidden.data()[i] = 0;  // NaN stays, and is noticed
  }
  attention::multiply(hidden, layer.W_2, out);
  add_bias(layer.b_2, out);
}

/// False: what attention would take isn't finite, which the engine doesn't accept.
template <class T>
bool layer_forward(const Shape& shape, const Layer<T>& layer, const Matrix<T>& stream, LayerTrace<T>& trace) {
  const int n = static_cast<int>(stream.rows());
  normalise(layer.norm_1, stream, trace.norm_1, trace.input.X);
  if (!all_finite(trace.input.X)) return false;
  set_mask(shape, n, trace.input.may_attend);
  attention::forward(attention_config(shape, n), trace.input, layer.attention, trace.attention);
  trace.between = stream;
  add(trace.attention.output, trace.between);
  if (!shape.feed_forward) {
    trace.output = trace.between;
    return true;
  }
  normalise(layer.norm_2, trace.between, trace.norm_2, trace.fed);
  feed_forward(layer, trace.fed, trace.hidden, trace.output);
  add(trace.between, trace.output);
  return true;
}

}  // namespace

attention::Config attention_config(const Shape& shape, int n) {
  const int d_k = shape.d_model / shape.heads;
  return {n, n, shape.d_model, shape.heads, d_k, d_k};
}

template <class T>
bool forward(const Shape& shape, const Parameters<T>& parameters, std::span<const int> tokens, ModelTrace<T>& trace) {
  assert(parameters.layers.size() == static_cast<std::size_t>(shape.layers));
  assert(!tokens.empty() && tokens.size() <= static_cast<std::size_t>(shape.longest));
  embed(parameters, tokens, trace.embedded);
  trace.layers.resize(parameters.layers.size());
  const Matrix<T>* stream = &trace.embedded;
  for (std::size_t i = 0; i < parameters.layers.size(); ++i) {
    if (!layer_forward(shape, parameters.layers[i], *stream, trace.layers[i])) return false;
    stream = &trace.layers[i].output;
  }
  normalise(parameters.norm, *stream, trace.norm, trace.last);
  attention::multiply_transposed(trace.last, shape.tied ? parameters.embedding : parameters.unembedding, trace.logits);
  add_bias(parameters.output_bias, trace.logits);
  return true;
}

template bool forward(const Shape&, const Parameters<float>&, std::span<const int>, ModelTrace<float>&);
template bool forward(const Shape&, const Parameters<double>&, std::span<const int>, ModelTrace<double>&);

}  // namespace train
