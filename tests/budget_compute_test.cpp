// Operations and memory: against a forward pass that only counts, and against cases counted by hand.
#include "budget_support.hpp"

#include <cmath>

using namespace budget_test;
using Part = Work::Part;

namespace {

const Work& part_of(const Compute& compute, Part part) { return compute.parts[static_cast<std::size_t>(part)]; }

/// A plain forward pass that does nothing but count: one for a multiplication, one for an addition, and the numbers
/// that it writes.
struct Counter {
  double operations = 0, written = 0;

  /// (rows, inner) times (inner, cols): each number of the result is a sum that starts at 0 or at the bias.
  void product(Whole rows, Whole inner, Whole cols) {
    for (Whole row = 0; row < rows; ++row)
      for (Whole col = 0; col < cols; ++col) {
        for (Whole i = 0; i < inner; ++i) operations += 1 + 1;
        written += 1;
      }
  }
  void softmax(Whole rows, Whole cols) {
    for (Whole row = 0; row < rows; ++row)
      for (Whole col = 0; col < cols; ++col) {
        operations += 1;  // times 1 / sqrt(d_k)
        operations += 1;  // minus the row's largest
        operations += 1;  // exponential
        operations += 1;  // added up
        operations += 1;  // divided by the sum
        written += 1;
      }
  }
};

struct Counted {
  Counter of[6];
};

Counted count_forward(const Sizes& it) {
  Counted counted;
  const auto at = [&](Part part) -> Counter& { return counted.of[static_cast<int>(part)]; };
  for (Whole sequence = 0; sequence < it.batch; ++sequence) {
    for (Whole head = 0; head < it.h; ++head) at(Part::project).product(it.n, it.d_model, it.d_k);
    for (Whole head = 0; head < it.h_kv; ++head) at(Part::project).product(it.n, it.d_model, it.d_k);
    for (Whole head = 0; head < it.h_kv; ++head) at(Part::project).product(it.n, it.d_model, it.d_v);
    for (Whole head = 0; head < it.h; ++head) {
      at(Part::scores).product(it.n, it.d_k, it.n);
      at(Part::softmax).softmax(it.n, it.n);
      at(Part::weigh).product(it.n, it.n, it.d_v);
    }
    at(Part::output).product(it.n, it.h * it.d_v, it.d_model);
    for (int i = 0; i < (it.gated ? 2 : 1); ++i) at(Part::feed_forward).product(it.n, it.d_model, it.d_ff);
    at(Part::feed_forward).product(it.n, it.d_ff, it.d_model);
  }
  return counted;
}

}  // namespace

TEST_CASE("budget: operations and numbers are those that a naive forward counts") {
  std::vector<Sizes> cases = {sizes_of("lesson")};
  Random random(3);
  while (cases.size() < 60) {
    Sizes it;
    it.keep = false, it.biases = random.coin(), it.gated = random.coin();
    it.d_model = random.whole(1, 9), it.d_k = random.whole(1, 5), it.d_v = random.whole(1, 5);
    it.h_kv = random.whole(1, 3), it.h = it.h_kv * random.whole(1, 3);
    it.d_ff = random.whole(1, 12), it.n = random.whole(1, 7), it.batch = random.whole(1, 3);
    REQUIRE(validate(it).empty());
    cases.push_back(it);
  }
  for (const Sizes& it : cases) {
    const Counted counted = count_forward(it);
    const Compute made = compute(it);
    REQUIRE(made.parts.size() == 6);
    double linear = 0, square = 0;
    for (int i = 0; i < 6; ++i) {
      const Work& work = made.parts[static_cast<std::size_t>(i)];
      CHECK(work.part == static_cast<Part>(i));
      CHECK(work.operations == counted.of[i].operations);
      CHECK(work.numbers == counted.of[i].written);
      if (i == static_cast<int>(Part::feed_forward)) continue;
      (work.square ? square : linear) += counted.of[i].operations;
    }
    CHECK(made.linear == linear);
    CHECK(made.square == square);
    CHECK(made.attention == linear + square);
  }
}

TEST_CASE("budget: what is called square grows four times with twice the tokens, the rest twice") {
  for (const Preset& preset : presets()) {
    Sizes twice = preset.sizes;
    twice.n *= 2;
    const Compute one = compute(preset.sizes), two = compute(twice);
    for (std::size_t i = 0; i < one.parts.size(); ++i)
      CHECK(two.parts[i].operations == (one.parts[i].square ? 4 : 2) * one.parts[i].operations);
    CHECK(two.overtakes_at == doctest::Approx(one.overtakes_at).epsilon(1e-12));
  }
}

TEST_CASE("budget: below the crossing the projections cost more, above it the pairs of tokens") {
  Random random(4);
  for (int i = 0; i < 200; ++i) {
    Sizes sizes = random_sizes(random);
    const Compute it = compute(sizes);
    CHECK(it.overtakes_layer_at > it.overtakes_at);
    if (it.overtakes_at >= 2 && it.overtakes_at < 1e6) {
      sizes.n = static_cast<Whole>(std::ceil(it.overtakes_at)) - 1;
      CHECK(compute(sizes).square < compute(sizes).linear);
      sizes.n = static_cast<Whole>(std::floor(it.overtakes_at)) + 1;
      CHECK(compute(sizes).square > compute(sizes).linear);
    }
    if (it.overtakes_layer_at >= 2 && it.overtakes_layer_at < 1e6) {
      const auto layer = [&] { return compute(sizes).linear + part_of(compute(sizes), Part::feed_forward).operations; };
      sizes.n = static_cast<Whole>(std::ceil(it.overtakes_layer_at)) - 1;
      CHECK(compute(sizes).square < layer());
      sizes.n = static_cast<Whole>(std::floor(it.overtakes_layer_at)) + 1;
      CHECK(compute(sizes).square > layer());
    }
  }
  // 8 d_model^2 n = h (4 d_k + 5) n^2
  CHECK(compute(Sizes{}).overtakes_at == doctest::Approx(8.0 * 512 * 512 / (8 * (4 * 64 + 5))));
}

TEST_CASE("budget: attention weights and cache of a small case, counted by hand") {
  // Two sequences of three tokens; four heads that share two key/value heads, keys 5 wide, values 6; seven layers.
  Sizes it;
  it.keep = false, it.d_model = 10, it.h = 4, it.h_kv = 2, it.d_k = 5, it.d_v = 6;
  it.layers = 7, it.cross_layers = 0, it.n = 3, it.batch = 2;
  REQUIRE(validate(it).empty());
  Compute made = compute(it);
  CHECK(made.weights == 72);         // 2 sequences · 4 heads · 9 pairs
  CHECK(made.all_weights == 504);    // 7 layers
  CHECK(made.cache_a_token == 154);  // 7 layers · (10 numbers of keys + 12 of values)
  CHECK(made.cache == 924);          // six tokens
  // With three decoder layers besides: 7 + 2 · 3 attentions, and only the decoder writes.
  it.cross_layers = 3;
  made = compute(it);
  CHECK(made.all_weights == 72 * 13);
  CHECK(made.cache_a_token == 66);
}

TEST_CASE("budget: sharing keys and values makes the cache that much smaller, and not the weights") {
  const Sizes shared = sizes_of("llama2_70b");
  Sizes own = shared;
  own.h_kv = own.h;
  CHECK(compute(own).cache == 8 * compute(shared).cache);
  CHECK(compute(own).weights == compute(shared).weights);
  CHECK(compute(shared).cache_a_token == 80 * 8 * 256);
}
