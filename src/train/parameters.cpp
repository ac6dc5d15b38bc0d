// What a model learns: matrices in the sizes of a shape, drawn at random, counted and compared.
#include "train/model.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace train {
namespace {

template <class T>
Matrix<T> zero(int rows, int cols) {
  return Matrix<T>::Zero(rows, cols);
}

template <class T>
Norm<T> zero_norm(int width) {
  return {zero<T>(1, width), zero<T>(1, width)};
}

template <class T>
void fill(Matrix<T>& matrix, double deviation, Random& random) {
  for (Eigen::Index i = 0; i < matrix.size(); ++i) matrix.data()[i] = static_cast<T>(deviation * random.bell());
}

template <class T>
void fill_weight(Matrix<T>& matrix, double factor, Random& random) {
  if (matrix.size() > 0) fill(matrix, factor / std::sqrt(static_cast<double>(matrix.rows())), random);
}

template <class T>
std::vector<T> gates_of(const Parameters<T>& parameters) {
  std::vector<T> gates;
  for (const Layer<T>& layer : parameters.layers) {
    for (const attention::HeadWeights<T>& head : layer.attention.heads) gates.push_back(head.gate);
  }
  return gates;
}

}  // namespace

template <class T>
Parameters<T> zeros(const Shape& shape) {
  assert(validate(shape).empty());
  const int d_model = shape.d_model, d_k = d_model / shape.heads, d_ff = 4 * d_model;
  Parameters<T> made;
  made.embedding = zero<T>(shape.vocabulary, d_model);
  made.positions = zero<T>(shape.longest, d_model);
  made.layers.resize(static_cast<std::size_t>(shape.layers));
  for (Layer<T>& layer : made.layers) {
    layer.norm_1 = zero_norm<T>(d_model);
    layer.attention.heads.resize(static_cast<std::size_t>(shape.heads));
    for (attention::HeadWeights<T>& head : layer.attention.heads) {
      for (Matrix<T>* weight : {&head.W_Q, &head.W_K, &head.W_V}) *weight = zero<T>(d_model, d_k);
      if (!shape.biases) continue;
      for (Matrix<T>* bias : {&head.b_Q, &head.b_K, &head.b_V}) *bias = zero<T>(1, d_k);
    }
    layer.attention.W_O = zero<T>(d_model, d_model);
    if (shape.biases) layer.attention.b_O = zero<T>(1, d_model);
    if (!shape.feed_forward) continue;
    layer.norm_2 = zero_norm<T>(d_model);
    layer.W_1 = zero<T>(d_model, d_ff);
    layer.W_2 = zero<T>(d_ff, d_model);
    if (!shape.biases) continue;
    layer.b_1 = zero<T>(1, d_ff);
    layer.b_2 = zero<T>(1, d_model);
  }
  made.norm = zero_norm<T>(d_model);
  if (!shape.tied) made.unembedding = zero<T>(shape.vocabulary, d_model);
  if (shape.biases) made.output_bias = zero<T>(1, shape.vocabulary);
  return made;
}

template <class T>
Parameters<T> random_parameters(const Shape& shape, Random& random) {
  constexpr double kWordDeviation = 0.1;
  Parameters<T> made = zeros<T>(shape);
  fill(made.embedding, kWordDeviation, random);
  fill(made.positions, kWordDeviation, random);
  for (Layer<T>& layer : made.layers) {
    layer.norm_1.gain.setOnes();
    for (attention::HeadWeights<T>& head : layer.attention.heads) {
      fill_weight(head.W_Q, 1, random);
      fill_weight(head.W_K, 1, random);
      fill_weight(head.W_V, 1, random);
    }
    fill_weight(layer.attention.W_O, 0.5, random);
    layer.norm_2.gain.setOnes();
    fill_weight(layer.W_1, 1, random);
    fill_weight(layer.W_2, 0.5, random);
  }
  made.norm.gain.setOnes();
  fill(made.unembedding, kWordDeviation, random);
  return made;
}

std::int64_t count_parameters(const Shape& shape) {
  const std::int64_t d = shape.d_model, words = shape.vocabulary, biases = shape.biases ? 1 : 0;
  const std::int64_t attention = 4 * d * d + biases * 4 * d;
  const std::int64_t feed_forward = shape.feed_forward ? 2 * d + 8 * d * d + biases * 5 * d : 0;
  return words * d * (shape.tied ? 1 : 2) + shape.longest * d + shape.layers * (2 * d + attention + feed_forward) +
         2 * d + biases * words;
}

template <class T>
bool operator==(const Parameters<T>& a, const Parameters<T>& b) {
  const auto in_a = matrices_of(a), in_b = matrices_of(b);
  const bool same_numbers =
      std::equal(in_a.begin(), in_a.end(), in_b.begin(), in_b.end(), [](const Matrix<T>* x, const Matrix<T>* y) {
        return x->rows() == y->rows() && x->cols() == y->cols() &&
               std::equal(x->data(), x->data() + x->size(), y->data());
      });
  return same_numbers && gates_of(a) == gates_of(b);
}

template Parameters<float> zeros(const Shape&);
template Parameters<double> zeros(const Shape&);
template Parameters<float> random_parameters(const Shape&, Random&);
template Parameters<double> random_parameters(const Shape&, Random&);
template bool operator==(const Parameters<float>&, const Parameters<float>&);
template bool operator==(const Parameters<double>&, const Parameters<double>&);

}  // namespace train
