// The four mistakes that attention code is known for, each on numbers small enough to check by hand.
#include "attention_support.hpp"

using namespace attention_test;

namespace {

Matrix<double> rows(std::initializer_list<std::initializer_list<double>> numbers) {
  Matrix<double> out(static_cast<Eigen::Index>(numbers.size()), static_cast<Eigen::Index>(numbers.begin()->size()));
  Eigen::Index i = 0;
  for (const auto& row : numbers) {
    Eigen::Index j = 0;
    for (const double number : row) out(i, j++) = number;
    ++i;
  }
  return out;
}

Matrix<double> zeros(int rows_count, int cols) { return Matrix<double>::Zero(rows_count, cols); }

/// Head `head` of an identity that is cut into `h` pieces of columns.
Matrix<double> identity_piece(int d_model, int h, int head) {
  const int width = d_model / h;
  return Matrix<double>::Identity(d_model, d_model).middleCols(head * width, width);
}

}  // namespace

TEST_CASE("trap: scores are divided by the root of d_k, not of d_model") {
  Case<double> it;
  it.config = {1, 1, 9, 1, 4, 1};
  it.input.X = Matrix<double>::Ones(1, 9);
  it.weights.heads = {{Matrix<double>::Ones(9, 4), Matrix<double>::Ones(9, 4), zeros(9, 1), {}, {}, {}}};
  it.weights.W_O = zeros(1, 9);
  const Trace<double> trace = forward(it);
  CHECK(trace.heads[0].scores(0, 0) == 324);  // 4 times 9 * 9
  CHECK(trace.heads[0].scaled(0, 0) == 162);  // by √4; by √9 it would be 108
}

TEST_CASE("trap: softmax runs over keys, so rows sum to 1 and columns need not") {
  Case<double> it;
  it.config = {2, 3, 1, 1, 1, 1};
  it.input.X = rows({{1}, {-1}});
  it.input.X_kv = rows({{0}, {1}, {2}});
  it.weights.heads = {{rows({{1}}), rows({{1}}), rows({{1}}), {}, {}, {}}};
  it.weights.W_O = rows({{1}});
  const Matrix<double> pattern = forward(it).heads[0].pattern;
  const double sum = 1 + std::exp(1.0) + std::exp(2.0);
  for (int key = 0; key < 3; ++key) {
    CHECK(pattern(0, key) == doctest::Approx(std::exp(key) / sum).epsilon(1e-15));
    CHECK(pattern(1, key) == doctest::Approx(std::exp(2 - key) / sum).epsilon(1e-15));
  }
  CHECK(pattern.row(0).sum() == doctest::Approx(1).epsilon(1e-15));
  CHECK(pattern.col(1).sum() == doctest::Approx(2 * std::exp(1.0) / sum).epsilon(1e-15));
}

TEST_CASE("trap: heads are merged token by token, side by side") {
  Case<double> it;
  it.config = {2, 2, 4, 2, 2, 2};
  it.input.X = rows({{1, 2, 30, 40}, {5, 6, 70, 80}});
  it.input.may_attend = causal(2);
  for (int head = 0; head < 2; ++head) {
    it.weights.heads.push_back({zeros(4, 2), zeros(4, 2), identity_piece(4, 2, head), {}, {}, {}});
  }
  it.weights.W_O = Matrix<double>::Identity(4, 4);
  CHECK(forward(it).output == rows({{1, 2, 30, 40}, {3, 4, 50, 60}}));
}

// The worked example can't show this one: its W_O is symmetric.
TEST_CASE("trap: W_O is used as it stands, not transposed") {
  Case<double> it;
  it.config = {1, 1, 2, 1, 1, 2};
  it.input.X = rows({{3, 5}});
  it.weights.heads = {{zeros(2, 1), zeros(2, 1), Matrix<double>::Identity(2, 2), {}, {}, {}}};
  it.weights.W_O = rows({{1, 10}, {100, 1000}});
  CHECK(forward(it).output == rows({{503, 5030}}));  // transposed it would be 53, 5300
}

TEST_CASE("trap: each weight matrix is used for its own purpose") {
  Case<double> it;
  it.config = {2, 2, 2, 1, 2, 2};
  it.input.X = rows({{1, 2}, {3, 4}});
  it.weights.heads = {{rows({{1, 1}, {0, 2}}), rows({{1, 0}, {3, 1}}), rows({{0, 1}, {1, 0}}), {}, {}, {}}};
  it.weights.W_O = Matrix<double>::Identity(2, 2);
  const HeadTrace<double> head = forward(it).heads[0];
  CHECK(head.Q == rows({{1, 5}, {3, 11}}));
  CHECK(head.K == rows({{7, 2}, {15, 4}}));
  CHECK(head.V == rows({{2, 1}, {4, 3}}));
  CHECK(head.scores == rows({{17, 35}, {43, 89}}));  // row: query, column: key
}
