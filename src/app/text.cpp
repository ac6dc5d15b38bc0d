// Plain text: quoting what others wrote, splitting, counting in words.
#include "app/internal.hpp"

#include <array>

namespace app {
namespace {

/// Bytes of the UTF-8 character that starts at `text[0]`, 0 when there is no valid one.
std::size_t character_size(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  const std::size_t size = first < 0x80                    ? 1
                           : first >= 0xC2 && first < 0xE0 ? 2
                           : first >= 0xE0 && first < 0xF0 ? 3
                           : first >= 0xF0 && first < 0xF5 ? 4
                                                           : 0;
  if (size == 0 || size > text.size()) return 0;
  for (std::size_t i = 1; i < size; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  if ((first == 0xE0 && byte(1) < 0xA0) || (first == 0xED && byte(1) > 0x9F) ||  // too long; surrogates
      (first == 0xF0 && byte(1) < 0x90) || (first == 0xF4 && byte(1) > 0x8F))
    return 0;
  return size;
}

}  // namespace

std::string quote(std::string_view text, std::size_t most) {
  std::string result;
  std::size_t count = 0;
  while (!text.empty()) {
    if (count++ == most) return result + "…";
    const std::size_t size = character_size(text);
    const auto first = static_cast<unsigned char>(text[0]);
    if (size == 0 || first < 0x20 || first == 0x7F)
      result += '?';
    else
      result += text.substr(0, size);
    text.remove_prefix(size == 0 ? 1 : size);
  }
  return result;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n\f\v";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::string join(const std::vector<std::string>& words, std::string_view last) {
  std::string result;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) result += i + 1 == words.size() ? " " + std::string(last) + " " : ", ";
    result += words[i];
  }
  return result;
}

std::optional<int> read_count(std::string_view text) {
  if (text.empty() || text.size() > 6) return std::nullopt;
  int value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + (c - '0');
  }
  return value;
}

std::string count_word(int n) {
  static constexpr std::array<std::string_view, 13> words = {
      "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"};
  return n >= 0 && n <= 12 ? std::string(words[static_cast<std::size_t>(n)]) : std::to_string(n);
}

std::string ordinal_word(int n) {
  static constexpr std::array<std::string_view, 13> words = {"0th",   "first",    "second",  "third",  "fourth",
                                                             "fifth", "sixth",    "seventh", "eighth", "ninth",
                                                             "tenth", "eleventh", "twelfth"};
  if (n >= 0 && n <= 12) return std::string(words[static_cast<std::size_t>(n)]);
  const int last = n % 100 / 10 == 1 ? 0 : n % 10;
  return std::to_string(n) + (last == 1 ? "st" : last == 2 ? "nd" : last == 3 ? "rd" : "th");
}

std::string capitalise(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

}  // namespace app
