// What the attention tests share: reproducible random problems, reading JSON, and comparing matrices.
#pragma once

#include "attention/attention.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <limits>
#include <string>
#include <type_traits>

namespace attention_test {

using attention::Config;
using attention::HeadTrace;
using attention::HeadWeights;
using attention::Input;
using attention::Matrix;
using attention::MayAttend;
using attention::Trace;
using attention::Weights;

/// What a random problem has beside the least.
struct Extras {
  bool cross = false, biases = false, mask = false;
  bool additive = false, gates = false, scale = false;
};

/// splitmix64 (Steele et al. 2014): the same numbers on every platform, unlike the standard's distributions.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t bits() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  double between(double low, double high) { return low + (high - low) * static_cast<double>(bits() >> 11) * 0x1p-53; }
  int whole(int low, int high) { return low + static_cast<int>(bits() % static_cast<std::uint64_t>(high - low + 1)); }
  bool coin() { return (bits() & 1u) != 0; }
  template <class T>
  Matrix<T> matrix(int rows, int cols) {
    Matrix<T> out(rows, cols);
    for (Eigen::Index i = 0; i < out.size(); ++i) out.data()[i] = static_cast<T>(between(-2, 2));
    return out;
  }
  MayAttend mask(int rows, int cols) {
    MayAttend out(rows, cols);
    for (Eigen::Index i = 0; i < out.size(); ++i) out.data()[i] = coin() ? 1 : 0;
    return out;
  }
  /// Numbers, and -infinity in about every fifth cell.
  template <class T>
  Matrix<T> additive_mask(int rows, int cols) {
    Matrix<T> out = matrix<T>(rows, cols);
    for (Eigen::Index i = 0; i < out.size(); ++i) {
      if (whole(1, 5) == 1) out.data()[i] = -std::numeric_limits<T>::infinity();
    }
    return out;
  }
  /// Each true as often as not.
  Extras extras() {
    Extras out;
    for (bool* extra : {&out.cross, &out.biases, &out.mask, &out.additive, &out.gates, &out.scale}) *extra = coin();
    return out;
  }

 private:
  std::uint64_t state_;
};

template <class T>
struct Case {
  Config config;
  Input<T> input;
  Weights<T> weights;
};

template <class T>
Case<T> random_case(const Config& c, Extras extras, std::uint64_t seed) {
  Random random(seed);
  Case<T> made;
  made.config = c;
  made.input.X = random.matrix<T>(c.n_q, c.d_model);
  if (extras.cross) made.input.X_kv = random.matrix<T>(c.n_k, c.d_model);
  if (extras.mask) made.input.may_attend = random.mask(c.n_q, c.n_k);
  for (int i = 0; i < c.h; ++i) {
    HeadWeights<T> head;
    head.W_Q = random.matrix<T>(c.d_model, c.d_k);
    head.W_K = random.matrix<T>(c.d_model, c.d_k);
    head.W_V = random.matrix<T>(c.d_model, c.d_v);
    if (extras.biases) {
      head.b_Q = random.matrix<T>(1, c.d_k);
      head.b_K = random.matrix<T>(1, c.d_k);
      head.b_V = random.matrix<T>(1, c.d_v);
    }
    made.weights.heads.push_back(head);
  }
  made.weights.W_O = random.matrix<T>(c.h * c.d_v, c.d_model);
  if (extras.biases) made.weights.b_O = random.matrix<T>(1, c.d_model);
  if (extras.additive) made.input.additive_mask = random.additive_mask<T>(c.n_q, c.n_k);
  for (int i = 0; extras.gates && i < c.h; ++i) {
    made.weights.heads[static_cast<std::size_t>(i)].gate = static_cast<T>(random.between(0.1, 0.9));
  }
  if (extras.scale) made.config.scale = random.between(-1, 1);
  return made;
}

template <class T>
Trace<T> forward(const Case<T>& it) {
  Trace<T> trace;
  attention::forward(it.config, it.input, it.weights, trace);
  return trace;
}

inline MayAttend causal(int n) {
  MayAttend out(n, n);
  for (int query = 0; query < n; ++query) {
    for (int key = 0; key < n; ++key) out(query, key) = key <= query ? 1 : 0;
  }
  return out;
}

/// Equal bit for bit; all NaNs are one.
template <class T>
bool same_bits(T a, T b) {
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  return (std::isnan(a) && std::isnan(b)) || std::bit_cast<Bits>(a) == std::bit_cast<Bits>(b);
}
template <class T>
bool same_bits(const Matrix<T>& a, const Matrix<T>& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return false;
  for (Eigen::Index i = 0; i < a.size(); ++i) {
    if (!same_bits(a.data()[i], b.data()[i])) return false;
  }
  return true;
}

/// Largest difference so far, and where.
struct Worst {
  double difference = 0;
  std::string cell = "nowhere";

  template <class T, class U>
  void compare(const std::string& name, const Matrix<T>& found, const Matrix<U>& wanted) {
    INFO(name);
    REQUIRE(found.rows() == wanted.rows());
    REQUIRE(found.cols() == wanted.cols());
    for (Eigen::Index i = 0; i < found.rows(); ++i) {
      for (Eigen::Index j = 0; j < found.cols(); ++j) {
        const double a = static_cast<double>(found(i, j)), b = static_cast<double>(wanted(i, j));
        const double here = a == b                 ? 0
                            : std::isfinite(a - b) ? std::fabs(a - b)
                                                   : std::numeric_limits<double>::infinity();
        if (here <= difference) continue;
        difference = here;
        cell = name + "[" + std::to_string(i + 1) + ", " + std::to_string(j + 1) + "] = " + std::to_string(a) +
               ", wanted " + std::to_string(b);
      }
    }
  }
};

inline nlohmann::json read_json(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  INFO(path);
  REQUIRE(file.good());
  return nlohmann::json::parse(file);
}

/// Rows of numbers; null is -infinity. No such key: empty (0 x 0).
template <class T>
Matrix<T> matrix_from(const nlohmann::json& object, const char* key) {
  if (!object.contains(key)) return {};
  const nlohmann::json& rows = object.at(key);
  Matrix<T> out(static_cast<Eigen::Index>(rows.size()), static_cast<Eigen::Index>(rows.empty() ? 0 : rows[0].size()));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < rows[i].size(); ++j) {
      T& number = out(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
      if constexpr (std::is_floating_point_v<T>) {
        number = rows[i][j].is_null() ? -std::numeric_limits<T>::infinity() : static_cast<T>(rows[i][j].get<double>());
      } else {
        number = rows[i][j].get<T>();
      }
    }
  }
  return out;
}

/// What a JSON case or the worked example gives: sizes, input and weights.
template <class T>
Case<T> case_from(const nlohmann::json& json) {
  Case<T> made;
  made.input.X = matrix_from<T>(json, "X");
  made.input.X_kv = matrix_from<T>(json, "X_kv");
  made.input.may_attend = matrix_from<std::uint8_t>(json, "may_attend");
  made.config.n_q = static_cast<int>(made.input.X.rows());
  made.config.n_k = static_cast<int>(json.contains("X_kv") ? made.input.X_kv.rows() : made.input.X.rows());
  made.config.d_model = json.at("d_model").get<int>();
  made.config.h = json.at("h").get<int>();
  made.config.d_k = json.at("d_k").get<int>();
  made.config.d_v = json.at("d_v").get<int>();
  if (json.contains("scale")) made.config.scale = json.at("scale").get<double>();
  made.input.additive_mask = matrix_from<T>(json, "additive_mask");
  for (const nlohmann::json& head : json.at("heads")) {
    made.weights.heads.push_back({matrix_from<T>(head, "W_Q"), matrix_from<T>(head, "W_K"), matrix_from<T>(head, "W_V"),
                                  matrix_from<T>(head, "b_Q"), matrix_from<T>(head, "b_K"), matrix_from<T>(head, "b_V"),
                                  static_cast<T>(head.value("gate", 1.0))});
  }
  made.weights.W_O = matrix_from<T>(json, "W_O");
  made.weights.b_O = matrix_from<T>(json, "b_O");
  return made;
}

/// Every intermediate of `trace` that the JSON has, against it.
template <class T>
Worst compare_with(const nlohmann::json& json, const Trace<T>& trace) {
  Worst worst;
  REQUIRE(trace.heads.size() == json.at("heads").size());
  for (std::size_t i = 0; i < trace.heads.size(); ++i) {
    const nlohmann::json& wanted = json.at("heads")[i];
    const HeadTrace<T>& head = trace.heads[i];
    const std::string name = "head " + std::to_string(i + 1) + " ";
    const auto compare = [&](const char* key, const Matrix<T>& found) {
      if (wanted.contains(key)) worst.compare(name + key, found, matrix_from<double>(wanted, key));
    };
    compare("Q", head.Q);
    compare("K", head.K);
    compare("V", head.V);
    compare("scores", head.scores);
    compare("scaled", head.scaled);
    compare("masked", head.masked);
    compare("pattern", head.pattern);
    compare("output", head.output);
  }
  worst.compare("concat", trace.concat, matrix_from<double>(json, "concat"));
  worst.compare("output", trace.output, matrix_from<double>(json, "output"));
  return worst;
}

}  // namespace attention_test
