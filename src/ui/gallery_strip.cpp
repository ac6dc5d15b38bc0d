// The gallery's strip: how a head's score was counted, and the simple rule that it had to beat.
#include "ui/gallery.hpp"

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

using Kind = app::Part::Kind;
constexpr float kSmallest = 0.8f;  // of an equation's usual size

/// Words over words are set smaller and in Inter, numbers in mono.
bool is_words(const app::Part& part) {
  int letters = 0;
  for (const char ch : part.text) {
    letters = (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') ? letters + 1 : 0;
    if (letters == 3) return true;
  }
  return false;
}

bool is_equals(const app::Part& part) { return app::to_plain(part.text) == "="; }

struct Look {
  float size, gap;
  Face face;
};

Look look_of(const app::Part& part) {
  switch (part.kind) {
    case Kind::fraction:
    case Kind::root_fraction: return is_words(part) ? Look{14, 14, Face::sans} : Look{16, 16, Face::mono};
    case Kind::result:
    case Kind::factor: return {16, 12, Face::mono_medium};
    default: break;
  }
  if (is_equals(part)) return {16, 0, Face::sans};
  if (!is_words(part)) return {16, 12, Face::mono};
  const bool symbol = part.text.starts_with("<b>");  // what the equation is about
  return symbol ? Look{16, 10, Face::sans} : Look{14, 12, Face::sans};
}

float width_of(const Draw& d, const app::Part& part, const Look& look) {
  if (part.kind == Kind::line_break_hint) return 0;
  if (is_equals(part)) return 22;
  if (part.kind == Kind::fraction) return d.fraction_width(part.text, part.below, look.size, look.face);
  return d.rich_width(part.text, look.size, look.face);
}

}  // namespace

float draw_parts(Page& page, float x, float y, std::vector<app::Part> parts, float most) {
  Draw& d = page.d;
  const Palette& c = page.c;
  const auto total = [&] {
    float w = 0;
    for (const app::Part& part : parts) w += width_of(d, part, look_of(part)) + look_of(part).gap;
    return w;
  };
  // Smaller first; where even that is too wide the words over words go, and with them the sign of equality behind.
  for (std::size_t i = 0; kSmallest * (total() - 16) > most && i + 1 < parts.size(); ++i)
    if (parts[i].kind == Kind::fraction && is_words(parts[i])) {
      parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(i), parts.begin() + static_cast<std::ptrdiff_t>(i) + 2);
      break;
    }
  const float scale = std::clamp(most / std::max(total() - 16, 1.f), kSmallest, 1.f);
  for (const app::Part& part : parts) {
    Look look = look_of(part);
    if (scale < 1) look.size = std::max(12.f, std::floor(look.size * scale));
    const Draw::RichStyle style{.size = look.size, .face = look.face, .colour = c.ink};
    if (part.kind == Kind::fraction)
      d.fraction(x, y, part.text, part.below, style);
    else if (is_equals(part))
      d.text(x, y, "=", {.size = look.size, .colour = c.ink2});
    else if (part.kind != Kind::line_break_hint)
      d.rich(x, y, part.text, style);
    x += (is_equals(part) ? 22 * scale : width_of(d, part, look)) + look.gap * scale;
  }
  return x;
}

void draw_gallery_strip(Page& page, const Rect& area, float left, float right, float second_x) {
  Draw& d = page.d;
  const Palette& c = page.c;
  const app::GalleryView& v = page.v.gallery;
  d.rect_filled(area.x, area.y, area.w, area.h, c.sunk);
  d.line(area.x, area.y, area.x + area.w, area.y, c.line);
  const bool low = area.h < 114, lowest = area.h < 84;  // then the equations have no labels
  const float label_y = area.y + (low ? 13.f : 21.f),
              equation_y = area.y + (lowest ? 28.f
                                     : low  ? 42.f
                                            : 61.f),
              sentence_y = area.y + area.h - (low ? 11.f : 15.f);
  const TextStyle label{.size = 12, .face = Face::bold, .colour = c.ink2};
  const TextStyle small{.size = 12, .colour = c.ink2};
  if (v.score_parts.empty()) {  // nothing is counted: the question that one comes here with
    d.text(left, label_y, "Look for", label);
    d.text(left, equation_y - (lowest ? 0.f : 10.f), d.fitting(v.look_for, 14, Face::sans, right - left),
           {.colour = c.ink});
  } else {
    if (!lowest) {
      const float end = left + d.text(left, label_y, "How this number was made", label) + 14,
                  room = second_x - 16 - end;
      const std::string more = v.count + (v.counted_on.empty() ? "" : ". " + v.counted_on);
      const bool fits = d.width(more, 12, Face::sans) <= room;
      d.text(end, label_y, fits ? more : d.fitting(v.count, 12, Face::sans, room), small);
    }
    draw_parts(page, left, equation_y, v.score_parts, second_x - 16 - left);
  }
  if (!v.baseline_parts.empty()) {
    if (!lowest) d.text(second_x, label_y, "Baseline to beat", label);
    const bool rule = !v.rule_parts.empty();  // a rule that is better than the best offset is the one to beat
    draw_parts(page, second_x, equation_y, rule ? v.rule_parts : v.baseline_parts, right - second_x);
  }
  // Both sentences where there is room; else the caveat beside a map, and when a head earns a name beside the others.
  const float sentence_w = d.width(v.strip_sentence, 14, Face::sans), caveat_w = d.width(v.caveat, 12, Face::sans);
  if (sentence_w + 24 + caveat_w <= right - left) {
    d.text(left, sentence_y, v.strip_sentence, {.colour = c.ink});
    d.text(right, sentence_y, v.caveat, {.size = 12, .colour = c.ink2, .align = 1});
  } else {
    const bool map = page.s.gallery.panel == app::Panel::head && !v.caveat.empty();
    const std::string& text = map ? v.caveat : v.strip_sentence;
    const float size = d.width(text, 14, Face::sans) <= right - left ? 14.f : 12.f;
    d.text(left, sentence_y, d.fitting(text, size, Face::sans, right - left), {.size = size, .colour = c.ink});
  }
  if (!lowest && second_x + 300 < right && !v.asking_note.empty())
    d.text(right, label_y, d.fitting(v.asking_note, 12, Face::sans, right - second_x - 120),
           {.size = 12, .colour = c.ink2, .align = 1});
}

}  // namespace ui
