// Reads one sentence's weights, and lays the parse beside them over its tokens.
#include "heads/attention_file.hpp"
#include "heads/companion.hpp"

#include "io/json.hpp"
#include "io/safetensors.hpp"

#include <cmath>
#include <cstdio>
#include <utility>

namespace heads {
namespace {

std::string number_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

std::string field_of(const io::StoredTensor& tensor) { return "tensor " + shown(tensor.name); }

/// How far a row's sum may be from 1: values rounded to four decimals are within a thousandth, bfloat16's 8 bits alone
/// may add a two-hundred-and-fiftieth.
double sum_tolerance(io::Dtype dtype) { return dtype == io::Dtype::BF16 ? 5e-3 : 1e-3; }

struct Sizes {
  int layers = 0, heads = 0, n = 0;
};

/// Nothing is allocated by these numbers before they are found right.
std::optional<Sizes> sizes_of(const io::StoredTensor& tensor, Refusals& refusals) {
  std::span<const std::int64_t> shape = tensor.shape;
  const std::string field = field_of(tensor) + " shape", found = io::shape_text(shape);
  const auto refuse = [&](std::string wanted) {
    refusals.add(field, found, std::move(wanted));
    return std::nullopt;
  };
  if (shape.size() == 5 && shape[0] == 1) shape = shape.subspan(1);
  if (shape.size() != 4) return refuse("layers x heads x n x n, or 1 x layers x heads x n x n");
  if (shape[2] != shape[3]) return refuse("as many keys as queries, n x n");
  const auto in = [](std::int64_t value, int most) { return value >= 1 && value <= most; };
  if (!in(shape[0], kMostLayers)) return refuse("1 to " + std::to_string(kMostLayers) + " layers");
  if (!in(shape[1], kMostHeads)) return refuse("1 to " + std::to_string(kMostHeads) + " heads");
  if (!in(shape[2], kMostTokens)) return refuse("1 to " + std::to_string(kMostTokens) + " tokens");
  if (shape[0] * shape[1] > kMostMaps) return refuse("layers x heads of at most " + std::to_string(kMostMaps));
  return Sizes{static_cast<int>(shape[0]), static_cast<int>(shape[1]), static_cast<int>(shape[2])};
}

/// Each row's weights are shares of 1. Of a map the first row that isn't right is named.
void check_rows(const Pattern& pattern, double tolerance, const std::string& field, Refusals& refusals) {
  for (Eigen::Index query = 0; query < pattern.rows(); ++query) {
    const std::string row = field + " row " + std::to_string(query + 1);
    double sum = 0;
    for (Eigen::Index key = 0; key < pattern.cols(); ++key) {
      const double weight = static_cast<double>(pattern(query, key));
      if (!std::isfinite(weight) || weight < 0) {
        return refusals.add(row + "[" + std::to_string(key + 1) + "]", number_text(weight),
                            "a finite number from 0 up");
      }
      sum += weight;
    }
    if (!(std::fabs(sum - 1) <= tolerance)) {
      return refusals.add(row, "a sum of " + number_text(sum), "1 within " + number_text(tolerance));
    }
  }
}

void read_patterns(const io::StoredTensor& tensor, const Sizes& sizes, Attention& out, Refusals& refusals) {
  out.layers = sizes.layers;
  out.heads = sizes.heads;
  for (int map = 0; map < sizes.layers * sizes.heads && !refusals.is_full(); ++map) {
    auto read = io::read_matrix<float>(tensor, map);
    if (auto* problem = std::get_if<Problem>(&read)) return refusals.add({*problem});
    out.patterns.push_back(std::get<Pattern>(std::move(read)));
    const std::string field = field_of(tensor) + " layer " + std::to_string(map / sizes.heads + 1) + " head " +
                              std::to_string(map % sizes.heads + 1);
    check_rows(out.patterns.back(), sum_tolerance(tensor.dtype), field, refusals);
  }
}

std::optional<std::vector<std::string>> tokens_in(const io::Safetensors& file, Refusals& refusals) {
  const std::string* text = io::find_text(file, "tokens");
  if (text == nullptr) return std::nullopt;
  StrictJson json("metadata \"tokens\"", *text, refusals);
  std::vector<std::string> tokens = read_texts(json, "");
  json.end();
  return tokens;
}

/// The file's own, else the companion's; where both have them, they must be the same.
void take_tokens(std::optional<std::vector<std::string>> own, const Companion& companion, int n, Attention& out,
                 Refusals& refusals) {
  if (!own && !companion.tokens) {
    return refusals.add("tokens", "nothing", "metadata \"tokens\", or \"tokens\" in the companion");
  }
  const bool from_file = own.has_value();
  out.tokens = from_file ? std::move(*own) : *companion.tokens;
  if (out.tokens.size() != static_cast<std::size_t>(n)) {
    return refusals.add(from_file ? "metadata \"tokens\"" : "companion tokens", std::to_string(out.tokens.size()),
                        std::to_string(n) + ", one for each row of a map");
  }
  if (from_file && companion.tokens && *companion.tokens != out.tokens) {
    refusals.add("companion tokens", "other tokens than in the file", "the same");
  }
}

}  // namespace

std::variant<Attention, std::vector<Problem>> read_attention(std::string_view bytes, std::string_view companion_text) {
  auto read = io::read_safetensors(bytes);
  if (auto* problems = std::get_if<std::vector<Problem>>(&read)) return std::move(*problems);
  const io::Safetensors& file = std::get<io::Safetensors>(read);
  Refusals refusals;
  Attention out;
  if (file.tensors.size() != 1) {
    refusals.add("file", std::to_string(file.tensors.size()) + " tensors", "one, which holds all weights");
    return refusals.take();
  }
  const io::StoredTensor& tensor = file.tensors.front();
  const std::optional<Sizes> sizes = sizes_of(tensor, refusals);
  if (sizes) read_patterns(tensor, *sizes, out, refusals);
  auto own = tokens_in(file, refusals);
  const Companion companion = companion_text.empty() ? Companion{} : read_companion(companion_text, refusals);
  if (!refusals.empty()) return refusals.take();

  take_tokens(std::move(own), companion, sizes->n, out, refusals);
  if (refusals.empty() && companion.words) {
    out.word_of = words_of(out.tokens, *companion.words, refusals);
    out.dependencies = companion.dependencies;
  }
  if (const std::string* model = io::find_text(file, "model")) out.model = *model;
  if (!refusals.empty()) return refusals.take();
  return out;
}

}  // namespace heads
