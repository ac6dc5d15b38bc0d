// Matrix products and rows of softmax whose every sum runs in index order, so that all builds give the same bits.
//
// Eigen's products (and any BLAS) split and re-associate sums by machine; these don't. Each output starts at +0 and
// adds a(i, 0) b(0, j), a(i, 1) b(1, j), … one after the other, multiply and add rounded separately. SIMD works on
// several outputs at once, never on parts of one sum. Build with -ffp-contract=off, or the compiler may fuse.
#pragma once

#include "attention/attention.hpp"

namespace attention {

/// out = a b; (m, k) (k, n) → (m, n). `out` must be neither a nor b (asserted).
template <class T>
void multiply(const Matrix<T>& a, const Matrix<T>& b, Matrix<T>& out);

/// out = a bᵀ; (m, k) (n, k) → (m, n).
template <class T>
void multiply_transposed(const Matrix<T>& a, const Matrix<T>& b, Matrix<T>& out);

/// out = aᵀ b; (k, m) (k, n) → (m, n). The sums run over the rows of both: over tokens, in the backward pass.
template <class T>
void transposed_multiply(const Matrix<T>& a, const Matrix<T>& b, Matrix<T>& out);

/// The three loops that `multiply` must agree with to the bit, and through it the two above.
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
