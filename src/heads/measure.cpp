// The table of roles of a model, on held-out sentences.
#include "heads/model.hpp"
#include "heads/role_counter.hpp"

#include <algorithm>
#include <cmath>

namespace heads {
namespace {

constexpr int kAtOnce = 64;  // sentences in one batch

struct Drawn {
  std::vector<train::Sentence> sentences;
  std::vector<std::vector<int>> masks;
  std::vector<train::Sequence> batch;
};

Drawn draw(const Plan& plan, int count, train::Random& random) {
  Drawn out;
  for (int i = 0; i < count; ++i) {
    out.sentences.push_back(train::make_sentence(plan.task, train::Split::held_out, random));
    out.masks.push_back(train::choose_masks(out.sentences.back(), random));
    out.batch.push_back(to_sequence(plan.shape, out.sentences.back(), out.masks.back()));
  }
  return out;
}

}  // namespace

Table measure(const Model& model, int sentences, std::uint64_t seed) {
  const train::Shape& shape = model.plan.shape;
  train::Random random{seed};
  train::FastWorkspace workspace;
  RoleCounter counter(model.plan.task, shape.causal, shape.layers, shape.heads);
  const std::vector<float> nothing(static_cast<std::size_t>(shape.longest * shape.longest));
  for (int done = 0; done < sentences; done += kAtOnce) {
    const Drawn drawn = draw(model.plan, std::min(kAtOnce, sentences - done), random);
    const train::Loss loss = train::fast_evaluate(shape, model.parameters, drawn.batch, 0, workspace);
    const bool usable = std::isfinite(loss.cross_entropy);  // else every case counts as wrong
    for (std::size_t i = 0; i < drawn.sentences.size(); ++i) {
      const int sequence = static_cast<int>(i);
      const std::size_t n = drawn.sentences[i].tokens.size();
      const PatternOf patterns = [&](int layer, int head) {
        return usable ? workspace.pattern(layer, head, sequence) : std::span(nothing).first(n * n);
      };
      const LogitsOf logits = [&](int token) {
        return usable ? workspace.logits(sequence, token) : std::span<const float>();
      };
      counter.add(drawn.sentences[i], drawn.masks[i], patterns, logits);
    }
  }
  return counter.finish(counted_on_text(sentences));
}

}  // namespace heads
