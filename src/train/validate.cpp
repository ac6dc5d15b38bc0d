// Checks what was handed in, and says all that is wrong at once: field, found, wanted.
#include "train/model.hpp"

#include <cmath>
#include <cstdio>
#include <map>

namespace train {
namespace {

std::string text_of(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

std::string size_text(Eigen::Index rows, Eigen::Index cols) {
  return std::to_string(rows) + " x " + std::to_string(cols);
}

void check_range(std::vector<Problem>& problems, const std::string& field, int found, int least, int most) {
  if (found >= least && found <= most) return;
  problems.push_back(
      {field, std::to_string(found), "a whole number from " + std::to_string(least) + " to " + std::to_string(most)});
}

void check_at_least(std::vector<Problem>& problems, const std::string& field, int found, int least) {
  if (found < least) problems.push_back({field, std::to_string(found), std::to_string(least) + " or more"});
}

/// `good` is false for NaN, too, when it is made of comparisons.
void check(std::vector<Problem>& problems, const std::string& field, double found, bool good, const char* wanted) {
  if (!good || !std::isfinite(found)) problems.push_back({field, text_of(found), wanted});
}

template <class T>
void check_finite(std::vector<Problem>& problems, const std::string& name, const Matrix<T>& matrix) {
  for (Eigen::Index i = 0; i < matrix.size(); ++i) {
    const T number = matrix.data()[i];
    if (std::isfinite(number)) continue;
    const std::string cell =
        name + "[" + std::to_string(i / matrix.cols() + 1) + ", " + std::to_string(i % matrix.cols() + 1) + "]";
    problems.push_back({cell, text_of(static_cast<double>(number)), "a finite number"});
    return;  // the first tells enough
  }
}

void check_sequence(std::vector<Problem>& problems, const Shape& shape, const Sequence& sequence,
                    const std::string& name) {
  const int tokens = static_cast<int>(sequence.tokens.size());
  if (sequence.targets.size() != sequence.tokens.size()) {
    problems.push_back(
        {name + " targets", std::to_string(sequence.targets.size()), std::to_string(tokens) + ", one for each token"});
    return;
  }
  const std::size_t before = problems.size();
  if (sequence.length) {
    check_range(problems, name + " length", *sequence.length, 1, tokens);
  } else {
    check_range(problems, name + " tokens", tokens, 1, shape.longest);
  }
  if (problems.size() > before) return;
  const int length = sequence.length.value_or(tokens);
  check_range(problems, name + " length", length, 1, shape.longest);
  for (std::size_t i = 0; i < static_cast<std::size_t>(length); ++i) {
    const std::string at = "[" + std::to_string(i + 1) + "]";
    check_range(problems, name + " tokens" + at, sequence.tokens[i], 0, shape.vocabulary - 1);
    if (sequence.targets[i] == kNoTarget) continue;
    check_range(problems, name + " targets" + at, sequence.targets[i], 0, shape.vocabulary - 1);
  }
}

}  // namespace

std::vector<Problem> validate(const Shape& shape) {
  std::vector<Problem> problems;
  check_range(problems, "vocabulary", shape.vocabulary, 2, 65536);
  check_range(problems, "longest", shape.longest, 1, 512);
  check_range(problems, "layers", shape.layers, 1, 6);
  check_range(problems, "heads", shape.heads, 1, 8);
  check_range(problems, "d_model", shape.d_model, 16, 128);
  if (!problems.empty()) return problems;
  return attention::validate_split(shape.d_model, shape.heads);
}

template <class T>
std::vector<Problem> validate(const Shape& shape, const Parameters<T>& parameters) {
  std::vector<Problem> problems = validate(shape);
  if (!problems.empty()) return problems;
  std::map<std::string, const Matrix<T>*> found;
  for_each(parameters, [&](const std::string& name, const Matrix<T>& matrix) { found[name] = &matrix; });
  const Parameters<T> wanted = zeros<T>(shape);
  for_each(wanted, [&](const std::string& name, const Matrix<T>& like) {
    const auto at = found.find(name);
    const std::string size = size_text(like.rows(), like.cols());
    if (at == found.end()) {
      problems.push_back({name, "nothing", size});
      return;
    }
    const Matrix<T>& matrix = *at->second;
    found.erase(at);
    if (matrix.rows() != like.rows() || matrix.cols() != like.cols()) {
      problems.push_back({name, size_text(matrix.rows(), matrix.cols()), size});
      return;
    }
    check_finite(problems, name, matrix);
  });
  for (const auto& [name, matrix] : found) {
    problems.push_back({name, size_text(matrix->rows(), matrix->cols()), "nothing: the shape hasn't got it"});
  }
  return problems;
}

std::vector<Problem> validate(const Shape& shape, const std::vector<Sequence>& batch) {
  std::vector<Problem> problems;
  bool any_target = false;
  for (std::size_t s = 0; s < batch.size(); ++s) {
    check_sequence(problems, shape, batch[s], "sequence " + std::to_string(s + 1));
    if (!problems.empty()) return problems;  // one sequence's problems are enough to read
    const int length = batch[s].length.value_or(static_cast<int>(batch[s].tokens.size()));
    for (int i = 0; i < length; ++i) any_target = any_target || batch[s].targets[static_cast<std::size_t>(i)] >= 0;
  }
  if (!any_target) problems.push_back({"batch", "no target", "one or more"});
  return problems;
}

std::vector<Problem> validate(const Options& options) {
  std::vector<Problem> problems;
  check_at_least(problems, "steps", options.steps, 1);
  check_at_least(problems, "warm_up", options.warm_up, 0);
  check_at_least(problems, "sink_from", options.sink_from, 0);
  check_at_least(problems, "sink_rise", options.sink_rise, 0);
  const char* const not_negative = "a finite number from 0 up";
  const char* const share = "a number from 0 to 1";
  const char* const below_1 = "a number from 0 up to, but without, 1";
  const char* const positive = "a finite number above 0";
  check(problems, "learning_rate", options.learning_rate, options.learning_rate >= 0, not_negative);
  check(problems, "final_share", options.final_share, options.final_share >= 0 && options.final_share <= 1, share);
  check(problems, "beta_1", options.beta_1, options.beta_1 >= 0 && options.beta_1 < 1, below_1);
  check(problems, "beta_2", options.beta_2, options.beta_2 >= 0 && options.beta_2 < 1, below_1);
  check(problems, "epsilon", options.epsilon, options.epsilon > 0, positive);
  if (options.clip) check(problems, "clip", *options.clip, *options.clip > 0, positive);
  check(problems, "weight_decay", options.weight_decay, options.weight_decay >= 0, not_negative);
  check(problems, "sink_penalty", options.sink_penalty, options.sink_penalty >= 0, not_negative);
  return problems;
}

template std::vector<Problem> validate(const Shape&, const Parameters<float>&);
template std::vector<Problem> validate(const Shape&, const Parameters<double>&);

}  // namespace train
