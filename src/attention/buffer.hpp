// Memory that only grows, aligned to a cache line; running out is an answer, not an abort.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <utility>

namespace attention {

class Buffer {
 public:
  Buffer() = default;
  ~Buffer() { std::free(data_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  /// Room for `wanted` floats; what was in it is lost when it has to grow. False: no memory, and nothing changed.
  [[nodiscard]] bool reserve(std::uint64_t wanted) {
    if (wanted <= count_) return true;
    if (wanted > (std::numeric_limits<std::size_t>::max() - kLine) / sizeof(float)) return false;
    const std::size_t count = static_cast<std::size_t>(wanted);
    const std::size_t bytes = (count * sizeof(float) + kLine - 1) / kLine * kLine;
    void* grown = std::aligned_alloc(kLine, bytes);
    if (grown == nullptr) return false;
    std::free(data_);
    data_ = static_cast<float*>(grown);
    count_ = count;
    return true;
  }
  float* data() const { return data_; }
  std::size_t bytes() const { return count_ * sizeof(float); }
  void swap(Buffer& other) {
    std::swap(data_, other.data_);
    std::swap(count_, other.count_);
  }

 private:
  static constexpr std::size_t kLine = 64;
  float* data_ = nullptr;
  std::size_t count_ = 0;
};

}  // namespace attention
