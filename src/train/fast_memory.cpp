// Where a batch stands in memory, and its weights packed.
#include "train/fast_memory.hpp"

#include <algorithm>
#include <cassert>
#include <cstdint>

namespace train {
namespace {

constexpr Size kLine = 16;  // floats of a cache line

void pack(const float* weights, Size depth, Size columns, PackedWeights& packed) {
  attention::pack_strips(weights, columns, 1, depth, columns, packed.forward.reserve(depth * columns));
  attention::pack_strips(weights, 1, columns, columns, depth, packed.backward.reserve(depth * columns));
}

void begin_with(const Matrix<float>& bias, Size columns, float* start) {
  if (bias.size() > 0) {
    std::copy(bias.data(), bias.data() + columns, start);
  } else {
    std::fill(start, start + columns, 0.0f);
  }
}

void pack_heads(const Layer<float>& layer, PackedWeights& packed) {
  const Size depth = layer.norm_1.gain.cols(), columns = 3 * depth;
  float* const scaled = packed.scaled.reserve(depth * columns);
  float* const start = packed.start.reserve(columns);
  for_heads(layer, layer, [&](const auto& weight, const auto& bias, const auto&, const auto&, Size column) {
    begin_with(bias, weight.cols(), start + column);
    attention::fold_norm(layer.norm_1.gain.data(), layer.norm_1.bias.data(), weight.data(), depth, weight.cols(),
                         weight.cols(), scaled + column, columns, start + column);
  });
  pack(scaled, depth, columns, packed);
}

void pack_behind_norm(const Norm<float>& norm, const Matrix<float>& weight, const Matrix<float>& bias,
                      PackedWeights& packed) {
  const Size depth = weight.rows(), columns = weight.cols();
  float* const scaled = packed.scaled.reserve(depth * columns);
  float* const start = packed.start.reserve(columns);
  begin_with(bias, columns, start);
  attention::fold_norm(norm.gain.data(), norm.bias.data(), weight.data(), depth, columns, columns, scaled, columns,
                       start);
  pack(scaled, depth, columns, packed);
}

void pack_plain(const Matrix<float>& weight, const Matrix<float>& bias, PackedWeights& packed) {
  begin_with(bias, weight.cols(), packed.start.reserve(weight.cols()));
  pack(weight.data(), weight.rows(), weight.cols(), packed);
}

void pack_words(const Parameters<float>& parameters, const Matrix<float>& words, PackedWeights& packed) {
  const Size count = words.rows(), width = words.cols();
  float* const scaled = packed.scaled.reserve(count * width);
  float* const start = packed.start.reserve(count);
  attention::fold_norm_by_words(parameters.norm.gain.data(), parameters.norm.bias.data(), words.data(), width, count,
                                scaled, start);
  if (parameters.output_bias.size() > 0) attention::add_numbers(parameters.output_bias.data(), count, start);
  attention::pack_strips(scaled, 1, width, width, count, packed.forward.reserve(count * width));
  attention::pack_strips(scaled, width, 1, count, width, packed.backward.reserve(count * width));
}

}  // namespace

float* Room::reserve(Size floats) {
  const Size wanted = floats + 2 * kLine;  // to align, and to read some numbers beyond the end
  if (static_cast<Size>(memory_.size()) < wanted) {
    memory_.assign(static_cast<std::size_t>(wanted), 0.0f);
    const auto address = reinterpret_cast<std::uintptr_t>(memory_.data());
    data_ = memory_.data() + (64 - address % 64) % 64 / sizeof(float);
  }
  return data_;
}

void FastWorkspace::Memory::lay_out(const Shape& now, const std::vector<Sequence>& batch, bool with_targets) {
  shape = now;
  starts.clear();
  lengths.clear();
  squares.assign(1, 0);
  words.clear();
  target_tokens.clear();
  target_words.clear();
  target_of.clear();
  int longest = 0;
  for (const Sequence& sequence : batch) {
    const int n = sequence.length.value_or(static_cast<int>(sequence.tokens.size()));
    assert(n >= 1 && n <= shape.longest);
    starts.push_back(static_cast<int>(words.size()));
    lengths.push_back(n);
    squares.push_back(squares.back() + Size{n} * n);
    longest = std::max(longest, n);
    for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
      const int target = with_targets ? sequence.targets[i] : kNoTarget;
      target_of.push_back(target == kNoTarget ? -1 : static_cast<int>(target_tokens.size()));
      if (target != kNoTarget) {
        target_tokens.push_back(static_cast<int>(words.size()));
        target_words.push_back(target);
      }
      words.push_back(sequence.tokens[i]);
    }
  }
  tokens = static_cast<int>(words.size());
  panels = attention::panels_of(tokens);
  // One panel more than tokens need, for packs that read beyond them; an odd number of lines, as for panels.
  row = (((panels + 1) * attention::kPanelTokens + kLine - 1) / kLine | 1) * kLine;

  const Size d_model = shape.d_model, d_ff = 4 * d_model, padded = panels * attention::kPanelTokens;
  const Size in_model = attention::panel_floats(d_model, tokens), in_ff = attention::panel_floats(d_ff, tokens);
  layers.resize(static_cast<std::size_t>(shape.layers));
  for (FastLayer& layer : layers) {
    layer.normal_1.reserve(in_model);
    layer.inverse_1.reserve(padded);
    layer.qkv.reserve(3 * d_model * row);
    layer.z_rows.reserve(d_model * row);
    layer.z.reserve(in_model);
    if (!shape.feed_forward) continue;
    layer.normal_2.reserve(in_model);
    layer.inverse_2.reserve(padded);
    layer.hidden.reserve(in_ff);
  }
  patterns.reserve(shape.layers * shape.heads * squares.back());
  stream.reserve(in_model);
  normal.reserve(in_model);
  inverse.reserve(padded);
  token_rows.reserve(tokens * d_model);
  head_room.reserve(attention::head_room(longest, d_model / shape.heads));
  const Size picked_padded = attention::panels_of(targets()) * attention::kPanelTokens;
  picked.reserve(attention::panel_floats(d_model, targets()));
  picked_inverse.reserve(picked_padded);
  logits.reserve(attention::panel_floats(shape.vocabulary, targets()));
  logit_rows.reserve(targets() * shape.vocabulary);
  largest.reserve(picked_padded);
  sums.reserve(picked_padded);
}

void pack_weights(const Parameters<float>& parameters, FastWorkspace::Memory& memory) {
  for (std::size_t i = 0; i < memory.layers.size(); ++i) {
    const Layer<float>& layer = parameters.layers[i];
    FastLayer& packed = memory.layers[i];
    pack_heads(layer, packed.in);
    pack_plain(layer.attention.W_O, layer.attention.b_O, packed.out);
    if (!memory.shape.feed_forward) continue;
    pack_behind_norm(layer.norm_2, layer.W_1, layer.b_1, packed.up);
    pack_plain(layer.W_2, layer.b_2, packed.down);
  }
  pack_words(parameters, memory.shape.tied ? parameters.embedding : parameters.unembedding, memory.words_out);
}

}  // namespace train
