// The fast layer: multi-head attention in float for programs, where attention.hpp is for people. Weights are packed
// once; a run computes the output (and, asked for, the attention weights), allocates nothing after the first of its
// size, and holds no n_q x n_k matrix unless the weights are asked for: scores live for eight queries at a time.
//
// Letters as in attention.hpp. All matrices row-major float, x W convention.
// Against the reference (forward<double>): outputs within 1e-5 of the largest, for inputs and weights of order 1.
// The same bits natively and in wasm with and without SIMD; relaxed SIMD rounds a product and its sum once.
// Sources: Vaswani et al. 2017, eq. 1; tiles and packing after Goto & van de Geijn 2008, "Anatomy of high-performance
// matrix multiplication"; scores that are never stored as a whole after Rabe & Staats 2021, "Self-attention does not
// need O(n^2) memory" (whole rows here: no rescaling).
#pragma once

#include "attention/attention.hpp"

#include <cstddef>
#include <memory>
#include <vector>

namespace attention {

/// What `Layer::set_weights` takes. Heads side by side: head i has columns i d_k … (i + 1) d_k - 1 of W_Q and W_K,
/// and so for W_V with d_v; it has rows i d_v … of W_O.
struct LayerWeights {
  const float* W_Q = nullptr;  // (d_model, h * d_k)
  const float* W_K = nullptr;  // (d_model, h * d_k)
  const float* W_V = nullptr;  // (d_model, h * d_v)
  const float* W_O = nullptr;  // (h * d_v, d_model)
  const float* b_Q = nullptr;  // (h * d_k), or null: no bias
  const float* b_K = nullptr;  // (h * d_k), or null
  const float* b_V = nullptr;  // (h * d_v), or null
  const float* b_O = nullptr;  // (d_model), or null
};

/// What one run works on. Masks compose: a query attends to a key when every one that is given allows it.
struct LayerInput {
  const float* X = nullptr;     // (batch, n_q, d_model)
  const float* X_kv = nullptr;  // (batch, n_k, d_model), or null: self-attention, n_k = n_q; without keys any address
  int batch = 1, n_q = 0, n_k = 0;
  const std::uint8_t* may_attend = nullptr;  // (n_q, n_k) for all sequences, or (batch, n_q, n_k); or null. 0: masked
  const float* additive_mask = nullptr;      // the same shapes, or null; finite, or -infinity: may not attend
  bool mask_per_sequence = false;            // which of the two shapes both masks have
  const int* key_lengths = nullptr;          // (batch): only that many keys of each sequence are real; or null
  bool causal = false;                       // query i may attend to keys 0 … first_query + i
  int first_query = 0;
  const float* gates = nullptr;  // (h): what each head's output is multiplied by; or null
  bool weights = false;          // give the attention weights, too
};

/// Views into the layer, valid until its next run or its end.
struct LayerOutput {
  const float* output = nullptr;  // (batch, n_q, d_model)
  const float* weights =
      nullptr;  // (batch, h, n_q, n_k): each row sums to 1, or is all zeros when fully masked; or null
};

class Layer {
 public:
  /// `config` as `validate` wants it (asserted); its n_q and n_k count for nothing.
  explicit Layer(const Config& config);
  ~Layer();
  Layer(const Layer&) = delete;
  Layer& operator=(const Layer&) = delete;

  /// Packs the weights; the caller's may go afterwards. A null W is a problem, and so is memory that runs out; then
  /// the layer keeps the weights that it had.
  std::vector<Problem> set_weights(const LayerWeights& weights);

  /// Problems of sizes, lengths and missing pointers, of weights that were never set, and of memory; a run with
  /// problems writes nothing. Numbers are not inspected: NaN and infinity pass through as IEEE 754 says.
  std::vector<Problem> run(const LayerInput& input, LayerOutput& output);

  const Config& config() const;
  /// What the layer holds, in bytes: packed weights, work space and results.
  std::size_t memory_bytes() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// True when this build's tiles, in every shape, and its exponential agree with plain loops on this machine.
bool layer_self_test();

}  // namespace attention
