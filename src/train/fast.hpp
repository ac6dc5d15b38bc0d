// One training step, and the patterns of many sequences at once, in float and fast: what model.hpp says sequence by
// sequence, computed for a whole batch with the tokens of all sequences as rows of one matrix.
//
// The readable model (model.hpp) is the reference: same shapes, same loss, same gradients within float's rounding.
// Bits: every sum runs in a fixed order, so all builds but relaxed SIMD give the same bits; these differ from the
// readable model's. Letters as in model.hpp; T is the number of tokens of the batch.
#pragma once

#include "train/model.hpp"

#include <memory>
#include <span>
#include <vector>

namespace train {

/// Memory that is used again from call to call, and what the last call left in it.
class FastWorkspace {
 public:
  FastWorkspace();
  ~FastWorkspace();
  FastWorkspace(FastWorkspace&&) noexcept;
  FastWorkspace& operator=(FastWorkspace&&) noexcept;

  /// After fast_forward, fast_evaluate or fast_backward: how `head` of `layer` spreads in this sequence of the batch,
  /// (n, n) row-major, rows sum to 1. n: the sequence's real tokens, padding left out.
  std::span<const float> pattern(int layer, int head, int sequence) const;
  int tokens(int sequence) const;  // n
  /// After fast_forward(…, with_logits), fast_evaluate or fast_backward: the logits (V) of one token that has a target
  /// (asserted).
  std::span<const float> logits(int sequence, int token) const;
  /// After fast_backward.
  const Parameters<float>& gradients() const;

  struct Memory;
  Memory& memory() { return *memory_; }

 private:
  std::unique_ptr<Memory> memory_;
};

/// Patterns of all sequences, without a loss: targets are not looked at, no logits. False: some number grew beyond
/// float; what is in the workspace is then of no use. The batch as `validate` wants it, but for targets: none is needed.
bool fast_forward(const Shape& shape, const Parameters<float>& parameters, const std::vector<Sequence>& batch,
                  FastWorkspace& workspace);

/// `evaluate`, `backward` and `step` of model.hpp: same arguments, same meaning, same problems.
Loss fast_evaluate(const Shape& shape, const Parameters<float>& parameters, const std::vector<Sequence>& batch,
                   double sink_penalty, FastWorkspace& workspace);
Loss fast_backward(const Shape& shape, const Parameters<float>& parameters, const std::vector<Sequence>& batch,
                   double sink_penalty, FastWorkspace& workspace);
StepReport fast_step(Trainer<float>& trainer, const std::vector<Sequence>& batch, FastWorkspace& workspace);

}  // namespace train
