// Reads JSON text (RFC 8259) from front to back, piece by piece, and stops at the first thing that isn't JSON.
// Strict, and small in wasm.
#pragma once

#include "attention/attention.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace io {

/// The caller asks for what it wants and sees every key as often as it stands there:
///
///   JsonReader json(R"({"shape": [2, 3]})");
///   json.begin();
///   for (std::string key; json.next_key(key);) {            // "shape"
///     json.begin();
///     while (json.next_item()) use(json.number());          // "2", "3"
///   }
///   json.end();
///   if (json.problem()) …
///
/// After a mistake nothing more is read: loops end, strings and numbers are empty, and `problem` stays what it was.
/// Strings must be UTF-8, and escaped surrogates come in pairs. Nothing recurses deeper than kDeepest.
class JsonReader {
 public:
  enum class Kind : std::uint8_t { object, list, string, number, word, none };  // word: true, false or null
  static constexpr int kDeepest = 16;  // brackets inside each other: more than any format here has

  explicit JsonReader(std::string_view text) : text_(text) {}

  Kind kind();       // of the value that comes next, without taking it; none: no value begins here
  void begin();      // takes the bracket of an object or a list
  bool next_key(std::string& key);  // false after an object's last member, whose bracket is then taken
  bool next_item();                 // the same for a list
  std::string string();             // without its escapes
  std::string_view number();        // as it is written
  void skip();                      // any value with all that is in it
  std::size_t at() const { return at_; }  // bytes read so far: before a value, perhaps white space ahead of it
  void end();                       // nothing but white space may be left

  bool failed() const { return problem_.has_value(); }
  /// "byte 17" (counted from 1), what stands there, and what JSON has there.
  const std::optional<attention::Problem>& problem() const { return problem_; }

 private:
  bool more(char bracket);
  bool take(char c);
  void word();
  void digits();
  void escape(std::string& out);
  std::uint32_t four_hex_digits();
  void skip_space();
  void fail(std::string wanted);

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
  bool first_ = false;  // just after an opening bracket: no comma before the member
  std::optional<attention::Problem> problem_;
};

}  // namespace io
