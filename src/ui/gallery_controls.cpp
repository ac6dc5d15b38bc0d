// The gallery's controls: filter chips, sources, the sentence, the card's tabs, toggles.
#include "ui/gallery.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ui {
namespace {

constexpr float kChipHeight = 24, kChipGap = 6;
constexpr std::pair<app::Source, std::string_view> kSources[] = {{app::Source::shipped, "This page’s model"},
                                                                 {app::Source::trained, "Trained here"},
                                                                 {app::Source::file, "From a file"}};

/// The sentence that the maps are of, as one would type it.
std::string sentence_text(const Page& page) {
  const app::Gallery& gallery = page.s.gallery;
  const app::GalleryView& v = page.v.gallery;
  if (!gallery.sentence.empty() && gallery.source != app::Source::file) return gallery.sentence;
  std::string text;
  for (const std::string& token : v.tokens)
    if (token != "[CLS]" && token != "[SEP]") text += (text.empty() ? "" : " ") + token;
  return text;
}

Rect hit_of(float x, float y, float w, float hit_h) { return {x, y - (hit_h - kChipHeight) / 2, w, hit_h}; }

}  // namespace

void draw_role_chips(Page& page, float x, float y, float right, float hit_h) {
  Draw& d = page.d;
  const auto& chips = page.v.gallery.chips;
  const std::string& role = page.s.gallery.role;
  const auto count_of = [&](std::size_t i) { return std::to_string(chips[i].heads); };
  std::vector<std::size_t> shown, folded;
  const float more_w = d.chip_width("+ 12 more", "", false);
  float needed = x;
  for (std::size_t i = 0; i < chips.size(); ++i)
    needed += d.chip_width(chips[i].name, count_of(i), chips[i].id == role) + kChipGap;
  float at = x;
  for (std::size_t i = 0; i < chips.size(); ++i) {
    const float w = d.chip_width(chips[i].name, count_of(i), chips[i].id == role);
    const bool fits = needed - kChipGap <= right || at + w + kChipGap + more_w <= right;
    if (fits && folded.empty()) {
      shown.push_back(i);
      at += w + kChipGap;
    } else {
      folded.push_back(i);
    }
  }
  // What is chosen is always seen: it takes the last place.
  const auto chosen = std::find_if(folded.begin(), folded.end(), [&](std::size_t i) { return chips[i].id == role; });
  if (chosen != folded.end() && !shown.empty()) std::swap(*chosen, shown.back());
  page.next_group();
  at = x;
  for (const std::size_t i : shown) {
    const bool on = chips[i].id == role;
    const float w = d.chip_width(chips[i].name, count_of(i), on);
    d.chip(at, y, chips[i].name, count_of(i), on, page.is_hovered({at, y, w, kChipHeight}));
    page.region_beside(hit_of(at, y, w, hit_h), "role:" + chips[i].id, on);
    at += w + kChipGap;
  }
  if (folded.empty()) return;
  const std::string label = "+ " + std::to_string(folded.size()) + " more";
  const float w = d.chip_width(label, "", false);
  d.chip(at, y, label, "", false, page.is_hovered({at, y, w, kChipHeight}));
  page.region_beside(hit_of(at, y, w, hit_h), "ui:roles");
  page.folded_chips = folded;
  page.folded_at = {at, y, w, kChipHeight};
}

void Page::roles_popover() {
  const auto& chips = v.gallery.chips;
  const float row = vp.width < 720 ? 44.f : 32.f, w = std::min(240.f, vp.width - 16);
  const float h = 16 + row * static_cast<float>(folded_chips.size());
  const float x = std::clamp(folded_at.x + folded_at.w - w, 8.f, std::max(8.f, vp.width - w - 8));
  const float y = std::min(folded_at.y + folded_at.h + 6, std::max(52.f, vp.height - h - 8));
  popover_ground({x, y, w, h});
  for (std::size_t k = 0; k < folded_chips.size(); ++k) {
    const app::RoleChip& chip = chips[folded_chips[k]];
    const Rect line{x + 4, y + 8 + static_cast<float>(k) * row, w - 8, row};
    if (is_hovered(line)) d.rect_filled(line.x, line.y, line.w, line.h, c.sunk, 6);
    d.text(x + 16, line.y + row / 2, chip.name, {.colour = c.ink});
    d.text(x + w - 16, line.y + row / 2, std::to_string(chip.heads),
           {.size = 13, .face = Face::mono, .colour = c.ink2, .align = 1});
    region(line, "role:" + chip.id);
  }
}

namespace {

std::string_view name_of(const Page& page, std::size_t source) {
  return source == 0 && page.vp.width < 360 ? std::string_view("This page’s") : kSources[source].second;
}

}  // namespace

float sources_width(const Page& page) {
  float w = -kChipGap;
  for (std::size_t i = 0; i < 3; ++i)
    w += page.d.chip_width(name_of(page, i), "", page.s.gallery.source == kSources[i].first) + kChipGap;
  return w;
}

void draw_sources(Page& page, float x, float y, float hit_h) {
  Draw& d = page.d;
  constexpr std::string_view kActions[] = {"source:shipped", "source:trained", "source:file"};
  page.next_group();
  for (std::size_t i = 0; i < 3; ++i) {
    const std::string_view name = name_of(page, i);
    const bool on = page.s.gallery.source == kSources[i].first;
    const float chip_w = d.chip_width(name, "", on);
    d.chip(x, y, name, "", on, page.is_hovered({x, y, chip_w, kChipHeight}));
    page.region_beside(hit_of(x, y, chip_w, hit_h), std::string(kActions[i]), on);
    x += chip_w + kChipGap;
  }
}

void draw_sentence(Page& page, const Rect& rect) {
  Draw& d = page.d;
  const Palette& c = page.c;
  const bool from_file = page.s.gallery.source == app::Source::file;
  constexpr float kGap = 8;
  const bool small = rect.w < 300;
  const float button = small ? 36.f : 136.f, field_w = from_file ? rect.w : rect.w - button - kGap;
  const Rect field{rect.x, rect.y, field_w, rect.h};
  const bool hovered = !from_file && page.is_hovered(field);
  const std::string text = sentence_text(page);
  const float middle = rect.y + rect.h / 2;
  if (from_file) {  // it has one sentence, and it can't be changed
    d.text(field.x, middle, d.fitting(text, 14, Face::sans, field_w), {.colour = c.ink2});
    return;
  }
  d.rect_filled(field.x, field.y, field.w, field.h, hovered ? c.sunk : c.surface, 6);
  d.rect(field.x, field.y, field.w, field.h, c.line2, {.radius = 6});
  if (text.empty())
    d.text(field.x + 10, middle, "Type a sentence", {.colour = c.ink3});
  else
    d.text(field.x + 10, middle, d.fitting(text, 14, Face::sans, field_w - 20), {.colour = c.ink});
  page.region(field, "ui:edit:sentence");
  const int next =
      page.s.gallery.sentence.empty() ? (page.s.gallery.example + 1) % app::kExamples : page.s.gallery.example;
  page.button({rect.x + rect.w - button, rect.y, button, rect.h},
              small                             ? ""
              : page.s.gallery.sentence.empty() ? "Another example"
                                                : "Back to example",
              app::to_text(app::Action{app::ShowExample{next}}), {.icon = small ? Icon::next : Icon::none});
}

void draw_panel_tabs(Page& page, float left, float right, float y, float h) {
  Draw& d = page.d;
  const Palette& c = page.c;
  constexpr std::pair<app::Panel, std::string_view> kTabs[] = {
      {app::Panel::head, "This head"}, {app::Panel::training, "Training"}, {app::Panel::layers, "By layer"}};
  constexpr std::string_view kActions[] = {"panel:head", "panel:training", "panel:layers"};
  const bool spread = left >= 0;  // over the whole width, else as wide as their names and to the right
  const auto width = [&](std::size_t i) {
    return std::round(d.width(kTabs[i].second, 14, page.s.gallery.panel == kTabs[i].first ? Face::bold : Face::sans));
  };
  float x = spread ? left : right - width(0) - width(1) - width(2) - 48;
  page.next_group();
  for (std::size_t i = 0; i < 3; ++i) {
    const bool on = page.s.gallery.panel == kTabs[i].first;
    const float w = width(i), hit_w = spread ? (right - left) / 3 : w + 24;
    const float text_x = spread ? x + (hit_w - w) / 2 : x;
    d.text(text_x, y + h / 2 - 1, kTabs[i].second,
           {.face = on ? Face::bold : Face::sans, .colour = on ? c.ink : c.ink2});
    if (on) d.rect_filled(text_x, y + h - 3, w, 3, c.ink);
    page.region_beside({spread ? x : x - 12, y, hit_w, h}, std::string(kActions[i]), on);
    x += spread ? hit_w : w + 24;
  }
}

void draw_toggle(Page& page, float x, float y, float hit_h, std::string_view label, bool on, const std::string& action,
                 float size) {
  page.d.toggle(x, y - 9, on, false);
  const float w = page.d.text(x + (size < 14 ? 38.f : 42.f), y, label, {.size = size, .colour = page.c.ink});
  page.region({x - 4, y - hit_h / 2, 46 + w + 4, hit_h}, action);
}

bool has_to_be_said(const Page& page) { return !page.v.gallery.sentence_note.empty(); }

std::string subtitle_of(const Page& page, bool short_form) {
  if (has_to_be_said(page)) return app::escape_rich(page.v.gallery.sentence_note);
  if (short_form) return "Rows ask, columns are looked at.";
  return app::escape_rich(page.v.gallery.subtitle);
}

}  // namespace ui
