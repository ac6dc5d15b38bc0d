// Rich text on the line: where each run goes, chips behind, lines broken at spaces.
#include "ui/text_parse.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace ui {

struct Draw::Run {
  std::string text;
  Face face;
  Colour colour;
  int chip;
  float x, dy, size, width;
};

std::vector<Draw::Run> Draw::layout(std::string_view source, float size, Face face, Colour colour, float& total) const {
  std::vector<Run> runs;
  const float small = size >= 20 ? 14 : size >= 16 ? 12 : size >= 13 ? 10.5f : 9.5f;
  const float space = size >= 16 ? 1 : 0.5f;  // before and after a sub- or superscript
  float x = 0, stack_end = 0;
  const auto add = [&](const Span& span, float at, float dy, float run_size) {
    const Colour shade = span.ink == Span::Ink::ink2 ? c.ink2 : span.ink == Span::Ink::ink3 ? c.ink3 : colour;
    const float w = width(span.text, run_size, span.face);
    runs.push_back({span.text, span.face, shade, span.chip, at, dy, run_size, w});
    return w;
  };
  for (const Piece& piece : parse_rich(source, face)) {
    if (piece.kind == Piece::Kind::line) {
      for (const Span& span : piece.spans) x += add(span, x, 0, size);
      continue;
    }
    const float dy = piece.kind == Piece::Kind::sub ? size * 0.24f : -size * 0.36f;
    const bool chip = std::any_of(piece.spans.begin(), piece.spans.end(), [](const Span& s) { return s.chip != 0; });
    float at = x + space + (chip ? 2.5f : 0);
    for (const Span& span : piece.spans) at += add(span, at, dy, small);
    if (piece.stacked) {
      stack_end = at;
    } else {
      x = std::max(at, stack_end) + space;
      stack_end = 0;
    }
  }
  total = x;
  return runs;
}

float Draw::rich(float x, float y, std::string_view source, const RichStyle& style) {
  float total = 0;
  const std::vector<Run> runs = layout(source, style.size, style.face, style.colour, total);
  const float left = std::round(x - total * style.align);
  const float baseline = on_pixel(style.baseline ? y : y + style.size * 0.362f);

  struct Extent {
    float left = 1e9f, right = -1e9f, top = 1e9f, bottom = -1e9f;
  };
  std::map<int, Extent> chips;
  for (const Run& run : runs) {
    if (run.chip == 0) continue;
    Extent& e = chips[run.chip];
    e = {std::min(e.left, run.x), std::max(e.right, run.x + run.width), std::min(e.top, run.dy - run.size * 0.78f),
         std::max(e.bottom, run.dy + run.size * 0.22f)};
  }
  for (const auto& [_, e] : chips) {
    const bool fixed = style.chip_height > 0;
    const float top = on_pixel(fixed ? baseline - style.size * 0.362f - style.chip_height / 2 : baseline + e.top - 3);
    const float bottom = fixed ? top + style.chip_height : on_pixel(baseline + e.bottom + 3);
    rect_filled(std::round(left + e.left - style.chip_pad), top, std::round(e.right - e.left + 2 * style.chip_pad),
                bottom - top, style.chip != 0 ? style.chip : c.mark, 3, style.alpha);
  }
  for (const Run& run : runs)
    text_at(std::round((left + run.x) * 2) / 2, baseline + run.dy, run.text, run.size, run.face, run.colour,
            style.alpha);
  return total;
}

float Draw::rich_width(std::string_view source, float size, Face face) const {
  float total = 0;
  layout(source, size, face, 0, total);
  return total;
}

// A line that ends inside a tag closes there, and the next line opens it again.
std::vector<std::string> Draw::break_lines(std::string_view source, float size, Face face, float most) const {
  std::vector<std::string> lines;
  std::string line;
  bool empty = true;
  int depth = 0;  // no break inside braces
  std::size_t start = 0;
  for (std::size_t i = 0; i <= source.size(); ++i) {
    const bool end = i == source.size();
    if (!end && source[i] == '{' && i > 0 && (source[i - 1] == '_' || source[i - 1] == '^')) ++depth;
    if (!end && source[i] == '}' && depth > 0) --depth;
    if (!end && (source[i] != ' ' || depth > 0)) continue;
    const std::string_view word = source.substr(start, i - start);
    start = i + 1;
    std::string longer = empty ? line + std::string(word) : line + ' ' + std::string(word);
    if (!empty && rich_width(longer, size, face) > most) {
      const std::string tags = open_tags(line);
      lines.push_back(std::move(line));
      longer = tags + std::string(word);
    }
    line = std::move(longer);
    empty = empty && word.empty();
  }
  if (!empty) lines.push_back(std::move(line));
  return lines;
}

float Draw::wrap(float x, float y, std::string_view source, const RichStyle& style, float width, float line_height) {
  float used = 0;
  for (const std::string& line : break_lines(source, style.size, style.face, width)) {
    rich(x, y + used, line, style);
    used += line_height;
  }
  return used;
}

int Draw::wrap_lines(std::string_view source, float size, Face face, float width) const {
  return static_cast<int>(break_lines(source, size, face, width).size());
}

}  // namespace ui
