// Where lines are broken: no last line holds a word alone, and no sign of a formula begins or ends a line. Private to
// `ui`.
#pragma once

#include "ui/draw.hpp"

#include <string>
#include <string_view>

namespace ui {

/// `w`, or where the last line would be a word or two: a smaller width, at least `least` of it, in which the text takes
/// no more lines.
inline float even_width(const Draw& d, std::string_view rich, float size, Face face, float w, float least = 0.8f) {
  const int lines = d.wrap_lines(rich, size, face, w);
  constexpr float kFull = 0.93f, kShort = 0.25f;  // how full lines are before the last one; a last line too short
  if (lines < 2 || d.rich_width(rich, size, face) > w * (kFull * static_cast<float>(lines - 1) + kShort)) return w;
  float even = w;
  while (even - 4 >= least * w && d.wrap_lines(rich, size, face, even - 4) == lines) even -= 4;
  return even;
}

/// With gaps that don't break around "=", "/" and "·", and in short parentheses. As wide as before.
inline std::string tied(std::string_view rich) {
  constexpr std::string_view kGap = "\u2009", kDot = "·";  // as wide as Inter's space
  constexpr std::size_t kShort = 14;
  std::string out;
  for (std::size_t i = 0; i < rich.size(); ++i) {
    const std::string_view before = rich.substr(0, i), after = rich.substr(i + 1);
    const bool sign = before.ends_with(" =") || before.ends_with(" /") || before.ends_with(kDot) ||
                      after.starts_with("= ") || after.starts_with("/ ") || after.starts_with(kDot);
    const std::size_t open = before.rfind('('), close = after.find(')');
    const bool inside = open != before.npos && before.find(')', open) == before.npos && close != after.npos &&
                        after.find('(') >= close && i - open + close <= kShort;
    if (rich[i] == ' ' && (sign || inside))
      out += kGap;
    else
      out += rich[i];
  }
  return out;
}

}  // namespace ui
