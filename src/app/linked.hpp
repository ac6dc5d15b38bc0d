// What takes a page's pairs out of a link and tells the learner its doubts.
#pragma once

#include <string_view>

namespace app {

class Linked {
 public:
  using Say = void (*)(void* to, std::string_view key, std::string_view value, std::string_view rest);
  Linked(Say teller, void* to) : say_(teller), to_(to) {}

 protected:
  /// "key=value: rest"
  void say(std::string_view key, std::string_view value, std::string_view rest) const { say_(to_, key, value, rest); }

 private:
  Say say_;
  void* to_;
};

}  // namespace app
