// Cross-entropy, row by row, with the exponential and the logarithm that have the same bits everywhere.
#include "train/loss.hpp"

#include "attention/arithmetic.hpp"

#include <algorithm>
#include <cassert>

namespace train {

using Eigen::Index;

template <class T>
void cross_entropy(const Matrix<T>& logits, std::span<const int> targets, double share, Loss& loss, Matrix<T>* d_logits,
                   std::vector<double>& exponentials) {
  assert(static_cast<std::size_t>(logits.rows()) == targets.size());
  const Index words = logits.cols();
  exponentials.resize(static_cast<std::size_t>(words));
  if (d_logits != nullptr) d_logits->setZero(logits.rows(), words);
  for (Index row = 0; row < logits.rows(); ++row) {
    const int target = targets[static_cast<std::size_t>(row)];
    if (target == kNoTarget) continue;
    const T* const logit = logits.data() + row * words;
    const Index best = std::max_element(logit, logit + words) - logit;  // the first of the largest
    const double largest = static_cast<double>(logit[best]);
    double sum = 0;
    for (Index i = 0; i < words; ++i) {
      const double e = attention::exponential(static_cast<double>(logit[i]) - largest);
      exponentials[static_cast<std::size_t>(i)] = e;
      sum += e;
    }
    loss.cross_entropy += attention::logarithm(sum) + (largest - static_cast<double>(logit[target]));
    ++loss.targets;
    if (best == target) ++loss.correct;
    if (d_logits == nullptr) continue;
    T* const d = d_logits->data() + row * words;
    for (Index i = 0; i < words; ++i) {
      const double probability = exponentials[static_cast<std::size_t>(i)] / sum;
      d[i] = static_cast<T>((i == target ? probability - 1 : probability) * share);
    }
  }
}

template void cross_entropy(const Matrix<float>&, std::span<const int>, double, Loss&, Matrix<float>*,
                            std::vector<double>&);
template void cross_entropy(const Matrix<double>&, std::span<const int>, double, Loss&, Matrix<double>*,
                            std::vector<double>&);

}  // namespace train
