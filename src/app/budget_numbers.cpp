// Large numbers as the budget shows them.
//
// snprintf rather than <charconv>, as in number.cpp.
#include "app/budget_internal.hpp"

#include <cmath>
#include <cstdio>
#include <iterator>

namespace app {
namespace {

constexpr double kExact = 9007199254740992.0;  // 2^53
constexpr std::string_view kGap = "\u2009";    // thin space

std::string printed(int decimals, double value) {
  char text[64];  // fixed notation of numbers below 1e18 only
  std::snprintf(text, sizeof text, "%.*f", decimals, value);
  return text;
}

std::string in_powers(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2e", value);
  std::string all = text;
  if (const std::size_t sign = all.find("e+"); sign != std::string::npos) all.erase(sign + 1, 1);
  return all;
}

/// Three digits: "1.05", "58.0", "604".
std::string three_digits(double value) { return printed(value < 9.995 ? 2 : value < 99.95 ? 1 : 0, value); }

std::string without_last_zeros(std::string text) {
  if (text.find('.') == std::string::npos) return text;
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

}  // namespace

std::string grouped(budget::Whole value) {
  const std::string digits = std::to_string(value);
  const std::size_t sign = value < 0 ? 1 : 0;
  std::string text = digits.substr(0, sign);
  for (std::size_t i = sign; i < digits.size(); ++i) {
    if (i > sign && (digits.size() - i) % 3 == 0) text += kGap;
    text += digits[i];
  }
  return text;
}

std::string grouped(double value) {
  return std::abs(value) < kExact ? grouped(static_cast<budget::Whole>(std::llround(value))) : in_powers(value);
}

std::string figure(budget::Whole value) { return value < 10000 ? std::to_string(value) : grouped(value); }

std::string rounded(double value) { return std::abs(value) < 9999.5 ? printed(0, value) : grouped(value); }

std::string aloud(std::string text) {
  for (std::size_t gap; (gap = text.find(kGap)) != std::string::npos;) text.replace(gap, kGap.size(), ",");
  return text;
}

std::string in_short(double value) {
  if (value < 999.5) return printed(0, value);
  constexpr std::string_view units[] = {"k", "M", "B", "T"};
  for (const std::string_view unit : units) {
    value /= 1000;
    if (value < 999.5) return three_digits(value) + " " + std::string(unit);
  }
  return in_powers(value * 1e12);
}

std::string in_bytes(double bytes) {
  constexpr std::string_view units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  std::size_t unit = 0;
  while (bytes >= 1023.5 && unit + 1 < std::size(units)) bytes /= 1024, ++unit;
  const std::string number = unit == 0 ? printed(0, bytes) : without_last_zeros(three_digits(bytes));
  return (bytes < 1e6 ? number : in_powers(bytes)) + " " + std::string(units[unit]);
}

}  // namespace app
