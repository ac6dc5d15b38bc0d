// Reads and writes safetensors files: named tensors, and texts about them.
//
// The format ("Format" in the README of huggingface/safetensors): 8 bytes, the length of the header, low byte first;
// the header, JSON that begins with "{" and may be padded with white space,
//   { name: { "dtype": "F32", "shape": [2, 3], "data_offsets": [begin, end] }, …, "__metadata__": { text: text, … } };
// and the data, to which the offsets are relative (`end` is one past the last byte): row-major, low byte first.
//
// Refused is whatever isn't exactly that: a name or a key twice, a key too many or missing, metadata that aren't
// strings, text that isn't JSON or UTF-8, a number that isn't whole, a size that differs from shape times type, data
// that overlap, leave a hole or a rest. And four things that the format allows: a header of more than kMostHeaderBytes;
// more than kMostDimensions; a dimension of more than 2^31 - 1, or a product of those other than 0 beyond 2^63 - 1;
// types of less than a byte (F4, F6_E2M3, F6_E3M2: unknown here).
// Numbers are not looked at: NaN and the infinities are read as they are.
#pragma once

#include "attention/attention.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace io {

/// An entry takes about 100 bytes: room for 80,000 tensors, at a size that a page can hold twice beside the file. (The
/// format's own library allows 100 MB.)
inline constexpr std::size_t kMostHeaderBytes = 8u << 20;
inline constexpr std::size_t kMostDimensions = 64;
/// So many problems are named; a last one counts the rest.
inline constexpr std::size_t kNamedProblems = 20;

/// As the format spells them.
enum class Dtype : std::uint8_t {
  BOOL, U8, I8, F8_E5M2, F8_E4M3, F8_E8M0, I16, U16, F16, BF16, I32, U32, F32, I64, U64, F64, C64
};
std::string_view name_of(Dtype dtype);
/// Bytes of one number: 1, 2, 4 or 8.
std::size_t size_of(Dtype dtype);

struct StoredTensor {
  std::string name;                 // UTF-8, not "__metadata__"
  Dtype dtype = Dtype::F32;
  std::vector<std::int64_t> shape;  // outermost first, each 0 and up; empty: one number
  std::string_view data;            // count_numbers(shape) * size_of(dtype) bytes: a view, at any alignment
  bool operator==(const StoredTensor&) const = default;
};

struct MetadataText {
  std::string key, value;
  bool operator==(const MetadataText&) const = default;
};

struct Safetensors {
  std::vector<StoredTensor> tensors;   // in the order of their data; no name twice
  std::vector<MetadataText> metadata;  // in the header's order; no key twice
  bool operator==(const Safetensors&) const = default;
};

/// The file, whose tensors view `bytes` (which must outlive them), or all that is wrong: `tensor "q" shape[2]: found
/// -1, wanted …`. After the first thing that isn't JSON nothing more is looked at, and whether the data have holes or
/// overlap only when each entry is right by itself.
/// Any bytes may be given. What is allocated grows with the header that is there, never with a number in it.
std::variant<Safetensors, std::vector<attention::Problem>> read_safetensors(std::string_view bytes);

/// The same bytes for the same arguments: metadata first, tensors in the order given, the header padded with spaces to
/// a multiple of 8. Wider types first keep every tensor aligned for other readers. Reading the result gives back the
/// arguments to the bit; where it would not (a name twice, data of the wrong size, …), the problems instead.
std::variant<std::string, std::vector<attention::Problem>> write_safetensors(
    std::span<const StoredTensor> tensors, std::span<const MetadataText> metadata = {});

/// Null when there is none of that name.
const StoredTensor* find(const Safetensors& file, std::string_view name);
/// The metadata's text under `key`; null when there is none.
const std::string* find_text(const Safetensors& file, std::string_view key);

/// "2 x 3", "one number" for a shape without dimensions.
std::string shape_text(std::span<const std::int64_t> shape);
/// How many numbers a tensor of this shape has. A caller's duty, as in the next one: a shape that was read.
std::int64_t count_numbers(std::span<const std::int64_t> shape);
/// How many matrices the last two dimensions make, counted by those before them. 1 when there are none before.
std::int64_t count_matrices(std::span<const std::int64_t> shape);

/// A tensor's numbers, for T float or double: F16, BF16 and F32 exactly, F64 as a float rounded to the nearest, beyond
/// the largest to infinity. Every other type is refused. A caller's duty: `data` has the size it should (asserted).
template <class T>
std::variant<std::vector<T>, attention::Problem> read_numbers(const StoredTensor& tensor);
/// The last two dimensions as a matrix, one dimension as a row, none as 1 x 1. `index` says which matrix: from 0, with
/// the dimensions before counted row-major, below count_matrices (asserted).
template <class T>
std::variant<attention::Matrix<T>, attention::Problem> read_matrix(const StoredTensor& tensor, std::int64_t index = 0);

/// Numbers as a tensor's data: F32 of floats, F64 of doubles, to the bit.
template <class T>
std::string to_bytes(std::span<const T> numbers);

}  // namespace io
