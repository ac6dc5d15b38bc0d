// The optimiser: how fast (schedule), how far at most (clipping), where to (Adam), and one step of all that.
#include "attention/arithmetic.hpp"
#include "train/divergence.hpp"
#include "train/rows.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdio>
#include <limits>

namespace train {
namespace {

using Eigen::Index;

/// (1 + cos(pi t)) / 2 for t from 0 to 1, as cos²(pi t / 2) by its series, which ends where a double does: libm's
/// cosine differs between platforms.
double half_cosine(double t) {
  constexpr int kTerms = 12;  // to x^24 / 24!: 4e-19 at pi / 2
  const double x = 0x1.921fb54442d18p+0 * t, minus_square = -(x * x);
  double sum = 1;  // 1 - x²/(1 2) (1 - x²/(3 4) (1 - …
  for (int i = kTerms; i > 0; --i) sum = 1 + sum * minus_square / ((2 * i - 1) * (2 * i));
  return sum * sum;
}

std::string text_of(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

}  // namespace

template <class T>
std::vector<Problem> find_divergence(const Shape& shape, const StepReport& report) {
  const double most = kHopeless * (1 + attention::logarithm(shape.vocabulary));
  const std::string step = "step " + std::to_string(report.step);
  if (!(report.loss.total() <= most)) {
    return {{step + " loss", text_of(report.loss.total()), "a number up to " + text_of(most)}};
  }
  // Adam squares gradients in T.
  const double longest = std::sqrt(static_cast<double>(std::numeric_limits<T>::max()));
  if (!(report.gradient_norm <= longest)) {
    return {{step + " gradient norm", text_of(report.gradient_norm), "a number up to " + text_of(longest)}};
  }
  return {};
}

double learning_rate_at(const Options& options, int step) {
  const double rise = options.warm_up > 0 ? std::min(1.0, static_cast<double>(step) / options.warm_up) : 1;
  const double t = std::min(1.0, static_cast<double>(step) / options.steps);
  double height = 1;
  if (options.decay == Decay::linear) height = 1 - t;
  if (options.decay == Decay::cosine) height = half_cosine(t);
  return options.learning_rate * rise * (options.final_share + (1 - options.final_share) * height);
}

double sink_penalty_at(const Options& options, int step) {
  if (step <= options.sink_from) return 0;
  if (options.sink_rise == 0) return options.sink_penalty;
  return options.sink_penalty * std::min(1.0, static_cast<double>(step - options.sink_from) / options.sink_rise);
}

template <class T>
double clip_gradients(Parameters<T>& gradients, std::optional<double> at_most) {
  const std::vector<Matrix<T>*> all = matrices_of(gradients);
  double sum = 0;
  for (const Matrix<T>* matrix : all) {
    for (Index i = 0; i < matrix->size(); ++i) {
      const double number = static_cast<double>(matrix->data()[i]);
      sum += number * number;
    }
  }
  const double norm = std::sqrt(sum);
  if (!at_most || !(norm > *at_most)) return norm;
  const T factor = static_cast<T>(*at_most / norm);
  for (Matrix<T>* matrix : all) {
    for (Index i = 0; i < matrix->size(); ++i) matrix->data()[i] *= factor;
  }
  return norm;
}

template <class T>
void adam_step(const Options& options, double learning_rate, const Parameters<T>& gradients, Progress<T>& progress) {
  ++progress.step;
  progress.beta_1_power *= options.beta_1;
  progress.beta_2_power *= options.beta_2;
  const T beta_1 = static_cast<T>(options.beta_1), rest_1 = static_cast<T>(1 - options.beta_1);
  const T beta_2 = static_cast<T>(options.beta_2), rest_2 = static_cast<T>(1 - options.beta_2);
  const T unbias_1 = static_cast<T>(1 - progress.beta_1_power), unbias_2 = static_cast<T>(1 - progress.beta_2_power);
  const T alpha = static_cast<T>(learning_rate), epsilon = static_cast<T>(options.epsilon);
  const T keep = static_cast<T>(1 - learning_rate * options.weight_decay);

  const auto given = matrices_of(gradients);
  const auto parameters = matrices_of(progress.parameters);
  const auto means = matrices_of(progress.mean);
  const auto squares = matrices_of(progress.square);
  assert(given.size() == parameters.size() && means.size() == parameters.size() && squares.size() == means.size());
  for (std::size_t at = 0; at < parameters.size(); ++at) {
    Matrix<T>& matrix = *parameters[at];
    const Parameters<T>& p = progress.parameters;
    const bool is_weight =
        matrix.rows() > 1 && &matrix != &p.embedding && &matrix != &p.positions && &matrix != &p.unembedding;
    const bool decays = is_weight && options.weight_decay != 0;
    for (Index i = 0; i < matrix.size(); ++i) {
      const T gradient = given[at]->data()[i];
      T& mean = means[at]->data()[i];
      T& square = squares[at]->data()[i];
      T& number = matrix.data()[i];
      mean = beta_1 * mean + rest_1 * gradient;
      square = beta_2 * square + rest_2 * (gradient * gradient);
      if (decays) number *= keep;
      number -= alpha * (mean / unbias_1) / (std::sqrt(square / unbias_2) + epsilon);
    }
  }
}

template <class T>
Trainer<T> start(const Shape& shape, const Options& options, std::uint64_t seed) {
  assert(validate(shape).empty() && validate(options).empty());
  Trainer<T> made;
  made.shape = shape;
  made.options = options;
  made.random = {seed};
  made.now.parameters = random_parameters<T>(shape, made.random);
  made.now.mean = zeros<T>(shape);
  made.now.square = zeros<T>(shape);
  made.before = made.now;
  return made;
}

template <class T>
StepReport step(Trainer<T>& trainer, const std::vector<Sequence>& batch, Workspace<T>& workspace) {
  StepReport report;
  report.step = trainer.now.step + 1;
  report.learning_rate = learning_rate_at(trainer.options, report.step);
  report.problems = validate(trainer.shape, batch);
  if (!report.problems.empty()) return report;

  report.loss =
      backward(trainer.shape, trainer.now.parameters, batch, sink_penalty_at(trainer.options, report.step), workspace);
  report.gradient_norm = clip_gradients(workspace.gradients, trainer.options.clip);
  report.problems = find_divergence<T>(trainer.shape, report);
  if (!report.problems.empty()) {
    trainer.now = trainer.before;
    return report;
  }
  trainer.before = trainer.now;
  adam_step(trainer.options, report.learning_rate, workspace.gradients, trainer.now);
  for_each(trainer.now.parameters, [&](const std::string& name, const Matrix<T>& matrix) {
    if (all_finite(matrix) || !report.problems.empty()) return;
    report.problems.push_back(
        {"step " + std::to_string(report.step) + " " + name, "a number beyond all", "finite ones"});
  });
  if (!report.problems.empty()) trainer.now = trainer.before;
  return report;
}

template std::vector<Problem> find_divergence<float>(const Shape&, const StepReport&);
template std::vector<Problem> find_divergence<double>(const Shape&, const StepReport&);
template double clip_gradients(Parameters<float>&, std::optional<double>);
template double clip_gradients(Parameters<double>&, std::optional<double>);
template void adam_step(const Options&, double, const Parameters<float>&, Progress<float>&);
template void adam_step(const Options&, double, const Parameters<double>&, Progress<double>&);
template Trainer<float> start(const Shape&, const Options&, std::uint64_t);
template Trainer<double> start(const Shape&, const Options&, std::uint64_t);
template StepReport step(Trainer<float>&, const std::vector<Sequence>&, Workspace<float>&);
template StepReport step(Trainer<double>&, const std::vector<Sequence>&, Workspace<double>&);

}  // namespace train
