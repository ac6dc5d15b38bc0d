// Matrix products in a fixed order: the readable reference, and tiles of 2 rows by 4 packs of columns.
#include "attention/kernels.hpp"

#include <cassert>

#ifdef __wasm_simd128__
#include <wasm_simd128.h>
#endif

namespace attention {
namespace {

using Eigen::Index;

// A pack is a few neighbouring columns of one row, computed side by side.

template <class T>
struct OneColumn {
  static constexpr Index kWidth = 1;
  T value;
  static OneColumn load(const T* from) { return {*from}; }
  static OneColumn fill(T with) { return {with}; }
  void store(T* to) const { *to = value; }
  OneColumn plus_product(OneColumn a, OneColumn b) const { return {value + a.value * b.value}; }
};

#ifdef __wasm_simd128__
struct FourFloats {
  static constexpr Index kWidth = 4;
  v128_t value;
  static FourFloats load(const float* from) { return {wasm_v128_load(from)}; }
  static FourFloats fill(float with) { return {wasm_f32x4_splat(with)}; }
  void store(float* to) const { wasm_v128_store(to, value); }
  FourFloats plus_product(FourFloats a, FourFloats b) const {
    return {wasm_f32x4_add(value, wasm_f32x4_mul(a.value, b.value))};
  }
};
struct TwoDoubles {
  static constexpr Index kWidth = 2;
  v128_t value;
  static TwoDoubles load(const double* from) { return {wasm_v128_load(from)}; }
  static TwoDoubles fill(double with) { return {wasm_f64x2_splat(with)}; }
  void store(double* to) const { wasm_v128_store(to, value); }
  TwoDoubles plus_product(TwoDoubles a, TwoDoubles b) const {
    return {wasm_f64x2_add(value, wasm_f64x2_mul(a.value, b.value))};
  }
};
template <class T>
struct WidestPack;
template <>
struct WidestPack<float> {
  using Type = FourFloats;
};
template <>
struct WidestPack<double> {
  using Type = TwoDoubles;
};
#ifdef __wasm_relaxed_simd__  // these products round twice all the same: it is the fast layer that uses it
constexpr std::string_view kKernelName = "wasm relaxed simd";
#else
constexpr std::string_view kKernelName = "wasm simd128";
#endif
#else
template <class T>
struct WidestPack {
  using Type = OneColumn<T>;
};
constexpr std::string_view kKernelName = "scalar";
#endif

/// The outputs of kRows rows and kPacks packs of columns, from (row, col) on, kept in registers over k.
template <class Pack, int kRows, int kPacks, class T>
void multiply_tile(const Matrix<T>& a, const Matrix<T>& b, Matrix<T>& out, Index row, Index col) {
  Pack sums[kRows][kPacks];
  for (auto& sums_of_row : sums) {
    for (Pack& sum : sums_of_row) sum = Pack::fill(0);
  }
  const Index depth = a.cols();
  const T* a_row = a.data() + row * depth;
  const T* b_row = b.data() + col;
  for (Index k = 0; k < depth; ++k, b_row += b.cols()) {
    for (int i = 0; i < kRows; ++i) {
      const Pack factor = Pack::fill(a_row[i * depth + k]);
      for (int j = 0; j < kPacks; ++j) {
        sums[i][j] = sums[i][j].plus_product(factor, Pack::load(b_row + j * Pack::kWidth));
      }
    }
  }
  T* out_row = out.data() + row * out.cols() + col;
  for (int i = 0; i < kRows; ++i) {
    for (int j = 0; j < kPacks; ++j) sums[i][j].store(out_row + i * out.cols() + j * Pack::kWidth);
  }
}

/// All columns from `col` on that fill whole tiles; returns the first column left over.
template <class Pack, int kPacks, class T>
Index multiply_columns(const Matrix<T>& a, const Matrix<T>& b, Matrix<T>& out, Index col) {
  constexpr Index kStep = kPacks * Pack::kWidth;
  for (; col + kStep <= b.cols(); col += kStep) {
    Index row = 0;
    for (; row + 2 <= a.rows(); row += 2) multiply_tile<Pack, 2, kPacks>(a, b, out, row, col);
    if (row < a.rows()) multiply_tile<Pack, 1, kPacks>(a, b, out, row, col);
  }
  return col;
}

}  // namespace

// 2 rows by 4 packs, k not unrolled: the fastest shape in V8, others spill registers.
template <class T>
void multiply(const Matrix<T>& a, const Matrix<T>& b, Matrix<T>& out) {
  assert(a.cols() == b.rows() && &out != &a && &out != &b);
  using Pack = typename WidestPack<T>::Type;
  out.resize(a.rows(), b.cols());
  Index col = multiply_columns<Pack, 4>(a, b, out, 0);
  col = multiply_columns<Pack, 1>(a, b, out, col);
  multiply_columns<OneColumn<T>, 1>(a, b, out, col);
}

// Turned round first: then keys are neighbouring columns, and the sums over d_k keep their order.
template <class T>
void multiply_transposed(const Matrix<T>& a, const Matrix<T>& b, Matrix<T>& out) {
  const Matrix<T> b_transposed = b.transpose();
  multiply(a, b_transposed, out);
}

// The same, from the other side: a's columns become rows.
template <class T>
void transposed_multiply(const Matrix<T>& a, const Matrix<T>& b, Matrix<T>& out) {
  const Matrix<T> a_transposed = a.transpose();
  multiply(a_transposed, b, out);
}

template <class T>
void multiply_reference(const Matrix<T>& a, const Matrix<T>& b, Matrix<T>& out) {
  out.resize(a.rows(), b.cols());
  for (Index i = 0; i < a.rows(); ++i) {
    for (Index j = 0; j < b.cols(); ++j) {
      T sum = 0;
      for (Index k = 0; k < a.cols(); ++k) sum += a(i, k) * b(k, j);
      out(i, j) = sum;
    }
  }
}

template <class T>
void softmax_row(const T* row, const std::uint8_t* may_attend, Index n, T* out) {
  const auto allowed = [&](Index i) { return may_attend == nullptr || may_attend[i] != 0; };
  T largest = -std::numeric_limits<T>::infinity();
  for (Index i = 0; i < n; ++i) {
    if (allowed(i) && row[i] > largest) largest = row[i];
  }
  T sum = 0;
  for (Index i = 0; i < n; ++i) {
    if (!allowed(i)) {
      out[i] = 0;
      continue;
    }
    // infinity - infinity would be NaN: the largest is exp(0) = 1 by definition.
    out[i] = exponential(row[i] == largest ? T(0) : row[i] - largest);
    sum += out[i];
  }
  for (Index i = 0; i < n; ++i) {
    if (allowed(i)) out[i] /= sum;  // sum >= 1 where anything is allowed
  }
}

template <class T>
void softmax_row_backward(const T* pattern, const T* d_pattern, Index n, T* d_row) {
  T sum = 0;
  for (Index i = 0; i < n; ++i) {
    if (pattern[i] != 0) sum += d_pattern[i] * pattern[i];  // 0 times an overflow would be NaN
  }
  for (Index i = 0; i < n; ++i) d_row[i] = pattern[i] == 0 ? T(0) : pattern[i] * (d_pattern[i] - sum);
}

std::string_view kernel_name() { return kKernelName; }

template void multiply(const Matrix<float>&, const Matrix<float>&, Matrix<float>&);
template void multiply(const Matrix<double>&, const Matrix<double>&, Matrix<double>&);
template void multiply_transposed(const Matrix<float>&, const Matrix<float>&, Matrix<float>&);
template void multiply_transposed(const Matrix<double>&, const Matrix<double>&, Matrix<double>&);
template void transposed_multiply(const Matrix<float>&, const Matrix<float>&, Matrix<float>&);
template void transposed_multiply(const Matrix<double>&, const Matrix<double>&, Matrix<double>&);
template void multiply_reference(const Matrix<float>&, const Matrix<float>&, Matrix<float>&);
template void multiply_reference(const Matrix<double>&, const Matrix<double>&, Matrix<double>&);
template void softmax_row(const float*, const std::uint8_t*, Index, float*);
template void softmax_row(const double*, const std::uint8_t*, Index, double*);
template void softmax_row_backward(const float*, const float*, Index, float*);
template void softmax_row_backward(const double*, const double*, Index, double*);

}  // namespace attention
