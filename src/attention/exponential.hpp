// Our own exp, because libm's last bit differs between platforms and the golden hash must not.
//
// Method: Cody & Waite 1980, "Software Manual for the Elementary Functions", chapter 6. exp(x) = 2^k exp(r) with
// r = x - k ln 2, |r| <= ln 2 / 2, ln 2 in two parts so that the subtraction loses nothing; exp(r) by its series.
// Only + - * and comparisons, each rounded as IEEE 754 says. Error below 0.7 ulp, and 1 ulp in subnormals (tested).
#pragma once

#include <bit>
#include <cfloat>
#include <cstdint>
#include <limits>

#ifdef __FAST_MATH__
#error "-ffast-math re-orders sums: traces would no longer be the same bits everywhere"
#endif
static_assert(FLT_EVAL_METHOD == 0, "float and double must be computed as such (x87: use -mfpmath=sse)");

namespace attention {

/// e^x. -infinity gives 0, +infinity and everything above 709.78 gives +infinity, NaN gives NaN.
inline double exponential(double x) {
  constexpr double kLog2E = 0x1.71547652b82fep+0;    // 1 / ln 2
  constexpr double kLn2High = 0x1.62e42feep-1;       // ln 2 to 32 bits: times any k here it is exact
  constexpr double kLn2Low = 0x1.a39ef35793c76p-33;  // the rest of ln 2
  constexpr double kSeries[] = {1.0 / 6227020800, 1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800,
                                1.0 / 362880,     1.0 / 40320,     1.0 / 5040,     1.0 / 720,
                                1.0 / 120,        1.0 / 24,        1.0 / 6,        1.0 / 2};  // 1/13! … 1/2!
  constexpr double kOverflows = 709.8, kVanishes = -745.2;  // a little beyond where the result leaves double

  if (x != x) return x;
  if (x > kOverflows) return std::numeric_limits<double>::infinity();
  if (x < kVanishes) return 0;

  const int k = static_cast<int>(x * kLog2E + (x < 0 ? -0.5 : 0.5));
  const double high = x - k * kLn2High;
  const double low = k * kLn2Low;
  const double r = high - low;
  const double lost = (high - r) - low;  // what rounding r left out

  double sum = 0;
  for (const double coefficient : kSeries) sum = sum * r + coefficient;
  const double start = 1 + r;
  const double start_lost = (1 - start) + r;                     // exact (Dekker 1971)
  const double y = start + (start_lost + (lost + r * r * sum));  // exp(r), in [0.7, 1.42]

  const auto power_of_two = [](int exponent) {  // 2^exponent, normal numbers only
    return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
  };
  if (k > 1023) return y * power_of_two(1023) * power_of_two(k - 1023);
  if (k < -1021) return y * power_of_two(k + 200) * power_of_two(-200);  // rounds once, into the subnormals
  return y * power_of_two(k);
}

/// In double, then rounded: nearly always the float nearest to e^x.
inline float exponential(float x) { return static_cast<float>(exponential(static_cast<double>(x))); }

}  // namespace attention
