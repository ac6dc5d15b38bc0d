// Floats as IEEE 754 binary16: sign, 5 bits of exponent (bias 15), 10 of fraction. Private to heads.
#pragma once

#include <bit>
#include <cstdint>

namespace heads {

inline constexpr float kLargestHalf = 65504;

/// The nearest half, of two equally near ones the even one; beyond the largest infinity, NaN stays NaN.
inline std::uint16_t to_half(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value), sign = bits >> 16 & 0x8000u;
  const std::uint32_t size = bits & 0x7fffffffu;
  if (size > 0x7f800000u) return static_cast<std::uint16_t>(sign | 0x7e00u);
  if (size >= 0x47800000u) return static_cast<std::uint16_t>(sign | 0x7c00u);  // 2^16: from 65,520 on the carry does it
  std::uint32_t fraction = 0, dropped = 0;  // bits of the fraction that go
  if (size >= 0x38800000u) {                // 2^-14 and up: normal
    fraction = size - (112u << 23);         // the exponent's bias becomes 15
    dropped = 13;
  } else {
    const std::uint32_t exponent = size >> 23;
    if (exponent < 102) return static_cast<std::uint16_t>(sign);  // below 2^-25: nearer to 0 than to the smallest
    fraction = (size & 0x7fffffu) | 0x800000u;
    dropped = 126 - exponent;  // a subnormal half counts in 2^-24
  }
  const std::uint32_t half = fraction >> dropped, rest = fraction & ((1u << dropped) - 1), middle = 1u << (dropped - 1);
  const bool up = rest > middle || (rest == middle && (half & 1u) == 1);
  return static_cast<std::uint16_t>(sign | (half + (up ? 1u : 0u)));  // a carry goes on into the exponent, as it should
}

}  // namespace heads
