// What the tests of figures share: small matrices written out, and patterns.
#pragma once

#include "attention/analysis.hpp"
#include "attention_support.hpp"

#include <algorithm>
#include <initializer_list>
#include <utility>
#include <vector>

namespace attention_test {

using Rows = std::initializer_list<std::initializer_list<double>>;
using Values = std::vector<double>;

template <class T = double>
Matrix<T> matrix(Rows rows) {
  Matrix<T> out(static_cast<Eigen::Index>(rows.size()), static_cast<Eigen::Index>(rows.begin()->size()));
  Eigen::Index i = 0;
  for (const auto& row : rows) {
    for (const double value : row) out.data()[i++] = static_cast<T>(value);
  }
  return out;
}

/// Within 1e-12, of the value where that is large.
inline doctest::Approx about(double value) { return doctest::Approx(value).epsilon(1e-12); }

/// Columns in another order, the same for every row.
inline Matrix<double> turned_keys(const Matrix<double>& pattern) {
  Matrix<double> out(pattern.rows(), pattern.cols());
  for (Eigen::Index key = 0; key < out.cols(); ++key) out.col(key) = pattern.col((key * 2 + 1) % out.cols());
  return out;  // a permutation where the number of keys is odd
}

inline Matrix<double> uniform(int n_q, int n_k) { return Matrix<double>::Constant(n_q, n_k, 1.0 / n_k); }

}  // namespace attention_test
