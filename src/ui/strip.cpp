// "How this number was made": the equation's parts and the row bar.
#include "ui/page.hpp"

#include <algorithm>
#include <cmath>

namespace ui {

namespace {

using Kind = app::Part::Kind;

constexpr float kResultWidth = 62, kResultHeight = 36;

constexpr std::string_view kEquals = "<q>=</q>", kPlus = "<q>+</q>", kDot = "<q>·</q>";

/// The drawings' distances at 16 px, from one part to the next.
float gap_after(const Draw& d, const app::Part& part, const app::Part* next, float fraction_gap) {
  switch (part.kind) {
    case Kind::fraction:
    case Kind::root_fraction: return fraction_gap;
    case Kind::factor: return next != nullptr && next->text == kDot ? 7 : 13;
    case Kind::result: return 0;
    case Kind::line_break_hint:
    case Kind::blank: return 0;
    case Kind::text: break;
  }
  if (part.text == kEquals)
    return next != nullptr && next->kind == Kind::factor ? 12 : 22 - d.rich_width(part.text, 16);
  if (part.text == kPlus) return 9;
  if (part.text == kDot) return 5;
  return 12;
}

Face face_of(const app::Part& part) { return part.text == kPlus || part.text == kDot ? Face::mono : Face::sans; }

float result_width(const Draw& d, const app::Part& part, float size) {
  return std::max(kResultWidth * size / 16, d.rich_width(part.text, size, Face::mono_medium) + 14);
}

float part_width(const Draw& d, const app::Part& part, float size) {
  switch (part.kind) {
    case Kind::fraction: return d.fraction_width(part.text, part.below, size, Face::mono);
    case Kind::root_fraction: return d.fraction_width(part.text, part.below, size, Face::mono, true);
    case Kind::result: return result_width(d, part, size);
    case Kind::line_break_hint:
    case Kind::blank: return 0;
    case Kind::factor: return d.rich_width(part.text, size, Face::mono);
    case Kind::text: return d.rich_width(part.text, size, face_of(part));
  }
  return 0;
}

using Pieces = std::vector<const app::Part*>;

/// What stays together on a line: the parts between two of the hints where it may break.
std::vector<Pieces> between_breaks(const std::vector<app::Part>& parts) {
  std::vector<Pieces> out(1);
  for (const app::Part& part : parts)
    if (part.kind != Kind::line_break_hint)
      out.back().push_back(&part);
    else if (!out.back().empty())
      out.emplace_back();
  return out;
}

Pieces joined(const std::vector<Pieces>& groups) {
  Pieces out;
  for (const Pieces& group : groups) out.insert(out.end(), group.begin(), group.end());
  return out;
}

float parts_width(const Draw& d, const Pieces& parts, float size, float fraction_gap) {
  float w = 0;
  for (std::size_t i = 0; i < parts.size(); ++i)
    w += part_width(d, *parts[i], size) +
         gap_after(d, *parts[i], i + 1 < parts.size() ? parts[i + 1] : nullptr, fraction_gap) * size / 16;
  return w;
}

}  // namespace

float Page::equation(float x, float y, float width, bool short_form, float size, bool skip_name, float fraction_gap) {
  auto groups = between_breaks(short_form ? strip.short_parts : strip.parts);
  if (parts_width(d, joined(groups), size, fraction_gap) > width) groups = between_breaks(strip.short_parts);
  Pieces& first = groups.front();
  if (skip_name && !first.empty() && first.front()->kind == Kind::text) first.erase(first.begin());
  const Pieces parts = joined(groups);
  while (size > 12 && parts_width(d, parts, size, fraction_gap) > width) size -= 1;
  const float scale = size / 16;
  std::vector<Pieces> lines(1);  // more than one where even small type is too wide
  for (const Pieces& group : groups) {
    if (!lines.back().empty() && parts_width(d, joined({lines.back(), group}), size, fraction_gap) > width)
      lines.emplace_back();
    lines.back().insert(lines.back().end(), group.begin(), group.end());
  }
  const float pitch = lines.size() > 2 ? 21.f : 26.f;
  float line_y = y - pitch * static_cast<float>(lines.size() - 1) / 2;
  for (const auto& line : lines) {
    equation_line(x, line_y, line, size, fraction_gap, lines.size() > 1 ? pitch - 2 : kResultHeight * scale);
    line_y += pitch;
  }
  return x + (lines.size() > 1 ? width : parts_width(d, parts, size, fraction_gap));
}

void Page::equation_line(float x, float y, const std::vector<const app::Part*>& parts, float size, float fraction_gap,
                         float result_h) {
  const float scale = size / 16;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const app::Part& part = *parts[i];
    const float w = part_width(d, part, size);
    switch (part.kind) {
      case Kind::text:
        d.rich(x, y, part.text, {.size = size, .face = face_of(part), .colour = part.dim ? c.ink2 : c.ink});
        break;
      case Kind::fraction:
      case Kind::root_fraction:
        d.fraction(x, y, part.text, part.below, {.size = size, .face = Face::mono, .colour = c.ink},
                   part.kind == Kind::root_fraction);
        break;
      case Kind::factor:
        d.rich(x, y, part.text,
               {.size = size,
                .face = part.dim ? Face::mono : Face::mono_medium,
                .colour = part.dim ? c.ink2 : c.ink,
                .chip_height = 26 * scale});
        if (part.head >= 0) d.rect_filled(x - 3, y + 16 * scale, std::round(w) + 6, 3, head_colour(part.head), 1);
        break;
      case Kind::result: {
        const bool pattern = v.shown && v.shown->tensor == app::Tensor::pattern;
        const bool finite = std::isfinite(part.value);
        const float t = pattern ? static_cast<float>(std::clamp(part.value, 0.0, 1.0))
                                : static_cast<float>(0.5 + 0.5 * std::clamp(part.value / 4, -1.0, 1.0));
        const float h = result_h;
        if (finite)
          d.cell(x, y - h / 2, w, h, t, !pattern, 2);
        else
          d.rect_filled(x, y - h / 2, w, h, c.surface, 2);
        d.rich(x + w / 2, y, part.text,
               {.size = size,
                .face = Face::mono_medium,
                .colour = finite ? text_on(d.table_colour(t, !pattern)) : c.ink3,
                .align = 0.5f});
        break;
      }
      case Kind::line_break_hint:
      case Kind::blank: break;
    }
    x += w + gap_after(d, part, i + 1 < parts.size() ? parts[i + 1] : nullptr, fraction_gap) * scale;
  }
}

void Page::row_bar(float x, float y, float w, float h) {
  if (!strip.bar) return;
  const auto shares = anim.shares(strip.bar->shares);
  float at_x = x;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const bool last = i + 1 == shares.size();
    const float end = last ? x + w : std::round(at_x + w * static_cast<float>(shares[i]));
    const float part_w = end - at_x - (last ? 0 : 1) - (i > 0 ? 1 : 0);
    if (part_w > 0) {
      const float left = at_x + (i > 0 ? 1 : 0);
      d.cell(left, y, part_w, h, static_cast<float>(shares[i]), false, 2);
      if (shares[i] < 0.25) d.rect(left, y, part_w, h, c.line2, {.radius = 2});
    }
    at_x = end;
  }
}

}  // namespace ui
