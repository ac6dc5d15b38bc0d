// What must hold for any numbers: of softmax, of masks, of heads, and of every shape.
#include "attention_plain.hpp"

#include <numeric>

using namespace attention_test;

namespace {

/// Row i of the result is row order[i] of `matrix`.
template <class M>
M reordered_rows(const M& matrix, const std::vector<int>& order) {
  M out(matrix.rows(), matrix.cols());
  for (Eigen::Index i = 0; i < out.rows(); ++i) out.row(i) = matrix.row(order[static_cast<std::size_t>(i)]);
  return out;
}
template <class M>
M reordered_cols(const M& matrix, const std::vector<int>& order) {
  return reordered_rows(M(matrix.transpose()), order).transpose();
}

template <class T>
double distance(const Matrix<T>& a, const Matrix<T>& b) {
  return a.size() == 0 ? 0 : static_cast<double>((a - b).cwiseAbs().maxCoeff());
}

bool row_is_fully_masked(const MayAttend& mask, int query) {
  return mask.size() > 0 && mask.row(query).maxCoeff() == 0;
}

const Config kOdd = {5, 7, 6, 3, 4, 5};  // n_q != n_k, d_k != d_v, h * d_v = 15 != d_model

}  // namespace

TEST_CASE("for every n from 0 to 33, with random masks, the output is the plain formula's") {
  Worst worst, worst_float;
  for (int n = 0; n <= 33; ++n) {
    for (const bool mask : {false, true}) {
      const Config config = {n, n, 3, 2, 2, 3};
      const std::uint64_t seed = static_cast<std::uint64_t>(n);
      const auto it = random_case<double>(config, {false, true, mask}, seed);
      worst.compare("n = " + std::to_string(n), forward(it).output, plain_output(it));
      const auto in_float = random_case<float>(config, {false, true, mask}, seed);
      worst_float.compare("n = " + std::to_string(n), forward(in_float).output, plain_output(in_float));
    }
  }
  MESSAGE("worst in double: " << worst.cell << ", off by " << worst.difference);
  MESSAGE("worst in float: " << worst_float.cell << ", off by " << worst_float.difference);
  CHECK(worst.difference <= 1e-11);
  CHECK(worst_float.difference <= 1e-4);  // scores of tens: float keeps seven digits of them, then exp
}

TEST_CASE("n_q and n_k may differ, either may be 0 or 1, and h * d_v need not be d_model") {
  Worst worst;
  for (const int n_q : {0, 1, 3, 9}) {
    for (const int n_k : {0, 1, 3, 16}) {
      for (const bool biases : {false, true}) {
        for (const bool mask : {false, true}) {
          const auto it = random_case<double>({n_q, n_k, 4, 2, 3, 5}, {true, biases, mask}, 7);
          REQUIRE(attention::validate(it.config, it.input, it.weights).empty());
          worst.compare(std::to_string(n_q) + " queries, " + std::to_string(n_k) + " keys", forward(it).output,
                        plain_output(it));
        }
      }
    }
  }
  MESSAGE("worst: " << worst.cell << ", off by " << worst.difference);
  CHECK(worst.difference <= 1e-11);
}

TEST_CASE("without keys every head gives zeros, and the output is the bias") {
  const auto it = random_case<double>({3, 0, 4, 2, 3, 5}, {true, true, false}, 1);
  const Trace<double> trace = forward(it);
  CHECK(trace.concat == Matrix<double>::Zero(3, 10));
  for (int query = 0; query < 3; ++query) CHECK(trace.output.row(query) == it.weights.b_O.row(0));
}

TEST_CASE_TEMPLATE("each row of the pattern sums to 1 or is all zeros, and no weight is negative", T, float, double) {
  const double tolerance = 8 * static_cast<double>(std::numeric_limits<T>::epsilon());
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const auto it = random_case<T>(kOdd, {true, true, true}, seed);
    for (const HeadTrace<T>& head : forward(it).heads) {
      CHECK(head.pattern.minCoeff() >= 0);
      for (int query = 0; query < kOdd.n_q; ++query) {
        const double sum = static_cast<double>(head.pattern.row(query).sum());
        if (row_is_fully_masked(it.input.may_attend, query)) {
          CHECK(sum == 0);
        } else {
          CHECK(std::fabs(sum - 1) <= tolerance);
        }
      }
    }
  }
}

TEST_CASE("a fully masked row gives zeros, exactly, in the pattern and in the head's output") {
  auto it = random_case<double>(kOdd, {true, true, false}, 3);
  it.input.may_attend = MayAttend::Ones(5, 7);
  it.input.may_attend.row(2).setZero();
  const Trace<double> trace = forward(it);
  for (const HeadTrace<double>& head : trace.heads) {
    CHECK((head.masked.row(2).array() == -std::numeric_limits<double>::infinity()).all());
    CHECK((head.pattern.row(2).array() == 0).all());
    CHECK((head.output.row(2).array() == 0).all());
  }
  CHECK(trace.output.row(2) == it.weights.b_O.row(0));
}

TEST_CASE("masked weights are exactly 0 where two masks meet, and only there") {
  auto it = random_case<double>({6, 6, 4, 2, 3, 2}, {}, 4);
  Random random(5);
  const MayAttend padding = random.mask(6, 6);
  it.input.may_attend = causal(6).cwiseMin(padding);
  for (const HeadTrace<double>& head : forward(it).heads) {
    for (int query = 0; query < 6; ++query) {
      for (int key = 0; key < 6; ++key) {
        const bool allowed = key <= query && padding(query, key) == 1;
        CHECK((head.pattern(query, key) > 0) == allowed);
        CHECK(std::isinf(head.masked(query, key)) == !allowed);
      }
    }
  }
}

TEST_CASE("what is masked has no influence: its number may change at will") {
  auto it = random_case<double>({4, 4, 3, 2, 2, 2}, {}, 6);
  it.input.may_attend = causal(4);
  const Trace<double> before = forward(it);
  it.input.X.row(3) *= -1000;  // only query 4 may look at token 4
  const Trace<double> after = forward(it);
  CHECK(same_bits(Matrix<double>(before.output.topRows(3)), Matrix<double>(after.output.topRows(3))));
}

TEST_CASE("a mask that allows everything changes no bit") {
  auto it = random_case<double>(kOdd, {true, false, false}, 8);
  const std::uint64_t without = attention::hash_of(forward(it));
  it.input.may_attend = MayAttend::Ones(5, 7);
  CHECK(attention::hash_of(forward(it)) == without);
}

TEST_CASE("the output is the sum of what each head contributes, plus the bias") {
  const auto it = random_case<double>(kOdd, {true, true, true}, 9);
  const Trace<double> trace = forward(it);
  Matrix<double> sum = it.weights.b_O.replicate(kOdd.n_q, 1);
  for (int head = 0; head < kOdd.h; ++head) {
    sum += trace.heads[static_cast<std::size_t>(head)].output * it.weights.W_O.middleRows(head * kOdd.d_v, kOdd.d_v);
  }
  CHECK(distance(sum, trace.output) <= 1e-12);
}

TEST_CASE("queries and keys in another order: the same numbers in that order") {
  const auto it = random_case<double>(kOdd, {true, true, true}, 10);
  const std::vector<int> queries = {3, 0, 4, 1, 2}, keys = {6, 2, 0, 5, 1, 4, 3};
  auto other = it;
  other.input.X = reordered_rows(it.input.X, queries);
  other.input.X_kv = reordered_rows(it.input.X_kv, keys);
  other.input.may_attend = reordered_cols(reordered_rows(it.input.may_attend, queries), keys);
  const Trace<double> a = forward(it), b = forward(other);
  CHECK(distance(b.output, reordered_rows(a.output, queries)) <= 1e-12);
  CHECK(distance(b.heads[1].pattern, reordered_cols(reordered_rows(a.heads[1].pattern, queries), keys)) <= 1e-12);
}

TEST_CASE("heads in another order, with their rows of W_O, give the same output") {
  const auto it = random_case<double>(kOdd, {true, false, true}, 11);
  auto other = it;
  std::swap(other.weights.heads[0], other.weights.heads[2]);
  other.weights.W_O.middleRows(0, 5) = it.weights.W_O.middleRows(10, 5);
  other.weights.W_O.middleRows(10, 5) = it.weights.W_O.middleRows(0, 5);
  CHECK(distance(forward(it).output, forward(other).output) <= 1e-12);
}

TEST_CASE("a bias of zeros changes no number, and a bias is added to every row") {
  const auto it = random_case<double>(kOdd, {true, false, false}, 12);
  auto biased = it;
  biased.weights.heads[0].b_Q = Matrix<double>::Zero(1, 4);
  biased.weights.b_O = Matrix<double>::Zero(1, 6);
  CHECK(forward(biased).output == forward(it).output);
  biased.weights.heads[0].b_Q << 1, 2, 3, 4;
  const Matrix<double> added = forward(biased).heads[0].Q - forward(it).heads[0].Q;
  CHECK(distance(added, Matrix<double>(biased.weights.heads[0].b_Q.replicate(5, 1))) <= 1e-14);
}

TEST_CASE("huge scores stay finite in the pattern, and a mask still gives exactly 0") {
  Case<double> it = random_case<double>({3, 3, 1, 1, 1, 1}, {}, 13);
  it.input.X << 1e150, 2e150, -1e150;
  it.weights.heads[0].W_Q << 1;
  it.weights.heads[0].W_K << 1;
  it.weights.heads[0].W_V << 1e-150;
  SUBCASE("1e300: the largest takes the whole row") {
    const Matrix<double> pattern = forward(it).heads[0].pattern;
    CHECK(pattern.row(0) == Matrix<double>{{0, 1, 0}});
    CHECK(pattern.row(2) == Matrix<double>{{0, 0, 1}});
  }
  SUBCASE("the largest is masked: exactly 0, the next takes the row") {
    it.input.may_attend = MayAttend::Ones(3, 3);
    it.input.may_attend(0, 1) = 0;
    CHECK(forward(it).heads[0].pattern.row(0) == Matrix<double>{{1, 0, 0}});
  }
  SUBCASE("scores that overflow to infinity share the row; masked ones among them get exactly 0") {
    it.weights.heads[0].W_K << 1e100;
    it.input.may_attend = MayAttend::Ones(3, 3);
    it.input.may_attend(1, 0) = 0;
    const HeadTrace<double> head = forward(it).heads[0];
    CHECK(std::isinf(head.scaled(0, 0)));
    CHECK(head.pattern.row(0) == Matrix<double>{{0.5, 0.5, 0}});
    CHECK(head.pattern.row(1) == Matrix<double>{{0, 1, 0}});
    CHECK(head.output.allFinite());
  }
  SUBCASE("every allowed score overflows to -infinity: they share the row, the masked key doesn't") {
    it.weights.heads[0].W_K << -1e100;
    it.input.X << 1e150, 2e150, 1e150;
    it.input.may_attend = MayAttend::Ones(3, 3);
    it.input.may_attend(0, 2) = 0;
    CHECK(forward(it).heads[0].pattern.row(0) == Matrix<double>{{0.5, 0.5, 0}});
  }
}

TEST_CASE("the same trace object can be used again for a smaller problem") {
  const auto large = random_case<double>(kOdd, {true, true, true}, 14);
  const auto small = random_case<double>({2, 2, 2, 1, 1, 1}, {}, 15);
  Trace<double> trace = forward(large);
  attention::forward(small.config, small.input, small.weights, trace);
  CHECK(attention::hash_of(trace) == attention::hash_of(forward(small)));
}

TEST_CASE("the hash tells traces apart by a single bit, and takes all NaNs as one") {
  const auto it = random_case<double>({2, 2, 2, 1, 1, 1}, {}, 16);
  Trace<double> trace = forward(it);
  const std::uint64_t before = attention::hash_of(trace);
  trace.output(1, 1) = std::nextafter(trace.output(1, 1), 10.0);
  CHECK(attention::hash_of(trace) != before);
  trace.output(1, 1) = std::numeric_limits<double>::quiet_NaN();
  const std::uint64_t with_nan = attention::hash_of(trace);
  trace.output(1, 1) = -std::numeric_limits<double>::quiet_NaN();
  CHECK(attention::hash_of(trace) == with_nan);
}
