// What the engine computes with besides arithmetic.hpp: the reference product, rows of softmax and the masks together.
// The rules of arithmetic.hpp hold here too: every sum runs in index order, so that all builds give the same bits.
#pragma once

#include "attention/arithmetic.hpp"

namespace attention {

/// The three loops that `multiply` must agree with to the bit, and through it the two that turn a factor first.
template <class T>
void multiply_reference(const Matrix<T>& a, const Matrix<T>& b, Matrix<T>& out);

/// One row of softmax over keys (Vaswani et al. 2017, eq. 1): out[i] = exp(row[i] - max) / Σ exp(row[j] - max) over
/// the keys with may_attend[j] != 0 (nullptr: all). The others get exactly 0 and take no part, so no finite
/// stand-in for -infinity is needed. Nothing allowed: all zeros. `out` may be `row`.
template <class T>
void softmax_row(const T* row, const std::uint8_t* may_attend, Eigen::Index n, T* out);

/// Back through one row of softmax: d_row[i] = pattern[i] (d_pattern[i] - Σ d_pattern[j] pattern[j]). Where a weight is
/// 0 (masked, or too small for T) d_pattern isn't looked at and d_row is exactly 0. `d_row` may be `d_pattern`.
template <class T>
void softmax_row_backward(const T* pattern, const T* d_pattern, Eigen::Index n, T* d_row);

/// What both masks allow together, (n_q, n_k); empty: everything.
template <class T>
MayAttend allowed_pairs(const Input<T>& input);

}  // namespace attention
