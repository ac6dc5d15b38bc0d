// Checks what was handed in, and says all that is wrong at once: field, found, wanted.
#include "attention/attention.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <type_traits>

namespace attention {
namespace {

constexpr int kMostNumbers = std::numeric_limits<int>::max();
constexpr std::size_t kNamedDivisors = 16;

std::string size_text(Eigen::Index rows, Eigen::Index cols) {
  return std::to_string(rows) + " x " + std::to_string(cols);
}

std::string number_text(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  char text[32];
  for (int digits = 6; digits <= 17; ++digits) {  // the fewest that don't round it: 1.0000001 isn't 1
    std::snprintf(text, sizeof text, "%.*g", digits, value);
    if (std::strtod(text, nullptr) == value) break;
  }
  return text;
}
std::string number_text(std::uint8_t value) { return std::to_string(value); }

bool is_good(double value, Tensor tensor) {
  return std::isfinite(value) || (tensor == Tensor::additive_mask && value == -std::numeric_limits<double>::infinity());
}
bool is_good(std::uint8_t value, Tensor) { return value <= 1; }

/// A word for each dimension of a tensor, as in "6 x 2 (d_model x d_k)".
std::string_view dimensions_of(Tensor tensor) {
  switch (tensor) {
    case Tensor::X: return "n_q x d_model";
    case Tensor::X_kv: return "n_k x d_model";
    case Tensor::W_Q:
    case Tensor::W_K: return "d_model x d_k";
    case Tensor::W_V: return "d_model x d_v";
    case Tensor::b_Q:
    case Tensor::b_K: return "1 x d_k";
    case Tensor::b_V: return "1 x d_v";
    case Tensor::W_O: return "h*d_v x d_model";
    case Tensor::b_O: return "1 x d_model";
    default: return "n_q x n_k";  // the masks; other tensors are computed
  }
}

/// Gathers problems of matrices; with `sizes_are_good` false it looks at their numbers only.
struct Inspector {
  const Config& config;
  bool sizes_are_good;
  std::vector<Problem>& problems;

  template <class M>
  void look_at(const std::string& field, const M& matrix, Tensor like, bool may_be_absent) {
    const bool absent = matrix.rows() == 0 && matrix.cols() == 0;
    if (absent && may_be_absent) return;
    if (sizes_are_good) check_size(field, matrix.rows(), matrix.cols(), like, may_be_absent);
    check_numbers(field, matrix, like);
  }

  void check_size(const std::string& field, Eigen::Index rows, Eigen::Index cols, Tensor like, bool may_be_absent) {
    const Shape wanted = shape_of(config, like);
    if (rows == wanted.rows && cols == wanted.cols) return;
    std::string text = size_text(wanted.rows, wanted.cols) + " (" + std::string(dimensions_of(like)) + ")";
    if (may_be_absent) text += ", or none at all";
    problems.push_back({field, size_text(rows, cols), text});
  }

  template <class M>
  void check_numbers(const std::string& field, const M& matrix, Tensor like) {
    const bool is_mask = std::is_same_v<typename M::Scalar, std::uint8_t>;
    const std::string wanted = is_mask                         ? "0 (masked) or 1 (may attend)"
                               : like == Tensor::additive_mask ? "a finite number, or -inf (masked)"
                                                               : "a finite number";
    int bad = 0;
    for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
      for (Eigen::Index j = 0; j < matrix.cols(); ++j) {
        if (is_good(matrix(i, j), like) || ++bad > kNamedCells) continue;
        const std::string cell = field + "[" + std::to_string(i + 1) + ", " + std::to_string(j + 1) + "]";
        problems.push_back({cell, number_text(matrix(i, j)), wanted});
      }
    }
    if (bad > kNamedCells) {
      problems.push_back({field, std::to_string(bad - kNamedCells) + " more such cells", wanted + " in each"});
    }
  }
};

std::vector<int> divisors_of(int number) {
  std::vector<int> small, large;
  for (int i = 1; i <= number / i; ++i) {
    if (number % i != 0) continue;
    small.push_back(i);
    if (i != number / i) large.push_back(number / i);
  }
  small.insert(small.end(), large.rbegin(), large.rend());
  return small;
}

/// "42.67"; more places where two would show a whole number.
std::string quotient_text(int a, int b) {
  char text[64];
  for (int places = 2; places <= 12; ++places) {
    std::snprintf(text, sizeof text, "%.*f", places, static_cast<double>(a) / b);
    const std::string_view all = text;
    const std::string_view fraction = all.substr(all.size() - static_cast<std::size_t>(places));
    if (fraction.find_first_not_of('0') != std::string_view::npos) break;
  }
  return text;
}

void check_at_least(std::vector<Problem>& problems, const char* field, int found, int least) {
  if (found < least) problems.push_back({field, std::to_string(found), std::to_string(least) + " or more"});
}

/// Finite, and still so as a T.
template <class T>
void check_scale(std::vector<Problem>& problems, const std::optional<double>& scale) {
  const double most = static_cast<double>(std::numeric_limits<T>::max());
  if (!scale || std::fabs(*scale) <= most) return;
  const bool too_large_for_float = std::isfinite(*scale);
  problems.push_back(
      {"scale", number_text(*scale), too_large_for_float ? "a number that a float can hold" : "a finite number"});
}

void check_gate(std::vector<Problem>& problems, const std::string& field, double gate) {
  if (!(gate >= 0 && gate <= 1)) problems.push_back({field, number_text(gate), "a number from 0 to 1"});
}

}  // namespace

std::string to_sentence(const Problem& problem) {
  return problem.field + ": found " + problem.found + ", wanted " + problem.wanted;
}

std::vector<Problem> validate(const Config& config) {
  std::vector<Problem> problems;
  check_at_least(problems, "n_q", config.n_q, 0);
  check_at_least(problems, "n_k", config.n_k, 0);
  check_at_least(problems, "d_model", config.d_model, 1);
  check_at_least(problems, "h", config.h, 1);
  check_at_least(problems, "d_k", config.d_k, 1);
  check_at_least(problems, "d_v", config.d_v, 1);
  if (!problems.empty()) return problems;

  const std::string most = "at most " + std::to_string(kMostNumbers);
  if (config.d_v > kMostNumbers / config.h) {  // shape_of multiplies these
    problems.push_back({"h*d_v", std::to_string(config.h) + " x " + std::to_string(config.d_v), most});
    return problems;
  }
  for (int i = 0; i < kTensorCount; ++i) {
    const Tensor tensor = static_cast<Tensor>(i);
    if (tensor == Tensor::additive_mask) continue;  // optional, and no larger than `scores`
    const Shape shape = shape_of(config, tensor);
    const double heads = is_per_head(tensor) ? config.h : 1;
    if (heads * shape.rows * shape.cols <= kMostNumbers) continue;
    const std::string of_heads = is_per_head(tensor) ? std::to_string(config.h) + " heads of " : "";
    problems.push_back({std::string(name_of(tensor)), of_heads + size_text(shape.rows, shape.cols), most + " numbers"});
  }
  return problems;
}

std::vector<Problem> validate_split(int d_model, int h) {
  std::vector<Problem> problems;
  check_at_least(problems, "d_model", d_model, 1);
  check_at_least(problems, "h", h, 1);
  if (!problems.empty() || d_model % h == 0) return problems;

  const std::vector<int> divisors = divisors_of(d_model);
  std::string choices;
  for (std::size_t i = 0; i < divisors.size() && i < kNamedDivisors; ++i) {
    if (i > 0) choices += i + 1 == divisors.size() ? " or " : ", ";
    choices += std::to_string(divisors[i]);
  }
  if (divisors.size() > kNamedDivisors) choices += ", …";
  problems.push_back(
      {"d_k",
       std::to_string(d_model) + " with h = " + std::to_string(h) + ": " + quotient_text(d_model, h) + " is not whole",
       "a whole d_model / h; h may be " + choices});
  return problems;
}

template <class T>
bool is_self_attention(const Input<T>& input) {
  return input.X_kv.rows() == 0 && input.X_kv.cols() == 0;
}

template <class T>
std::vector<Problem> validate(const Config& config, const Input<T>& input, const Weights<T>& weights) {
  std::vector<Problem> problems = validate(config);
  const bool sizes_are_good = problems.empty();
  Inspector inspector{config, sizes_are_good, problems};

  if (sizes_are_good && is_self_attention(input) && config.n_k != config.n_q) {
    problems.push_back(
        {"n_k", std::to_string(config.n_k), std::to_string(config.n_q) + " (n_q: without X_kv the keys come from X)"});
  }
  check_scale<T>(problems, config.scale);
  inspector.look_at("X", input.X, Tensor::X, false);
  inspector.look_at("X_kv", input.X_kv, Tensor::X_kv, true);
  inspector.look_at("may_attend", input.may_attend, Tensor::scores, true);
  inspector.look_at("additive_mask", input.additive_mask, Tensor::additive_mask, true);

  if (sizes_are_good && weights.heads.size() != static_cast<std::size_t>(config.h)) {
    problems.push_back({"heads", std::to_string(weights.heads.size()), std::to_string(config.h) + " (h)"});
  }
  for (std::size_t i = 0; i < weights.heads.size(); ++i) {
    const HeadWeights<T>& head = weights.heads[i];
    const std::string name = "head " + std::to_string(i + 1) + " ";
    inspector.look_at(name + "W_Q", head.W_Q, Tensor::W_Q, false);
    inspector.look_at(name + "b_Q", head.b_Q, Tensor::b_Q, true);
    inspector.look_at(name + "W_K", head.W_K, Tensor::W_K, false);
    inspector.look_at(name + "b_K", head.b_K, Tensor::b_K, true);
    inspector.look_at(name + "W_V", head.W_V, Tensor::W_V, false);
    inspector.look_at(name + "b_V", head.b_V, Tensor::b_V, true);
    check_gate(problems, name + "gate", static_cast<double>(head.gate));
  }
  inspector.look_at("W_O", weights.W_O, Tensor::W_O, false);
  inspector.look_at("b_O", weights.b_O, Tensor::b_O, true);
  return problems;
}

template bool is_self_attention(const Input<float>&);
template bool is_self_attention(const Input<double>&);
template std::vector<Problem> validate(const Config&, const Input<float>&, const Weights<float>&);
template std::vector<Problem> validate(const Config&, const Input<double>&, const Weights<double>&);

}  // namespace attention
