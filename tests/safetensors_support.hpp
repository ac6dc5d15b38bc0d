// What the safetensors tests share: files made by hand, files from disk, and what the reader says about them.
#pragma once

#include "io/safetensors.hpp"

#include "attention_support.hpp"

#include <iterator>
#include <variant>

namespace safetensors_test {

using io::Safetensors;
using Problems = std::vector<attention::Problem>;

inline std::string length_bytes(std::uint64_t length) {
  std::string out;
  for (int i = 0; i < 8; ++i) out += static_cast<char>(static_cast<unsigned char>(length >> (8 * i)));
  return out;
}

/// A header with its true length before it and the data after it.
inline std::string file_of(const std::string& header, const std::string& data = "") {
  return length_bytes(header.size()) + header + data;
}

inline const std::string kFourBytes("\x00\x00\x80\x3f", 4), kEightBytes = kFourBytes + kFourBytes;

/// A header with one tensor "a" whose entry has this inside its braces.
inline std::string entry(const std::string& inside) { return "{\"a\":{" + inside + "}}"; }
inline std::string entry_of(const std::string& dtype, const std::string& shape, const std::string& offsets) {
  return entry("\"dtype\":" + dtype + ",\"shape\":" + shape + ",\"data_offsets\":" + offsets);
}
/// Nothing when there is no such file.
inline std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline std::string sentences_of(const Problems& problems) {
  std::string out;
  for (const attention::Problem& problem : problems) out += (out.empty() ? "" : "\n") + to_sentence(problem);
  return out;
}

/// Why the file is refused, a line each; "" when it is read.
inline std::string refusal_of(std::string_view bytes) {
  const auto read = io::read_safetensors(bytes);
  const auto* problems = std::get_if<Problems>(&read);
  return problems == nullptr ? "" : sentences_of(*problems);
}

/// The file views `bytes`.
inline Safetensors read_whole(const std::string& bytes) {
  auto read = io::read_safetensors(bytes);
  if (const auto* problems = std::get_if<Problems>(&read)) FAIL(sentences_of(*problems));
  return std::get<Safetensors>(std::move(read));
}
Safetensors read_whole(std::string&& bytes) = delete;

/// The tensor of that name, which must be there.
inline const io::StoredTensor& tensor_of(const Safetensors& file, const std::string& name) {
  INFO(name);
  const io::StoredTensor* found = io::find(file, name);
  REQUIRE(found != nullptr);
  return *found;
}

template <class T>
std::vector<T> numbers_of(const io::StoredTensor& tensor) {
  auto read = io::read_numbers<T>(tensor);
  REQUIRE(std::holds_alternative<std::vector<T>>(read));
  return std::get<std::vector<T>>(std::move(read));
}

template <class T>
attention::Matrix<T> matrix_of(const io::StoredTensor& tensor, std::int64_t index = 0) {
  REQUIRE(index < io::count_matrices(tensor.shape));
  auto read = io::read_matrix<T>(tensor, index);
  REQUIRE(std::holds_alternative<attention::Matrix<T>>(read));
  return std::get<attention::Matrix<T>>(std::move(read));
}

}  // namespace safetensors_test
