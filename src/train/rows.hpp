// Sums of matrices and of their rows, forward and back. Each number for itself or in order of the rows.
#pragma once

#include "attention/attention.hpp"

#include <cassert>
#include <cmath>

namespace train {

template <class T>
void add(const attention::Matrix<T>& from, attention::Matrix<T>& to) {
  assert(from.rows() == to.rows() && from.cols() == to.cols());
  for (Eigen::Index i = 0; i < to.size(); ++i) to.data()[i] += from.data()[i];
}

template <class T>
bool all_finite(const attention::Matrix<T>& matrix) {
  for (Eigen::Index i = 0; i < matrix.size(); ++i) {
    if (!std::isfinite(matrix.data()[i])) return false;
  }
  return true;
}

/// No bias: nothing.
template <class T>
void add_bias(const attention::Matrix<T>& bias, attention::Matrix<T>& matrix) {
  if (bias.size() == 0) return;
  for (Eigen::Index row = 0; row < matrix.rows(); ++row) {
    for (Eigen::Index i = 0; i < matrix.cols(); ++i) matrix(row, i) += bias(0, i);
  }
}

/// A bias is added to every row, so every row adds to its derivative. No bias: none.
template <class T>
void add_bias_backward(const attention::Matrix<T>& d_out, attention::Matrix<T>& d_bias) {
  if (d_bias.size() == 0) return;
  for (Eigen::Index row = 0; row < d_out.rows(); ++row) {
    for (Eigen::Index i = 0; i < d_out.cols(); ++i) d_bias(0, i) += d_out(row, i);
  }
}

}  // namespace train
