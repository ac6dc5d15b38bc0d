// Writes JSON text: shortest numbers, escaped strings, brackets and commas.
#include "io/json.hpp"

#include <cassert>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace io {

// Not std::to_chars: libc++'s brings 100 KB of tables into the wasm. 15 digits always come back from a normal
// double and 17 always lead back to it (IEEE 754), so at most three lengths are tried; a subnormal has fewer bits.
std::string number_text(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  if (value == 0) return std::signbit(value) ? "-0.0" : "0";
  char buffer[40];
  for (int digits = std::fabs(value) < DBL_MIN ? 1 : 15; digits <= 17; ++digits) {
    std::snprintf(buffer, sizeof buffer, "%.*g", digits, value);
    if (std::strtod(buffer, nullptr) == value) break;
  }
  std::string text = buffer;
  if (const std::size_t comma = text.find(','); comma != std::string::npos) text[comma] = '.';  // the host's locale
  return text;
}

std::string quoted_text(std::string_view text) {
  std::string out = "\"";
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text, at);
    const char c = text[at];
    if (length == 0) {
      out += "\xEF\xBF\xBD";  // U+FFFD
    } else if (length > 1) {
      out += text.substr(at, length);
    } else if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20u || c == 0x7F) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
      out += escape;
    } else {
      out += c;
    }
    at += length == 0 ? 1 : length;
  }
  out += '"';
  return out;
}

std::size_t utf8_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const auto tail = [&](std::size_t i) { return byte(i) >= 0x80u && byte(i) <= 0xBFu; };
  const unsigned first = byte(at);
  const unsigned second = byte(at + 1);
  if (first < 0x80u) return 1;
  if (first >= 0xC2u && first <= 0xDFu) return tail(at + 1) ? 2 : 0;
  if (first >= 0xE0u && first <= 0xEFu) {
    const bool overlong = first == 0xE0u && second < 0xA0u;
    const bool surrogate = first == 0xEDu && second > 0x9Fu;
    return tail(at + 1) && tail(at + 2) && !overlong && !surrogate ? 3 : 0;
  }
  if (first >= 0xF0u && first <= 0xF4u) {
    const bool overlong = first == 0xF0u && second < 0x90u;
    const bool too_high = first == 0xF4u && second > 0x8Fu;
    return tail(at + 1) && tail(at + 2) && tail(at + 3) && !overlong && !too_high ? 4 : 0;
  }
  return 0;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  assert(!scopes_.empty() && scopes_.back().opened == '{' && !after_key_);
  before_member();
  text_ += quoted_text(name);
  text_ += indent_ > 0 ? ": " : ":";
  after_key_ = true;
  return *this;
}

JsonWriter& JsonWriter::value(double number) { return std::isfinite(number) ? put(number_text(number)) : null(); }

const std::string& JsonWriter::text() const {
  assert(scopes_.empty() && !text_.empty());
  return text_;
}

JsonWriter& JsonWriter::begin(char bracket, Lines lines) {
  const char text[] = {bracket, '\0'};
  put(text);
  const bool inside_one_line = !scopes_.empty() && scopes_.back().lines == Lines::one;
  scopes_.push_back({bracket, inside_one_line ? Lines::one : lines});
  return *this;
}

JsonWriter& JsonWriter::end(char bracket) {
  assert(!scopes_.empty() && scopes_.back().opened == (bracket == '}' ? '{' : '[') && !after_key_);
  const Scope closed = scopes_.back();
  scopes_.pop_back();
  if (!closed.empty && closed.lines == Lines::own) new_line();
  text_ += bracket;
  return *this;
}

JsonWriter& JsonWriter::put(std::string_view text) {
  if (after_key_) {
    after_key_ = false;
  } else {
    assert(scopes_.empty() ? text_.empty() : scopes_.back().opened == '[');
    before_member();
  }
  text_ += text;
  return *this;
}

/// The comma after the member before, and the place for this one.
void JsonWriter::before_member() {
  if (scopes_.empty()) return;
  Scope& scope = scopes_.back();
  if (!scope.empty) text_ += ',';
  if (scope.lines == Lines::own) {
    new_line();
  } else if (!scope.empty && indent_ > 0) {
    text_ += ' ';
  }
  scope.empty = false;
}

void JsonWriter::new_line() {
  if (indent_ == 0) return;
  text_ += '\n';
  text_.append(scopes_.size() * static_cast<std::size_t>(indent_), ' ');
}

}  // namespace io
