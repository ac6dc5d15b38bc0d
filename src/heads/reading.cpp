// One sentence read by a model: every head's pattern, with what each query asks about hidden.
#include "heads/model.hpp"

#include "attention/analysis.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace heads {
namespace {

using Index = Eigen::Index;

/// The runs that a reading needs: no set of hidden tokens twice.
struct Runs {
  std::vector<std::vector<int>> hidden;  // one set each
  std::vector<std::size_t> of_query;     // n: which run its row comes from

  std::size_t add(std::vector<int> set) {
    const auto found = std::find(hidden.begin(), hidden.end(), set);
    const auto index = static_cast<std::size_t>(found - hidden.begin());
    if (found == hidden.end()) hidden.push_back(std::move(set));
    return index;
  }
};

Runs runs_of(const Plan& plan, const train::Sentence& sentence, Asking asking) {
  Runs runs;
  for (int query = 0; query < static_cast<int>(sentence.tokens.size()); ++query) {
    runs.of_query.push_back(
        runs.add(asking == Asking::hidden ? hidden_for(plan, sentence, query) : std::vector<int>{}));
  }
  return runs;
}

/// With a target wherever [MASK] stands, so that there are logits for it: a learner's own [MASK], too.
std::vector<train::Sequence> to_batch(const train::Shape& shape, const train::Sentence& sentence, const Runs& runs) {
  std::vector<train::Sequence> batch;
  for (const std::vector<int>& hidden : runs.hidden) {
    train::Sequence& sequence = batch.emplace_back(to_sequence(shape, sentence, hidden));
    for (std::size_t i = 1; i < sequence.tokens.size() && !shape.causal; ++i) {
      if (sequence.tokens[i] == train::kMask) sequence.targets[i] = sentence.tokens[i];
    }
  }
  return batch;
}

bool has_target(const train::Sequence& sequence) {
  return std::any_of(sequence.targets.begin(), sequence.targets.end(), [](int it) { return it != train::kNoTarget; });
}

std::string guess(std::span<const float> logits, train::Task task) {
  const auto best = std::max_element(logits.begin(), logits.end());
  return std::string(train::vocabulary(task)[static_cast<std::size_t>(best - logits.begin())].text);
}

/// Row by row from the run that belongs to it. By the readable engine: these aren't needed often.
void add_contributions(const Model& model, const std::vector<train::Sequence>& batch, const Runs& runs, Reading& out) {
  const auto n = static_cast<Index>(out.sentence.tokens.size());
  const train::Shape& shape = model.plan.shape;
  const attention::Config config = train::attention_config(shape, static_cast<int>(n));
  out.contributions.assign(out.patterns.size(), Pattern::Zero(n, n));
  train::ModelTrace<float> trace;
  for (std::size_t run = 0; run < batch.size(); ++run) {
    if (!train::forward<float>(shape, model.parameters, batch[run].tokens, trace)) continue;
    for (std::size_t map = 0; map < out.patterns.size(); ++map) {
      const std::size_t layer = map / static_cast<std::size_t>(shape.heads);
      const Pattern moved =
          attention::contributions(config, model.parameters.layers[layer].attention, trace.layers[layer].attention,
                                   static_cast<int>(map % static_cast<std::size_t>(shape.heads)));
      for (Index query = 0; query < n; ++query) {
        if (runs.of_query[static_cast<std::size_t>(query)] == run) out.contributions[map].row(query) = moved.row(query);
      }
    }
  }
}

}  // namespace

Reading read_with(const Model& model, const train::Sentence& sentence, Asking asking, bool with_contributions) {
  const train::Shape& shape = model.plan.shape;
  const std::size_t tokens = sentence.tokens.size();
  assert(tokens >= 2 && tokens <= static_cast<std::size_t>(shape.longest));
  const auto n = static_cast<Index>(tokens);
  Reading out;
  out.sentence = sentence;
  out.layers = shape.layers;
  out.heads = shape.heads;
  out.patterns.assign(static_cast<std::size_t>(shape.layers * shape.heads), Pattern::Zero(n, n));
  out.guesses.resize(tokens);

  const Runs runs = runs_of(model.plan, sentence, asking);
  const std::vector<train::Sequence> batch = to_batch(shape, sentence, runs);
  train::FastWorkspace workspace;
  const bool asks = std::any_of(batch.begin(), batch.end(), has_target);
  const bool usable =
      asks ? std::isfinite(train::fast_evaluate(shape, model.parameters, batch, 0, workspace).cross_entropy)
           : train::fast_forward(shape, model.parameters, batch, workspace);
  if (!usable) return out;

  for (std::size_t query = 0; query < tokens; ++query) {
    const auto run = static_cast<int>(runs.of_query[query]);
    for (std::size_t map = 0; map < out.patterns.size(); ++map) {
      const int layer = static_cast<int>(map) / shape.heads, head = static_cast<int>(map) % shape.heads;
      const std::span<const float> pattern = workspace.pattern(layer, head, run);
      std::copy_n(pattern.begin() + static_cast<std::ptrdiff_t>(query * tokens), tokens,
                  out.patterns[map].data() + query * tokens);
    }
    const bool hidden = batch[runs.of_query[query]].targets[query] != train::kNoTarget && !shape.causal;
    if (hidden) out.guesses[query] = guess(workspace.logits(run, static_cast<int>(query)), model.plan.task);
  }
  if (with_contributions) add_contributions(model, batch, runs, out);
  return out;
}

}  // namespace heads
