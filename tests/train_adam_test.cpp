// The optimiser: Adam against numbers worked out by hand, schedule, clipping, and a trainer that can be turned back.
#include "train_model_support.hpp"

#include <limits>

using namespace train_model_test;
using train::Decay;
using train::Problem;
using train::Progress;
using train::StepReport;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Parameters that are one row of numbers.
template <class T>
Parameters<T> row_of(std::initializer_list<double> numbers) {
  Parameters<T> made;
  made.output_bias.resize(1, static_cast<Eigen::Index>(numbers.size()));
  Eigen::Index i = 0;
  for (const double number : numbers) made.output_bias(0, i++) = static_cast<T>(number);
  return made;
}

Shape small_shape() {
  Shape shape;
  shape.vocabulary = 7;
  shape.longest = 7;
  shape.heads = 2;
  shape.d_model = 16;
  return shape;
}

Options quick_options() {
  Options options;
  options.steps = 40;
  options.warm_up = 4;
  options.learning_rate = 0.01;
  return options;
}

/// So many steps, each on a batch from the trainer's own random state; the losses.
template <class T>
std::vector<double> train_on(Trainer<T>& trainer, int steps) {
  Workspace<T> room;
  std::vector<double> losses;
  for (int i = 0; i < steps; ++i) {
    const std::vector<Sequence> batch = random_batch(trainer.shape, 2, trainer.random);
    const StepReport report = train::step(trainer, batch, room);
    CHECK(report.problems.empty());
    losses.push_back(report.loss.total());
  }
  return losses;
}

template <class T>
bool all_finite(const Parameters<T>& parameters) {
  bool finite = true;
  for (const Matrix<T>* matrix : train::matrices_of(parameters)) finite = finite && matrix->allFinite();
  return finite;
}

}  // namespace

TEST_CASE("Adam's first three steps are those worked out by hand") {
  Options options;
  options.beta_1 = 0.9;
  options.beta_2 = 0.999;
  options.epsilon = 1e-8;
  Progress<double> progress;
  progress.parameters = row_of<double>({1});
  progress.mean = progress.square = row_of<double>({0});
  // m = 0.9 m + 0.1 g and v = 0.999 v + 0.001 g²; 1 - 0.1 (m / (1 - 0.9^t)) / (sqrt(v / (1 - 0.999^t)) + 1e-8), in 40
  // digits
  const struct {
    double gradient, mean, square, parameter;
  } wanted[] = {{1, 0.1, 0.001, 0.90000000099999999},
                {-2, -0.11, 0.004999, 0.93661035347207509},
                {0.5, -0.049, 0.005244001, 0.95027941967382173}};
  for (const auto& now : wanted) {
    train::adam_step(options, 0.1, row_of<double>({now.gradient}), progress);
    CHECK(std::fabs(progress.mean.output_bias(0, 0) - now.mean) < 1e-16);
    CHECK(std::fabs(progress.square.output_bias(0, 0) - now.square) < 1e-17);
    CHECK(std::fabs(progress.parameters.output_bias(0, 0) - now.parameter) < 1e-15);
  }
  CHECK(progress.step == 3);
  CHECK(progress.beta_1_power == 0.9 * 0.9 * 0.9);
}

TEST_CASE("Adam's first step is as long as the learning rate, whatever the gradient's length; without gradient, none") {
  Options options;
  Progress<float> progress;
  progress.parameters = row_of<float>({0, 0, 0, 0});
  progress.mean = progress.square = progress.parameters;
  train::adam_step(options, 0.25, row_of<float>({1000, -1, 0.001, 0}), progress);
  const Matrix<float>& row = progress.parameters.output_bias;
  CHECK(row(0, 0) == doctest::Approx(-0.25));
  CHECK(row(0, 1) == doctest::Approx(0.25));
  CHECK(row(0, 2) == doctest::Approx(-0.25));
  CHECK(row(0, 3) == 0.0f);
}

TEST_CASE("weight decay shrinks weights and nothing else") {
  Shape shape = small_shape();
  shape.tied = false;
  shape.feed_forward = true;
  Options options;
  options.weight_decay = 0.5;
  Progress<double> progress;
  progress.parameters = uneven_parameters<double>(shape, 121);
  progress.mean = progress.square = train::zeros<double>(shape);
  const Parameters<double> before = progress.parameters;
  train::adam_step(options, 0.1, train::zeros<double>(shape), progress);
  std::vector<const Matrix<double>*> old = train::matrices_of(before);
  std::size_t at = 0;
  int shrunk = 0;
  train::for_each(progress.parameters, [&](const std::string& name, const Matrix<double>& matrix) {
    CAPTURE(name);
    const bool is_weight = name.find("W_") != std::string::npos;
    CHECK((matrix == *old[at++] * (is_weight ? 0.95 : 1)));
    shrunk += is_weight ? 1 : 0;
  });
  CHECK(shrunk == 2 * (3 * 2 + 3));
}

TEST_CASE("clipping scales all gradients together to the length allowed, and leaves shorter ones alone") {
  auto gradients = row_of<double>({3, 0});
  gradients.embedding = Matrix<double>::Constant(1, 1, -4);
  auto clipped = gradients;
  CHECK(train::clip_gradients(clipped, 1.0) == 5);
  CHECK(clipped.output_bias(0, 0) == doctest::Approx(0.6));
  CHECK(clipped.embedding(0, 0) == doctest::Approx(-0.8));
  clipped = gradients;
  for (const double at_most : {5.0, 20.0}) {
    CHECK(train::clip_gradients(clipped, at_most) == 5);
    CHECK(clipped == gradients);
  }
  CHECK(train::clip_gradients(clipped, std::nullopt) == 5);
  CHECK(clipped == gradients);
  auto large = row_of<float>({3e30, 4e30});  // whose squares no float holds
  CHECK(train::clip_gradients(large, 1.0) == doctest::Approx(5e30));
  CHECK(large.output_bias(0, 0) == doctest::Approx(0.6));
}

TEST_CASE("the learning rate rises evenly, then falls by cosine, evenly or not at all, and stays where it ended") {
  Options options;
  options.steps = 1000;
  options.learning_rate = 2;
  options.warm_up = 100;
  options.final_share = 0.05;
  double worst = 0;
  for (int step = 1; step <= 1000; ++step) {  // the schedule as others write it
    const double wanted =
        2 * std::fmin(1, step / 100.0) * (0.05 + 0.95 * 0.5 * (1 + std::cos(3.14159265358979323846 * step / 1000)));
    worst = std::fmax(worst, std::fabs(train::learning_rate_at(options, step) - wanted));
  }
  CHECK(worst < 1e-15);
  CHECK(train::learning_rate_at(options, 1000) == 0.1);
  CHECK(train::learning_rate_at(options, 5000) == 0.1);
  options.decay = Decay::linear;
  CHECK(train::learning_rate_at(options, 50) == doctest::Approx(0.5 * 2 * (0.05 + 0.95 * 0.95)));
  CHECK(train::learning_rate_at(options, 500) == doctest::Approx(2 * 0.525));
  CHECK(train::learning_rate_at(options, 1000) == 0.1);
  options.decay = Decay::none;
  CHECK(train::learning_rate_at(options, 1) == 0.02);
  CHECK(train::learning_rate_at(options, 1000) == 2);
  options.warm_up = 0;
  CHECK(train::learning_rate_at(options, 1) == 2);
}

TEST_CASE("the penalty begins after its last step without, and rises evenly") {
  Options options;
  options.sink_penalty = 0.5;
  CHECK(train::sink_penalty_at(options, 1) == 0.5);
  options.sink_from = 10;
  options.sink_rise = 4;
  CHECK(train::sink_penalty_at(options, 10) == 0);
  CHECK(train::sink_penalty_at(options, 11) == 0.125);
  CHECK(train::sink_penalty_at(options, 14) == 0.5);
  CHECK(train::sink_penalty_at(options, 99) == 0.5);
}

TEST_CASE("options that can't be used are refused by name, all at once") {
  Options options;
  CHECK(train::validate(options).empty());
  options.steps = 0;
  options.learning_rate = kNaN;
  options.beta_2 = 1;
  options.epsilon = 0;
  options.clip = -1;
  options.sink_penalty = std::numeric_limits<double>::infinity();
  std::string fields;
  for (const Problem& problem : train::validate(options)) fields += problem.field + " " + problem.found + "; ";
  CHECK(fields == "steps 0; learning_rate nan; beta_2 1; epsilon 0; clip -1; sink_penalty inf; ");
  CHECK(attention::to_sentence(train::validate(options)[2]) ==
        "beta_2: found 1, wanted a number from 0 up to, but without, 1");
}

TEST_CASE_TEMPLATE("the same seed gives the same bits, another seed others", T, float, double) {
  auto a = train::start<T>(small_shape(), quick_options(), 5), b = train::start<T>(small_shape(), quick_options(), 5);
  auto other = train::start<T>(small_shape(), quick_options(), 6);
  CHECK(a == b);
  CHECK_FALSE(a == other);
  CHECK(train_on(a, 6) == train_on(b, 6));
  CHECK(a == b);
  CHECK(a.now.step == 6);
  CHECK_FALSE(train_on(other, 6) == train_on(a, 6));
}

TEST_CASE_TEMPLATE("a copy is a checkpoint: turned back to it, training draws the same curve", T, float, double) {
  Options options = quick_options();
  options.sink_penalty = 0.1;
  options.sink_from = 4;
  options.weight_decay = 0.1;
  auto trainer = train::start<T>(small_shape(), options, 7);
  train_on(trainer, 3);
  const Trainer<T> checkpoint = trainer;
  const std::vector<double> losses = train_on(trainer, 5);
  const Trainer<T> after = trainer;
  trainer = checkpoint;
  CHECK(trainer == checkpoint);
  CHECK_FALSE(trainer == after);
  CHECK(train_on(trainer, 5) == losses);
  CHECK(trainer == after);
}

TEST_CASE("a report says step, rate, the loss before the update and the gradients' length before clipping") {
  auto trainer = train::start<double>(small_shape(), quick_options(), 8);
  Workspace<double> room, other;
  const std::vector<Sequence> batch = random_batch(trainer.shape, 2, trainer.random);
  const double loss = train::evaluate(trainer.shape, trainer.now.parameters, batch, 0, other).total();
  train::backward(trainer.shape, trainer.now.parameters, batch, 0, other);
  const StepReport report = train::step(trainer, batch, room);
  CHECK(report.step == 1);
  CHECK(report.learning_rate == train::learning_rate_at(trainer.options, 1));
  CHECK(report.loss.total() == loss);
  CHECK(report.gradient_norm == train::clip_gradients(other.gradients, std::nullopt));
  CHECK(train::evaluate(trainer.shape, trainer.now.parameters, batch, 0, other).total() < loss);
}

TEST_CASE("a batch that can't be used is refused and changes nothing") {
  auto trainer = train::start<double>(small_shape(), quick_options(), 9);
  const Trainer<double> before = trainer;
  Workspace<double> room;
  const StepReport report = train::step(trainer, {{{1, 7}, {2, 2}}}, room);
  REQUIRE(report.problems.size() == 1);
  CHECK(report.problems[0].field == "sequence 1 tokens[2]");
  CHECK(trainer == before);
}

TEST_CASE_TEMPLATE("a learning rate of 1000 diverges: which step is said, and the last good state is kept", T, float,
                   double) {
  Options options = quick_options();
  options.warm_up = 0;
  options.decay = Decay::none;
  auto trainer = train::start<T>(small_shape(), options, 10);
  train_on(trainer, 5);
  trainer.options.learning_rate = 1000;
  Workspace<T> room;
  StepReport report;
  std::vector<Trainer<T>> history;
  for (int i = 0; i < 20 && report.problems.empty(); ++i) {
    history.push_back(trainer);
    report = train::step(trainer, random_batch(trainer.shape, 2, trainer.random), room);
  }
  REQUIRE(report.problems.size() == 1);
  REQUIRE(history.size() >= 2);
  CHECK(report.problems[0].field == "step " + std::to_string(report.step) + " loss");
  CHECK(report.problems[0].wanted == "a number up to 294.6");
  // Two states back: the parameters before the update that ruined them.
  CHECK(trainer.now == history[history.size() - 2].now);
  CHECK(report.step == 7);  // the sixth used good parameters, and ruined them
  CHECK(trainer.now.step == 5);
  CHECK(all_finite(trainer.now.parameters));
  const train::Loss loss =
      train::evaluate(trainer.shape, trainer.now.parameters, random_batch(trainer.shape, 4, trainer.random), 0, room);
  CHECK(loss.total() < 5);
}

TEST_CASE("a step that leaves parameters infinite is reported and taken back") {
  Options options = quick_options();
  options.learning_rate = 1e308;
  options.weight_decay = 1e10;
  auto trainer = train::start<double>(small_shape(), options, 12);
  Workspace<double> room;
  const std::vector<Sequence> batch = random_batch(trainer.shape, 2, trainer.random);
  const auto before = trainer;
  const StepReport report = train::step(trainer, batch, room);
  REQUIRE(report.problems.size() == 1);
  CHECK(report.problems[0].field == "step 1 layers.0.heads.0.W_Q");
  CHECK(trainer == before);
}

TEST_CASE("a loss that isn't finite is reported, and so are gradients that Adam couldn't square") {
  auto trainer = train::start<float>(small_shape(), quick_options(), 11);
  Workspace<float> room;
  const std::vector<Sequence> batch = random_batch(trainer.shape, 2, trainer.random);
  const auto good = trainer;
  trainer.now.parameters.embedding(batch[0].tokens[0], 0) = std::numeric_limits<float>::infinity();
  StepReport report = train::step(trainer, batch, room);
  REQUIRE(report.problems.size() == 1);
  CHECK(report.problems[0].field == "step 1 loss");
  CHECK(report.problems[0].found.find("nan") != std::string::npos);
  CHECK(trainer.now == good.now);
  CHECK(std::isnan(report.loss.total()));

  trainer.now.parameters.layers[0].attention.W_O.setConstant(3e38f);  // only the second layer meets the overflow
  report = train::step(trainer, batch, room);
  REQUIRE(report.problems.size() == 1);
  CHECK(report.problems[0].field == "step 1 loss");
  CHECK(trainer.now == good.now);

  trainer.options.clip = std::nullopt;
  trainer.options.sink_penalty = 0;
  trainer.now.parameters.positions.setZero();
  trainer.now.parameters.embedding.setZero();  // all words alike: the loss is ln V
  trainer.now.parameters.embedding.col(0).setConstant(1e-19f);
  trainer.now.parameters.norm.gain.setConstant(3e38f);
  report = train::step(trainer, batch, room);
  INFO(report.gradient_norm);
  REQUIRE(report.problems.size() == 1);
  CHECK(report.problems[0].field == "step 1 gradient norm");
  CHECK(trainer.now == good.now);
}
