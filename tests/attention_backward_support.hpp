// What the tests of the backward pass share: problems whose softmax isn't saturated, and every number with its
// derivative beside it.
#pragma once

#include "attention_support.hpp"

#include <array>
#include <utility>

namespace attention_test {

using attention::Gradients;

/// A batch, and the derivative of L by each output: L is the sum of d_outputs[s](i, j) output_s(i, j).
template <class T>
struct Problem {
  Config config;
  std::vector<Input<T>> batch;
  Weights<T> weights;
  std::vector<Matrix<T>> d_outputs;

  Case<T> single(std::size_t i) const { return {config, batch[i], weights}; }
};

/// Sizes from 0 or 1 up, d_k != d_v and h * d_v != d_model as often as not.
inline Config random_sizes(Random& random, bool cross) {
  const int n_q = random.whole(0, 4);
  return {n_q,
          cross ? random.whole(0, 4) : n_q,
          random.whole(1, 4),
          random.whole(1, 3),
          random.whole(1, 3),
          random.whole(1, 3)};
}

/// Numbers up to 0.9, so that every weight of a row counts: where softmax is saturated, a wrong gradient is 0 too.
template <class T>
Problem<T> random_problem(const Config& config, Extras extras, int batch, std::uint64_t seed) {
  Random random(seed);
  Problem<T> made;
  const auto gentle = [](Matrix<T>& matrix) { matrix *= T(0.45); };
  for (int i = 0; i < batch; ++i) {
    Case<T> it = random_case<T>(config, extras, random.bits());
    gentle(it.input.X);
    gentle(it.input.X_kv);
    made.batch.push_back(it.input);
    if (i > 0) continue;
    made.config = it.config;
    made.weights = it.weights;
  }
  for (HeadWeights<T>& head : made.weights.heads) {
    for (const auto matrix : {&HeadWeights<T>::W_Q, &HeadWeights<T>::W_K, &HeadWeights<T>::W_V, &HeadWeights<T>::b_Q,
                              &HeadWeights<T>::b_K, &HeadWeights<T>::b_V}) {
      gentle(head.*matrix);
    }
  }
  gentle(made.weights.W_O);
  gentle(made.weights.b_O);
  for (int i = 0; i < batch; ++i) made.d_outputs.push_back(random.matrix<T>(config.n_q, config.d_model));
  return made;
}

template <class T>
struct Back {
  std::vector<Trace<T>> traces;
  std::vector<Gradients<T>> gradients;
  Weights<T> d_weights;
};

template <class T>
Back<T> backward(const Problem<T>& it) {
  Back<T> made;
  attention::forward(it.config, it.batch, it.weights, made.traces);
  attention::backward(it.config, it.batch, it.weights, made.traces, it.d_outputs, made.gradients, made.d_weights);
  return made;
}

template <class T>
Gradients<T> backward(const Case<T>& it, const Matrix<T>& d_output) {
  Gradients<T> made;
  attention::backward(it.config, it.input, it.weights, forward(it), d_output, made);
  return made;
}

/// visit("W_O[1, 2]", number, derivative) for each number of a matrix, whose derivatives have its shape.
template <class T, class Visit>
void visit_cells(const std::string& name, Matrix<T>& numbers, const Matrix<T>& derivatives, const Visit& visit) {
  INFO(name);
  REQUIRE(numbers.rows() == derivatives.rows());
  REQUIRE(numbers.cols() == derivatives.cols());
  for (Eigen::Index i = 0; i < numbers.rows(); ++i) {
    for (Eigen::Index j = 0; j < numbers.cols(); ++j) {
      visit(name + "[" + std::to_string(i + 1) + ", " + std::to_string(j + 1) + "]", numbers(i, j), derivatives(i, j));
    }
  }
}

template <class T, class Visit>
void visit_weights(Weights<T>& weights, const Weights<T>& d_weights, const Visit& visit) {
  using Head = HeadWeights<T>;
  constexpr std::array<std::pair<const char*, Matrix<T> Head::*>, 6> kMatrices = {{{"W_Q", &Head::W_Q},
                                                                                   {"W_K", &Head::W_K},
                                                                                   {"W_V", &Head::W_V},
                                                                                   {"b_Q", &Head::b_Q},
                                                                                   {"b_K", &Head::b_K},
                                                                                   {"b_V", &Head::b_V}}};
  REQUIRE(weights.heads.size() == d_weights.heads.size());
  for (std::size_t i = 0; i < weights.heads.size(); ++i) {
    const std::string name = "head " + std::to_string(i + 1) + " ";
    for (const auto& [key, matrix] : kMatrices) {
      visit_cells(name + key, weights.heads[i].*matrix, d_weights.heads[i].*matrix, visit);
    }
    visit(name + "gate", weights.heads[i].gate, d_weights.heads[i].gate);
  }
  visit_cells("W_O", weights.W_O, d_weights.W_O, visit);
  visit_cells("b_O", weights.b_O, d_weights.b_O, visit);
}

template <class T, class Visit>
void visit_input(Input<T>& input, const Gradients<T>& gradients, const Visit& visit) {
  visit_cells("X", input.X, gradients.d_X, visit);
  visit_cells("X_kv", input.X_kv, gradients.d_X_kv, visit);
  visit_cells("additive_mask", input.additive_mask, gradients.d_additive_mask, visit);
}

template <class T, class Visit>
void visit_trace(Trace<T>& trace, const Trace<T>& d_trace, const Visit& visit) {
  using Head = HeadTrace<T>;
  constexpr std::array<std::pair<const char*, Matrix<T> Head::*>, 8> kMatrices = {{{"Q", &Head::Q},
                                                                                   {"K", &Head::K},
                                                                                   {"V", &Head::V},
                                                                                   {"scores", &Head::scores},
                                                                                   {"scaled", &Head::scaled},
                                                                                   {"masked", &Head::masked},
                                                                                   {"pattern", &Head::pattern},
                                                                                   {"head", &Head::output}}};
  REQUIRE(trace.heads.size() == d_trace.heads.size());
  for (std::size_t i = 0; i < trace.heads.size(); ++i) {
    for (const auto& [key, matrix] : kMatrices) {
      visit_cells("head " + std::to_string(i + 1) + " " + key, trace.heads[i].*matrix, d_trace.heads[i].*matrix, visit);
    }
  }
  visit_cells("concat", trace.concat, d_trace.concat, visit);
  visit_cells("output", trace.output, d_trace.output, visit);
}

/// All derivatives of one sequence, trace, weights and input, in one fixed order.
template <class T>
std::vector<T> all_of(Gradients<T> gradients) {
  std::vector<T> all;
  const Gradients<T> same = gradients;
  const auto keep = [&](const std::string&, T& number, T) { all.push_back(number); };
  visit_trace(gradients.d_trace, same.d_trace, keep);
  visit_weights(gradients.d_weights, same.d_weights, keep);
  for (auto* matrix : {&gradients.d_X, &gradients.d_X_kv, &gradients.d_additive_mask}) {
    visit_cells("", *matrix, *matrix, keep);
  }
  return all;
}

template <class T>
bool all_finite(const std::vector<T>& numbers) {
  for (const T number : numbers) {
    if (!std::isfinite(number)) return false;
  }
  return true;
}
template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  bool same = a.size() == b.size();
  for (std::size_t i = 0; same && i < a.size(); ++i) same = same_bits(a[i], b[i]);
  return same;
}

/// |a - b| / max(1, |a|, |b|): relative for what is large, absolute for what is small.
inline double relative_error(double a, double b) {
  const double error = std::fabs(a - b) / std::fmax(1, std::fmax(std::fabs(a), std::fabs(b)));
  return std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
}

/// The largest relative error so far, and where.
struct WorstGradient {
  double error = 0, largest = 0;  // largest: of the derivatives, to see that they aren't all 0
  long count = 0;
  std::string cell = "nowhere";

  void compare(const std::string& name, double found, double wanted) {
    ++count;
    largest = std::fmax(largest, std::fabs(wanted));
    const double here = relative_error(found, wanted);
    if (here <= error) return;
    error = here;
    cell = name + " = " + std::to_string(found) + ", wanted " + std::to_string(wanted);
  }
};

}  // namespace attention_test
