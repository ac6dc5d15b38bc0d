// What attention costs: parameters, floating-point operations and memory of a stack of layers, the presets that people
// know, what a narrow head can't do, and the same layer in two libraries' words.
//
// Letters as in attention.hpp; h_kv key/value heads (Ainslie et al. 2023: h_kv = 1 is multi-query, Shazeer 2019; h_kv = h
// the usual), d_ff the feed-forward layer's width, n tokens, b sequences.
// Norms, embeddings and the last layer's logits are left out everywhere. Parameters are exact integers; operations and
// bytes are double, exact below 2^53.
#pragma once

#include "attention/analysis.hpp"
#include "attention/attention.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace budget {

using Whole = std::int64_t;

/// Sizes of a stack of layers. What each may be: `limits_of`.
struct Sizes {
  Whole d_model = 512, h = 8, h_kv = 8, d_k = 64, d_v = 64;
  bool keep = true;     // d_k = d_v = d_model / h: they follow, and h has to divide d_model
  bool biases = false;
  Whole layers = 6;        // with one attention each
  Whole cross_layers = 6;  // decoder layers with two: masked self-attention and cross-attention (Vaswani et al. 2017)
  Whole d_ff = 2048;
  bool gated = false;      // feed-forward of three matrices instead of two (SwiGLU, Shazeer 2020)
  Whole n = 128, batch = 1;
  Whole bytes = 4;         // of one number: 4 (float32), 2 (float16, bfloat16) or 1
  bool operator==(const Sizes&) const = default;
};

// ------------------------------------------------------------------- sizes

/// The fields by name, in the order in which they are written: "d_model", "h", "h_kv", "d_k", "d_v", "keep", "biases",
/// "layers", "cross_layers", "d_ff", "gated", "n", "batch", "bytes".
std::span<const std::string_view> fields();
struct Limits { Whole least = 1, most = 1; };
/// Of a whole-number field (an unknown or on/off field: asserted). All counts stay below 2^60.
Limits limits_of(std::string_view field);
bool is_switch(std::string_view field);  // keep, biases, gated: "on" or "off"

/// Digits, with or without groups of three ("12,288", "12 288", "12_288"): a whole number. Nothing else is one.
std::optional<Whole> read_whole(std::string_view text);
/// The value of one field: "512", "on".
std::string text_of(const Sizes& sizes, std::string_view field);
/// The sizes with one field changed and what follows from it, or what is wrong: field, found, wanted.
/// keep: d_k and d_v follow d_model and h (an h that doesn't divide is refused by attention::validate_split's words:
/// "512 / 12 = 42.67 …"); setting d_k or d_v by hand while `keep` is on is refused; turning it on is, when h doesn't
/// divide. h_kv follows h where it equalled it, else stays if it divides the new h, else takes the largest divisor of
/// the new h below it. d_ff follows where it was 4 d_model.
std::variant<Sizes, attention::Problem> with_field(const Sizes& sizes, std::string_view field, std::string_view value);
/// keep, d_model and h at once, and what follows, for each of them alone may be refused; null: done.
std::optional<attention::Problem> set_leading(Sizes& sizes, bool keep, Whole d_model, Whole h);
/// Values for a slider, ascending, at most 40: h with `keep` only divisors of d_model, h_kv divisors of h, d_model in
/// steps that h divides with `keep`, the rest round numbers. The present value is always among them.
std::vector<Whole> stops_of(const Sizes& sizes, std::string_view field);

/// All that is wrong with sizes that came from elsewhere.
std::vector<attention::Problem> validate(const Sizes& sizes);

// ----------------------------------------------------------------- presets

struct Preset {
  std::string_view id, name;  // "transformer_base", "Transformer base"
  Sizes sizes;
  std::string_view source;    // "Vaswani et al. 2017, table 3"
  std::string_view note;      // plain, may be empty: what the published model has besides
};
/// transformer_base, transformer_big, bert_base, bert_large, gpt2_small, gpt2_medium, gpt2_large, gpt2_xl, gpt3,
/// falcon_7b (multi-query), llama2_70b and llama3_8b (grouped-query, gated), lesson (6, 3, 2, 2). The first is the start.
std::span<const Preset> presets();
const Preset* find_preset(std::string_view id);
/// The preset whose sizes of model (all but n, batch, bytes) these are; null: none.
const Preset* preset_of(const Sizes& sizes);

// -------------------------------------------------------------- parameters

struct Parameters {
  attention::ParameterCount attention;  // of one attention
  Whole one_head_qkv = 0;               // W_Q, W_K, W_V of one query head; keys and values that it shares count fully
  Whole one_head_output = 0;            // its rows of W_O: d_v d_model
  Whole feed_forward = 0;               // of one layer
  Whole attentions = 0;                 // layers + 2 cross_layers
  Whole feed_forwards = 0;              // layers + cross_layers
  Whole all_attention = 0, all_feed_forward = 0, model = 0;
  Whole attention_maps = 0;             // h * attentions: "attention mechanisms"
};
Parameters count(const Sizes& sizes);

/// The two comparisons that are both called "no more parameters". One head of full width has d_k = d_v = d_model.
struct Comparison {
  Whole one_head_without_W_O = 0;  // 3 d_model^2
  Whole one_head_with_W_O = 0;     // 4 d_model^2
  Whole heads_without_W_O = 0;     // these heads, biases left out
  Whole heads_with_W_O = 0;
};
Comparison compare(const Sizes& sizes);

// ------------------------------------------------------ operations and bytes

/// One part of one attention's (or one feed-forward layer's) forward on batch sequences of n tokens.
struct Work {
  enum class Part : std::uint8_t { project, scores, softmax, weigh, output, feed_forward } part = Part::project;
  double operations = 0;  // a multiply-add counts two
  double numbers = 0;     // what it leaves behind: Q K V, scores, weights, head outputs, output, both layers' results
  bool square = false;    // grows with n * n
};
inline constexpr double kSoftmaxOperations = 5;  // a weight: scale, take the largest off, exponential, add, divide
struct Compute {
  std::vector<Work> parts;       // in the order of the computation, all six
  double linear = 0, square = 0; // operations of attention alone that grow with n, with n * n
  double attention = 0;          // their sum
  /// n at which `square` overtakes `linear`, of attention alone and of the layer with its feed-forward part.
  double overtakes_at = 0, overtakes_layer_at = 0;
  double weights = 0;            // attention weights of one attention: b h n^2, numbers
  double all_weights = 0;        // of all layers (cross-attention as if to n tokens, too)
  double cache_a_token = 0;      // keys and values of one token in all layers that write: h_kv (d_k + d_v) a layer;
                                 // numbers. Where there are cross_layers the others are an encoder, which reads all at
                                 // once and needs none. Self-attention only: cross-attention keeps those of its source,
                                 // counted once, not here
  double cache = 0;              // of b sequences of n tokens; numbers
};
Compute compute(const Sizes& sizes);

// ------------------------------------------------------------------- rank

/// What a head might want to do, as a pattern over n tokens (rows sum to 1).
enum class Target : std::uint8_t { itself, previous, shuffled, halves, first, average };
inline constexpr int kTargets = 6;
std::string_view name_of(Target target);            // "itself": in links
std::optional<Target> find_target(std::string_view name);
/// itself: the identity. previous: the token before (the first: itself). shuffled: a fixed permutation without order.
/// halves: evenly over the own half. first: all on the first token. average: evenly over itself and all before.
attention::Matrix<double> pattern_of(Target target, int n);

/// The best matrix of rank at most k in the sum of squares (Eckart & Young 1936): U_k S_k V_k^T. Scores Q K^T have rank
/// at most d_k, whatever is learned: the bottleneck of Bhojanapalli et al. 2020 when d_k < n.
struct LowRank {
  attention::Matrix<double> target;         // (n, n)
  attention::Matrix<double> approximation;  // (n, n)
  std::vector<double> singular_values;      // n, descending
  attention::Matrix<double> left;           // (n, n) row i: the left singular vector of value i; zeros where that is 0
  int rank = 0;                             // of the target (singular values above 1e-9 of the largest)
  int k = 0;                                // min(d_k, n)
  double kept = 0;                          // 1 - |target - approximation|^2 / |target|^2, 0 … 1
  int rows_right = 0;                       // rows whose largest value is where the target's is (ties of the target's:
                                            // any of them), and nowhere else: a row of zeros is not right
};
inline constexpr int kMostPictured = 96;    // tokens
/// n from 1 to kMostPictured, k from 1 (asserted; larger k is n). What of `before` holds for this target and n is used.
/// Where singular values are equal the best matrix isn't the only one: the first directions are kept.
LowRank low_rank(Target target, int n, int k, const LowRank* before = nullptr);

// -------------------------------------------------------------------- code

/// The same layer in two libraries' words. A layer that one of them can't make has no lines there, and why.
struct Code {
  std::vector<std::string> torch, keras;  // lines
  std::string torch_refusal, keras_refusal;  // plain; "" when there are lines
};
/// torch.nn.MultiheadAttention(embed_dim, num_heads) splits embed_dim evenly and has no h_kv; keras.layers.
/// MultiHeadAttention(num_heads, key_dim, value_dim), and GroupQueryAttention(head_dim, num_query_heads,
/// num_key_value_heads) for h_kv < h, where d_v = d_k.
Code code_of(const Sizes& sizes);

}  // namespace budget
