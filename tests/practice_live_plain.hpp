// The example once more from X and the weights, in plain loops that share nothing with the engine, and what questions
// about its numbers have to agree with.
#pragma once

#include "practice_support.hpp"

#include <cmath>
#include <limits>

namespace practice_test {

using Real = long double;
using Grid = std::vector<std::vector<Real>>;

struct PlainHead {
  Grid Q, K, V, scores, scaled, pattern, output;
};

/// Multi-head self-attention, scaled by `divisor` in place of √d_k where it is given.
struct Plain {
  std::vector<PlainHead> heads;
  Grid X, W_O, concat, output;
  int n = 0, d_k = 0, d_v = 0, d_model = 0;

  explicit Plain(const Document& document, Real divisor = 0) {
    const attention::Config& config = document.config;
    n = config.n_q, d_k = config.d_k, d_v = config.d_v, d_model = config.d_model;
    X = grid(document.input.X), W_O = grid(document.weights.W_O);
    concat.assign(static_cast<std::size_t>(n), {});
    for (const auto& weights : document.weights.heads) {
      PlainHead head;
      head.Q = times(X, grid(weights.W_Q)), head.K = times(X, grid(weights.W_K)), head.V = times(X, grid(weights.W_V));
      head.scores = head.scaled = head.pattern = Grid(rows(), std::vector<Real>(rows(), 0));
      for (std::size_t i = 0; i < rows(); ++i) {
        Real sum = 0, largest = -std::numeric_limits<Real>::infinity();
        std::vector<bool> open;
        for (std::size_t j = 0; j < rows(); ++j) {
          for (std::size_t k = 0; k < head.Q[i].size(); ++k) head.scores[i][j] += head.Q[i][k] * head.K[j][k];
          head.scaled[i][j] = head.scores[i][j] / (divisor > 0 ? divisor : std::sqrt(Real(d_k)));
          const auto& may = document.input.may_attend;
          open.push_back(may.size() == 0 || may(static_cast<int>(i), static_cast<int>(j)) == 1);
          if (open.back()) largest = std::max(largest, head.scaled[i][j]);
        }
        for (std::size_t j = 0; j < rows(); ++j)
          if (open[j]) sum += head.pattern[i][j] = std::exp(head.scaled[i][j] - largest);
        for (std::size_t j = 0; j < rows(); ++j)
          if (open[j]) head.pattern[i][j] /= sum;
      }
      head.output = times(head.pattern, head.V);
      for (std::size_t i = 0; i < rows(); ++i)
        concat[i].insert(concat[i].end(), head.output[i].begin(), head.output[i].end());
      heads.push_back(std::move(head));
    }
    output = times(concat, W_O);
  }

  std::size_t rows() const { return static_cast<std::size_t>(n); }
  static Grid grid(const attention::Matrix<double>& matrix) {
    Grid grid(static_cast<std::size_t>(matrix.rows()));
    for (Eigen::Index i = 0; i < matrix.rows(); ++i)
      for (Eigen::Index j = 0; j < matrix.cols(); ++j) grid[static_cast<std::size_t>(i)].push_back(matrix(i, j));
    return grid;
  }
  static Grid times(const Grid& a, const Grid& b) {
    Grid out(a.size(), std::vector<Real>(b[0].size(), 0));
    for (std::size_t i = 0; i < a.size(); ++i)
      for (std::size_t j = 0; j < b[0].size(); ++j)
        for (std::size_t k = 0; k < b.size(); ++k) out[i][j] += a[i][k] * b[k][j];
    return out;
  }
  const Grid& of(Tensor tensor, int head) const {
    const PlainHead& h = heads[static_cast<std::size_t>(std::max(0, head))];
    switch (tensor) {
      case Tensor::X: return X;
      case Tensor::W_O: return W_O;
      case Tensor::Q: return h.Q;
      case Tensor::K: return h.K;
      case Tensor::V: return h.V;
      case Tensor::scores: return h.scores;
      case Tensor::scaled: return h.scaled;
      case Tensor::pattern: return h.pattern;
      case Tensor::head: return h.output;
      case Tensor::concat: return concat;
      default: return output;
    }
  }
  Real at(const Cell& cell) const {
    return of(cell.tensor, cell.head)[static_cast<std::size_t>(cell.row)][static_cast<std::size_t>(cell.col)];
  }
  std::vector<Real> row(Tensor tensor, int head, int row) const {
    return of(tensor, head)[static_cast<std::size_t>(row)];
  }
  std::vector<Real> column(Tensor tensor, int head, int col) const {
    std::vector<Real> list;
    for (const auto& line : of(tensor, head)) list.push_back(line[static_cast<std::size_t>(col)]);
    return list;
  }
};

inline std::vector<Real> operator+(std::vector<Real> a, const std::vector<Real>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

inline Grid weight_of(const Document& document, const Cell& made) {
  const auto& head = document.weights.heads[static_cast<std::size_t>(made.head)];
  return Plain::grid(made.tensor == Tensor::Q ? head.W_Q : made.tensor == Tensor::K ? head.W_K : head.W_V);
}

/// The numbers that a question has to give, in the order in which it does.
inline std::vector<Real> wanted_in_given(const Question& q, const Plain& plain, const Document& document) {
  const Cell& cell = *q.cell;
  if (q.id == "project") {
    std::vector<Real> column;
    for (const auto& line : weight_of(document, cell)) column.push_back(line[static_cast<std::size_t>(cell.col)]);
    return plain.row(Tensor::X, -1, cell.row) + column;
  }
  const auto all_rows = [&](Tensor tensor) {
    std::vector<Real> list;
    for (const auto& line : plain.of(tensor, cell.head)) list = list + line;
    return list;
  };
  if (q.id == "score") return all_rows(Tensor::Q) + all_rows(Tensor::K);
  if (q.id == "weight" || (q.id == "largest" && cell.tensor == Tensor::pattern))
    return plain.row(Tensor::scores, cell.head, cell.row);
  if (q.id == "mask") return plain.row(Tensor::scaled, cell.head, cell.row);
  if (q.id == "head_output") return plain.row(Tensor::pattern, cell.head, cell.row) + all_rows(Tensor::V);
  if (q.id == "output" || (q.id == "no_W_O" && q.asks == Asks::number))
    return plain.row(Tensor::concat, -1, cell.row) + plain.column(Tensor::W_O, -1, cell.col);
  return {};
}

/// What a slip gives, by plain loops; absent: this one isn't computed a second time.
inline std::optional<Real> plain_slip(const Question& q, const std::string& id, const Plain& plain,
                                      const Document& document) {
  const Cell& cell = *q.cell;
  const auto row = static_cast<std::size_t>(cell.row), col = static_cast<std::size_t>(cell.col);
  const auto dot = [](const std::vector<Real>& a, const std::vector<Real>& b) {
    Real sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
  };
  const Cell turned{cell.tensor, cell.head, cell.col, cell.row};
  const Real root = std::sqrt(Real(plain.d_k));
  if (id == "swapped" && q.asks == Asks::number) return plain.at(turned);
  if (q.id == "score") {
    if (id == "no_transpose")
      return dot(plain.row(Tensor::Q, cell.head, cell.row), plain.column(Tensor::K, cell.head, cell.col));
    if (id == "Q_for_K")
      return dot(plain.row(Tensor::Q, cell.head, cell.row), plain.row(Tensor::Q, cell.head, cell.col));
    if (id == "scaled_already") return plain.at(cell) / root;
  }
  if (q.id == "scaled" || q.id == "weight") {
    const Real divisor = id == "no_scaling"     ? 1
                         : id == "over_d_k"     ? plain.d_k
                         : id == "sqrt_d_model" ? std::sqrt(Real(plain.d_model))
                                                : 0;
    if (divisor > 0) return Plain(document, divisor).at(cell);
  }
  if (q.id == "weight" && id == "wrong_axis") {
    Real sum = 0;
    for (const Real score : plain.column(Tensor::scaled, cell.head, cell.col)) sum += std::exp(score);
    return std::exp(plain.at({Tensor::scaled, cell.head, cell.row, cell.col})) / sum;
  }
  if (q.id == "mask" && id == "forgot_mask") {
    Document open = document;
    open.input.may_attend.resize(0, 0);
    return Plain(open).at(cell);
  }
  if (q.id == "head_output") {
    if (id == "plain_mean")
      return dot(std::vector<Real>(plain.rows(), 1), plain.column(Tensor::V, cell.head, cell.col)) / plain.n;
    if (id == "column_of_A")
      return dot(plain.column(Tensor::pattern, cell.head, cell.row), plain.column(Tensor::V, cell.head, cell.col));
    if (id == "K_for_V")
      return dot(plain.row(Tensor::pattern, cell.head, cell.row), plain.column(Tensor::K, cell.head, cell.col));
  }
  if (q.id == "output") {
    if (id == "row_of_W_O") return dot(plain.concat[row], plain.row(Tensor::W_O, -1, cell.col));
    if (id == "no_W_O") return plain.concat[row][col];
    if (id == "averaged_heads") {
      Real sum = 0;
      const auto heads = static_cast<Real>(plain.heads.size());
      for (std::size_t i = 0; i < plain.concat[row].size(); ++i)
        for (const PlainHead& head : plain.heads)
          sum += head.output[row][i % static_cast<std::size_t>(plain.d_v)] / heads * plain.W_O[i][col];
      return sum;
    }
  }
  return std::nullopt;
}

inline bool is_near(Real a, Real b) { return std::abs(a - b) <= 1e-9L * std::max<Real>(1, std::abs(b)); }

/// What is amiss with a question about live numbers beside what `faults_of` finds.
inline std::vector<std::string> live_faults(const Question& q, const State& state) {
  std::vector<std::string> faults;
  const auto need = [&](bool good, const std::string& text) {
    if (!good) faults.push_back(text);
  };
  if (!q.cell || !q.picture.numbers) return {"no cell or no numbers"};
  const Numbers& numbers = *q.picture.numbers;
  const Document& document = numbers.state.document;
  const Document& owner = numbers.own ? state.document : example();
  Document asked = owner;  // a mask may be the question's own
  if (q.id == "mask") asked.input.may_attend = document.input.may_attend;
  const Plain plain(asked);
  const Cell& cell = *q.cell;

  const std::vector<std::string> given = mono_numbers(q.given);
  const std::vector<Real> wanted = wanted_in_given(q, plain, asked);
  need(given.size() == wanted.size(), "other numbers are given than are needed: " + q.given);
  for (std::size_t i = 0; i < std::min(given.size(), wanted.size()); ++i) {
    const std::size_t point = given[i].find('.');
    const auto decimals = point == std::string::npos ? (std::abs(wanted[i]) < 100 ? 3.0L : 0.0L)
                                                     : static_cast<Real>(given[i].size() - point - 1);
    need(std::abs(shown_number(given[i]) - wanted[i]) <= 0.5001L * std::pow(10.0L, -decimals),
         "a given number isn't its cell's: " + given[i]);
  }

  if (const double* right = std::get_if<double>(&q.right)) {
    const Real value = q.id == "concat"   ? cell.col + 1
                       : q.id == "no_W_O" ? plain.at({Tensor::concat, -1, cell.row, cell.col})
                                          : plain.at(cell);
    need(is_near(*right, value), "the right answer isn't what plain loops give: " + app::to_text(*right));
    need(q.slips.size() >= 3, "fewer than three slips");
    for (const Slip& slip : q.slips)
      if (const auto plainly = plain_slip(q, slip.id, plain, asked))
        need(is_near(std::get<double>(slip.answer), *plainly), "slip " + slip.id + " isn't what plain loops give");
  }
  if (q.id == "concat") {
    const std::string said =
        "number " + std::to_string(cell.col % plain.d_v + 1) + " of head " + std::to_string(cell.col / plain.d_v + 1);
    need(q.title.find(said) != std::string::npos, "the title names another number: " + q.title);
  }
  if (q.id == "no_W_O" && q.asks == Asks::choice)
    need(std::get<int>(q.right) == cell.col / plain.d_v, "another head writes there");
  if (q.id == "largest" && cell.tensor == Tensor::pattern) {
    const bool most = q.title.find(" most ") != std::string::npos;
    for (int key = 0; key < plain.n; ++key) {
      const Real other = plain.at({Tensor::pattern, cell.head, cell.row, key});
      need(key == cell.col || (most ? other < plain.at(cell) : other > plain.at(cell)), "it isn't the one: " + q.title);
    }
  }
  if (q.id == "largest" && cell.tensor == Tensor::K)
    need(to_plain(q.title).find("for " + owner.tokens[static_cast<std::size_t>(cell.row)] + " in head " +
                                std::to_string(cell.head + 1)) != std::string::npos &&
             q.title.find("number " + std::to_string(cell.col + 1) + " of the query") != std::string::npos,
         "the title asks for another number: " + q.title);

  const bool says_own = q.given.find("These are your own numbers") != std::string::npos;
  const bool says_lesson = q.given.find("these are the lesson’s") != std::string::npos;
  need(says_own == (numbers.own && any_edited(state)), "it doesn't say rightly that these are the learner's numbers");
  need(says_lesson == (!numbers.own && any_edited(state)),
       "it doesn't say rightly that these are the lesson's numbers");
  for (const Slip& slip : q.slips)
    need(slip.first_name.size() <= 16, "too long a name for a first step: " + slip.first_name);
  return faults;
}

}  // namespace practice_test
