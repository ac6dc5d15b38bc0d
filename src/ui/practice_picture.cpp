// The card beside a question: what it is about, its picture, the formula with the part in question lit, and why.
#include "ui/even_lines.hpp"
#include "ui/practice.hpp"

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

using Kind = app::Picture::Kind;

/// A stretch of the formula.
struct Piece {
  std::string text;  // rich
  bool lit = false, root = false;
};

bool is_letter(char ch) {
  return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || (ch >= '0' && ch <= '9') || ch == '_' || ch == '.';
}

/// "√d_{k}" becomes what stands under a radical sign.
void split_roots(std::string_view text, bool lit, std::vector<Piece>& out) {
  constexpr std::string_view kRoot = "√";
  while (true) {
    const std::size_t root = text.find(kRoot);
    if (root == std::string_view::npos) break;
    if (root > 0) out.push_back({std::string(text.substr(0, root)), lit, false});
    text.remove_prefix(root + kRoot.size());
    std::size_t end = 0;
    int depth = 0;
    while (end < text.size() && (depth > 0 || is_letter(text[end]) || text[end] == '{')) {
      if (text[end] == '{') ++depth;
      if (text[end] == '}') --depth;
      ++end;
    }
    if (end == 0)
      out.push_back({std::string(kRoot), lit, false});
    else
      out.push_back({std::string(text.substr(0, end)), lit, true});
    text.remove_prefix(end);
  }
  if (!text.empty()) out.push_back({std::string(text), lit, false});
}

bool is_balanced(std::string_view text) {
  int depth = 0, braces = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
      continue;
    }
    if (text[i] == '{') ++braces;
    if (text[i] == '}') --braces;
    if (text[i] == '<') depth += i + 1 < text.size() && text[i + 1] == '/' ? -1 : 1;
    if (depth < 0 || braces < 0) return false;
  }
  return depth == 0 && braces == 0;
}

/// Absent where tags reach over its parts.
std::optional<std::vector<Piece>> pieces_of(std::string_view formula) {
  std::vector<Piece> out;
  while (true) {
    const std::size_t from = formula.find("<k>"), to = formula.find("</k>");
    if (from == std::string_view::npos || to == std::string_view::npos || to < from) break;
    split_roots(formula.substr(0, from), false, out);
    split_roots(formula.substr(from + 3, to - from - 3), true, out);
    formula.remove_prefix(to + 4);
  }
  split_roots(formula, false, out);
  for (const Piece& piece : out)
    if (!is_balanced(piece.text)) return std::nullopt;
  return out;
}

constexpr float kBefore = 4, kAfter = 7, kMarkLeft = 6, kMarkRight = 3;

float piece_width(const Draw& d, const Piece& piece, float size) {
  return piece.root ? d.sqrt_width(piece.text, size) : d.rich_width(piece.text, size);
}

float formula_width(const Draw& d, const std::vector<Piece>& pieces, float size) {
  float w = 0;
  for (const Piece& piece : pieces) w += piece_width(d, piece, size);
  return w;
}

void draw_formula(Page& page, float middle, float y, float most) {
  Draw& d = page.d;
  const Palette& c = page.c;
  const std::string& formula = page.v.practice.question.picture.formula;
  const auto pieces = pieces_of(formula);
  float size = 16;
  const auto width = [&] { return pieces ? formula_width(d, *pieces, size) : d.rich_width(formula, size); };
  while (size > 12 && width() + 12 > most) size -= 1;
  if (!pieces || width() + 12 > most) {
    const int lines = d.wrap_lines(formula, size, Face::sans, most);
    if (lines <= 1)
      d.rich(middle, y, formula, {.size = size, .colour = c.ink2, .align = 0.5f});
    else
      d.wrap(middle - most / 2, y - 9 * static_cast<float>(lines - 1), formula, {.size = size, .colour = c.ink2}, most,
             18);
    return;
  }
  float x = std::round(middle - width() / 2);
  for (std::size_t i = 0; i < pieces->size();) {
    const Piece& piece = (*pieces)[i];
    if (!piece.lit) {
      const bool follows = i > 0 && (*pieces)[i - 1].lit;
      std::string text = piece.text;
      if (follows && !piece.root)
        text.erase(0, text.find_first_not_of(' ') == std::string::npos ? 0 : text.find_first_not_of(' '));
      const Draw::RichStyle style{.size = size, .colour = c.ink2};
      x += piece.root ? d.sqrt(x, y, piece.text, style) : d.rich(x, y, text, style);
      ++i;
      continue;
    }
    std::size_t end = i;
    float w = 0;
    while (end < pieces->size() && (*pieces)[end].lit) w += piece_width(d, (*pieces)[end++], size);
    x = std::round(x + (i > 0 ? kBefore : 0));
    const float h = size * 28 / 16;
    d.rect_filled(x - kMarkLeft, y - h / 2, std::round(w) + kMarkLeft + kMarkRight, h, c.mark, 4);
    for (; i < end; ++i) {
      const Draw::RichStyle style{.size = size, .colour = c.ink};
      x += (*pieces)[i].root ? d.sqrt(x, y, (*pieces)[i].text, style) : d.rich(x, y, (*pieces)[i].text, style);
    }
    x += kAfter;
  }
}

constexpr float kTitlePitch = 19;

std::string title_of(const app::Picture& picture) {
  return app::escape_rich(picture.kind == Kind::none ? "The rule behind it" : picture.title);
}

/// Where the parts of a card of this size stand.
struct Places {
  bool roomy;
  float pad, header_y, top;  // top: where the picture may begin, from the card's top
  float why_inset, why_pitch;
  float formula_h, why_h;  // with what stands above them
  float bottom;            // below the last line
};

Places places_for(Page& page, float w) {
  const app::Picture& picture = page.v.practice.question.picture;
  Places p{};
  p.roomy = w >= 540;
  p.pad = p.roomy ? 20.f : 14.f;
  p.header_y = p.roomy ? 30.f : 24.f;
  p.top = p.roomy ? 54.f : 44.f;
  p.why_inset = p.roomy ? std::max(20.f, 82 - (624 - std::min(w, 624.f))) : p.pad;
  p.why_pitch = p.roomy ? 21.f : 20.f;
  if (picture.kind == Kind::bars || picture.kind == Kind::scores || picture.kind == Kind::map)
    p.top += kTitlePitch * static_cast<float>(page.d.wrap_lines(title_of(picture), 14, Face::bold, w - 2 * p.pad) - 1);
  p.formula_h = picture.formula.empty() ? 0 : p.roomy ? 64.f : 48.f;
  const int lines = picture.why.empty() ? 0 : page.d.wrap_lines(tied(picture.why), 14, Face::sans, w - 2 * p.why_inset);
  p.why_h = lines == 0 ? 0 : p.why_pitch * static_cast<float>(lines) + 12;
  p.bottom = 14;
  return p;
}

float kind_height(Page& page, float w) {
  switch (page.v.practice.question.picture.kind) {
    case Kind::chain: return chain_height(page, w);
    case Kind::bars:
    case Kind::scores: return bars_height(page, w);
    case Kind::map: return weights_map_height(page, w);
    case Kind::none: return 0;
  }
  return 0;
}

void header(Page& page, const Rect& card, const Places& p) {
  Draw& d = page.d;
  const Palette& c = page.c;
  const app::Picture& picture = page.v.practice.question.picture;
  const float x = card.x + p.pad, y = card.y + p.header_y, right = card.x + card.w - p.pad;
  if (picture.kind == Kind::chain) {
    const bool edited = picture.numbers && picture.numbers->edited;
    const float note =
        d.text(right, y, edited ? "your numbers" : "on the canvas", {.size = 12, .colour = c.ink2, .align = 1});
    if (picture.head < 0) {
      d.text(x, y, "All heads", {.face = Face::bold, .colour = c.ink});
      return;
    }
    d.badge(x, y, picture.head);
    std::string name = "<b>Head " + std::to_string(picture.head + 1) + "</b>";
    if (picture.numbers) {
      const auto& names = picture.numbers->state.document.head_names;
      const auto i = static_cast<std::size_t>(picture.head);
      const std::string longer = i < names.size() ? name + "  <q>" + app::escape_rich(names[i]) + "</q>" : name;
      if (d.rich_width(longer, 14) <= right - note - 12 - x - 28) name = longer;
    }
    d.rich(x + 28, y, name, {.colour = c.ink});
    return;
  }
  const std::string title = title_of(picture);
  d.wrap(x, y, title, {.face = Face::bold, .colour = c.ink}, even_width(d, title, 14, Face::bold, right - x),
         kTitlePitch);
}

}  // namespace

float least_card_height(const Page& page, float liked) {
  return page.v.practice.question.picture.kind == Kind::none ? 0 : liked;
}

float picture_height(Page& page, float w) {
  const Places p = places_for(page, w);
  return p.top + kind_height(page, w - 2 * p.pad) + 8 + p.formula_h + p.why_h + p.bottom;
}

void draw_picture(Page& page, const Rect& card) {
  Draw& d = page.d;
  const Palette& c = page.c;
  const app::Picture& picture = page.v.practice.question.picture;
  const Places p = places_for(page, card.w);
  d.rect_filled(card.x, card.y, card.w, card.h, c.surface, 8);
  d.rect(card.x, card.y, card.w, card.h, c.line, {.radius = 8});
  header(page, card, p);
  const float words = p.formula_h + p.why_h + p.bottom;
  // The drawing gives formula and reason 178 px; they keep to it while the picture needs no more.
  const float spare = card.h - p.top - kind_height(page, card.w - 2 * p.pad) - words;
  const float below = p.roomy && picture.kind != Kind::none ? std::clamp(178 - words, 0.f, std::max(0.f, spare)) : 0;
  float y = card.y + card.h - words - below;
  if (picture.kind == Kind::none) y = card.y + p.top;
  const Rect area{card.x + p.pad, card.y + p.top, card.w - 2 * p.pad, y - card.y - p.top};
  switch (picture.kind) {
    case Kind::chain: draw_chain(page, area); break;
    case Kind::bars:
    case Kind::scores: draw_bars(page, area); break;
    case Kind::map: draw_weights_map(page, area); break;
    case Kind::none: break;
  }
  if (p.formula_h + p.why_h > 0) d.line(card.x + p.pad, y, card.x + card.w - p.pad, y, c.line);
  if (p.formula_h > 0) {
    draw_formula(page, card.x + card.w / 2, y + (p.roomy ? 34.f : 26.f), card.w - 2 * p.pad);
    y += p.formula_h;
  }
  if (p.why_h > 0) {
    const std::string why = tied(picture.why);
    d.wrap(card.x + p.why_inset, y + 14, why, {.colour = c.ink2},
           even_width(d, why, 14, Face::sans, card.w - 2 * p.why_inset, 0.88f), p.why_pitch);
  }
}

}  // namespace ui
