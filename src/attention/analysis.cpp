// Figures of patterns, outputs and whole layers. Sums run in index order, in double, whatever the trace is made of.
#include "attention/analysis.hpp"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numbers>

namespace attention {
namespace {

template <class T>
const T* row_of(const Matrix<T>& matrix, Eigen::Index row) {
  return matrix.data() + row * matrix.cols();
}

template <class T>
bool is_fully_masked(const T* weights, Eigen::Index n_k) {
  return std::all_of(weights, weights + n_k, [](T weight) { return weight == 0; });
}

/// The mean of figure(query) over the queries that the pattern lets attend to something; 0 without any.
template <class T, class Figure>
double mean_over_queries(const Matrix<T>& pattern, Figure figure) {
  double sum = 0;
  int queries = 0;
  for (Eigen::Index query = 0; query < pattern.rows(); ++query) {
    if (is_fully_masked(row_of(pattern, query), pattern.cols())) continue;
    sum += figure(query);
    ++queries;
  }
  return queries == 0 ? 0 : sum / queries;
}

/// The same numbers in double, divided by a power of two that brings the largest to 0.5 … 1: nothing is rounded, and no
/// square overflows or vanishes. For figures that don't depend on size.
template <class T>
Matrix<double> of_size_one(const Matrix<T>& matrix) {
  double largest = 0;
  for (Eigen::Index i = 0; i < matrix.size(); ++i) {
    largest = std::max(largest, std::fabs(static_cast<double>(matrix.data()[i])));
  }
  int exponent = 0;
  std::frexp(largest, &exponent);
  Matrix<double> out(matrix.rows(), matrix.cols());
  for (Eigen::Index i = 0; i < matrix.size(); ++i) {
    out.data()[i] = std::ldexp(static_cast<double>(matrix.data()[i]), -exponent);
  }
  return out;
}

/// <a, b>, over all cells.
double inner_product(const Matrix<double>& a, const Matrix<double>& b) {
  double sum = 0;
  for (Eigen::Index i = 0; i < a.size(); ++i) sum += a.data()[i] * b.data()[i];
  return sum;
}

/// p log2(p / middle) with the middle of p and q; 0 log 0 is 0. As p / middle = 1 + (p - q) / (p + q), log1p keeps the
/// digits of a small difference.
double surprise_bits(double p, double q) { return p == 0 ? 0 : p * std::log1p((p - q) / (p + q)) / std::numbers::ln2; }

/// |v W_O of this head|_2 for each key: how long the vector is that its value becomes in the output.
template <class T>
std::vector<double> lengths_of_moved_values(const Matrix<T>& V, const Matrix<T>& W_O, Eigen::Index first_row) {
  std::vector<double> lengths;
  for (Eigen::Index key = 0; key < V.rows(); ++key) {
    double squares = 0;
    for (Eigen::Index col = 0; col < W_O.cols(); ++col) {
      double moved = 0;
      for (Eigen::Index i = 0; i < V.cols(); ++i) {
        moved += static_cast<double>(V(key, i)) * static_cast<double>(W_O(first_row + i, col));
      }
      squares += moved * moved;
    }
    lengths.push_back(std::sqrt(squares));
  }
  return lengths;
}

}  // namespace

template <class T>
double entropy_bits(const T* weights, Eigen::Index n_k) {
  double sum = 0;
  for (Eigen::Index key = 0; key < n_k; ++key) {
    const double p = static_cast<double>(weights[key]);
    if (p != 0) sum -= p * std::log2(p);
  }
  return sum;
}

template <class T>
double entropy_bits(const Matrix<T>& pattern) {
  return mean_over_queries(pattern,
                           [&](Eigen::Index query) { return entropy_bits(row_of(pattern, query), pattern.cols()); });
}

template <class T>
double effective_tokens(const T* weights, Eigen::Index n_k) {
  return is_fully_masked(weights, n_k) ? 0 : std::exp2(entropy_bits(weights, n_k));
}

template <class T>
double effective_tokens(const Matrix<T>& pattern) {
  return is_fully_masked(pattern.data(), pattern.size()) ? 0 : std::exp2(entropy_bits(pattern));
}

template <class T>
DistanceProfile distance_profile(const Matrix<T>& pattern) {
  DistanceProfile profile;
  const Eigen::Index n_q = pattern.rows(), n_k = pattern.cols();
  if (pattern.size() == 0) return profile;
  profile.first = static_cast<int>(1 - n_q);
  profile.mean_weight.assign(static_cast<std::size_t>(n_q + n_k - 1), 0);
  std::vector<int> cells(profile.mean_weight.size(), 0);
  for (Eigen::Index query = 0; query < n_q; ++query) {
    if (is_fully_masked(row_of(pattern, query), n_k)) continue;
    for (Eigen::Index key = 0; key < n_k; ++key) {
      const std::size_t diagonal = static_cast<std::size_t>(key - query + n_q - 1);
      profile.mean_weight[diagonal] += static_cast<double>(pattern(query, key));
      ++cells[diagonal];
    }
  }
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i] > 0) profile.mean_weight[i] /= cells[i];
  }
  profile.mean_distance = mean_over_queries(pattern, [&](Eigen::Index query) {
    double sum = 0;
    for (Eigen::Index key = 0; key < n_k; ++key) {
      sum += static_cast<double>(pattern(query, key)) * static_cast<double>(std::abs(key - query));
    }
    return sum;
  });
  return profile;
}

// Cell by cell the definition is (p log2(p / m) + q log2(q / m)) / 2 with m = (p + q) / 2, and no cell is negative. The
// three entropies would leave nothing but rounding where two heads hardly differ.
template <class T>
double jensen_shannon_bits(const Matrix<T>& a, const Matrix<T>& b) {
  assert(a.rows() == b.rows() && a.cols() == b.cols());
  double sum = 0;
  int queries = 0;
  for (Eigen::Index query = 0; query < a.rows(); ++query) {
    const T *p = row_of(a, query), *q = row_of(b, query);
    if (is_fully_masked(p, a.cols()) || is_fully_masked(q, b.cols())) continue;
    double bits = 0;
    for (Eigen::Index key = 0; key < a.cols(); ++key) {
      const double here = static_cast<double>(p[key]), there = static_cast<double>(q[key]);
      bits += (surprise_bits(here, there) + surprise_bits(there, here)) / 2;
    }
    sum += bits < 0 ? 0 : bits;  // by rounding only
    ++queries;
  }
  return queries == 0 ? 0 : sum / queries;
}

template <class T>
double cosine(const Matrix<T>& a, const Matrix<T>& b) {
  assert(a.rows() == b.rows() && a.cols() == b.cols());
  const Matrix<double> u = of_size_one(a), v = of_size_one(b);
  const double squares = inner_product(u, u) * inner_product(v, v);
  return squares == 0 ? 0 : std::clamp(inner_product(u, v) / std::sqrt(squares), -1.0, 1.0);
}

template <class T>
Matrix<T> contributions(const Config& config, const Weights<T>& weights, const Trace<T>& trace, int head) {
  assert(head >= 0 && head < config.h);
  const std::size_t index = static_cast<std::size_t>(head);
  const Matrix<T>& pattern = trace.heads[index].pattern;
  const std::vector<double> lengths =
      lengths_of_moved_values(trace.heads[index].V, weights.W_O, static_cast<Eigen::Index>(head) * config.d_v);
  const double gate = static_cast<double>(weights.heads[index].gate);
  Matrix<T> out(pattern.rows(), pattern.cols());
  for (Eigen::Index query = 0; query < pattern.rows(); ++query) {
    for (Eigen::Index key = 0; key < pattern.cols(); ++key) {
      const double weight = gate * static_cast<double>(pattern(query, key));
      out(query, key) = static_cast<T>(weight * lengths[static_cast<std::size_t>(key)]);
    }
  }
  return out;
}

// |M|_2^2 is the largest eigenvalue of M M^T, and |M|_F^2 its trace. The largest one is as exact from M M^T as from a
// singular value decomposition of M (it is the small ones that suffer), at a fifth of the code.
template <class T>
double stable_rank(const Matrix<T>& matrix) {
  Matrix<double> m = of_size_one(matrix);
  if (m.rows() > m.cols()) m = Matrix<double>(m.transpose());  // the smaller of M M^T and M^T M
  Eigen::MatrixXd gram(m.rows(), m.rows());
  double trace = 0;
  for (Eigen::Index i = 0; i < m.rows(); ++i) {
    for (Eigen::Index j = 0; j <= i; ++j) {
      double sum = 0;
      for (Eigen::Index k = 0; k < m.cols(); ++k) sum += m(i, k) * m(j, k);
      gram(i, j) = gram(j, i) = sum;
    }
    trace += gram(i, i);
  }
  if (trace == 0) return 0;
  if (!std::isfinite(trace)) return std::numeric_limits<double>::quiet_NaN();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(gram, Eigen::EigenvaluesOnly);
  return trace / solver.eigenvalues()[gram.rows() - 1];  // ascending
}

template <class T>
Analysis analyse(const Config& config, const Weights<T>& weights, const Trace<T>& trace) {
  Analysis analysis;
  for (int i = 0; i < config.h; ++i) {
    const HeadTrace<T>& head = trace.heads[static_cast<std::size_t>(i)];
    const Matrix<T> moved = contributions(config, weights, trace, i);
    HeadAnalysis figures;
    figures.entropy_bits = entropy_bits(head.pattern);
    figures.effective_tokens = effective_tokens(head.pattern);
    figures.distance = distance_profile(head.pattern);
    figures.stable_rank_of_pattern = stable_rank(head.pattern);
    figures.stable_rank_of_output = stable_rank(head.output);
    figures.mean_contribution = mean_over_queries(head.pattern, [&](Eigen::Index query) {
      double sum = 0;
      for (Eigen::Index key = 0; key < moved.cols(); ++key) sum += static_cast<double>(moved(query, key));
      return sum;
    });
    analysis.heads.push_back(figures);
  }
  analysis.jensen_shannon_bits.resize(config.h, config.h);
  analysis.cosine_of_outputs.resize(config.h, config.h);
  for (int i = 0; i < config.h; ++i) {
    for (int j = 0; j <= i; ++j) {
      const HeadTrace<T>&a = trace.heads[static_cast<std::size_t>(i)], &b = trace.heads[static_cast<std::size_t>(j)];
      analysis.jensen_shannon_bits(i, j) = analysis.jensen_shannon_bits(j, i) =
          jensen_shannon_bits(a.pattern, b.pattern);
      analysis.cosine_of_outputs(i, j) = analysis.cosine_of_outputs(j, i) = cosine(a.output, b.output);
    }
  }
  return analysis;
}

template double entropy_bits(const float*, Eigen::Index);
template double entropy_bits(const double*, Eigen::Index);
template double entropy_bits(const Matrix<float>&);
template double entropy_bits(const Matrix<double>&);
template double effective_tokens(const float*, Eigen::Index);
template double effective_tokens(const double*, Eigen::Index);
template double effective_tokens(const Matrix<float>&);
template double effective_tokens(const Matrix<double>&);
template DistanceProfile distance_profile(const Matrix<float>&);
template DistanceProfile distance_profile(const Matrix<double>&);
template double jensen_shannon_bits(const Matrix<float>&, const Matrix<float>&);
template double jensen_shannon_bits(const Matrix<double>&, const Matrix<double>&);
template double cosine(const Matrix<float>&, const Matrix<float>&);
template double cosine(const Matrix<double>&, const Matrix<double>&);
template Matrix<float> contributions(const Config&, const Weights<float>&, const Trace<float>&, int);
template Matrix<double> contributions(const Config&, const Weights<double>&, const Trace<double>&, int);
template double stable_rank(const Matrix<float>&);
template double stable_rank(const Matrix<double>&);
template Analysis analyse(const Config&, const Weights<float>&, const Trace<float>&);
template Analysis analyse(const Config&, const Weights<double>&, const Trace<double>&);

}  // namespace attention
