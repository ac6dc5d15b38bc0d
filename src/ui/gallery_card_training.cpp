// The card's second panel: what is trained, how, the buttons that drive it, and its curve.
#include "ui/gallery.hpp"

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

using app::Training;

/// Where things stand: a wide card has its buttons beside the title, a phone has one thing below the other.
struct Places {
  float left, right, button_h, row_h;
  bool narrow, short_rows;  // short_rows: an iframe's card
};

bool is_over(const Training& t) { return t.finished || !t.problem.empty(); }

/// The value of a size that the plan may have next, upward or downward; absent: none.
std::optional<int> next_value(const train::Shape& shape, int train::Shape::*field, int direction) {
  train::Shape other = shape;
  for (int i = 0; i < 128; ++i) {
    other.*field += direction;
    if (train::validate(other).empty()) return other.*field;
  }
  return std::nullopt;
}

void draw_stepper(Page& page, float x, float y, float h, std::string_view label, const std::string& field,
                  int train::Shape::*size, bool enabled, float between) {
  Draw& d = page.d;
  const train::Shape& shape = page.s.gallery.training.plan.shape;
  d.rich(x, y - h / 2 - 10, label, {.size = 12, .colour = page.c.ink2});
  const auto button = [&](float at, std::string_view sign, int direction) {
    const auto next = enabled ? next_value(shape, size, direction) : std::nullopt;
    const std::string value = std::to_string(next.value_or(shape.*size + direction));
    page.button({at, y - h / 2, h, h}, sign, "plan:" + field + "=" + value, {.size = 16}, next.has_value());
  };
  button(x, "−", -1);
  d.text(x + h + between / 2, y, std::to_string(shape.*size),
         {.face = Face::mono_medium, .colour = page.c.ink, .align = 0.5f});
  button(x + h + between, "+", 1);
}

void draw_tasks(Page& page, float x, float y, float hit_h, bool enabled) {
  Draw& d = page.d;
  constexpr std::string_view kNames[] = {"Language", "Copy", "Brackets", "Sorting"};  // as train::Task
  page.next_group();
  for (int i = 0; i < train::kTasks; ++i) {
    const auto task = static_cast<train::Task>(i);
    const bool on = page.s.gallery.training.plan.task == task;
    const float w = d.chip_width(kNames[i], "", on);
    if (on || enabled)
      d.chip(x, y, kNames[i], "", on, enabled && page.is_hovered({x, y, w, 24}));
    else
      d.text(x + 10, y + 12, kNames[i], {.size = 12, .colour = page.c.ink3});
    page.region_beside({x, y - (hit_h - 24) / 2, w, hit_h}, "plan:task=" + std::string(train::name(task)), on, enabled);
    x += w + 6;
  }
}

void draw_rate(Page& page, float x, float y, float w, float h, bool enabled) {
  Draw& d = page.d;
  constexpr double kRates[] = {1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 3e-3, 5e-3, 1e-2, 2e-2, 5e-2, 0.1, 0.2, 0.5, 1};
  const double rate = page.s.gallery.training.plan.options.learning_rate;
  const float field_w = w < 200 ? 60.f : 76.f, track = w - field_w - 28;
  d.text(x, y - h / 2 - 10, "Learning rate", {.size = 12, .colour = page.c.ink2});
  const auto share = [](double value) { return static_cast<float>(std::clamp((std::log10(value) + 4) / 4, 0.0, 1.0)); };
  d.slider(x + 8, y, track, share(rate), enabled);
  std::vector<std::string> stops;
  std::vector<float> places;
  int nearest = 0;
  for (std::size_t i = 0; i < std::size(kRates); ++i) {
    stops.push_back("plan:learning_rate=" + app::to_text(kRates[i]));
    places.push_back(x + 8 + track * share(kRates[i]));
    if (std::abs(std::log(kRates[i] / rate)) < std::abs(std::log(kRates[static_cast<std::size_t>(nearest)] / rate)))
      nearest = static_cast<int>(i);
  }
  if (enabled)
    page.slider_region({x - 2, y - h / 2, track + 20, h}, "ui:rate", std::move(stops), std::move(places), nearest);
  const Rect field{x + w - field_w, y - h / 2, field_w, h};
  if (enabled) {
    d.rect_filled(field.x, field.y, field.w, field.h, page.is_hovered(field) ? page.c.sunk : page.c.surface, 6);
    d.rect(field.x, field.y, field.w, field.h, page.c.line2, {.radius = 6});
    page.region(field, "ui:edit:plan.learning_rate");
  }
  d.text(field.x + field.w / 2, y, app::to_text(rate),
         {.size = 13, .face = Face::mono, .colour = page.c.ink, .align = 0.5f});
}

void draw_buttons(Page& page, const Places& p, float y) {
  const Training& t = page.s.gallery.training;
  using Kind = ButtonStyle::Kind;
  const float gap = 8, w = p.right - p.left, others = p.narrow ? std::floor((w - 2 * gap) / 3) : 0;
  // One primary button: what brings training on from here.
  const bool on = t.running, begun = t.started;
  const std::string_view label = on ? "Pause" : begun ? "Go on" : "Train";
  const std::string action = on ? "train:pause" : begun ? "train:run" : "train:start";
  const bool enabled = !begun || on || !is_over(t);
  float x = p.narrow || p.short_rows ? p.left : p.right - 92 - 56 - 76 - 88 - 3 * gap;
  const float primary = p.narrow ? w : 92;
  page.button({x, y, primary, p.button_h}, label, action,
              {.kind = Kind::primary, .icon = on ? Icon::pause : Icon::play}, enabled);
  if (p.narrow)
    y += p.button_h + gap;
  else
    x += primary + gap;
  const auto next = [&](float wide, std::string_view name, const std::string& what, bool can) {
    const float button = p.narrow ? others : wide;
    page.button({x, y, button, p.button_h}, name, what, {}, can);
    x += button + gap;
  };
  next(56, "Step", "train:step", begun && !on && !is_over(t));
  next(76, "Rewind", "train:rewind", begun);
  next(88, "New seed", "train:new_seed", true);
}

}  // namespace

void draw_training_panel(Page& page, const Rect& card) {
  Draw& d = page.d;
  const Palette& c = page.c;
  const Training& t = page.s.gallery.training;
  Places p{};
  p.narrow = card.w < 400;
  p.left = card.x + (p.narrow ? 12.f : 20.f);
  p.right = card.x + card.w - (p.narrow ? 12.f : 20.f);
  p.button_h = p.narrow ? 44 : 32;
  p.row_h = p.narrow ? 44 : 28;
  const float w = p.right - p.left;
  p.short_rows = !p.narrow && card.w < 540;
  if (!p.short_rows) {
    d.text(p.left, card.y + 22, "Trained in this page", {.size = 12, .face = Face::bold, .colour = c.ink2});
    d.text(p.left, card.y + 47, "Watch heads form", {.size = 20, .face = Face::bold, .colour = c.ink});
  }
  float y = card.y + (p.narrow ? 70.f : p.short_rows ? 14.f : 20.f);
  draw_buttons(page, p, y);
  y = p.narrow ? y + 2 * p.button_h + 24 : card.y + (p.short_rows ? 62.f : 78.f);
  const bool stopped = !t.problem.empty();
  const float said =
      d.wrap(p.left, y, app::escape_rich(page.v.gallery.training), {.colour = stopped ? c.warn : c.ink2}, w, 20);
  y += std::max(20.f, said) + (p.short_rows ? 2.f : 12.f);

  // The plan: locked while there is a run, and then says how it can be changed.
  const bool open = !t.started;
  const std::string seed = "seed " + std::to_string(t.plan.seed);
  draw_tasks(page, p.left, y - 6, p.narrow ? 44.f : 24.f, open);
  if (!p.narrow)
    d.text(p.right, y + 6, open ? seed : seed + " · rewind to change", {.size = 12, .colour = c.ink2, .align = 1});
  y += p.narrow ? 72.f : p.short_rows ? 54.f : 60.f;
  const float between = p.short_rows ? 32.f : 44.f, stepper = 2 * p.row_h + between + 14;
  constexpr int train::Shape::*kSizes[] = {&train::Shape::layers, &train::Shape::heads, &train::Shape::d_model};
  constexpr std::string_view kLabels[] = {"Layers", "Heads", "d_{model}"}, kFields[] = {"layers", "heads", "d_model"};
  for (int i = 0; i < 3; ++i) {
    const bool wraps = p.narrow && i == 2;
    const float x = wraps ? p.left : p.left + static_cast<float>(i) * (p.narrow ? std::floor(w / 2) : stepper);
    draw_stepper(page, x, wraps ? y + 76 : y, p.row_h, kLabels[i], std::string(kFields[i]), kSizes[i], open, between);
  }
  if (p.narrow) {
    d.text(p.left + std::floor(w / 2), y + 76, open ? seed : "rewind to change", {.size = 12, .colour = c.ink2});
    y += 152;
    draw_rate(page, p.left, y, w, p.row_h, open);
  } else {
    draw_rate(page, p.left + 3 * stepper + 4, y, w - 3 * stepper - 4, p.row_h, open);
  }
  y += p.row_h / 2 + 16;
  draw_curve(page, {p.left, y, w, (p.narrow ? y + 300 : card.y + card.h - 12) - y});
}

}  // namespace ui
