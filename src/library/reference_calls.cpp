// What web/attention.mjs calls for every intermediate, gradients and analysis. begin() has said how long the sequences
// are; weights are given anew for each forward().
#include "library/reference.hpp"

#include <emscripten/em_macros.h>

using namespace library;

namespace {
constexpr double kMostDoubles = (1u << 31) / sizeof(double) - 1;
}

extern "C" {

/// Room for `count` doubles of a slot (masks and lengths, too), for the calls below.
EMSCRIPTEN_KEEPALIVE double* reference_room(int slot, double count, double row) {
  if (!fits(slot, count, row)) return nullptr;
  if (!it().reference) it().reference = std::make_unique<Reference>();
  Room& room = it().reference->rooms[slot];
  if (count > kMostDoubles || !room.reserve(static_cast<std::size_t>(count) * sizeof(double))) {
    answer({{"memory", "no room", numbers(count) + " for " + library::name_of(slot)}});
    return nullptr;
  }
  it().given[slot] = true;
  return static_cast<double*>(room.data());
}

/// Forward of every sequence, keeping everything.
EMSCRIPTEN_KEEPALIVE int forward() {
  Reference& reference = *it().reference;
  std::vector<attention::Problem> problems = reference.gather();
  if (problems.empty()) attention::forward(reference.config, reference.inputs, reference.weights, reference.traces);
  return answer(problems);
}

/// After forward(), from what the room of d_output holds.
EMSCRIPTEN_KEEPALIVE int backward() {
  Reference& reference = *it().reference;
  std::vector<Matrix<double>> d_outputs;
  for (int i = 0; i < it().input.batch; ++i) {
    d_outputs.push_back(reference.matrix(kD_output, i, it().input.n_q, config().d_model));
  }
  attention::backward(reference.config, reference.inputs, reference.weights, reference.traces, d_outputs,
                      reference.gradients, reference.d_weights);
  return answer({});
}

/// After forward(): figures of one sequence, all heads.
EMSCRIPTEN_KEEPALIVE int analyse(int sequence) {
  Reference& reference = *it().reference;
  reference.analysis = attention::analyse(reference.config, reference.weights, reference.traces[std::size_t(sequence)]);
  return answer({});
}

/// A matrix of the last forward (what = 0), of a sequence's gradients (1), or of the gradients summed over the batch
/// (2: weights, biases, gates); nullptr where there is none. rows() and cols() then say its shape.
EMSCRIPTEN_KEEPALIVE const double* result(int what, int sequence, int tensor, int head) {
  Reference& reference = *it().reference;
  return reference.show(what, std::size_t(sequence), static_cast<attention::Tensor>(tensor),
                        std::size_t(head < 0 ? 0 : head));
}
EMSCRIPTEN_KEEPALIVE int rows() { return it().reference->shown.rows; }
EMSCRIPTEN_KEEPALIVE int cols() { return it().reference->shown.cols; }

/// Figures of the last analyse(). One head's: 0 entropy_bits, effective_tokens, mean_distance, stable_rank_of_pattern,
/// stable_rank_of_output, mean_contribution, and the first distance; 1 mean weight at each distance. All heads':
/// 2 Jensen-Shannon divergence, 3 cosine of outputs.
EMSCRIPTEN_KEEPALIVE const double* figures(int which, int head) {
  return it().reference->figures(which, std::size_t(head));
}

/// |alpha v W_O| of one head of one sequence, n_q x n_k.
EMSCRIPTEN_KEEPALIVE const double* contributions(int sequence, int head) {
  Reference& reference = *it().reference;
  return reference.show(
      attention::contributions(reference.config, reference.weights, reference.traces[std::size_t(sequence)], head));
}

}  // extern "C"
