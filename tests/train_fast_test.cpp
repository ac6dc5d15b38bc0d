// The fast step against the readable model in double: losses, every gradient, patterns and logits of many shapes; steps
// against the readable step's; the same bits again and again; divergence.
#include "train/fast.hpp"
#include "train_model_support.hpp"

#include <algorithm>
#include <limits>

using namespace train_model_test;
using train::FastWorkspace;
using train::kNoTarget;
using train::Loss;

namespace {

/// Every width, number of heads and switch that matters to a kernel.
Shape fast_shape(Random& random) {
  constexpr int kHeads[] = {1, 2, 4, 6, 8};
  Shape shape;
  shape.vocabulary = 2 + random.below(60);
  shape.longest = 1 + random.below(32);
  shape.layers = 1 + random.below(3);
  shape.heads = kHeads[random.below(5)];
  const int least = (16 + shape.heads - 1) / shape.heads;
  shape.d_model = shape.heads * (least + random.below(96 / shape.heads - least + 1));
  for (bool* flag : {&shape.feed_forward, &shape.biases, &shape.tied, &shape.causal, &shape.inert_sink}) {
    *flag = coin(random);
  }
  return shape;
}

std::string name_of(const Shape& shape) {
  std::string name = std::to_string(shape.layers) + " layers, " + std::to_string(shape.heads) + " heads, " +
                     std::to_string(shape.d_model) + " wide";
  if (shape.feed_forward) name += ", feed-forward";
  if (shape.biases) name += ", biases";
  if (shape.tied) name += ", tied";
  if (shape.causal) name += ", causal";
  if (shape.inert_sink) name += ", inert sink";
  return name;
}

/// From 1 token up; behind some stands padding that is no word. Dense: every token has a target.
std::vector<Sequence> fast_batch(const Shape& shape, int sequences, bool dense, Random& random) {
  std::vector<Sequence> batch(static_cast<std::size_t>(sequences));
  for (Sequence& sequence : batch) {
    const int n = 1 + random.below(shape.longest);
    for (int i = 0; i < n; ++i) {
      sequence.tokens.push_back(random.below(shape.vocabulary));
      sequence.targets.push_back(dense || random.below(6) == 0 ? random.below(shape.vocabulary) : kNoTarget);
    }
    if (!coin(random)) continue;
    sequence.length = n;
    sequence.tokens.insert(sequence.tokens.end(), 3, -7);
    sequence.targets.insert(sequence.targets.end(), 3, 99999);
  }
  if (batch[0].targets[0] == kNoTarget) batch[0].targets[0] = random.below(shape.vocabulary);
  return batch;
}

/// Like what training begins with, but gains aren't 1, biases aren't 0, and some heads are half switched off.
Parameters<float> fast_parameters(const Shape& shape, Random& random) {
  Parameters<float> made = train::random_parameters<float>(shape, random);
  for (Matrix<float>* matrix : train::matrices_of(made)) {
    for (Eigen::Index i = 0; i < matrix->size(); ++i) {
      matrix->data()[i] += static_cast<float>(between(random, -0.1, 0.1));
    }
  }
  for (train::Layer<float>& layer : made.layers) {
    for (auto& head : layer.attention.heads)
      head.gate = random.below(4) == 0 ? 0.5f * static_cast<float>(random.below(2)) : 1;
  }
  return made;
}

Parameters<double> in_double(const Shape& shape, const Parameters<float>& from) {
  Parameters<double> made = train::zeros<double>(shape);
  const auto source = train::matrices_of(from);
  const auto target = train::matrices_of(made);
  REQUIRE(source.size() == target.size());
  for (std::size_t i = 0; i < source.size(); ++i) *target[i] = source[i]->cast<double>();
  for (std::size_t i = 0; i < made.layers.size(); ++i) {
    for (std::size_t h = 0; h < made.layers[i].attention.heads.size(); ++h) {
      made.layers[i].attention.heads[h].gate = static_cast<double>(from.layers[i].attention.heads[h].gate);
    }
  }
  return made;
}

std::size_t length_of(const Sequence& sequence) {
  return sequence.length ? static_cast<std::size_t>(*sequence.length) : sequence.tokens.size();
}

struct Worst {
  double error = 0;
  std::string cell = "nowhere";
  void take(double off, const std::string& where) {
    if (off <= error) return;  // NaN isn't
    error = off;
    cell = where;
  }
};

/// Each derivative's deviation, relative to the largest one of its matrix, or to a hundredth of the largest of all
/// where the matrix is smaller: b_K has none but rounding, since it adds the same to every score of a row.
void compare_gradients(const std::string& name, const Parameters<double>& wanted, const Parameters<float>& found,
                       Worst& worst) {
  double largest = 0;
  for (const Matrix<double>* matrix : train::matrices_of(wanted)) {
    largest = std::fmax(largest, matrix->cwiseAbs().maxCoeff());
  }
  const auto others = train::matrices_of(found);
  std::size_t at = 0;
  train::for_each(wanted, [&](const std::string& of, const Matrix<double>& matrix) {
    REQUIRE(at < others.size());
    const Matrix<float>& other = *others[at++];
    REQUIRE(other.rows() == matrix.rows());
    REQUIRE(other.cols() == matrix.cols());
    const double scale = std::fmax(matrix.cwiseAbs().maxCoeff(), 0.01 * largest);
    for (Eigen::Index i = 0; i < matrix.size(); ++i) {
      const double off = std::fabs(matrix.data()[i] - static_cast<double>(other.data()[i])) / scale;
      worst.take(off, name + ": " + of + "[" + std::to_string(i) + "]");
    }
  });
  CHECK(at == others.size());
}

std::uint64_t hash_of(const Parameters<float>& parameters) {
  Hash hash;
  hash.add(parameters);
  return hash.state;
}

struct Case {
  Shape shape;
  Parameters<float> parameters;
  std::vector<Sequence> batch;
  double penalty;
};
Case random_case(Random& random) {
  Case made;
  made.shape = fast_shape(random);
  made.parameters = fast_parameters(made.shape, random);
  const int sequences = 1 + random.below(9);
  const bool dense = coin(random);
  made.batch = fast_batch(made.shape, sequences, dense, random);
  made.penalty = coin(random) ? between(random, 0.1, 1) : 0;
  return made;
}

Trainer<float> small_trainer() {
  Shape shape;
  shape.vocabulary = 23;
  shape.longest = 13;
  shape.heads = 2;
  shape.d_model = 24;
  shape.feed_forward = true;
  Options options;
  options.warm_up = 2;
  options.weight_decay = 0.1;
  options.sink_penalty = 0.2;
  return train::start<float>(shape, options, 5);
}

}  // namespace

TEST_CASE("fast losses and gradients are the readable model's in double, for every kind of model") {
  Random random{311};
  FastWorkspace workspace;  // one for all: what was in it before must not matter
  Workspace<double> reference;
  Worst gradients, losses;
  for (int round = 0; round < 48; ++round) {
    const Case it = random_case(random);
    const std::string name = name_of(it.shape);
    const Parameters<double> exact = in_double(it.shape, it.parameters);
    const Loss wanted = train::backward(it.shape, exact, it.batch, it.penalty, reference);
    const Loss found = train::fast_backward(it.shape, it.parameters, it.batch, it.penalty, workspace);
    losses.take(std::fabs(wanted.cross_entropy - found.cross_entropy) / wanted.cross_entropy, name);
    if (it.penalty > 0) losses.take(std::fabs(wanted.sink - found.sink) / std::fmax(wanted.sink, 0.1), name + " sink");
    INFO(name);
    CHECK(found.targets == wanted.targets);
    CHECK(found.correct == wanted.correct);
    CHECK((found.sink == 0) == (wanted.sink == 0));
    compare_gradients(name, reference.gradients, workspace.gradients(), gradients);
  }
  MESSAGE("loss: off by " << losses.error << ", " << losses.cell);
  MESSAGE("gradients: off by " << gradients.error << ", " << gradients.cell);
  CHECK(losses.error <= 2e-6);
  CHECK(gradients.error <= 2e-5);
}

TEST_CASE("a batch of more tokens than one block of a sum, and of one token") {
  Random random{312};
  Shape shape;
  shape.vocabulary = 40;
  shape.longest = 32;
  shape.feed_forward = true;
  shape.inert_sink = true;
  const Parameters<float> parameters = fast_parameters(shape, random);
  Workspace<double> reference;
  Worst worst;
  for (const int sequences : {40, 1}) {
    std::vector<Sequence> batch = fast_batch(shape, sequences, true, random);
    if (sequences == 1) batch = {{{3}, {4}, {}}};
    FastWorkspace workspace;
    train::backward(shape, in_double(shape, parameters), batch, 0.5, reference);
    train::fast_backward(shape, parameters, batch, 0.5, workspace);
    compare_gradients(std::to_string(sequences) + " sequences", reference.gradients, workspace.gradients(), worst);
  }
  MESSAGE("off by " << worst.error << ", " << worst.cell);
  CHECK(worst.error <= 2e-5);
}

TEST_CASE("fast patterns and logits are forward's, with and without a loss") {
  Random random{313};
  FastWorkspace workspace;
  Worst patterns, logits;
  for (int round = 0; round < 24; ++round) {
    const Case it = random_case(random);
    const Parameters<double> exact = in_double(it.shape, it.parameters);
    std::vector<Sequence> without = it.batch;
    for (Sequence& sequence : without) sequence.targets.clear();  // not looked at
    const bool with_loss = coin(random);
    if (with_loss) {
      train::fast_evaluate(it.shape, it.parameters, it.batch, it.penalty, workspace);
    } else {
      REQUIRE(train::fast_forward(it.shape, it.parameters, without, workspace));
    }
    train::ModelTrace<double> trace;
    for (std::size_t s = 0; s < it.batch.size(); ++s) {
      const Sequence& sequence = it.batch[s];
      const std::size_t n = length_of(sequence);
      const int at = static_cast<int>(s);
      CHECK(workspace.tokens(at) == static_cast<int>(n));
      REQUIRE(train::forward(it.shape, exact, std::span<const int>(sequence.tokens.data(), n), trace));
      for (int layer = 0; layer < it.shape.layers; ++layer) {
        for (int head = 0; head < it.shape.heads; ++head) {
          const auto& wanted =
              trace.layers[static_cast<std::size_t>(layer)].attention.heads[static_cast<std::size_t>(head)].pattern;
          const std::span<const float> found = workspace.pattern(layer, head, at);
          REQUIRE(found.size() == n * n);
          for (std::size_t i = 0; i < found.size(); ++i) {
            const double weight = wanted.data()[i];
            patterns.take(std::fabs(weight - static_cast<double>(found[i])), name_of(it.shape));
            if (weight == 0) CHECK(found[i] == 0);
          }
        }
      }
      for (std::size_t i = 0; with_loss && i < n; ++i) {
        if (sequence.targets[i] == kNoTarget) continue;
        const std::span<const float> found = workspace.logits(at, static_cast<int>(i));
        REQUIRE(found.size() == static_cast<std::size_t>(it.shape.vocabulary));
        for (std::size_t word = 0; word < found.size(); ++word) {
          const double wanted = trace.logits(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(word));
          logits.take(std::fabs(wanted - static_cast<double>(found[word])), name_of(it.shape));
        }
      }
    }
  }
  MESSAGE("patterns: off by " << patterns.error << ", " << patterns.cell);
  MESSAGE("logits: off by " << logits.error << ", " << logits.cell);
  CHECK(patterns.error <= 2e-6);
  CHECK(logits.error <= 2e-5);
}

TEST_CASE("fast steps go where the readable ones go") {
  Trainer<float> fast = small_trainer(), readable = small_trainer();
  FastWorkspace workspace;
  Workspace<float> room;
  Random random{314};
  for (int i = 0; i < 12; ++i) {
    const std::vector<Sequence> batch = fast_batch(fast.shape, 6, i % 2 == 0, random);
    const train::StepReport found = train::fast_step(fast, batch, workspace);
    const train::StepReport wanted = train::step(readable, batch, room);
    REQUIRE(found.problems.empty());
    CHECK(found.step == wanted.step);
    CHECK(found.learning_rate == wanted.learning_rate);
    CHECK(found.loss.targets == wanted.loss.targets);
    CHECK(std::fabs(found.loss.total() - wanted.loss.total()) <= 1e-4 * wanted.loss.total());
    CHECK(std::fabs(found.gradient_norm - wanted.gradient_norm) <= 1e-3 * wanted.gradient_norm);
  }
  // Adam divides by the gradient's own size, so where it is next to nothing (b_K), rounding decides: a few steps' rate.
  Worst parameters;
  for (const bool now : {true, false}) {
    const train::Progress<float>*const a = now ? &fast.now : &fast.before, *const b =
                                                                               now ? &readable.now : &readable.before;
    const auto others = train::matrices_of(b->parameters);
    std::size_t at = 0;
    train::for_each(a->parameters, [&](const std::string& name, const Matrix<float>& matrix) {
      const Matrix<float>& other = *others[at++];
      if (name.ends_with("b_K")) return;
      for (Eigen::Index i = 0; i < matrix.size(); ++i) {
        parameters.take(static_cast<double>(std::fabs(matrix.data()[i] - other.data()[i])),
                        (now ? "" : "before, ") + name);
      }
    });
    CHECK(a->step == b->step);
    CHECK(a->beta_1_power == b->beta_1_power);
    CHECK(a->beta_2_power == b->beta_2_power);
  }
  MESSAGE("parameters: off by " << parameters.error << ", " << parameters.cell);
  CHECK(parameters.error <= 2e-3);
}

TEST_CASE("one step's update is Adam's to float's rounding, weight decay and clipping included") {
  for (const double decay : {0.0, 0.3}) {
    Trainer<float> fast = small_trainer();
    fast.options.weight_decay = decay;
    fast.options.learning_rate = 0.05;
    fast.options.clip = 0.01;
    Random random{315};
    FastWorkspace workspace;
    for (int i = 0; i < 3; ++i) {
      const std::vector<Sequence> batch = fast_batch(fast.shape, 4, true, random);
      train::Progress<float> wanted = fast.now;
      const train::StepReport report = train::fast_step(fast, batch, workspace);
      REQUIRE(report.problems.empty());
      CHECK(report.gradient_norm > 0.01);
      Parameters<float> clipped = workspace.gradients();
      CHECK(train::clip_gradients(clipped, {}) == doctest::Approx(0.01).epsilon(1e-5));
      train::adam_step(fast.options, report.learning_rate, clipped, wanted);
      Worst worst;
      const std::pair<const Parameters<float>*, const Parameters<float>*> pairs[] = {
          {&wanted.parameters, &fast.now.parameters},
          {&wanted.mean, &fast.now.mean},
          {&wanted.square, &fast.now.square}};
      for (const auto& [a, b] : pairs) {
        const auto others = train::matrices_of(*b);
        std::size_t at = 0;
        train::for_each(*a, [&](const std::string& name, const Matrix<float>& matrix) {
          const Matrix<float>& other = *others[at++];
          for (Eigen::Index k = 0; k < matrix.size(); ++k) {
            worst.take(static_cast<double>(std::fabs(matrix.data()[k] - other.data()[k])), name);
          }
        });
      }
      CHECK(worst.error <= 1e-6);
    }
  }
}

TEST_CASE("the fast step gives the same bits again, whatever its memory held before") {
  Random random{316};
  FastWorkspace used;
  for (int round = 0; round < 12; ++round) {
    const Case it = random_case(random);
    FastWorkspace fresh;
    const Loss a = train::fast_backward(it.shape, it.parameters, it.batch, it.penalty, fresh);
    const Loss b = train::fast_backward(it.shape, it.parameters, it.batch, it.penalty, used);
    const Loss c = train::fast_evaluate(it.shape, it.parameters, it.batch, it.penalty, used);
    INFO(name_of(it.shape));
    CHECK(hash_of(fresh.gradients()) == hash_of(used.gradients()));
    CHECK(a.cross_entropy == b.cross_entropy);
    CHECK(a.sink == b.sink);
    CHECK(c.cross_entropy == b.cross_entropy);
    CHECK(c.correct == b.correct);
  }
}

TEST_CASE("a sequence's patterns don't depend on the batch it is in") {
  Random random{317};
  const Case it = random_case(random);
  FastWorkspace together, alone;
  REQUIRE(train::fast_forward(it.shape, it.parameters, it.batch, together));
  for (std::size_t s = 0; s < it.batch.size(); ++s) {
    REQUIRE(train::fast_forward(it.shape, it.parameters, {it.batch[s]}, alone));
    const auto a = together.pattern(it.shape.layers - 1, 0, static_cast<int>(s)),
               b = alone.pattern(it.shape.layers - 1, 0, 0);
    CHECK(std::equal(a.begin(), a.end(), b.begin(), b.end()));
  }
}

TEST_CASE("a few fast steps have the same bits in every build but relaxed SIMD") {
  Hash hash;
  for (const bool causal : {false, true}) {
    Trainer<float> trainer = small_trainer();
    trainer.shape.causal = causal;
    trainer.shape.inert_sink = !causal;
    FastWorkspace workspace;
    Random random{318};
    for (int i = 0; i < 5; ++i) {
      const train::StepReport report =
          train::fast_step(trainer, fast_batch(trainer.shape, 7, causal, random), workspace);
      REQUIRE(report.problems.empty());
      hash.add(report.loss.total());
      hash.add(report.gradient_norm);
    }
    hash.add(trainer.now.parameters);
    hash.add(trainer.now.square);
  }
  if (attention::kernel_name() == "wasm relaxed simd") return;  // multiply and add are fused there
  CHECK(hash.state == 0xa63d4ed35024e6c6u);
}

TEST_CASE("a batch that is refused changes nothing, in the fast step as in the readable one") {
  Trainer<float> trainer = small_trainer();
  const Trainer<float> kept = trainer;
  FastWorkspace workspace;
  Workspace<float> room;
  for (const std::vector<Sequence>& batch :
       {std::vector<Sequence>{}, std::vector<Sequence>{{{1, 2}, {kNoTarget, kNoTarget}, {}}},
        std::vector<Sequence>{{{1, 99}, {1, 2}, {}}}, std::vector<Sequence>{{{1, 2}, {1}, {}}}}) {
    const train::StepReport found = train::fast_step(trainer, batch, workspace);
    CHECK_FALSE(found.problems.empty());
    CHECK(found.problems == train::step(trainer, batch, room).problems);
    CHECK(trainer == kept);
  }
}

TEST_CASE("divergence names the step and falls back, in the fast step as in the readable one") {
  const auto diverge = [](const auto& spoil, const char* field) {
    Trainer<float> fast = small_trainer();
    FastWorkspace workspace;
    Random random{319};
    for (int i = 0; i < 2; ++i) {
      REQUIRE(train::fast_step(fast, fast_batch(fast.shape, 3, true, random), workspace).problems.empty());
    }
    const train::Progress<float> before = fast.before;
    const std::vector<Sequence> batch = fast_batch(fast.shape, 3, true, random);
    spoil(fast);
    const train::Progress<float> now = fast.now;
    Trainer<float> readable = fast;
    Workspace<float> room;
    const train::StepReport found = train::fast_step(fast, batch, workspace),
                            wanted = train::step(readable, batch, room);
    REQUIRE(found.problems.size() == 1);
    REQUIRE(wanted.problems.size() == 1);
    CHECK(found.problems[0].field == wanted.problems[0].field);
    CHECK(found.problems[0].field.ends_with(field));
    CHECK(found.problems[0].wanted == wanted.problems[0].wanted);
    CHECK(fast.now == readable.now);
    const bool is_update = std::string(field) == "embedding";
    if (!is_update) CHECK(fast.now == before);
    if (is_update) CHECK(fast.now == now);
    // And from there it goes on.
    fast.options.learning_rate = 1e-3;
    CHECK(train::fast_step(fast, batch, workspace).problems.empty());
  };
  diverge([](Trainer<float>& it) { it.now.parameters.norm.gain.setConstant(1e5f); }, "3 loss");
  diverge(
      [](Trainer<float>& it) {
        it.now.parameters.embedding(3, 0) = std::numeric_limits<float>::quiet_NaN();
        it.now.parameters.embedding.setConstant(std::numeric_limits<float>::quiet_NaN());
      },
      "3 loss");
  diverge([](Trainer<float>& it) { it.now.parameters.layers[0].attention.W_O.setConstant(3e38f); }, "3 loss");
  diverge([](Trainer<float>& it) { it.options.learning_rate = 1e39; }, "embedding");
}

TEST_CASE("the fast forward pass says when a number grew beyond float") {
  Random random{320};
  Case it = random_case(random);
  FastWorkspace workspace;
  CHECK(train::fast_forward(it.shape, it.parameters, it.batch, workspace));
  Parameters<float> large = it.parameters;
  for (auto& head : large.layers.back().attention.heads) {
    head.W_V.setConstant(3e38f);
    head.gate = 1;
  }
  CHECK_FALSE(train::fast_forward(it.shape, large, it.batch, workspace));
  CHECK(std::isnan(train::fast_evaluate(it.shape, large, it.batch, 0, workspace).cross_entropy));
  CHECK(std::isnan(train::fast_backward(it.shape, large, it.batch, 0, workspace).cross_entropy));
  CHECK(train::fast_forward(it.shape, it.parameters, it.batch, workspace));  // nothing of it is left
  const auto pattern = workspace.pattern(0, 0, 0);
  CHECK(std::all_of(pattern.begin(), pattern.end(), [](float weight) { return weight >= 0 && weight <= 1; }));
}

TEST_CASE("a sure model's gradient is as exact as an unsure one's") {
  // softmax of the target is 1 to float's last bit: as a difference from 1 the gradient would be 0 or twice as large.
  Shape shape;
  shape.vocabulary = 4;
  shape.longest = 2;
  shape.layers = 1;
  shape.d_model = 16;
  Parameters<float> parameters = train::zeros<float>(shape);
  parameters.output_bias << 17, 0, 0.5f, -1;
  const std::vector<Sequence> batch = {{{1, 2}, {0, 0}, {}}};
  Workspace<double> reference;
  FastWorkspace workspace;
  train::backward(shape, in_double(shape, parameters), batch, 0, reference);
  train::fast_backward(shape, parameters, batch, 0, workspace);
  for (Eigen::Index word = 0; word < 4; ++word) {
    const double wanted = reference.gradients.output_bias(0, word);
    CHECK(static_cast<double>(workspace.gradients().output_bias(0, word)) == doctest::Approx(wanted).epsilon(1e-5));
  }
}

TEST_CASE("what a model beyond float left in the memory is in no later gradient") {
  Random random{322};
  Shape shape;
  shape.vocabulary = 9;
  shape.longest = 15;
  shape.layers = 1;
  shape.d_model = 16;
  const Parameters<float> parameters = fast_parameters(shape, random);
  Parameters<float> large = parameters;
  for (auto& head : large.layers[0].attention.heads) {
    for (Matrix<float>* weight : {&head.W_Q, &head.W_K, &head.W_V}) weight->setConstant(3e38f);
  }
  const auto batch_of = [](int n) {
    return std::vector<Sequence>{{std::vector<int>(n, 3), std::vector<int>(n, 4), {}}};
  };
  FastWorkspace used, fresh;
  // Fifteen tokens leave infinities where nine have only what fills up the second panel.
  CHECK_FALSE(train::fast_forward(shape, large, batch_of(15), used));
  train::fast_backward(shape, parameters, batch_of(9), 0.5, used);
  train::fast_backward(shape, parameters, batch_of(9), 0.5, fresh);
  CHECK(std::isfinite(fresh.gradients().embedding.sum()));
  CHECK(hash_of(used.gradients()) == hash_of(fresh.gradients()));
}

TEST_CASE("of logits that are all as large, the first word's is the one that counts") {
  Shape shape;
  shape.vocabulary = 5;
  shape.longest = 3;
  shape.layers = 1;
  shape.d_model = 16;
  const Parameters<float> parameters = train::zeros<float>(shape);
  FastWorkspace workspace;
  const std::vector<Sequence> batch = {{{0, 1, 2}, {0, 1, 0}, {}}};
  CHECK(train::fast_evaluate(shape, parameters, batch, 0, workspace).correct == 2);
}

TEST_CASE("memory is used again: after the first step nothing moves") {
  Trainer<float> trainer = small_trainer();
  FastWorkspace workspace;
  Random random{321};
  const std::vector<Sequence> batch = fast_batch(trainer.shape, 6, true, random);
  train::fast_step(trainer, batch, workspace);
  const float* const pattern = workspace.pattern(1, 1, 3).data();
  const float* const gradient = workspace.gradients().embedding.data();
  train::fast_step(trainer, batch, workspace);
  CHECK(workspace.pattern(1, 1, 3).data() == pattern);
  CHECK(workspace.gradients().embedding.data() == gradient);
}
