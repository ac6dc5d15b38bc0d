// Products of weights and tokens, of tokens and tokens, and the ways between layouts.
#include "attention/packs.hpp"
#include "attention/panels.hpp"
#include "attention/training.hpp"

#include <algorithm>

namespace attention {
namespace {

static_assert(kPanelTokens == kPanel);

/// One strip of weights by one panel.
template <int kRows, Finish finish>
[[gnu::noinline]] void token_tile(const float* a, const float* b, Size b_step, Size depth, const float* start,
                                  float* out, Size out_step) {
  Tile<kRows, 2> tile;
  tile.multiply({a, kRows, b, b_step, depth}, start);
  for (int r = 0; r < kRows; ++r) {
    for (int c = 0; c < 2; ++c) {
      float* const here = out + r * out_step + c * kLanes;
      Lanes sum = tile.sums[r][c];
      if constexpr (finish == Finish::add) sum = load(here) + sum;
      if constexpr (finish == Finish::rectify) sum = where(~(sum < splat(0)), sum);
      if constexpr (finish == Finish::keep_zeros) sum = where(load(here) != splat(0), sum);
      store(here, sum);
    }
  }
}

template <Finish finish>
void multiply_all(const float* strips, Size depth, Size rows, const float* start, const Tokens& in, Size panels,
                  const Tokens& out) {
  for_tiles(Strips(rows), depth, panels * kPanel, [&](Size row, int height, Size token, int) {
    const Size panel = token / kPanel;
    with_shape(height, kPanel, [&](auto r, auto) {
      token_tile<r, finish>(strips + row * depth, in.data + panel * in.panel_step, in.row_step, depth,
                            start == nullptr ? nullptr : start + row,
                            out.data + panel * out.panel_step + row * out.row_step, out.row_step);
    });
  });
}

/// Each output sums four tokens' products side by side, and these four sums in the end.
template <int kRows, int kColumns>
[[gnu::noinline]] void over_tokens_tile(const float* a, Size a_step, const float* b, Size b_step, Size panels,
                                        bool more, float* out, Size out_step) {
  Lanes sums[kRows][kColumns];
  for (auto& row : sums) {
    for (Lanes& sum : row) sum = splat(0);
  }
  // Four tokens a turn; a turn of eight would spill (see tile.hpp).
  Size a_ahead = kLanes, b_ahead = kLanes;
#pragma GCC unroll 1
  for (Size half = 2 * panels; half > 0; --half) {
    Lanes packs[kColumns];
    for (int c = 0; c < kColumns; ++c) packs[c] = load(b + c * kPanel);
    for (int r = 0; r < kRows; ++r) {
      const Lanes factor = load(a + r * kPanel);
      for (int c = 0; c < kColumns; ++c) sums[r][c] = plus_product(sums[r][c], factor, packs[c]);
    }
    a += a_ahead;
    b += b_ahead;
    a_ahead = a_step - a_ahead;
    b_ahead = b_step - b_ahead;
  }
  for (int r = 0; r < kRows; ++r) {
    for (int c = 0; c < kColumns; ++c) {
      float& to = out[r * out_step + c];
      to = more ? to + sum_of(sums[r][c]) : sum_of(sums[r][c]);
    }
  }
}

/// Four rows of four, turned.
void turn(const float* from, Size from_step, float* to, Size to_step) {
  Lanes a = load(from), b = load(from + from_step), c = load(from + 2 * from_step), d = load(from + 3 * from_step);
  transpose(a, b, c, d);
  store(to, a);
  store(to + to_step, b);
  store(to + 2 * to_step, c);
  store(to + 3 * to_step, d);
}

}  // namespace

void pack_strips(const float* weights, Size depth_step, Size column_step, Size depth, Size columns, float* strips) {
  const Strips cut(columns);
  for (Size strip = 0; strip < cut.count; ++strip) {
    const int height = cut.height_of(strip);
    const float* from = weights + cut.row_of(strip) * column_step;
    for (int i = 0; i < height; ++i) {
      for (Size k = 0; k < depth; ++k) strips[k * height + i] = from[k * depth_step + i * column_step];
    }
    strips += depth * height;
  }
}

void multiply_tokens(const float* strips, Size depth, Size rows, const float* start, const Tokens& in, Size panels,
                     Finish finish, const Tokens& out) {
  switch (finish) {
    case Finish::write: return multiply_all<Finish::write>(strips, depth, rows, start, in, panels, out);
    case Finish::add: return multiply_all<Finish::add>(strips, depth, rows, start, in, panels, out);
    case Finish::rectify: return multiply_all<Finish::rectify>(strips, depth, rows, start, in, panels, out);
    case Finish::keep_zeros: return multiply_all<Finish::keep_zeros>(strips, depth, rows, start, in, panels, out);
  }
}

void multiply_over_tokens(const Tokens& a, Size a_rows, const Tokens& b, Size b_rows, Size panels, float* out,
                          Size out_step) {
  assert(a.row_step == kPanel && b.row_step == kPanel);
  // A block of tokens, so that sixteen rows of b stay in the first-level cache while all of a passes by. The blocks are
  // part of the order in which is summed.
  constexpr Size kBlock = 32, kRowsAtOnce = 16;
  const Strips strips(a_rows);
  for (Size first = 0; first < panels; first += kBlock) {
    const Size count = std::min(kBlock, panels - first);
    for (Size group = 0; group < b_rows; group += kRowsAtOnce) {
      const Size end = std::min(group + kRowsAtOnce, b_rows);
      for (Size strip = 0, row = 0; strip < strips.count; row += strips.height_of(strip), ++strip) {
        with_shape(strips.height_of(strip), kPanel, [&](auto r, auto) {
          const float* const from = a.data + first * a.panel_step + row * kPanel;
          const auto columns = [&](Size column, auto c) {
            over_tokens_tile<r, c>(from, a.panel_step, b.data + first * b.panel_step + column * kPanel, b.panel_step,
                                   count, first > 0, out + row * out_step + column, out_step);
          };
          Size column = group;
          for (; column + 2 <= end; column += 2) columns(column, std::integral_constant<int, 2>());
          if (column < end) columns(column, std::integral_constant<int, 1>());
        });
      }
    }
  }
}

void copy_tokens(const Tokens& from, Size features, Size panels, const Tokens& to) {
  for (Size panel = 0; panel < panels; ++panel) {
    for (Size f = 0; f < features; ++f) {
      const float* const source = from.data + panel * from.panel_step + f * from.row_step;
      float* const target = to.data + panel * to.panel_step + f * to.row_step;
      store(target, load(source));
      store(target + kLanes, load(source + kLanes));
    }
  }
}

void gather_tokens(const Tokens& from, Size features, const int* chosen, Size count, const Tokens& to) {
  for (Size panel = 0; panel < panels_of(count); ++panel, chosen += kPanel) {
    const int here = static_cast<int>(std::min<Size>(kPanel, count - panel * kPanel));
    const float* sources[kPanel] = {};
    for (int t = 0; t < here; ++t) sources[t] = from.data + chosen[t] / kPanel * from.panel_step + chosen[t] % kPanel;
    float* target = to.data + panel * to.panel_step;
    for (Size f = 0; f < features; ++f, target += kPanel) {
      for (int t = 0; t < kPanel; ++t) target[t] = t < here ? sources[t][f * kPanel] : 0;
    }
  }
}

void scatter_tokens(const Tokens& from, Size features, const int* chosen, Size count, const Tokens& to) {
  for (Size i = 0; i < count; ++i) {
    const float* const source = from.data + i / kPanel * from.panel_step + i % kPanel;
    float* const target = to.data + chosen[i] / kPanel * to.panel_step + chosen[i] % kPanel;
    for (Size f = 0; f < features; ++f) target[f * kPanel] = source[f * kPanel];
  }
}

void panels_from_rows(const float* rows, Size row_step, Size tokens, Size features, const Tokens& to) {
  for (Size panel = 0; panel < panels_of(tokens); ++panel) {
    const float* const from = rows + panel * kPanel * row_step;
    float* const out = to.data + panel * to.panel_step;
    const Size here = std::min<Size>(kPanel, tokens - panel * kPanel);
    Size f = 0;
    if (here == kPanel) {
      for (; f + kLanes <= features; f += kLanes) {
        turn(from + f, row_step, out + f * to.row_step, to.row_step);
        turn(from + kLanes * row_step + f, row_step, out + f * to.row_step + kLanes, to.row_step);
      }
    }
    for (; f < features; ++f) {
      for (Size t = 0; t < kPanel; ++t) out[f * to.row_step + t] = t < here ? from[t * row_step + f] : 0;
    }
  }
}

void rows_from_panels(const Tokens& from, Size tokens, Size features, float* rows, Size row_step) {
  for (Size panel = 0; panel < panels_of(tokens); ++panel) {
    const float* const in = from.data + panel * from.panel_step;
    float* const out = rows + panel * kPanel * row_step;
    const Size here = std::min<Size>(kPanel, tokens - panel * kPanel);
    Size f = 0;
    if (here == kPanel) {
      for (; f + kLanes <= features; f += kLanes) {
        turn(in + f * from.row_step, from.row_step, out + f, row_step);
        turn(in + f * from.row_step + kLanes, from.row_step, out + kLanes * row_step + f, row_step);
      }
    }
    for (; f < features; ++f) {
      for (Size t = 0; t < here; ++t) out[t * row_step + f] = in[f * from.row_step + t];
    }
  }
}

}  // namespace attention
