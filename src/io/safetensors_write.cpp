// Writes safetensors files.
#include "io/json.hpp"
#include "io/safetensors.hpp"
#include "io/safetensors_internal.hpp"

#include <utility>

namespace io {
namespace {

using attention::Problem;

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text, at);
    if (length == 0) return false;
    at += length;
  }
  return true;
}

}  // namespace

std::variant<std::string, std::vector<Problem>> write_safetensors(std::span<const StoredTensor> tensors,
                                                                  std::span<const MetadataText> metadata) {
  std::vector<Problem> problems;
  const auto check_utf8 = [&](std::string_view text) {
    if (!is_utf8(text)) problems.push_back({"text " + shown(text), "bytes that aren't UTF-8", "UTF-8"});
  };
  JsonWriter json;
  json.begin_object();
  if (!metadata.empty()) {
    json.key(kMetadata).begin_object();
    for (const MetadataText& text : metadata) {
      check_utf8(text.key);
      check_utf8(text.value);
      json.member(text.key, text.value);
    }
    json.end_object();
  }
  std::uint64_t at = 0;
  for (const StoredTensor& tensor : tensors) {
    check_utf8(tensor.name);
    json.key(tensor.name).begin_object().member("dtype", name_of(tensor.dtype)).key("shape").begin_array();
    for (const std::int64_t length : tensor.shape) json.value(length);
    json.end_array().key("data_offsets").begin_array().value(at).value(at + tensor.data.size());
    json.end_array().end_object();
    at += tensor.data.size();
  }
  json.end_object();
  if (!problems.empty()) return problems;  // the writer of JSON would have replaced them

  std::string header = json.text();
  header.append((kLengthBytes - header.size() % kLengthBytes) % kLengthBytes, ' ');
  std::string bytes;
  bytes.reserve(kLengthBytes + header.size() + static_cast<std::size_t>(at));
  append_little_endian(bytes, header.size(), kLengthBytes);
  bytes += header;
  for (const StoredTensor& tensor : tensors) bytes += tensor.data;
  // The reader knows all that can be wrong with the arguments, so it is asked.
  auto read = read_safetensors(bytes);
  if (auto* refused = std::get_if<std::vector<Problem>>(&read)) return std::move(*refused);
  return bytes;
}

}  // namespace io
