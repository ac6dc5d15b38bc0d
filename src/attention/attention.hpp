// Multi-head attention: forward and backward with every intermediate kept, masks,
// checked input, and for each number the arithmetic that made it. This is the readable
// engine, whose bits are the same everywhere; layer.hpp is the fast one.
//
// Letters: n_q queries, n_k keys, d_model width of a token, h heads,
// d_k width of a query or key in one head, d_v width of a value in one head.
// h * d_v need not equal d_model. Rows are queries and columns are keys.
//
// Source: Vaswani et al. 2017, "Attention Is All You Need", eq. 1 and section 3.2.2.
#pragma once

#include <Eigen/Core>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attention {

/// Row-major, so that one row is one token. Eigen is the container only: its products add in an order of their own,
/// which differs between builds, so all arithmetic is in kernels.hpp.
template <class T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// 1 where the query (row) may attend to the key (column), 0 where it may not. No other value.
using MayAttend = Matrix<std::uint8_t>;

struct Config {
  int n_q = 0;      // queries, 0 and up
  int n_k = 0;      // keys, 0 and up; equals n_q in self-attention; without keys every row is fully masked
  int d_model = 0;  // width of X and of the output, 1 and up
  int h = 0;        // heads, 1 and up
  int d_k = 0;      // width of a query or key, 1 and up
  int d_v = 0;      // width of a value, 1 and up
  std::optional<double> scale = {};  // what scores are multiplied by, any finite number; absent: divided by sqrt(d_k)
  bool operator==(const Config&) const = default;
};

template <class T>
struct HeadWeights {
  Matrix<T> W_Q;  // (d_model, d_k)
  Matrix<T> W_K;  // (d_model, d_k)
  Matrix<T> W_V;  // (d_model, d_v)
  Matrix<T> b_Q;  // (1, d_k), or empty: no bias
  Matrix<T> b_K;  // (1, d_k), or empty
  Matrix<T> b_V;  // (1, d_v), or empty
  T gate = 1;     // 0 … 1, what the head's output is multiplied by before W_O: 0 removes the head
};

/// "Empty" everywhere below: 0 x 0, not merely without numbers (X_kv of 0 x d_model has no keys; it isn't absent).
template <class T>
struct Weights {
  std::vector<HeadWeights<T>> heads;  // h of them
  Matrix<T> W_O;                      // (h * d_v, d_model)
  Matrix<T> b_O;                      // (1, d_model), or empty: no bias
};

template <class T>
struct Input {
  Matrix<T> X;           // (n_q, d_model)
  Matrix<T> X_kv;        // (n_k, d_model), or empty: self-attention, keys and values come from X
  MayAttend may_attend;  // (n_q, n_k), or empty: every query may attend to every key
  Matrix<T> additive_mask = {};  // (n_q, n_k), or empty; added to the scaled scores. -infinity: may not attend
};

/// May this query attend to this key? Both masks have to allow it.
template <class T>
bool is_allowed(const Input<T>& input, int query, int key);

/// Query i stands where key first_query + i does, and may attend to it and to those before it. With a key/value
/// cache of n tokens, first_query is n.
MayAttend causal_mask(int n_q, int n_k, int first_query = 0);
/// The first `length` keys are real, the others are padding; 0 <= length <= n_k.
MayAttend padding_mask(int n_q, int n_k, int length);
/// May attend where both may. An empty mask allows all.
MayAttend both(const MayAttend& a, const MayAttend& b);

/// True when X_kv is empty: keys and values come from X.
template <class T>
bool is_self_attention(const Input<T>& input);

/// One thing that is wrong with what was handed in.
struct Problem {
  std::string field;   // "head 2 W_K", "h", "X[2, 3]": counted from 1
  std::string found;   // "6 x 3"
  std::string wanted;  // "6 x 2 (d_model x d_k)"
  bool operator==(const Problem&) const = default;
};

/// "head 2 W_K: found 6 x 3, wanted 6 x 2 (d_model x d_k)"
std::string to_sentence(const Problem& problem);

template <class T>
struct HeadTrace {
  Matrix<T> Q;        // (n_q, d_k) X W_Q + b_Q
  Matrix<T> K;        // (n_k, d_k) X_kv W_K + b_K
  Matrix<T> V;        // (n_k, d_v) X_kv W_V + b_V
  Matrix<T> scores;   // (n_q, n_k) Q K^T
  Matrix<T> scaled;   // (n_q, n_k) scores / sqrt(d_k), or scores * scale
  Matrix<T> masked;   // (n_q, n_k) scaled + additive mask, and -infinity where the query may not attend
  Matrix<T> pattern;  // (n_q, n_k) softmax over keys: each row sums to 1, or is all zeros when fully masked
  Matrix<T> output;   // (n_q, d_v) pattern V
};

template <class T>
struct Trace {
  std::vector<HeadTrace<T>> heads;  // h of them
  Matrix<T> concat;                 // (n_q, h * d_v) head outputs side by side, each times its gate
  Matrix<T> output;                 // (n_q, d_model) concat W_O + b_O
};

/// All that is wrong, empty when `forward` may be called. Finite numbers only in X, weights and scale (the additive
/// mask may hold -infinity), gates from 0 to 1: each other one is named with its cell, the first kNamedCells of a
/// matrix, and the rest are counted. While a size is wrong, no matrix is measured against it.
inline constexpr int kNamedCells = 8;
template <class T>
std::vector<Problem> validate(const Config& config, const Input<T>& input, const Weights<T>& weights);

/// Problems of the sizes alone: too small, or a matrix (counted over all heads) of more than 2^31 - 1 numbers.
std::vector<Problem> validate(const Config& config);
/// Problems of d_k = d_model / h: both numbers, and the h that do divide d_model.
std::vector<Problem> validate_split(int d_model, int h);

/// Computes every intermediate. A caller's duty: `validate` found nothing (asserted).
/// Same bits natively and in wasm, scalar and SIMD: sums run in index order, no fused
/// multiply-add, and the exponential is our own.
/// Masked weights are exactly 0, whatever the scores. Where scores overflow, softmax takes its limit: those at
/// +infinity share the row. infinity - infinity gives NaN, which stays in its row.
template <class T>
void forward(const Config& config, const Input<T>& input, const Weights<T>& weights, Trace<T>& trace);

/// A batch: sequences of the same sizes (pad the shorter ones and mask the padding), each with masks of its own.
template <class T>
void forward(const Config& config, const std::vector<Input<T>>& batch, const Weights<T>& weights,
             std::vector<Trace<T>>& traces);

/// Derivatives of one number L by everything that took part, under the names and in the shapes of the forward.
template <class T>
struct Gradients {
  Trace<T> d_trace;            // dL / d every intermediate; 0 where a mask forbids
  Weights<T> d_weights;        // dL / d every weight and bias (empty where there is no bias), `gate` included
  Matrix<T> d_X;               // (n_q, d_model); in self-attention by all three ways: Q, K and V
  Matrix<T> d_X_kv;            // (n_k, d_model), or empty in self-attention
  Matrix<T> d_additive_mask;   // (n_q, n_k), summed over the heads; or empty without one
};

/// Back from d_output = dL / d output, (n_q, d_model), to everything given. `trace` is that of `forward` on the same
/// input. A fully masked row has gradient 0, and all gradients are finite where the trace and d_output are and no
/// product of them overflows.
/// Softmax: d_masked = pattern * (d_pattern - sum over keys of d_pattern * pattern), row by row.
/// `d_patterns`, where given: h of (n_q, n_k), what L has of each head's pattern by other ways than the output (a penalty
/// on attention weights), added to d_pattern before softmax's backward. Where a mask forbids it isn't looked at.
template <class T>
void backward(const Config& config, const Input<T>& input, const Weights<T>& weights, const Trace<T>& trace,
              const Matrix<T>& d_output, Gradients<T>& gradients, const std::vector<Matrix<T>>* d_patterns = nullptr);

/// A batch: each sequence's own gradients, and `d_weights`, their d_weights summed in the order of the batch.
template <class T>
void backward(const Config& config, const std::vector<Input<T>>& batch, const Weights<T>& weights,
              const std::vector<Trace<T>>& traces, const std::vector<Matrix<T>>& d_outputs,
              std::vector<Gradients<T>>& gradients, Weights<T>& d_weights);

// ---------------------------------------------------------------- provenance

/// Every matrix that takes part, in the order of the computation.
enum class Tensor : std::uint8_t {
  X, X_kv, additive_mask, W_Q, b_Q, W_K, b_K, W_V, b_V,
  Q, K, V, scores, scaled, masked, pattern, head,  // `head` is HeadTrace::output
  gate, concat, W_O, b_O, output
};
inline constexpr int kTensorCount = 22;

/// "X", "W_Q", "pattern", … : stable, used in URLs and JSON.
std::string_view name_of(Tensor tensor);
std::optional<Tensor> find_tensor(std::string_view name);
/// True for what each head has its own of (W_Q … gate).
bool is_per_head(Tensor tensor);
/// True for X, X_kv, the additive mask, weights, biases and gates: what is given and can be changed.
bool is_given(Tensor tensor);

struct Shape {
  int rows = 0, cols = 0;
  bool operator==(const Shape&) const = default;
};
/// Shape that the tensor has under `config`.
Shape shape_of(const Config& config, Tensor tensor);

/// One number of one matrix. All indices from 0; `head` is -1 where there is one matrix for all heads.
struct Cell {
  Tensor tensor = Tensor::X;
  int head = -1;
  int row = 0, col = 0;
  bool operator==(const Cell&) const = default;
};
/// Inside the tensor's shape, and with a head where the tensor needs one.
bool exists(const Config& config, const Cell& cell);

enum class Operation : std::uint8_t {
  given,    // handed in: nothing made it
  dot,      // sum of products[i].a * products[i].b, plus bias
  scale,    // operands[0] / divisor, or operands[0] * *factor
  mask,     // operands[0], plus the additive mask's `bias`, where allowed, else -infinity
  softmax,  // exp(operands[own]) / sum of exp(operands[i]); 0 in a fully masked row
  copy,     // operands[0]: a head's output whose gate is 1
  gate      // operands[0] * operands[1]: a head's output times its gate
};

struct Product {
  Cell a, b;
  bool operator==(const Product&) const = default;
};

/// How one number was made, as data.
struct Explanation {
  Cell cell;
  Operation operation = Operation::given;
  std::vector<Product> products;  // dot: in the order they are summed
  std::optional<Cell> bias;       // dot: added last; mask: the additive mask's cell
  std::vector<Cell> operands;     // scale, mask, copy: one; gate: two; softmax: the row of `masked`
  int own = 0;                    // softmax: which operand stands above the line
  double divisor = 1;             // scale: sqrt(d_k)
  std::optional<double> factor;   // scale: Config::scale, where it is given; then there is no divisor
  bool allowed = true;            // mask: may this query attend to this key
};

/// What made `cell`: which cells, with what arithmetic. `cell` must exist (asserted).
/// K and V are made from X in self-attention, else from X_kv. A bias is named only where the weights have it.
template <class T>
Explanation explain(const Config& config, const Input<T>& input, const Weights<T>& weights, const Cell& cell);

/// The number in `cell`. The cell must exist (asserted). What is absent counts as it does in the arithmetic:
/// a bias and the additive mask read 0, and X_kv reads X in self-attention.
template <class T>
T value_of(const Input<T>& input, const Weights<T>& weights, const Trace<T>& trace, const Cell& cell);

/// Carries out an explanation on the numbers of its operands: equals value_of(cell) to the bit (NaN equals NaN).
/// Softmax asks `input` which of its operands are masked: -infinity alone could also be a score that overflowed.
template <class T>
T evaluate(const Explanation& explanation, const Input<T>& input, const Weights<T>& weights, const Trace<T>& trace);

/// All cells that the explanation names, each once: what lights up.
std::vector<Cell> operands_of(const Explanation& explanation);

/// FNV-1a (Fowler, Noll, Vo; 64 bits) over the bytes of every intermediate, low byte first, in trace order:
/// the golden hash. All NaNs count as one, because platforms differ in their bits.
template <class T>
std::uint64_t hash_of(const Trace<T>& trace);

/// True when this build's kernels agree with the scalar reference on this machine (start-up self-test).
bool self_test();
/// "scalar", "wasm simd128", "wasm relaxed simd": which kernels this build uses.
std::string_view kernel_name();

}  // namespace attention
