// The backward pass where L looks at attention weights, too: differences of the forward, and what a mask forbids.
#include "attention_backward_support.hpp"

using namespace attention_test;

namespace {

/// L = sum of d_output(i, j) output(i, j), and over the heads of d_pattern(i, j) pattern(i, j).
struct Watched {
  Case<double> it;
  Matrix<double> d_output;
  std::vector<Matrix<double>> d_patterns;

  double loss() const {
    const Trace<double> trace = forward(it);
    double sum = trace.output.cwiseProduct(d_output).sum();
    for (std::size_t i = 0; i < d_patterns.size(); ++i) {
      sum += trace.heads[i].pattern.cwiseProduct(d_patterns[i]).sum();
    }
    return sum;
  }
  Gradients<double> gradients() const {
    Gradients<double> made;
    attention::backward(it.config, it.input, it.weights, forward(it), d_output, made, &d_patterns);
    return made;
  }
};

Watched random_watched(const Config& config, Extras extras, Random& random) {
  const auto problem = random_problem<double>(config, extras, 1, random.bits());
  Watched made{problem.single(0), problem.d_outputs[0], {}};
  for (int i = 0; i < config.h; ++i) made.d_patterns.push_back(random.matrix<double>(config.n_q, config.n_k));
  return made;
}

}  // namespace

TEST_CASE("a derivative by the pattern reaches every weight, bias, gate and input: central differences") {
  Random random(131);
  WorstGradient worst;
  for (int round = 0; round < 60; ++round) {
    const Extras extras = random.extras();
    Watched watched = random_watched(random_sizes(random, extras.cross), extras, random);
    const Gradients<double> g = watched.gradients();
    const auto compare = [&](const std::string& cell, double& number, double derivative) {
      if (std::isinf(number)) {
        worst.compare(cell, derivative, 0);
        return;
      }
      const auto loss_at = [&, before = number](double value) {
        number = value;
        const double loss = watched.loss();
        number = before;
        return loss;
      };
      const double x = number, h = 0x1p-10;
      const bool is_gate = cell.ends_with("gate");  // L is linear in it, and it must stay within 0 … 1
      const double wanted =
          is_gate ? loss_at(1) - loss_at(0)
                  : (8 * (loss_at(x + h) - loss_at(x - h)) - (loss_at(x + 2 * h) - loss_at(x - 2 * h))) / (12 * h);
      worst.compare("round " + std::to_string(round) + ": " + cell, derivative, wanted);
    };
    visit_weights(watched.it.weights, g.d_weights, compare);
    visit_input(watched.it.input, g, compare);
  }
  MESSAGE("worst of " << worst.count << ": " << worst.cell << ", off by " << worst.error);
  CHECK(worst.error <= 1e-10);
  CHECK(worst.count > 2000);
  CHECK(worst.largest > 1);
}

TEST_CASE("d_pattern itself is the output's share plus what was given") {
  Random random(132);
  const Watched watched = random_watched({4, 5, 3, 2, 3, 2}, {true, true, false, false, true, false}, random);
  const Gradients<double> with = watched.gradients(), without = backward(watched.it, watched.d_output);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK((with.d_trace.heads[i].pattern == without.d_trace.heads[i].pattern + watched.d_patterns[i]));
    CHECK(same_bits(with.d_trace.heads[i].V, without.d_trace.heads[i].V));
  }
}

TEST_CASE("zeros as the pattern's derivative change no bit, and what a mask forbids isn't looked at") {
  Random random(133);
  Watched watched = random_watched({4, 5, 3, 2, 3, 2}, {true, true, true, true, true, true}, random);
  const auto with = all_of(watched.gradients());
  for (Matrix<double>& d_pattern : watched.d_patterns) {
    for (int query = 0; query < 4; ++query) {
      for (int key = 0; key < 5; ++key) {
        if (!attention::is_allowed(watched.it.input, query, key)) d_pattern(query, key) = std::nan("");
      }
    }
  }
  CHECK(same_bits(all_of(watched.gradients()), with));
  for (Matrix<double>& d_pattern : watched.d_patterns) d_pattern.setZero();
  const auto plain = all_of(backward(watched.it, watched.d_output));
  CHECK(same_bits(all_of(watched.gradients()), plain));
  CHECK_FALSE(same_bits(with, plain));
}
