// Reads a safetensors file for tests: 32-bit floats only, all of it in memory.
//
// The format (its specification is in the README of huggingface/safetensors): 8 bytes, the length n of the header, low
// byte first; n bytes of JSON, { name: { "dtype", "shape", "data_offsets": [begin, end) } }; and the bytes, to which
// the offsets are relative, low byte first and row-major. "__metadata__" in the header names no tensor.
#pragma once

#include "attention_support.hpp"

#include <iterator>
#include <map>
#include <vector>

namespace attention_test {

struct StoredTensor {
  std::vector<std::int64_t> shape;
  std::vector<float> values;

  /// The last two dimensions as a matrix; `index` says which one, of those that the dimensions before them count. One
  /// dimension: a row.
  template <class T>
  Matrix<T> matrix(std::int64_t index = 0) const {
    const std::int64_t cols = shape.back(), rows = shape.size() == 1 ? 1 : shape[shape.size() - 2];
    const std::size_t size = static_cast<std::size_t>(rows * cols), first = static_cast<std::size_t>(index) * size;
    REQUIRE(first + size <= values.size());
    Matrix<T> out(rows, cols);
    for (std::size_t i = 0; i < size; ++i) out.data()[i] = static_cast<T>(values[first + i]);
    return out;
  }
};

using StoredTensors = std::map<std::string, StoredTensor>;

inline std::uint64_t little_endian(const std::string& bytes, std::size_t first, int count) {
  std::uint64_t out = 0;
  for (int i = count - 1; i >= 0; --i)
    out = out << 8 | static_cast<unsigned char>(bytes[first + static_cast<std::size_t>(i)]);
  return out;
}

/// Empty when there is no such file.
inline StoredTensors read_safetensors(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file.good()) return {};
  const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  INFO(path);
  REQUIRE(bytes.size() >= 8);
  const std::uint64_t header_size = little_endian(bytes, 0, 8);
  REQUIRE(header_size <= bytes.size() - 8);
  const std::size_t data = 8 + static_cast<std::size_t>(header_size);
  const nlohmann::json header =
      nlohmann::json::parse(bytes.begin() + 8, bytes.begin() + static_cast<std::ptrdiff_t>(data));
  StoredTensors out;
  for (const auto& [name, entry] : header.items()) {
    if (name == "__metadata__") continue;
    INFO(name);
    REQUIRE(entry.at("dtype").get<std::string>() == "F32");
    StoredTensor tensor;
    tensor.shape = entry.at("shape").get<std::vector<std::int64_t>>();
    const std::size_t begin = entry.at("data_offsets")[0].get<std::size_t>(),
                      end = entry.at("data_offsets")[1].get<std::size_t>();
    std::size_t count = 1;
    for (const std::int64_t length : tensor.shape) count *= static_cast<std::size_t>(length);
    REQUIRE(begin <= end);
    REQUIRE(end <= bytes.size() - data);
    REQUIRE(end - begin == 4 * count);
    for (std::size_t i = 0; i < count; ++i) {
      tensor.values.push_back(
          std::bit_cast<float>(static_cast<std::uint32_t>(little_endian(bytes, data + begin + 4 * i, 4))));
    }
    out.emplace(name, std::move(tensor));
  }
  return out;
}

}  // namespace attention_test
