// How many numbers a layer is made of: the lesson's counts, and those of real weights.
#include "attention_support.hpp"

#include "attention/analysis.hpp"

using namespace attention_test;
using attention::count_feed_forward_parameters;
using attention::count_parameters;
using attention::Dimensions;
using attention::ParameterCount;

namespace {

/// d_k = d_v = d_model / h, as many key/value heads as heads.
Dimensions split(std::int64_t d_model, std::int64_t h, bool biases = false) {
  return {d_model, h, h, d_model / h, d_model / h, biases};
}

std::int64_t sum_of(const ParameterCount& count) {
  return count.W_Q + count.W_K + count.W_V + count.W_O + count.biases;
}

/// What the matrices hold, added up one by one.
ParameterCount sizes_of(const Weights<double>& weights) {
  ParameterCount count;
  for (const HeadWeights<double>& head : weights.heads) {
    count.W_Q += head.W_Q.size();
    count.W_K += head.W_K.size();
    count.W_V += head.W_V.size();
    count.biases += head.b_Q.size() + head.b_K.size() + head.b_V.size();
  }
  count.W_O = weights.W_O.size();
  count.biases += weights.b_O.size();
  count.total = sum_of(count);
  return count;
}

void check_same(const ParameterCount& found, const ParameterCount& wanted) {
  CHECK(found.W_Q == wanted.W_Q);
  CHECK(found.W_K == wanted.W_K);
  CHECK(found.W_V == wanted.W_V);
  CHECK(found.W_O == wanted.W_O);
  CHECK(found.biases == wanted.biases);
  CHECK(found.total == wanted.total);
}

}  // namespace

TEST_CASE("the worked example (6, 3, 2) has 144 weights, 168 numbers with biases") {
  CHECK(count_parameters(split(6, 3)).total == 144);
  CHECK(count_parameters(split(6, 3, true)).total == 168);
  const auto it = case_from<double>(read_json(std::string(HEADSCOPE_TEST_DATA) + "/worked-example.json"));
  check_same(count_parameters(it.config, false), sizes_of(it.weights));
}

TEST_CASE("d_model 1024 in 16 heads: 196,608 for each head's Q, K and V, 4,194,304 in all") {
  const ParameterCount count = count_parameters(split(1024, 16));
  CHECK((count.W_Q + count.W_K + count.W_V) / 16 == 196'608);
  CHECK(count.W_Q + count.W_K + count.W_V == 3'145'728);
  CHECK(count.W_O == 1'048'576);
  CHECK(count.biases == 0);
  CHECK(count.total == 4'194'304);
}

TEST_CASE(
    "GPT-3, 12288 in 96 heads of 128: 603,979,776 for each layer, 57,982,058,496 in 96 layers, a third of it all") {
  const Dimensions gpt_3 = split(12288, 96);
  CHECK(gpt_3.d_k == 128);
  const std::int64_t layer = count_parameters(gpt_3).total;
  CHECK(layer == 603'979'776);
  CHECK(96 * layer == 57'982'058'496);
  CHECK(static_cast<double>(96 * layer) / 175e9 == doctest::Approx(0.33).epsilon(0.005));
}

TEST_CASE("d_model 512 with biases, as in torch: 1,050,624; in 16 heads each is 32 wide") {
  CHECK(count_parameters(split(512, 8, true)).total == 1'050'624);
  CHECK(split(512, 16).d_k == 32);
  CHECK(count_parameters(split(512, 16, true)).total == 1'050'624);
}

TEST_CASE("split heads cost 4 d_model^2 for every h, 4 d_model more with biases; W_O is the fourth part") {
  for (const std::int64_t d_model : {12, 48, 512, 768, 12288}) {
    for (std::int64_t h = 1; h <= d_model; ++h) {
      if (d_model % h != 0) continue;
      const ParameterCount count = count_parameters(split(d_model, h, true));
      CHECK(count.W_Q + count.W_K + count.W_V == 3 * d_model * d_model);
      CHECK(count.W_O == d_model * d_model);
      CHECK(count.biases == 4 * d_model);
      CHECK(count.total == 4 * d_model * d_model + 4 * d_model);
    }
  }
}

TEST_CASE("one head of full width: 3 d_model^2 without W_O, which adds a third; with it no more than split heads") {
  const ParameterCount one = count_parameters(split(512, 1)), eight = count_parameters(split(512, 8));
  CHECK(one.W_Q + one.W_K + one.W_V == 786'432);
  CHECK(3 * one.W_O == one.W_Q + one.W_K + one.W_V);
  check_same(one, eight);
}

TEST_CASE("the lesson's 3 h d_model d_k for Q, K and V holds only where d_v = d_k") {
  const ParameterCount same = count_parameters({10, 3, 3, 4, 4, false}),
                       wider = count_parameters({10, 3, 3, 4, 7, false});
  CHECK(same.W_Q + same.W_K + same.W_V == 3 * 3 * 10 * 4);
  CHECK(wider.W_Q + wider.W_K + wider.W_V == 3 * 10 * (2 * 4 + 7));
  CHECK(wider.W_O == 3 * 7 * 10);
}

TEST_CASE("the feed-forward layer four times as wide: 8 d_model^2, and d_ff + d_model biases") {
  struct Wanted {
    std::int64_t d_model, d_ff;
  };
  for (const auto& [d_model, d_ff] : {Wanted{512, 2048}, {768, 3072}, {1024, 4096}, {12288, 49152}}) {
    CHECK(d_ff == 4 * d_model);
    CHECK(count_feed_forward_parameters(d_model, d_ff, false) == 8 * d_model * d_model);
    CHECK(count_feed_forward_parameters(d_model, d_ff, true) == 8 * d_model * d_model + 5 * d_model);
    CHECK(count_feed_forward_parameters(d_model, d_ff, false) == 2 * count_parameters(split(d_model, 1)).total);
  }
  CHECK(count_feed_forward_parameters(512, 2048, false) == 2'097'152);
  CHECK(count_feed_forward_parameters(512, 2048, true) == 2'099'712);
  CHECK(count_feed_forward_parameters(3, 5, true) == 2 * 3 * 5 + 5 + 3);
}

TEST_CASE("grouped-query attention: 64 heads of 128 over 8 key/value heads, as wide as 8192; multi-query: over one") {
  const ParameterCount grouped = count_parameters({8192, 64, 8, 128, 128, false});
  CHECK(grouped.W_Q == 67'108'864);
  CHECK(grouped.W_K == 8'388'608);
  CHECK(grouped.W_V == 8'388'608);
  CHECK(grouped.W_O == 67'108'864);
  CHECK(grouped.total == 150'994'944);
  const ParameterCount multi_query = count_parameters({8192, 64, 1, 128, 128, false});
  CHECK(multi_query.W_K == 8192 * 128);
  CHECK(multi_query.W_Q == grouped.W_Q);
  CHECK(multi_query.total == 2 * 67'108'864 + 2 * 1'048'576);
  // h d_k + h_kv d_k + h_kv d_v + d_model
  CHECK(count_parameters({10, 6, 2, 4, 5, true}).biases == 6 * 4 + 2 * 4 + 2 * 5 + 10);
}

TEST_CASE("counts are the sizes of real weights, for any configuration") {
  Random random(8);
  for (int round = 0; round < 60; ++round) {
    Extras extras;
    extras.biases = random.coin();
    const Config config = {2, 2, random.whole(1, 9), random.whole(1, 6), random.whole(1, 7), random.whole(1, 7)};
    const auto it = random_case<double>(config, extras, static_cast<std::uint64_t>(round));
    check_same(count_parameters(config, extras.biases), sizes_of(it.weights));
  }
}

TEST_CASE("of grouped heads, W_K, W_V and their biases count once for each group") {
  Random random(9);
  for (int round = 0; round < 60; ++round) {
    const bool biases = random.coin();
    const std::int64_t h_kv = random.whole(1, 5), h = h_kv * random.whole(1, 4);
    const std::int64_t d_model = random.whole(1, 9), d_k = random.whole(1, 7), d_v = random.whole(1, 7);
    const ParameterCount count = count_parameters({d_model, h, h_kv, d_k, d_v, biases});
    const ParameterCount full = count_parameters({d_model, h, h, d_k, d_v, biases});
    CHECK(count.W_Q == full.W_Q);
    CHECK(count.W_K * (h / h_kv) == full.W_K);
    CHECK(count.W_V * (h / h_kv) == full.W_V);
    CHECK(count.W_O == full.W_O);
    CHECK(full.biases - count.biases == (biases ? (h - h_kv) * (d_k + d_v) : 0));
    CHECK(count.total == sum_of(count));
  }
}
