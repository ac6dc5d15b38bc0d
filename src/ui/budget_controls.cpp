// The budget's controls: presets, sizes with slider and field, switches, tabs.
#include "ui/budget.hpp"

#include <algorithm>
#include <utility>

namespace ui {
namespace {

constexpr std::string_view kQuick[] = {"transformer_base", "bert_base", "gpt3"};  // as drawn
constexpr std::pair<app::BudgetPanel, std::string_view> kTabs[] = {{app::BudgetPanel::parameters, "Parameters"},
                                                                   {app::BudgetPanel::compute, "Compute"},
                                                                   {app::BudgetPanel::rank, "Rank limit"},
                                                                   {app::BudgetPanel::code, "In code"}};
constexpr float kTabGap = 24, kLabelled = 44;  // from a switch's left edge to its label

/// The chosen preset first, then well-known ones.
std::vector<const app::PresetRow*> first_presets(const Page& page, std::size_t most) {
  const auto& all = page.v.budget.presets;
  std::vector<const app::PresetRow*> rows;
  for (const app::PresetRow& row : all)
    if (row.on) rows.push_back(&row);
  for (const std::string_view id : kQuick)
    for (const app::PresetRow& row : all)
      if (row.id == id && !row.on && rows.size() < most) rows.push_back(&row);
  return rows;
}

void draw_switch(Page& page, float x, float y, float hit_h, std::string_view label, bool on, std::string_view field) {
  page.d.toggle(x, y - 9, on, false);
  const float w = page.d.rich(x + kLabelled, y, label, {.colour = page.c.ink});
  page.region({x - 4, y - hit_h / 2, kLabelled + w + 8, hit_h}, "size:" + std::string(field) + (on ? "=off" : "=on"));
}

std::string edit_action(std::string_view field) { return std::string(kEditAction) + "size." + std::string(field); }

/// "decoder layers" of "decoder layers, two attentions each"
std::string first_words(const std::string& caption) { return caption.substr(0, caption.find(',')); }

/// The whole caption, or its first words where there is no room for more.
std::string fitting_caption(const Draw& d, const std::string& caption, float most) {
  if (d.width(caption, 12, Face::sans) <= most) return caption;
  std::string words = first_words(caption);
  while (d.width(words, 12, Face::sans) > most && words.find(' ') != std::string::npos) words.erase(words.rfind(' '));
  return d.fitting(words, 12, Face::sans, most);
}

void field_box(Page& page, const Rect& box) {
  page.d.rect_filled(box.x, box.y, box.w, box.h, page.is_hovered(box) ? page.c.sunk : page.c.surface, 4);
  page.d.rect(box.x, box.y, box.w, box.h, page.c.line2, {.radius = 4});
}

}  // namespace

const app::SizeControl* find_size(const Page& page, std::string_view field) {
  const app::BudgetView& v = page.v.budget;
  for (const auto* controls : {&v.controls, &v.model_controls, &v.text_controls})
    for (const app::SizeControl& control : *controls)
      if (control.field == field) return &control;
  return nullptr;
}

float draw_presets(Page& page, float x, float y, float w, int rows, float row_h, float pitch) {
  Draw& d = page.d;
  const Palette& c = page.c;
  const bool touch = row_h >= 44;
  d.text(x, y, "Presets", {.size = 12, .face = Face::bold, .colour = c.ink2});
  page.next_group();
  const float hit = touch ? 44.f : 22.f, h = touch ? 32.f : 20.f;
  const float button_w = std::round(d.width("All presets", 12, Face::sans)) + 20;
  const Rect button{x + w - button_w, y - h / 2, button_w, h};
  d.button(button.x, button.y, button.w, button.h, "All presets",
           {.size = 12, .hovered = page.is_hovered({button.x, y - hit / 2, button.w, hit})});
  page.region_beside({button.x, y - hit / 2, button.w, hit}, "ui:presets");
  page.folded_at = button;
  float row_y = y + (touch ? 24.f : 13.f);
  for (const app::PresetRow* row : first_presets(page, static_cast<std::size_t>(rows))) {
    const Rect box{x, row_y, w, row_h};
    const float middle = row_y + row_h / 2;
    if (row->on || page.is_hovered(box)) d.rect_filled(x, row_y, w, row_h, row->on ? c.surface : c.sunk, 6);
    d.rect(x, row_y, w, row_h, row->on ? c.ink : c.line2, {.width = row->on ? 2.f : 1.f, .radius = 6});
    const Colour colour = row->on ? c.ink : c.ink2;
    const float heads_w = d.text(x + w - 14, middle, row->heads, {.size = 12, .colour = colour, .align = 1});
    const float size_right = std::min(x + w - 92, x + w - 14 - heads_w - 14);
    const float size_w =
        d.text(size_right, middle, row->d_model, {.size = 13, .face = Face::mono, .colour = colour, .align = 1});
    const Face face = row->on ? Face::bold : Face::sans;
    d.text(x + 14, middle, d.fitting(row->name, 14, face, size_right - size_w - 8 - x - 14),
           {.face = face, .colour = c.ink});
    if (page.local.popover != Local::Popover::presets) page.region_beside(box, "preset:" + row->id, row->on);
    row_y += pitch;
  }
  return row_y - pitch + row_h;
}

void Page::presets_popover() {
  const auto& presets = v.budget.presets;
  if (presets.empty()) return;
  const auto count = static_cast<float>(presets.size());
  const float row = std::clamp((vp.height - 32) / count, 24.f, vp.width < 720 ? 44.f : 32.f);
  const float w = std::min(380.f, vp.width - 16), h = 16 + row * count;
  const float x = std::clamp(folded_at.x, 8.f, std::max(8.f, vp.width - w - 8));
  const float y = std::clamp(folded_at.y + folded_at.h + 6, 4.f, std::max(4.f, vp.height - h - 8));
  popover_ground({x, y, w, h});
  next_group();
  for (std::size_t i = 0; i < presets.size(); ++i) {
    const app::PresetRow& preset = presets[i];
    const Rect line{x + 4, y + 8 + static_cast<float>(i) * row, w - 8, row};
    const float middle = line.y + row / 2;
    if (is_hovered(line)) d.rect_filled(line.x, line.y, line.w, line.h, c.sunk, 6);
    const float name_w =
        d.text(x + 36, middle, preset.name, {.face = preset.on ? Face::bold : Face::sans, .colour = c.ink});
    if (preset.on) d.icon(Icon::check, x + 16, middle, c.ink);
    const float right = x + w - 16;
    const float heads_w = d.text(right, middle, preset.heads, {.size = 12, .colour = c.ink2, .align = 1});
    const float size_w = d.width(preset.d_model, 13, Face::mono);
    const float size_right = std::max(std::min(right - 148, right - heads_w - 10), x + 36 + name_w + 8 + size_w);
    if (size_right <= right - heads_w - 6)
      d.text(size_right, middle, preset.d_model, {.size = 13, .face = Face::mono, .colour = c.ink2, .align = 1});
    region_beside(line, "preset:" + preset.id, preset.on);
  }
}

void draw_size(Page& page, const app::SizeControl& control, float x, float y, float w, const SizeLook& look) {
  Draw& d = page.d;
  const Palette& c = page.c;
  const float symbol_w = d.rich(x, y, control.symbol, {.colour = c.ink});
  const Rect box{x + w - look.field_w, y - look.field_h / 2, look.field_w, look.field_h};
  const bool named = !control.symbol.empty();
  const float caption_x = named ? std::max(x + look.caption_dx, x + symbol_w + 8) : x;
  const float end = (control.locked ? x + w - 10 - d.width(control.value, 13, Face::mono_medium) : box.x) - 8;
  const TextStyle caption{.size = 12, .colour = named ? c.ink2 : c.ink};
  const std::string words = fitting_caption(d, control.caption, end - caption_x);
  d.text(caption_x, y, words, caption);
  if (!control.locked) field_box(page, box);
  d.text(x + w - 10, y, control.value, {.size = 13, .face = Face::mono_medium, .colour = c.ink, .align = 1});
  const float track_x = x + 8, track_w = w - 16, track_y = y + look.slider_dy;
  std::vector<float> places;
  for (const float place : control.places) places.push_back(track_x + track_w * place);
  const auto stop = static_cast<std::size_t>(std::max(0, control.stop));
  const float share = stop < control.places.size() ? control.places[stop] : 0.f;
  d.slider(track_x, track_y, track_w, share, !control.locked);
  if (control.locked) return;
  const float hit = std::max(look.field_h, look.hit_h > 40 ? 44.f : 0.f);
  page.region({box.x, y - hit / 2, box.w, hit}, edit_action(control.field));
  page.slider_region({x, track_y - look.hit_h / 2, w, look.hit_h}, "ui:slide:" + control.field, control.stops,
                     std::move(places), control.stop);
}

namespace {

std::string small_name(const app::SizeControl& control) {
  return control.symbol.empty() ? app::escape_rich(first_words(control.caption)) : control.symbol;
}

float small_box_width(const Draw& d, const app::SizeControl& control) {
  return std::max(36.f, std::round(d.width(control.value, 13, Face::mono_medium)) + 16);
}

}  // namespace

float small_field_width(const Page& page, const app::SizeControl& control) {
  return small_box_width(page.d, control) + 8 + std::round(page.d.rich_width(small_name(control), 12));
}

void draw_small_field(Page& page, const app::SizeControl& control, float right, float y, float h) {
  Draw& d = page.d;
  const Palette& c = page.c;
  const float w = small_box_width(d, control);
  const Rect box{right - w, y - h / 2, w, h};
  field_box(page, box);
  d.text(right - 8, y, control.value, {.size = 13, .face = Face::mono_medium, .colour = c.ink, .align = 1});
  d.rich(right - w - 8, y, small_name(control), {.size = 12, .colour = c.ink2, .align = 1});
  page.region(box, edit_action(control.field));
}

void draw_keep(Page& page, float x, float y, float hit_h) {
  draw_switch(page, x, y, hit_h, page.v.budget.keep_label, page.v.budget.keep, "keep");
}

void draw_biases(Page& page, float x, float y, float right, float hit_h) {
  page.d.text(right, y, page.v.budget.biases_note, {.size = 12, .colour = page.c.ink2, .align = 1});
  draw_switch(page, x, y, hit_h, "Biases", page.v.budget.biases, "biases");
}

void draw_gated(Page& page, float x, float y, float hit_h) {
  draw_switch(page, x, y, hit_h, "Gated feed-forward", page.v.budget.gated, "gated");
}

float budget_tabs_width(const Page& page) {
  float w = -kTabGap;
  for (const auto& [panel, name] : kTabs)
    w += std::round(page.d.width(name, 14, page.s.budget.panel == panel ? Face::bold : Face::sans)) + kTabGap;
  return w;
}

void draw_budget_tabs(Page& page, float left, float right, float y, float h) {
  Draw& d = page.d;
  const Palette& c = page.c;
  const bool spread = left >= 0;
  const float names = budget_tabs_width(page) - kTabGap * (app::kBudgetPanels - 1);
  float x = spread ? left : right - budget_tabs_width(page);
  page.next_group();
  for (const auto& [panel, name] : kTabs) {
    const bool on = page.s.budget.panel == panel;
    const Face face = on ? Face::bold : Face::sans;
    const float w = std::round(d.width(name, 14, face));
    const float hit_w = spread ? w + (right - left - names) / app::kBudgetPanels : w + kTabGap;
    const float text_x = spread ? std::round(x + (hit_w - w) / 2) : x;
    d.text(text_x, y + h / 2 - 1, name, {.face = face, .colour = on ? c.ink : c.ink2});
    if (on) d.rect_filled(text_x, y + h - 3, w, 3, c.ink);
    page.region_beside({spread ? x : x - kTabGap / 2, y, hit_w, h}, "view:" + std::string(app::name_of(panel)), on);
    x += spread ? hit_w : w + kTabGap;
  }
}

void draw_editable_end(Page& page, const Rect& text, std::string_view number, float size, std::string_view field) {
  const float w = page.d.width(number, size, Face::sans), right = text.x + text.w;
  const float y = text.y + text.h / 2 + size * 0.62f;
  page.d.line(std::round(right - w), y, right, y, page.c.line2, {.dash = 1, .gap = 2});
  page.region({right - w - 6, text.y, w + 12, text.h}, edit_action(field));
}

// ------------------------------------------------------------------ amounts

void amount_region(Page& page, const Rect& rect, app::Amount amount) {
  page.region_beside(rect, "amount:" + std::string(app::name_of(amount)), page.v.budget.shown == amount);
}

bool is_lit(const Page& page, app::Amount amount) {
  const auto& budget = page.s.budget;
  return budget.hovered ? budget.hovered == amount : budget.pinned == amount;
}

std::string with_matrices(std::string_view plain) {
  std::string rich = app::escape_rich(plain);
  constexpr std::string_view kPlain = "W\\^O", kRich = "<b>W</b>^{O}";
  for (std::size_t at = 0; (at = rich.find(kPlain, at)) != std::string::npos; at += kRich.size())
    rich.replace(at, kPlain.size(), kRich);
  return rich;
}

std::string percent(double share) { return app::format_number(100 * share, 1) + " %"; }

}  // namespace ui
