// Validation: everything that is wrong is said at once, with what was found and what was wanted.
#include "attention_support.hpp"

#include <algorithm>

using namespace attention_test;
using attention::Problem;

namespace {

std::vector<std::string> sentences(const std::vector<Problem>& problems) {
  std::vector<std::string> out;
  for (const Problem& problem : problems) out.push_back(attention::to_sentence(problem));
  return out;
}
template <class T>
std::vector<std::string> problems_of(const Case<T>& it) {
  return sentences(attention::validate(it.config, it.input, it.weights));
}
using Sentences = std::vector<std::string>;

const Config kConfig = {2, 3, 6, 3, 2, 4};

}  // namespace

TEST_CASE("a sound problem has no problems") {
  for (const bool biases : {false, true}) {
    CHECK(problems_of(random_case<double>(kConfig, {true, biases, true}, 1)).empty());
    CHECK(problems_of(random_case<float>({4, 4, 6, 3, 2, 4}, {false, biases, false}, 1)).empty());
  }
  CHECK(problems_of(random_case<double>({0, 0, 1, 1, 1, 1}, {false, true, true}, 1)).empty());
  CHECK(problems_of(random_case<double>({3, 0, 2, 1, 1, 1}, {true, false, true}, 1)).empty());
}

TEST_CASE("a wrong shape names the matrix, its head, and both shapes") {
  auto it = random_case<double>(kConfig, {true, true, true}, 2);
  it.weights.heads[1].W_K.resize(6, 3);
  it.weights.heads[1].W_K.setZero();
  CHECK(problems_of(it) == Sentences{"head 2 W_K: found 6 x 3, wanted 6 x 2 (d_model x d_k)"});
}

TEST_CASE("everything that is wrong is said at once") {
  auto it = random_case<double>(kConfig, {true, true, true}, 3);
  it.input.X = Matrix<double>::Zero(2, 5);
  it.input.X_kv = Matrix<double>::Zero(2, 6);
  it.input.may_attend = MayAttend::Ones(3, 2);
  it.weights.heads[0].b_Q = Matrix<double>::Zero(2, 1);
  it.weights.heads[2].W_V = Matrix<double>();
  it.weights.heads[2].b_V = Matrix<double>::Zero(1, 2);
  it.weights.W_O = Matrix<double>::Zero(6, 12);
  it.weights.b_O = Matrix<double>::Zero(1, 7);
  CHECK(problems_of(it) == Sentences{
                               "X: found 2 x 5, wanted 2 x 6 (n_q x d_model)",
                               "X_kv: found 2 x 6, wanted 3 x 6 (n_k x d_model), or none at all",
                               "may_attend: found 3 x 2, wanted 2 x 3 (n_q x n_k), or none at all",
                               "head 1 b_Q: found 2 x 1, wanted 1 x 2 (1 x d_k), or none at all",
                               "head 3 W_V: found 0 x 0, wanted 6 x 4 (d_model x d_v)",
                               "head 3 b_V: found 1 x 2, wanted 1 x 4 (1 x d_v), or none at all",
                               "W_O: found 6 x 12, wanted 12 x 6 (h*d_v x d_model)",
                               "b_O: found 1 x 7, wanted 1 x 6 (1 x d_model), or none at all",
                           });
}

TEST_CASE("the number of heads is checked") {
  auto it = random_case<double>(kConfig, {true, false, false}, 4);
  it.weights.heads.pop_back();
  CHECK(problems_of(it) == Sentences{"heads: found 2, wanted 3 (h)"});
}

TEST_CASE("without X_kv there are as many keys as queries") {
  auto it = random_case<double>(kConfig, {true, false, false}, 5);
  it.input.X_kv = Matrix<double>();
  CHECK(problems_of(it) == Sentences{"n_k: found 3, wanted 2 (n_q: without X_kv the keys come from X)"});
}

TEST_CASE("sizes below their least are all named") {
  CHECK(sentences(attention::validate(Config{-1, -2, 0, 0, -3, 0})) ==
        Sentences{"n_q: found -1, wanted 0 or more", "n_k: found -2, wanted 0 or more",
                  "d_model: found 0, wanted 1 or more", "h: found 0, wanted 1 or more",
                  "d_k: found -3, wanted 1 or more", "d_v: found 0, wanted 1 or more"});
  auto it = random_case<double>(kConfig, {true, false, false}, 6);
  it.config.h = 0;
  CHECK(problems_of(it) == Sentences{"h: found 0, wanted 1 or more"});
}

TEST_CASE("sizes whose matrices could not be indexed are refused, without overflow on the way") {
  const auto found = sentences(attention::validate(Config{100000, 100000, 64, 1, 64, 64}));
  REQUIRE(found.size() == 4);
  CHECK(found[0] == "scores: found 1 heads of 100000 x 100000, wanted at most 2147483647 numbers");
  const int most = std::numeric_limits<int>::max();
  CHECK(attention::validate(Config{most, most, most, most, most, most}).size() == 1);  // h * d_v alone is too large
  CHECK(attention::validate(Config{most, most, most, 1, most, most}).size() >= 10);
  CHECK(attention::validate(Config{1, 1, most, 1, 1, 1}).empty());
  CHECK(attention::validate(Config{1, 1, most, 2, 1, 1}).size() == 4);  // W_Q, W_K, W_V of two heads, and W_O
}

TEST_CASE("numbers that are not finite are named with their cell") {
  auto it = random_case<double>(kConfig, {true, true, false}, 7);
  it.input.X(1, 2) = std::numeric_limits<double>::quiet_NaN();
  it.weights.heads[2].b_V(0, 3) = -std::numeric_limits<double>::infinity();
  it.weights.W_O(11, 5) = std::numeric_limits<double>::infinity();
  CHECK(problems_of(it) == Sentences{"X[2, 3]: found nan, wanted a finite number",
                                     "head 3 b_V[1, 4]: found -inf, wanted a finite number",
                                     "W_O[12, 6]: found inf, wanted a finite number"});
}

TEST_CASE("a matrix full of them names the first and counts the rest") {
  auto it = random_case<float>(kConfig, {true, false, false}, 8);
  it.input.X.setConstant(std::numeric_limits<float>::infinity());
  const Sentences found = problems_of(it);
  REQUIRE(found.size() == attention::kNamedCells + 1);
  CHECK(found.back() == "X: found 4 more such cells, wanted a finite number in each");
}

TEST_CASE("a mask holds 0 and 1 only") {
  auto it = random_case<double>(kConfig, {true, false, true}, 9);
  it.input.may_attend(1, 2) = 255;
  CHECK(problems_of(it) == Sentences{"may_attend[2, 3]: found 255, wanted 0 (masked) or 1 (may attend)"});
}

TEST_CASE("an additive mask holds finite numbers and -infinity, and has the shape of the scores") {
  auto it = random_case<double>(kConfig, {true, false, true, true}, 9);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  it.input.additive_mask << 0, -kInfinity, 1e308, -1e308, -kInfinity, 5e-324;
  CHECK(problems_of(it).empty());
  it.input.additive_mask(0, 1) = kInfinity;
  it.input.additive_mask(1, 2) = std::numeric_limits<double>::quiet_NaN();
  CHECK(problems_of(it) == Sentences{"additive_mask[1, 2]: found inf, wanted a finite number, or -inf (masked)",
                                     "additive_mask[2, 3]: found nan, wanted a finite number, or -inf (masked)"});
  it.input.additive_mask = Matrix<double>::Zero(3, 2);
  CHECK(problems_of(it) == Sentences{"additive_mask: found 3 x 2, wanted 2 x 3 (n_q x n_k), or none at all"});
}

TEST_CASE("-infinity is for the additive mask only") {
  auto it = random_case<double>(kConfig, {true, true}, 9);
  it.weights.heads[1].b_V(0, 3) = -std::numeric_limits<double>::infinity();
  CHECK(problems_of(it) == Sentences{"head 2 b_V[1, 4]: found -inf, wanted a finite number"});
}

TEST_CASE_TEMPLATE("a gate is a number from 0 to 1", T, float, double) {
  auto it = random_case<T>(kConfig, {true}, 10);
  it.weights.heads[0].gate = 0;
  it.weights.heads[1].gate = T(0.5);
  it.weights.heads[2].gate = 1;
  CHECK(problems_of(it).empty());
  it.weights.heads[0].gate = T(-0.25);
  it.weights.heads[1].gate = std::numeric_limits<T>::quiet_NaN();
  it.weights.heads[2].gate = 1 + T(0x1p-20);
  CHECK(problems_of(it) == Sentences{"head 1 gate: found -0.25, wanted a number from 0 to 1",
                                     "head 2 gate: found nan, wanted a number from 0 to 1",
                                     "head 3 gate: found 1.0000009536743164, wanted a number from 0 to 1"});
}

TEST_CASE("a scale is finite, in the numbers that compute with it") {
  auto it = random_case<double>(kConfig, {true}, 11);
  auto in_float = random_case<float>(kConfig, {true}, 11);
  for (const double fine : {0.0, -3.5, 1e-300, 3e38}) {
    it.config.scale = in_float.config.scale = fine;
    CHECK(problems_of(it).empty());
    CHECK(problems_of(in_float).empty());
  }
  it.config.scale = in_float.config.scale = 1e300;
  CHECK(problems_of(it).empty());
  CHECK(problems_of(in_float) == Sentences{"scale: found 1e+300, wanted a number that a float can hold"});
  it.config.scale = -std::numeric_limits<double>::infinity();
  CHECK(problems_of(it) == Sentences{"scale: found -inf, wanted a finite number"});
  it.config.scale = in_float.config.scale = std::numeric_limits<double>::quiet_NaN();
  CHECK(problems_of(it) == Sentences{"scale: found nan, wanted a finite number"});
  CHECK(problems_of(in_float) == Sentences{"scale: found nan, wanted a finite number"});
  it.input.X.resize(2, 5);  // and a wrong size is still seen
  it.input.X.setZero();
  CHECK(problems_of(it).size() == 2);
}

TEST_CASE("a split that isn't whole names both numbers and the valid choices") {
  CHECK(attention::validate_split(512, 8).empty());
  CHECK(attention::validate_split(6, 6).empty());
  CHECK(
      sentences(attention::validate_split(512, 12)) ==
      Sentences{"d_k: found 512 with h = 12: 42.67 is not whole, wanted a whole d_model / h; h may be 1, 2, 4, 8, 16, "
                "32, 64, 128, 256 or 512"});
  CHECK(sentences(attention::validate_split(7, 2)) ==
        Sentences{"d_k: found 7 with h = 2: 3.50 is not whole, wanted a whole d_model / h; h may be 1 or 7"});
  CHECK(sentences(attention::validate_split(1, 2)) ==
        Sentences{"d_k: found 1 with h = 2: 0.50 is not whole, wanted a whole d_model / h; h may be 1"});
  const std::string many = attention::to_sentence(attention::validate_split(1000000, 999999).at(0));
  CHECK(many.find("1.000001 is not whole") != std::string::npos);  // 1.00 would look whole
  CHECK(many.ends_with("100, 125, …"));
}

TEST_CASE("a split of nothing, or into nothing, is refused") {
  CHECK(sentences(attention::validate_split(0, -4)) ==
        Sentences{"d_model: found 0, wanted 1 or more", "h: found -4, wanted 1 or more"});
  CHECK(attention::validate_split(std::numeric_limits<int>::max(), 2).size() == 1);
}
