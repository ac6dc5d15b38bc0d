// What the matrices are called, how large they are, and which belong to a head.
#include "attention/attention.hpp"

#include <array>
#include <cassert>

namespace attention {
namespace {

constexpr std::array<std::string_view, kTensorCount> kNames = {
    "X", "X_kv",   "additive_mask", "W_Q",    "b_Q",     "W_K",  "b_K",  "W_V",    "b_V", "Q",   "K",
    "V", "scores", "scaled",        "masked", "pattern", "head", "gate", "concat", "W_O", "b_O", "output"};

}  // namespace

std::string_view name_of(Tensor tensor) { return kNames[static_cast<std::size_t>(tensor)]; }

std::optional<Tensor> find_tensor(std::string_view name) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<Tensor>(i);
  }
  return std::nullopt;
}

bool is_per_head(Tensor tensor) { return tensor >= Tensor::W_Q && tensor <= Tensor::gate; }

bool is_given(Tensor tensor) {
  return tensor <= Tensor::b_V || tensor == Tensor::gate || tensor == Tensor::W_O || tensor == Tensor::b_O;
}

Shape shape_of(const Config& config, Tensor tensor) {
  const Config& c = config;
  switch (tensor) {
    case Tensor::X: return {c.n_q, c.d_model};
    case Tensor::X_kv: return {c.n_k, c.d_model};
    case Tensor::W_Q:
    case Tensor::W_K: return {c.d_model, c.d_k};
    case Tensor::W_V: return {c.d_model, c.d_v};
    case Tensor::b_Q:
    case Tensor::b_K: return {1, c.d_k};
    case Tensor::b_V: return {1, c.d_v};
    case Tensor::Q: return {c.n_q, c.d_k};
    case Tensor::K: return {c.n_k, c.d_k};
    case Tensor::V: return {c.n_k, c.d_v};
    case Tensor::additive_mask:
    case Tensor::scores:
    case Tensor::scaled:
    case Tensor::masked:
    case Tensor::pattern: return {c.n_q, c.n_k};
    case Tensor::head: return {c.n_q, c.d_v};
    case Tensor::gate: return {1, 1};
    case Tensor::concat: return {c.n_q, c.h * c.d_v};
    case Tensor::W_O: return {c.h * c.d_v, c.d_model};
    case Tensor::b_O: return {1, c.d_model};
    case Tensor::output: return {c.n_q, c.d_model};
  }
  assert(false && "every tensor has a shape");
  return {};
}

bool exists(const Config& config, const Cell& cell) {
  if (static_cast<int>(cell.tensor) >= kTensorCount) return false;
  const Shape shape = shape_of(config, cell.tensor);
  const bool head_fits = is_per_head(cell.tensor) ? cell.head >= 0 && cell.head < config.h : cell.head == -1;
  return head_fits && cell.row >= 0 && cell.row < shape.rows && cell.col >= 0 && cell.col < shape.cols;
}

}  // namespace attention
