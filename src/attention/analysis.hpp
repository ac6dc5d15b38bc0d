// What heads do and how much alike they are: figures computed from traces and weights, each with its definition.
//
// Letters as in attention.hpp. A "pattern" is (n_q, n_k), rows are queries; each row sums to 1, or is all zeros when
// fully masked: such rows are left out of every mean over queries, and where all are, the mean is 0.
// Sums are double and run in index order. Bounds hold to rounding. A NaN or infinity in what is handed in gives NaN.
#pragma once

#include "attention/attention.hpp"

#include <cstdint>
#include <vector>

namespace attention {

/// Shannon 1948: H = - sum p log2 p over one query's weights, in bits; 0 log 0 is 0. A fully masked row: 0.
/// 0 when one key takes all, log2(n_k) when all keys get the same.
template <class T>
double entropy_bits(const T* weights, Eigen::Index n_k);
/// The mean over the queries that may attend to something.
template <class T>
double entropy_bits(const Matrix<T>& pattern);

/// 2^H: how many tokens an even spread of the same entropy would attend to (perplexity; Hill 1973, "Diversity and
/// Evenness", his number of order 1). 1 … n_k; 0 for a fully masked row.
template <class T>
double effective_tokens(const T* weights, Eigen::Index n_k);
template <class T>
double effective_tokens(const Matrix<T>& pattern);  // 2 to the mean entropy; 0 when every row is fully masked

/// Where a head looks, relative to where it stands. Queries and keys are both counted from 0, so in self-attention the
/// distance is 0 on the token itself, negative before it.
struct DistanceProfile {
  int first = 0;  // key - query of mean_weight[0]: -(n_q - 1)
  // For each distance key - query, n_q + n_k - 1 of them, the mean weight on the cells of that diagonal: fully masked
  // rows left out, 0 where no cell is left. Empty for a pattern without cells.
  std::vector<double> mean_weight;
  double mean_distance = 0;  // mean over queries of sum over keys of weight * |key - query| (Vig & Belinkov 2019)
};
template <class T>
DistanceProfile distance_profile(const Matrix<T>& pattern);

/// Lin 1991, Jensen-Shannon divergence with equal weights: mean over queries of H((p + q) / 2) - (H(p) + H(q)) / 2, in
/// bits: 0 the same, 1 nothing in common. Queries that are fully masked in either are left out. Same shapes (asserted).
/// Clark et al. 2019, section 6, cluster heads by its sum over tokens.
template <class T>
double jensen_shannon_bits(const Matrix<T>& a, const Matrix<T>& b);

/// <a, b> / (|a| |b|) over all cells, -1 … 1; 0 when either is all zeros. Same shapes (asserted).
template <class T>
double cosine(const Matrix<T>& a, const Matrix<T>& b);

/// What one head moves from each key to each query: gate * alpha * |v W_O of this head|_2, (n_q, n_k). Kobayashi et al.
/// 2020, "Attention is Not Only a Weight": the norm of alpha f(x), the value with its bias as in their code; without
/// b_O, which belongs to no key. A row's sum is at least the norm of what the head adds to that query's output:
/// contributions that point different ways cancel there and not here.
template <class T>
Matrix<T> contributions(const Config& config, const Weights<T>& weights, const Trace<T>& trace, int head);

/// |M|_F^2 / |M|_2^2, the "numerical rank" of Rudelson & Vershynin 2007, "Sampling from large matrices": 1 … rank of M,
/// smooth where the rank jumps; 0 for all zeros or empty.
template <class T>
double stable_rank(const Matrix<T>& matrix);

/// One head's figures.
struct HeadAnalysis {
  double entropy_bits = 0;
  double effective_tokens = 0;
  DistanceProfile distance;
  double stable_rank_of_pattern = 0;
  double stable_rank_of_output = 0;  // of HeadTrace::output, before gate and W_O
  double mean_contribution = 0;      // mean over queries of the sum over keys of `contributions`
};
/// All heads' figures, and how much alike each pair is.
struct Analysis {
  std::vector<HeadAnalysis> heads;     // h of them
  Matrix<double> jensen_shannon_bits;  // (h, h) between the patterns, 0 on the diagonal
  Matrix<double> cosine_of_outputs;  // (h, h) between the heads' outputs, 1 on the diagonal, 0 where one is all zeros.
                                     // It sees clones; two heads may also do the same in turned coordinates, unseen
};
template <class T>
Analysis analyse(const Config& config, const Weights<T>& weights, const Trace<T>& trace);

// ---------------------------------------------------------------- counting

/// What a layer is made of, for counting only: sizes that no `forward` has to carry out. All 1 and up, h a multiple of
/// h_kv, every matrix below 2^60 numbers; checked by the caller (asserted). Grouped-query attention (Ainslie et al.
/// 2023): h_kv key/value heads, each shared by h / h_kv query heads; h_kv = 1 is multi-query (Shazeer 2019), h_kv = h
/// the usual.
struct Dimensions {
  std::int64_t d_model = 1, h = 1, h_kv = 1, d_k = 1, d_v = 1;
  bool biases = false;
};
/// Numbers in each matrix, all heads together, and their sum. Vaswani et al. 2017, section 3.2.2.
struct ParameterCount {
  std::int64_t W_Q = 0;     // h d_model d_k
  std::int64_t W_K = 0;     // h_kv d_model d_k
  std::int64_t W_V = 0;     // h_kv d_model d_v
  std::int64_t W_O = 0;     // h d_v d_model
  std::int64_t biases = 0;  // h d_k + h_kv d_k + h_kv d_v + d_model, or 0
  std::int64_t total = 0;
};
ParameterCount count_parameters(const Dimensions& dimensions);
ParameterCount count_parameters(const Config& config, bool biases);
/// The feed-forward layer beside it: 2 d_model d_ff, with biases + d_ff + d_model (Vaswani et al. 2017, eq. 2).
std::int64_t count_feed_forward_parameters(std::int64_t d_model, std::int64_t d_ff, bool biases);

}  // namespace attention
