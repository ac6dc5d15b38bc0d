// What a narrow head can't do: patterns that one may want, and the nearest matrix of lower rank.
//
// Singular values by Hestenes 1958: turn pairs of columns until all are at right angles; their lengths are the singular
// values, their directions the left vectors. Only + - * / and square roots in a fixed order: the same bits everywhere,
// and no squared condition as with the eigenvalues of P^T P.
#include "budget/budget.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <functional>
#include <numeric>

namespace budget {
namespace {

using Grid = attention::Matrix<double>;

constexpr double kNothing = 1e-9;      // of the largest singular value: what counts as 0
constexpr double kRightAngle = 1e-14;  // cosine: what rounding leaves of sums of up to 96 products
constexpr double kNoColumn = 1e-28;    // of the sum of all squares: a column that is rounding and nothing else
constexpr int kMostSweeps = 40;        // about ten are needed; each leaves the square of what was left

/// One cycle through all tokens without order (Sattolo 1986), from fixed numbers: nobody stays where it is.
std::vector<int> shuffled(int n) {
  std::vector<int> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  std::uint32_t state = 0x9E3779B9u;
  for (std::size_t i = order.size() - 1; i > 0; --i) {
    state ^= state << 13, state ^= state >> 17, state ^= state << 5;
    std::swap(order[i], order[state % i]);
  }
  return order;
}

double inner(const double* a, const double* b, Eigen::Index n) {
  double sum = 0;
  for (Eigen::Index i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

/// Turns two rows of numbers until they are at right angles; false when they were, or when one is nothing.
bool turn(double* a, double* b, Eigen::Index n, double nothing) {
  const double aa = inner(a, a, n), bb = inner(b, b, n), ab = inner(a, b, n);
  if (std::min(aa, bb) <= nothing || std::abs(ab) <= kRightAngle * std::sqrt(aa * bb)) return false;
  const double zeta = (bb - aa) / (2 * ab);
  const double t = (zeta < 0 ? -1 : 1) / (std::abs(zeta) + std::sqrt(1 + zeta * zeta));
  const double c = 1 / std::sqrt(1 + t * t), s = c * t;
  for (Eigen::Index i = 0; i < n; ++i) {
    const double before = a[i];
    a[i] = c * before - s * b[i];
    b[i] = s * before + c * b[i];
  }
  return true;
}

struct Decomposition {
  std::vector<double> values;  // n, descending
  Grid left;                   // (n, n) row i: the direction that goes with values[i]; zeros where that is 0
};

Decomposition decompose(const Grid& target) {
  const Eigen::Index n = target.rows();
  Grid columns = target.transpose();  // row j: the target's column j
  const double nothing = kNoColumn * inner(columns.data(), columns.data(), columns.size());
  bool turned = true;
  for (int sweep = 0; turned && sweep < kMostSweeps; ++sweep) {
    turned = false;
    for (Eigen::Index i = 0; i < n; ++i)
      for (Eigen::Index j = i + 1; j < n; ++j)
        if (turn(columns.data() + i * n, columns.data() + j * n, n, nothing)) turned = true;
  }
  std::vector<double> lengths;
  for (Eigen::Index j = 0; j < n; ++j)
    lengths.push_back(std::sqrt(inner(columns.data() + j * n, columns.data() + j * n, n)));
  const double largest = *std::max_element(lengths.begin(), lengths.end());

  // By length; equal ones, which differ by rounding at most, stay in order.
  std::vector<Eigen::Index> order(lengths.size());
  std::iota(order.begin(), order.end(), Eigen::Index{0});
  const auto steps = [&](Eigen::Index i) { return std::round(lengths[static_cast<std::size_t>(i)] / largest * 1e12); };
  std::stable_sort(order.begin(), order.end(), [&](Eigen::Index a, Eigen::Index b) { return steps(a) > steps(b); });

  Decomposition it{.values = {}, .left = Grid::Zero(n, n)};
  for (const Eigen::Index from : order) {
    const auto to = static_cast<Eigen::Index>(it.values.size());
    it.values.push_back(lengths[static_cast<std::size_t>(from)]);
    if (it.values.back() > kNothing * largest)
      for (Eigen::Index i = 0; i < n; ++i) it.left(to, i) = columns(from, i) / it.values.back();
  }
  std::sort(it.values.begin(), it.values.end(), std::greater<>());
  return it;
}

/// sum over the first k directions u of u (u^T target)
Grid nearest(const Grid& target, const Grid& left, Eigen::Index k) {
  const Eigen::Index n = target.rows();
  Grid near = Grid::Zero(n, n);
  std::vector<double> seen(static_cast<std::size_t>(n));
  for (Eigen::Index direction = 0; direction < k; ++direction) {
    std::fill(seen.begin(), seen.end(), 0);
    for (Eigen::Index i = 0; i < n; ++i)
      for (Eigen::Index j = 0; j < n; ++j) seen[static_cast<std::size_t>(j)] += left(direction, i) * target(i, j);
    for (Eigen::Index i = 0; i < n; ++i)
      for (Eigen::Index j = 0; j < n; ++j) near(i, j) += left(direction, i) * seen[static_cast<std::size_t>(j)];
  }
  return near;
}

/// The row's largest value stands where the target's does, and above all that stand elsewhere.
bool is_right(const Grid& target, const Grid& near, Eigen::Index row) {
  const double most = target.row(row).maxCoeff();
  double best = -1e300, elsewhere = -1e300;
  for (Eigen::Index col = 0; col < target.cols(); ++col) {
    double& largest = target(row, col) >= most - kNothing ? best : elsewhere;
    largest = std::max(largest, near(row, col));
  }
  return best > elsewhere + kNothing;
}

}  // namespace

Grid pattern_of(Target target, int n) {
  assert(n >= 1);
  Grid pattern = Grid::Zero(n, n);
  const std::vector<int> order = shuffled(n);
  const int half = (n + 1) / 2;
  for (int i = 0; i < n; ++i) {
    switch (target) {
      case Target::itself: pattern(i, i) = 1; break;
      case Target::previous: pattern(i, std::max(i - 1, 0)) = 1; break;
      case Target::shuffled: pattern(i, order[static_cast<std::size_t>(i)]) = 1; break;
      case Target::halves:
        for (int j = i < half ? 0 : half; j < (i < half ? half : n); ++j)
          pattern(i, j) = 1.0 / (i < half ? half : n - half);
        break;
      case Target::first: pattern(i, 0) = 1; break;
      case Target::average:
        for (int j = 0; j <= i; ++j) pattern(i, j) = 1.0 / (i + 1);
        break;
    }
  }
  return pattern;
}

LowRank low_rank(Target target, int n, int k, const LowRank* before) {
  assert(n >= 1 && n <= kMostPictured && k >= 1);
  LowRank it;
  it.target = pattern_of(target, n);
  it.k = std::min(k, n);
  if (before && before->target.rows() == n && before->target == it.target) {
    it.singular_values = before->singular_values, it.left = before->left;
  } else {
    Decomposition made = decompose(it.target);
    it.singular_values = std::move(made.values), it.left = std::move(made.left);
  }
  double all = 0, kept = 0;
  for (int i = 0; i < n; ++i) {
    const double value = it.singular_values[static_cast<std::size_t>(i)];
    all += value * value;
    if (i < it.k) kept += value * value;
    if (value > kNothing * it.singular_values.front()) ++it.rank;
  }
  const bool whole = it.k >= it.rank;
  it.approximation = whole ? it.target : nearest(it.target, it.left, it.k);
  it.kept = whole ? 1 : kept / all;
  for (int row = 0; row < n; ++row)
    if (is_right(it.target, it.approximation, row)) ++it.rows_right;
  return it;
}

}  // namespace budget
