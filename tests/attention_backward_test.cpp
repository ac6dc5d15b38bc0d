// The backward pass against differences of the forward: every number given and every intermediate; and what must hold
// for any numbers.
#include "attention_backward_support.hpp"
#include "attention_plain.hpp"

using namespace attention_test;
using attention::Tensor;

namespace {

double loss(const Problem<double>& it) {
  std::vector<Trace<double>> traces;
  attention::forward(it.config, it.batch, it.weights, traces);
  double sum = 0;
  for (std::size_t s = 0; s < traces.size(); ++s) sum += traces[s].output.cwiseProduct(it.d_outputs[s]).sum();
  return sum;
}

/// (8 (f(x + h) - f(x - h)) - (f(x + 2h) - f(x - 2h))) / 12 h: central differences whose error is of order h^4.
template <class Real, class Function>
Real central_difference(const Function& f, Real x, Real h) {
  return (8 * (f(x + h) - f(x - h)) - (f(x + 2 * h) - f(x - 2 * h))) / (12 * h);
}

/// Every number that is given against differences of `forward`; -infinity in the additive mask has gradient 0.
void compare_given(Problem<double> it, const std::string& name, WorstGradient& worst) {
  const Back<double> back = backward(it);
  const auto compare = [&](const std::string& cell, double& number, double derivative) {
    if (std::isinf(number)) {
      worst.compare(name + cell, derivative, 0);
      return;
    }
    const auto loss_at = [&, before = number](double value) {
      number = value;
      const double l = loss(it);
      number = before;
      return l;
    };
    // L is linear in a gate, which must stay within 0 … 1.
    const double wanted =
        cell.ends_with("gate") ? loss_at(1) - loss_at(0) : central_difference(loss_at, number, 0x1p-10);
    worst.compare(name + cell, derivative, wanted);
  };
  visit_weights(it.weights, back.d_weights, compare);
  for (std::size_t s = 0; s < it.batch.size(); ++s) visit_input(it.batch[s], back.gradients[s], compare);
}

/// Every intermediate against differences of the plain formula in long double.
void compare_made(const Case<double>& it, const Matrix<double>& d_output, const std::string& name,
                  WorstGradient& worst) {
  Trace<double> d_trace = backward(it, d_output).d_trace;
  const auto compare = [&](Tensor tensor, int head, Matrix<double>& derivatives) {
    const attention::Shape shape = attention::shape_of(it.config, tensor);
    REQUIRE(derivatives.rows() == shape.rows);
    REQUIRE(derivatives.cols() == shape.cols);
    for (int row = 0; row < shape.rows; ++row) {
      for (int col = 0; col < shape.cols; ++col) {
        const Number wanted = central_difference(
            [&](Number by) {
              const Matrix<Number> out = plain_output(it, Nudge{{tensor, head, row, col}, by});
              return out.cwiseProduct(d_output.cast<Number>()).sum();
            },
            Number(0), Number(0x1p-10L));
        worst.compare(name + std::string(attention::name_of(tensor)) + "[" + std::to_string(row + 1) + ", " +
                          std::to_string(col + 1) + "]",
                      derivatives(row, col), static_cast<double>(wanted));
      }
    }
  };
  for (int head = 0; head < it.config.h; ++head) {
    HeadTrace<double>& d = d_trace.heads[static_cast<std::size_t>(head)];
    compare(Tensor::Q, head, d.Q);
    compare(Tensor::K, head, d.K);
    compare(Tensor::V, head, d.V);
    compare(Tensor::scores, head, d.scores);
    compare(Tensor::scaled, head, d.scaled);
    compare(Tensor::masked, head, d.masked);
    compare(Tensor::pattern, head, d.pattern);
    compare(Tensor::head, head, d.output);
  }
  compare(Tensor::concat, -1, d_trace.concat);
  compare(Tensor::output, -1, d_trace.output);
}

const Config kSmall = {4, 5, 3, 2, 3, 2};
const Extras kAll = {true, true, true, true, true, true};
constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <class T>
std::uint64_t golden_hash() {
  const auto it = random_problem<T>({9, 11, 13, 3, 6, 7}, {true, true, true, true, true, true}, 2, 61);
  const Back<T> back = backward(it);
  Trace<T> all;  // as a carrier: hash_of goes through it matrix by matrix
  for (const Gradients<T>& g : back.gradients) {
    for (const HeadTrace<T>& head : g.d_trace.heads) all.heads.push_back(head);
    all.heads.push_back({g.d_X, g.d_X_kv, g.d_additive_mask, g.d_trace.concat, {}, {}, {}, {}});
  }
  for (const HeadWeights<T>& head : back.d_weights.heads) {
    all.heads.push_back({head.W_Q, head.W_K, head.W_V, head.b_Q, head.b_K, head.b_V, {}, {}});
    all.heads.back().output = Matrix<T>::Constant(1, 1, head.gate);
  }
  all.concat = back.d_weights.W_O;
  all.output = back.d_weights.b_O;
  return attention::hash_of(all);
}

}  // namespace

TEST_CASE("gradients of every weight, bias, gate, input and additive mask are central differences of the forward") {
  Random random(71);
  WorstGradient worst;
  for (int round = 0; round < 160; ++round) {
    const Extras extras = random.extras();
    const Config config = random_sizes(random, extras.cross);
    const int batch = random.whole(1, 3);
    const std::string name = "round " + std::to_string(round) + ": ";
    compare_given(random_problem<double>(config, extras, batch, random.bits()), name, worst);
  }
  compare_given(random_problem<double>(kSmall, kAll, 3, 72), "all at once: ", worst);
  MESSAGE("worst of " << worst.count << ": " << worst.cell << ", off by " << worst.error
                      << "; the largest derivative is " << worst.largest);
  CHECK(worst.error <= 1e-10);
  CHECK(worst.count > 10000);
  CHECK(worst.largest > 1);
}

TEST_CASE("gradients of every intermediate are differences of the plain formula") {
  Random random(73);
  WorstGradient worst;
  for (int round = 0; round < 80; ++round) {
    const Extras extras = random.extras();
    const Config config = random_sizes(random, extras.cross);
    const auto it = random_problem<double>(config, extras, 1, random.bits());
    compare_made(it.single(0), it.d_outputs[0], "round " + std::to_string(round) + ": ", worst);
  }
  MESSAGE("worst of " << worst.count << ": " << worst.cell << ", off by " << worst.error
                      << "; the largest derivative is " << worst.largest);
  CHECK(worst.error <= 1e-12);
  CHECK(worst.count > 5000);
  CHECK(worst.largest > 1);
}

TEST_CASE("the gradients' golden hash: every build computes the same bits") {
  CHECK(golden_hash<double>() == 0x5becfd9075529624u);
  CHECK(golden_hash<float>() == 0x9f0e54ba88178e17u);
}

TEST_CASE("gradients in float are those in double, to what float can hold") {
  Random random(74);
  WorstGradient worst;
  for (int round = 0; round < 40; ++round) {
    const Extras extras = random.extras();
    const Config config = random_sizes(random, extras.cross);
    const std::uint64_t seed = random.bits();
    const auto in_double = random_problem<double>(config, extras, 1, seed);
    const auto in_float = random_problem<float>(config, extras, 1, seed);
    const auto wanted = all_of(backward(in_double).gradients[0]);
    const auto found = all_of(backward(in_float).gradients[0]);
    REQUIRE(found.size() == wanted.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      worst.compare("round " + std::to_string(round), static_cast<double>(found[i]), wanted[i]);
    }
  }
  MESSAGE("worst: " << worst.cell << ", off by " << worst.error);
  CHECK(worst.error <= 2e-6);
}

TEST_CASE("gradients are linear in d_output: doubled to the bit, and those of a sum are the sum") {
  const auto it = random_problem<double>(kSmall, kAll, 1, 75).single(0);
  Random random(76);
  const Matrix<double> a = random.matrix<double>(4, 3), b = random.matrix<double>(4, 3);
  const auto of_a = all_of(backward(it, a)), of_b = all_of(backward(it, b));
  const auto doubled = all_of(backward(it, Matrix<double>(2 * a))),
             of_sum = all_of(backward(it, Matrix<double>(a + b)));
  WorstGradient worst;
  bool exactly_doubled = true;
  for (std::size_t i = 0; i < of_a.size(); ++i) {
    exactly_doubled = exactly_doubled && doubled[i] == 2 * of_a[i];
    worst.compare(std::to_string(i), of_sum[i], of_a[i] + of_b[i]);
  }
  CHECK(exactly_doubled);
  CHECK(worst.error <= 1e-14);
  const auto of_nothing = all_of(backward(it, Matrix<double>(Matrix<double>::Zero(4, 3))));
  for (const double number : of_nothing) CHECK(number == 0);
}

TEST_CASE("a batch is its sequences one by one, and its d_weights are theirs, summed in its order") {
  for (const int batch : {0, 1, 3}) {
    auto it = random_problem<double>(kSmall, kAll, batch, 77);
    if (batch == 0)
      std::tie(it.config, it.weights) = std::pair(kSmall, random_problem<double>(kSmall, kAll, 1, 77).weights);
    const Back<double> back = backward(it);
    REQUIRE(back.traces.size() == it.batch.size());
    REQUIRE(back.gradients.size() == it.batch.size());
    std::vector<double> sums;
    visit_weights(it.weights, back.d_weights, [&](const std::string&, double, double) { sums.push_back(0); });
    for (std::size_t s = 0; s < it.batch.size(); ++s) {
      const Gradients<double> alone = backward(it.single(s), it.d_outputs[s]);
      CHECK(attention::hash_of(back.traces[s]) == attention::hash_of(forward(it.single(s))));
      CHECK(same_bits(all_of(back.gradients[s]), all_of(alone)));
      std::size_t i = 0;
      visit_weights(it.weights, alone.d_weights, [&](const std::string&, double, double d) { sums[i++] += d; });
    }
    std::vector<double> found;
    visit_weights(it.weights, back.d_weights, [&](const std::string&, double, double d) { found.push_back(d); });
    CHECK(same_bits(found, sums));
  }
}

TEST_CASE("a fully masked row has gradient 0 everywhere, whichever mask closes it") {
  for (const bool additive : {false, true}) {
    auto problem = random_problem<double>(kSmall, {true, true, false, false, true, true}, 1, 78);
    Input<double>& input = problem.batch[0];
    if (additive) {
      input.additive_mask = Matrix<double>::Zero(4, 5);
      input.additive_mask.row(2).setConstant(-kInfinity);
    } else {
      input.may_attend = MayAttend::Ones(4, 5);
      input.may_attend.row(2).setZero();
    }
    const Gradients<double> g = backward(problem).gradients[0];
    CHECK(all_finite(all_of(g)));
    CHECK((g.d_X.row(2).array() == 0).all());
    CHECK_FALSE((g.d_X.row(1).array() == 0).any());
    for (const HeadTrace<double>& d : g.d_trace.heads) {
      for (const Matrix<double>* matrix : {&d.pattern, &d.masked, &d.scaled, &d.scores, &d.Q}) {
        CHECK((matrix->row(2).array() == 0).all());
      }
    }
  }
}

TEST_CASE("where every row is masked only W_O's bias learns") {
  auto problem = random_problem<double>(kSmall, {true, true, false, false, true, false}, 1, 79);
  problem.batch[0].may_attend = MayAttend::Zero(4, 5);
  const Gradients<double> g = backward(problem).gradients[0];
  CHECK(all_finite(all_of(g)));
  visit_weights(problem.weights, g.d_weights, [&](const std::string& name, double, double derivative) {
    CAPTURE(name);
    CHECK((derivative == 0) == !name.starts_with("b_O"));
  });
  CHECK((g.d_X.array() == 0).all());
  CHECK((g.d_X_kv.array() == 0).all());
}

TEST_CASE("what is masked may be as large as it likes: no gradient changes a bit, and its own is 0") {
  for (const bool additive : {false, true}) {
    auto it = random_problem<double>(kSmall, {true, true, false, false, true, false}, 1, 80);
    Input<double>& input = it.batch[0];
    if (additive) {
      input.additive_mask = Matrix<double>::Zero(4, 5);
      input.additive_mask.col(3).setConstant(-kInfinity);
    } else {
      input.may_attend = MayAttend::Ones(4, 5);
      input.may_attend.col(3).setZero();
    }
    const Gradients<double> before = backward(it).gradients[0];
    input.X_kv.row(3) << 1e300, -1e300, 1e300;  // its values are near the end of double, and so are its keys
    const Back<double> after = backward(it);
    CHECK(after.traces[0].heads[0].V.row(3).cwiseAbs().maxCoeff() > 1e299);
    CHECK(after.traces[0].heads[0].scores.col(3).cwiseAbs().maxCoeff() > 1e299);
    CHECK(same_bits(all_of(after.gradients[0]), all_of(before)));
    CHECK((after.gradients[0].d_X_kv.row(3).array() == 0).all());
  }
}

TEST_CASE("a masked score may overflow to infinity, and its value's product too") {
  auto it = random_problem<double>(kSmall, {true, false, false, false, false, false}, 1, 81);
  Input<double>& input = it.batch[0];
  input.may_attend = MayAttend::Ones(4, 5);
  input.may_attend.col(3).setZero();
  input.X_kv.row(3) << 1e300, -1e300, 1e300;
  input.X *= 1e10;
  it.d_outputs[0] *= 1e10;
  const Back<double> back = backward(it);
  CHECK_FALSE(back.traces[0].heads[0].scores.col(3).allFinite());
  CHECK(back.traces[0].output.allFinite());
  CHECK(all_finite(all_of(back.gradients[0])));
  CHECK((back.gradients[0].d_X_kv.row(3).array() == 0).all());
}

TEST_CASE("where large scores leave one key the whole row, gradients stay finite and the scores' are 0") {
  auto it = random_problem<double>(kSmall, {true, false, false, false, false, false}, 1, 82);
  it.batch[0].X *= 1e100;
  const Back<double> back = backward(it);
  for (std::size_t i = 0; i < 2; ++i) {
    const HeadTrace<double>&head = back.traces[0].heads[i], &d_head = back.gradients[0].d_trace.heads[i];
    CHECK(head.scores.cwiseAbs().maxCoeff() > 1e99);
    for (int query = 0; query < 4; ++query) CHECK(head.pattern.row(query).maxCoeff() == 1);
    CHECK((d_head.scores.array() == 0).all());
  }
  CHECK(all_finite(all_of(back.gradients[0])));
  CHECK(back.gradients[0].d_weights.heads[0].W_V.cwiseAbs().maxCoeff() > 0.01);
}

TEST_CASE("the same to every score of a row changes nothing: d_masked sums to 0 over the keys") {
  Random random(83);
  double worst = 0;
  for (int round = 0; round < 20; ++round) {
    const auto it = random_problem<double>(kSmall, kAll, 1, random.bits());
    const Back<double> back = backward(it);
    for (const HeadTrace<double>& d : back.gradients[0].d_trace.heads) {
      for (int query = 0; query < 4; ++query) worst = std::fmax(worst, std::fabs(d.masked.row(query).sum()));
    }
  }
  CHECK(worst <= 1e-15);
}

TEST_CASE("one key, no key, no query: gradients have the forward's shapes, and with one key no score matters") {
  for (const int n_q : {0, 1, 3}) {
    for (const int n_k : {0, 1}) {
      CAPTURE(n_q);
      CAPTURE(n_k);
      auto it = random_problem<double>({n_q, n_k, 3, 2, 2, 1}, {true, true, false, true, true, true}, 1, 84);
      it.batch[0].additive_mask.setConstant(0.5);
      Back<double> back = backward(it);
      Gradients<double>& g = back.gradients[0];
      visit_weights(it.weights, g.d_weights, [](const std::string&, double, double d) { CHECK(std::isfinite(d)); });
      visit_input(it.batch[0], g, [](const std::string&, double, double d) { CHECK(std::isfinite(d)); });
      visit_trace(back.traces[0], g.d_trace, [](const std::string&, double, double d) { CHECK(std::isfinite(d)); });
      for (const HeadTrace<double>& d : g.d_trace.heads) CHECK((d.scores.array() == 0).all());
      CHECK((g.d_X.array() == 0).all());
    }
  }
}

TEST_CASE("a head whose gate is 0 learns nothing but its gate") {
  auto it = random_problem<double>(kSmall, {true, true, false, false, true, false}, 1, 85);
  it.weights.heads[1].gate = 0;
  const Gradients<double> g = backward(it).gradients[0];
  const HeadWeights<double>& d = g.d_weights.heads[1];
  for (const Matrix<double>* matrix : {&d.W_Q, &d.W_K, &d.W_V, &d.b_Q, &d.b_K, &d.b_V}) {
    CHECK((matrix->array() == 0).all());
  }
  CHECK(std::fabs(d.gate) > 0.01);
  CHECK((g.d_weights.W_O.bottomRows(2).array() == 0).all());
  CHECK_FALSE((g.d_weights.heads[0].W_Q.array() == 0).any());
}

TEST_CASE("a scale of 0 lets no gradient through to the scores") {
  auto it = random_problem<double>(kSmall, {true, true, false, false, true, false}, 1, 86);
  it.config.scale = 0.0;
  const Gradients<double> g = backward(it).gradients[0];
  CHECK_FALSE((g.d_trace.heads[0].scaled.array() == 0).any());
  CHECK((g.d_trace.heads[0].scores.array() == 0).all());
  CHECK((g.d_X.array() == 0).all());
}

TEST_CASE("the same gradients can be filled again for a smaller problem, with nothing left over") {
  const auto large = random_problem<double>(kSmall, kAll, 1, 87).single(0);
  const auto small = random_problem<double>({2, 2, 2, 1, 1, 1}, {}, 1, 88).single(0);
  Gradients<double> g = backward(large, Matrix<double>(Matrix<double>::Ones(4, 3)));
  const Matrix<double> d_output = Matrix<double>::Ones(2, 2);
  attention::backward(small.config, small.input, small.weights, forward(small), d_output, g);
  CHECK(same_bits(all_of(g), all_of(backward(small, d_output))));
}
