// The formula once more, one number at a time in long double with std::exp: no code is shared with the module.
//
// Any one intermediate can be nudged on the way, so that dL / d (that intermediate) is a difference of two outputs.
#pragma once

#include "attention_support.hpp"

namespace attention_test {

using Number = long double;

/// `by` is added to one number where it is made, and everything after it follows.
struct Nudge {
  attention::Cell cell;
  Number by = 0;
};

/// May this query attend to this key, read from the masks themselves.
template <class T>
bool plain_allowed(const Input<T>& input, int query, int key) {
  const bool finite = input.additive_mask.size() == 0 || std::isfinite(input.additive_mask(query, key));
  return finite && (input.may_attend.size() == 0 || input.may_attend(query, key) == 1);
}

template <class T>
class Plain {
 public:
  Plain(const Case<T>& it, const Nudge& nudge) : it_(it), nudge_(nudge) {}

  Matrix<Number> output() {
    const Config& c = it_.config;
    Matrix<Number> concat(c.n_q, c.h * c.d_v);
    for (int head = 0; head < c.h; ++head) concat.middleCols(head * c.d_v, c.d_v) = head_output(head);
    nudge(Tensor::concat, -1, concat);
    Matrix<Number> out = projected(concat, it_.weights.W_O, it_.weights.b_O);
    nudge(Tensor::output, -1, out);
    return out;
  }

 private:
  using Tensor = attention::Tensor;

  void nudge(Tensor tensor, int head, Matrix<Number>& matrix) const {
    const attention::Cell& cell = nudge_.cell;
    if (nudge_.by != 0 && cell.tensor == tensor && cell.head == head) matrix(cell.row, cell.col) += nudge_.by;
  }

  template <class M>
  static Matrix<Number> projected(const M& tokens, const Matrix<T>& weight, const Matrix<T>& bias) {
    Matrix<Number> out(tokens.rows(), weight.cols());
    for (Eigen::Index row = 0; row < out.rows(); ++row) {
      for (Eigen::Index col = 0; col < out.cols(); ++col) {
        Number sum = bias.size() > 0 ? Number(bias(0, col)) : 0;
        for (Eigen::Index i = 0; i < weight.rows(); ++i) sum += Number(tokens(row, i)) * Number(weight(i, col));
        out(row, col) = sum;
      }
    }
    return out;
  }

  /// One head's part of concat: its output times its gate.
  Matrix<Number> head_output(int head) const {
    const Config& c = it_.config;
    const HeadWeights<T>& weight = it_.weights.heads[static_cast<std::size_t>(head)];
    const Matrix<T>& keys_from =
        it_.input.X_kv.rows() == 0 && it_.input.X_kv.cols() == 0 ? it_.input.X : it_.input.X_kv;
    Matrix<Number> Q = projected(it_.input.X, weight.W_Q, weight.b_Q);
    Matrix<Number> K = projected(keys_from, weight.W_K, weight.b_K);
    Matrix<Number> V = projected(keys_from, weight.W_V, weight.b_V);
    nudge(Tensor::Q, head, Q);
    nudge(Tensor::K, head, K);
    nudge(Tensor::V, head, V);

    const Number scale = c.scale ? Number(static_cast<T>(*c.scale)) : 1 / std::sqrt(Number(c.d_k));
    Matrix<Number> pattern(c.n_q, c.n_k), out(c.n_q, c.d_v);
    for (int query = 0; query < c.n_q; ++query) {
      Number sum = 0;
      for (int key = 0; key < c.n_k; ++key) {
        pattern(query, key) = 0;
        if (!plain_allowed(it_.input, query, key)) continue;
        Number score = by(Tensor::scores, head, query, key);
        for (int i = 0; i < c.d_k; ++i) score += Q(query, i) * K(key, i);
        const Number added = it_.input.additive_mask.size() > 0 ? Number(it_.input.additive_mask(query, key)) : 0;
        const Number scaled = score * scale + by(Tensor::scaled, head, query, key);
        pattern(query, key) = std::exp(scaled + added + by(Tensor::masked, head, query, key));
        sum += pattern(query, key);
      }
      for (int v = 0; v < c.d_v; ++v) out(query, v) = 0;
      for (int key = 0; key < c.n_k; ++key) {
        if (!plain_allowed(it_.input, query, key)) continue;
        const Number share = pattern(query, key) / sum + by(Tensor::pattern, head, query, key);
        for (int v = 0; v < c.d_v; ++v) out(query, v) += share * V(key, v);
      }
    }
    nudge(Tensor::head, head, out);
    for (Eigen::Index i = 0; i < out.size(); ++i) out.data()[i] *= Number(weight.gate);
    return out;
  }

  Number by(Tensor tensor, int head, int row, int col) const {
    return nudge_.cell == attention::Cell{tensor, head, row, col} ? nudge_.by : 0;
  }

  const Case<T>& it_;
  const Nudge& nudge_;
};

template <class T>
Matrix<Number> plain_output(const Case<T>& it, const Nudge& nudge = {}) {
  return Plain<T>(it, nudge).output();
}

}  // namespace attention_test
