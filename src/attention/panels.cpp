// Packing, and softmax of eight queries side by side.
#include "attention/panels.hpp"

#include <cfloat>
#include <limits>

namespace attention {
namespace {

/// Four tokens (or fewer: zeros) of one panel; `lanes` is where they stand in it.
void pack_four(const float* const rows[kLanes], int count, Size width, float* out, int step) {
  const auto row = [&](int i, Size k) { return i < count ? load(rows[i] + k) : splat(0); };
  Size k = 0;
  for (; k + kLanes <= width; k += kLanes) {
    Lanes a = row(0, k), b = row(1, k), c = row(2, k), d = row(3, k);
    transpose(a, b, c, d);
    store(out + k * step, a);
    store(out + (k + 1) * step, b);
    store(out + (k + 2) * step, c);
    store(out + (k + 3) * step, d);
  }
  for (; k < width; ++k) {
    for (int i = 0; i < kLanes; ++i) out[k * step + i] = i < count ? rows[i][k] : 0;
  }
}

/// exp2 of kPacks packs of every row, and the sums.
template <int kPacks>
bool softmax_panel(float* scores, Size keys, float* factors, const bool* expected_empty) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr int kStep = kPacks * kLanes;
  constexpr int kChains = 4;  // a maximum waits for the one before: four at a time hide that
  Lanes largest[kChains][kPacks];
  for (auto& chain : largest) {
    for (Lanes& lanes : chain) lanes = splat(-kInfinity);
  }
  Size key = 0;
  for (; key + kChains <= keys; key += kChains) {
    for (int i = 0; i < kChains; ++i) {
      for (int c = 0; c < kPacks; ++c) {
        largest[i][c] = larger(largest[i][c], load(scores + (key + i) * kStep + c * kLanes));
      }
    }
  }
  for (; key < keys; ++key) {
    for (int c = 0; c < kPacks; ++c) largest[0][c] = larger(largest[0][c], load(scores + key * kStep + c * kLanes));
  }
  Lanes top[kPacks], sums[kPacks];
  for (int c = 0; c < kPacks; ++c) {
    top[c] = larger(larger(largest[0][c], largest[1][c]), larger(largest[2][c], largest[3][c]));
    if (any(top[c] == splat(kInfinity))) return false;
    const LaneBits empty = top[c] == splat(-kInfinity);
    if (any(empty)) {
      for (int i = 0; i < kLanes; ++i) {
        if (empty[i] != 0 && (expected_empty == nullptr || !expected_empty[c * kLanes + i])) return false;
      }
      top[c] = choose(empty, splat(0), top[c]);
    }
    sums[c] = splat(0);
  }
  const PowerOfTwo power_of_two;
  for (key = 0; key < keys; ++key) {
    for (int c = 0; c < kPacks; ++c) {
      float* here = scores + key * kStep + c * kLanes;
      const Lanes power = power_of_two(load(here) - top[c]);
      store(here, power);
      sums[c] = sums[c] + power;
    }
  }
  for (int c = 0; c < kPacks; ++c) store(factors + c * kLanes, where(sums[c] != splat(0), splat(1) / sums[c]));
  return true;
}

}  // namespace

void pack_tokens(const float* tokens, Size count, Size width, float* panels) {
  for (Size token = 0; token < count; token += kPanel) {
    const int panel = panel_width(count - token);
    for (int half = 0; half < panel; half += kLanes) {
      const Size first = token + half;
      const float* rows[kLanes] = {};
      int here = 0;
      for (; here < kLanes && first + here < count; ++here) rows[here] = tokens + (first + here) * width;
      pack_four(rows, here, width, panels + token * width + half, panel);
    }
  }
}

void pack_weights(const float* weights, Size depth, Size columns, Size row_step, float factor, float* strips) {
  const Strips cut(columns);
  Size column = 0;
  for (Size strip = 0; strip < cut.count; ++strip) {
    const int height = cut.height_of(strip);
    for (Size k = 0; k < depth; ++k) {
      for (int i = 0; i < height; ++i) *strips++ = weights[k * row_step + column + i] * factor;
    }
    column += height;
  }
}

bool softmax_columns(float* scores, Size keys, int width, float* factors, const bool* expected_empty) {
  return width == kPanel ? softmax_panel<2>(scores, keys, factors, expected_empty)
                         : softmax_panel<1>(scores, keys, factors, expected_empty);
}

}  // namespace attention
