// How the fast layer's matrices lie in memory, and the products that write them so (tile.hpp has the arithmetic).
//
// A panel is up to eight neighbouring tokens; a strip is up to kTileRows neighbouring rows of one operand.
#pragma once

#include "attention/tile.hpp"

#include <cassert>
#include <type_traits>

namespace attention {

using Size = std::ptrdiff_t;

/// `total` rows cut into strips of nearly the same height: no strip of one row beside strips of six.
struct Strips {
  Size count, height, taller;  // the first `taller` strips are one row higher
  explicit Strips(Size total)
      : count((total + kTileRows - 1) / kTileRows),
        height(count == 0 ? 0 : total / count),
        taller(total - height * count) {}
  int height_of(Size strip) const { return static_cast<int>(height + (strip < taller ? 1 : 0)); }
  Size row_of(Size strip) const { return strip * height + (strip < taller ? strip : taller); }
};

/// Tokens with the last panel filled up, to four where that is enough.
inline Size padded(Size tokens) { return (tokens + kLanes - 1) / kLanes * kLanes; }
/// How wide the panel is that begins with `left` tokens to go.
inline int panel_width(Size left) { return left > kLanes ? kPanel : kLanes; }
/// Room for the panels of that many tokens, in tokens.
inline Size panel_room(Size tokens) { return (tokens + kPanel - 1) / kPanel * kPanel; }

// ---------------------------------------------------------------- products, one strip by one panel

/// out[r * step + c]: rows stay rows.
template <int kRows, int kPacks>
[[gnu::noinline]] void product_by_rows(const float* a, Size a_step, const float* b, Size depth, const float* start,
                                       float* out, Size step) {
  Tile<kRows, kPacks> tile;
  tile.multiply({a, a_step, b, kPacks * kLanes, depth}, start);
  for (int r = 0; r < kRows; ++r) {
    for (int c = 0; c < kPacks; ++c) store(out + r * step + c * kLanes, tile.sums[r][c]);
  }
}

/// The same, each column times its factor; `factors` holds kPacks packs.
template <int kRows, int kPacks>
[[gnu::noinline]] void scaled_product_by_rows(const float* a, Size a_step, const float* b, Size depth,
                                              const float* factors, float* out, Size step) {
  Tile<kRows, kPacks> tile;
  tile.multiply({a, a_step, b, kPacks * kLanes, depth}, nullptr);
  for (int c = 0; c < kPacks; ++c) {
    const Lanes factor = load(factors + c * kLanes);
    for (int r = 0; r < kRows; ++r) store(out + r * step + c * kLanes, tile.sums[r][c] * factor);
  }
}

/// out[c * step + r] for the first `columns` of them: rows become columns.
template <int kRows, int kPacks>
[[gnu::noinline]] void product_by_columns(const float* a, Size a_step, const float* b, Size depth, const float* start,
                                          float* out, Size step, int columns) {
  Tile<kRows, kPacks> tile;
  tile.multiply({a, a_step, b, kPacks * kLanes, depth}, start);
  constexpr int kFirst = kRows < kLanes ? kRows : kLanes, kRest = kRows - kFirst;
  const auto row = [&](int r, int c) { return r < kRows ? tile.sums[r][c] : splat(0); };
  for (int c = 0; c < kPacks; ++c) {
    Lanes first[kLanes] = {row(0, c), row(1, c), row(2, c), row(3, c)};
    Lanes rest[kLanes] = {row(4, c), row(5, c), splat(0), splat(0)};
    transpose(first[0], first[1], first[2], first[3]);
    if constexpr (kRest > 0) transpose(rest[0], rest[1], rest[2], rest[3]);
    for (int i = 0; i < kLanes; ++i) {
      if (c * kLanes + i >= columns) return;
      float* to = out + (c * kLanes + i) * step;
      store_first<kFirst>(to, first[i]);
      if constexpr (kRest > 0) store_first<kRest>(to + kLanes, rest[i]);
    }
  }
}

/// Calls f with the strip's height and the panel's packs as constants.
template <class F>
[[gnu::always_inline]] inline void with_shape(int rows, int width, F f) {
  assert(rows >= 1 && rows <= kTileRows && (width == kLanes || width == kPanel));
  const auto packs = [&](auto r) {
    if (width == kPanel) return f(r, std::integral_constant<int, 2>());
    f(r, std::integral_constant<int, 1>());
  };
  switch (rows) {
    case 1: return packs(std::integral_constant<int, 1>());
    case 2: return packs(std::integral_constant<int, 2>());
    case 3: return packs(std::integral_constant<int, 3>());
    case 4: return packs(std::integral_constant<int, 4>());
    case 5: return packs(std::integral_constant<int, 5>());
    default:
      if constexpr (kTileRows >= 6) packs(std::integral_constant<int, 6>());
  }
}

inline constexpr Size kNearFloats =
    6 << 10;  // 24 KB of panels: with a strip beside them inside a first-level cache of 32
inline constexpr Size kFarFloats = 64 << 10;  // 256 KB of strips, or of panels: half of a small second-level cache

/// Every strip by every panel, f(row, rows, token, width), in an order that finds its operands in the caches: a few
/// panels stay in the first level while strips pass by, as many strips stay in the second while panels do.
template <class F>
[[gnu::always_inline]] inline void for_tiles(const Strips& strips, Size depth, Size tokens, F f) {
  const auto at_least_one = [](Size count) { return count < 1 ? 1 : count; };
  const Size strips_at_once = at_least_one(kFarFloats / (depth * kTileRows));
  const Size tokens_at_once = at_least_one(kNearFloats / (depth * kPanel)) * kPanel;
  for (Size first_strip = 0; first_strip < strips.count; first_strip += strips_at_once) {
    const Size last_strip = first_strip + strips_at_once < strips.count ? first_strip + strips_at_once : strips.count;
    for (Size first_token = 0; first_token < tokens; first_token += tokens_at_once) {
      const Size last_token = first_token + tokens_at_once < tokens ? first_token + tokens_at_once : tokens;
      Size row = strips.row_of(first_strip);
      for (Size strip = first_strip; strip < last_strip; ++strip) {
        const int rows = strips.height_of(strip);
        for (Size token = first_token; token < last_token; token += kPanel) {
          f(row, rows, token, panel_width(tokens - token));
        }
        row += rows;
      }
    }
  }
}

// ---------------------------------------------------------------- packing

/// Tokens (count, width), row-major, to panels: [panel][width][8 or 4 tokens]; missing tokens are zeros.
void pack_tokens(const float* tokens, Size count, Size width, float* panels);
/// Weights (depth, columns), row-major with `row_step` floats from row to row, to strips of columns:
/// [strip][depth][height]; each times `factor`.
void pack_weights(const float* weights, Size depth, Size columns, Size row_step, float factor, float* strips);

// ---------------------------------------------------------------- softmax over the rows of [key][queries]

/// Softmax without its last division, for the `width` queries of one panel side by side: scores, in units of ln 2,
/// become 2^(score - largest) in place, and factors[query] = 1 / their sum; 0 where every score is -infinity. Returns
/// false, with scores untouched, when the largest score of a query is +infinity, or -infinity and `expected_empty`
/// doesn't say so: then it takes the limits that softmax_row takes.
bool softmax_columns(float* scores, Size keys, int width, float* factors, const bool* expected_empty);

}  // namespace attention
