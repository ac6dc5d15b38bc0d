// The learner's numbers: finding a matrix by name, comparing bit for bit, the mask, names of rows and columns.
#include "app/internal.hpp"

#include <bit>
#include <cstring>

namespace app {
namespace {

using Grid = attention::Matrix<double>;

template <class T>
bool same_matrix(const attention::Matrix<T>& a, const attention::Matrix<T>& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() &&
         (a.size() == 0 || std::memcmp(a.data(), b.data(), sizeof(T) * static_cast<std::size_t>(a.size())) == 0);
}

bool same_head(const attention::HeadWeights<double>& a, const attention::HeadWeights<double>& b) {
  return same_matrix(a.W_Q, b.W_Q) && same_matrix(a.W_K, b.W_K) && same_matrix(a.W_V, b.W_V) &&
         same_matrix(a.b_Q, b.b_Q) && same_matrix(a.b_K, b.b_K) && same_matrix(a.b_V, b.b_V) &&
         same_bits(a.gate, b.gate);
}

const Grid* given_in_head(const attention::HeadWeights<double>& head, Tensor tensor) {
  switch (tensor) {
    case Tensor::W_Q: return &head.W_Q;
    case Tensor::b_Q: return &head.b_Q;
    case Tensor::W_K: return &head.W_K;
    case Tensor::b_K: return &head.b_K;
    case Tensor::W_V: return &head.W_V;
    case Tensor::b_V: return &head.b_V;
    default: return nullptr;
  }
}

const Grid* made_in_head(const attention::HeadTrace<double>& head, Tensor tensor) {
  switch (tensor) {
    case Tensor::Q: return &head.Q;
    case Tensor::K: return &head.K;
    case Tensor::V: return &head.V;
    case Tensor::scores: return &head.scores;
    case Tensor::scaled: return &head.scaled;
    case Tensor::masked: return &head.masked;
    case Tensor::pattern: return &head.pattern;
    case Tensor::head: return &head.output;
    default: return nullptr;
  }
}

std::vector<std::string> numbered(int count) {
  std::vector<std::string> names;
  for (int i = 1; i <= count; ++i) names.push_back(std::to_string(i));
  return names;
}

std::vector<std::string> named(const std::vector<std::string>& names, int count) {
  std::vector<std::string> result = numbered(count);
  for (std::size_t i = 0; i < result.size() && i < names.size(); ++i) result[i] = names[i];
  return result;
}

}  // namespace

bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

bool same_numbers(const Document& a, const Document& b) {
  if (!same_matrix(a.input.X, b.input.X) || !same_matrix(a.input.X_kv, b.input.X_kv) ||
      !same_matrix(a.input.may_attend, b.input.may_attend) ||
      !same_matrix(a.input.additive_mask, b.input.additive_mask) || !same_matrix(a.weights.W_O, b.weights.W_O) ||
      !same_matrix(a.weights.b_O, b.weights.b_O) || a.weights.heads.size() != b.weights.heads.size())
    return false;
  for (std::size_t i = 0; i < a.weights.heads.size(); ++i)
    if (!same_head(a.weights.heads[i], b.weights.heads[i])) return false;
  return true;
}

bool operator==(const Document& a, const Document& b) {
  return a.tokens == b.tokens && a.features == b.features && a.head_names == b.head_names && a.config == b.config &&
         same_numbers(a, b);
}

const Grid* matrix_of(const Document& document, const attention::Trace<double>* trace, Tensor tensor, int head) {
  const Grid* found = nullptr;
  if (attention::is_per_head(tensor)) {
    const auto i = static_cast<std::size_t>(head);
    if (head < 0) return nullptr;
    if (attention::is_given(tensor)) {
      if (i < document.weights.heads.size()) found = given_in_head(document.weights.heads[i], tensor);
    } else if (trace && i < trace->heads.size()) {
      found = made_in_head(trace->heads[i], tensor);
    }
  } else {
    switch (tensor) {
      case Tensor::X: found = &document.input.X; break;
      case Tensor::X_kv: found = &document.input.X_kv; break;
      case Tensor::additive_mask: found = &document.input.additive_mask; break;
      case Tensor::W_O: found = &document.weights.W_O; break;
      case Tensor::b_O: found = &document.weights.b_O; break;
      case Tensor::concat: found = trace ? &trace->concat : nullptr; break;
      case Tensor::output: found = trace ? &trace->output : nullptr; break;
      default: break;
    }
  }
  return found && found->size() > 0 ? found : nullptr;
}

Grid* given_matrix(Document& document, Tensor tensor, int head) {
  if (!attention::is_given(tensor)) return nullptr;
  return const_cast<Grid*>(matrix_of(document, nullptr, tensor, head));  // the document itself isn't const
}

bool has_cell(const Document& document, const Cell& cell) {
  if (!attention::exists(document.config, cell)) return false;
  return !attention::is_given(cell.tensor) || matrix_of(document, nullptr, cell.tensor, cell.head) != nullptr;
}

// --------------------------------------------------------------------- mask

bool may_attend(const Document& document, int query, int key) {
  return attention::is_allowed(document.input, query, key);
}

void set_may_attend(Document& document, int query, int key, bool value) {
  auto& may = document.input.may_attend;
  if (may.size() == 0) may.setConstant(document.config.n_q, document.config.n_k, 1);
  may(query, key) = value ? 1 : 0;
  if ((may.array() != 0).all()) may.resize(0, 0);
}

void set_causal(Document& document, bool on) {
  document.input.may_attend.resize(0, 0);
  if (!on) return;
  for (int query = 0; query < document.config.n_q; ++query)
    for (int key = query + 1; key < document.config.n_k; ++key) set_may_attend(document, query, key, false);
}

// -------------------------------------------------------------------- names

std::vector<std::string> row_names(const Document& document, Tensor tensor) {
  const int rows = attention::shape_of(document.config, tensor).rows;
  switch (tensor) {
    case Tensor::W_Q:
    case Tensor::W_K:
    case Tensor::W_V: return named(document.features, rows);
    case Tensor::W_O:
    case Tensor::b_Q:
    case Tensor::b_K:
    case Tensor::b_V:
    case Tensor::gate:
    case Tensor::b_O: return numbered(rows);
    default: return named(document.tokens, rows);
  }
}

std::vector<std::string> col_names(const Document& document, Tensor tensor) {
  const int cols = attention::shape_of(document.config, tensor).cols;
  switch (tensor) {
    case Tensor::X:
    case Tensor::X_kv: return named(document.features, cols);
    case Tensor::additive_mask:
    case Tensor::scores:
    case Tensor::scaled:
    case Tensor::masked:
    case Tensor::pattern: return named(document.tokens, cols);
    default: return numbered(cols);
  }
}

std::string row_name(const Document& document, const Cell& cell) {
  return at(row_names(document, cell.tensor), cell.row);
}
std::string col_name(const Document& document, const Cell& cell) {
  return at(col_names(document, cell.tensor), cell.col);
}

}  // namespace app
