// Reads JSON text from front to back; the first mistake ends it.
#include "io/json_reader.hpp"

#include "io/json.hpp"

#include <cassert>
#include <cstdio>
#include <utility>

namespace io {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_high_surrogate(std::uint32_t unit) { return unit >= 0xD800u && unit <= 0xDBFFu; }
bool is_low_surrogate(std::uint32_t unit) { return unit >= 0xDC00u && unit <= 0xDFFFu; }

/// A code point that is no surrogate, as UTF-8 (Unicode 15, table 3-6).
void append_utf8(std::string& out, std::uint32_t code) {
  const auto put = [&](std::uint32_t byte) { out += static_cast<char>(static_cast<unsigned char>(byte)); };
  const auto put_tail = [&](int shift) { put(0x80u | (code >> shift & 0x3Fu)); };
  if (code < 0x80u) return put(code);
  if (code < 0x800u) {
    put(0xC0u | code >> 6);
  } else if (code < 0x10000u) {
    put(0xE0u | code >> 12);
    put_tail(6);
  } else {
    put(0xF0u | code >> 18);
    put_tail(12);
    put_tail(6);
  }
  put_tail(0);
}

/// What stands at `at`: one character in quotes, or the byte where it isn't UTF-8.
std::string found_at(std::string_view text, std::size_t at) {
  if (at >= text.size()) return "the end";
  if (const std::size_t length = utf8_length(text, at); length > 0) return quoted_text(text.substr(at, length));
  char byte[16];
  std::snprintf(byte, sizeof byte, "byte 0x%02x", static_cast<unsigned>(static_cast<unsigned char>(text[at])));
  return byte;
}

}  // namespace

JsonReader::Kind JsonReader::kind() {
  skip_space();
  if (failed() || at_ == text_.size()) return Kind::none;
  const char c = text_[at_];
  if (c == '{') return Kind::object;
  if (c == '[') return Kind::list;
  if (c == '"') return Kind::string;
  if (c == '-' || is_digit(c)) return Kind::number;
  return c == 't' || c == 'f' || c == 'n' ? Kind::word : Kind::none;
}

void JsonReader::begin() {
  [[maybe_unused]] const Kind opened = kind();
  if (failed()) return;
  assert(opened == Kind::object || opened == Kind::list);
  if (depth_ == kDeepest) return fail("at most " + std::to_string(kDeepest) + " brackets inside each other");
  ++depth_;
  ++at_;
  first_ = true;
}

bool JsonReader::next_key(std::string& key) {
  if (!more('}')) return false;
  key = string();
  skip_space();
  if (!failed() && !take(':')) fail("a colon");
  return !failed();
}

bool JsonReader::next_item() { return more(']'); }

std::string JsonReader::string() {
  skip_space();
  std::string out;
  if (!failed() && !take('"')) fail("a string in double quotes");
  while (!failed()) {
    if (take('"')) return out;
    if (at_ == text_.size()) {
      fail("the string's closing quote");
    } else if (text_[at_] == '\\') {
      escape(out);
    } else if (static_cast<unsigned char>(text_[at_]) < 0x20u) {
      fail("a control character written as \\u and four digits");
    } else if (const std::size_t length = utf8_length(text_, at_); length > 0) {
      out += text_.substr(at_, length);
      at_ += length;
    } else {
      fail("UTF-8");
    }
  }
  return "";
}

std::string_view JsonReader::number() {
  skip_space();
  const std::size_t begin = at_;
  take('-');
  if (!take('0')) digits();
  if (take('.')) digits();
  if (take('e') || take('E')) {
    if (!take('+')) take('-');
    digits();
  }
  return failed() ? std::string_view() : text_.substr(begin, at_ - begin);
}

void JsonReader::skip() {
  switch (kind()) {
    case Kind::object:
      begin();
      for (std::string key; next_key(key);) skip();
      break;
    case Kind::list:
      begin();
      while (next_item()) skip();
      break;
    case Kind::string: string(); break;
    case Kind::number: number(); break;
    case Kind::word: word(); break;
    case Kind::none: fail("a value");
  }
}

void JsonReader::end() {
  skip_space();
  if (at_ < text_.size()) fail("only white space after the last bracket");
}

/// Goes to the next member, or takes the closing bracket.
bool JsonReader::more(char bracket) {
  if (failed()) return false;
  skip_space();
  const bool first = std::exchange(first_, false);
  if (take(bracket)) {
    --depth_;
    return false;
  }
  if (first || take(',')) return true;
  fail(bracket == '}' ? "a comma or }" : "a comma or ]");
  return false;
}

bool JsonReader::take(char c) {
  if (at_ == text_.size() || text_[at_] != c) return false;
  ++at_;
  return true;
}

void JsonReader::word() {
  for (const std::string_view word : {"true", "false", "null"}) {
    if (!text_.substr(at_).starts_with(word)) continue;
    at_ += word.size();
    return;
  }
  fail("a value");
}

void JsonReader::digits() {
  if (at_ == text_.size() || !is_digit(text_[at_])) return fail("a digit");
  while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
}

/// Takes a backslash and what belongs to it, and adds what they stand for.
void JsonReader::escape(std::string& out) {
  constexpr std::string_view kLetters = "\"\\/bfnrt", kMeanings = "\"\\/\b\f\n\r\t";
  const std::size_t begin = at_++;
  if (at_ == text_.size()) return fail("what the backslash stands before");
  if (const std::size_t which = kLetters.find(text_[at_]); which != std::string_view::npos) {
    out += kMeanings[which];
    ++at_;
    return;
  }
  if (!take('u')) return fail("one of \" \\ / b f n r t u after a backslash");
  std::uint32_t code = four_hex_digits();
  bool whole = !is_low_surrogate(code);
  if (is_high_surrogate(code)) {
    const std::uint32_t low = take('\\') && take('u') ? four_hex_digits() : 0;
    whole = is_low_surrogate(low);
    code = 0x10000u + ((code - 0xD800u) << 10) + (low - 0xDC00u);
  }
  if (failed()) return;
  if (!whole) {
    at_ = begin;
    return fail("surrogates in pairs");
  }
  append_utf8(out, code);
}

std::uint32_t JsonReader::four_hex_digits() {
  std::uint32_t out = 0;
  for (int i = 0; i < 4; ++i, ++at_) {
    const char c = at_ < text_.size() ? text_[at_] : '\0', lower = static_cast<char>(c | 0x20);
    const bool letter = lower >= 'a' && lower <= 'f';
    if (!is_digit(c) && !letter) return fail("four hexadecimal digits after \\u"), 0;
    out = out << 4 | static_cast<std::uint32_t>(letter ? lower - 'a' + 10 : c - '0');
  }
  return out;
}

void JsonReader::skip_space() {
  while (take(' ') || take('\n') || take('\r') || take('\t')) {
  }
}

void JsonReader::fail(std::string wanted) {
  if (failed()) return;
  problem_ = attention::Problem{"byte " + std::to_string(at_ + 1), found_at(text_, at_), std::move(wanted)};
}

}  // namespace io
