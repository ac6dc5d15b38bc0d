// Working of practice: a learner's way, the first step that differs, the solution. Breaks into lines where it must.
#include "ui/practice.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ui {
namespace {

using Kind = app::Part::Kind;

constexpr float kSize = 16, kSmallest = 12, kWordSize = 14, kWordPitch = 21;
constexpr float kFractionHalf = 36, kPlainHalf = 20, kBlankWidth = 52, kBlankHeight = 28, kResultWidth = 62;

bool is_sign(const app::Part& part, std::string_view sign) {
  return part.kind == Kind::text && app::to_plain(part.text) == sign;
}
bool is_operator(const app::Part& part) {
  return is_sign(part, "+") || is_sign(part, "−") || is_sign(part, "·") || is_sign(part, "×");
}

}  // namespace

float Working::part_width(const app::Part& part, float size) const {
  const Draw& d = page_.d;
  switch (part.kind) {
    case Kind::fraction: return d.fraction_width(part.text, part.below, size, Face::mono);
    case Kind::root_fraction:
      if (!inline_roots_) return d.fraction_width(part.text, part.below, size, Face::mono, true);
      return d.rich_width(part.text + " ÷ ", size, Face::mono) + d.sqrt_width(part.below, size, Face::mono);
    case Kind::result:
      return std::max(kResultWidth * size / kSize, d.rich_width(part.text, size, Face::mono_medium) + 14);
    case Kind::blank: return kBlankWidth;
    case Kind::line_break_hint: return 0;
    case Kind::factor: return d.rich_width(part.text, size, Face::mono);
    case Kind::text: return d.rich_width(part.text, size, is_operator(part) ? Face::mono : Face::sans);
  }
  return 0;
}

float Working::gap_after(const app::Part& part, const app::Part* next, float size) const {
  if (next == nullptr) return 0;
  const float scale = size / kSize;
  if (next->kind == Kind::text && app::to_plain(next->text).starts_with(',')) return 0;
  if (is_sign(part, "="))
    return next->kind == Kind::factor ? 12 * scale
           : inline_roots_            ? 10 * scale
                                      : 22 * scale - page_.d.rich_width(part.text, size);
  if (is_operator(part)) return (next->kind == Kind::factor ? 9 : 6) * scale;
  switch (part.kind) {
    case Kind::factor: return (is_sign(*next, "·") ? 7 : 13) * scale;
    case Kind::blank: return is_sign(*next, "=") || is_operator(*next) ? 10 : 32;
    default: break;
  }
  if (is_operator(*next)) return 6 * scale;
  return (inline_roots_ ? 10 : 12) * scale;
}

float Working::width_of(const Pieces& parts, float size) const {
  float w = 0;
  for (std::size_t i = 0; i < parts.size(); ++i)
    w += part_width(*parts[i], size) + gap_after(*parts[i], i + 1 < parts.size() ? parts[i + 1] : nullptr, size);
  return w;
}

float Working::half_of(const app::Part& part, float size) const {
  const bool stacked = part.kind == Kind::fraction || (part.kind == Kind::root_fraction && !inline_roots_);
  return stacked ? std::round(kFractionHalf * size / kSize) : kPlainHalf;
}

void Working::add_line(Pieces parts, float size) {
  Line line;
  line.size = size;
  line.half = kPlainHalf;
  if (parts.size() == 1 && parts[0]->kind == Kind::text && part_width(*parts[0], size) > w_) {
    line.size = kWordSize;  // words: they break at their spaces
    line.wrapped = page_.d.wrap_lines(parts[0]->text, kWordSize, Face::sans, w_);
  }
  while (line.wrapped == 0 && line.size > kSmallest - 3 && width_of(parts, line.size) > w_) line.size -= 0.5f;
  for (const app::Part* part : parts) line.half = std::max(line.half, half_of(*part, line.size));
  line.parts = std::move(parts);
  lines_.push_back(std::move(line));
}

Working::Working(Page& page, const std::vector<app::Part>& parts, float w, bool inline_roots)
    : page_(page), w_(w), inline_roots_(inline_roots) {
  // What stays together: up to the next "=", or one whole question with its blank.
  const bool has_blanks =
      std::any_of(parts.begin(), parts.end(), [](const app::Part& part) { return part.kind == Kind::blank; });
  std::vector<Pieces> groups(1);
  const auto start_new = [&] {
    if (!groups.back().empty()) groups.emplace_back();
  };
  for (const app::Part& part : parts) {
    if (part.kind == Kind::line_break_hint) {
      start_new();
      continue;
    }
    if (!has_blanks && is_sign(part, "=") && groups.size() + groups.back().size() > 2) start_new();
    groups.back().push_back(&part);
    if (part.kind == Kind::blank) start_new();
  }
  float size = kSize;  // one size for all: as small as the widest group asks, down to what can be read
  for (const Pieces& group : groups)
    while (size > kSmallest && width_of(group, size) > w_) size -= 1;
  Pieces line;
  const auto joined = [&](Pieces a, const Pieces& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  };
  const auto end_line = [&] {
    if (!line.empty()) add_line(std::exchange(line, {}), size);
  };
  for (const Pieces& group : groups) {
    if (width_of(joined(line, group), size) <= w_) {
      line = joined(line, group);
      continue;
    }
    end_line();
    if (width_of(group, size) <= w_) {
      line = group;
      continue;
    }
    for (const app::Part* part : group) {  // too wide by itself: it breaks anywhere
      if (!line.empty() && width_of(joined(line, {part}), size) > w_) end_line();
      line.push_back(part);
    }
  }
  end_line();
}

float Working::height() const {
  float h = 0;
  for (const Line& line : lines_)
    h += line.wrapped > 0 ? kWordPitch * static_cast<float>(line.wrapped - 1) + 2 * line.half : 2 * line.half;
  return h;
}

float Working::first_middle() const { return lines_.empty() ? 0 : lines_.front().half; }

void Working::draw(float x, float top) const {
  for (const Line& line : lines_) {
    const float y = top + line.half;
    top += 2 * line.half;
    if (line.wrapped > 0) {
      page_.d.wrap(x, y, line.parts[0]->text, {.size = line.size, .colour = page_.c.ink}, w_, kWordPitch);
      top += kWordPitch * static_cast<float>(line.wrapped - 1);
      continue;
    }
    float at = x;
    for (std::size_t i = 0; i < line.parts.size(); ++i) {
      const app::Part& part = *line.parts[i];
      draw_part(part, at, y, line.size);
      at += part_width(part, line.size) +
            gap_after(part, i + 1 < line.parts.size() ? line.parts[i + 1] : nullptr, line.size);
    }
  }
}

void Working::draw_part(const app::Part& part, float x, float y, float size) const {
  Draw& d = page_.d;
  const Palette& c = page_.c;
  const float w = part_width(part, size), scale = size / kSize;
  const Draw::RichStyle mono{.size = size, .face = Face::mono, .colour = part.dim ? c.ink2 : c.ink};
  switch (part.kind) {
    case Kind::text:
      d.rich(x, y, part.text,
             {.size = size,
              .face = is_operator(part) ? Face::mono : Face::sans,
              .colour = part.dim || is_sign(part, "=") ? c.ink2 : c.ink});
      return;
    case Kind::fraction: d.fraction(x, y, part.text, part.below, mono); return;
    case Kind::root_fraction:
      if (inline_roots_)
        d.sqrt(x + d.rich(x, y, part.text + " ÷ ", mono), y, part.below, mono);
      else
        d.fraction(x, y, part.text, part.below, mono, true);
      return;
    case Kind::factor:
      d.rich(x, y, part.text,
             {.size = size,
              .face = part.dim ? Face::mono : Face::mono_medium,
              .colour = part.dim ? c.ink2 : c.ink,
              .chip_height = 26 * scale});
      if (part.head >= 0) d.rect_filled(x - 3, y + 16 * scale, std::round(w) + 6, 3, page_.head_colour(part.head), 1);
      return;
    case Kind::result: {
      const bool pattern = part.cell && part.cell->tensor == app::Tensor::pattern;
      const bool coloured = part.cell.has_value() && std::isfinite(part.value);
      const float t = static_cast<float>(pattern ? std::clamp(part.value, 0.0, 1.0)
                                                 : 0.5 + 0.5 * std::clamp(part.value / 4, -1.0, 1.0));
      const float h = 32 * scale;
      if (coloured) {
        d.cell(x, y - h / 2, w, h, t, !pattern, 2);
      } else {
        d.rect_filled(x, y - h / 2, w, h, c.bg, 2);
        d.rect(x, y - h / 2, w, h, c.line2, {.radius = 2});
      }
      d.rich(x + w / 2, y, part.text,
             {.size = size,
              .face = Face::mono_medium,
              .colour = coloured ? text_on(d.table_colour(t, !pattern)) : c.ink,
              .align = 0.5f});
      return;
    }
    case Kind::blank:
      d.rect_filled(x, y - kBlankHeight / 2, w, kBlankHeight, c.mark, 3);
      d.rect(x, y - kBlankHeight / 2, w, kBlankHeight, c.mark_line, {.radius = 3, .dash = 3, .gap = 3});
      d.text(x + w / 2, y, "?", {.size = kSize, .face = Face::mono_medium, .colour = c.ink, .align = 0.5f});
      return;
    case Kind::line_break_hint: return;
  }
}

}  // namespace ui
