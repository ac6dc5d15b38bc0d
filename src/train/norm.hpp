// Layer normalisation (Ba et al. 2016, eq. 3 and 4), forward and back: each token for itself, over its d_model numbers.
#pragma once

#include "train/model.hpp"

namespace train {

/// out = (x - mean) / sqrt(variance + kNormEpsilon) * gain + bias; variance is divided by d_model, not by one less.
inline constexpr double kNormEpsilon = 1e-5;
template <class T>
void normalise(const Norm<T>& norm, const Matrix<T>& x, NormTrace<T>& trace, Matrix<T>& out);

/// From d_out to d_x, which is written; what gain and bias get is added to d_norm.
/// With g = d_out * gain: d_x = (g - mean of g - normal * mean of (g * normal)) / deviation.
template <class T>
void normalise_backward(const Norm<T>& norm, const NormTrace<T>& trace, const Matrix<T>& d_out, Norm<T>& d_norm,
                        Matrix<T>& d_x);

}  // namespace train
