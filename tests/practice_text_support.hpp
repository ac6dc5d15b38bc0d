// Texts of questions as the tests of practice read them: numbers in them, plain words, and what is amiss with either.
#pragma once

#include "app_support.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace practice_test {

using namespace app_test;
using app::Asks;
using app::Question;

/// How many decimals `rounding` asks for: "Round to three decimals." Absent: it asks for none.
inline std::optional<int> decimals_asked(const Question& question) {
  static constexpr std::pair<std::string_view, int> kWords[] = {
      {"one decimal", 1}, {"two decimals", 2}, {"three decimals", 3}, {"whole number", 0}};
  for (const auto& [word, decimals] : kWords)
    if (question.rounding.find(word) != std::string::npos) return decimals;
  return std::nullopt;
}

/// As one would type it: "0.804".
inline std::string typed(double value, int decimals) {
  char text[400];
  std::snprintf(text, sizeof text, "%.*f", decimals, value);
  return text;
}

inline std::string with_minus(std::string text) {
  for (std::size_t at; (at = text.find("\u2212")) != std::string::npos;) text.replace(at, 3, "-");
  return text;
}

/// The number that a text ends in: "… = 0.881" → 0.881; "12 288" and "12,288" are counts. Absent: it ends in none.
inline std::optional<double> last_number(const std::string& shown) {
  std::string text = with_minus(shown);
  const std::size_t last = text.find_last_of("0123456789");
  if (last == std::string::npos || text.find_first_not_of(" .])", last + 1) != std::string::npos) return std::nullopt;
  std::size_t first = last;
  while (first > 0 && (std::string_view("0123456789.,e-").find(text[first - 1]) != std::string_view::npos ||
                       (text[first - 1] == ' ' && first > 1 &&
                        std::isdigit(static_cast<unsigned char>(text[first - 2])) && last - first >= 2)))
    --first;
  std::string digits = text.substr(first, last - first + 1);
  std::erase(digits, ','), std::erase(digits, ' ');
  char* end = nullptr;
  const double value = std::strtod(digits.c_str(), &end);
  return end == digits.c_str() ? std::nullopt : std::optional(value);
}

inline std::string plain_of(const std::vector<Part>& parts) {
  std::string text;
  for (const Part& part : parts) {
    if (part.kind == Part::Kind::line_break_hint) continue;
    if (!text.empty()) text += ' ';
    text += part.kind == Part::Kind::blank ? "?" : to_plain(part.text);
    if (part.kind == Part::Kind::fraction) text += " / " + to_plain(part.below);
    if (part.kind == Part::Kind::root_fraction) text += " / √" + to_plain(part.below);
  }
  return text;
}

/// The numbers in <m>…</m>, in order.
inline std::vector<std::string> mono_numbers(const std::string& rich) {
  std::vector<std::string> found;
  for (std::size_t at = 0; (at = rich.find("<m>", at)) != std::string::npos;) {
    const std::size_t end = rich.find("</m>", at);
    if (end == std::string::npos) break;
    found.push_back(to_plain(rich.substr(at + 3, end - at - 3)));
    at = end;
  }
  return found;
}

/// Characters that the program's fonts have (web/fonts.mjs).
inline bool can_be_drawn(std::string_view text) {
  static constexpr std::string_view kMore[] = {"·", "×", "÷", "−", "…", "→", "←", "√", "∞",
                                               "≈", "≤", "≥", "±", "’", "“", "”", "–", "α"};
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] >= 0x20 && text[i] < 0x7f) {
      ++i;
      continue;
    }
    const auto* known =
        std::find_if(std::begin(kMore), std::end(kMore), [&](auto more) { return text.substr(i).starts_with(more); });
    if (known == std::end(kMore)) return false;
    i += known->size();
  }
  return true;
}

/// What is amiss with a rich text; "" when nothing is.
inline std::string rich_fault(const std::string& rich) {
  std::vector<char> open;
  std::vector<bool> groups;
  for (std::size_t i = 0; i < rich.size(); ++i) {
    if (rich[i] == '\\') {
      ++i;
    } else if (rich[i] == '<') {
      const bool closes = rich.compare(i, 2, "</") == 0;
      const std::size_t name = i + (closes ? 2 : 1);
      if (name + 1 >= rich.size() || rich[name + 1] != '>' ||
          std::string_view("bimMqwk").find(rich[name]) == std::string_view::npos)
        return "a '<' that is no tag";
      if (!closes)
        open.push_back(rich[name]);
      else if (open.empty() || open.back() != rich[name])
        return "a tag closed that isn't open";
      else
        open.pop_back();
      i = name + 1;
    } else if (rich[i] == '_' || rich[i] == '^') {
      if (i + 1 >= rich.size() || rich[i + 1] != '{') return "an index without braces";
      groups.push_back(true);
      ++i;
    } else if (rich[i] == '{') {
      return "a brace without an index";
    } else if (rich[i] == '}') {
      if (groups.empty()) return "a brace closed that isn't open";
      groups.pop_back();
    }
  }
  if (!open.empty()) return "a tag that stays open";
  if (!groups.empty()) return "an index that stays open";
  return "";
}

/// What is amiss with words that people read; "" when nothing is.
inline std::string words_fault(const std::string& plain) {
  if (plain.find_first_of("<>{}\\") != std::string::npos) return "markup that is left";
  if (!can_be_drawn(plain)) return "a character that the fonts don't have";
  if (plain.find('!') != std::string::npos) return "an exclamation mark";
  if (plain.find('\'') != std::string::npos) return "a typewriter's apostrophe";
  if (plain.find("  ") != std::string::npos) return "two spaces";
  std::string low = " " + plain + " ";
  std::transform(low.begin(), low.end(), low.begin(), [](char c) {
    return std::isalpha(static_cast<unsigned char>(c)) ? static_cast<char>(std::tolower(c)) : c;
  });
  for (const std::string_view word : {"nan", "inf", "not a number", "wrong", "mistake", "error", "-inf"})
    for (std::size_t at = 0; (at = low.find(word, at)) != std::string::npos; ++at)
      if (!std::isalpha(static_cast<unsigned char>(low[at - 1])) &&
          !std::isalpha(static_cast<unsigned char>(low[at + word.size()])))
        return "the word \"" + std::string(word) + "\"";
  for (std::size_t at = 0; (at = low.find('-', at)) != std::string::npos; ++at)
    if (low[at - 1] == ' ' && std::isdigit(static_cast<unsigned char>(low[at + 1]))) return "a hyphen for a minus";
  for (std::size_t at = 0; (at = low.find("∞", at)) != std::string::npos; ++at)
    if (at < 4 || low.compare(at - 3, 3, "−") != 0) return "a plus infinity";
  return "";
}

}  // namespace practice_test
