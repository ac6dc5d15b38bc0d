// Gradients of the model against central differences of its loss: every parameter of one model, and cells of every
// matrix of many; layer normalisation also alone.
#include "train/norm.hpp"
#include "train_model_support.hpp"

#include <algorithm>
#include <limits>

using namespace train_model_test;

namespace {

struct Worst {
  double error = 0, largest = 0;
  long count = 0;
  std::string cell = "nowhere";
};

/// (8 (f(h) - f(-h)) - (f(2h) - f(-2h))) / 12 h: its error is of order h^4.
template <class Function>
double central_difference(const Function& f, double h) {
  return (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h);
}

/// Relative to `scale`. A step that crosses an edge of ReLU shows a difference that is no derivative: then a smaller
/// one is tried. A wrong gradient is wrong at each.
template <class Function>
void compare(const std::string& cell, double found, double scale, const Function& f, Worst& worst) {
  double error = std::numeric_limits<double>::infinity();
  for (const double h : {0x1p-10, 0x1p-13, 0x1p-16}) {
    const double wanted = central_difference(f, h);
    error = std::fmin(error, std::fabs(found - wanted) / scale);
    worst.largest = std::fmax(worst.largest, std::fabs(found));
    if (error < 1e-9) break;
  }
  ++worst.count;
  if (error <= worst.error) return;
  worst.error = error;
  worst.cell = cell;
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

/// `cells` of each matrix, drawn; 0: all.
void compare_model(const Shape& shape, double penalty, int cells, Random& random, Worst& worst) {
  auto parameters = uneven_parameters<double>(shape, random.bits());
  const std::vector<Sequence> batch = random_batch(shape, 2, random);
  Workspace<double> room, other;
  train::backward(shape, parameters, batch, penalty, room);
  const auto gradients = train::matrices_of(room.gradients);
  std::size_t at = 0;
  train::for_each(parameters, [&](const std::string& name, Matrix<double>& matrix) {
    const Matrix<double>& gradient = *gradients[at++];
    REQUIRE(gradient.rows() == matrix.rows());
    REQUIRE(gradient.cols() == matrix.cols());
    // The largest derivative of the matrix, or where all are smaller what the loss's own rounding shows (those of b_K
    // are 0: it adds the same to every score of a row).
    const double scale = std::fmax(gradient.cwiseAbs().maxCoeff(), 1e-3 * std::fmax(1, penalty));
    const int size = static_cast<int>(matrix.size());
    const int count = cells == 0 ? size : std::min(cells, size);
    for (int i = 0; i < count; ++i) {
      const int cell = cells == 0 ? i : random.below(size);
      double& number = matrix.data()[cell];
      const auto loss_at = [&, before = number](double by) {
        number = before + by;
        const double loss = train::evaluate(shape, parameters, batch, penalty, other).total();
        number = before;
        return loss;
      };
      const std::string place = name_of(shape) + ": " + name + "[" + std::to_string(cell / matrix.cols() + 1) + ", " +
                                std::to_string(cell % matrix.cols() + 1) + "]";
      compare(place, gradient.data()[cell], scale, loss_at, worst);
    }
  });
}

void report(const Worst& worst) {
  MESSAGE("worst of " << worst.count << ": " << worst.cell << ", off by " << worst.error
                      << "; the largest derivative is " << worst.largest);
}

}  // namespace

TEST_CASE("gradients of every parameter of one model are central differences of its loss") {
  Shape shape;
  shape.vocabulary = 6;
  shape.longest = 5;
  shape.layers = 1;
  shape.heads = 2;
  shape.d_model = 16;
  shape.feed_forward = true;
  Random random{111};
  Worst worst;
  compare_model(shape, 0.3, 0, random, worst);
  report(worst);
  CHECK(worst.error <= 1e-8);
  CHECK(worst.count == train::count_parameters(shape));
  CHECK(worst.largest > 0.1);
}

TEST_CASE("gradients of every kind of model are central differences of its loss") {
  Random random{112};
  Worst worst;
  for (int round = 0; round < 16; ++round) {
    const Shape shape = random_shape(random);
    compare_model(shape, coin(random) ? between(random, 0.1, 1) : 0, 4, random, worst);
  }
  report(worst);
  CHECK(worst.error <= 1e-8);
  CHECK(worst.count > 2000);
}

TEST_CASE("the penalty alone: where the loss is flat, its gradients are central differences, too") {
  Shape shape;
  shape.vocabulary = 6;
  shape.longest = 5;
  shape.layers = 2;
  shape.heads = 2;
  shape.d_model = 16;
  Random random{113};
  Worst worst;
  compare_model(shape, 1000, 6, random, worst);  // the cross-entropy is a thousandth of it
  report(worst);
  CHECK(worst.error <= 1e-8);
  CHECK(worst.largest > 10);
}

TEST_CASE("layer normalisation alone: rows of mean 0 and variance 1, and gradients that are central differences") {
  Random random{114};
  const auto fill = [&](Eigen::Index rows, Eigen::Index cols) {
    Matrix<double> made(rows, cols);
    for (Eigen::Index i = 0; i < made.size(); ++i) made.data()[i] = between(random, -2, 2);
    return made;
  };
  train::Norm<double> norm{fill(1, 5), fill(1, 5)};
  Matrix<double> x = fill(3, 5), out, d_x;
  const Matrix<double> d_out = fill(3, 5);
  train::NormTrace<double> trace;
  train::normalise(norm, x, trace, out);
  for (int row = 0; row < 3; ++row) {
    CHECK(std::fabs(trace.normal.row(row).mean()) < 1e-15);
    CHECK(std::fabs(trace.normal.row(row).squaredNorm() / 5 - 1) < 1e-4);  // the epsilon is in it
    for (int col = 0; col < 5; ++col) {
      CHECK(out(row, col) == trace.normal(row, col) * norm.gain(0, col) + norm.bias(0, col));
    }
  }

  train::Norm<double> d_norm{Matrix<double>::Zero(1, 5), Matrix<double>::Zero(1, 5)};
  train::normalise_backward(norm, trace, d_out, d_norm, d_x);
  Worst worst;
  const auto compare_all = [&](const std::string& name, Matrix<double>& numbers, const Matrix<double>& derivatives) {
    for (Eigen::Index i = 0; i < numbers.size(); ++i) {
      double& number = numbers.data()[i];
      const auto loss_at = [&, before = number](double by) {
        train::NormTrace<double> unused;
        Matrix<double> made;
        number = before + by;
        train::normalise(norm, x, unused, made);
        number = before;
        return made.cwiseProduct(d_out).sum();
      };
      compare(name, derivatives.data()[i], 1, loss_at, worst);
    }
  };
  compare_all("x", x, d_x);
  compare_all("gain", norm.gain, d_norm.gain);
  compare_all("bias", norm.bias, d_norm.bias);
  report(worst);
  CHECK(worst.error <= 1e-10);
  CHECK(worst.count == 25);

  const train::Norm<double> once = d_norm;
  train::normalise_backward(norm, trace, d_out, d_norm, d_x);
  CHECK((d_norm.gain - 2 * once.gain).cwiseAbs().maxCoeff() < 1e-14);  // gain's and bias's are added up
  CHECK((d_norm.bias - 2 * once.bias).cwiseAbs().maxCoeff() < 1e-14);
}

TEST_CASE("layer normalisation of a row without spread is its bias") {
  const train::Norm<float> norm{Matrix<float>::Constant(1, 4, 3), Matrix<float>::Constant(1, 4, 0.5f)};
  const Matrix<float> x = Matrix<float>::Constant(2, 4, 7);
  Matrix<float> out;
  train::NormTrace<float> trace;
  train::normalise(norm, x, trace, out);
  CHECK((out.array() == 0.5f).all());
}

TEST_CASE("a batch's gradients are its sequences', each counted by its share of targets and tokens") {
  Random random{115};
  const Shape shape = random_shape(random);
  const auto parameters = uneven_parameters<double>(shape, 116);
  const Sequence a{{1, 2, 3}, {1, 2, train::kNoTarget}}, b{{4, 3, 2, 1}, {train::kNoTarget, 2, 3, 1}};
  Workspace<double> of_a, of_b, of_both;
  train::backward(shape, parameters, {a}, 0, of_a);
  train::backward(shape, parameters, {b}, 0, of_b);
  train::backward(shape, parameters, {a, b}, 0, of_both);
  const auto in_a = train::matrices_of(of_a.gradients), in_b = train::matrices_of(of_b.gradients);
  const auto both = train::matrices_of(of_both.gradients);
  double worst = 0;
  for (std::size_t i = 0; i < both.size(); ++i) {
    worst = std::fmax(worst, (*both[i] - 0.4 * *in_a[i] - 0.6 * *in_b[i]).cwiseAbs().maxCoeff());
  }
  CHECK(worst <= 1e-14);
}
