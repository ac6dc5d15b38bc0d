// Provenance: what an explanation names, and that carrying it out gives the number to the bit.
#include "attention_support.hpp"

#include <set>

using namespace attention_test;
using attention::Cell;
using attention::Explanation;
using attention::Operation;
using attention::Tensor;

namespace {

/// Every cell of every matrix of a problem.
std::vector<Cell> all_cells(const Config& config) {
  std::vector<Cell> cells;
  for (int t = 0; t < attention::kTensorCount; ++t) {
    const Tensor tensor = static_cast<Tensor>(t);
    const attention::Shape shape = attention::shape_of(config, tensor);
    const bool per_head = attention::is_per_head(tensor);
    for (int head = per_head ? 0 : -1; head < (per_head ? config.h : 0); ++head) {
      for (int row = 0; row < shape.rows; ++row) {
        for (int col = 0; col < shape.cols; ++col) cells.push_back({tensor, head, row, col});
      }
    }
  }
  return cells;
}

std::string text_of(const Cell& cell) {
  return std::string(attention::name_of(cell.tensor)) + "." + std::to_string(cell.head + 1) + "." +
         std::to_string(cell.row + 1) + "." + std::to_string(cell.col + 1);
}

template <class T>
int cells_that_differ(const Case<T>& it) {
  const Trace<T> trace = forward(it);
  int different = 0;
  for (const Cell& cell : all_cells(it.config)) {
    REQUIRE(attention::exists(it.config, cell));
    const Explanation made = attention::explain(it.config, it.input, it.weights, cell);
    const T wanted = attention::value_of(it.input, it.weights, trace, cell);
    const T found = attention::evaluate(made, it.input, it.weights, trace);
    if (same_bits(found, wanted)) continue;
    if (++different == 1)
      MESSAGE("first: " << text_of(cell) << " is " << wanted << ", its explanation gives " << found);
  }
  return different;
}

}  // namespace

TEST_CASE_TEMPLATE("carrying out an explanation gives the number, to the bit, for every cell of random problems", T,
                   float, double) {
  Random random(21);
  for (int round = 0; round < 120; ++round) {
    const Extras extras = random.extras();
    const int n_q = random.whole(0, 6);
    const Config config = {n_q,
                           extras.cross ? random.whole(0, 6) : n_q,
                           random.whole(1, 7),
                           random.whole(1, 3),
                           random.whole(1, 5),
                           random.whole(1, 5)};
    CAPTURE(round);
    CHECK(cells_that_differ(random_case<T>(config, extras, random.bits())) == 0);
  }
}

TEST_CASE("explanations hold for fully masked rows and for scores that overflow") {
  auto it = random_case<double>({3, 3, 2, 2, 2, 2}, {false, true, true}, 22);
  it.input.may_attend.row(1).setZero();
  CHECK(cells_that_differ(it) == 0);
  it.input.X *= 1e160;
  CHECK(cells_that_differ(it) == 0);
  it.input.additive_mask = Matrix<double>::Zero(3, 3);
  it.input.additive_mask.col(0).setConstant(-std::numeric_limits<double>::infinity());
  it.config.scale = 1e100;
  it.weights.heads[0].gate = 0;
  CHECK(cells_that_differ(it) == 0);
}

TEST_CASE("a scale that is given is a factor, and then nothing is divided") {
  auto it = random_case<double>({2, 2, 3, 1, 4, 2}, {}, 29);
  const Cell cell = {Tensor::scaled, 0, 1, 0};
  CHECK_FALSE(attention::explain(it.config, it.input, it.weights, cell).factor);
  CHECK(attention::explain(it.config, it.input, it.weights, cell).divisor == 2);
  it.config.scale = 0.25;
  const Explanation made = attention::explain(it.config, it.input, it.weights, cell);
  CHECK(made.operation == Operation::scale);
  CHECK(made.factor == 0.25);
  CHECK(made.divisor == 1);
}

TEST_CASE("an additive mask is named as what is added, and closes where it is -infinity") {
  auto it = random_case<double>({2, 2, 3, 1, 2, 2}, {}, 30);
  it.input.additive_mask = Matrix<double>{{0.5, -std::numeric_limits<double>::infinity()}, {0, -2}};
  const auto explain = [&](int row, int col) {
    return attention::explain(it.config, it.input, it.weights, {Tensor::masked, 0, row, col});
  };
  CHECK(explain(0, 0).operation == Operation::mask);
  CHECK(explain(0, 0).operands == std::vector<Cell>{{Tensor::scaled, 0, 0, 0}});
  CHECK(explain(0, 0).bias == Cell{Tensor::additive_mask, -1, 0, 0});
  CHECK(explain(0, 0).allowed);
  CHECK_FALSE(explain(0, 1).allowed);
  CHECK(explain(1, 1).allowed);
  it.input.may_attend = causal(2);
  it.input.may_attend(1, 1) = 0;
  CHECK_FALSE(explain(1, 1).allowed);
  CHECK(cells_that_differ(it) == 0);
  it.input.additive_mask = {};
  CHECK_FALSE(explain(0, 0).bias);
}

TEST_CASE("a gate other than 1 is named where it multiplies") {
  auto it = random_case<double>({2, 2, 3, 2, 2, 2}, {}, 30);
  it.weights.heads[1].gate = 0.5;
  const auto explain = [&](int col) {
    return attention::explain(it.config, it.input, it.weights, {Tensor::concat, -1, 1, col});
  };
  CHECK(explain(1).operation == Operation::copy);
  CHECK(explain(1).operands == std::vector<Cell>{{Tensor::head, 0, 1, 1}});
  CHECK(explain(2).operation == Operation::gate);
  CHECK(explain(2).operands == std::vector<Cell>{{Tensor::head, 1, 1, 0}, {Tensor::gate, 1, 0, 0}});
  CHECK(attention::value_of(it.input, it.weights, forward(it), {Tensor::gate, 1, 0, 0}) == 0.5);
  CHECK(attention::value_of(it.input, it.weights, forward(it), {Tensor::gate, 0, 0, 0}) == 1);
}

TEST_CASE("a weight of the worked example: which numbers made it, in which order") {
  const auto it = case_from<double>(read_json(std::string(HEADSCOPE_TEST_DATA) + "/worked-example.json"));
  const auto explain = [&](const Cell& cell) { return attention::explain(it.config, it.input, it.weights, cell); };

  const Explanation score = explain({Tensor::scores, 0, 1, 0});
  CHECK(score.operation == Operation::dot);
  REQUIRE(score.products.size() == 2);
  CHECK(score.products[0] == attention::Product{{Tensor::Q, 0, 1, 0}, {Tensor::K, 0, 0, 0}});
  CHECK(score.products[1] == attention::Product{{Tensor::Q, 0, 1, 1}, {Tensor::K, 0, 0, 1}});
  CHECK_FALSE(score.bias);

  const Explanation scaled = explain({Tensor::scaled, 0, 1, 0});
  CHECK(scaled.operation == Operation::scale);
  CHECK(scaled.operands == std::vector<Cell>{{Tensor::scores, 0, 1, 0}});
  CHECK(scaled.divisor == std::sqrt(2.0));

  const Explanation weight = explain({Tensor::pattern, 0, 1, 0});
  CHECK(weight.operation == Operation::softmax);
  CHECK(weight.operands == std::vector<Cell>{{Tensor::masked, 0, 1, 0}, {Tensor::masked, 0, 1, 1}});
  CHECK(weight.own == 0);

  const Explanation concat = explain({Tensor::concat, -1, 1, 5});
  CHECK(concat.operation == Operation::copy);
  CHECK(concat.operands == std::vector<Cell>{{Tensor::head, 2, 1, 1}});

  const Explanation output = explain({Tensor::output, -1, 0, 3});
  REQUIRE(output.products.size() == 6);
  CHECK(output.products[4] == attention::Product{{Tensor::concat, -1, 0, 4}, {Tensor::W_O, -1, 4, 3}});

  CHECK(explain({Tensor::W_Q, 2, 0, 0}).operation == Operation::given);
  CHECK(attention::operands_of(explain({Tensor::W_Q, 2, 0, 0})).empty());
}

TEST_CASE("keys and values come from X in self-attention and from X_kv otherwise") {
  for (const bool cross : {false, true}) {
    const auto it = random_case<double>({2, 2, 3, 1, 2, 2}, {cross, false, false}, 23);
    for (const Tensor tensor : {Tensor::K, Tensor::V}) {
      const Explanation made = attention::explain(it.config, it.input, it.weights, {tensor, 0, 1, 0});
      CHECK(made.products[2].a == Cell{cross ? Tensor::X_kv : Tensor::X, -1, 1, 2});
    }
    const Explanation query = attention::explain(it.config, it.input, it.weights, {Tensor::Q, 0, 1, 0});
    CHECK(query.products[2].a == Cell{Tensor::X, -1, 1, 2});
  }
}

TEST_CASE("a bias is named only where there is one") {
  auto it = random_case<double>({2, 2, 3, 2, 2, 2}, {}, 24);
  it.weights.heads[1].b_K = Matrix<double>::Ones(1, 2);
  const auto bias_of = [&](const Cell& cell) { return attention::explain(it.config, it.input, it.weights, cell).bias; };
  CHECK(bias_of({Tensor::K, 1, 0, 1}) == Cell{Tensor::b_K, 1, 0, 1});
  CHECK_FALSE(bias_of({Tensor::K, 0, 0, 1}));
  CHECK_FALSE(bias_of({Tensor::output, -1, 0, 1}));
}

TEST_CASE("a masked score says so, and its weight is 0 by the same arithmetic") {
  auto it = random_case<double>({2, 2, 3, 1, 2, 2}, {}, 25);
  it.input.may_attend = causal(2);
  const Trace<double> trace = forward(it);
  const Explanation masked = attention::explain(it.config, it.input, it.weights, {Tensor::masked, 0, 0, 1});
  CHECK(masked.operation == Operation::mask);
  CHECK_FALSE(masked.allowed);
  const Explanation weight = attention::explain(it.config, it.input, it.weights, {Tensor::pattern, 0, 0, 1});
  CHECK(attention::evaluate(weight, it.input, it.weights, trace) == 0);
}

TEST_CASE("operands are named once each, exist, and are enough to make the number") {
  const auto it = random_case<double>({3, 4, 3, 2, 2, 3}, {true, true, true, true, true, true}, 26);
  for (const Cell& cell : all_cells(it.config)) {
    const Explanation made = attention::explain(it.config, it.input, it.weights, cell);
    const std::vector<Cell> operands = attention::operands_of(made);
    std::set<std::string> different;
    for (const Cell& operand : operands) {
      CHECK(attention::exists(it.config, operand));
      CHECK(attention::is_given(operand.tensor) + (operand.tensor < cell.tensor) > 0);  // never from further down
      different.insert(text_of(operand));
    }
    CHECK(different.size() == operands.size());
    CHECK(operands.size() == 2 * made.products.size() + made.operands.size() + (made.bias ? 1 : 0));
  }
}

TEST_CASE("what is absent reads as it counts: a bias and the additive mask as 0, X_kv as X") {
  const auto it = random_case<double>({2, 2, 3, 1, 2, 2}, {}, 27);
  const Trace<double> trace = forward(it);
  CHECK(attention::value_of(it.input, it.weights, trace, {Tensor::b_Q, 0, 0, 1}) == 0);
  CHECK(attention::value_of(it.input, it.weights, trace, {Tensor::additive_mask, -1, 1, 0}) == 0);
  CHECK(attention::value_of(it.input, it.weights, trace, {Tensor::X_kv, -1, 1, 2}) == it.input.X(1, 2));
}

TEST_CASE("names lead to tensors and back, and nothing else does") {
  std::set<std::string_view> names;
  for (int t = 0; t < attention::kTensorCount; ++t) {
    const Tensor tensor = static_cast<Tensor>(t);
    names.insert(attention::name_of(tensor));
    CHECK(attention::find_tensor(attention::name_of(tensor)) == tensor);
  }
  CHECK(names.size() == attention::kTensorCount);
  for (const char* wrong : {"", "x", "W_q", "Pattern", "pattern ", "W_Q.1"}) CHECK_FALSE(attention::find_tensor(wrong));
}

TEST_CASE("cells outside their matrix, or with the wrong kind of head, don't exist") {
  const Config config = {2, 3, 4, 2, 3, 5};
  CHECK(attention::exists(config, {Tensor::X, -1, 1, 3}));
  CHECK_FALSE(attention::exists(config, {Tensor::X, -1, 2, 0}));
  CHECK_FALSE(attention::exists(config, {Tensor::X, -1, 0, 4}));
  CHECK_FALSE(attention::exists(config, {Tensor::X, -1, -1, 0}));
  CHECK_FALSE(attention::exists(config, {Tensor::X, 0, 0, 0}));
  CHECK(attention::exists(config, {Tensor::pattern, 1, 1, 2}));
  CHECK_FALSE(attention::exists(config, {Tensor::pattern, -1, 1, 2}));
  CHECK_FALSE(attention::exists(config, {Tensor::pattern, 2, 1, 2}));
  CHECK_FALSE(attention::exists(config, {Tensor::pattern, 1, 2, 1}));
  CHECK(attention::exists(config, {Tensor::concat, -1, 0, 9}));
  CHECK(attention::exists(config, {Tensor::gate, 1, 0, 0}));
  CHECK_FALSE(attention::exists(config, {Tensor::gate, 1, 0, 1}));
  CHECK_FALSE(attention::exists(config, {Tensor::gate, -1, 0, 0}));
  CHECK(attention::exists(config, {Tensor::additive_mask, -1, 1, 2}));
  CHECK_FALSE(attention::exists(config, {Tensor::additive_mask, 0, 1, 2}));
}

TEST_CASE("what is given is what nothing made") {
  const auto it = random_case<double>({2, 2, 2, 1, 2, 2}, {true, true, true, true, true, true}, 28);
  for (const Cell& cell : all_cells(it.config)) {
    const Explanation made = attention::explain(it.config, it.input, it.weights, cell);
    CHECK(attention::is_given(cell.tensor) == (made.operation == Operation::given));
  }
}
