// The doors of the fast step: what of it is run, and Adam.
#include "train/fast.hpp"

#include "train/divergence.hpp"
#include "train/fast_memory.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace train {
namespace {

using Memory = FastWorkspace::Memory;

/// False: a number grew beyond float.
bool run_forward(const Shape& shape, const Parameters<float>& parameters, const std::vector<Sequence>& batch,
                 bool with_targets, Memory& memory) {
  memory.lay_out(shape, batch, with_targets);
  pack_weights(parameters, memory);
  return fast_forward_pass(parameters, memory);
}

Loss no_loss() {
  Loss loss;
  loss.cross_entropy = std::numeric_limits<double>::quiet_NaN();
  return loss;
}

double clip(const std::vector<Matrix<float>*>& gradients, std::optional<double> at_most) {
  double sum = 0;
  for (const Matrix<float>* matrix : gradients) sum += attention::sum_of_squares(matrix->data(), matrix->size());
  const double norm = std::sqrt(sum);
  if (!at_most || !(norm > *at_most)) return norm;
  const float factor = static_cast<float>(*at_most / norm);
  for (Matrix<float>* matrix : gradients) attention::scale_numbers(factor, matrix->size(), matrix->data());
  return norm;
}

void update(const Options& options, double learning_rate, const std::vector<Matrix<float>*>& gradients,
            Progress<float>& progress) {
  ++progress.step;
  progress.beta_1_power *= options.beta_1;
  progress.beta_2_power *= options.beta_2;
  const auto factors_with = [&](double keep) {
    return attention::AdamFactors{static_cast<float>(options.beta_1),
                                  static_cast<float>(1 - options.beta_1),
                                  static_cast<float>(options.beta_2),
                                  static_cast<float>(1 - options.beta_2),
                                  static_cast<float>(learning_rate / (1 - progress.beta_1_power)),
                                  static_cast<float>(1 / (1 - progress.beta_2_power)),
                                  static_cast<float>(options.epsilon),
                                  static_cast<float>(keep)};
  };
  const attention::AdamFactors plain = factors_with(1),
                               decaying = factors_with(1 - learning_rate * options.weight_decay);
  const Parameters<float>& p = progress.parameters;
  const auto parameters = matrices_of(progress.parameters), means = matrices_of(progress.mean),
             squares = matrices_of(progress.square);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    Matrix<float>& matrix = *parameters[i];
    const bool is_weight =
        matrix.rows() > 1 && &matrix != &p.embedding && &matrix != &p.positions && &matrix != &p.unembedding;
    attention::adam_update(is_weight ? decaying : plain, gradients[i]->data(), matrix.size(), means[i]->data(),
                           squares[i]->data(), matrix.data());
  }
}

}  // namespace

FastWorkspace::FastWorkspace() : memory_(std::make_unique<Memory>()) {}
FastWorkspace::~FastWorkspace() = default;
FastWorkspace::FastWorkspace(FastWorkspace&&) noexcept = default;
FastWorkspace& FastWorkspace::operator=(FastWorkspace&&) noexcept = default;

std::span<const float> FastWorkspace::pattern(int layer, int head, int sequence) const {
  const std::size_t n = static_cast<std::size_t>(tokens(sequence));
  return {memory_->pattern(layer, head, sequence), n * n};
}
int FastWorkspace::tokens(int sequence) const { return memory_->lengths[static_cast<std::size_t>(sequence)]; }
std::span<const float> FastWorkspace::logits(int sequence, int token) const {
  const int at =
      memory_->target_of[static_cast<std::size_t>(memory_->starts[static_cast<std::size_t>(sequence)] + token)];
  assert(at >= 0);
  const Size words = memory_->shape.vocabulary;
  return {memory_->logit_rows.data() + at * words, static_cast<std::size_t>(words)};
}
const Parameters<float>& FastWorkspace::gradients() const { return memory_->gradients; }

bool fast_forward(const Shape& shape, const Parameters<float>& parameters, const std::vector<Sequence>& batch,
                  FastWorkspace& workspace) {
  return run_forward(shape, parameters, batch, false, workspace.memory());
}

Loss fast_evaluate(const Shape& shape, const Parameters<float>& parameters, const std::vector<Sequence>& batch,
                   double sink_penalty, FastWorkspace& workspace) {
  assert(validate(shape, batch).empty());
  if (!run_forward(shape, parameters, batch, true, workspace.memory())) return no_loss();
  return fast_loss(sink_penalty, workspace.memory());
}

Loss fast_backward(const Shape& shape, const Parameters<float>& parameters, const std::vector<Sequence>& batch,
                   double sink_penalty, FastWorkspace& workspace) {
  const Loss loss = fast_evaluate(shape, parameters, batch, sink_penalty, workspace);
  if (!std::isnan(loss.cross_entropy)) fast_backward_pass(parameters, sink_penalty, workspace.memory());
  return loss;
}

StepReport fast_step(Trainer<float>& trainer, const std::vector<Sequence>& batch, FastWorkspace& workspace) {
  StepReport report;
  report.step = trainer.now.step + 1;
  report.learning_rate = learning_rate_at(trainer.options, report.step);
  report.problems = validate(trainer.shape, batch);
  if (!report.problems.empty()) return report;

  Memory& memory = workspace.memory();
  report.loss = fast_backward(trainer.shape, trainer.now.parameters, batch,
                              sink_penalty_at(trainer.options, report.step), workspace);
  const auto gradients =
      std::isnan(report.loss.cross_entropy) ? std::vector<Matrix<float>*>{} : matrices_of(memory.gradients);
  report.gradient_norm = clip(gradients, trainer.options.clip);
  report.problems = find_divergence<float>(trainer.shape, report);
  if (!report.problems.empty()) {
    trainer.now = trainer.before;
    return report;
  }
  trainer.before = trainer.now;
  update(trainer.options, report.learning_rate, gradients, trainer.now);
  for_each(trainer.now.parameters, [&](const std::string& name, const Matrix<float>& matrix) {
    if (!report.problems.empty() || attention::all_finite(matrix.data(), matrix.size())) return;
    report.problems.push_back(
        {"step " + std::to_string(report.step) + " " + name, "a number beyond all", "finite ones"});
  });
  if (!report.problems.empty()) trainer.now = trainer.before;
  return report;
}

}  // namespace train
