// When a step can't be taken; the readable and the fast one agree on it.
#pragma once

#include "train/model.hpp"

namespace train {

/// Why this step, whose loss and gradients are known, can't be taken; empty when it can.
template <class T>
std::vector<Problem> find_divergence(const Shape& shape, const StepReport& report);

}  // namespace train
