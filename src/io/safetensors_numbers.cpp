// Numbers from a tensor's bytes and back, and what its shape says.
#include "io/safetensors.hpp"
#include "io/safetensors_internal.hpp"

#include <bit>
#include <cassert>
#include <type_traits>

namespace io {
namespace {

using attention::Problem;

/// IEEE 754 binary16: sign, 5 bits of exponent (bias 15), 10 of fraction.
float from_half(std::uint32_t bits) {
  const std::uint32_t sign = (bits & 0x8000u) << 16, exponent = bits >> 10 & 31u, fraction = bits & 0x3FFu;
  if (exponent == 0) {  // zero and the subnormals
    const float size = static_cast<float>(fraction) * 0x1p-24f;
    return sign != 0 ? -size : size;
  }
  const std::uint32_t wide = exponent == 31 ? 0xFFu : exponent + 127 - 15;
  return std::bit_cast<float>(sign | wide << 23 | fraction << 13);
}

template <class T>
T number_of(Dtype dtype, std::string_view bytes) {
  const std::uint64_t bits = little_endian(bytes);
  const auto low = static_cast<std::uint32_t>(bits);
  if (dtype == Dtype::F64) return static_cast<T>(std::bit_cast<double>(bits));
  if (dtype == Dtype::F16) return from_half(low);
  return std::bit_cast<float>(dtype == Dtype::BF16 ? low << 16 : low);  // bfloat16 is a float's upper half
}

bool is_read(Dtype dtype) {
  return dtype == Dtype::F32 || dtype == Dtype::F64 || dtype == Dtype::F16 || dtype == Dtype::BF16;
}

Problem refuse_dtype(const StoredTensor& tensor) {
  return {field_of(tensor) + " dtype", std::string(name_of(tensor.dtype)), "F32, F64, F16 or BF16"};
}

[[maybe_unused]] bool has_its_size(const StoredTensor& tensor) {
  return tensor.data.size() / size_of(tensor.dtype) == static_cast<std::uint64_t>(count_numbers(tensor.shape));
}

/// `count` numbers, the first of them number `first`, to `out`.
template <class T>
void copy_numbers(const StoredTensor& tensor, std::size_t first, std::size_t count, T* out) {
  const std::size_t width = size_of(tensor.dtype);
  for (std::size_t i = 0; i < count; ++i)
    out[i] = number_of<T>(tensor.dtype, tensor.data.substr((first + i) * width, width));
}

}  // namespace

std::uint64_t little_endian(std::string_view bytes) {
  std::uint64_t out = 0;
  for (std::size_t i = bytes.size(); i > 0; --i) out = out << 8 | static_cast<unsigned char>(bytes[i - 1]);
  return out;
}

void append_little_endian(std::string& out, std::uint64_t number, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i)
    out += static_cast<char>(static_cast<unsigned char>(number >> (8 * i) & 0xFFu));
}

std::string shape_text(std::span<const std::int64_t> shape) {
  if (shape.empty()) return "one number";
  std::string out;
  for (const std::int64_t length : shape) out += (out.empty() ? "" : " x ") + std::to_string(length);
  return out;
}

std::int64_t count_numbers(std::span<const std::int64_t> shape) {
  std::int64_t out = 1;
  for (const std::int64_t length : shape) out *= length;
  return out;
}

std::int64_t count_matrices(std::span<const std::int64_t> shape) {
  return shape.size() <= 2 ? 1 : count_numbers(shape.first(shape.size() - 2));
}

template <class T>
std::variant<std::vector<T>, Problem> read_numbers(const StoredTensor& tensor) {
  if (!is_read(tensor.dtype)) return refuse_dtype(tensor);
  assert(has_its_size(tensor));
  std::vector<T> out(tensor.data.size() / size_of(tensor.dtype));
  copy_numbers(tensor, 0, out.size(), out.data());
  return out;
}
template std::variant<std::vector<float>, Problem> read_numbers(const StoredTensor&);
template std::variant<std::vector<double>, Problem> read_numbers(const StoredTensor&);

template <class T>
std::variant<attention::Matrix<T>, Problem> read_matrix(const StoredTensor& tensor, std::int64_t index) {
  if (!is_read(tensor.dtype)) return refuse_dtype(tensor);
  assert(has_its_size(tensor) && index >= 0 && index < count_matrices(tensor.shape));
  const std::size_t rank = tensor.shape.size();
  attention::Matrix<T> out(static_cast<Eigen::Index>(rank < 2 ? 1 : tensor.shape[rank - 2]),
                           static_cast<Eigen::Index>(rank < 1 ? 1 : tensor.shape[rank - 1]));
  const auto count = static_cast<std::size_t>(out.size());
  copy_numbers(tensor, static_cast<std::size_t>(index) * count, count, out.data());
  return out;
}
template std::variant<attention::Matrix<float>, Problem> read_matrix(const StoredTensor&, std::int64_t);
template std::variant<attention::Matrix<double>, Problem> read_matrix(const StoredTensor&, std::int64_t);

template <class T>
std::string to_bytes(std::span<const T> numbers) {
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  std::string out;
  out.reserve(sizeof(T) * numbers.size());
  for (const T number : numbers) append_little_endian(out, std::bit_cast<Bits>(number), sizeof(T));
  return out;
}
template std::string to_bytes(std::span<const float>);
template std::string to_bytes(std::span<const double>);

}  // namespace io
