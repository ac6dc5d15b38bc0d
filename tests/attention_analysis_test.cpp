// Figures of patterns: by hand, in their limits, within their bounds, and unchanged by what must not change them.
#include "analysis_support.hpp"

using namespace attention_test;
using attention::cosine;
using attention::distance_profile;
using attention::DistanceProfile;
using attention::effective_tokens;
using attention::entropy_bits;
using attention::jensen_shannon_bits;
using attention::stable_rank;

namespace {

template <class T = double>
double row_entropy(std::initializer_list<double> weights) {
  const std::vector<T> row(weights.begin(), weights.end());
  return entropy_bits(row.data(), static_cast<Eigen::Index>(row.size()));
}
double row_tokens(std::initializer_list<double> weights) {
  return effective_tokens(weights.begin(), static_cast<Eigen::Index>(weights.size()));
}

/// Rows that sum to 1 with some exact zeros; about every sixth is fully masked where that is asked for.
Matrix<double> random_pattern(Random& random, int n_q, int n_k, bool fully_masked_rows = false) {
  Matrix<double> out = Matrix<double>::Zero(n_q, n_k);
  for (int query = 0; query < n_q; ++query) {
    if (fully_masked_rows && random.whole(1, 6) == 1) continue;
    out(query, random.whole(0, n_k - 1)) = random.between(0.1, 1);
    for (int key = 0; key < n_k; ++key) {
      if (random.coin()) out(query, key) += random.between(0, 1);
    }
    out.row(query) /= out.row(query).sum();
  }
  return out;
}

}  // namespace

TEST_CASE("entropy in bits, by hand") {
  CHECK(row_entropy({0.5, 0.25, 0.25}) == 1.5);
  CHECK(row_entropy({0.25, 0.25, 0.25, 0.25}) == 2);
  CHECK(row_entropy({0.9, 0.1}) == about(0.4689955935892812));
  CHECK(row_entropy<float>({0.5, 0.25, 0.25}) == 1.5);
  CHECK(row_entropy({0, 1, 0}) == 0);
  CHECK(row_entropy({1}) == 0);
  CHECK(row_entropy({0, 0, 0}) == 0);
  CHECK(row_entropy({}) == 0);
}

TEST_CASE("the entropy of a pattern is the mean over queries, fully masked ones left out") {
  CHECK(entropy_bits(matrix({{0.5, 0.5}, {1, 0}})) == 0.5);
  CHECK(entropy_bits(matrix({{0.5, 0.5}, {0, 0}, {1, 0}})) == 0.5);
  CHECK(entropy_bits(matrix<float>({{0.5, 0.5}, {0, 0}, {1, 0}})) == 0.5);
  CHECK(entropy_bits(matrix({{0, 0}, {0, 0}})) == 0);
  CHECK(entropy_bits(Matrix<double>(3, 0)) == 0);
  CHECK(entropy_bits(Matrix<double>(0, 3)) == 0);
}

TEST_CASE("effective tokens: 2 to the entropy, n for an even spread over n, 0 where nothing is attended to") {
  CHECK(row_tokens({0.25, 0.25, 0.25, 0.25}) == 4);
  CHECK(row_tokens({0.5, 0.25, 0.25}) == about(2.8284271247461903));
  CHECK(row_tokens({0, 1, 0}) == 1);
  CHECK(row_tokens({0, 0, 0}) == 0);
  CHECK(effective_tokens(matrix({{0.25, 0.25, 0.25, 0.25}, {0, 0, 0, 0}, {1, 0, 0, 0}})) == 2);  // 2^((2 + 0) / 2)
  CHECK(effective_tokens(matrix({{0, 0}, {0, 0}})) == 0);
  CHECK(effective_tokens(Matrix<double>(3, 0)) == 0);
  for (int n = 1; n <= 40; ++n) CHECK(effective_tokens(uniform(2, n)) == about(n));
}

TEST_CASE("entropy: within its bounds, blind to the order of keys, and additive where choices are independent") {
  Random random(1);
  for (int round = 0; round < 50; ++round) {
    const int n_q = random.whole(1, 9), n_k = 2 * random.whole(0, 8) + 1;
    const Matrix<double> pattern = random_pattern(random, n_q, n_k, true);
    const double bits = entropy_bits(pattern), tokens = effective_tokens(pattern);
    CHECK(bits >= 0);
    CHECK(bits <= std::log2(n_k) + 1e-12);
    CHECK((pattern.maxCoeff() == 0 ? tokens == 0 : tokens >= 1 && tokens <= n_k + 1e-9));
    CHECK(entropy_bits(turned_keys(pattern)) == about(bits));
    // Choose by one row, then by another: H(p x q) = H(p) + H(q).
    const Matrix<double> p = random_pattern(random, 1, n_k), q = random_pattern(random, 1, n_k);
    Matrix<double> both(1, n_k * n_k);
    for (int i = 0; i < both.cols(); ++i) both(0, i) = p(0, i / n_k) * q(0, i % n_k);
    CHECK(entropy_bits(both) == about(entropy_bits(p) + entropy_bits(q)));
  }
}

TEST_CASE("the distance profile, by hand: more keys than queries, and a fully masked row") {
  const DistanceProfile profile = distance_profile(matrix({{0.5, 0.5, 0}, {0.25, 0.25, 0.5}}));
  CHECK(profile.first == -1);
  CHECK(profile.mean_weight == Values{0.25, 0.375, 0.5, 0});
  CHECK(profile.mean_distance == 0.625);  // (0.5 * 1 + 0.25 * 1 + 0.5 * 1) / 2
  const DistanceProfile masked = distance_profile(matrix<float>({{0.5, 0.5, 0}, {0, 0, 0}}));
  CHECK(masked.first == -1);
  CHECK(masked.mean_weight == Values{0, 0.5, 0.5, 0});  // no cell is left at distance -1
  CHECK(masked.mean_distance == 0.5);
  const DistanceProfile tall = distance_profile(matrix({{1}, {1}, {0}, {1}}));
  CHECK(tall.first == -3);
  CHECK(tall.mean_weight == Values{1, 0, 1, 1});
  CHECK(tall.mean_distance == about(4.0 / 3));
}

TEST_CASE("the distance profile's limits: oneself, the token before, an even spread, one token, none") {
  const int n = 7;
  const DistanceProfile own = distance_profile(Matrix<double>(Matrix<double>::Identity(n, n)));
  CHECK(own.mean_weight == Values{0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0});
  CHECK(own.mean_distance == 0);
  Matrix<double> before = Matrix<double>::Zero(n, n);  // the first has none before it: fully masked
  for (int query = 1; query < n; ++query) before(query, query - 1) = 1;
  const DistanceProfile previous = distance_profile(before);
  CHECK(previous.mean_weight == Values{0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0});
  CHECK(previous.mean_distance == 1);
  const DistanceProfile even = distance_profile(uniform(n, n));
  for (const double weight : even.mean_weight) CHECK(weight == about(1.0 / n));
  CHECK(even.mean_distance == about((n * n - 1) / (3.0 * n)));
  CHECK(distance_profile(matrix({{1}})).mean_weight == Values{1});
  CHECK(distance_profile(matrix({{0}})).mean_weight == Values{0});
  for (const auto& [rows, cols] : {std::pair{3, 0}, std::pair{0, 3}, std::pair{0, 0}}) {
    const DistanceProfile none = distance_profile(Matrix<double>(rows, cols));
    CHECK(none.mean_weight.empty());
    CHECK(none.first == 0);
    CHECK(none.mean_distance == 0);
  }
}

TEST_CASE("the distance profile accounts for every weight, and mirrors when the tokens are read backwards") {
  Random random(2);
  for (int round = 0; round < 50; ++round) {
    const int n_q = random.whole(1, 9), n_k = random.whole(1, 9);
    const Matrix<double> pattern = random_pattern(random, n_q, n_k);
    const DistanceProfile profile = distance_profile(pattern);
    CHECK(profile.first == 1 - n_q);
    REQUIRE(profile.mean_weight.size() == static_cast<std::size_t>(n_q + n_k - 1));
    double weight = 0, distance = 0;
    for (int d = 1 - n_q; d < n_k; ++d) {
      const int cells = std::min({n_q, n_k, n_q + d, n_k - d});
      const double here = profile.mean_weight[static_cast<std::size_t>(d - profile.first)] * cells;
      weight += here;
      distance += here * std::abs(d);
    }
    CHECK(weight == about(n_q));
    CHECK(profile.mean_distance == about(distance / n_q));
    const DistanceProfile mirrored = distance_profile(Matrix<double>(pattern.reverse()));
    if (n_q != n_k) continue;
    CHECK(mirrored.mean_distance == about(profile.mean_distance));
    for (std::size_t i = 0; i < profile.mean_weight.size(); ++i) {
      CHECK(mirrored.mean_weight[i] == about(profile.mean_weight[profile.mean_weight.size() - 1 - i]));
    }
  }
}

TEST_CASE("Jensen-Shannon, by hand: 0 the same, 1 nothing in common, fully masked rows of either left out") {
  CHECK(jensen_shannon_bits(matrix({{1, 0}}), matrix({{0.5, 0.5}})) == about(0.3112781244591328));
  CHECK(jensen_shannon_bits(matrix({{0.3, 0.7}}), matrix({{0.3, 0.7}})) == 0);
  CHECK(jensen_shannon_bits(matrix({{0.3, 0.7, 0}}), matrix({{0, 0, 1}})) == about(1));
  CHECK(jensen_shannon_bits(matrix<float>({{0, 1}}), matrix<float>({{1, 0}})) == about(1));
  const Matrix<double> a = matrix({{1, 0}, {0, 0}, {1, 0}, {1, 0}});
  const Matrix<double> b = matrix({{0, 1}, {1, 0}, {0, 0}, {0.5, 0.5}});
  CHECK(jensen_shannon_bits(a, b) == about((1 + 0.3112781244591328) / 2));
  CHECK(jensen_shannon_bits(matrix({{0, 0}}), matrix({{0, 1}})) == 0);
  CHECK(jensen_shannon_bits(matrix({{1}}), matrix({{1}})) == 0);
  CHECK(jensen_shannon_bits(Matrix<double>(2, 0), Matrix<double>(2, 0)) == 0);
}

TEST_CASE("Jensen-Shannon: Lin's three entropies, symmetric, from 0 to 1, its root a metric") {
  Random random(3);
  for (int round = 0; round < 50; ++round) {
    const int n_k = 2 * random.whole(0, 8) + 1;
    const Matrix<double> p = random_pattern(random, 1, n_k), q = random_pattern(random, 1, n_k);
    const Matrix<double> r = random_pattern(random, 1, n_k);
    const double bits = jensen_shannon_bits(p, q);
    const double by_entropies = entropy_bits(Matrix<double>((p + q) / 2)) - (entropy_bits(p) + entropy_bits(q)) / 2;
    CHECK(bits == about(by_entropies));
    CHECK(jensen_shannon_bits(q, p) == bits);
    CHECK(bits >= 0);
    CHECK(bits <= 1 + 1e-12);
    CHECK(jensen_shannon_bits(turned_keys(p), turned_keys(q)) == about(bits));
    // Endres & Schindelin 2003: the square root keeps the triangle inequality.
    CHECK(std::sqrt(bits) <= std::sqrt(jensen_shannon_bits(p, r)) + std::sqrt(jensen_shannon_bits(r, q)) + 1e-12);
  }
}

TEST_CASE("Jensen-Shannon keeps its digits where two heads hardly differ") {
  const double e = 1e-7;  // (1/2 + e, 1/2 - e) against its mirror: 2 e^2 / ln 2, and e^4 more
  const double bits = jensen_shannon_bits(matrix({{0.5 + e, 0.5 - e}}), matrix({{0.5 - e, 0.5 + e}}));
  CHECK(std::fabs(bits / (2 * e * e / std::log(2.0)) - 1) <= 1e-6);
}

TEST_CASE("cosine, by hand, and where there is no direction") {
  CHECK(cosine(matrix({{3, 4}}), matrix({{4, 3}})) == about(0.96));
  CHECK(cosine(matrix<float>({{3}, {4}}), matrix<float>({{4}, {3}})) == about(0.96));
  CHECK(cosine(matrix({{0, 2}, {0, 0}}), matrix({{1, 0}, {0, 5}})) == 0);
  CHECK(cosine(matrix({{0, 0}}), matrix({{1, 2}})) == 0);
  CHECK(cosine(matrix({{1, 2}}), matrix({{0, 0}})) == 0);
  CHECK(cosine(Matrix<double>(), Matrix<double>()) == 0);
}

TEST_CASE("cosine: bounded, symmetric, exactly 1 with itself, blind to size however large or small") {
  Random random(4);
  for (int round = 0; round < 50; ++round) {
    const int rows = random.whole(1, 6), cols = random.whole(1, 6);
    const Matrix<double> a = random.matrix<double>(rows, cols), b = random.matrix<double>(rows, cols);
    const double here = cosine(a, b);
    CHECK(std::fabs(here) <= 1);
    CHECK(cosine(b, a) == here);
    CHECK(cosine(a, a) == 1);
    CHECK(cosine(a, Matrix<double>(-a)) == -1);
    CHECK(cosine(Matrix<double>(1e200 * a), Matrix<double>(1e-200 * b)) == about(here));
  }
}

TEST_CASE("NaN and infinity give NaN, not a figure") {
  const double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  for (const double bad : {infinity, nan}) {
    const Matrix<double> m = matrix({{1, bad}, {0, 1}}), good = matrix({{1, 0}, {0, 1}});
    CHECK(std::isnan(stable_rank(m)));
    CHECK(std::isnan(cosine(m, good)));
    CHECK(std::isnan(cosine(good, m)));
  }
  const Matrix<double> m = matrix({{0.5, nan}}), good = matrix({{0.5, 0.5}});
  CHECK(std::isnan(entropy_bits(m)));
  CHECK(std::isnan(effective_tokens(m)));
  CHECK(std::isnan(jensen_shannon_bits(m, good)));
  CHECK(std::isnan(jensen_shannon_bits(good, m)));
  CHECK(std::isnan(distance_profile(m).mean_distance));
}

TEST_CASE("fully masked queries change no mean") {
  Random random(7);
  for (int round = 0; round < 20; ++round) {
    const Matrix<double> a = random_pattern(random, 4, 5), b = random_pattern(random, 4, 5);
    Matrix<double> more_a = Matrix<double>::Zero(6, 5), more_b = Matrix<double>::Zero(6, 5);
    more_a.topRows(4) = a;
    more_b.topRows(4) = b;
    CHECK(entropy_bits(more_a) == entropy_bits(a));
    CHECK(effective_tokens(more_a) == effective_tokens(a));
    CHECK(jensen_shannon_bits(more_a, more_b) == jensen_shannon_bits(a, b));
    const DistanceProfile profile = distance_profile(a), more = distance_profile(more_a);
    CHECK(more.mean_distance == profile.mean_distance);
    CHECK(Values(more.mean_weight.begin() + 2, more.mean_weight.end()) == profile.mean_weight);
    more_b.row(5) = uniform(1, 5);  // masked in one only
    CHECK(jensen_shannon_bits(more_a, more_b) == jensen_shannon_bits(a, b));
  }
}
