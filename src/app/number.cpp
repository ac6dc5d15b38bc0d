// Numbers as people type them, as links carry them, and as matrices show them.
//
// snprintf and strtod rather than <charconv>: libc++'s tables for it would be a large part of the download.
#include "app/internal.hpp"
#include "io/json.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

namespace app {
namespace {

constexpr std::string_view kMinus = "\u2212";
constexpr std::string_view kExample = "a number such as 0.9 or \u22123";
constexpr std::size_t kLongestText = 64;

attention::Problem refused(std::string found, std::string wanted = std::string(kExample)) {
  return {"number", std::move(found), std::move(wanted)};
}

std::string printed(const char* format, int digits, double value) {
  char text[64];  // the longest is "-1.7976931348623157e+308"; fixed notation is only asked for below 1e5
  std::snprintf(text, sizeof text, format, digits, value);
  return text;
}

/// "7.2e+25" -> "7.2e25", "1.0e+05" -> "1e5", "4e-04" -> "4e-4"
std::string tidy_exponent(std::string text) {
  const std::size_t e = text.find('e');
  if (e == std::string::npos) return text;
  std::string digits = text.substr(0, e), exponent = text.substr(e + 1);
  if (digits.find('.') != std::string::npos) {
    while (digits.back() == '0') digits.pop_back();
    if (digits.back() == '.') digits.pop_back();
  }
  const bool negative = exponent[0] == '-';
  const std::size_t first = exponent.find_first_not_of("+-0");
  return digits + (negative ? "e-" : "e") + (first == std::string::npos ? "0" : exponent.substr(first));
}

std::string with_minus_sign(std::string text) {
  for (std::size_t at = 0; (at = text.find('-', at)) != std::string::npos; at += kMinus.size())
    text.replace(at, 1, kMinus);
  return text;
}

std::string in_powers(double value, int decimals) {
  return with_minus_sign(tidy_exponent(printed("%.*e", decimals, value)));
}

std::string without_last_zeros(std::string text) {
  if (text.find('.') == std::string::npos || text.find('e') != std::string::npos) return text;
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

bool starts_like(std::string_view text, std::string_view word) {  // word in lower case
  if (text.size() < word.size()) return false;
  for (std::size_t i = 0; i < word.size(); ++i)
    if ((text[i] | 0x20) != word[i]) return false;
  return true;
}

}  // namespace

std::variant<double, attention::Problem> read_unlimited(std::string_view text) {
  const std::string_view whole = trim(text);
  if (whole.empty()) return refused("nothing");
  const std::string shown = "\"" + quote(whole) + "\"";
  if (whole.size() > kLongestText) return refused(shown, "at most " + std::to_string(kLongestText) + " characters");

  std::string plain;  // what strtod reads: ASCII sign, "." as separator
  std::string_view rest = whole;
  if (rest.starts_with(kMinus))
    plain = "-", rest.remove_prefix(kMinus.size());
  else if (rest[0] == '-' || rest[0] == '+')
    plain = rest[0], rest.remove_prefix(1);

  if (starts_like(rest, "nan")) return refused(shown + ", which is not a number");
  if (starts_like(rest, "inf") || rest.starts_with("\u221E")) return refused(shown + ", which is infinite");
  if (starts_like(rest, "0x")) return refused(shown + ", which is hexadecimal");

  int separators = 0, digits = 0;
  bool zero = true;
  std::size_t i = 0;
  for (; i < rest.size(); ++i) {
    const char c = rest[i];
    if (c >= '0' && c <= '9')
      plain += c, ++digits, zero = zero && c == '0';
    else if (c == '.' || c == ',')
      plain += '.', ++separators;
    else
      break;
  }
  if (digits == 0) return refused(shown);
  if (separators > 1) return refused(shown + ", with more than one separator");
  // "0,125" can only be a fraction; "1,000" is one to some readers and a thousand to others.
  const std::size_t comma = rest.substr(0, i).find(',');
  if (comma != std::string_view::npos && comma >= 1 && comma <= 3 && i - comma - 1 == 3 && rest[0] != '0')
    return refused(shown + ", which can be read in two ways", "a point before decimals and nothing between thousands");
  if (i < rest.size() && (rest[i] == 'e' || rest[i] == 'E')) {
    std::string exponent = "e";
    std::size_t j = i + 1;
    if (rest.substr(j).starts_with(kMinus))
      exponent += '-', j += kMinus.size();
    else if (j < rest.size() && (rest[j] == '-' || rest[j] == '+'))
      exponent += rest[j], ++j;
    const std::size_t first = j;
    while (j < rest.size() && rest[j] >= '0' && rest[j] <= '9') exponent += rest[j], ++j;
    if (j > first) plain += exponent, i = j;
  }
  if (i < rest.size()) return refused(shown + ", with \"" + quote(rest.substr(i)) + "\" after the number");

  const double value = std::strtod(plain.c_str(), nullptr);
  if (value == 0 && !zero) return refused(shown + ", too close to 0 to be kept", "0, or a number further from it");
  return value == 0 ? 0.0 : value;
}

std::variant<double, attention::Problem> read_number(std::string_view text) {
  auto read = read_unlimited(text);
  if (const double* value = std::get_if<double>(&read); value && !(std::abs(*value) <= kLargestNumber))
    return refused("\"" + quote(trim(text)) + "\", which is too large",
                   "a number from " + format_short(-kLargestNumber) + " to " + format_short(kLargestNumber));
  return read;
}

std::string to_text(double value) {
  std::string text = io::number_text(value);
  std::erase(text, '+');  // "1e+22": in a link "+" would be a space
  return text;
}

std::string format_number(double value, int decimals) {
  if (std::isnan(value)) return "not a number";
  const std::string sign(value < 0 ? kMinus : "");
  const double size = std::abs(value);
  if (std::isinf(size)) return sign + "∞";
  if (size >= 99999.5) return in_powers(value, 1);
  const int before = size < 10 ? 1 : size < 100 ? 2 : size < 1000 ? 3 : size < 10000 ? 4 : 5;
  const std::string text = printed("%.*f", std::max(0, std::min(decimals, decimals + 2 - before)), size);
  return text.find_first_of("123456789") == std::string::npos ? text : sign + text;
}

std::string format_short(double value) {
  if (value == kLargestNumber || value == -kLargestNumber) return value < 0 ? "\u22121000000" : "1000000";
  const std::string text = without_last_zeros(format_number(value, 3));
  return text == "0" && value != 0 ? in_powers(value, 0) : text;
}

std::string format_percent(double share) {
  const std::string text = printed("%.*f", 1, share * 100);
  if (text == "0.0" && share > 0) return "less than 0.1 %";
  if (text == "100.0" && share < 1) return "more than 99.9 %";
  return (text == "100.0" ? "100" : text == "0.0" ? "0" : text) + " %";
}

int decimals_of(const attention::Matrix<double>& matrix, int most) {
  for (Eigen::Index i = 0; i < matrix.size(); ++i) {
    const double value = matrix.data()[i];
    if (std::isfinite(value) && value != std::floor(value)) return most;
  }
  return 0;
}

std::string text_of(const State& state, const Derived& derived, const Cell& cell) {
  const double value = value_of(state, derived, cell);
  int decimals = 3;
  switch (cell.tensor) {
    case Tensor::Q:
    case Tensor::K:
    case Tensor::V: return format_short(value);
    case Tensor::pattern:
      if (!may_attend(state.document, cell.row, cell.col)) return "0";
      break;
    case Tensor::concat:
    case Tensor::output: decimals = 2; break;
    default:
      if (attention::is_given(cell.tensor)) return format_short(value);
  }
  const auto* matrix = matrix_of(state.document, &derived.trace, cell.tensor, cell.head);
  return format_number(value, matrix ? decimals_of(*matrix, decimals) : decimals);
}

}  // namespace app
