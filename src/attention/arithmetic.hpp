// The arithmetic that has the same bits everywhere, for the modules that compute beside the engine: matrix products
// whose every sum runs in index order, and an exponential and a logarithm of our own.
//
// Eigen's products (and any BLAS) split and re-associate sums by machine; these don't. Each output starts at +0 and
// adds a(i, 0) b(0, j), a(i, 1) b(1, j), … one after the other, multiply and add rounded separately. SIMD works on
// several outputs at once, never on parts of one sum. Build with -ffp-contract=off, or the compiler may fuse.
#pragma once

#include "attention/attention.hpp"
#include "attention/exponential.hpp"
#include "attention/logarithm.hpp"

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

}  // namespace attention
