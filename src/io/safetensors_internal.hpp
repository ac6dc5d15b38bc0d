// Shared by the sources of safetensors.hpp.
#pragma once

#include "io/safetensors.hpp"

namespace io {

inline constexpr std::string_view kMetadata = "__metadata__";
inline constexpr std::size_t kLengthBytes = 8;  // of the number before the header

/// The number whose bytes these are, low byte first. At most 8.
std::uint64_t little_endian(std::string_view bytes);
void append_little_endian(std::string& out, std::uint64_t number, std::size_t bytes);

/// In quotes, as the file says it; what is long is cut.
std::string shown(std::string_view text);
/// `tensor "q"`: how problems call it.
std::string field_of(const StoredTensor& tensor);

}  // namespace io
