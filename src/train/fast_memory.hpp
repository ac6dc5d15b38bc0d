// What a fast step keeps in memory: where the tokens of a batch stand, and every matrix between its first and last
// line.
//
// Two layouts (attention/training.hpp): "panels" for products over all tokens, "rows" for what attention reads and
// writes sequence by sequence: one row a feature, all tokens side by side.
#pragma once

#include "attention/training.hpp"
#include "train/fast.hpp"

#include <cstddef>

namespace train {

using attention::Size;
using attention::Tokens;

/// Room that only grows, aligned to a cache line; what was in it is lost when it does.
class Room {
 public:
  float* reserve(Size floats);
  float* data() const { return data_; }

 private:
  std::vector<float> memory_;
  float* data_ = nullptr;
};

/// Weights packed for both ways. The norm before them, if there is one, is folded in.
struct PackedWeights {
  Room scaled;    // (depth, columns) row-major, norm's gain folded in
  Room forward;   // strips: from depth to columns
  Room backward;  // strips: from columns to depth
  Room start;     // (columns) the bias, norm's bias folded in
};

struct FastLayer {
  PackedWeights in, out, up, down;  // W_Q W_K W_V of all heads, W_O, W_1, W_2
  Room normal_1, inverse_1;         // panels (d_model, T), (T)
  Room qkv;                         // rows (3 d_model, T): Q of all heads, K of all heads, V of all heads
  Room z_rows, z;                   // (d_model, T) head outputs, times their gates: in rows, and in panels
  Room normal_2, inverse_2;
  Room hidden;  // panels (4 d_model, T); in the backward pass its derivative
};

struct FastWorkspace::Memory {
  // The batch
  std::vector<int> starts, lengths;              // of each sequence, in tokens
  std::vector<Size> squares;                     // Σ n² of the sequences before it; one more at the end
  int tokens = 0;                                // T
  Size panels = 0;                               // of T tokens
  Size row = 0;                                  // floats from row to row in the layout by rows
  std::vector<int> words;                        // (T)
  std::vector<int> target_tokens, target_words;  // R: tokens that have a target
  std::vector<int> target_of;                    // (T) which of these it is, or -1

  // The model
  Shape shape;
  std::vector<FastLayer> layers;
  PackedWeights words_out;      // the vectors of words, behind the last norm; depth d_model, columns V
  Room patterns;                // layer, head, sequence, (n, n)
  Room stream;                  // panels (d_model, T)
  Room normal, inverse;         // of the last stream
  Room picked, picked_inverse;  // of tokens with a target: panels (d_model, R), (R)
  Room logits;                  // panels (V, R); in the backward pass their derivative
  Room logit_rows;              // (R, V)
  Room largest, sums;           // (R)

  // Backward
  Parameters<float> gradients;
  std::optional<Shape> gradients_shape;
  Room d_stream;           // panels (d_model, T)
  Room d_normal;           // panels (d_model, T)
  Room d_z;                // rows (d_model, T)
  Room d_qkv_rows, d_qkv;  // (3 d_model, T)
  Room token_rows;         // (T, d_model)
  Room weight_sums;        // what a product over tokens gives
  Room head_room;

  /// Takes the batch in. Room for `layers` follows from it.
  void lay_out(const Shape& shape, const std::vector<Sequence>& batch, bool with_targets);
  Tokens panels_of(const Room& room, Size features) const { return attention::in_panels(room.data(), features); }
  Tokens rows_of(const Room& room) const { return {room.data(), row, attention::kPanelTokens}; }
  Size targets() const { return static_cast<Size>(target_tokens.size()); }
  float* pattern(Size layer, Size head, Size sequence) const {
    return patterns.data() + (layer * shape.heads + head) * squares.back() +
           squares[static_cast<std::size_t>(sequence)];
  }
};

/// Joins and packs all weights of the parameters.
void pack_weights(const Parameters<float>& parameters, FastWorkspace::Memory& memory);
/// Up to the last norm, and the logits of tokens with a target. False: a number grew beyond float.
bool fast_forward_pass(const Parameters<float>& parameters, FastWorkspace::Memory& memory);
/// Loss of the logits; they become their derivative.
Loss fast_loss(double sink_penalty, FastWorkspace::Memory& memory);
void fast_backward_pass(const Parameters<float>& parameters, double sink_penalty, FastWorkspace::Memory& memory);

/// f(weight, its gradient or the like, first column) for W_Q, W_K and W_V of all heads, as they stand side by side.
template <class A, class B, class F>
void for_heads(A& layer, B& other, F f) {
  using Head = attention::HeadWeights<float>;
  static constexpr Matrix<float> Head::*kWeights[] = {&Head::W_Q, &Head::W_K, &Head::W_V};
  static constexpr Matrix<float> Head::*kBiases[] = {&Head::b_Q, &Head::b_K, &Head::b_V};
  Size column = 0;
  for (int i = 0; i < 3; ++i) {
    for (std::size_t h = 0; h < layer.attention.heads.size(); ++h) {
      auto& weight = layer.attention.heads[h].*kWeights[i];
      f(weight, layer.attention.heads[h].*kBiases[i], other.attention.heads[h].*kWeights[i],
        other.attention.heads[h].*kBiases[i], column);
      column += weight.cols();
    }
  }
}

}  // namespace train
