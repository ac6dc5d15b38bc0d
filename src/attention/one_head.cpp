// One head of one sequence, forward and back, on a few kilobytes that stay in the first-level cache.
//
// Features are rows and tokens columns. Scores and patterns have a row a query, and every mask here leaves a query the
// first few keys: causal(i) = i + 1 of them, an inert sink the first. What lies beyond them isn't computed.
// Backward (Bridle 1990): d_scores = pattern * (d_pattern - Σ_keys d_pattern pattern), and that sum over keys is a sum
// over features, too: Σ_keys d_pattern pattern = d_z · z (Dao et al. 2022, "FlashAttention", eq. 4 of appendix B).
#include "attention/packs.hpp"
#include "attention/panels.hpp"
#include "attention/training.hpp"

#include <algorithm>
#include <limits>

namespace attention {
namespace {

Size whole_panels(Size count) { return (count + kPanel - 1) / kPanel * kPanel; }
Size whole_packs(Size count) { return (count + kLanes - 1) / kLanes * kLanes; }

struct Output {
  float* data;
  Size step;
  Size columns;  // of `data` from here on: what a pack has beyond them is dropped
};

struct Write {
  template <int kRows, int kPacks>
  void operator()(const Tile<kRows, kPacks>& tile, const Output& out) const {
    for (int r = 0; r < kRows; ++r) {
      for (int c = 0; c < kPacks; ++c) {
        store_some(out.data + r * out.step + c * kLanes, tile.sums[r][c], out.columns - c * kLanes);
      }
    }
  }
};

template <int kRows, int kPacks, class Then>
[[gnu::noinline]] void tile_of(const Operands& operands, const Output& out, const Then& then) {
  Tile<kRows, kPacks> tile;
  tile.multiply(operands, nullptr);
  then(tile, out);
}

/// out(r, c) = Σ_k a(k, r) b(k, c), for `rows` and `columns` of them; see `range` for what of it.
struct Product {
  const float* a;
  Size a_step;
  const float* b;
  Size b_step;
  Size depth, rows, columns;
};

/// Column by column of tiles; columns_of(end of the strip): so many columns are wanted of it.
template <class Columns, class Then>
void multiply_strips(const Product& it, float* out, Size step, Columns columns_of, Then then) {
  const Strips strips(it.rows);
  for (Size strip = 0, row = 0; strip < strips.count; ++strip) {
    const int height = strips.height_of(strip);
    const Size columns = columns_of(row + height);
    for (Size column = 0; column < columns; column += kPanel) {
      with_shape(height, panel_width(columns - column), [&](auto r, auto p) {
        tile_of<r, p>({it.a + row, it.a_step, it.b + column, it.b_step, it.depth},
                      {out + row * step + column, step, it.columns - column}, then(row, column));
      });
    }
    row += height;
  }
}

/// The sums of d_K and d_V run over queries; first_of(column): no query before it reaches this key.
template <class First>
void multiply_over_queries(const Product& it, float* out, Size step, First first_of) {
  const Strips strips(it.rows);
  for (Size column = 0; column < it.columns; column += kPanel) {
    const Size first = first_of(column);
    for (Size strip = 0, row = 0; strip < strips.count; ++strip) {
      const int height = strips.height_of(strip);
      with_shape(height, panel_width(it.columns - column), [&](auto r, auto p) {
        tile_of<r, p>(
            {it.a + first * it.a_step + row, it.a_step, it.b + first * it.b_step + column, it.b_step, it.depth - first},
            {out + row * step + column, step, it.columns - column}, Write());
      });
      row += height;
    }
  }
}

/// Four queries by kRows features, summed over keys four side by side.
template <int kRows>
[[gnu::noinline]] void over_keys_tile(const float* a, Size a_step, const float* b, Size b_step, Size depth,
                                      Lanes factor, const Output& out) {
  Lanes sums[kRows][kLanes];
  for (auto& row : sums) {
    for (Lanes& sum : row) sum = splat(0);
  }
#pragma GCC unroll 1
  for (Size k = 0; k < depth; k += kLanes) {
    Lanes rows[kRows];
    for (int r = 0; r < kRows; ++r) rows[r] = load(a + r * a_step + k);
    for (int c = 0; c < kLanes; ++c) {
      const Lanes pack = load(b + c * b_step + k);
      for (int r = 0; r < kRows; ++r) sums[r][c] = plus_product(sums[r][c], rows[r], pack);
    }
  }
  for (int r = 0; r < kRows; ++r) {
    Lanes* const row = sums[r];
    transpose(row[0], row[1], row[2], row[3]);
    store_some(out.data + r * out.step, ((row[0] + row[1]) + (row[2] + row[3])) * factor, out.columns);
  }
}

/// out(f, query) = factor Σ_key a(f, key) b(query, key). `b`: rows of whole packs, zeros beyond the keys.
void multiply_over_keys(const Head& head, const float* a, const float* b, Size b_step, float factor, float* out) {
  for (Size query = 0; query < head.n; query += kLanes) {
    const Size keys = whole_packs(head.causal ? std::min(query + kLanes, head.n) : head.n);
    Size f = 0;
    const auto tile = [&](auto rows) {
      over_keys_tile<rows>(a + f * head.step, head.step, b + query * b_step, b_step, keys, splat(factor),
                           {out + f * head.step + query, head.step, head.n - query});
      f += rows;
    };
    while (f + 2 <= head.d_k) tile(std::integral_constant<int, 2>());
    if (f < head.d_k) tile(std::integral_constant<int, 1>());
  }
}

/// (rows, n) with `step` to (n, rows), each times `factor`.
void turn(const float* from, Size step, Size rows, Size n, float factor, float* to) {
  const Lanes by = splat(factor);
  Size row = 0;
  for (; row + kLanes <= rows; row += kLanes) {
    const float* const in = from + row * step;
    Size i = 0;
    for (; i + kLanes <= n; i += kLanes) {
      Lanes lanes[kLanes];
      for (int r = 0; r < kLanes; ++r) lanes[r] = load(in + r * step + i) * by;
      transpose(lanes[0], lanes[1], lanes[2], lanes[3]);
      for (int c = 0; c < kLanes; ++c) store(to + (i + c) * rows + row, lanes[c]);
    }
    for (; i < n; ++i) {
      for (int r = 0; r < kLanes; ++r) to[i * rows + row + r] = in[r * step + i] * factor;
    }
  }
  for (; row < rows; ++row) {
    for (Size i = 0; i < n; ++i) to[i * rows + row] = from[row * step + i] * factor;
  }
}

/// The first `count` numbers of a row, times `factor`, through softmax; zeros up to `end`, which is a whole pack.
void softmax_first(float* row, Size count, Size end, float factor, const PowerOfTwo& power_of_two) {
  const Size whole = count / kLanes * kLanes, last = whole_packs(count);
  const LaneBits lane = {0, 1, 2, 3};
  const LaneBits here = lane < splat_bits(static_cast<std::int32_t>(count - whole));
  Lanes top = splat(-std::numeric_limits<float>::infinity());
  if (whole < last) store(row + whole, choose(here, load(row + whole), top));
  for (Size i = 0; i < last; i += kLanes) top = larger(top, load(row + i));
  const float largest = std::max(std::max(top[0], top[1]), std::max(top[2], top[3]));
  const Lanes from = splat(largest), by = splat(factor);
  Lanes sums = splat(0);
  for (Size i = 0; i < last; i += kLanes) {
    const Lanes power = power_of_two((load(row + i) - from) * by);
    store(row + i, power);
    sums = sums + power;
  }
  const Lanes share = splat(1 / sum_of(sums));
  for (Size i = 0; i < last; i += kLanes) store(row + i, load(row + i) * share);
  for (Size i = last; i < end; i += kLanes) store(row + i, splat(0));
}

/// From the sums of d_pattern to d_scores.
struct SoftmaxBackward {
  const float* pattern;  // of the tile's first number
  Size pattern_step;
  const float* along;  // d_z · z, of the tile's first query
  Lanes gate, scale;
  template <int kRows, int kPacks>
  void operator()(const Tile<kRows, kPacks>& tile, const Output& out) const {
    for (int r = 0; r < kRows; ++r) {
      for (int c = 0; c < kPacks; ++c) {
        const Lanes weight = load(pattern + r * pattern_step + c * kLanes);
        const Lanes d_scores = weight * (tile.sums[r][c] * gate - splat(along[r])) * scale;
        store_some(out.data + r * out.step + c * kLanes, d_scores, out.columns - c * kLanes);
      }
    }
  }
};

Size keys_of(const Head& head, Size query) {
  if (head.inert_sink && query == 0) return 1;
  return head.causal ? query + 1 : head.n;
}

}  // namespace

Size head_room(Size n, Size d_k) {
  const Size square = whole_panels(n) * whole_panels(n);
  return square + 2 * n * d_k + whole_panels(n) + 2 * kPanel;
}

void attend(const Head& head, float* pattern, float* z, float* room) {
  const Size n = head.n, step = whole_panels(n);
  const auto columns_of = [&](Size end) { return head.causal ? end : n; };
  multiply_strips({head.Q, head.step, head.K, head.step, head.d_k, n, step}, room, step, columns_of,
                  [](Size, Size) { return Write(); });
  const PowerOfTwo power_of_two;
  const float factor = head.scale * 0x1.715476p+0f;  // log2 e
  for (Size query = 0; query < n; ++query) {
    float* const row = room + query * step;
    softmax_first(row, keys_of(head, query), step, factor, power_of_two);
    for (Size key = 0; key < n; key += kLanes) store_some(pattern + query * n + key, load(row + key), n - key);
  }
  multiply_over_keys(head, head.V, room, step, head.gate, z);
}

void attend_backward(const Head& head, const float* pattern, const float* z, const float* d_z, float d_sink, float* d_Q,
                     float* d_K, float* d_V, float* room) {
  const Size n = head.n, d_k = head.d_k, step = whole_panels(n);
  float* const d_scores = room;
  float* const turned_Q = d_scores + step * step;
  float* const turned_d_z = turned_Q + n * d_k;
  float* const along = turned_d_z + n * d_k;  // room for whole packs

  for (Size query = 0; query < n; query += kLanes) {
    Lanes sum = splat(0);
    for (Size f = 0; f < d_k; ++f) sum = sum + load(d_z + f * head.step + query) * load(z + f * head.step + query);
    store(along + query, sum);
  }
  if (d_sink != 0) {
    for (Size query = 0; query < n; ++query) along[query] += d_sink * pattern[query * n];
  }

  std::fill(d_scores, d_scores + step * step, 0.0f);
  const Lanes gate = splat(head.gate), scale = splat(head.scale);
  multiply_strips(
      {d_z, head.step, head.V, head.step, d_k, n, n}, d_scores, step, [&](Size end) { return head.causal ? end : n; },
      [&](Size row, Size column) {
        return SoftmaxBackward{pattern + row * n + column, n, along + row, gate, scale};
      });
  if (d_sink != 0) {
    for (Size query = 0; query < n; ++query) d_scores[query * step] += pattern[query * n] * d_sink * head.scale;
  }

  turn(head.Q, head.step, d_k, n, 1, turned_Q);
  turn(d_z, head.step, d_k, n, head.gate, turned_d_z);
  const auto first_of = [&](Size key) { return head.causal ? key : 0; };
  multiply_over_queries({turned_d_z, d_k, pattern, n, n, d_k, n}, d_V, head.step, first_of);
  multiply_over_queries({turned_Q, d_k, d_scores, step, n, d_k, n}, d_K, head.step, first_of);
  multiply_over_keys(head, head.K, d_scores, step, 1, d_Q);
}

}  // namespace attention
