// The fast layer against the readable engine: every size from 0 to 33, every mask, and what it must not do.
#include "attention/layer.hpp"

#include "attention/exponential.hpp"
#include "attention/panels.hpp"
#include "attention_support.hpp"

using namespace attention_test;
using attention::Layer;
using attention::LayerInput;
using attention::LayerOutput;
using attention::LayerWeights;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// Of outputs and weights of order 1, with relaxed SIMD and without: float's rounding over sums of up to 33 terms, and
/// scores whose errors the exponential passes on.
constexpr double kTolerance = 1e-5;

/// All heads' matrices side by side, as the layer wants them.
struct Flat {
  Matrix<float> W_Q, W_K, W_V, b_Q, b_K, b_V;
  const Weights<float>& of;

  explicit Flat(const Weights<float>& weights) : of(weights) {
    W_Q = beside([](const HeadWeights<float>& head) { return head.W_Q; });
    W_K = beside([](const HeadWeights<float>& head) { return head.W_K; });
    W_V = beside([](const HeadWeights<float>& head) { return head.W_V; });
    b_Q = beside([](const HeadWeights<float>& head) { return head.b_Q; });
    b_K = beside([](const HeadWeights<float>& head) { return head.b_K; });
    b_V = beside([](const HeadWeights<float>& head) { return head.b_V; });
  }
  LayerWeights weights() const {
    const auto data = [](const Matrix<float>& matrix) { return matrix.size() == 0 ? nullptr : matrix.data(); };
    return {data(W_Q), data(W_K), data(W_V), of.W_O.data(), data(b_Q), data(b_K), data(b_V), data(of.b_O)};
  }

 private:
  template <class F>
  Matrix<float> beside(F get) const {
    const Matrix<float> first = get(of.heads[0]);
    Matrix<float> out(first.rows(), first.cols() * static_cast<Eigen::Index>(of.heads.size()));
    for (std::size_t i = 0; i < of.heads.size(); ++i) {
      out.middleCols(static_cast<Eigen::Index>(i) * first.cols(), first.cols()) = get(of.heads[i]);
    }
    return out;
  }
};

/// Numbers that keep scores of order 1: weights divided by the root of what they are summed over.
Case<float> tame_case(const Config& config, Extras extras, std::uint64_t seed) {
  Case<float> made = random_case<float>(config, extras, seed);
  const float by = 1 / std::sqrt(static_cast<float>(config.d_model));
  for (HeadWeights<float>& head : made.weights.heads) {
    for (Matrix<float>* weight : {&head.W_Q, &head.W_K, &head.W_V}) *weight *= by;
  }
  made.weights.W_O *= 1 / std::sqrt(static_cast<float>(config.h * config.d_v));
  return made;
}

Matrix<double> wider(const Matrix<float>& matrix) { return matrix.cast<double>(); }

/// The same numbers, computed by the readable engine in double.
Trace<double> reference(const Case<float>& it) {
  Case<double> wide;
  wide.config = it.config;
  wide.input.X = wider(it.input.X);
  wide.input.X_kv = wider(it.input.X_kv);
  wide.input.may_attend = it.input.may_attend;
  wide.input.additive_mask = wider(it.input.additive_mask);
  for (const HeadWeights<float>& head : it.weights.heads) {
    wide.weights.heads.push_back({wider(head.W_Q), wider(head.W_K), wider(head.W_V), wider(head.b_Q), wider(head.b_K),
                                  wider(head.b_V), head.gate});
  }
  wide.weights.W_O = wider(it.weights.W_O);
  wide.weights.b_O = wider(it.weights.b_O);
  return forward(wide);
}

struct Result {
  Matrix<float> output;
  std::vector<Matrix<float>> weights;
};

LayerInput input_of(const Case<float>& it, const std::vector<float>& gates) {
  LayerInput input;
  input.X = it.input.X.data();
  static const float no_keys = 0;  // an empty matrix has no address, and null would mean self-attention
  if (!attention::is_self_attention(it.input)) input.X_kv = it.config.n_k == 0 ? &no_keys : it.input.X_kv.data();
  input.n_q = it.config.n_q;
  input.n_k = it.config.n_k;
  if (it.input.may_attend.size() > 0) input.may_attend = it.input.may_attend.data();
  if (it.input.additive_mask.size() > 0) input.additive_mask = it.input.additive_mask.data();
  input.gates = gates.data();
  input.weights = true;
  return input;
}

Result run(Layer& layer, const LayerInput& input) {
  LayerOutput output;
  const auto problems = layer.run(input, output);
  for (const auto& problem : problems) FAIL_CHECK(to_sentence(problem));
  const attention::Config& c = layer.config();
  Result result;
  result.output = Eigen::Map<const Matrix<float>>(output.output, input.batch * input.n_q, c.d_model);
  for (int i = 0; input.weights && i < input.batch * c.h; ++i) {
    result.weights.push_back(
        Eigen::Map<const Matrix<float>>(output.weights + i * input.n_q * input.n_k, input.n_q, input.n_k));
  }
  return result;
}

Result run(const Case<float>& it) {
  std::vector<float> gates;
  for (const auto& head : it.weights.heads) gates.push_back(head.gate);
  Layer layer(it.config);
  REQUIRE(layer.set_weights(Flat(it.weights).weights()).empty());
  return run(layer, input_of(it, gates));
}

void compare(Worst& worst, const std::string& name, const Result& found, const Trace<double>& wanted) {
  worst.compare(name + " output", found.output, wanted.output);
  for (std::size_t i = 0; i < found.weights.size(); ++i) {
    worst.compare(name + " head " + std::to_string(i + 1) + " weights", found.weights[i], wanted.heads[i].pattern);
  }
}

std::string name_of(const Config& c) {
  return std::to_string(c.n_q) + "x" + std::to_string(c.n_k) + " d_model " + std::to_string(c.d_model) + " h " +
         std::to_string(c.h) + " d_k " + std::to_string(c.d_k) + " d_v " + std::to_string(c.d_v);
}

/// A layer of one plain case, with what a test needs to run it again.
struct Plain {
  Case<float> it;
  Layer layer;
  LayerInput input;
  Plain(int n, int d_model, int h, std::uint64_t seed)
      : it(tame_case({n, n, d_model, h, d_model / h, d_model / h, {}}, {}, seed)), layer(it.config) {
    REQUIRE(layer.set_weights(Flat(it.weights).weights()).empty());
    input.X = it.input.X.data();
    input.n_q = input.n_k = n;
    input.weights = true;
  }
};

}  // namespace

TEST_CASE("the fast layer agrees with the readable engine at every length from 0 to 33, with every mask") {
  Random random(71);
  Worst worst;
  for (int n = 0; n <= 33; ++n) {
    for (int round = 0; round < 6; ++round) {
      const Extras extras = random.extras();
      Config config{n, n, random.whole(1, 33), random.whole(1, 5), random.whole(1, 17), random.whole(1, 17), {}};
      if (extras.cross) config.n_k = random.whole(0, 33);
      const Case<float> it = tame_case(config, extras, random.bits());
      compare(worst, name_of(it.config), run(it), reference(it));
    }
  }
  MESSAGE("worst: " << worst.difference << " at " << worst.cell << " (" << attention::kernel_name() << ")");
  CHECK(worst.difference <= kTolerance);
}

TEST_CASE("the fast layer agrees with the readable engine where blocks of tokens and keys end") {
  Random random(72);
  Worst worst;
  // A block holds 65536 / d_model tokens, 24 keys lie together, eight tokens make a panel.
  for (const Config& config : {Config{131, 131, 512, 8, 64, 64, {}}, Config{128, 257, 256, 2, 12, 20, {}},
                               Config{300, 97, 300, 3, 7, 5, {}}, Config{49, 49, 96, 1, 96, 96, {}}}) {
    const Extras extras{.cross = config.n_q != config.n_k, .biases = true};
    const Case<float> it = tame_case(config, extras, random.bits());
    compare(worst, name_of(config), run(it), reference(it));
  }
  MESSAGE("worst: " << worst.difference << " at " << worst.cell);
  CHECK(worst.difference <=
        4 * kTolerance);  // sums of 512 terms where the tolerance is for 33: roundings add like a root
}

TEST_CASE("causal, padding and batch are what the same masks written out are") {
  Random random(73);
  Worst worst;
  int kept_out = 0;
  for (int round = 0; round < 40; ++round) {
    const int batch = random.whole(1, 3), n_q = random.whole(1, 20), n_k = random.whole(1, 30);
    const int first_query = random.whole(0, 12);
    const bool causal = random.coin(), per_sequence = random.coin(), masked = random.coin();
    const Extras extras{.cross = true, .biases = true};
    const Config config{n_q, n_k, 12, 2, 6, 5, {}};
    std::vector<Case<float>> cases;
    Matrix<float> X(batch * n_q, 12), X_kv(batch * n_k, 12);
    MayAttend masks((per_sequence ? batch : 1) * n_q, n_k);
    std::vector<int> lengths;
    for (int i = 0; i < batch; ++i) {
      cases.push_back(tame_case(config, extras, random.bits()));
      cases.back().weights = cases[0].weights;
      X.middleRows(i * n_q, n_q) = cases.back().input.X;
      X_kv.middleRows(i * n_k, n_k) = cases.back().input.X_kv;
      lengths.push_back(random.whole(0, n_k));
      if (i == 0 || per_sequence) masks.middleRows(i * n_q, n_q) = random.mask(n_q, n_k);
    }
    Layer layer(config);
    REQUIRE(layer.set_weights(Flat(cases[0].weights).weights()).empty());
    LayerInput input;
    input.X = X.data();
    input.X_kv = X_kv.data();
    input.batch = batch;
    input.n_q = n_q;
    input.n_k = n_k;
    if (masked) input.may_attend = masks.data();
    input.mask_per_sequence = per_sequence;
    input.key_lengths = lengths.data();
    input.causal = causal;
    input.first_query = first_query;
    input.weights = true;
    const Result found = run(layer, input);
    for (int i = 0; i < batch; ++i) {
      MayAttend mask = MayAttend::Ones(n_q, n_k);
      if (masked) mask = masks.middleRows((per_sequence ? i : 0) * n_q, n_q);
      mask = attention::both(mask, attention::padding_mask(n_q, n_k, lengths[static_cast<std::size_t>(i)]));
      if (causal) mask = attention::both(mask, attention::causal_mask(n_q, n_k, first_query));
      cases[static_cast<std::size_t>(i)].input.may_attend = mask;
      const Trace<double> wanted = reference(cases[static_cast<std::size_t>(i)]);
      worst.compare("output", Matrix<float>(found.output.middleRows(i * n_q, n_q)), wanted.output);
      for (int h = 0; h < 2; ++h) {
        const Matrix<float>& weights = found.weights[static_cast<std::size_t>(i * 2 + h)];
        worst.compare("weights", weights, wanted.heads[static_cast<std::size_t>(h)].pattern);
        for (Eigen::Index cell = 0; cell < mask.size(); ++cell) {
          if (mask.data()[cell] == 0) {
            CHECK(weights.data()[cell] == 0);  // exactly
            ++kept_out;
          }
        }
      }
    }
  }
  CHECK(kept_out > 1000);
  CHECK(worst.difference <= kTolerance);
}

TEST_CASE("the fast layer: fully masked queries give the output's bias alone, for any reason of being masked") {
  Plain plain(9, 12, 2, 74);
  MayAttend none = MayAttend::Ones(9, 9);
  none.row(4).setZero();
  Matrix<float> minus = Matrix<float>::Zero(9, 9);
  minus.row(4).setConstant(-kInfinity);
  plain.input.may_attend = none.data();
  const Result by_mask = run(plain.layer, plain.input);
  plain.input.may_attend = nullptr;
  plain.input.additive_mask = minus.data();
  const Result by_number = run(plain.layer, plain.input);
  plain.input.additive_mask = nullptr;
  const int nobody[] = {0};
  plain.input.key_lengths = nobody;
  const Result by_length = run(plain.layer, plain.input);
  CHECK((by_mask.output.row(4).array() == 0).all());
  CHECK((by_mask.weights[1].row(4).array() == 0).all());
  CHECK(same_bits(by_mask.output, by_number.output));
  CHECK((by_length.output.array() == 0).all());
  CHECK(by_mask.output.row(3).norm() > 0);
}

TEST_CASE("the fast layer takes softmax's limits where scores overflow, and a NaN stays in its row") {
  // X = 1 column; scores are X W_Q (X W_K)^T.
  const auto weights_of = [](const Matrix<float>& X, float factor) {
    Layer layer(Config{0, 0, 1, 1, 1, 1, {}});
    const float one = 1, times = factor;
    REQUIRE(layer.set_weights({&times, &one, &one, &one, nullptr, nullptr, nullptr, nullptr}).empty());
    LayerInput input;
    input.X = X.data();
    input.n_q = input.n_k = static_cast<int>(X.rows());
    input.weights = true;
    return run(layer, input);
  };
  Matrix<float> X(3, 1);
  X << 1, 2, 1e20f;
  const Result huge = weights_of(X, 1e30f);                  // the third query's scores: 1e50 is +infinity at every key
  CHECK(huge.weights[0](0, 2) == doctest::Approx(1));        // 1e50 beside 1e30 and 2e30
  CHECK(huge.weights[0](2, 0) == doctest::Approx(1.0 / 3));  // all three are +infinity: they share
  const Result negative = weights_of(X, -1e30f);
  CHECK(negative.weights[0](2, 1) == doctest::Approx(1.0 / 3));  // all three are -infinity, and nobody masked them
  CHECK(negative.weights[0](0, 2) == 0);
  X << 1, std::numeric_limits<float>::quiet_NaN(), 2;
  const Result broken = weights_of(X, 1);
  CHECK(std::isnan(broken.weights[0](0, 0)));
  CHECK(std::isnan(broken.output(1, 0)));
}

TEST_CASE("the fast layer: large finite scores and subnormal numbers") {
  Plain plain(8, 8, 1, 75);
  Matrix<float> X = plain.it.input.X * 100.0f;  // scores of order 1e4: one key takes all
  plain.input.X = X.data();
  const Result sharp = run(plain.layer, plain.input);
  for (int query = 0; query < 8; ++query) {
    CHECK(sharp.weights[0].row(query).sum() == doctest::Approx(1));
    CHECK(std::isfinite(sharp.output(query, 0)));
  }
  X = plain.it.input.X * 1e-39f;
  const Result faint = run(plain.layer, plain.input);
  CHECK(faint.weights[0](3, 3) == doctest::Approx(1.0 / 8));
  CHECK(faint.output.array().isFinite().all());
}

TEST_CASE("keys may be the first of the very tokens that ask, or go on beyond them") {
  Random random(80);
  const Matrix<float> tokens = random.matrix<float>(40, 12);
  Worst worst;
  for (const auto& [n_q, n_k] : {std::pair{16, 3}, std::pair{3, 16}, std::pair{40, 8}, std::pair{9, 12}}) {
    Case<float> it = tame_case({n_q, n_k, 12, 2, 6, 6, {}}, {.cross = true}, random.bits());
    it.input.X = tokens.topRows(n_q);
    it.input.X_kv = tokens.topRows(n_k);
    Layer layer(it.config);
    REQUIRE(layer.set_weights(Flat(it.weights).weights()).empty());
    LayerInput input = input_of(it, {1, 1});
    const float gates[] = {1, 1};
    input.gates = gates;
    input.X = input.X_kv = tokens.data();  // one address for both
    compare(worst, name_of(it.config), run(layer, input), reference(it));
  }
  CHECK(worst.difference <= kTolerance);
}

TEST_CASE("asking for the weights changes no bit of the output, and a run repeats itself") {
  Plain plain(21, 48, 4, 76);
  const Result with = run(plain.layer, plain.input);
  plain.input.weights = false;
  const Result without = run(plain.layer, plain.input);
  CHECK(same_bits(with.output, without.output));
  CHECK(same_bits(run(plain.layer, plain.input).output, without.output));
}

TEST_CASE("after the first run of a size the layer holds no more memory, and its results stay where they are") {
  Plain plain(33, 48, 4, 77);
  LayerOutput first, later;
  REQUIRE(plain.layer.run(plain.input, first).empty());
  const std::size_t held = plain.layer.memory_bytes();
  for (const int n : {33, 7, 1, 33}) {
    plain.input.n_q = plain.input.n_k = n;
    REQUIRE(plain.layer.run(plain.input, later).empty());
    CHECK(plain.layer.memory_bytes() == held);
    CHECK(later.output == first.output);
  }
}

TEST_CASE("output-only memory grows with n, not with n squared") {
  const auto held = [](int n) {
    Plain plain(n, 16, 4, 78);
    plain.input.weights = false;
    LayerOutput output;
    REQUIRE(plain.layer.run(plain.input, output).empty());
    return static_cast<double>(plain.layer.memory_bytes());
  };
  CHECK(held(2048) < 2.5 * held(1024));
  CHECK(held(2048) < 2048.0 * 2048 * sizeof(float) / 8);  // one head's matrix would be 16 MB
}

TEST_CASE("without relaxed SIMD the fast layer gives the same bits in every build") {
  Case<float> it = tame_case({21, 21, 24, 3, 7, 10, {}}, {.biases = true, .mask = true}, 79);
  const Result result = run(it);
  std::uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a, as hash_of
  const auto add = [&](const Matrix<float>& matrix) {
    for (Eigen::Index i = 0; i < matrix.size(); ++i) {
      std::uint32_t bits = std::bit_cast<std::uint32_t>(matrix.data()[i]);
      for (int byte = 0; byte < 4; ++byte, bits >>= 8) hash = (hash ^ (bits & 0xffu)) * 0x100000001b3u;
    }
  };
  add(result.output);
  for (const Matrix<float>& weights : result.weights) add(weights);
  if (attention::kernel_name() == "wasm relaxed simd") return;  // multiply and add are fused there, if the machine can
  CHECK(hash == 0xaacf9ea1dea608f2u);
}

TEST_CASE("a run with problems names them all and writes nothing") {
  Layer layer(Config{0, 0, 6, 3, 2, 2, {}});
  LayerInput input;
  LayerOutput output;
  const auto text = [&] {
    std::string all;
    for (const auto& problem : layer.run(input, output)) all += to_sentence(problem) + "\n";
    return all;
  };
  input.n_q = 2;
  input.n_k = 3;
  input.first_query = -1;
  CHECK(text() ==
        "weights: found none, wanted set_weights before the first run\n"
        "X: found nothing, wanted batch x n_q x d_model numbers\n"
        "n_k: found 3, wanted 2 (n_q: without X_kv the keys come from X)\n"
        "first_query: found -1, wanted 0 or more\n");
  CHECK(output.output == nullptr);

  const std::vector<float> zeros(36, 0.0f);
  const auto problems =
      layer.set_weights({zeros.data(), nullptr, zeros.data(), nullptr, nullptr, nullptr, nullptr, nullptr});
  REQUIRE(problems.size() == 2);
  CHECK(to_sentence(problems[0]) == "W_K: found nothing, wanted a matrix");

  REQUIRE(
      layer.set_weights({zeros.data(), zeros.data(), zeros.data(), zeros.data(), nullptr, nullptr, nullptr, nullptr})
          .empty());
  const std::vector<float> X(12, 1.0f);
  const int lengths[] = {3};
  input = {};
  input.X = X.data();
  input.n_q = input.n_k = 2;
  input.key_lengths = lengths;
  CHECK(text() == "key_lengths: found 3 for sequence 1, wanted 0 to 2 (n_k)\n");
}

TEST_CASE("the layer's power of two is within 2e-7 of exp2, 1 at 0 and exactly 0 far below") {
  const attention::PowerOfTwo power_of_two;
  double worst = 0;
  for (int i = 0; i <= 100000; ++i) {
    const float x = -125.0f * static_cast<float>(i) / 100000;
    const double wanted = std::exp2(static_cast<double>(x));
    worst = std::fmax(worst, std::fabs(power_of_two(attention::splat(x))[0] - wanted) / wanted);
  }
  MESSAGE("worst: " << worst);
  CHECK(worst <= 2e-7);
  CHECK(power_of_two(attention::splat(0))[0] == 1);
  CHECK(power_of_two(attention::splat(-126.6f))[0] == 0);
  CHECK(power_of_two(attention::splat(-kInfinity))[0] == 0);
  CHECK(std::isnan(power_of_two(attention::splat(std::numeric_limits<float>::quiet_NaN()))[0]));
}

TEST_CASE("the layer's self-test passes") { CHECK(attention::layer_self_test()); }
