// Rooms to matrices, and matrices to what JavaScript asks for by tensor and head.
#include "library/reference.hpp"

#include <algorithm>
#include <cmath>

namespace library {
namespace {

using attention::Problem;
using attention::Tensor;

/// Columns first … first + cols - 1 of a flat row-major matrix `width` wide.
Matrix<double> columns_of(const double* from, Eigen::Index rows, Eigen::Index width, Eigen::Index first,
                          Eigen::Index cols) {
  Matrix<double> out(rows, cols);
  for (Eigen::Index row = 0; row < rows; ++row) {
    for (Eigen::Index col = 0; col < cols; ++col) out(row, col) = from[row * width + first + col];
  }
  return out;
}

const Matrix<double>* weight_of(const attention::Weights<double>& weights, Tensor tensor, std::size_t head) {
  switch (tensor) {
    case Tensor::W_Q: return &weights.heads[head].W_Q;
    case Tensor::W_K: return &weights.heads[head].W_K;
    case Tensor::W_V: return &weights.heads[head].W_V;
    case Tensor::b_Q: return &weights.heads[head].b_Q;
    case Tensor::b_K: return &weights.heads[head].b_K;
    case Tensor::b_V: return &weights.heads[head].b_V;
    case Tensor::W_O: return &weights.W_O;
    case Tensor::b_O: return &weights.b_O;
    default: return nullptr;
  }
}

const Matrix<double>* intermediate_of(const attention::Trace<double>& trace, Tensor tensor, std::size_t head) {
  switch (tensor) {
    case Tensor::Q: return &trace.heads[head].Q;
    case Tensor::K: return &trace.heads[head].K;
    case Tensor::V: return &trace.heads[head].V;
    case Tensor::scores: return &trace.heads[head].scores;
    case Tensor::scaled: return &trace.heads[head].scaled;
    case Tensor::masked: return &trace.heads[head].masked;
    case Tensor::pattern: return &trace.heads[head].pattern;
    case Tensor::head: return &trace.heads[head].output;
    case Tensor::concat: return &trace.concat;
    case Tensor::output: return &trace.output;
    default: return nullptr;
  }
}

/// Room enough for everything? Without exceptions memory that runs out ends the program: ask for all of it, first.
bool has_memory(const attention::Config& c, int batch, double& cells) {
  const double tokens = double(c.n_q) + c.n_k, width = double(c.h) * (c.d_k + c.d_v);
  cells = batch * (12.0 * c.h * c.n_q * c.n_k + 8.0 * tokens * (c.d_model + width)) +
          (6.0 + 2.0 * batch) * 2 * width * c.d_model;
  constexpr double kMost = 3e9 / sizeof(double);
  void* probe = cells < kMost ? std::malloc(static_cast<std::size_t>(cells) * sizeof(double) + 65536) : nullptr;
  std::free(probe);
  return probe != nullptr;
}

}  // namespace

Matrix<double> Reference::matrix(int slot, int i, Eigen::Index rows, Eigen::Index cols) const {
  const double* from = static_cast<const double*>(rooms[slot].data()) + i * rows * cols;
  return Eigen::Map<const Matrix<double>>(from, rows, cols);
}

std::vector<Problem> Reference::gather() {
  const attention::LayerInput& in = it().input;
  config = library::config();
  config.n_q = in.n_q;
  config.n_k = in.n_k;
  std::vector<Problem> problems = attention::validate(config);
  if (!problems.empty()) return problems;
  double cells = 0;
  if (!has_memory(config, in.batch, cells)) {
    return {{"memory", "no room", numbers(cells) + " for every intermediate and gradient"}};
  }
  const auto given = [](int slot) { return it().given[slot]; };
  const auto numbers_of = [&](int slot) { return static_cast<const double*>(rooms[slot].data()); };
  const auto& c = config;

  weights = {};
  weights.heads.resize(static_cast<std::size_t>(c.h));
  for (int slot : {kW_Q, kW_K, kW_V, kW_O}) {
    if (!given(slot)) return {{"weights", "none", "setWeights before"}};
  }
  for (int i = 0; i < c.h; ++i) {
    attention::HeadWeights<double>& head = weights.heads[static_cast<std::size_t>(i)];
    head.W_Q = columns_of(numbers_of(kW_Q), c.d_model, c.h * c.d_k, i * c.d_k, c.d_k);
    head.W_K = columns_of(numbers_of(kW_K), c.d_model, c.h * c.d_k, i * c.d_k, c.d_k);
    head.W_V = columns_of(numbers_of(kW_V), c.d_model, c.h * c.d_v, i * c.d_v, c.d_v);
    if (given(kB_Q)) head.b_Q = columns_of(numbers_of(kB_Q), 1, c.h * c.d_k, i * c.d_k, c.d_k);
    if (given(kB_K)) head.b_K = columns_of(numbers_of(kB_K), 1, c.h * c.d_k, i * c.d_k, c.d_k);
    if (given(kB_V)) head.b_V = columns_of(numbers_of(kB_V), 1, c.h * c.d_v, i * c.d_v, c.d_v);
    if (given(kGates)) head.gate = numbers_of(kGates)[i];
  }
  weights.W_O = matrix(kW_O, 0, c.h * c.d_v, c.d_model);
  if (given(kB_O)) weights.b_O = matrix(kB_O, 0, 1, c.d_model);

  inputs.assign(static_cast<std::size_t>(in.batch), {});
  for (int i = 0; i < in.batch; ++i) {
    attention::Input<double>& input = inputs[static_cast<std::size_t>(i)];
    const int mask = in.mask_per_sequence ? i : 0;
    input.X = matrix(kX, i, c.n_q, c.d_model);
    if (given(kX_kv)) input.X_kv = matrix(kX_kv, i, c.n_k, c.d_model);
    if (given(kAdditiveMask)) input.additive_mask = matrix(kAdditiveMask, mask, c.n_q, c.n_k);
    if (given(kMayAttend)) {
      const Matrix<double> mask_numbers = matrix(kMayAttend, mask, c.n_q, c.n_k);
      const auto is_bad = [](double number) { return number != 0 && number != 1; };
      const double* end = mask_numbers.data() + mask_numbers.size();
      const double* bad = std::find_if(mask_numbers.data(), end, is_bad);
      if (bad != end) return {{"may_attend", brief(*bad), wanted_numbers_of(kMayAttend)}};
      input.may_attend = mask_numbers.cast<std::uint8_t>();
    }
    if (in.causal)
      input.may_attend = attention::both(input.may_attend, attention::causal_mask(c.n_q, c.n_k, in.first_query));
    if (given(kKeyLengths)) {
      const double length = numbers_of(kKeyLengths)[i];
      if (!(length >= 0 && length <= c.n_k && length == std::floor(length))) {
        return {{"key_lengths", brief(length) + " for sequence " + std::to_string(i + 1),
                 "0 to " + std::to_string(c.n_k) + " (n_k)"}};
      }
      input.may_attend =
          attention::both(input.may_attend, attention::padding_mask(c.n_q, c.n_k, static_cast<int>(length)));
    }
    problems = attention::validate(c, input, weights);
    if (!problems.empty()) return problems;
  }
  return problems;
}

const double* Reference::show(const Matrix<double>& found) {
  shown = {static_cast<int>(found.rows()), static_cast<int>(found.cols())};
  answer.assign(found.data(), found.data() + found.size());
  answer.push_back(0);  // an address also where there are no numbers
  return answer.data();
}

const double* Reference::show(int what, std::size_t sequence, Tensor tensor, std::size_t head) {
  const bool of_batch = what == 2;
  if (what == 0) {
    const Matrix<double>* found = intermediate_of(traces[sequence], tensor, head);
    return found == nullptr ? nullptr : show(*found);
  }
  const attention::Gradients<double>* own = of_batch ? nullptr : &gradients[sequence];
  const attention::Weights<double>& d = of_batch ? d_weights : own->d_weights;
  const auto is_bias = [](Tensor of) {
    return of == Tensor::b_Q || of == Tensor::b_K || of == Tensor::b_V || of == Tensor::b_O;
  };
  if (tensor == Tensor::gate) return show(Matrix<double>::Constant(1, 1, d.heads[head].gate));
  const Matrix<double>* found = weight_of(d, tensor, head);
  if (found == nullptr && !of_batch) {
    found = tensor == Tensor::X               ? &own->d_X
            : tensor == Tensor::X_kv          ? &own->d_X_kv
            : tensor == Tensor::additive_mask ? &own->d_additive_mask
                                              : intermediate_of(own->d_trace, tensor, head);
  }
  return found == nullptr || (is_bias(tensor) && found->size() == 0) ? nullptr : show(*found);
}

const double* Reference::figures(int which, std::size_t head) {
  if (which == 2) return show(analysis.jensen_shannon_bits);
  if (which == 3) return show(analysis.cosine_of_outputs);
  const attention::HeadAnalysis& of = analysis.heads[head];
  const std::vector<double> found =
      which == 1 ? of.distance.mean_weight
                 : std::vector<double>{of.entropy_bits,           of.effective_tokens,      of.distance.mean_distance,
                                       of.stable_rank_of_pattern, of.stable_rank_of_output, of.mean_contribution,
                                       double(of.distance.first)};
  return show(Eigen::Map<const Matrix<double>>(found.data(), 1, static_cast<Eigen::Index>(found.size())));
}

}  // namespace library
