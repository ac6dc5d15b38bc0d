// Writes JSON text (RFC 8259): keys and values in the order given, nothing else.
// What it can't say: NaN and the infinities, which JSON has no number for, become null.
#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <vector>

namespace io {

/// Shortest decimal text that reads back as the same bits: "0.1", "1e+22", "-0.0" (the sign survives readers
/// that take "-0" for a whole number). "nan", "inf", "-inf" where there is no number.
/// The same text on every platform and in every locale.
std::string number_text(double value);

/// `text` in double quotes. Control characters, quote and backslash are escaped; bytes that aren't UTF-8
/// become U+FFFD, so that the result is always valid JSON.
std::string quoted_text(std::string_view text);

/// How many bytes the well-formed UTF-8 sequence at `at` has, 0 when there is none (Unicode 15, table 3-7). A caller's
/// duty: at < text.size().
std::size_t utf8_length(std::string_view text, std::size_t at);

/// Where a list or an object puts its members: each on a line of its own, or all on one.
enum class Lines { own, one };

/// Builds one JSON text. A caller's duty (asserted): a key before each value of an object, none elsewhere,
/// every begin ended, one value at the top.
///
///   JsonWriter json;
///   json.begin_object().key("step").value(2).key("cells").begin_array().value(0.5).end_array().end_object();
///   json.text()  →  {"step":2,"cells":[0.5]}
class JsonWriter {
 public:
  /// `indent` 0: no white space at all, else so many spaces a level.
  explicit JsonWriter(int indent = 0) : indent_(indent) {}

  JsonWriter& begin_object(Lines lines = Lines::own) { return begin('{', lines); }
  JsonWriter& end_object() { return end('}'); }
  JsonWriter& begin_array(Lines lines = Lines::own) { return begin('[', lines); }
  JsonWriter& end_array() { return end(']'); }

  JsonWriter& key(std::string_view name);

  JsonWriter& value(std::string_view text) { return put(quoted_text(text)); }
  JsonWriter& value(const char* text) { return put(quoted_text(text)); }  // else a literal would be taken for a bool
  JsonWriter& value(bool truth) { return put(truth ? "true" : "false"); }
  JsonWriter& value(double number);  // not finite: null
  template <std::integral Whole>
  JsonWriter& value(Whole number) {
    return put(std::to_string(number));
  }
  JsonWriter& null() { return put("null"); }

  /// key and value in one.
  template <class Value>
  JsonWriter& member(std::string_view name, const Value& it) {
    return key(name).value(it);
  }

  /// What has been written. Whole once every begin has been ended (asserted).
  const std::string& text() const;

 private:
  struct Scope {
    char opened;  // '{' or '['
    Lines lines;
    bool empty = true;
  };
  JsonWriter& begin(char bracket, Lines lines);
  JsonWriter& end(char bracket);
  JsonWriter& put(std::string_view text);
  void before_member();
  void new_line();

  std::string text_;
  std::vector<Scope> scopes_;  // innermost last
  int indent_;
  bool after_key_ = false;
};

}  // namespace io
