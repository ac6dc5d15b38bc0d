// The card's first panel: one head, what it was counted to do, and what it had to beat.
#include "ui/gallery.hpp"

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

float bar_width(const Rect& card) { return card.w < 440 ? 64.f : card.w < 520 ? 96.f : 150.f; }

/// Bars at the right of the title: this head, and the rules that it is held against.
void draw_evidence(Page& page, const Rect& card) {
  Draw& d = page.d;
  const Palette& c = page.c;
  const auto& bars = page.v.gallery.evidence;
  const bool three = bars.size() > 2;
  const float w = bar_width(card), x = card.x + card.w - w - 78;
  const float first = card.y + (three ? 20.f : 24.f), pitch = three ? 19.f : 22.f;
  std::vector<double> targets;
  for (const app::Evidence& bar : bars) targets.push_back(bar.share);
  const std::vector<double> shares = page.anim.evidence(targets);
  for (std::size_t i = 0; i < bars.size(); ++i) {
    const float y = first + pitch * static_cast<float>(i);
    d.text(x - 10, y, bars[i].name, {.size = 12, .colour = i == 0 ? c.ink : c.ink2, .align = 1});
    d.rect_filled(x, y - 6, w, 12, c.sunk, 2);
    const auto filled = static_cast<float>(std::round(static_cast<double>(w) * std::clamp(shares[i], 0.0, 1.0)));
    d.rect_filled(x, y - 6, filled, 12, i == 0 ? c.ink : c.line2, 2);
    d.text(x + w + 42, y, bars[i].text, {.face = i == 0 ? Face::bold : Face::sans, .colour = c.ink, .align = 1});
  }
}

}  // namespace

void draw_head_panel(Page& page, const Rect& card) {
  Draw& d = page.d;
  const Palette& c = page.c;
  const app::GalleryView& v = page.v.gallery;
  const bool narrow = card.w < 400;  // a phone: the bars stand below the title
  const float left = card.x + (narrow ? 12.f : 20.f), w = card.w - 2 * (left - card.x);
  d.text(left, card.y + 22, v.head_title, {.size = 12, .face = Face::bold, .colour = c.ink2});
  const float title_room = narrow ? w : card.w - bar_width(card) - 78 - 128 - 24;
  float size = 20;
  while (size > 14 && d.width(v.role_title, size, Face::bold) > title_room) size -= 2;
  d.text(left, card.y + 47, d.fitting(v.role_title, size, Face::bold, title_room),
         {.size = size, .face = Face::bold, .colour = c.ink});
  float y = card.y + 78;
  if (narrow) {
    draw_evidence(page, {card.x, card.y + 54, card.w, 0});
    y += 54;
  } else {
    draw_evidence(page, card);
  }
  if (!v.finding.empty()) y += d.wrap(left, y, v.finding, {.colour = c.ink2}, w, 20);
  if (!v.not_testable.empty()) {
    const float button = v.try_role.empty() ? 0.f : 92.f;
    const float used = d.wrap(left, y, app::escape_rich(v.not_testable), {.colour = c.ink2}, w - button - 12, 20);
    const float h = page.vp.width < 720 ? 44.f : 24.f;
    if (button > 0)
      page.button({left + w - button, y - 12, button, h}, "Show it", "example-for:" + v.try_role, {.size = 12});
    y += std::max(used, h);
  }
  std::string why = v.why;
  if (!v.other_roles.empty()) why += (why.empty() ? "" : " ") + v.other_roles;
  const bool room = narrow || card.h >= 400 || v.finding.empty();  // else the map needs it
  if (!why.empty() && room) y += d.wrap(left, y - 2, why, {.size = 12, .colour = c.ink2}, w, 16);
  draw_enlarged(page, card, y - 12);
}

void draw_card(Page& page, const Rect& card) {
  page.d.rect_filled(card.x, card.y, card.w, card.h, page.c.surface, 8);
  page.d.rect(card.x, card.y, card.w, card.h, page.c.line, {.radius = 8});
  switch (page.s.gallery.panel) {
    case app::Panel::head: return draw_head_panel(page, card);
    case app::Panel::training: return draw_training_panel(page, card);
    case app::Panel::layers: return draw_layers_panel(page, card);
  }
}

}  // namespace ui
