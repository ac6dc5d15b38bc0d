// The product underneath the fast layer: a tile of up to kTileRows rows by two packs of columns, kept in registers
// over the whole depth.
//
// out(r, c) = start(r) + Σ_k a(k, r) b(k, c). Both operands lie with k outermost: `a` gives kRows neighbouring floats
// a step, each spread over a pack; `b` gives kPacks packs a step. So nothing is gathered, and every matrix of the layer
// is written by one product in the order in which the next one reads it (layer.cpp).
//
// Shape (measured in V8, tests/bench): with relaxed SIMD 6 x 2 packs, 12 sums + 2 + 1 registers of the 15 that V8 has.
// Without it multiply and add need one more: 5 x 2. Unrolling over k spills.
#pragma once

#include "attention/lanes.hpp"

namespace attention {

#ifdef __wasm_relaxed_simd__
inline constexpr int kTileRows = 6;
#else
inline constexpr int kTileRows = 5;
#endif
inline constexpr int kPanel = 2 * kLanes;  // columns that lie together in `b`, and tokens in a panel of tokens

/// `a` and `b` of one product.
struct Operands {
  const float* a;
  std::ptrdiff_t a_step;  // floats from one k to the next
  const float* b;
  std::ptrdiff_t b_step;
  std::ptrdiff_t depth;
};

template <int kRows, int kPacks>
struct Tile {
  Lanes sums[kRows][kPacks];

  /// start(r) = start[r], or 0.
  [[gnu::always_inline]] inline void multiply(const Operands& it, const float* start) {
    for (int r = 0; r < kRows; ++r) {
      for (int c = 0; c < kPacks; ++c) sums[r][c] = splat(start == nullptr ? 0 : start[r]);
    }
    const float* a = it.a;
    const float* b = it.b;
#pragma GCC unroll 1
    for (std::ptrdiff_t k = it.depth; k > 0; --k, a += it.a_step, b += it.b_step) {
      Lanes packs[kPacks];
      for (int c = 0; c < kPacks; ++c) packs[c] = load(b + c * kLanes);
      for (int r = 0; r < kRows; ++r) {
        const Lanes factor = splat(a[r]);
        for (int c = 0; c < kPacks; ++c) sums[r][c] = plus_product(sums[r][c], factor, packs[c]);
      }
    }
  }
};

}  // namespace attention
