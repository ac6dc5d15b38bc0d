// What the tests of attention files share: files made by hand, and a small parse.
#pragma once

#include "heads_support.hpp"
#include "io/json.hpp"
#include "io/safetensors.hpp"

#include <bit>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

namespace heads_test {

using Texts = std::vector<std::string>;

inline std::string list_text(const Texts& texts) {
  io::JsonWriter json;
  json.begin_array();
  for (const std::string& it : texts) json.value(it);
  json.end_array();
  return json.text();
}

/// A file of weights: (layers, heads, n, n), row by row.
struct Written {
  std::vector<std::int64_t> shape;
  std::vector<float> weights;
  std::optional<Texts> tokens;
  io::Dtype dtype = io::Dtype::F32;

  std::string bytes() const {
    std::string data;
    for (const float weight : weights) {
      const auto bits = std::bit_cast<std::uint32_t>(weight);
      const int drop = dtype == io::Dtype::BF16 ? 2 : 0;
      for (int byte = drop; byte < 4; ++byte) data += static_cast<char>(static_cast<unsigned char>(bits >> (8 * byte)));
    }
    const std::vector<io::StoredTensor> tensors = {{.name = "weights", .dtype = dtype, .shape = shape, .data = data}};
    std::vector<io::MetadataText> metadata;
    if (tokens) metadata.push_back({"tokens", list_text(*tokens)});
    return taken(io::write_safetensors(tensors, metadata));
  }
};

/// One layer; each head looks with 0.8 at one token and evenly at all.
inline Written looks(const Texts& tokens, const std::vector<std::function<int(int)>>& heads) {
  const int n = static_cast<int>(tokens.size());
  Written out{{1, static_cast<std::int64_t>(heads.size()), n, n}, {}, tokens};
  for (const auto& look : heads) {
    for (int query = 0; query < n; ++query) {
      for (int key = 0; key < n; ++key)
        out.weights.push_back(0.2f / static_cast<float>(n) + (look(query) == key ? 0.8f : 0));
    }
  }
  return out;
}

inline const Texts kTokens = {"[CLS]", "the", "un", "##happy", "Dog", "barks", "[SEP]"};
inline const std::string kCompanion =
    R"({"id": 3, "tokens": ["[CLS]", "the", "un", "##happy", "Dog", "barks", "[SEP]"],
        "dependencies": {"list": [{"child": 0, "parent": 2, "relation": "det"},
                                  {"child": 1, "parent": 2, "relation": "amod"},
                                  {"child": 2, "parent": 3, "relation": "nsubj"},
                                  {"child": 3, "parent": null, "relation": "root"}],
                         "words": ["the", "Unhappy", "dog", "barks"]}})";

inline int to_self(int query) { return query; }

}  // namespace heads_test
