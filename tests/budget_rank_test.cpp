// The nearest matrix of lower rank, against what must hold of it and against Eigen's own decomposition.
#include "budget_support.hpp"

#include <Eigen/SVD>

#include <cmath>
#include <limits>

using namespace budget_test;

namespace {

constexpr Target kAll[] = {Target::itself, Target::previous, Target::shuffled,
                           Target::halves, Target::first,    Target::average};

double square_of(const attention::Matrix<double>& matrix) { return matrix.squaredNorm(); }

}  // namespace

TEST_CASE("budget: rows of every target sum to 1, and say what the name says") {
  for (const Target target : kAll) {
    CHECK(find_target(name_of(target)) == target);
    for (const int n : {1, 2, 3, 5, 8, 33, 96}) {
      const auto pattern = pattern_of(target, n);
      REQUIRE(pattern.rows() == n);
      REQUIRE(pattern.cols() == n);
      for (int i = 0; i < n; ++i) CHECK(pattern.row(i).sum() == doctest::Approx(1).epsilon(1e-14));
      CHECK(pattern.minCoeff() >= 0);
    }
  }
  CHECK_FALSE(find_target("next"));
  CHECK(pattern_of(Target::previous, 4)(0, 0) == 1);
  CHECK(pattern_of(Target::previous, 4)(3, 2) == 1);
  CHECK(pattern_of(Target::halves, 5)(0, 2) == doctest::Approx(1.0 / 3));
  CHECK(pattern_of(Target::halves, 5)(0, 3) == 0);
  CHECK(pattern_of(Target::halves, 5)(4, 3) == 0.5);
  CHECK(pattern_of(Target::average, 4)(2, 1) == doctest::Approx(1.0 / 3));
  const auto shuffled = pattern_of(Target::shuffled, 96);
  for (int i = 0; i < 96; ++i) {
    CHECK(shuffled.col(i).sum() == 1);
    CHECK(shuffled(i, i) == 0);
  }
  CHECK(shuffled != pattern_of(Target::previous, 96));
}

TEST_CASE("budget: ranks of the targets") {
  for (const int n : {2, 3, 8, 33, 96}) {
    CHECK(low_rank(Target::itself, n, 1).rank == n);
    CHECK(low_rank(Target::previous, n, 1).rank == n - 1);
    CHECK(low_rank(Target::shuffled, n, 1).rank == n);
    CHECK(low_rank(Target::halves, n, 1).rank == 2);
    CHECK(low_rank(Target::first, n, 1).rank == 1);
    CHECK(low_rank(Target::average, n, 1).rank == n);
  }
  CHECK(low_rank(Target::halves, 1, 1).rank == 1);
}

TEST_CASE("budget: the square of what is lost is the sum of the squares that were dropped (Eckart and Young)") {
  for (const Target target : kAll)
    for (const int n : {1, 2, 3, 7, 16, 41})
      for (const int k : {1, 2, 3, 5, 8, 16, 40, 64}) {
        const LowRank it = low_rank(target, n, k);
        CHECK(it.k == std::min(k, n));
        Eigen::JacobiSVD<Eigen::MatrixXd> reference(it.target);
        double dropped = 0, all = 0;
        for (int i = 0; i < n; ++i) {
          const double value = reference.singularValues()(i);
          CHECK(it.singular_values[static_cast<std::size_t>(i)] == doctest::Approx(value).epsilon(1e-10));
          all += value * value;
          if (i >= k) dropped += value * value;
        }
        const double lost = square_of(it.target - it.approximation);
        CHECK(lost == doctest::Approx(dropped).epsilon(1e-10));
        CHECK(it.kept == doctest::Approx(1 - dropped / all).epsilon(1e-10));
        Eigen::JacobiSVD<Eigen::MatrixXd> made(it.approximation);
        for (int i = it.k; i < n; ++i) CHECK(made.singularValues()(i) < 1e-10);
      }
}

TEST_CASE("budget: with k as large as n nothing is lost, and first needs 1 only") {
  for (const Target target : kAll)
    for (const int n : {1, 5, 32, 96}) {
      const LowRank it = low_rank(target, n, n + 3);
      CHECK((it.target - it.approximation).cwiseAbs().maxCoeff() < 1e-12);
      CHECK(it.kept == 1);
      CHECK(it.rows_right == n);
    }
  CHECK(low_rank(Target::first, 96, 1).kept == 1);
  CHECK(low_rank(Target::halves, 96, 2).kept == 1);
  CHECK(low_rank(Target::halves, 96, 1).kept < 1);
}

TEST_CASE("budget: of a target whose tokens all count the same, k of n are kept") {
  for (const Target target : {Target::itself, Target::shuffled})
    for (const int k : {1, 5, 40, 95}) {
      const LowRank it = low_rank(target, 96, k);
      CHECK(it.kept == doctest::Approx(k / 96.0));
      CHECK(it.rows_right == k);  // the rest are rows of zeros
    }
}

TEST_CASE("budget: what was computed before is used again, and changes nothing") {
  for (const Target target : kAll) {
    const LowRank before = low_rank(target, 24, 3);
    for (const Target next : kAll)
      for (const int n : {23, 24}) {
        const LowRank fresh = low_rank(next, n, 9), again = low_rank(next, n, 9, &before);
        CHECK(fresh.approximation == again.approximation);
        CHECK(fresh.singular_values == again.singular_values);
        CHECK(fresh.rank == again.rank);
        CHECK(fresh.kept == again.kept);
        CHECK(fresh.rows_right == again.rows_right);
      }
  }
}
