// The training step for the benchmark: a program without a page that train.mjs steps.
#include "train/fast.hpp"

#include <emscripten/emscripten.h>

#include <optional>

namespace {

struct Run {
  train::Trainer<float> trainer;
  train::FastWorkspace workspace;
  std::vector<train::Sequence> batch;
  std::vector<int> tokens;
  int longest = 0;
  double loss = 0;
};
std::optional<Run> run;

}  // namespace

extern "C" {

/// Room for `sequences` times longest + 1 words, which the caller fills: each but the last is read, and has its
/// successor as target.
EMSCRIPTEN_KEEPALIVE int* create(int vocabulary, int longest, int layers, int heads, int d_model, int feed_forward,
                                 int sequences) {
  train::Shape shape;
  shape.vocabulary = vocabulary;
  shape.longest = longest;
  shape.layers = layers;
  shape.heads = heads;
  shape.d_model = d_model;
  shape.feed_forward = feed_forward != 0;
  shape.biases = false;
  shape.tied = false;
  shape.causal = true;
  train::Options options;
  options.learning_rate = 1e-3;
  options.warm_up = 0;
  options.decay = train::Decay::none;
  options.beta_2 = 0.999;
  options.clip = {};
  if (!validate(shape).empty()) return nullptr;
  run.emplace();
  run->trainer = train::start<float>(shape, options, 1);
  run->batch.resize(static_cast<std::size_t>(sequences));
  run->tokens.resize(static_cast<std::size_t>(sequences * (longest + 1)));
  run->longest = longest;
  return run->tokens.data();
}

/// One step; its loss, or NaN when it can't be taken.
EMSCRIPTEN_KEEPALIVE double step() {
  if (run->batch.front().tokens.empty()) {
    const int* words = run->tokens.data();
    for (train::Sequence& sequence : run->batch) {
      sequence.tokens.assign(words, words + run->longest);
      sequence.targets.assign(words + 1, words + 1 + run->longest);
      words += run->longest + 1;
    }
  }
  const train::StepReport report = train::fast_step(run->trainer, run->batch, run->workspace);
  return report.problems.empty() ? report.loss.total() : 0.0 / 0.0;
}
}
