// The fast backward pass: fast_forward.cpp read from its last line to its first.
#include "train/fast_memory.hpp"

#include <algorithm>
#include <cmath>

namespace train {
namespace {

using attention::Finish;
using attention::kPanelTokens;
using Memory = FastWorkspace::Memory;

void set_bias(const float* sums, Matrix<float>& d_bias) {
  if (d_bias.size() > 0) std::copy_n(sums, d_bias.size(), d_bias.data());
}

void clear(Norm<float>& norm) {
  norm.gain.setZero();
  norm.bias.setZero();
}

void logits_backward(const Parameters<float>& parameters, Memory& at) {
  const Size d_model = at.shape.d_model, words = at.shape.vocabulary, step = d_model + 1;
  const Size panels = attention::panels_of(at.targets());
  const Tokens d_logits = at.panels_of(at.logits, words), picked = at.panels_of(at.picked, d_model);
  float* const sums = at.weight_sums.reserve(words * step);
  attention::multiply_over_tokens(d_logits, words, picked, step, panels, sums, step);
  const Matrix<float>& vectors = at.shape.tied ? parameters.embedding : parameters.unembedding;
  Matrix<float>& d_vectors = at.shape.tied ? at.gradients.embedding : at.gradients.unembedding;
  clear(at.gradients.norm);
  attention::unfold_norm_by_words(parameters.norm.gain.data(), parameters.norm.bias.data(), vectors.data(), d_model,
                                  words, sums, step, d_vectors.data(), at.gradients.norm.gain.data(),
                                  at.gradients.norm.bias.data());
  Matrix<float>& d_bias = at.gradients.output_bias;
  for (Size word = 0; word < d_bias.size(); ++word) d_bias.data()[word] = sums[word * step + d_model];

  // Only tokens with a target got a derivative from here.
  const Tokens d_normal = at.panels_of(at.d_normal, d_model), d_picked = at.panels_of(at.token_rows, d_model);
  attention::multiply_tokens(at.words_out.backward.data(), words, d_model, nullptr, d_logits, panels, Finish::write,
                             d_normal);
  for (std::size_t i = 0; i < at.target_tokens.size(); ++i) {
    at.picked_inverse.data()[i] = at.inverse.data()[at.target_tokens[i]];
  }
  std::fill_n(d_picked.data, attention::panel_floats(d_model, at.targets()), 0.0f);
  attention::normalise_tokens_backward(d_normal, picked, at.picked_inverse.data(), d_model, panels, d_picked);
  const Tokens d_stream = at.panels_of(at.d_stream, d_model);
  std::fill_n(d_stream.data, attention::panel_floats(d_model, at.tokens), 0.0f);
  attention::scatter_tokens(d_picked, d_model, at.target_tokens.data(), at.targets(), d_stream);
}

/// Weights without a norm before them: `from` has a feature of ones behind its last.
void plain_backward(const Tokens& from, Size depth, const Tokens& d_out, Size columns, Matrix<float>& d_weight,
                    Matrix<float>& d_bias, Memory& at) {
  float* const sums = at.weight_sums.reserve((depth + 1) * columns);
  attention::multiply_over_tokens(from, depth + 1, d_out, columns, at.panels, sums, columns);
  std::copy_n(sums, depth * columns, d_weight.data());
  set_bias(sums + depth * columns, d_bias);
}

void feed_forward_backward(const Layer<float>& layer, FastLayer& here, Layer<float>& d_layer, Memory& at) {
  const Size d_model = at.shape.d_model, d_ff = 4 * d_model;
  const Tokens d_stream = at.panels_of(at.d_stream, d_model), hidden = at.panels_of(here.hidden, d_ff);
  const Tokens normal = at.panels_of(here.normal_2, d_model), d_normal = at.panels_of(at.d_normal, d_model);
  plain_backward(hidden, d_ff, d_stream, d_model, d_layer.W_2, d_layer.b_2, at);
  attention::multiply_tokens(here.down.backward.data(), d_model, d_ff, nullptr, d_stream, at.panels, Finish::keep_zeros,
                             hidden);
  const Tokens& d_hidden = hidden;
  float* const sums = at.weight_sums.reserve((d_model + 1) * d_ff);
  attention::multiply_over_tokens(normal, d_model + 1, d_hidden, d_ff, at.panels, sums, d_ff);
  clear(d_layer.norm_2);
  attention::unfold_norm(layer.norm_2.gain.data(), layer.norm_2.bias.data(), layer.W_1.data(), d_model, d_ff, d_ff,
                         sums, d_ff, d_layer.W_1.data(), d_layer.norm_2.gain.data(), d_layer.norm_2.bias.data());
  set_bias(sums + d_model * d_ff, d_layer.b_1);
  attention::multiply_tokens(here.up.backward.data(), d_ff, d_model, nullptr, d_hidden, at.panels, Finish::write,
                             d_normal);
  attention::normalise_tokens_backward(d_normal, normal, here.inverse_2.data(), d_model, at.panels, d_stream);
}

void attend_all_backward(const Layer<float>& layer, Size layer_index, float d_sink, FastLayer& here, Memory& at) {
  const Size d_model = at.shape.d_model, d_k = d_model / at.shape.heads, block = d_model * at.row;
  const float scale = 1 / std::sqrt(static_cast<float>(d_k));
  for (Size head = 0; head < at.shape.heads; ++head) {
    const float gate = layer.attention.heads[static_cast<std::size_t>(head)].gate;
    for (std::size_t s = 0; s < at.starts.size(); ++s) {
      const Size first = head * d_k * at.row + at.starts[s];
      const float* const Q = here.qkv.data() + first;
      float* const d_Q = at.d_qkv_rows.data() + first;
      const attention::Head one = {Q,   Q + block,       Q + 2 * block,       at.row, at.lengths[s],
                                   d_k, at.shape.causal, at.shape.inert_sink, scale,  gate};
      attention::attend_backward(one, at.pattern(layer_index, head, static_cast<Size>(s)), here.z_rows.data() + first,
                                 at.d_z.data() + first, d_sink, d_Q, d_Q + block, d_Q + 2 * block, at.head_room.data());
    }
  }
}

void attention_backward(const Layer<float>& layer, Size layer_index, float d_sink, Layer<float>& d_layer, Memory& at) {
  FastLayer& here = at.layers[static_cast<std::size_t>(layer_index)];
  const Size d_model = at.shape.d_model, wide = 3 * d_model;
  const Tokens d_stream = at.panels_of(at.d_stream, d_model), z = at.panels_of(here.z, d_model);
  plain_backward(z, d_model, d_stream, d_model, d_layer.attention.W_O, d_layer.attention.b_O, at);
  attention::multiply_tokens(here.out.backward.data(), d_model, d_model, nullptr, d_stream, at.panels, Finish::write,
                             at.rows_of(at.d_z));
  attend_all_backward(layer, layer_index, d_sink, here, at);
  for (Size f = 0; f < wide; ++f) {
    float* const row = at.d_qkv_rows.data() + f * at.row;
    std::fill(row + at.tokens, row + at.row, 0.0f);
  }
  const Tokens d_qkv = at.panels_of(at.d_qkv, wide), normal = at.panels_of(here.normal_1, d_model);
  attention::copy_tokens(at.rows_of(at.d_qkv_rows), wide, at.panels, d_qkv);
  float* const sums = at.weight_sums.reserve((d_model + 1) * wide);
  attention::multiply_over_tokens(normal, d_model + 1, d_qkv, wide, at.panels, sums, wide);
  clear(d_layer.norm_1);
  for_heads(layer, d_layer, [&](const auto& weight, const auto&, auto& d_weight, auto& d_bias, Size column) {
    attention::unfold_norm(layer.norm_1.gain.data(), layer.norm_1.bias.data(), weight.data(), d_model, weight.cols(),
                           weight.cols(), sums + column, wide, d_weight.data(), d_layer.norm_1.gain.data(),
                           d_layer.norm_1.bias.data());
    set_bias(sums + d_model * wide + column, d_bias);
  });
  const Tokens d_normal = at.panels_of(at.d_normal, d_model);
  attention::multiply_tokens(here.in.backward.data(), wide, d_model, nullptr, d_qkv, at.panels, Finish::write,
                             d_normal);
  attention::normalise_tokens_backward(d_normal, normal, here.inverse_1.data(), d_model, at.panels, d_stream);
}

void embedding_backward(Memory& at) {
  const Size width = at.shape.d_model;
  attention::rows_from_panels(at.panels_of(at.d_stream, width), at.tokens, width, at.token_rows.data(), width);
  if (!at.shape.tied) at.gradients.embedding.setZero();  // else it has its part as output
  at.gradients.positions.setZero();
  const float* row = at.token_rows.data();
  for (std::size_t s = 0; s < at.starts.size(); ++s) {
    for (int i = 0; i < at.lengths[s]; ++i, row += width) {
      const int word = at.words[static_cast<std::size_t>(at.starts[s] + i)];
      attention::add_numbers(row, width, at.gradients.embedding.data() + word * width);
      attention::add_numbers(row, width, at.gradients.positions.data() + i * width);
    }
  }
}

void make_room(Memory& at) {
  const Size d_model = at.shape.d_model;
  if (at.gradients_shape != at.shape) {
    at.gradients = zeros<float>(at.shape);
    at.gradients_shape = at.shape;
  }
  at.d_stream.reserve(attention::panel_floats(d_model, at.tokens));
  at.d_normal.reserve(attention::panel_floats(d_model, at.tokens));
  at.token_rows.reserve(attention::panel_floats(d_model, at.tokens));
  at.d_z.reserve(d_model * at.row);
  at.d_qkv_rows.reserve(3 * d_model * at.row);
  at.d_qkv.reserve(attention::panel_floats(3 * d_model, at.tokens));
}

}  // namespace

void fast_backward_pass(const Parameters<float>& parameters, double sink_penalty, Memory& at) {
  make_room(at);
  const float d_sink = static_cast<float>(-sink_penalty / at.tokens);
  logits_backward(parameters, at);
  for (Size i = at.shape.layers; i-- > 0;) {
    const std::size_t index = static_cast<std::size_t>(i);
    const Layer<float>& layer = parameters.layers[index];
    Layer<float>& d_layer = at.gradients.layers[index];
    if (at.shape.feed_forward) feed_forward_backward(layer, at.layers[index], d_layer, at);
    attention_backward(layer, i, d_sink, d_layer, at);
  }
  embedding_backward(at);
}

}  // namespace train
