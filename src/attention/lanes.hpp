// Four neighbouring floats computed side by side, in the compiler's vector types: SSE and NEON natively, SIMD128 in
// wasm, and four scalars where the target has none. Without relaxed SIMD all builds give the same bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#ifdef __wasm_simd128__
#include <wasm_simd128.h>
#endif

namespace attention {

inline constexpr int kLanes = 4;
using Lanes = float __attribute__((vector_size(16)));
using LaneBits = std::int32_t __attribute__((vector_size(16)));  // also what a comparison gives: all ones or zero

inline Lanes splat(float value) { return Lanes{value, value, value, value}; }
inline LaneBits splat_bits(std::int32_t value) { return LaneBits{value, value, value, value}; }

inline Lanes load(const float* from) {
  Lanes out;
  std::memcpy(&out, from, sizeof out);
  return out;
}
inline void store(float* to, Lanes lanes) { std::memcpy(to, &lanes, sizeof lanes); }
/// The first kCount of them, 1 to 4.
template <int kCount>
inline void store_first(float* to, Lanes lanes) {
  static_assert(kCount >= 1 && kCount <= kLanes);
  if constexpr (kCount == kLanes) {
    store(to, lanes);
  } else {
    if constexpr (kCount >= 2) std::memcpy(to, &lanes, 2 * sizeof(float));  // one instruction; lane by lane it is four
    if constexpr (kCount != 2) to[kCount - 1] = lanes[kCount - 1];
  }
}

inline LaneBits bits_of(Lanes lanes) { return reinterpret_cast<LaneBits>(lanes); }
inline Lanes lanes_of(LaneBits bits) { return reinterpret_cast<Lanes>(bits); }

/// sum + a b: rounded once with relaxed SIMD (where the machine fuses), twice everywhere else.
inline Lanes plus_product(Lanes sum, Lanes a, Lanes b) {
#ifdef __wasm_relaxed_simd__
  return reinterpret_cast<Lanes>(
      wasm_f32x4_relaxed_madd(reinterpret_cast<v128_t>(a), reinterpret_cast<v128_t>(b), reinterpret_cast<v128_t>(sum)));
#else
  return sum + a * b;
#endif
}

/// b where a < b, else a: a NaN in b is passed over.
inline Lanes larger(Lanes a, Lanes b) {
#ifdef __wasm_simd128__
  return reinterpret_cast<Lanes>(wasm_f32x4_pmax(reinterpret_cast<v128_t>(a), reinterpret_cast<v128_t>(b)));
#else
  return a < b ? b : a;
#endif
}

/// `lanes` where `keep` is all ones, 0 where it is zero.
inline Lanes where(LaneBits keep, Lanes lanes) { return lanes_of(keep & bits_of(lanes)); }
inline Lanes choose(LaneBits first, Lanes a, Lanes b) { return lanes_of((first & bits_of(a)) | (~first & bits_of(b))); }

inline bool any(LaneBits bits) {
#ifdef __wasm_simd128__
  return wasm_v128_any_true(reinterpret_cast<v128_t>(bits));
#else
  return (bits[0] | bits[1] | bits[2] | bits[3]) != 0;
#endif
}

/// Rows become columns.
inline void transpose(Lanes& a, Lanes& b, Lanes& c, Lanes& d) {
  const Lanes ab_low = __builtin_shufflevector(a, b, 0, 4, 1, 5), ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
  const Lanes cd_low = __builtin_shufflevector(c, d, 0, 4, 1, 5), cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
  a = __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5);
  b = __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7);
  c = __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5);
  d = __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7);
}

/// 2^x for x <= 0, exactly 0 from -126.5 down; NaN stays NaN. 2^x = 2^r 2^f with r the nearest whole number: adding
/// 1.5 * 2^23 + 127 leaves r + 127, the exponent's bits, at the low end (all zeros, the number 0, for r = -127). 2^f by
/// its minimax polynomial on [-1/2, 1/2] that is exact at 0; relative error below 2e-7.
class PowerOfTwo {
 public:
  PowerOfTwo() {
    static constexpr float kNumbers[] = {-127.0f,
                                         12582912.0f + 127.0f,
                                         0.001326472731307149f,
                                         0.009671512991189957f,
                                         0.05550733581185341f,
                                         0.24022242426872253f,
                                         0.6931470036506653f,
                                         1.0f};
    const float* from = kNumbers;
    // V8 makes a constant anew at each use, which costs a third of the time; what it has read from somewhere, it keeps.
    asm("" : "+r"(from));
    for (int i = 0; i < kCount; ++i) numbers_[i] = splat(from[i]);
  }
  Lanes operator()(Lanes x) const {
    x = larger(x, numbers_[0]);
    const Lanes shifted = x + numbers_[1];
    const Lanes f = x - (shifted - numbers_[1]);
    Lanes p = numbers_[2];
    for (int i = 3; i < kCount; ++i) p = plus_product(numbers_[i], p, f);
    return p * lanes_of(bits_of(shifted) << 23);
  }

 private:
  static constexpr int kCount = 8;
  Lanes numbers_[kCount];
};

}  // namespace attention
