// Does the fast layer's arithmetic compute on this machine what plain loops do? Every tile shape, and softmax.
#include "attention/exponential.hpp"
#include "attention/layer.hpp"
#include "attention/panels.hpp"

#include <cmath>
#include <limits>
#include <vector>

namespace attention {
namespace {

constexpr Size kDepth = 13;

/// Numbers of both signs with full mantissas, the same in every build.
std::vector<float> numbers(std::size_t count, std::uint32_t seed) {
  std::vector<float> out(count);
  for (float& number : out) {
    seed = seed * 1664525u + 1013904223u;  // Numerical Recipes, section 7.1
    number = static_cast<float>(static_cast<std::int32_t>(seed)) * 0x1p-30f;
  }
  return out;
}

/// Within a few roundings of sums whose terms are below 4.
bool close(float found, double wanted) { return std::fabs(found - wanted) <= 1e-5; }

bool tile_agrees(int rows, int width) {
  const std::vector<float> a = numbers(std::size_t(kDepth * rows), 1), b = numbers(std::size_t(kDepth * width), 2);
  const std::vector<float> start = numbers(kPanel, 3), factors = numbers(kPanel, 4);
  std::vector<float> by_rows(kPanel * kPanel), scaled(kPanel * kPanel), by_columns(kPanel * kPanel);
  with_shape(rows, width, [&](auto r, auto p) {
    product_by_rows<r, p>(a.data(), rows, b.data(), kDepth, start.data(), by_rows.data(), kPanel);
    scaled_product_by_rows<r, p>(a.data(), rows, b.data(), kDepth, factors.data(), scaled.data(), kPanel);
    product_by_columns<r, p>(a.data(), rows, b.data(), kDepth, start.data(), by_columns.data(), kPanel, width);
  });
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < width; ++c) {
      double sum = 0;
      for (Size k = 0; k < kDepth; ++k) sum += double(a[std::size_t(k * rows + r)]) * b[std::size_t(k * width + c)];
      if (!close(by_rows[std::size_t(r * kPanel + c)], sum + start[std::size_t(r)]) ||
          !close(by_columns[std::size_t(c * kPanel + r)], sum + start[std::size_t(r)]) ||
          !close(scaled[std::size_t(r * kPanel + c)], sum * factors[std::size_t(c)])) {
        return false;
      }
    }
  }
  return true;
}

bool softmax_agrees(int width) {
  constexpr Size kKeys = 7;
  constexpr double kLn2 = 0.69314718055994531;
  std::vector<float> scores = numbers(std::size_t(kKeys * width), 5), given;
  for (float& score : scores) score *= 20;
  for (int c = 0; c < width; ++c) scores[std::size_t(3 * width + c)] = -std::numeric_limits<float>::infinity();
  given = scores;
  float factors[kPanel];
  if (!softmax_columns(scores.data(), kKeys, width, factors, nullptr)) return false;
  for (int c = 0; c < width; ++c) {
    double largest = -1e30, sum = 0;
    const auto score = [&](Size key) { return double(given[std::size_t(key * width + c)]); };
    for (Size key = 0; key < kKeys; ++key) largest = std::fmax(largest, score(key));
    for (Size key = 0; key < kKeys; ++key) sum += exponential((score(key) - largest) * kLn2);
    for (Size key = 0; key < kKeys; ++key) {
      const float found = scores[std::size_t(key * width + c)] * factors[c];
      if (!close(found, exponential((score(key) - largest) * kLn2) / sum) || (key == 3 && found != 0)) return false;
    }
  }
  return true;
}

}  // namespace

bool layer_self_test() {
  for (const int width : {kLanes, kPanel}) {
    for (int rows = 1; rows <= kTileRows; ++rows) {
      if (!tile_agrees(rows, width)) return false;
    }
    if (!softmax_agrees(width)) return false;
  }
  return true;
}

}  // namespace attention
