// A transformer small enough to train while someone watches: its parameters, forward and backward with every
// intermediate, the loss, and the optimiser that advances exactly one step a call.
//
// Letters: n tokens of a sequence, d_model width of a token, d_ff = 4 d_model, V words in the vocabulary.
// All on the readable engine (attention.hpp) and its arithmetic: the same seed gives the same bits everywhere.
//
// Sources: Vaswani et al. 2017, "Attention Is All You Need" (layers, feed-forward, learned positions in section 3.5);
// Ba et al. 2016, "Layer Normalization"; Xiong et al. 2020, "On Layer Normalization in the Transformer Architecture"
// (before each sub-layer, not after); Kingma & Ba 2015, "Adam".
#pragma once

#include "attention/attention.hpp"
#include "train/random.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace train {

using attention::Matrix;
using attention::Problem;

// ---------------------------------------------------------------- the model

struct Shape {
  int vocabulary = 0;         // V, 2 … 65,536
  int longest = 0;            // 1 … 512 tokens: so many positions are learned
  int layers = 2;             // 1 … 6
  int heads = 4;              // 1 … 8, dividing d_model; each is d_model / heads wide
  int d_model = 64;           // 16 … 128
  bool feed_forward = false;  // after attention in each layer: max(0, x W_1 + b_1) W_2 + b_2 (Vaswani et al., eq. 2)
  bool biases = true;         // of attention, feed-forward and output; norms always have theirs
  bool tied = true;           // words have one vector for input and output (Press & Wolf 2017)
  bool causal = false;        // a token attends to itself and to those before it, else to all
  bool inert_sink = false;    // token 0 attends only to itself, so that nothing is routed through it
  bool operator==(const Shape&) const = default;
};

/// All that is wrong with the sizes; empty when a model of this shape can be made.
std::vector<Problem> validate(const Shape& shape);

/// The engine's sizes of one layer on n tokens; its gates stand in Layer::attention.
attention::Config attention_config(const Shape& shape, int n);

template <class T>
struct Norm {
  Matrix<T> gain;  // (1, d_model), 1 to begin with
  Matrix<T> bias;  // (1, d_model)
};

/// What one layer learns. "Empty" everywhere below: 0 x 0, where the shape hasn't got it.
template <class T>
struct Layer {
  Norm<T> norm_1;                   // before attention
  attention::Weights<T> attention;  // gates aren't learned: 1, or what an ablation sets
  Norm<T> norm_2;                   // before the feed-forward layer, or empty
  Matrix<T> W_1;                    // (d_model, d_ff), or empty
  Matrix<T> b_1;                    // (1, d_ff), or empty
  Matrix<T> W_2;                    // (d_ff, d_model), or empty
  Matrix<T> b_2;                    // (1, d_model), or empty
};

template <class T>
struct Parameters {
  Matrix<T> embedding;           // (V, d_model) row: a word's vector
  Matrix<T> positions;           // (longest, d_model) row i is added to token i
  std::vector<Layer<T>> layers;  // the first is next to the words
  Norm<T> norm;                  // after the last layer
  Matrix<T> unembedding;         // (V, d_model) row: what a word's logit is the product with; empty when tied
  Matrix<T> output_bias;         // (1, V), or empty
};

/// visit(name, matrix) for each matrix that is learned, in one fixed order; empty ones are left out. Names are stable
/// and used in files: "embedding", "layers.0.heads.1.W_Q". `Some` is Parameters<T>, const or not.
template <class Some, class Visit>
void for_each(Some& parameters, const Visit& visit);

/// Zeros in the sizes of the shape; a caller's duty: `validate` found nothing (asserted).
template <class T>
Parameters<T> zeros(const Shape& shape);
/// Words and positions with deviation 0.1, so that the first loss is near ln V; weights with 1 / sqrt(rows), and half
/// of that in W_O and W_2, which write into the stream; gains 1 and biases 0. The same numbers on every platform.
template <class T>
Parameters<T> random_parameters(const Shape& shape, Random& random);
/// Of numbers that are learned.
std::int64_t count_parameters(const Shape& shape);
/// What was read from a file, against the shape: each matrix that is missing, too many, of another size, or that holds
/// a number which isn't finite.
template <class T>
std::vector<Problem> validate(const Shape& shape, const Parameters<T>& parameters);
/// Same sizes, numbers and gates.
template <class T>
bool operator==(const Parameters<T>& a, const Parameters<T>& b);

template <class T>
struct NormTrace {
  Matrix<T> normal;   // (n, d_model) (x - mean) / deviation of its row
  Matrix<T> inverse;  // (n, 1) 1 / deviation
};

template <class T>
struct LayerTrace {
  NormTrace<T> norm_1;
  attention::Input<T> input;      // X (n, d_model): the stream after norm_1; the mask
  attention::Trace<T> attention;  // all that attention made of it
  Matrix<T> between;              // (n, d_model) the stream with attention's output added
  NormTrace<T> norm_2;            // of `between`
  Matrix<T> fed;                  // (n, d_model) the stream after norm_2
  Matrix<T> hidden;               // (n, d_ff) max(0, fed W_1 + b_1)
  Matrix<T> output;               // (n, d_model) the stream after this layer
};

template <class T>
struct ModelTrace {
  Matrix<T> embedded;                 // (n, d_model) words plus positions: the stream before the first layer
  std::vector<LayerTrace<T>> layers;  // one each
  NormTrace<T> norm;                  // of the last stream
  Matrix<T> last;                     // (n, d_model) the last stream after the norm
  Matrix<T> logits;                   // (n, V) last · each word's vector + output_bias
};

/// `tokens`: 1 … longest of them, each from 0 to V - 1 (asserted). A trace that is used again allocates less.
/// False: a number grew beyond T before some layer's attention; from there on the trace holds nothing of this run.
template <class T>
bool forward(const Shape& shape, const Parameters<T>& parameters, std::span<const int> tokens, ModelTrace<T>& trace);

// ---------------------------------------------------------------- the loss

inline constexpr int kNoTarget = -1;

/// What is read and what is to be predicted.
struct Sequence {
  std::vector<int> tokens;         // 0 … V - 1
  std::vector<int> targets;        // for each token the word that its logits should name, or kNoTarget
  std::optional<int> length = {};  // so many tokens are real, 1 and up, and padding follows; absent: all of them
};

/// Padding is never computed: no token may attend to it, and nothing is predicted from it. It isn't inspected either.
std::vector<Problem> validate(const Shape& shape, const std::vector<Sequence>& batch);

struct Loss {
  double cross_entropy = 0;      // mean of -ln softmax(logits)[target] over the batch's targets, in nats
  double sink = 0;               // the penalty
  int targets = 0, correct = 0;  // correct: no other logit is larger, and none before it as large
  double total() const { return cross_entropy + sink; }
};

/// Memory that is used again from step to step. What is in it afterwards: the last sequence's trace, all gradients.
template <class T>
struct Workspace {
  std::optional<Shape> shape;  // that the gradients are made for
  ModelTrace<T> trace;
  Parameters<T> gradients;  // dL / d every parameter, L = cross_entropy + sink; a tied embedding by both ways
  attention::Gradients<T> attention;
  std::vector<Matrix<T>> d_patterns;  // one per head, (n, n)
  Matrix<T> d_logits, d_stream, d_branch, d_normed, d_hidden, d_weight;
  std::vector<double> exponentials;  // V
};

/// `sink_penalty` times the sum over layers and heads of the mean over tokens of (1 - attention on token 0): a head
/// with nothing to do then rests on token 0. The batch as `validate` wants it (asserted). Where numbers grow beyond T,
/// the loss is NaN.
template <class T>
Loss evaluate(const Shape& shape, const Parameters<T>& parameters, const std::vector<Sequence>& batch,
              double sink_penalty, Workspace<T>& workspace);
/// The same, and workspace.gradients.
template <class T>
Loss backward(const Shape& shape, const Parameters<T>& parameters, const std::vector<Sequence>& batch,
              double sink_penalty, Workspace<T>& workspace);

// ---------------------------------------------------------------- the optimiser

enum class Decay : std::uint8_t { none, linear, cosine };

struct Options {
  int steps = 2400;             // that the schedule is made for, 1 and up; later steps have its last rate
  double learning_rate = 3e-3;  // the highest
  int warm_up = 200;            // steps on which the rate rises evenly, 0 and up
  Decay decay = Decay::cosine;  // the rate's way down from the first step to the last (Loshchilov & Hutter 2017)
  double final_share = 0.05;    // 0 … 1, of the learning rate, at the last step
  double beta_1 = 0.9, beta_2 = 0.98, epsilon = 1e-8;  // Adam's; beta_2 as in Vaswani et al., section 5.3
  std::optional<double> clip =
      1;                    // gradients together aren't longer than this (Pascanu et al. 2013); absent: any length
  double weight_decay = 0;  // of W_* (Loshchilov & Hutter 2019): not of words, positions, norms and biases
  double sink_penalty = 0;  // at its full height; 0: none
  int sink_from = 0;        // the last step without it
  int sink_rise = 0;        // steps on which it then rises evenly
  bool operator==(const Options&) const = default;
};

std::vector<Problem> validate(const Options& options);
/// Of a step, counted from 1.
double learning_rate_at(const Options& options, int step);
double sink_penalty_at(const Options& options, int step);

/// What a step changes.
template <class T>
struct Progress {
  Parameters<T> parameters;
  Parameters<T> mean;                         // Adam's m: running mean of the gradients
  Parameters<T> square;                       // Adam's v: running mean of their squares
  int step = 0;                               // steps taken
  double beta_1_power = 1, beta_2_power = 1;  // beta^step, which correct the two means' bias towards 0
  bool operator==(const Progress&) const = default;
};

/// Everything that decides what comes next: a copy is a checkpoint, and from it the same batches give the same bits.
template <class T>
struct Trainer {
  Shape shape;
  Options options;
  Progress<T> now;
  Progress<T> before;  // one update earlier, and what divergence falls back to: `now` may have no usable loss
  Random random;       // for whoever draws the batches; falling back doesn't turn it back, so that others follow
  bool operator==(const Trainer&) const = default;
};

/// At step 0, the parameters drawn from the seed. Shape and options as `validate` wants them (asserted).
template <class T>
Trainer<T> start(const Shape& shape, const Options& options, std::uint64_t seed);

/// A loss above kHopeless (1 + ln V) counts as divergence: norms keep a ruined model's numbers finite for long.
inline constexpr double kHopeless = 100;

struct StepReport {
  int step = 0;              // which this was, from 1
  Loss loss;                 // before the update
  double gradient_norm = 0;  // before clipping
  double learning_rate = 0;
  std::vector<Problem> problems;  // empty: the step was taken
};

/// Exactly one step. A batch that `validate` refuses changes nothing. Divergence (loss, gradients or new parameters too
/// large or not finite) is a problem that names the step, and puts `now` back to `before`.
template <class T>
StepReport step(Trainer<T>& trainer, const std::vector<Sequence>& batch, Workspace<T>& workspace);

/// Length of all gradients as one vector; where it is above `at_most`, they are scaled to that length.
template <class T>
double clip_gradients(Parameters<T>& gradients, std::optional<double> at_most);
/// Kingma & Ba 2015, algorithm 1, with the learning rate as alpha; weight decay as in Loshchilov & Hutter 2019.
template <class T>
void adam_step(const Options& options, double learning_rate, const Parameters<T>& gradients, Progress<T>& progress);

// ---------------------------------------------------------------- for_each

template <class Some, class Visit>
void for_each(Some& parameters, const Visit& visit) {
  const auto give = [&](const std::string& name, auto& matrix) {
    if (matrix.size() > 0) visit(name, matrix);
  };
  const auto give_norm = [&](const std::string& name, auto& norm) {
    give(name + ".gain", norm.gain);
    give(name + ".bias", norm.bias);
  };
  give("embedding", parameters.embedding);
  give("positions", parameters.positions);
  for (std::size_t i = 0; i < parameters.layers.size(); ++i) {
    auto& layer = parameters.layers[i];
    const std::string of_layer = "layers." + std::to_string(i) + ".";
    give_norm(of_layer + "norm_1", layer.norm_1);
    for (std::size_t h = 0; h < layer.attention.heads.size(); ++h) {
      auto& head = layer.attention.heads[h];
      const std::string of_head = of_layer + "heads." + std::to_string(h) + ".";
      give(of_head + "W_Q", head.W_Q);
      give(of_head + "b_Q", head.b_Q);
      give(of_head + "W_K", head.W_K);
      give(of_head + "b_K", head.b_K);
      give(of_head + "W_V", head.W_V);
      give(of_head + "b_V", head.b_V);
    }
    give(of_layer + "W_O", layer.attention.W_O);
    give(of_layer + "b_O", layer.attention.b_O);
    give_norm(of_layer + "norm_2", layer.norm_2);
    give(of_layer + "W_1", layer.W_1);
    give(of_layer + "b_1", layer.b_1);
    give(of_layer + "W_2", layer.W_2);
    give(of_layer + "b_2", layer.b_2);
  }
  give_norm("norm", parameters.norm);
  give("unembedding", parameters.unembedding);
  give("output_bias", parameters.output_bias);
}

/// The same matrices without their names, to walk several Parameters of one shape side by side.
template <class T>
std::vector<Matrix<T>*> matrices_of(Parameters<T>& parameters) {
  std::vector<Matrix<T>*> all;
  for_each(parameters, [&](const std::string&, Matrix<T>& matrix) { all.push_back(&matrix); });
  return all;
}
template <class T>
std::vector<const Matrix<T>*> matrices_of(const Parameters<T>& parameters) {
  std::vector<const Matrix<T>*> all;
  for_each(parameters, [&](const std::string&, const Matrix<T>& matrix) { all.push_back(&matrix); });
  return all;
}

}  // namespace train
