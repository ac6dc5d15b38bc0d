// The arithmetic of a fast training step, on plain floats: what `train` needs for a whole batch of tokens at once.
//
// Every matrix of tokens has one row a feature and one column a token, eight tokens (a panel) side by side. So a
// product over features reads both its operands straight through, a product over tokens does, too, and what is done to
// each token by itself (norms, the loss) works on eight at once. Nothing has to be turned round in between.
// Bits: every sum runs in an order that no build changes; only relaxed SIMD, which rounds a multiply-add once, differs.
#pragma once

#include <cstddef>
#include <cstdint>

namespace attention {

using Size = std::ptrdiff_t;

inline constexpr int kPanelTokens = 8;
inline Size panels_of(Size tokens) { return (tokens + kPanelTokens - 1) / kPanelTokens; }

/// Where features of tokens lie: number (f, t) at data[t / 8 * panel_step + f * row_step + t % 8]. In panels that is
/// row_step 8; with panel_step 8, each feature is one row of all tokens. The last panel is whole: tokens that fill it
/// up are computed along, and have to be finite.
struct Tokens {
  float* data = nullptr;
  Size row_step = 0;
  Size panel_step = 0;
};

/// For panels with room for one more feature. An odd number of cache lines, lest the same feature of all panels fall
/// into a few of the cache's sets.
inline Size panel_step(Size features) { return ((features + 2) / 2 | 1) * 2 * kPanelTokens; }
inline Tokens in_panels(float* data, Size features) { return {data, kPanelTokens, panel_step(features)}; }
inline Size panel_floats(Size features, Size tokens) { return panels_of(tokens) * panel_step(features); }

// ---------------------------------------------------------------- products

/// Weights for multiply_tokens, depth by columns of them: number (k, c) from weights[k * depth_step + c * column_step].
void pack_strips(const float* weights, Size depth_step, Size column_step, Size depth, Size columns, float* strips);

enum class Finish : std::uint8_t {
  write,      // out = sum
  add,        // out += sum
  rectify,    // out = max(0, sum); NaN stays
  keep_zeros  // out = sum where out is not 0: back through `rectify`
};
/// out(r, t) from start[r] (or 0) + Σ_k weights(k, r) in(k, t), for each of the `rows` that were packed as columns.
void multiply_tokens(const float* strips, Size depth, Size rows, const float* start, const Tokens& in, Size panels,
                     Finish finish, const Tokens& out);

/// out[i * out_step + j] = Σ_t a(i, t) b(j, t), over all tokens of the panels. Both with row_step 8.
void multiply_over_tokens(const Tokens& a, Size a_rows, const Tokens& b, Size b_rows, Size panels, float* out,
                          Size out_step);

void copy_tokens(const Tokens& from, Size features, Size panels, const Tokens& to);
/// Token chosen[i] of `from` becomes token i of `to`, or the other way round. Both with row_step 8; what fills up the
/// last panel is 0.
void gather_tokens(const Tokens& from, Size features, const int* chosen, Size count, const Tokens& to);
void scatter_tokens(const Tokens& from, Size features, const int* chosen, Size count, const Tokens& to);
/// From one row a token, and back. Tokens that fill up the last panel are 0.
void panels_from_rows(const float* rows, Size row_step, Size tokens, Size features, const Tokens& to);
void rows_from_panels(const Tokens& from, Size tokens, Size features, float* rows, Size row_step);

// ---------------------------------------------------------------- a norm and the weights behind it

// (normal * gain + bias) W = normal (gain * W) + bias W: so the gain goes into the weights, the bias into the start of
// the sums, and what is kept of a norm is `normal` alone. Backwards everything comes from one product over tokens,
// M = normal d_outᵀ, and from m = Σ_t d_out: dW = gain M + bias m, d_gain = Σ_columns W M, d_bias = Σ_columns W m.

/// Weights (features, columns) in rows `step` apart. scaled = gain * weights; start += bias weights.
void fold_norm(const float* gain, const float* bias, const float* weights, Size features, Size columns, Size step,
               float* scaled, Size scaled_step, float* start);
/// `sums` (features + 1, columns): M, and m as its last row. d_weights is written, d_gain and d_bias are added to.
void unfold_norm(const float* gain, const float* bias, const float* weights, Size features, Size columns, Size step,
                 const float* sums, Size sums_step, float* d_weights, float* d_gain, float* d_bias);
/// The same for weights that lie the other way, (columns, features): vectors of words. start is written.
void fold_norm_by_words(const float* gain, const float* bias, const float* words, Size features, Size count,
                        float* scaled, float* start);
/// `sums` (count, features + 1), in rows `sums_step` apart. d_words is written.
void unfold_norm_by_words(const float* gain, const float* bias, const float* words, Size features, Size count,
                          const float* sums, Size sums_step, float* d_words, float* d_gain, float* d_bias);

// ---------------------------------------------------------------- each token by itself

/// normal = (x - mean) * inverse, inverse[t] = 1 / sqrt(variance + epsilon).
void normalise_tokens(const Tokens& x, Size features, Size panels, float epsilon, const Tokens& normal, float* inverse);
/// d_x += (g - mean of g - normal * mean of g * normal) * inverse, with g = dL / d normal.
void normalise_tokens_backward(const Tokens& g, const Tokens& normal, const float* inverse, Size features, Size panels,
                               const Tokens& d_x);

/// logits (words by tokens) become (softmax - one-hot of target) * share, and 0 for tokens that fill up.
/// largest[t] and sums[t]: -ln softmax[target] = ln sums[t] + largest[t] - logit of the target. Room for whole panels.
void softmax_loss(const Tokens& logits, Size words, const int* targets, Size tokens, float share, float* largest,
                  float* sums);

// ---------------------------------------------------------------- one head of one sequence

struct Head {
  const float *Q, *K, *V;  // (d_k, n) each, one row a feature
  Size step;               // floats from row to row; up to 7 behind each row are read, and must be finite
  Size n, d_k;
  bool causal, inert_sink;  // as in train::Shape
  float scale;              // of scores
  float gate;               // of the head's output
};
Size head_room(Size n, Size d_k);  // floats of `room` below
/// pattern (n, n) row-major; z (d_k, n), times the gate, in rows `step` apart.
void attend(const Head& head, float* pattern, float* z, float* room);
/// From z and d_z = dL / dz to d_Q, d_K and d_V, all (d_k, n) in rows `step` apart. d_sink: what else the loss has of
/// each pattern(i, 0). Up to 7 floats behind `pattern` are read.
void attend_backward(const Head& head, const float* pattern, const float* z, const float* d_z, float d_sink, float* d_Q,
                     float* d_K, float* d_V, float* room);

// ---------------------------------------------------------------- each number by itself

void add_numbers(const float* from, Size count, float* to);    // to += from
void scale_numbers(float factor, Size count, float* numbers);  // numbers *= factor
bool all_finite(const float* numbers, Size count);
double sum_of_squares(const float* numbers, Size count);
/// number = number * keep - rate * mean / (sqrt(square * unbias_square) + epsilon), after the two means took the
/// gradient in (Kingma & Ba 2015, algorithm 1; Loshchilov & Hutter 2019).
struct AdamFactors {
  float beta_1, rest_1, beta_2, rest_2;  // rest: 1 - beta
  float rate;                            // learning rate / (1 - beta_1^step)
  float unbias_square;                   // 1 / (1 - beta_2^step)
  float epsilon, keep;
};
void adam_update(const AdamFactors& factors, const float* gradients, Size count, float* means, float* squares,
                 float* numbers);

}  // namespace attention
