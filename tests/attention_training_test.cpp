// The arithmetic of a training step, piece by piece against plain loops, in sizes that leave something over everywhere.
#include "attention/training.hpp"

#include "attention/attention.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

using attention::Finish;
using attention::kPanelTokens;
using attention::Size;
using attention::Tokens;

namespace {

constexpr float kUntouched = 12345.5f;
const float kNaN = std::numeric_limits<float>::quiet_NaN();

struct Random {
  std::uint32_t state = 1;
  float operator()() {
    state = state * 1664525u + 1013904223u;
    return static_cast<float>(state >> 8) / 8388608.0f - 1;
  }
};

std::vector<float> numbers(Size count, Random& random) {
  std::vector<float> out(static_cast<std::size_t>(count));
  for (float& number : out) number = random();
  return out;
}

/// A matrix of tokens in panels, or by rows, with room behind it.
struct Held {
  std::vector<float> memory;
  Tokens view;
  Held(Size features, Size tokens, bool by_rows, float fill) {
    const Size panels = attention::panels_of(tokens), row = (panels + 1) * kPanelTokens;
    memory.assign(static_cast<std::size_t>(by_rows ? features * row : attention::panel_floats(features, tokens)), fill);
    view = by_rows ? Tokens{memory.data(), row, kPanelTokens} : attention::in_panels(memory.data(), features);
  }
  float& at(Size f, Size t) const {
    return view.data[t / kPanelTokens * view.panel_step + f * view.row_step + t % kPanelTokens];
  }
  Size changed() const {
    return static_cast<Size>(memory.size()) - std::count(memory.begin(), memory.end(), kUntouched);
  }
};

Held random_tokens(Size features, Size tokens, bool by_rows, Random& random) {
  Held made(features, tokens, by_rows, 0);
  for (float& number : made.memory) number = random();
  return made;
}

bool fuses() { return attention::kernel_name() == "wasm relaxed simd"; }

/// To the bit, or to a few roundings where multiply and add are fused.
bool agree(float a, float b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return fuses() ? std::fabs(a - b) <= 1e-5f * (1 + std::fabs(a)) : a == b;
}

}  // namespace

TEST_CASE("weights times tokens: every sum in the order of its index, every way to finish it") {
  Random random;
  for (const Size rows : {1, 4, 5, 6, 7, 13, 31}) {
    for (const Size depth : {1, 2, 17, 64}) {
      for (const Size tokens : {1, 8, 21, 600}) {
        const bool in_rows = (rows + depth) % 2 == 0, out_rows = (rows + tokens) % 2 == 0;
        const Size panels = attention::panels_of(tokens), padded = panels * kPanelTokens;
        const std::vector<float> weights = numbers(depth * rows, random), start = numbers(rows, random);
        std::vector<float> strips(weights.size());
        attention::pack_strips(weights.data(), rows, 1, depth, rows, strips.data());
        const Held in = random_tokens(depth, tokens, in_rows, random);
        for (const Finish finish : {Finish::write, Finish::add, Finish::rectify, Finish::keep_zeros}) {
          for (const bool with_start : {true, false}) {
            Held out(rows, tokens, out_rows, kUntouched);
            for (Size f = 0; f < rows; ++f) {
              for (Size t = 0; t < padded; ++t) out.at(f, t) = (f + t) % 3 == 0 ? 0 : random();
            }
            Held before(rows, tokens, out_rows, 0);
            before.memory = out.memory;
            attention::multiply_tokens(strips.data(), depth, rows, with_start ? start.data() : nullptr, in.view, panels,
                                       finish, out.view);
            bool all = true;
            for (Size f = 0; f < rows; ++f) {
              for (Size t = 0; t < padded; ++t) {
                float sum = with_start ? start[static_cast<std::size_t>(f)] : 0;
                for (Size k = 0; k < depth; ++k) sum += weights[static_cast<std::size_t>(k * rows + f)] * in.at(k, t);
                const float old = before.at(f, t);
                const float wanted = finish == Finish::write     ? sum
                                     : finish == Finish::add     ? old + sum
                                     : finish == Finish::rectify ? (sum < 0 ? 0 : sum)
                                                                 : (old == 0 ? 0 : sum);
                all = all && agree(out.at(f, t), wanted);
              }
            }
            INFO(rows << " rows, depth " << depth << ", " << tokens << " tokens, finish " << static_cast<int>(finish));
            CHECK(all);
            CHECK(out.changed() == before.changed());
          }
        }
      }
    }
  }
}

TEST_CASE("a product that isn't a number stays one, through max(0, x) too") {
  const float weight = 1;
  float strip = 0;
  attention::pack_strips(&weight, 1, 1, 1, 1, &strip);
  Held in(1, 1, false, kNaN), out(1, 1, false, 0);
  attention::multiply_tokens(&strip, 1, 1, nullptr, in.view, 1, Finish::rectify, out.view);
  CHECK(std::isnan(out.at(0, 0)));
}

TEST_CASE("weights packed from either side give the transposed product") {
  Random random;
  const Size depth = 9, rows = 11;
  const std::vector<float> weights = numbers(depth * rows, random);
  std::vector<float> turned(weights.size()), one(weights.size()), other(weights.size());
  for (Size k = 0; k < depth; ++k) {
    for (Size r = 0; r < rows; ++r) {
      turned[static_cast<std::size_t>(r * depth + k)] = weights[static_cast<std::size_t>(k * rows + r)];
    }
  }
  attention::pack_strips(weights.data(), rows, 1, depth, rows, one.data());
  attention::pack_strips(turned.data(), 1, depth, depth, rows, other.data());
  CHECK(one == other);
}

TEST_CASE("tokens times tokens: sums over all of them") {
  Random random;
  for (const Size tokens : {8, 40, 264, 1000}) {
    for (const Size a_rows : {1, 5, 6, 23}) {
      for (const Size b_rows : {1, 2, 17, 33}) {
        const Size panels = attention::panels_of(tokens), step = b_rows + 3;
        const Held a = random_tokens(a_rows, tokens, false, random), b = random_tokens(b_rows, tokens, false, random);
        std::vector<float> out(static_cast<std::size_t>(a_rows * step), kUntouched);
        attention::multiply_over_tokens(a.view, a_rows, b.view, b_rows, panels, out.data(), step);
        double worst = 0;
        for (Size i = 0; i < a_rows; ++i) {
          for (Size j = 0; j < step; ++j) {
            const float found = out[static_cast<std::size_t>(i * step + j)];
            if (j >= b_rows) {
              CHECK(found == kUntouched);
              continue;
            }
            double wanted = 0;
            for (Size t = 0; t < panels * kPanelTokens; ++t) {
              wanted += static_cast<double>(a.at(i, t)) * static_cast<double>(b.at(j, t));
            }
            worst = std::fmax(worst, std::fabs(wanted - static_cast<double>(found)));
          }
        }
        INFO(tokens << " tokens, " << a_rows << " by " << b_rows);
        CHECK(worst <= 2e-5);
      }
    }
  }
}

TEST_CASE("the ways between layouts lose nothing, and fill the last panel with zeros") {
  Random random;
  for (const Size tokens : {1, 7, 8, 13, 24}) {
    for (const Size features : {1, 3, 4, 10}) {
      const std::vector<float> rows = numbers(tokens * features, random);
      Held panels(features, tokens, false, kUntouched), by_rows(features, tokens, true, kUntouched);
      attention::panels_from_rows(rows.data(), features, tokens, features, panels.view);
      attention::copy_tokens(panels.view, features, attention::panels_of(tokens), by_rows.view);
      for (Size f = 0; f < features; ++f) {
        for (Size t = 0; t < attention::panels_of(tokens) * kPanelTokens; ++t) {
          const float wanted = t < tokens ? rows[static_cast<std::size_t>(t * features + f)] : 0;
          CHECK(panels.at(f, t) == wanted);
          CHECK(by_rows.at(f, t) == wanted);
        }
      }
      std::vector<float> back(rows.size() + 4, kUntouched);
      attention::rows_from_panels(panels.view, tokens, features, back.data(), features);
      CHECK(std::equal(rows.begin(), rows.end(), back.begin()));
      CHECK(std::count(back.begin(), back.end(), kUntouched) == 4);
    }
  }
}

TEST_CASE("tokens are picked out, and put back where they were") {
  Random random;
  const Size features = 5, tokens = 30;
  const Held all = random_tokens(features, tokens, false, random);
  const std::vector<int> chosen = {0, 3, 4, 7, 8, 15, 16, 22, 23, 24, 29};
  const Size count = static_cast<Size>(chosen.size());
  Held picked(features, count, false, kUntouched), back(features, tokens, false, kUntouched);
  attention::gather_tokens(all.view, features, chosen.data(), count, picked.view);
  attention::scatter_tokens(picked.view, features, chosen.data(), count, back.view);
  for (Size f = 0; f < features; ++f) {
    for (Size i = 0; i < 16; ++i) {
      CHECK(picked.at(f, i) == (i < count ? all.at(f, chosen[static_cast<std::size_t>(i)]) : 0));
    }
    for (Size t = 0; t < tokens; ++t) {
      const bool is_chosen = std::find(chosen.begin(), chosen.end(), static_cast<int>(t)) != chosen.end();
      CHECK(back.at(f, t) == (is_chosen ? all.at(f, t) : kUntouched));
    }
  }
}

TEST_CASE("one head of one sequence leaves what is beside its rows alone") {
  Random random;
  for (const Size n : {1, 2, 5, 8, 11, 24, 33}) {
    for (const Size d_k : {1, 3, 4, 8, 17}) {
      for (int mask = 0; mask < 4; ++mask) {
        const bool causal = (mask & 1) != 0, inert = (mask & 2) != 0;
        const Size step = n + 15;
        const auto Q = numbers(d_k * step, random), K = numbers(d_k * step, random), V = numbers(d_k * step, random),
                   d_z = numbers(d_k * step, random);
        std::vector<float> z(Q.size(), kUntouched), d_Q = z, d_K = z, d_V = z;
        std::vector<float> pattern(static_cast<std::size_t>(n * n + 8), kUntouched);
        std::vector<float> room(static_cast<std::size_t>(attention::head_room(n, d_k)), kNaN);
        const attention::Head head = {Q.data(), K.data(), V.data(), step, n, d_k, causal, inert, 0.7f, 0.5f};
        attention::attend(head, pattern.data(), z.data(), room.data());
        std::fill(room.begin(), room.end(), kNaN);
        attention::attend_backward(head, pattern.data(), z.data(), d_z.data(), 0.25f, d_Q.data(), d_K.data(),
                                   d_V.data(), room.data());
        for (const auto* out : {&z, &d_Q, &d_K, &d_V}) {
          bool inside = true, outside = true;
          for (Size i = 0; i < d_k * step; ++i) {
            const float number = (*out)[static_cast<std::size_t>(i)];
            if (i % step < n)
              inside = inside && std::isfinite(number) && number != kUntouched;
            else
              outside = outside && number == kUntouched;
          }
          INFO(n << " tokens, " << d_k << " wide, mask " << mask);
          CHECK(inside);
          CHECK(outside);
        }
        for (Size i = 0; i < 8; ++i) CHECK(pattern[static_cast<std::size_t>(n * n + i)] == kUntouched);
        for (Size i = 0; i < n; ++i) {
          double sum = 0;
          for (Size j = 0; j < n; ++j) {
            const float weight = pattern[static_cast<std::size_t>(i * n + j)];
            if ((causal && j > i) || (inert && i == 0 && j > 0)) CHECK(weight == 0);
            sum += static_cast<double>(weight);
          }
          CHECK(sum == doctest::Approx(1).epsilon(1e-6));
        }
      }
    }
  }
}

TEST_CASE("a score beyond float shows in the pattern") {
  const Size n = 3, step = 11;
  std::vector<float> Q(step, 3e38f), K(step, 3e38f), V(step, 1.0f), z(step);
  std::vector<float> pattern(n * n + 8), room(static_cast<std::size_t>(attention::head_room(n, 1)));
  attention::attend({Q.data(), K.data(), V.data(), step, n, 1, false, false, 1, 1}, pattern.data(), z.data(),
                    room.data());
  CHECK(std::isnan(pattern[0]));
  CHECK(std::isnan(z[0]));
}

TEST_CASE("sums and scales of numbers, whatever their count") {
  Random random;
  for (const Size count : {1, 2, 3, 4, 5, 7, 8, 30}) {
    const std::vector<float> from = numbers(count, random), to = numbers(count, random);
    std::vector<float> sum = to, scaled = to;
    sum.push_back(kUntouched);
    scaled.push_back(kUntouched);
    attention::add_numbers(from.data(), count, sum.data());
    attention::scale_numbers(3, count, scaled.data());
    double squares = 0;
    for (std::size_t i = 0; i < to.size(); ++i) {
      CHECK(sum[i] == to[i] + from[i]);
      CHECK(scaled[i] == to[i] * 3);
      squares += static_cast<double>(to[i]) * static_cast<double>(to[i]);
    }
    CHECK(sum.back() == kUntouched);
    CHECK(scaled.back() == kUntouched);
    CHECK(attention::sum_of_squares(to.data(), count) == doctest::Approx(squares).epsilon(1e-14));
    CHECK(attention::all_finite(to.data(), count));
    for (const float bad : {kNaN, std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity()}) {
      for (std::size_t i = 0; i < to.size(); ++i) {
        std::vector<float> spoilt = to;
        spoilt[i] = bad;
        CHECK_FALSE(attention::all_finite(spoilt.data(), count));
      }
    }
    const std::vector<float> largest = {std::numeric_limits<float>::max(), -std::numeric_limits<float>::max()};
    CHECK(attention::all_finite(largest.data(), 2));
  }
}
