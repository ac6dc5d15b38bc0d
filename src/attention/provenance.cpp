// For each number: which numbers made it, with what arithmetic; and that arithmetic carried out.
#include "attention/kernels.hpp"

#include <cassert>
#include <cmath>
#include <limits>
#include <set>
#include <tuple>

namespace attention {
namespace {

/// The cells of one sum: row `row` of a times column `col` of b, or times row `col` of b where b is transposed.
void add_products(Explanation& made, Cell a, Cell b, int count, bool b_transposed) {
  made.operation = Operation::dot;
  made.products.reserve(static_cast<std::size_t>(count));
  for (int k = 0; k < count; ++k) {
    a.col = k;
    (b_transposed ? b.col : b.row) = k;
    made.products.push_back({a, b});
  }
}

/// One number of tokens W + b.
template <class T>
void explain_projection(Explanation& made, Tensor tokens, Tensor weight, Tensor bias, const Matrix<T>& bias_matrix,
                        int count) {
  const Cell& cell = made.cell;
  add_products(made, {tokens, -1, cell.row, 0}, {weight, cell.head, 0, cell.col}, count, false);
  if (bias_matrix.size() > 0) made.bias = Cell{bias, cell.head, 0, cell.col};
}

template <class T>
void explain_softmax(Explanation& made, int n_k) {
  made.operation = Operation::softmax;
  made.own = made.cell.col;
  made.operands.reserve(static_cast<std::size_t>(n_k));
  for (int key = 0; key < n_k; ++key) made.operands.push_back({Tensor::masked, made.cell.head, made.cell.row, key});
}

/// The matrix that holds a tensor's numbers (any but the gate's); `head` matters where each head has its own.
template <class T>
const Matrix<T>& matrix_of(const Input<T>& input, const Weights<T>& weights, const Trace<T>& trace, Tensor tensor,
                           int head) {
  const std::size_t i = head < 0 ? 0 : static_cast<std::size_t>(head);
  switch (tensor) {
    case Tensor::X: return input.X;
    case Tensor::X_kv: return is_self_attention(input) ? input.X : input.X_kv;
    case Tensor::additive_mask: return input.additive_mask;
    case Tensor::W_Q: return weights.heads[i].W_Q;
    case Tensor::b_Q: return weights.heads[i].b_Q;
    case Tensor::W_K: return weights.heads[i].W_K;
    case Tensor::b_K: return weights.heads[i].b_K;
    case Tensor::W_V: return weights.heads[i].W_V;
    case Tensor::b_V: return weights.heads[i].b_V;
    case Tensor::Q: return trace.heads[i].Q;
    case Tensor::K: return trace.heads[i].K;
    case Tensor::V: return trace.heads[i].V;
    case Tensor::scores: return trace.heads[i].scores;
    case Tensor::scaled: return trace.heads[i].scaled;
    case Tensor::masked: return trace.heads[i].masked;
    case Tensor::pattern: return trace.heads[i].pattern;
    case Tensor::head: return trace.heads[i].output;
    case Tensor::concat: return trace.concat;
    case Tensor::W_O: return weights.W_O;
    case Tensor::b_O: return weights.b_O;
    case Tensor::output: return trace.output;
    case Tensor::gate: break;  // one number, in no matrix
  }
  assert(false && "every tensor has a matrix");
  return trace.output;
}

}  // namespace

template <class T>
Explanation explain(const Config& config, const Input<T>& input, const Weights<T>& weights, const Cell& cell) {
  assert(exists(config, cell));
  Explanation made;
  made.cell = cell;
  if (is_given(cell.tensor)) return made;

  const Tensor keys_from = is_self_attention(input) ? Tensor::X : Tensor::X_kv;
  const auto& head_weights = weights.heads[cell.head < 0 ? 0 : static_cast<std::size_t>(cell.head)];
  const auto same_place_in = [&](Tensor tensor) { return Cell{tensor, cell.head, cell.row, cell.col}; };
  switch (cell.tensor) {
    case Tensor::Q:
      explain_projection(made, Tensor::X, Tensor::W_Q, Tensor::b_Q, head_weights.b_Q, config.d_model);
      break;
    case Tensor::K:
      explain_projection(made, keys_from, Tensor::W_K, Tensor::b_K, head_weights.b_K, config.d_model);
      break;
    case Tensor::V:
      explain_projection(made, keys_from, Tensor::W_V, Tensor::b_V, head_weights.b_V, config.d_model);
      break;
    case Tensor::scores:
      add_products(made, {Tensor::Q, cell.head, cell.row, 0}, {Tensor::K, cell.head, cell.col, 0}, config.d_k, true);
      break;
    case Tensor::scaled:
      made.operation = Operation::scale;
      made.operands = {same_place_in(Tensor::scores)};
      made.factor = config.scale;
      if (!made.factor) made.divisor = std::sqrt(static_cast<double>(config.d_k));
      break;
    case Tensor::masked:
      made.operation = Operation::mask;
      made.operands = {same_place_in(Tensor::scaled)};
      if (input.additive_mask.size() > 0) made.bias = Cell{Tensor::additive_mask, -1, cell.row, cell.col};
      made.allowed = is_allowed(input, cell.row, cell.col);
      break;
    case Tensor::pattern: explain_softmax<T>(made, config.n_k); break;
    case Tensor::head:
      add_products(made, {Tensor::pattern, cell.head, cell.row, 0}, {Tensor::V, cell.head, 0, cell.col}, config.n_k,
                   false);
      break;
    case Tensor::concat: {
      const int head = cell.col / config.d_v;
      made.operation = Operation::copy;
      made.operands = {Cell{Tensor::head, head, cell.row, cell.col % config.d_v}};
      if (weights.heads[static_cast<std::size_t>(head)].gate == 1) break;
      made.operation = Operation::gate;
      made.operands.push_back({Tensor::gate, head, 0, 0});
      break;
    }
    case Tensor::output:
      explain_projection(made, Tensor::concat, Tensor::W_O, Tensor::b_O, weights.b_O, config.h * config.d_v);
      break;
    default: assert(false && "the others are given");
  }
  return made;
}

template <class T>
T value_of(const Input<T>& input, const Weights<T>& weights, const Trace<T>& trace, const Cell& cell) {
  if (cell.tensor == Tensor::gate) return weights.heads[static_cast<std::size_t>(cell.head)].gate;
  const Matrix<T>& matrix = matrix_of(input, weights, trace, cell.tensor, cell.head);
  const bool may_be_absent = cell.tensor == Tensor::b_Q || cell.tensor == Tensor::b_K || cell.tensor == Tensor::b_V ||
                             cell.tensor == Tensor::b_O || cell.tensor == Tensor::additive_mask;
  if (may_be_absent && matrix.size() == 0) return 0;
  assert(cell.row >= 0 && cell.row < matrix.rows() && cell.col >= 0 && cell.col < matrix.cols());
  return matrix(cell.row, cell.col);
}

template <class T>
T evaluate(const Explanation& explanation, const Input<T>& input, const Weights<T>& weights, const Trace<T>& trace) {
  const auto value = [&](const Cell& cell) { return value_of(input, weights, trace, cell); };
  switch (explanation.operation) {
    case Operation::given: return value(explanation.cell);
    case Operation::dot: {
      T sum = 0;
      for (const Product& product : explanation.products) sum += value(product.a) * value(product.b);
      return explanation.bias ? sum + value(*explanation.bias) : sum;
    }
    case Operation::scale:
      return explanation.factor ? value(explanation.operands[0]) * static_cast<T>(*explanation.factor)
                                : value(explanation.operands[0]) / static_cast<T>(explanation.divisor);
    case Operation::mask: {
      if (!explanation.allowed) return -std::numeric_limits<T>::infinity();
      const T scaled = value(explanation.operands[0]);
      return explanation.bias ? scaled + value(*explanation.bias) : scaled;
    }
    case Operation::softmax: {
      std::vector<T> row;
      std::vector<std::uint8_t> allowed;
      for (const Cell& cell : explanation.operands) {
        row.push_back(value(cell));
        allowed.push_back(is_allowed(input, cell.row, cell.col) ? 1 : 0);
      }
      softmax_row(row.data(), allowed.data(), static_cast<Eigen::Index>(row.size()), row.data());
      return row[static_cast<std::size_t>(explanation.own)];
    }
    case Operation::copy: return value(explanation.operands[0]);
    case Operation::gate: return value(explanation.operands[0]) * value(explanation.operands[1]);
  }
  assert(false && "every operation can be carried out");
  return 0;
}

std::vector<Cell> operands_of(const Explanation& explanation) {
  std::vector<Cell> cells;
  std::set<std::tuple<Tensor, int, int, int>> seen;
  const auto add = [&](const Cell& cell) {
    if (seen.insert({cell.tensor, cell.head, cell.row, cell.col}).second) cells.push_back(cell);
  };
  for (const Product& product : explanation.products) {
    add(product.a);
    add(product.b);
  }
  if (explanation.bias) add(*explanation.bias);
  for (const Cell& cell : explanation.operands) add(cell);
  return cells;
}

template Explanation explain(const Config&, const Input<float>&, const Weights<float>&, const Cell&);
template Explanation explain(const Config&, const Input<double>&, const Weights<double>&, const Cell&);
template float value_of(const Input<float>&, const Weights<float>&, const Trace<float>&, const Cell&);
template double value_of(const Input<double>&, const Weights<double>&, const Trace<double>&, const Cell&);
template float evaluate(const Explanation&, const Input<float>&, const Weights<float>&, const Trace<float>&);
template double evaluate(const Explanation&, const Input<double>&, const Weights<double>&, const Trace<double>&);

}  // namespace attention
