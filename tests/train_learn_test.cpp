// It learns: two small tasks from seeded data, and a golden hash of a loss curve, the same in every build.
#include "train_model_support.hpp"

using namespace train_model_test;
using train::StepReport;

namespace {

/// Random words, each to be followed by the one before: a head that looks one back is all it takes.
std::vector<Sequence> copy_previous(int sequences, Random& random) {
  std::vector<Sequence> batch(static_cast<std::size_t>(sequences));
  for (Sequence& sequence : batch) {
    for (int i = 0; i < 8; ++i) {
      sequence.targets.push_back(i == 0 ? train::kNoTarget : sequence.tokens.back());
      sequence.tokens.push_back(random.below(8));
    }
  }
  return batch;
}

/// Three to six different words twice over: where one comes again, what followed it? The distance differs, so a head
/// has to find the word itself (induction: Olsson et al. 2022, "In-context Learning and Induction Heads").
std::vector<Sequence> repeat(int sequences, Random& random) {
  constexpr int kWords = 10;
  std::vector<Sequence> batch(static_cast<std::size_t>(sequences));
  for (Sequence& sequence : batch) {
    const int period = 3 + random.below(4);
    int words[kWords];
    for (int i = 0; i < kWords; ++i) words[i] = i;
    for (int i = 0; i < period; ++i) std::swap(words[i], words[i + random.below(kWords - i)]);
    for (int i = 0; i < 2 * period; ++i) {
      sequence.tokens.push_back(words[i % period]);
      sequence.targets.push_back(i < period ? train::kNoTarget : words[(i + 1) % period]);
    }
  }
  return batch;
}

struct Outcome {
  double first_loss = 0, accuracy = 0;
  Trainer<float> trainer;
};

template <class Draw>
Outcome learn(const Shape& shape, const Options& options, int batch, const Draw& draw) {
  Outcome out{0, 0, train::start<float>(shape, options, 1)};
  Workspace<float> room;
  for (int i = 0; i < options.steps; ++i) {
    const StepReport report = train::step(out.trainer, draw(batch, out.trainer.random), room);
    REQUIRE(report.problems.empty());
    if (i == 0) out.first_loss = report.loss.cross_entropy;
  }
  Random fresh{12345};
  const train::Loss loss = train::evaluate(shape, out.trainer.now.parameters, draw(100, fresh), 0, room);
  out.accuracy = static_cast<double>(loss.correct) / loss.targets;
  return out;
}

Shape causal_shape(int vocabulary, int longest) {
  Shape shape;
  shape.vocabulary = vocabulary;
  shape.longest = longest;
  shape.heads = 2;
  shape.d_model = 16;
  shape.causal = true;
  return shape;
}

template <class T>
std::uint64_t golden_hash() {
  Hash hash;
  for (const bool all : {false, true}) {
    Shape shape = causal_shape(9, 7);
    Options options;
    options.steps = 20;
    options.warm_up = 5;
    options.learning_rate = 0.01;
    if (all) {
      shape.feed_forward = true;
      shape.tied = shape.causal = false;
      shape.inert_sink = true;
      options.decay = train::Decay::linear;
      options.weight_decay = 0.1;
      options.sink_penalty = 0.2;
      options.sink_rise = 5;
    }
    auto trainer = train::start<T>(shape, options, 3);
    Workspace<T> room;
    for (int i = 0; i < 15; ++i) {
      const StepReport report = train::step(trainer, random_batch(shape, 3, trainer.random), room);
      CHECK(report.problems.empty());
      hash.add(report.loss.total());
      hash.add(report.gradient_norm);
      hash.add(report.learning_rate);
    }
    hash.add(trainer.now.parameters);
    hash.add(trainer.now.square);
  }
  return hash.state;
}

}  // namespace

TEST_CASE("two layers learn to copy the previous token") {
  Options options;
  options.steps = 250;
  options.warm_up = 20;
  options.learning_rate = 0.01;
  const Outcome out = learn(causal_shape(8, 8), options, 8, copy_previous);
  MESSAGE("loss at first " << out.first_loss << ", accuracy on new sequences " << out.accuracy);
  CHECK(out.first_loss > 1.5);
  CHECK(out.accuracy > 0.99);
}

TEST_CASE("two layers learn what follows a word that comes again, at any distance") {
  Options options;
  options.steps = 600;
  options.warm_up = 20;
  options.learning_rate = 0.01;
  const Outcome out = learn(causal_shape(10, 12), options, 8, repeat);
  MESSAGE("loss at first " << out.first_loss << ", accuracy on new sequences " << out.accuracy);
  CHECK(out.accuracy > 0.9);
}

TEST_CASE("the penalty moves attention to token 0 and leaves the task learnt") {
  Options options;
  options.steps = 300;
  options.warm_up = 20;
  options.learning_rate = 0.01;
  Shape shape = causal_shape(8, 8);
  shape.inert_sink = true;
  shape.causal = false;
  const auto on_sink = [&](double penalty) {
    options.sink_penalty = penalty;
    const Outcome out = learn(shape, options, 8, copy_previous);
    CHECK(out.accuracy > 0.95);
    Workspace<float> room;
    Random fresh{54321};
    const auto batch = copy_previous(50, fresh);
    const double away = train::evaluate(shape, out.trainer.now.parameters, batch, 1, room).sink;
    return 1 - away / (shape.layers * shape.heads);  // mean weight on token 0
  };
  const double without = on_sink(0), with = on_sink(0.05);
  MESSAGE("mean weight on token 0: " << without << " without, " << with << " with the penalty");
  CHECK(with > without + 0.2);
}

TEST_CASE("the loss curve's golden hash: every build computes the same bits") {
  CHECK(golden_hash<double>() == 0x340bbe9eeed075d9u);
  CHECK(golden_hash<float>() == 0x81f7756f84849ccfu);
}
