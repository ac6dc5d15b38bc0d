// Our own natural logarithm, for the same reason as exponential.hpp: libm's last bit differs between platforms.
//
// Method: fdlibm (Sun Microsystems 1993), e_log, with a series where it has a fitted polynomial. x = 2^k (1 + f) with
// 1 + f in [sqrt(1/2), sqrt(2)]; s = f / (2 + f); log(1 + f) = 2 artanh(s) = 2 (s + s³/3 + s⁵/5 + …), rearranged so
// that f itself, which is exact, is the leading term. ln 2 is in two parts, so that k times the high one is exact. Only
// + - * / and comparisons, each rounded as IEEE 754 says. Error below 1 ulp (tested).
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

namespace attention {

/// ln x. 0 gives -infinity, +infinity itself, a negative number or NaN gives NaN.
inline double logarithm(double x) {
  constexpr double kLn2High = 0x1.62e42feep-1;       // ln 2 to 32 bits: times any k here it is exact
  constexpr double kLn2Low = 0x1.a39ef35793c76p-33;  // the rest of ln 2
  constexpr double kSqrt2 = 0x1.6a09e667f3bcdp+0;
  constexpr double kSeries[] = {2.0 / 23, 2.0 / 21, 2.0 / 19, 2.0 / 17, 2.0 / 15, 2.0 / 13,
                                2.0 / 11, 2.0 / 9,  2.0 / 7,  2.0 / 5,  2.0 / 3};

  if (x != x || x < 0) return std::numeric_limits<double>::quiet_NaN();
  if (x == 0) return -std::numeric_limits<double>::infinity();
  if (x == std::numeric_limits<double>::infinity()) return x;

  int k = 0;
  if (x < std::numeric_limits<double>::min()) {  // subnormal: into the normal numbers first
    x *= 0x1p54;
    k = -54;
  }
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(x);
  k += static_cast<int>(bits >> 52) - 1023;
  double mantissa = std::bit_cast<double>((bits & 0x000fffffffffffffu) | 0x3ff0000000000000u);  // in [1, 2)
  if (mantissa > kSqrt2) {
    mantissa *= 0.5;
    ++k;
  }

  const double f = mantissa - 1;  // exact
  const double s = f / (2 + f);
  const double s_squared = s * s;
  double sum = 0;
  for (const double coefficient : kSeries) sum = sum * s_squared + coefficient;
  const double rest = s_squared * sum;  // (2 artanh(s) - 2 s) / s
  const double half_square = 0.5 * f * f;
  // 2 s = f - f²/2 + s f²/2
  return k * kLn2High - ((half_square - (s * (half_square + rest) + k * kLn2Low)) - f);
}

}  // namespace attention
