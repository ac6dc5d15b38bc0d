// The readable engine's side of the library: a batch in double, with every intermediate, gradients and figures.
#pragma once

#include "attention/analysis.hpp"
#include "attention/attention.hpp"
#include "library/instance.hpp"

#include <vector>

namespace library {

template <class T>
using Matrix = attention::Matrix<T>;

struct Reference {
  Room rooms[kSlots];  // doubles
  attention::Config config;
  std::vector<attention::Input<double>> inputs;
  attention::Weights<double> weights;
  std::vector<attention::Trace<double>> traces;
  std::vector<attention::Gradients<double>> gradients;
  attention::Weights<double> d_weights;
  attention::Analysis analysis;
  attention::Shape shown;      // of what show() answered last
  std::vector<double> answer;  // numbers that are nowhere else

  /// Inputs, masks and weights out of the rooms; all that is wrong with them.
  std::vector<attention::Problem> gather();
  /// Sequence i of a slot, as a matrix.
  Matrix<double> matrix(int slot, int i, Eigen::Index rows, Eigen::Index cols) const;

  const double* show(int what, std::size_t sequence, attention::Tensor tensor, std::size_t head);
  const double* show(const Matrix<double>& matrix);
  const double* figures(int which, std::size_t head);
};

}  // namespace library
