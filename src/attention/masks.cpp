// Which query may attend to which key: the usual masks, how they combine, and what an input's masks allow together.
#include "attention/kernels.hpp"

#include <cassert>
#include <limits>

namespace attention {
namespace {

bool is_empty(const MayAttend& mask) { return mask.rows() == 0 && mask.cols() == 0; }

}  // namespace

MayAttend causal_mask(int n_q, int n_k, int first_query) {
  assert(n_q >= 0 && n_k >= 0);
  MayAttend mask(n_q, n_k);
  for (int query = 0; query < n_q; ++query) {
    const std::int64_t last = std::int64_t{first_query} + query;
    for (int key = 0; key < n_k; ++key) mask(query, key) = key <= last ? 1 : 0;
  }
  return mask;
}

MayAttend padding_mask(int n_q, int n_k, int length) {
  assert(n_q >= 0 && length >= 0 && length <= n_k);
  MayAttend mask(n_q, n_k);
  for (int query = 0; query < n_q; ++query) {
    for (int key = 0; key < n_k; ++key) mask(query, key) = key < length ? 1 : 0;
  }
  return mask;
}

MayAttend both(const MayAttend& a, const MayAttend& b) {
  if (is_empty(a)) return b;
  if (is_empty(b)) return a;
  assert(a.rows() == b.rows() && a.cols() == b.cols());
  MayAttend mask(a.rows(), a.cols());
  for (Eigen::Index i = 0; i < mask.size(); ++i) mask.data()[i] = a.data()[i] != 0 && b.data()[i] != 0 ? 1 : 0;
  return mask;
}

template <class T>
bool is_allowed(const Input<T>& input, int query, int key) {
  if (input.may_attend.size() > 0 && input.may_attend(query, key) == 0) return false;
  return input.additive_mask.size() == 0 || input.additive_mask(query, key) != -std::numeric_limits<T>::infinity();
}

template <class T>
MayAttend allowed_pairs(const Input<T>& input) {
  const Matrix<T>& additive = input.additive_mask;
  if (additive.size() == 0) return input.may_attend;
  MayAttend finite(additive.rows(), additive.cols());
  for (Eigen::Index i = 0; i < finite.size(); ++i) {
    finite.data()[i] = additive.data()[i] == -std::numeric_limits<T>::infinity() ? 0 : 1;
  }
  return both(input.may_attend, finite);
}

template bool is_allowed(const Input<float>&, int, int);
template bool is_allowed(const Input<double>&, int, int);
template MayAttend allowed_pairs(const Input<float>&);
template MayAttend allowed_pairs(const Input<double>&);

}  // namespace attention
