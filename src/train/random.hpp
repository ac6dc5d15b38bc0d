// Random numbers that are the same on every platform, unlike the standard library's distributions.
#pragma once

#include <cassert>
#include <cstdint>

namespace train {

/// splitmix64 (Steele, Lea, Flood 2014, "Fast Splittable Pseudorandom Number Generators"). Its whole state is one
/// number, the seed to begin with, so that a copy continues as the original does.
struct Random {
  std::uint64_t state = 0;

  std::uint64_t bits() {
    std::uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  /// 0 … n - 1, n from 1 up: the high half, scaled (n / 2^32 from equally likely).
  int below(int n) {
    assert(n > 0);
    return static_cast<int>(((bits() >> 32) * static_cast<std::uint64_t>(n)) >> 32);
  }
  /// From 0 up to, but without, 1.
  double unit() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
  /// Mean 0, variance 1, between -6 and 6: a sum of twelve uniform numbers, nearly normal (Irwin–Hall). The sum is of
  /// integers, hence exact; Box & Muller's way would need a logarithm and a cosine.
  double bell() {
    std::uint64_t sum = 6;  // half a step for each of the twelve, so that the mean is 0
    for (int i = 0; i < 6; ++i) {
      const std::uint64_t two = bits();
      sum += (two >> 32) + (two & 0xffffffffu);
    }
    return static_cast<double>(sum) * 0x1p-32 - 6;
  }
  bool operator==(const Random&) const = default;
};

}  // namespace train
