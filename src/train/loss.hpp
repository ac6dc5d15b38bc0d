// Cross-entropy of one sequence's logits, and its derivative. In double whatever T is: a loss curve shows small
// changes.
#pragma once

#include "train/model.hpp"

namespace train {

/// Adds -ln softmax(logits[i])[target] of every target to `loss.cross_entropy` (a sum here, not a mean), and counts
/// them. With d_logits not null: (softmax(logits) - one-hot of target) * share, and rows of 0 where there is no target.
/// `exponentials` is room for one row.
template <class T>
void cross_entropy(const Matrix<T>& logits, std::span<const int> targets, double share, Loss& loss, Matrix<T>* d_logits,
                   std::vector<double>& exponentials);

}  // namespace train
