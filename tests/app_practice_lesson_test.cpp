// The lesson's ten questions: their values as the lesson's checked facts have them, what is shown on live numbers
// reckoned again without the module, and the slips that are known.
#include "app_practice_facts_support.hpp"

#include <cmath>

using namespace practice_test;

namespace {

Question lesson(const char* id, const State& state = {}) { return make_question(state, id, 1); }

double number_of(const Question& question) { return std::get<double>(question.right); }

void check_slip(const Question& question, const char* id, double answer) {
  const Slip* slip = find_slip(question, id);
  REQUIRE_MESSAGE(slip, question.id, ": ", id);
  CHECK_MESSAGE(std::abs(std::get<double>(slip->answer) - answer) < 1e-9 * std::max(1.0, std::abs(answer)), question.id,
                ": ", id, ": ", std::get<double>(slip->answer));
}

const Choice& right_of(const Question& question) {
  return question.choices[static_cast<std::size_t>(std::get<int>(question.right))];
}

// ------------------------------------------- one number at a time, nothing of the engine

using Rows = std::vector<std::vector<double>>;

Rows product(const Rows& a, const Rows& b) {
  Rows out(a.size(), std::vector<double>(b[0].size(), 0));
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b[0].size(); ++j)
      for (std::size_t k = 0; k < b.size(); ++k) out[i][j] += a[i][k] * b[k][j];
  return out;
}
Rows rows_of(const attention::Matrix<double>& matrix) {
  Rows out;
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    out.emplace_back();
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) out.back().push_back(matrix(i, j));
  }
  return out;
}
Rows transposed(const Rows& a) {
  Rows out(a[0].size(), std::vector<double>(a.size()));
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < a[0].size(); ++j) out[j][i] = a[i][j];
  return out;
}
/// Without a mask.
Rows pattern_of(const Document& document, std::size_t head) {
  const Rows X = rows_of(document.input.X);
  const auto& weights = document.weights.heads[head];
  Rows A = product(product(X, rows_of(weights.W_Q)), transposed(product(X, rows_of(weights.W_K))));
  for (auto& row : A) {
    double sum = 0;
    for (double& score : row) sum += score = std::exp(score / std::sqrt(document.config.d_k));
    for (double& score : row) score /= sum;
  }
  return A;
}
Rows head_of(const Document& document, std::size_t head) {
  return product(pattern_of(document, head),
                 product(rows_of(document.input.X), rows_of(document.weights.heads[head].W_V)));
}

double bits(const std::vector<double>& p) {
  double sum = 0;
  for (const double x : p)
    if (x > 0) sum -= x * std::log2(x);
  return sum;
}
double jensen_shannon(const Rows& a, const Rows& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::vector<double> half(a[i].size());
    for (std::size_t j = 0; j < half.size(); ++j) half[j] = (a[i][j] + b[i][j]) / 2;
    sum += bits(half) - (bits(a[i]) + bits(b[i])) / 2;
  }
  return sum / static_cast<double>(a.size());
}

}  // namespace

TEST_CASE("the lesson's ten questions are all there, in order, whatever the numbers") {
  std::vector<std::string> ids, tags;
  for (const QuestionType& type : question_types())
    if (type.lesson) ids.emplace_back(type.id), tags.emplace_back(type.tag);
  CHECK(ids == std::vector<std::string>{"q1", "q1b", "q2", "q2b", "q3", "q4", "q5", "q6", "q7", "q8", "q9", "q10"});
  CHECK(tags == std::vector<std::string>{"Q1", "Q1 b", "Q2", "Q2 b", "Q3", "Q4", "Q5", "Q6", "Q7", "Q8", "Q9", "Q10"});
  std::vector<Asked> all = documents();
  for (Asked& hard : hard_documents()) all.push_back(std::move(hard));
  for (const Asked& asked : all)
    for (const std::string& id : ids) {
      const Question question = make_question(asked.state, id, 1);
      const auto faults = faults_of(with_commas(question), asked.state, of_sizes());
      CHECK_MESSAGE(faults.empty(), asked.name, ", ", id, lines(faults));
      CHECK(text_of(question) == text_of(make_question(asked.state, id, 7)));  // they have no seed
    }
}

TEST_CASE("Q1: GPT-3's heads are 128 wide; its attention has 604 M a layer and 58.0 B in 96") {
  const Question q1 = lesson("q1"), q1b = lesson("q1b");
  CHECK(number_of(q1) == 128);
  check_slip(q1, "heads", 96);
  check_slip(q1, "full_width", 12288);
  check_slip(q1, "multiplied", 1179648);
  check_slip(q1, "other_model", 64);
  CHECK(number_of(q1b) == 603979776);
  check_slip(q1b, "all_layers", 57982058496.0);
  check_slip(q1b, "no_W_O", 452984832);
  check_slip(q1b, "h_times", 96.0 * 3 * 12288 * 12288 + 12288.0 * 12288);
  check_slip(q1b, "one_head", 3.0 * 12288 * 128);
  check_slip(q1b, "one_matrix", 150994944);
  check_slip(q1b, "whole_model", 175e9);
  CHECK(says(q1b.solution_says, "57,982,058,496"));
  CHECK(says(q1b.solution_says, "33 %"));
  for (const char* text : {"603,979,776", "603 979 776", "604 million", "604M", "0.604 B"}) {
    const auto read = read_answer(q1b, text);
    REQUIRE_MESSAGE(std::holds_alternative<Answer>(read), text);
    CHECK_MESSAGE(is_right(q1b, std::get<Answer>(read)), text);
  }
  const auto billions = read_answer(q1b, "58.0 billion");
  CHECK(same_answer(q1b, std::get<Answer>(billions), find_slip(q1b, "all_layers")->answer));
}

TEST_CASE("Q2: 512 in 16 heads is 32; 12 heads can't, and the lesson's 43 is named") {
  const Question q2 = lesson("q2"), q2b = lesson("q2b");
  CHECK(number_of(q2) == 32);
  check_slip(q2, "heads", 16);
  check_slip(q2, "usual_heads", 64);
  CHECK(to_plain(right_of(q2b).text) == "h = 12");
  CHECK(says(right_of(q2b).why, "42.67"));
  CHECK(says(right_of(q2b).why, "rounds it to 43"));
  CHECK(says(right_of(q2b).why, "12 · 43 = 516"));
  CHECK(says(q2b.solution_says, "512 with h = 12"));
}

TEST_CASE("Q3: W^V W^O in one matrix gives the same output, and leaving W^O out doesn't") {
  const Question q = lesson("q3");
  CHECK(to_plain(right_of(q).text) == "It can be multiplied into W^V");
  const Document& document = example();
  const Rows own = head_of(document, 0);
  const Rows W_O = rows_of(document.weights.W_O.topRows(document.config.d_v));
  const Rows apart = product(own, W_O);
  const Rows merged = product(pattern_of(document, 0),
                              product(rows_of(document.input.X), product(rows_of(document.weights.heads[0].W_V), W_O)));
  double merged_off = 0, left_out_off = 0;
  for (std::size_t i = 0; i < apart.size(); ++i)
    for (std::size_t j = 0; j < apart[i].size(); ++j) {
      merged_off = std::max(merged_off, std::abs(apart[i][j] - merged[i][j]));
      left_out_off = std::max(left_out_off, std::abs(apart[i][j] - (j < own[i].size() ? own[i][j] : 0)));
    }
  CHECK(merged_off < 1e-12);
  CHECK(left_out_off > 0.1);
  CHECK(says(q.solution_says, "up to " + typed(left_out_off, 3) + " off"));
  CHECK(says(q.choices[0].why, "up to " + typed(left_out_off, 3) + " off"));
  CHECK(last_number(plain_of(q.solution)) == std::optional(0.0));
}

TEST_CASE("Q4: 1024 with 16 heads is 4,194,304, a head 196,608") {
  const Question q = lesson("q4");
  CHECK(number_of(q) == 4194304);
  check_slip(q, "one_head", 196608);
  check_slip(q, "no_W_O", 3145728);
  check_slip(q, "one_matrix", 1048576);
  check_slip(q, "h_times", 16.0 * 3145728 + 1048576);
  check_slip(q, "biases", 4198400);
  for (const char* part : {"196,608", "3,145,728", "1,048,576", "3 · 1024 · 64"})
    CHECK_MESSAGE(says(q.solution_says, part), part);
}

TEST_CASE("Q5: the feed-forward part of 512 has 8 · 512^2, and the widths that people use are named") {
  const Question q = lesson("q5");
  CHECK(number_of(q) == 2097152);
  check_slip(q, "one_matrix", 1048576);
  check_slip(q, "width", 2048);
  check_slip(q, "biases", 2097152 + 2048 + 512);
  check_slip(q, "with_attention", 3145728);
  for (const char* part : {"512 → 2048", "768 → 3072", "1024 → 4096", "12,288 → 49,152"})
    CHECK_MESSAGE(says(q.solution_says, part), part);
}

TEST_CASE("Q6: copied heads differ by 0 bits, the present ones by what their weights say") {
  const Question q = lesson("q6");
  CHECK(right_of(q).text == "The heads found no roles of their own");
  std::vector<Rows> A;
  for (const std::size_t head : {0u, 1u, 2u}) A.push_back(pattern_of(example(), head));
  const std::vector<double> pairs{jensen_shannon(A[0], A[1]), jensen_shannon(A[0], A[2]), jensen_shannon(A[1], A[2])};
  const double mean = (pairs[0] + pairs[1] + pairs[2]) / 3;
  CHECK(mean > 0.05);
  CHECK(says(q.solution_says, "is " + typed(mean, 3) + " here, and 0.000 once"));
  REQUIRE(q.picture.bars.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) CHECK(q.picture.bars[i].text == typed(pairs[i], 3) + " bits");
}

TEST_CASE("Q7: head 2 reaches columns 1, 3, 4 and 6 with W^O, and 3 and 4 without") {
  const Question q = lesson("q7");
  CHECK(right_of(q).text.starts_with("The heads no longer mix"));
  const Document& document = example();
  const Rows own = head_of(document, 1);
  std::vector<std::string> reached;  // where some row of W^O under head 2 carries some of its numbers on
  for (Eigen::Index column = 0; column < 6; ++column) {
    double most = 0;
    for (const auto& row : own)
      most =
          std::max(most, std::abs(row[0] * document.weights.W_O(2, column) + row[1] * document.weights.W_O(3, column)));
    if (most > 0) reached.push_back(std::to_string(column + 1));
  }
  CHECK(reached == std::vector<std::string>{"1", "3", "4", "6"});
  CHECK(says(q.solution_says,
             "with W^O the output changes in columns 1, 3, 4 and 6, without it only in columns 3 and 4"));

  State edited;  // the first row of W^O under head 2 now leads to column 2 alone
  for (int column = 0; column < 6; ++column)
    REQUIRE(!update(edited, SetCell{{Tensor::W_O, -1, 2, column}, column == 1 ? 2.0 : 0.0}));
  CHECK(says(lesson("q7", edited).solution_says, "changes in columns 1, 2 and 4, without it only in columns 3 and 4"));
}

TEST_CASE("Q8: 48 in the encoder; 96 more in the decoder are a slip, and in the solution") {
  const Question q = lesson("q8");
  CHECK(number_of(q) == 48);
  check_slip(q, "decoder", 96);
  check_slip(q, "both", 144);
  check_slip(q, "layers", 6);
  check_slip(q, "one_layer", 8);
  check_slip(q, "added", 14);
  CHECK(says(q.solution_says, "6 · 2 · 8 = 96"));
}

TEST_CASE("Q9: [SEP] gets most of the weight and gives little of what arrives") {
  const Question q = lesson("q9");
  CHECK(says(right_of(q).text, "rests there when it finds nothing"));
  CHECK(says(right_of(q).why, "Clark et al. 2019"));
  // Scores 0, 0 and 3; values 4, 4 and 0.1 long.
  const double weight = std::exp(3.0) / (2 + std::exp(3.0)), rest = (1 - weight) / 2;
  const double share = weight * 0.1 / (weight * 0.1 + 2 * rest * 4);
  CHECK(says(q.solution_says, "gets " + typed(weight, 3) + " of the weight"));
  CHECK(says(q.solution_says, "gives " + typed(share, 3) + " of what arrives"));
  CHECK(weight > 0.9);
  CHECK(share < 0.25);
}

TEST_CASE("Q10: one third more than without W^O, nothing more than with it; both are said") {
  const Question q = lesson("q10");
  CHECK(std::abs(number_of(q) - 1.0 / 3) < 1e-12);
  for (const char* text : {"0.333", "33.3 %", "33 %", "1/3", "0.3333", "33.33%"}) {
    const auto read = read_answer(q, text);
    REQUIRE_MESSAGE(std::holds_alternative<Answer>(read), text);
    CHECK_MESSAGE(is_right(q, std::get<Answer>(read)), text);
  }
  check_slip(q, "with_W_O", 0);
  check_slip(q, "of_all", 0.25);
  check_slip(q, "ratio", 4.0 / 3);
  check_slip(q, "percent", 33.3);
  check_slip(q, "whole_percent", 33);
  CHECK(says(q.solution_says, "one third more"));
  CHECK(says(q.solution_says, "no more at all"));
}

TEST_CASE("what is shown on live numbers follows the learner's edit, and says whose numbers they are") {
  State edited;
  REQUIRE(!update(edited, SetCell{{Tensor::W_V, 0, 0, 0}, 5}));
  REQUIRE(!update(edited, SetCell{{Tensor::W_Q, 1, 2, 0}, -3}));
  for (const char* id : {"q3", "q6", "q7"}) {
    const Question shipped = lesson(id), own = lesson(id, edited);
    CHECK_MESSAGE(says(own.given, "your own numbers"), id);
    CHECK_MESSAGE(!says(shipped.given, "your own"), id);
  }
  CHECK(lesson("q3").solution_says != lesson("q3", edited).solution_says);
  CHECK(lesson("q6").solution_says != lesson("q6", edited).solution_says);
}
