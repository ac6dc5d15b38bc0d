// Which questions practice asks: the chip that names the set, and the card that opens from it.
#include "ui/practice.hpp"

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

constexpr float kChip = 24, kChipGap = 8, kPad = 16;

std::string set_label(const Page& page, float most) {
  return page.d.fitting(page.v.practice.set_name, 12, Face::sans, std::max(40.f, most));
}

/// Where the chips of the sets stand: lines of as many as fit.
std::vector<Rect> places_of(const Page& page, float x, float y, float w, float pitch) {
  std::vector<Rect> places;
  float at = x;
  for (const auto& [action, name] : page.v.practice.sets) {
    const float chip_w = std::min(w, page.d.chip_width(name, "", name == page.v.practice.set_name));
    if (at > x && at + chip_w > x + w) at = x, y += pitch;
    places.push_back({at, y, chip_w, kChip});
    at += chip_w + kChipGap;
  }
  return places;
}

void number_field(Page& page, const Rect& r, std::string_view name, const std::string& value,
                  const std::string& field) {
  Draw& d = page.d;
  const Palette& c = page.c;
  d.text(r.x - 8, r.y + r.h / 2, name, {.colour = c.ink, .align = 1});
  d.rect_filled(r.x, r.y, r.w, r.h, page.is_hovered(r) ? c.sunk : c.surface, 6);
  d.rect(r.x, r.y, r.w, r.h, c.line2, {.radius = 6});
  if (page.local.editing_field != field)
    d.text(r.x + r.w / 2, r.y + r.h / 2, value, {.size = 13, .face = Face::mono, .colour = c.ink, .align = 0.5f});
  page.region(r, std::string(kEditAction) + field);
}

}  // namespace

float draw_set_chip(Page& page, float right, float y, float hit_h, float most) {
  Draw& d = page.d;
  const Palette& c = page.c;
  const std::string label = set_label(page, most - 34);
  const float w = std::round(d.width(label, 12, Face::sans)) + 34, x = right - w;
  const Rect r{x, y - kChip / 2, w, kChip};
  if (page.is_hovered(r)) d.rect_filled(r.x, r.y, r.w, r.h, c.sunk, 12);
  d.rect(r.x, r.y, r.w, r.h, c.line2, {.radius = 12});
  d.text(r.x + 10, y, label, {.size = 12, .colour = c.ink});
  page.menu_mark(r.x + r.w - 17, y);
  page.region({r.x, y - hit_h / 2, r.w, hit_h}, "ui:sets");
  page.sets_at = r;
  return x;
}

void Page::sets_popover() {
  const bool fingers = vp.width < 720 || vp.touch;
  const float w = std::min(fingers ? 358.f : 376.f, vp.width - 16), inner = w - 2 * kPad;
  const app::Practice& practice = s.practice;
  float pitch = fingers ? 44.f : 32.f;
  const float field_h = fingers ? 44.f : 32.f;
  const bool own_seed = practice.set != "lesson";
  const auto lines_h = [&] {
    const auto places = places_of(*this, 0, 0, inner, pitch);
    return places.empty() ? 0 : places.back().y + pitch;
  };
  const float rest = 44 + (own_seed ? field_h + 12 : 0) + 44 + 44;
  while (pitch > 28 && lines_h() + rest > vp.height - 16) pitch -= 1;  // low windows: closer, still apart
  const float h = lines_h() + rest;
  const float x = std::clamp(sets_at.x + sets_at.w - w, 8.f, std::max(8.f, vp.width - w - 8));
  const float y = std::max(8.f, std::min(sets_at.y + sets_at.h + 8, vp.height - h - 8));
  popover_ground({x, y, w, h});
  float at = y + 14;
  const auto places = places_of(*this, x + kPad, at + (pitch - kChip) / 2, inner, pitch);
  next_group();
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto& [action, name] = v.practice.sets[i];
    const Rect& r = places[i];
    const bool on = name == v.practice.set_name;
    const Face face = on ? Face::bold : Face::sans;
    const bool fits = d.width(name, 12, face) <= r.w - 19;
    d.chip(r.x, r.y, fits ? name : d.fitting(name, 12, face, r.w - 20), "", on, is_hovered(r));
    region_beside({r.x, r.y - (pitch - kChip) / 2, r.w, pitch}, action, on);
  }
  at += lines_h() + 8;
  d.line(x + kPad, at, x + w - kPad, at, c.line);
  d.toggle(x + kPad, at + 22 - 9, practice.hints, false);
  d.text(x + kPad + 42, at + 22, "Hints can be asked for", {.colour = c.ink});
  region({x + 8, at + 1, w - 16, 44}, practice.hints ? "practice-hints:off" : "practice-hints:on");
  at += 50;
  if (!own_seed) {
    button({x + kPad, at, inner, 44}, "Copy a link to this set", "ui:copy:link");
    return;
  }
  const float left = x + kPad, right = x + w - kPad, seed_w = inner >= 320 ? 116.f : 86.f;
  number_field(*this, {left + 42, at, seed_w, field_h}, "Seed", std::to_string(practice.seed), "practice.seed");
  number_field(*this, {right - 48, at, 48, field_h}, "Questions", std::to_string(v.practice.count), "practice.count");
  at += field_h + 12;
  const float half = (inner - 8) / 2;
  button({left, at, half, 44}, "More questions", "more-questions");
  button({left + half + 8, at, half, 44}, "Copy link", "ui:copy:link");
}

}  // namespace ui
