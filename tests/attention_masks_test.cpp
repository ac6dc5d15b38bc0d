// Masks, gates and scale in the forward pass: their conventions, how they combine, and what they leave to the bit.
#include "attention_plain.hpp"

using namespace attention_test;
using attention::both;
using attention::causal_mask;
using attention::padding_mask;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
const Config kSizes = {5, 7, 6, 3, 4, 5};

MayAttend rows(std::initializer_list<std::initializer_list<int>> numbers) {
  MayAttend out(static_cast<Eigen::Index>(numbers.size()), static_cast<Eigen::Index>(numbers.begin()->size()));
  Eigen::Index i = 0;
  for (const auto& row : numbers) {
    for (const int number : row) out.data()[i++] = static_cast<std::uint8_t>(number);
  }
  return out;
}

/// 0 where allowed, -infinity where not.
template <class T>
Matrix<T> as_additive(const MayAttend& mask) {
  Matrix<T> out(mask.rows(), mask.cols());
  for (Eigen::Index i = 0; i < out.size(); ++i) {
    out.data()[i] = mask.data()[i] == 1 ? T(0) : -std::numeric_limits<T>::infinity();
  }
  return out;
}

/// What head `head` adds to the output.
Matrix<double> contribution(const Case<double>& it, const Trace<double>& trace, int head) {
  const Config& c = it.config;
  const double gate = it.weights.heads[static_cast<std::size_t>(head)].gate;
  return gate * trace.heads[static_cast<std::size_t>(head)].output * it.weights.W_O.middleRows(head * c.d_v, c.d_v);
}

double distance(const Matrix<double>& a, const Matrix<double>& b) { return (a - b).cwiseAbs().maxCoeff(); }

}  // namespace

TEST_CASE("a causal mask lets a query look at its own key and at those before it") {
  CHECK(causal_mask(3, 3) == rows({{1, 0, 0}, {1, 1, 0}, {1, 1, 1}}));
  CHECK(causal_mask(2, 4) == rows({{1, 0, 0, 0}, {1, 1, 0, 0}}));
  CHECK(causal_mask(4, 2) == rows({{1, 0}, {1, 1}, {1, 1}, {1, 1}}));
  for (const int n : {0, 1, 2, 9}) CHECK(causal_mask(n, n) == causal(n));
}

TEST_CASE("with a cache of keys, the first query stands after them") {
  CHECK(causal_mask(2, 5, 3) == rows({{1, 1, 1, 1, 0}, {1, 1, 1, 1, 1}}));
  CHECK(causal_mask(1, 4, 3) == rows({{1, 1, 1, 1}}));
  CHECK(causal_mask(3, 3, 100) == MayAttend::Ones(3, 3));
  CHECK(causal_mask(3, 2, -2) == rows({{0, 0}, {0, 0}, {1, 0}}));  // before all keys: nothing yet
  CHECK(causal_mask(2, 1, std::numeric_limits<int>::max()) == MayAttend::Ones(2, 1));
}

TEST_CASE("one query at a time with a cache gives the rows of the whole causal pass, to the bit") {
  auto whole = random_case<double>({5, 5, 6, 2, 3, 4}, {false, true}, 101);
  whole.input.may_attend = causal_mask(5, 5);
  const Trace<double> all = forward(whole);
  for (int query = 0; query < 5; ++query) {
    auto step = whole;
    step.config.n_q = 1;
    step.input.X = whole.input.X.row(query);
    step.input.X_kv = whole.input.X;
    step.input.may_attend = causal_mask(1, 5, query);
    CHECK(same_bits(forward(step).output, Matrix<double>(all.output.row(query))));
  }
}

TEST_CASE("a padding mask hides the keys after the real ones, from every query") {
  CHECK(padding_mask(2, 3, 2) == rows({{1, 1, 0}, {1, 1, 0}}));
  CHECK(padding_mask(2, 3, 0) == MayAttend::Zero(2, 3));
  CHECK(padding_mask(2, 3, 3) == MayAttend::Ones(2, 3));
}

TEST_CASE("padding changes no bit of what the real tokens get") {
  const auto it = random_case<double>({3, 4, 6, 2, 3, 4}, {true, true}, 102);
  auto padded = it;
  padded.config.n_k = 9;
  padded.input.X_kv = Matrix<double>::Constant(9, 6, 77.5);
  padded.input.X_kv.topRows(4) = it.input.X_kv;
  padded.input.may_attend = padding_mask(3, 9, 4);
  CHECK(same_bits(forward(padded).output, forward(it).output));
}

TEST_CASE("both masks have to allow; an empty one allows all, and one without numbers isn't empty") {
  const MayAttend a = causal_mask(3, 4, 1), b = padding_mask(3, 4, 2);
  CHECK(both(a, b) == rows({{1, 1, 0, 0}, {1, 1, 0, 0}, {1, 1, 0, 0}}));
  CHECK(both(a, b) == both(b, a));
  CHECK(both(a, {}) == a);
  CHECK(both({}, a) == a);
  CHECK(both({}, {}) == MayAttend());
  CHECK(both(MayAttend(0, 3), {}).cols() == 3);
  CHECK(both({}, MayAttend(3, 0)).rows() == 3);
  Random random(103);
  const MayAttend c = random.mask(3, 4);
  CHECK(both(a, both(b, c)) == both(both(a, b), c));
  CHECK(both(c, c) == c);
  CHECK(both(c, MayAttend::Zero(3, 4)) == MayAttend::Zero(3, 4));
}

TEST_CASE("masks of no query, of no key, and of one of each") {
  for (const auto& [n_q, n_k] : {std::pair(0, 0), std::pair(0, 3), std::pair(3, 0), std::pair(1, 1)}) {
    for (const MayAttend& mask : {causal_mask(n_q, n_k), padding_mask(n_q, n_k, n_k), causal_mask(n_q, n_k, 2)}) {
      CHECK(mask.rows() == n_q);
      CHECK(mask.cols() == n_k);
    }
    auto it = random_case<double>({n_q, n_k, 2, 1, 2, 2}, {true, true, false, true}, 104);
    it.input.may_attend = causal_mask(n_q, n_k);
    it.input.additive_mask.setZero();
    REQUIRE(attention::validate(it.config, it.input, it.weights).empty());
    CHECK(forward(it).output.rows() == n_q);
    if (n_q == 1) CHECK(forward(it).heads[0].pattern(0, 0) == 1);
  }
}

TEST_CASE_TEMPLATE("is_allowed is true where both masks allow, and there only is a weight", T, float, double) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Extras extras = {true, true, seed % 2 == 0, seed % 4 < 2, true, true};
    const auto it = random_case<T>(kSizes, extras, seed);
    const Trace<T> trace = forward(it);
    for (int query = 0; query < kSizes.n_q; ++query) {
      bool any = false;
      for (int key = 0; key < kSizes.n_k; ++key) {
        const bool allowed = attention::is_allowed(it.input, query, key);
        CHECK(allowed == plain_allowed(it.input, query, key));
        any = any || allowed;
        for (const HeadTrace<T>& head : trace.heads) {
          CHECK((allowed || same_bits(head.pattern(query, key), T(0))));  // exactly +0
          CHECK((allowed || same_bits(head.masked(query, key), -std::numeric_limits<T>::infinity())));
          CHECK((!allowed || std::isfinite(head.masked(query, key))));
        }
      }
      for (const HeadTrace<T>& head : trace.heads) {
        CHECK(static_cast<double>(head.pattern.row(query).sum()) == doctest::Approx(any ? 1 : 0).epsilon(1e-6));
        if (!any) CHECK((head.output.row(query).array() == 0).all());
      }
    }
  }
}

TEST_CASE("with gates, a scale and both masks, every output is the plain formula's") {
  Worst worst, worst_float;
  Random random(105);
  for (int round = 0; round < 120; ++round) {
    const Extras extras = random.extras();
    const int n_q = random.whole(0, 9);
    const Config config = {n_q,
                           extras.cross ? random.whole(0, 9) : n_q,
                           random.whole(1, 4),
                           random.whole(1, 3),
                           random.whole(1, 4),
                           random.whole(1, 4)};
    const std::uint64_t seed = random.bits();
    const auto it = random_case<double>(config, extras, seed);
    const auto in_float = random_case<float>(config, extras, seed);
    worst.compare("round " + std::to_string(round), forward(it).output, plain_output(it));
    worst_float.compare("round " + std::to_string(round), forward(in_float).output, plain_output(in_float));
  }
  MESSAGE("worst in double: " << worst.cell << ", off by " << worst.difference);
  MESSAGE("worst in float: " << worst_float.cell << ", off by " << worst_float.difference);
  CHECK(worst.difference <= 1e-12);
  CHECK(worst_float.difference <= 2e-4);
}

TEST_CASE_TEMPLATE("an additive mask of 0 and -infinity is the boolean mask, to the bit", T, float, double) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    auto it = random_case<T>(kSizes, {true, true, true}, seed);
    it.input.may_attend.row(1).setZero();
    const std::uint64_t boolean = attention::hash_of(forward(it));
    it.input.additive_mask = as_additive<T>(it.input.may_attend);
    CHECK(attention::hash_of(forward(it)) == boolean);  // twice the same
    it.input.may_attend = MayAttend();
    CHECK(attention::hash_of(forward(it)) == boolean);
  }
}

TEST_CASE("the two masks are one when they say half each") {
  auto it = random_case<double>(kSizes, {true, true}, 106);
  Random random(107);
  const MayAttend a = random.mask(5, 7), b = random.mask(5, 7);
  it.input.may_attend = both(a, b);
  const std::uint64_t one = attention::hash_of(forward(it));
  it.input.may_attend = a;
  it.input.additive_mask = as_additive<double>(b);
  CHECK(attention::hash_of(forward(it)) == one);
}

TEST_CASE("what an additive mask adds to every key of a row changes no weight") {
  auto it = random_case<double>(kSizes, {true, true}, 108);
  const Trace<double> before = forward(it);
  it.input.additive_mask = Matrix<double>::Constant(5, 7, 3.5);
  const Trace<double> after = forward(it);
  CHECK(distance(after.heads[0].pattern, before.heads[0].pattern) <= 1e-13);
  CHECK(after.heads[0].masked(2, 3) == before.heads[0].scaled(2, 3) + 3.5);
}

TEST_CASE("a masked score may be anything, infinite or not a number, and its weight is 0") {
  auto it = random_case<double>({1, 3, 2, 1, 2, 1}, {true}, 109);
  it.input.X.setConstant(1e200);
  it.input.X_kv.row(1) << 1e200, -1e200;
  it.weights.heads[0].W_Q = it.weights.heads[0].W_K = Matrix<double>::Identity(2, 2);
  it.input.X_kv.row(0).setZero();
  it.input.X_kv.row(2).setZero();
  for (const bool additive : {false, true}) {
    it.input.may_attend = additive ? MayAttend() : rows({{1, 0, 1}});
    it.input.additive_mask = additive ? as_additive<double>(rows({{1, 0, 1}})) : Matrix<double>();
    const HeadTrace<double> head = forward(it).heads[0];
    CHECK(std::isnan(head.scores(0, 1)));  // infinity - infinity
    CHECK(same_bits(head.masked(0, 1), -kInfinity));
    CHECK(head.pattern == Matrix<double>{{0.5, 0, 0.5}});
  }
}

TEST_CASE("an additive mask that is finite never closes a key, however low: there is no stand-in for -infinity") {
  auto it = random_case<double>({1, 2, 2, 1, 2, 1}, {true}, 110);
  it.input.additive_mask = Matrix<double>{{-1e308, -kInfinity}};
  const HeadTrace<double> head = forward(it).heads[0];
  CHECK(head.pattern == Matrix<double>{{1, 0}});  // a row of its own, so it takes it all
  CHECK(attention::is_allowed(it.input, 0, 0));
  CHECK_FALSE(attention::is_allowed(it.input, 0, 1));
}

TEST_CASE("weights as small as subnormals are kept, and what is smaller is 0 without closing the key") {
  auto it = random_case<double>({1, 3, 2, 1, 2, 1}, {true}, 111);
  it.weights.heads[0].W_Q.setZero();
  it.input.additive_mask = Matrix<double>{{0, -740, -800}};
  const HeadTrace<double> head = forward(it).heads[0];
  CHECK(head.pattern(0, 0) == 1);
  CHECK(head.pattern(0, 1) > 0);
  CHECK(head.pattern(0, 1) < std::numeric_limits<double>::min());
  CHECK(head.pattern(0, 2) == 0);
  CHECK(head.masked(0, 2) == -800);
}

TEST_CASE("a gate of 0 removes exactly its head's contribution, and a gate of 1 changes no bit") {
  const auto it = random_case<double>(kSizes, {true, true, true, true}, 112);
  const Trace<double> all = forward(it);
  for (int head = 0; head < kSizes.h; ++head) {
    auto gated = it;
    gated.weights.heads[static_cast<std::size_t>(head)].gate = 0;
    auto without = it;  // the same as a head whose rows of W_O are 0
    without.weights.W_O.middleRows(head * kSizes.d_v, kSizes.d_v).setZero();
    const Trace<double> trace = forward(gated);
    CHECK(same_bits(trace.output, forward(without).output));
    CHECK(distance(Matrix<double>(all.output - trace.output), contribution(it, all, head)) <= 1e-13);
    CHECK(same_bits(trace.heads[1].output, all.heads[1].output));  // the gate is behind the head, not in it
  }
}

TEST_CASE("the output is linear in a gate: with 1/2 the contribution is halved") {
  const auto it = random_case<double>(kSizes, {true, true, true, true}, 113);
  const Trace<double> full = forward(it);
  auto closed = it, half = it;
  closed.weights.heads[1].gate = 0;
  half.weights.heads[1].gate = 0.5;
  const Matrix<double> middle = (full.output + forward(closed).output) / 2;
  const Trace<double> trace = forward(half);
  CHECK(distance(trace.output, middle) <= 1e-13);
  CHECK(trace.concat.middleCols(5, 5) == full.heads[1].output / 2);
}

TEST_CASE("with all gates, the output is the sum of the gated contributions plus the bias") {
  const auto it = random_case<double>(kSizes, {true, true, true, true, true, true}, 114);
  const Trace<double> trace = forward(it);
  Matrix<double> sum = it.weights.b_O.replicate(kSizes.n_q, 1);
  for (int head = 0; head < kSizes.h; ++head) sum += contribution(it, trace, head);
  CHECK(distance(sum, trace.output) <= 1e-13);
}

TEST_CASE("a scale of 1 / sqrt(d_k) is the usual division, but for a rounding") {
  for (const int d_k : {1, 2, 3, 4, 7, 64}) {
    auto it = random_case<double>({3, 4, 5, 2, d_k, 2}, {true, true}, 115);
    const Trace<double> divided = forward(it);
    it.config.scale = 1 / std::sqrt(static_cast<double>(d_k));
    const Trace<double> multiplied = forward(it);
    for (std::size_t head = 0; head < 2; ++head) {
      const Matrix<double>&a = divided.heads[head].scaled, &b = multiplied.heads[head].scaled;
      for (Eigen::Index i = 0; i < a.size(); ++i)
        CHECK(std::fabs(a.data()[i] - b.data()[i]) <= 0x1p-52 * std::fabs(a.data()[i]));
    }
    if (d_k == 1 || d_k == 4 || d_k == 64) CHECK(attention::hash_of(multiplied) == attention::hash_of(divided));
  }
}

TEST_CASE("a scale may be 0 or negative: no key is preferred, or the worst match is") {
  auto it = random_case<double>({2, 4, 5, 1, 3, 2}, {true, true}, 116);
  it.config.scale = 0.0;
  CHECK(forward(it).heads[0].pattern == Matrix<double>::Constant(2, 4, 0.25));
  it.config.scale = -1.0;
  const HeadTrace<double> head = forward(it).heads[0];
  Eigen::Index worst = 0, largest = 0;
  head.scores.row(0).minCoeff(&worst);
  head.pattern.row(0).maxCoeff(&largest);
  CHECK(worst == largest);
}

TEST_CASE("a batch is its sequences one by one, each with its own masks") {
  std::vector<Input<double>> batch;
  const auto first = random_case<double>(kSizes, {true, true, true, true, true, true}, 117);
  for (const std::uint64_t seed : {118u, 119u, 120u}) {
    batch.push_back(random_case<double>(kSizes, {true, true, seed != 119, seed != 120}, seed).input);
  }
  std::vector<Trace<double>> traces(7);  // too many: it is made to fit
  attention::forward(first.config, batch, first.weights, traces);
  REQUIRE(traces.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(attention::hash_of(traces[i]) ==
          attention::hash_of(forward(Case<double>{first.config, batch[i], first.weights})));
  }
  attention::forward(first.config, std::vector<Input<double>>(), first.weights, traces);
  CHECK(traces.empty());
}
