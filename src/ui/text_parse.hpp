// Rich text as data. The markup is app.hpp's ("words"): <b> <i> <m> <M> <q> <w> <k>, _{…} ^{…}, "\" before < _ ^ \.
#pragma once

#include "ui/draw.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ui {

struct Span {
  enum class Ink : std::uint8_t { inherited, ink2, ink3 };
  std::string text;
  Face face = Face::sans;
  Ink ink = Ink::inherited;
  int chip = 0;  // 0: none, else which chip it stands on
  bool operator==(const Span&) const = default;
};

/// A stretch of the line: ordinary text (one span), or a sub- or superscript.
struct Piece {
  enum class Kind : std::uint8_t { line, sub, sup } kind = Kind::line;
  std::vector<Span> spans;
  bool stacked = false;  // a superscript with its subscript right behind: both start at one x
  bool operator==(const Piece&) const = default;
};

/// Never fails: tags that aren't ours, unclosed braces and stray backslashes are text; unclosed tags end with the
/// source.
std::vector<Piece> parse_rich(std::string_view source, Face face);

/// The tags that are still open at the end of `source`, as source: "<b><q>".
std::string open_tags(std::string_view source);

}  // namespace ui
