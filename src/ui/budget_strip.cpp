// The budget's strip: how the amount that is pointed at, pinned or usual on this panel is made.
#include "ui/budget.hpp"

#include <algorithm>

namespace ui {
namespace {

using Kind = app::Part::Kind;
constexpr float kApart = 72;  // between the two equations
constexpr float kChipPad = 6;

bool is_words(std::string_view text) {
  int letters = 0;
  for (const char ch : app::to_plain(text)) {
    letters = (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') ? letters + 1 : 0;
    if (letters == 3) return true;
  }
  return false;
}

bool is_equals(const app::Part& part) { return app::to_plain(part.text) == "="; }
bool is_chip(const app::Part& part) { return part.kind == Kind::factor || part.kind == Kind::result; }
bool is_drawn(const app::Part& part) { return part.kind != Kind::line_break_hint; }

/// One piece with the size it is drawn at.
struct Piece {
  const app::Part* part;
  float w, gap;
};

Face face_of(const app::Part& part) {
  if (is_chip(part)) return Face::mono_medium;
  return is_equals(part) || is_words(part.text) ? Face::sans : Face::mono;
}

Piece piece_of(const Draw& d, const app::Part& part, float size) {
  const float scale = size / 16;
  if (part.kind == Kind::fraction || part.kind == Kind::root_fraction)
    return {&part, d.fraction_width(part.text, part.below, size, Face::mono, part.kind == Kind::root_fraction),
            12 * scale};
  const float w = d.rich_width(part.text, size, face_of(part));
  if (is_chip(part)) return {&part, std::round(w) + 2 * kChipPad, 12 * scale};
  if (is_equals(part)) return {&part, 22 * scale, 0};
  const bool times = app::to_plain(part.text).ends_with("×");  // a chip follows
  return {&part, w, (times ? 10 : 12) * scale};
}

std::vector<Piece> pieces_of(const Draw& d, const std::vector<app::Part>& parts, float size) {
  std::vector<Piece> pieces;
  for (const app::Part& part : parts)
    if (is_drawn(part)) pieces.push_back(piece_of(d, part, size));
  return pieces;
}

float width_of(const std::vector<Piece>& pieces) {
  float w = 0;
  for (const Piece& piece : pieces) w += piece.w + piece.gap;
  return pieces.empty() ? 0 : w - pieces.back().gap;
}

void draw_piece(Page& page, float x, float y, const Piece& piece, float size) {
  Draw& d = page.d;
  const Palette& c = page.c;
  const app::Part& part = *piece.part;
  if (part.kind == Kind::fraction || part.kind == Kind::root_fraction) {
    d.fraction(x, y, part.text, part.below, {.size = size, .face = Face::mono, .colour = c.ink},
               part.kind == Kind::root_fraction);
  } else if (is_chip(part)) {
    const float h = std::round(30 * size / 16);
    d.rect_filled(std::round(x), y - std::round(h / 2), piece.w, h, c.mark, 3);
    d.rich(x + kChipPad, y, part.text, {.size = size, .face = Face::mono_medium, .colour = c.ink});
  } else {
    const Colour colour = is_equals(part) || part.dim ? c.ink2 : c.ink;
    d.rich(x, y, part.text, {.size = size, .face = face_of(part), .colour = colour});
  }
}

float draw_pieces(Page& page, float x, float y, const std::vector<Piece>& pieces, float size) {
  for (const Piece& piece : pieces) {
    draw_piece(page, x, y, piece, size);
    x += piece.w + piece.gap;
  }
  return x;
}

bool goes_on(const app::Part& part) { return is_equals(part) || part.text.starts_with("<m>+ "); }

/// A sum of numbers that is wider than a line even in small type becomes two parts, the second one from its "+" on.
std::vector<app::Part> with_broken_sums(const Draw& d, const std::vector<app::Part>& parts, float w) {
  std::vector<app::Part> out;
  for (const app::Part& part : parts) {
    std::vector<std::size_t> signs;
    for (std::size_t at = part.text.find(" + "); at != std::string::npos; at = part.text.find(" + ", at + 1))
      signs.push_back(at);
    out.push_back(part);
    const bool too_wide = d.rich_width(part.text, 12, face_of(part)) > w - 20;  // after "="
    if (!too_wide || signs.empty() || !part.text.starts_with("<m>")) continue;
    const std::size_t cut = signs[signs.size() / 2];
    out.back().text = part.text.substr(0, cut) + "</m>";
    out.push_back(part);
    out.back().text = "<m>" + part.text.substr(cut + 1);
  }
  return out;
}

/// Broken before "=" where a line would be too wide.
std::vector<std::vector<Piece>> lines_of(const std::vector<Piece>& pieces, float w) {
  std::vector<std::vector<Piece>> lines(1);
  for (std::size_t i = 0; i < pieces.size();) {
    std::vector<Piece> group{pieces[i]};  // up to the next sign of equality
    std::size_t next = i + 1;
    while (next < pieces.size() && !goes_on(*pieces[next].part)) group.push_back(pieces[next++]);
    std::vector<Piece> longer = lines.back();
    longer.insert(longer.end(), group.begin(), group.end());
    if (!lines.back().empty() && width_of(longer) > w)
      lines.push_back(group);
    else
      lines.back() = std::move(longer);
    i = next;
  }
  return lines;
}

bool has_fraction(const std::vector<app::Part>& parts) {
  return std::any_of(parts.begin(), parts.end(), [](const app::Part& part) {
    return part.kind == Kind::fraction || part.kind == Kind::root_fraction;
  });
}

}  // namespace

bool strip_takes_two_lines(const Page& page, float room) {
  const float first = width_of(pieces_of(page.d, page.v.budget.parts, 12));
  const float second = width_of(pieces_of(page.d, page.v.budget.more_parts, 12));
  return second > 0 && first + 36 + second > room;
}

void draw_budget_strip(Page& page, const Rect& area, float left, float right) {
  Draw& d = page.d;
  const Palette& c = page.c;
  const app::BudgetView& v = page.v.budget;
  d.rect_filled(area.x, area.y, area.w, area.h, c.sunk);
  d.line(area.x, area.y, area.x + area.w, area.y, c.line);
  const float room = right - left;
  const bool low = area.h < 114;
  const float shift = std::clamp((area.h - 120) / 3, 0.f, 24.f);
  const float y = area.y + shift;
  const bool fractions = has_fraction(v.parts) || has_fraction(v.more_parts);
  float size = low && fractions ? 14.f : 16.f, apart = kApart;
  std::vector<Piece> first, second;
  for (;; size -= 1) {
    first = pieces_of(d, v.parts, size);
    second = pieces_of(d, v.more_parts, size);
    apart = size < 16 ? 36.f : kApart;
    if (size <= 12 || width_of(first) + (second.empty() ? 0 : apart + width_of(second)) <= room) break;
  }
  const bool beside = second.empty() || width_of(first) + apart + width_of(second) <= room;
  // Too wide even in small type: one below the other, each as large as it can be.
  if (!beside) {
    size = fractions ? 14 : 16;
    while (size > 12 &&
           std::max(width_of(pieces_of(d, v.parts, size)), width_of(pieces_of(d, v.more_parts, size))) > room)
      size -= 1;
    first = pieces_of(d, v.parts, size);
    second = pieces_of(d, v.more_parts, size);
  }
  const bool labelled = !low || (beside && !fractions);
  if (labelled)
    d.text(left, area.y + (low ? 15.f : 21.f + shift), "How this number was made",
           {.size = 12, .face = Face::bold, .colour = c.ink2});
  const float equation_y =
      low ? area.y + (beside ? area.h * (fractions ? 0.4f : 0.5f) : 20.f) : y + (beside ? 61.f : 48.f);
  const float end = draw_pieces(page, left, std::round(equation_y), first, size);
  if (beside)
    draw_pieces(page, end + apart - (first.empty() ? 0 : first.back().gap), std::round(equation_y), second, size);
  else
    draw_pieces(page, left, std::round(equation_y) + 30, second, size);
  const float sentence_y = low ? area.y + area.h - 15 : y + 105;
  const float fits = d.rich_width(v.sentence, 14) <= room ? 14.f : 12.f;
  d.push_clip(left, sentence_y - 12, room, 24);
  d.rich(left, sentence_y, v.sentence, {.size = fits, .colour = c.ink});
  d.pop_clip();
}

float draw_amount_lines(Page& page, float x, float y, float w) {
  const app::BudgetView& v = page.v.budget;
  for (const auto* whole : {&v.parts, &v.more_parts}) {
    if (whole->empty()) continue;
    const std::vector<app::Part> parts = with_broken_sums(page.d, *whole, w);
    float size = 15;
    auto lines = lines_of(pieces_of(page.d, parts, size), w);
    while (size > 12 && lines.size() > 1) {
      size -= 1;
      lines = lines_of(pieces_of(page.d, parts, size), w);
    }
    for (const auto& line : lines) {
      const bool fraction = std::any_of(line.begin(), line.end(), [](const Piece& piece) {
        return piece.part->kind == Kind::fraction || piece.part->kind == Kind::root_fraction;
      });
      const float higher = fraction ? 12.f : 0.f;
      y += higher;
      draw_pieces(page, x, y, line, size);
      y += 30 + higher;
    }
  }
  return y - 30;
}

}  // namespace ui
