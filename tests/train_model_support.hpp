// What the tests of the model share: random shapes, parameters and batches, a plain model in long double, and a hash.
#pragma once

#include "train/model.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace train_model_test {

using train::Matrix;
using train::Options;
using train::Parameters;
using train::Random;
using train::Sequence;
using train::Shape;
using train::Trainer;
using train::Workspace;

inline double between(Random& random, double low, double high) { return low + (high - low) * random.unit(); }
inline bool coin(Random& random) { return random.below(2) == 1; }

/// The smallest widths that are allowed, and every switch on as often as off.
inline Shape random_shape(Random& random) {
  Shape shape;
  shape.vocabulary = 5 + random.below(5);
  shape.longest = 5 + random.below(3);
  shape.layers = 1 + random.below(3);
  shape.d_model = 16 + 2 * random.below(3);
  shape.heads = shape.d_model == 18 ? 1 + random.below(3) : coin(random) ? 4 : 2;
  for (bool* flag : {&shape.feed_forward, &shape.biases, &shape.tied, &shape.causal, &shape.inert_sink}) {
    *flag = coin(random);
  }
  return shape;
}

/// Everything different from what training begins with: gains aren't 1, and biases aren't 0.
template <class T>
Parameters<T> uneven_parameters(const Shape& shape, std::uint64_t seed) {
  Random random{seed};
  Parameters<T> made = train::zeros<T>(shape);
  train::for_each(made, [&](const std::string& name, Matrix<T>& matrix) {
    const bool is_gain = name.ends_with("gain");
    for (Eigen::Index i = 0; i < matrix.size(); ++i) {
      matrix.data()[i] = static_cast<T>(is_gain ? between(random, 0.5, 1.5) : between(random, -0.5, 0.5));
    }
  });
  return made;
}

/// Sequences of several lengths; behind the shorter ones stands padding that is no word at all.
inline std::vector<Sequence> random_batch(const Shape& shape, int sequences, Random& random) {
  std::vector<Sequence> batch(static_cast<std::size_t>(sequences));
  for (Sequence& sequence : batch) {
    const int n = 2 + random.below(shape.longest - 1);
    for (int i = 0; i < n; ++i) {
      sequence.tokens.push_back(random.below(shape.vocabulary));
      sequence.targets.push_back(i == 1 || coin(random) ? random.below(shape.vocabulary) : train::kNoTarget);
    }
    if (!coin(random)) continue;
    sequence.length = n;
    sequence.tokens.insert(sequence.tokens.end(), 2, -7);
    sequence.targets.insert(sequence.targets.end(), 2, 99999);
  }
  return batch;
}

// ---------------------------------------------------------------- the plain model

using Number = long double;
using Row = std::vector<Number>;
using Rows = std::vector<Row>;

inline Rows plain_product(const Rows& a, const Matrix<double>& b, const Matrix<double>& bias) {
  Rows out;
  for (const Row& row : a) {
    Row made;
    for (Eigen::Index j = 0; j < b.cols(); ++j) {
      Number sum = bias.size() > 0 ? bias(0, j) : 0;
      for (Eigen::Index k = 0; k < b.rows(); ++k) sum += row[static_cast<std::size_t>(k)] * b(k, j);
      made.push_back(sum);
    }
    out.push_back(made);
  }
  return out;
}

inline Rows plain_norm(const Rows& x, const train::Norm<double>& norm) {
  Rows out = x;
  for (Row& row : out) {
    const Number n = static_cast<Number>(row.size());
    Number mean = 0, variance = 0;
    for (const Number number : row) mean += number / n;
    for (const Number number : row) variance += (number - mean) * (number - mean) / n;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const Eigen::Index col = static_cast<Eigen::Index>(i);
      row[i] = (row[i] - mean) / std::sqrt(variance + Number(1e-5)) * norm.gain(0, col) + norm.bias(0, col);
    }
  }
  return out;
}

inline void plain_add(const Rows& from, Rows& to) {
  for (std::size_t i = 0; i < to.size(); ++i) {
    for (std::size_t j = 0; j < to[i].size(); ++j) to[i][j] += from[i][j];
  }
}

/// Scores, softmax and values of one head, query by query; `away` takes (1 - weight on token 0).
inline Rows plain_head(const Shape& shape, const Rows& q, const Rows& k, const Rows& v, Number& away) {
  Rows out;
  for (std::size_t i = 0; i < q.size(); ++i) {
    Row weights(k.size(), 0);
    Number sum = 0;
    for (std::size_t j = 0; j < k.size(); ++j) {
      if ((shape.causal && j > i) || (shape.inert_sink && i == 0 && j > 0)) continue;
      Number score = 0;
      for (std::size_t d = 0; d < q[i].size(); ++d) score += q[i][d] * k[j][d];
      weights[j] = std::exp(score / std::sqrt(static_cast<Number>(q[i].size())));
      sum += weights[j];
    }
    Row mixed(v[0].size(), 0);
    for (std::size_t j = 0; j < k.size(); ++j) {
      for (std::size_t d = 0; d < mixed.size(); ++d) mixed[d] += weights[j] / sum * v[j][d];
    }
    away += 1 - weights[0] / sum;
    out.push_back(mixed);
  }
  return out;
}

/// Logits from the formulas, head by head and cell by cell.
inline Rows plain_logits(const Shape& shape, const Parameters<double>& p, const std::vector<int>& tokens, std::size_t n,
                         Number& away) {
  Rows x;
  for (std::size_t i = 0; i < n; ++i) {
    Row row;
    for (int d = 0; d < shape.d_model; ++d) {
      row.push_back(Number(p.embedding(tokens[i], d)) + p.positions(static_cast<Eigen::Index>(i), d));
    }
    x.push_back(row);
  }
  for (const train::Layer<double>& layer : p.layers) {
    const Rows normed = plain_norm(x, layer.norm_1);
    Rows side_by_side(n);
    for (const attention::HeadWeights<double>& head : layer.attention.heads) {
      const Rows made =
          plain_head(shape, plain_product(normed, head.W_Q, head.b_Q), plain_product(normed, head.W_K, head.b_K),
                     plain_product(normed, head.W_V, head.b_V), away);
      for (std::size_t i = 0; i < n; ++i) side_by_side[i].insert(side_by_side[i].end(), made[i].begin(), made[i].end());
    }
    plain_add(plain_product(side_by_side, layer.attention.W_O, layer.attention.b_O), x);
    if (!shape.feed_forward) continue;
    Rows hidden = plain_product(plain_norm(x, layer.norm_2), layer.W_1, layer.b_1);
    for (Row& row : hidden) {
      for (Number& number : row) number = number > 0 ? number : 0;
    }
    plain_add(plain_product(hidden, layer.W_2, layer.b_2), x);
  }
  const Matrix<double> words = shape.tied ? p.embedding : p.unembedding;
  return plain_product(plain_norm(x, p.norm), Matrix<double>(words.transpose()), p.output_bias);
}

struct PlainLoss {
  Number cross_entropy = 0, sink = 0;
};

inline PlainLoss plain_loss(const Shape& shape, const Parameters<double>& p, const std::vector<Sequence>& batch,
                            double sink_penalty) {
  Number sum = 0, away = 0, targets = 0, tokens = 0;
  for (const Sequence& sequence : batch) {
    const std::size_t n = sequence.length ? static_cast<std::size_t>(*sequence.length) : sequence.tokens.size();
    const Rows logits = plain_logits(shape, p, sequence.tokens, n, away);
    tokens += static_cast<Number>(n);
    for (std::size_t i = 0; i < n; ++i) {
      if (sequence.targets[i] == train::kNoTarget) continue;
      Number all = 0;
      for (const Number logit : logits[i]) all += std::exp(logit);
      sum += std::log(all) - logits[i][static_cast<std::size_t>(sequence.targets[i])];
      targets += 1;
    }
  }
  return {sum / targets, Number(sink_penalty) * away / tokens};
}

// ---------------------------------------------------------------- hashes

/// FNV-1a over the bytes of numbers, low byte first.
struct Hash {
  std::uint64_t state = 0xcbf29ce484222325u;
  void add(double number) {
    std::uint64_t bits = std::bit_cast<std::uint64_t>(number);
    for (int byte = 0; byte < 8; ++byte, bits >>= 8) state = (state ^ (bits & 0xffu)) * 0x100000001b3u;
  }
  template <class T>
  void add(const Parameters<T>& parameters) {
    for (const Matrix<T>* matrix : train::matrices_of(parameters)) {
      for (Eigen::Index i = 0; i < matrix->size(); ++i) add(static_cast<double>(matrix->data()[i]));
    }
  }
};

}  // namespace train_model_test
