// Figures of whole heads: what they contribute, how many dimensions they use, and all figures together.
#include "analysis_support.hpp"

using namespace attention_test;
using attention::analyse;
using attention::Analysis;
using attention::contributions;
using attention::HeadAnalysis;
using attention::stable_rank;

namespace {

/// Random rotations and mirrorings around known singular values: Householder reflections on either side.
Matrix<double> with_singular_values(Random& random, int rows, int cols, const Values& values) {
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(rows, cols);
  for (std::size_t i = 0; i < values.size(); ++i) out(static_cast<int>(i), static_cast<int>(i)) = values[i];
  for (int i = 0; i < 3; ++i) {
    const Eigen::VectorXd left = random.matrix<double>(rows, 1).col(0).normalized();
    const Eigen::VectorXd right = random.matrix<double>(cols, 1).col(0).normalized();
    out = (out - 2 * left * (left.transpose() * out)).eval();
    out = (out - 2 * (out * right) * right.transpose()).eval();
  }
  return out;
}

}  // namespace

TEST_CASE("contributions, by hand: gate, weight and the length of v W_O, each head by its own rows of W_O") {
  const Config config = {1, 2, 2, 2, 1, 2};
  Weights<double> weights;
  weights.heads.resize(2);
  weights.heads[1].gate = 0.5;
  weights.W_O = matrix({{1, 0}, {0, 1}, {0, 2}, {2, 0}});
  Trace<double> trace;
  trace.heads.resize(2);
  for (HeadTrace<double>& head : trace.heads) {
    head.V = matrix({{3, 4}, {0, -1}});
    head.pattern = matrix({{0.25, 0.75}});
  }
  CHECK(contributions(config, weights, trace, 0) == matrix({{1.25, 0.75}}));
  CHECK(contributions(config, weights, trace, 1) == matrix({{1.25, 0.75}}));  // twice as long, half let through
  weights.heads[1].gate = 0;
  CHECK(contributions(config, weights, trace, 1) == matrix({{0, 0}}));
  weights.W_O.bottomRows(2) *= 3;
  CHECK(contributions(config, weights, trace, 0) == matrix({{1.25, 0.75}}));
}

TEST_CASE("contributions bound what a head adds to the output, and are exact where there is one key") {
  for (const int n_k : {1, 6}) {
    for (int round = 0; round < 20; ++round) {
      const std::uint64_t seed = static_cast<std::uint64_t>(round);
      Case<double> it = random_case<double>({4, n_k, 5, 3, 2, 4}, {true, true, true, false, true}, seed);
      const Trace<double> with = forward(it);
      for (int head = 0; head < it.config.h; ++head) {
        const Matrix<double> found = contributions(it.config, it.weights, with, head);
        Case<double> ablated = it;
        ablated.weights.heads[static_cast<std::size_t>(head)].gate = 0;
        const Matrix<double> added = with.output - forward(ablated).output;
        REQUIRE(found.rows() == it.config.n_q);
        REQUIRE(found.cols() == n_k);
        CHECK(found.minCoeff() >= 0);
        for (int query = 0; query < it.config.n_q; ++query) {
          const double length = added.row(query).norm();
          CHECK(length <= found.row(query).sum() + 1e-12);
          if (n_k == 1) CHECK(length == about(found(query, 0)));
        }
      }
    }
  }
}

TEST_CASE("contributions add up as vectors: |sum of gate alpha v W_O| is the head's part, value bias included") {
  Case<double> it = random_case<double>({3, 5, 4, 2, 2, 3}, {true, true, false, false, true}, 9);
  it.weights.heads[1].W_V.setZero();  // then every value is b_V
  const Trace<double> trace = forward(it);
  const Matrix<double> found = contributions(it.config, it.weights, trace, 1);
  const double length = (it.weights.heads[1].b_V * it.weights.W_O.bottomRows(3)).norm();
  for (int query = 0; query < 3; ++query) {
    for (int key = 0; key < 5; ++key) {
      CHECK(found(query, key) == about(it.weights.heads[1].gate * trace.heads[1].pattern(query, key) * length));
    }
    CHECK(found.row(query).sum() == about(it.weights.heads[1].gate * length));  // all the same way: nothing cancels
  }
  it.weights.b_O *= 100;  // no key's
  CHECK(contributions(it.config, it.weights, forward(it), 1) == found);
}

TEST_CASE("stable rank, by hand") {
  CHECK(stable_rank(matrix({{3, 0}, {0, 4}})) == about(25.0 / 16));
  CHECK(stable_rank(matrix<float>({{3, 0}, {0, 4}})) == about(25.0 / 16));
  CHECK(stable_rank(matrix({{1, 0}, {0.5, 0.5}})) == about(1.1458980337503155));  // 6 / (3 + sqrt(5))
  CHECK(stable_rank(matrix({{1, 2, 3}, {2, 4, 6}})) == about(1));
  CHECK(stable_rank(matrix({{-7}})) == about(1));
  CHECK(stable_rank(matrix({{0, 0}, {0, 0}})) == 0);
  CHECK(stable_rank(Matrix<double>(0, 0)) == 0);
  CHECK(stable_rank(Matrix<double>(0, 3)) == 0);
  CHECK(stable_rank(Matrix<double>(3, 0)) == 0);
}

TEST_CASE("stable rank's limits: n for the identity, 1 where every query looks alike") {
  for (int n = 1; n <= 12; ++n) {
    CHECK(stable_rank(Matrix<double>(Matrix<double>::Identity(n, n))) == about(n));
    CHECK(stable_rank(uniform(n, 5)) == about(1));
  }
  Matrix<double> sink = Matrix<double>::Zero(6, 9);
  sink.col(0).setOnes();
  CHECK(stable_rank(sink) == about(1));
}

TEST_CASE("stable rank of known singular values, in any rotation, wide and tall") {
  Random random(5);
  for (const auto& [rows, cols] : {std::pair{4, 4}, std::pair{4, 11}, std::pair{23, 4}, std::pair{30, 29}}) {
    for (const Values& values :
         {Values{5, 3, 2, 1}, Values{1, 1, 1, 1}, Values{2, 2, 0.001, 0}, Values{9, 1e-9, 0, 0}}) {
      double squares = 0;
      for (const double value : values) squares += value * value;
      const double found = stable_rank(with_singular_values(random, rows, cols, values));
      CHECK(found == about(squares / (values[0] * values[0])));
    }
  }
}

TEST_CASE("stable rank: from 1 to the smaller side, blind to size, to turning over and to the order of rows") {
  Random random(6);
  for (int round = 0; round < 50; ++round) {
    const int rows = random.whole(1, 9), cols = 2 * random.whole(0, 5) + 1;
    const Matrix<double> m = random.matrix<double>(rows, cols);
    const double rank = stable_rank(m);
    CHECK(rank >= 1 - 1e-12);
    CHECK(rank <= std::min(rows, cols) + 1e-12);
    CHECK(stable_rank(Matrix<double>(m.transpose())) == about(rank));
    CHECK(stable_rank(turned_keys(m)) == about(rank));
    CHECK(stable_rank(Matrix<double>(m.colwise().reverse())) == about(rank));
    CHECK(stable_rank(Matrix<double>(1e200 * m)) == about(rank));
    CHECK(stable_rank(Matrix<double>(-1e-200 * m)) == about(rank));
  }
}

TEST_CASE("the worked example: every figure is NumPy's, from the definitions and its singular values") {
  const nlohmann::json json = read_json(std::string(HEADSCOPE_TEST_DATA) + "/worked-example.json");
  const Case<double> it = case_from<double>(json);
  const Analysis found = analyse(it.config, it.weights, forward(it));
  struct Wanted {
    double bits, tokens, distance, rank_of_pattern, rank_of_output, contribution;
    Values profile;
  };
  const Wanted wanted[] = {{0.6128705183297074,
                            1.5292990173587069,
                            0.8069771650597436,
                            1.303828953205204,
                            1.0089438924667438,
                            2.52810730279062,
                            {0.9441927807928303, 0.19302283494025643, 0.6697615493266569}},
                           {0.7129797694319233,
                            1.6391862291967776,
                            0.19557031749304313,
                            1.3707097263651462,
                            1.370709726365146,
                            3.16227766016838,
                            {0.19557031749304313, 0.8044296825069569, 0.19557031749304313}},
                           {0.310571225483212,
                            1.2401986511258458,
                            0.5,
                            1,
                            1,
                            4.399036406009605,
                            {0.9441927807928303, 0.5, 0.055807219207169745}}};
  REQUIRE(found.heads.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    CAPTURE(i);
    const HeadAnalysis& head = found.heads[i];
    CHECK(head.entropy_bits == about(wanted[i].bits));
    CHECK(head.effective_tokens == about(wanted[i].tokens));
    CHECK(head.stable_rank_of_pattern == about(wanted[i].rank_of_pattern));
    CHECK(head.stable_rank_of_output == about(wanted[i].rank_of_output));
    CHECK(head.mean_contribution == about(wanted[i].contribution));
    CHECK(head.distance.first == -1);
    CHECK(head.distance.mean_distance == about(wanted[i].distance));
    REQUIRE(head.distance.mean_weight.size() == 3);
    for (std::size_t d = 0; d < 3; ++d) CHECK(head.distance.mean_weight[d] == about(wanted[i].profile[d]));
  }
  const Matrix<double> divergence = matrix({{0, 0.3234455198832794, 0.16604983652932503},
                                            {0.3234455198832794, 0, 0.2539035513235516},
                                            {0.16604983652932503, 0.2539035513235516, 0}});
  const Matrix<double> likeness = matrix({{1, 0.7723905537926923, 0.9705911384056448},
                                          {0.7723905537926923, 1, 0.853784777759688},
                                          {0.9705911384056448, 0.853784777759688, 1}});
  REQUIRE(found.jensen_shannon_bits.rows() == 3);
  REQUIRE(found.cosine_of_outputs.rows() == 3);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      CHECK(found.jensen_shannon_bits(i, j) == about(divergence(i, j)));
      CHECK(found.cosine_of_outputs(i, j) == about(likeness(i, j)));
    }
  }
}

TEST_CASE("the worked example in float: the same figures to 1e-5") {
  const nlohmann::json json = read_json(std::string(HEADSCOPE_TEST_DATA) + "/worked-example.json");
  const Case<double> it = case_from<double>(json);
  const Case<float> in_float = case_from<float>(json);
  const Analysis wanted = analyse(it.config, it.weights, forward(it));
  const Analysis found = analyse(in_float.config, in_float.weights, forward(in_float));
  Worst worst;
  worst.compare("Jensen-Shannon", found.jensen_shannon_bits, wanted.jensen_shannon_bits);
  worst.compare("cosine", found.cosine_of_outputs, wanted.cosine_of_outputs);
  for (std::size_t i = 0; i < 3; ++i) {
    const auto row = [](const HeadAnalysis& head) {
      return matrix({{head.entropy_bits, head.effective_tokens, head.distance.mean_distance,
                      head.stable_rank_of_pattern, head.stable_rank_of_output, head.mean_contribution}});
    };
    worst.compare("head " + std::to_string(i + 1), row(found.heads[i]), row(wanted.heads[i]));
  }
  MESSAGE("worst figure: " << worst.cell << ", off by " << worst.difference);
  CHECK(worst.difference <= 1e-5);
}

TEST_CASE("a cloned head is found: no divergence, cosine 1, and the same figures") {
  Case<double> it = random_case<double>({5, 7, 6, 3, 4, 5}, {true, true, true}, 10);
  it.weights.heads[2] = it.weights.heads[0];
  it.weights.W_O.bottomRows(5) = it.weights.W_O.topRows(5).eval();
  const Analysis found = analyse(it.config, it.weights, forward(it));
  CHECK(found.jensen_shannon_bits(0, 2) == 0);
  CHECK(found.cosine_of_outputs(0, 2) == 1);
  CHECK(found.jensen_shannon_bits(0, 1) > 0.01);
  CHECK(found.cosine_of_outputs(0, 1) < 0.99);
  CHECK(found.jensen_shannon_bits == found.jensen_shannon_bits.transpose());
  CHECK(found.cosine_of_outputs == found.cosine_of_outputs.transpose());
  CHECK(found.heads[0].entropy_bits == found.heads[2].entropy_bits);
  CHECK(found.heads[0].stable_rank_of_output == found.heads[2].stable_rank_of_output);
  CHECK(found.heads[0].mean_contribution == found.heads[2].mean_contribution);
}

TEST_CASE("figures of heads that may attend to nothing, or to one token only, are 0 or 1, never NaN") {
  Case<double> masked = random_case<double>({3, 4, 5, 2, 3, 2}, {true, true}, 11);
  masked.input.may_attend = MayAttend::Zero(3, 4);
  Analysis found = analyse(masked.config, masked.weights, forward(masked));
  for (const HeadAnalysis& head : found.heads) {
    CHECK(head.entropy_bits == 0);
    CHECK(head.effective_tokens == 0);
    CHECK(head.distance.mean_weight == Values{0, 0, 0, 0, 0, 0});
    CHECK(head.distance.mean_distance == 0);
    CHECK(head.stable_rank_of_pattern == 0);
    CHECK(head.stable_rank_of_output == 0);
    CHECK(head.mean_contribution == 0);
  }
  CHECK(found.jensen_shannon_bits == matrix({{0, 0}, {0, 0}}));
  CHECK(found.cosine_of_outputs == matrix({{0, 0}, {0, 0}}));

  const Case<double> alone = random_case<double>({1, 1, 5, 2, 3, 2}, {}, 12);
  found = analyse(alone.config, alone.weights, forward(alone));
  for (const HeadAnalysis& head : found.heads) {
    CHECK(head.entropy_bits == 0);
    CHECK(head.effective_tokens == 1);
    CHECK(head.distance.mean_weight == Values{1});
    CHECK(head.stable_rank_of_pattern == about(1));
    CHECK(head.stable_rank_of_output == about(1));
    CHECK(head.mean_contribution > 0);
  }
  CHECK(found.jensen_shannon_bits == matrix({{0, 0}, {0, 0}}));

  const Case<double> empty = random_case<double>({0, 0, 5, 2, 3, 2}, {}, 13);
  CHECK(analyse(empty.config, empty.weights, forward(empty)).heads.size() == 2);
}
