// Layer normalisation, row by row, sums in index order.
#include "train/norm.hpp"

#include <cassert>
#include <cmath>

namespace train {

using Eigen::Index;

template <class T>
void normalise(const Norm<T>& norm, const Matrix<T>& x, NormTrace<T>& trace, Matrix<T>& out) {
  assert(norm.gain.cols() == x.cols() && norm.bias.cols() == x.cols() && &out != &x);
  const Index width = x.cols();
  trace.normal.resize(x.rows(), width);
  trace.inverse.resize(x.rows(), 1);
  out.resize(x.rows(), width);
  for (Index row = 0; row < x.rows(); ++row) {
    T sum = 0;
    for (Index i = 0; i < width; ++i) sum += x(row, i);
    const T mean = sum / static_cast<T>(width);
    T squares = 0;
    for (Index i = 0; i < width; ++i) squares += (x(row, i) - mean) * (x(row, i) - mean);
    const T inverse = 1 / std::sqrt(squares / static_cast<T>(width) + static_cast<T>(kNormEpsilon));
    trace.inverse(row, 0) = inverse;
    for (Index i = 0; i < width; ++i) {
      const T normal = (x(row, i) - mean) * inverse;
      trace.normal(row, i) = normal;
      out(row, i) = normal * norm.gain(0, i) + norm.bias(0, i);
    }
  }
}

template <class T>
void normalise_backward(const Norm<T>& norm, const NormTrace<T>& trace, const Matrix<T>& d_out, Norm<T>& d_norm,
                        Matrix<T>& d_x) {
  assert(d_out.rows() == trace.normal.rows() && d_out.cols() == trace.normal.cols() && &d_x != &d_out);
  const Index width = d_out.cols();
  d_x.resize(d_out.rows(), width);
  for (Index row = 0; row < d_out.rows(); ++row) {
    T sum = 0, sum_along = 0;
    for (Index i = 0; i < width; ++i) {
      const T d = d_out(row, i), normal = trace.normal(row, i);
      d_norm.gain(0, i) += d * normal;
      d_norm.bias(0, i) += d;
      const T g = d * norm.gain(0, i);
      sum += g;
      sum_along += g * normal;
    }
    const T mean = sum / static_cast<T>(width), mean_along = sum_along / static_cast<T>(width);
    for (Index i = 0; i < width; ++i) {
      const T g = d_out(row, i) * norm.gain(0, i);
      d_x(row, i) = (g - mean - trace.normal(row, i) * mean_along) * trace.inverse(row, 0);
    }
  }
}

template void normalise(const Norm<float>&, const Matrix<float>&, NormTrace<float>&, Matrix<float>&);
template void normalise(const Norm<double>&, const Matrix<double>&, NormTrace<double>&, Matrix<double>&);
template void normalise_backward(const Norm<float>&, const NormTrace<float>&, const Matrix<float>&, Norm<float>&,
                                 Matrix<float>&);
template void normalise_backward(const Norm<double>&, const NormTrace<double>&, const Matrix<double>&, Norm<double>&,
                                 Matrix<double>&);

}  // namespace train
