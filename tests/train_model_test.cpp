// The tiny transformer: its numbers against plain formulas, and what must hold for any model and batch.
#include "train_model_support.hpp"

#include <limits>
#include <set>

using namespace train_model_test;
using train::Problem;

namespace {

Shape small_shape() {
  Shape shape;
  shape.vocabulary = 7;
  shape.longest = 6;
  shape.layers = 2;
  shape.heads = 2;
  shape.d_model = 16;
  shape.feed_forward = true;
  return shape;
}

std::string text_of(const std::vector<Problem>& problems) {
  std::string text;
  for (const Problem& problem : problems) text += attention::to_sentence(problem) + "\n";
  return text;
}

template <class T>
Matrix<T> logits_of(const Shape& shape, const Parameters<T>& parameters, const std::vector<int>& tokens) {
  train::ModelTrace<T> trace;
  REQUIRE(train::forward(shape, parameters, tokens, trace));
  return trace.logits;
}

}  // namespace

TEST_CASE("loss, penalty and counts are those of the plain formulas") {
  Random random{91};
  double worst = 0;
  for (int round = 0; round < 20; ++round) {
    const Shape shape = random_shape(random);
    REQUIRE(text_of(train::validate(shape)) == "");
    const auto parameters = uneven_parameters<double>(shape, random.bits());
    const std::vector<Sequence> batch = random_batch(shape, 1 + random.below(3), random);
    const double penalty = between(random, 0, 0.5);
    Workspace<double> room;
    const train::Loss found = train::evaluate(shape, parameters, batch, penalty, room);
    const PlainLoss wanted = plain_loss(shape, parameters, batch, penalty);
    worst = std::fmax(worst, std::fabs(found.cross_entropy - static_cast<double>(wanted.cross_entropy)));
    worst = std::fmax(worst, std::fabs(found.sink - static_cast<double>(wanted.sink)));
    CHECK(found.sink > 0);
    const train::Loss again = train::backward(shape, parameters, batch, penalty, room);
    CHECK(again.total() == found.total());
    CHECK(again.correct == found.correct);
  }
  MESSAGE("worst difference: " << worst);
  CHECK(worst <= 1e-13);
}

TEST_CASE("correct counts the targets whose logit is the largest") {
  const Shape shape = small_shape();
  const auto parameters = uneven_parameters<double>(shape, 92);
  Sequence sequence{{1, 2, 3, 4}, {0, 0, 0, train::kNoTarget}};
  const Matrix<double> logits = logits_of(shape, parameters, sequence.tokens);
  Eigen::Index best = 0;
  logits.row(0).maxCoeff(&best);
  sequence.targets[0] = static_cast<int>(best);
  logits.row(1).minCoeff(&best);
  sequence.targets[1] = static_cast<int>(best);
  logits.row(2).maxCoeff(&best);
  sequence.targets[2] = static_cast<int>(best);
  Workspace<double> room;
  const train::Loss loss = train::evaluate(shape, parameters, {sequence}, 0, room);
  CHECK(loss.targets == 3);
  CHECK(loss.correct == 2);
  CHECK(loss.sink == 0);
}

TEST_CASE("padding changes no bit, of loss or gradients, whatever stands in it") {
  const Shape shape = small_shape();
  const auto parameters = uneven_parameters<double>(shape, 93);
  const Sequence bare{{1, 2, 3}, {train::kNoTarget, 4, 5}};
  const Sequence padded{{1, 2, 3, -1, 70}, {train::kNoTarget, 4, 5, 6, 6}, 3};
  Workspace<double> room, other;
  const train::Loss a = train::backward(shape, parameters, {bare}, 0.1, room);
  const train::Loss b = train::backward(shape, parameters, {padded}, 0.1, other);
  CHECK(a.total() == b.total());
  CHECK(room.gradients == other.gradients);
}

TEST_CASE("causal: what comes later changes no bit of a token's logits; bidirectional: it does") {
  Shape shape = small_shape();
  for (const bool causal : {true, false}) {
    shape.causal = causal;
    const auto parameters = uneven_parameters<double>(shape, 94);
    const Matrix<double> a = logits_of(shape, parameters, {1, 2, 3, 4}), b = logits_of(shape, parameters, {1, 2, 6, 5});
    CHECK((a.topRows(2) == b.topRows(2)) == causal);
    CHECK((a.row(2) != b.row(2)));
  }
}

TEST_CASE("an inert sink takes up nothing: token 0 is the same whatever follows, and the others see it") {
  Shape shape = small_shape();
  shape.inert_sink = true;
  const auto parameters = uneven_parameters<double>(shape, 95);
  const Matrix<double> a = logits_of(shape, parameters, {1, 2, 3, 4}), b = logits_of(shape, parameters, {1, 3, 6, 5});
  const Matrix<double> c = logits_of(shape, parameters, {0, 2, 3, 4});
  CHECK((a.row(0) == b.row(0)));
  CHECK((a.row(1) != b.row(1)));
  CHECK((a.row(1) != c.row(1)));
}

TEST_CASE("a head whose gate is 0 is a head whose rows of W_O are 0") {
  const Shape shape = small_shape();
  auto gated = uneven_parameters<double>(shape, 96), without = gated;
  gated.layers[0].attention.heads[1].gate = 0;
  without.layers[0].attention.W_O.bottomRows(8).setZero();
  CHECK((logits_of(shape, gated, {1, 2, 3}) == logits_of(shape, without, {1, 2, 3})));
  CHECK_FALSE(gated == uneven_parameters<double>(shape, 96));  // a gate counts
  CHECK((logits_of(shape, gated, {1, 2, 3}) != logits_of(shape, uneven_parameters<double>(shape, 96), {1, 2, 3})));
}

TEST_CASE("a workspace and a trace that served another shape give the same bits as new ones") {
  Random random{97};
  Workspace<double> used;
  for (int round = 0; round < 6; ++round) {
    const Shape shape = random_shape(random);
    const auto parameters = uneven_parameters<double>(shape, random.bits());
    const std::vector<Sequence> batch = random_batch(shape, 2, random);
    Workspace<double> fresh;
    const train::Loss a = train::backward(shape, parameters, batch, 0.2, used);
    const train::Loss b = train::backward(shape, parameters, batch, 0.2, fresh);
    CHECK(a.total() == b.total());
    CHECK(used.gradients == fresh.gradients);
  }
}

TEST_CASE("in float the loss is that in double, to what float can hold") {
  const Shape shape = small_shape();
  Random random{98};
  const std::vector<Sequence> batch = random_batch(shape, 3, random);
  Workspace<float> in_float;
  Workspace<double> in_double;
  const train::Loss a = train::backward(shape, uneven_parameters<float>(shape, 99), batch, 0.1, in_float);
  const train::Loss b = train::backward(shape, uneven_parameters<double>(shape, 99), batch, 0.1, in_double);
  CHECK(std::fabs(a.total() - b.total()) <= 2e-6);
  const auto found = train::matrices_of(in_float.gradients);
  const auto wanted = train::matrices_of(in_double.gradients);
  REQUIRE(found.size() == wanted.size());
  double worst = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    worst = std::fmax(worst, (found[i]->cast<double>() - *wanted[i]).cwiseAbs().maxCoeff());
  }
  MESSAGE("worst gradient: " << worst);
  CHECK(worst <= 1e-5);
}

TEST_CASE("every matrix has a name of its own, and together they hold what count_parameters says") {
  Random random{100};
  for (int round = 0; round < 20; ++round) {
    const Shape shape = random_shape(random);
    std::set<std::string> names;
    std::int64_t numbers = 0;
    const auto parameters = train::zeros<float>(shape);
    train::for_each(parameters, [&](const std::string& name, const Matrix<float>& matrix) {
      CHECK(names.insert(name).second);
      numbers += matrix.size();
    });
    CHECK(numbers == train::count_parameters(shape));
    CHECK(names.count("layers.0.heads.1.W_Q") == (shape.heads > 1 ? 1u : 0u));
    CHECK(names.count("unembedding") == (shape.tied ? 0u : 1u));
    CHECK(names.count("layers.0.W_1") == (shape.feed_forward ? 1u : 0u));
    CHECK(names.count("layers.0.b_1") == (shape.feed_forward && shape.biases ? 1u : 0u));
  }
  Shape shape;
  shape.vocabulary = 152;
  shape.longest = 32;
  shape.heads = 6;
  shape.d_model = 96;
  CHECK(train::count_parameters(shape) == 92888);  // the model of the first experiments, in another program
}

TEST_CASE("the beginning: mean 0 and the deviations that are promised, and a loss near ln V") {
  Shape shape;
  shape.vocabulary = 60;
  shape.longest = 16;
  shape.d_model = 64;
  shape.feed_forward = true;
  Random random{101};
  const auto parameters = train::random_parameters<double>(shape, random);
  const auto check = [](const Matrix<double>& matrix, double deviation) {
    const double n = static_cast<double>(matrix.size());
    CHECK(std::fabs(matrix.mean()) < 4 * deviation / std::sqrt(n));
    CHECK(std::sqrt(matrix.squaredNorm() / n) == doctest::Approx(deviation).epsilon(0.05));
  };
  check(parameters.embedding, 0.1);
  check(parameters.positions, 0.1);
  check(parameters.layers[1].attention.heads[3].W_K, 0.125);
  check(parameters.layers[0].attention.W_O, 0.0625);
  check(parameters.layers[0].W_1, 0.125);
  check(parameters.layers[0].W_2, 0.03125);
  CHECK((parameters.layers[0].norm_2.gain.array() == 1).all());
  CHECK((parameters.output_bias.array() == 0).all());
  Workspace<double> room;
  const double loss = train::evaluate(shape, parameters, random_batch(shape, 20, random), 0, room).cross_entropy;
  CHECK(std::fabs(loss - std::log(60)) < 1);
}

TEST_CASE("a shape, a batch and parameters that can't be used are refused by name") {
  Shape shape;
  CHECK(text_of(train::validate(shape)) ==
        "vocabulary: found 0, wanted a whole number from 2 to 65536\n"
        "longest: found 0, wanted a whole number from 1 to 512\n");
  shape = small_shape();
  shape.d_model = 15;
  CHECK(text_of(train::validate(shape)) == "d_model: found 15, wanted a whole number from 16 to 128\n");
  shape.d_model = 17;
  CHECK_FALSE(train::validate(shape).empty());  // two heads don't divide it
  shape = small_shape();
  CHECK(train::validate(shape).empty());

  const auto refusal = [&](Sequence sequence) { return text_of(train::validate(shape, {{{1}, {1}}, sequence})); };
  CHECK(refusal({{1, 2}, {1, train::kNoTarget}}) == "");
  CHECK(refusal({{1, 7}, {1, 2}}) == "sequence 2 tokens[2]: found 7, wanted a whole number from 0 to 6\n");
  CHECK(refusal({{1, 2}, {1, -2}}) == "sequence 2 targets[2]: found -2, wanted a whole number from 0 to 6\n");
  CHECK(refusal({{1, 2}, {1}}) == "sequence 2 targets: found 1, wanted 2, one for each token\n");
  CHECK(refusal({{}, {}}) == "sequence 2 tokens: found 0, wanted a whole number from 1 to 6\n");
  CHECK(refusal({{1, 2}, {1, 2}, 3}) == "sequence 2 length: found 3, wanted a whole number from 1 to 2\n");
  CHECK(refusal({{1, 2}, {1, 2}, 0}) == "sequence 2 length: found 0, wanted a whole number from 1 to 2\n");
  CHECK(refusal({std::vector<int>(9, 1), std::vector<int>(9, 1), 8}) ==
        "sequence 2 length: found 8, wanted a whole number from 1 to 6\n");
  CHECK(text_of(train::validate(shape, {{{1}, {train::kNoTarget}}})) == "batch: found no target, wanted one or more\n");
  CHECK(text_of(train::validate(shape, std::vector<Sequence>{})) == "batch: found no target, wanted one or more\n");

  auto parameters = uneven_parameters<float>(shape, 102);
  CHECK(train::validate(shape, parameters).empty());
  parameters.positions(1, 2) = std::numeric_limits<float>::quiet_NaN();
  parameters.layers[0].attention.heads[1].W_V.resize(16, 9);
  parameters.layers[1].b_2.resize(0, 0);
  parameters.unembedding.setZero(2, 3);
  CHECK(text_of(train::validate(shape, parameters)) ==
        "positions[2, 3]: found nan, wanted a finite number\n"
        "layers.0.heads.1.W_V: found 16 x 9, wanted 16 x 8\n"
        "layers.1.b_2: found nothing, wanted 1 x 16\n"
        "unembedding: found 2 x 3, wanted nothing: the shape hasn't got it\n");
}
