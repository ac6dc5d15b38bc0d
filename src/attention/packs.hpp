// Rows of any length in packs of four, and the square root of a pack.
#pragma once

#include "attention/lanes.hpp"

#include <cmath>

#if defined(__SSE__) && !defined(__wasm__)
#include <xmmintrin.h>
#endif

namespace attention {

/// Exact everywhere, as IEEE 754 wants it: so all builds agree.
inline Lanes square_root(Lanes x) {
#if defined(__wasm_simd128__)
  return reinterpret_cast<Lanes>(wasm_f32x4_sqrt(reinterpret_cast<v128_t>(x)));
#elif defined(__SSE__) && !defined(__wasm__)
  return reinterpret_cast<Lanes>(_mm_sqrt_ps(reinterpret_cast<__m128>(x)));
#else
  return Lanes{std::sqrt(x[0]), std::sqrt(x[1]), std::sqrt(x[2]), std::sqrt(x[3])};
#endif
}

/// The first `count` of four, 4 and up meaning all; what isn't loaded is 0.
inline Lanes load_some(const float* from, std::ptrdiff_t count) {
  if (count >= kLanes) return load(from);
  Lanes out = splat(0);
  for (std::ptrdiff_t i = 0; i < count; ++i) out[i] = from[i];
  return out;
}
inline void store_some(float* to, Lanes lanes, std::ptrdiff_t count) {
  if (count >= kLanes) return store(to, lanes);
  for (std::ptrdiff_t i = 0; i < count; ++i) to[i] = lanes[i];
}

/// f(i, how many of count) for every pack from number i on.
template <class F>
[[gnu::always_inline]] inline void for_packs(std::ptrdiff_t count, F f) {
  std::ptrdiff_t i = 0;
  for (; i + kLanes <= count; i += kLanes) f(i, kLanes);
  if (i < count) f(i, static_cast<int>(count - i));
}

/// In one order everywhere.
inline float sum_of(Lanes lanes) { return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]); }

}  // namespace attention
