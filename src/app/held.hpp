// Something large that never changes and is shared by the copies of a state. Part of app.hpp, which includes it.
#pragma once

#include <memory>
#include <utility>

namespace app {

/// Copies share it, and are equal when its parts are.
template <class T>
class Held {
 public:
  Held() = default;
  explicit Held(T value) : value_(std::make_shared<const T>(std::move(value))) {}
  explicit operator bool() const { return value_ != nullptr; }
  const T& operator*() const { return *value_; }
  const T* operator->() const { return value_.get(); }
  bool is_same_as(const Held& other) const { return value_ == other.value_; }
  bool operator==(const Held& other) const {
    return value_ == other.value_ || (value_ && other.value_ && *value_ == *other.value_);
  }

 private:
  std::shared_ptr<const T> value_;
};

}  // namespace app
