// The fast forward pass of a batch, and its loss.
#include "attention/arithmetic.hpp"
#include "train/fast_memory.hpp"
#include "train/norm.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace train {
namespace {

using attention::Finish;
using attention::kPanelTokens;
using Memory = FastWorkspace::Memory;

constexpr float kEpsilon = static_cast<float>(kNormEpsilon);

void embed(const Parameters<float>& parameters, Memory& at) {
  const Size width = at.shape.d_model;
  float* row = at.token_rows.data();
  for (std::size_t s = 0; s < at.starts.size(); ++s) {
    for (int i = 0; i < at.lengths[s]; ++i, row += width) {
      const int word = at.words[static_cast<std::size_t>(at.starts[s] + i)];
      std::copy_n(parameters.embedding.data() + word * width, width, row);
      attention::add_numbers(parameters.positions.data() + i * width, width, row);
    }
  }
  attention::panels_from_rows(at.token_rows.data(), width, at.tokens, width, at.panels_of(at.stream, width));
}

/// The feature after the last one is 1 for every token: a product over tokens then sums the other factor, too.
void set_ones(const Tokens& matrix, Size features, Size panels) {
  for (Size panel = 0; panel < panels; ++panel) {
    std::fill_n(matrix.data + panel * matrix.panel_step + features * kPanelTokens, kPanelTokens, 1.0f);
  }
}

/// Numbers behind the last token in every row: what attention doesn't write and products read.
void set_zero_behind(const Memory& at, Size first, float* rows, Size features) {
  for (Size f = 0; f < features; ++f) std::fill(rows + f * at.row + first, rows + (f + 1) * at.row, 0.0f);
}

void attend_all(const Layer<float>& layer, Size layer_index, FastLayer& here, Memory& at) {
  const Size d_model = at.shape.d_model, d_k = d_model / at.shape.heads;
  const float scale = 1 / std::sqrt(static_cast<float>(d_k));
  for (Size head = 0; head < at.shape.heads; ++head) {
    const float gate = layer.attention.heads[static_cast<std::size_t>(head)].gate;
    for (std::size_t s = 0; s < at.starts.size(); ++s) {
      const Size first = head * d_k * at.row + at.starts[s];
      const float* const Q = here.qkv.data() + first;
      const attention::Head one = {Q,   Q + d_model * at.row, Q + 2 * d_model * at.row, at.row, at.lengths[s],
                                   d_k, at.shape.causal,      at.shape.inert_sink,      scale,  gate};
      attention::attend(one, at.pattern(layer_index, head, static_cast<Size>(s)), here.z_rows.data() + first,
                        at.head_room.data());
    }
  }
}

void layer_forward(const Layer<float>& layer, Size layer_index, Memory& at) {
  FastLayer& here = at.layers[static_cast<std::size_t>(layer_index)];
  const Size d_model = at.shape.d_model, d_ff = 4 * d_model;
  const Tokens stream = at.panels_of(at.stream, d_model), normal_1 = at.panels_of(here.normal_1, d_model);
  attention::normalise_tokens(stream, d_model, at.panels, kEpsilon, normal_1, here.inverse_1.data());
  set_ones(normal_1, d_model, at.panels);
  attention::multiply_tokens(here.in.forward.data(), d_model, 3 * d_model, here.in.start.data(), normal_1, at.panels,
                             Finish::write, at.rows_of(here.qkv));
  set_zero_behind(at, at.panels * kPanelTokens, here.qkv.data(), 3 * d_model);
  attend_all(layer, layer_index, here, at);
  set_zero_behind(at, at.tokens, here.z_rows.data(), d_model);
  const Tokens z = at.panels_of(here.z, d_model);
  attention::copy_tokens(at.rows_of(here.z_rows), d_model, at.panels, z);
  set_ones(z, d_model, at.panels);
  attention::multiply_tokens(here.out.forward.data(), d_model, d_model, here.out.start.data(), z, at.panels,
                             Finish::add, stream);
  if (!at.shape.feed_forward) return;
  const Tokens normal_2 = at.panels_of(here.normal_2, d_model), hidden = at.panels_of(here.hidden, d_ff);
  attention::normalise_tokens(stream, d_model, at.panels, kEpsilon, normal_2, here.inverse_2.data());
  set_ones(normal_2, d_model, at.panels);
  attention::multiply_tokens(here.up.forward.data(), d_model, d_ff, here.up.start.data(), normal_2, at.panels,
                             Finish::rectify, hidden);
  set_ones(hidden, d_ff, at.panels);
  attention::multiply_tokens(here.down.forward.data(), d_ff, d_model, here.down.start.data(), hidden, at.panels,
                             Finish::add, stream);
}

/// Sum over layers, heads and tokens of (1 - attention on token 0).
double away_from_sink(const Memory& at) {
  double sum = 0;
  for (Size layer = 0; layer < at.shape.layers; ++layer) {
    for (Size head = 0; head < at.shape.heads; ++head) {
      for (std::size_t s = 0; s < at.starts.size(); ++s) {
        const float* const pattern = at.pattern(layer, head, static_cast<Size>(s));
        const Size n = at.lengths[s];
        for (Size query = 0; query < n; ++query) sum += 1 - static_cast<double>(pattern[query * n]);
      }
    }
  }
  return sum;
}

/// No other logit is larger, and none before it as large.
bool is_named(const float* logits, int words, int target) {
  const float own = logits[target];
  for (int i = 0; i < words; ++i) {
    if (logits[i] > own || (logits[i] == own && i < target)) return false;
  }
  return true;
}

}  // namespace

bool fast_forward_pass(const Parameters<float>& parameters, Memory& at) {
  const Size d_model = at.shape.d_model, words = at.shape.vocabulary;
  embed(parameters, at);
  for (Size i = 0; i < at.shape.layers; ++i) layer_forward(parameters.layers[static_cast<std::size_t>(i)], i, at);
  const Tokens normal = at.panels_of(at.normal, d_model);
  attention::normalise_tokens(at.panels_of(at.stream, d_model), d_model, at.panels, kEpsilon, normal,
                              at.inverse.data());
  for (Size panel = 0; panel < at.panels; ++panel) {
    if (!attention::all_finite(normal.data + panel * normal.panel_step, d_model * kPanelTokens)) return false;
  }
  if (at.targets() == 0) return true;
  const Tokens picked = at.panels_of(at.picked, d_model), logits = at.panels_of(at.logits, words);
  attention::gather_tokens(normal, d_model, at.target_tokens.data(), at.targets(), picked);
  set_ones(picked, d_model, attention::panels_of(at.targets()));
  attention::multiply_tokens(at.words_out.forward.data(), d_model, words, at.words_out.start.data(), picked,
                             attention::panels_of(at.targets()), Finish::write, logits);
  attention::rows_from_panels(logits, at.targets(), words, at.logit_rows.data(), words);
  return true;
}

Loss fast_loss(double sink_penalty, Memory& at) {
  const int words = at.shape.vocabulary, targets = static_cast<int>(at.targets());
  Loss loss;
  attention::softmax_loss(at.panels_of(at.logits, words), words, at.target_words.data(), targets,
                          static_cast<float>(1.0 / targets), at.largest.data(), at.sums.data());
  for (int i = 0; i < targets; ++i) {
    const float* const logits = at.logit_rows.data() + Size{i} * words;
    const int target = at.target_words[static_cast<std::size_t>(i)];
    loss.cross_entropy += attention::logarithm(static_cast<double>(at.sums.data()[i])) +
                          (static_cast<double>(at.largest.data()[i]) - static_cast<double>(logits[target]));
    loss.correct += is_named(logits, words, target) ? 1 : 0;
  }
  loss.targets = targets;
  loss.cross_entropy /= targets;
  if (sink_penalty != 0) loss.sink = away_from_sink(at) * (sink_penalty / at.tokens);
  return loss;
}

}  // namespace train
