// Loss and accuracy as they come, the moments when a head clicks, and the time line on which a checkpoint is chosen.
#include "ui/gallery.hpp"

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

using app::Training;

struct Plot {
  float x0, x1, y0, y1;  // y0 above
  double steps, most_loss;
  float at(double step) const { return x0 + (x1 - x0) * static_cast<float>(std::clamp(step / steps, 0.0, 1.0)); }
  float loss(double value) const {
    return y1 - (y1 - y0) * static_cast<float>(std::clamp(value / most_loss, 0.0, 1.0));
  }
  float share(double value) const { return y1 - (y1 - y0) * static_cast<float>(std::clamp(value, 0.0, 1.0)); }
};

/// One point a pixel column: the mean of the steps that fall into it.
template <class Value>
std::vector<ImVec2> curve_of(const Plot& p, const std::vector<heads::Point>& points, const Value& y_of) {
  std::vector<ImVec2> line;
  double sum = 0;
  int count = 0;
  float column = -1;
  const auto close = [&] {
    if (count > 0) line.push_back({column, static_cast<float>(sum / count)});
    sum = 0;
    count = 0;
  };
  for (const heads::Point& point : points) {
    const float x = std::floor(p.at(point.step));
    if (x != column) close();
    column = x;
    sum += static_cast<double>(y_of(point));
    ++count;
  }
  close();
  return line;
}

void draw_axes(Page& page, const Plot& p) {
  Draw& d = page.d;
  const Palette& c = page.c;
  for (const double share : {0.0, 0.5, 1.0}) {
    const float y = std::round(p.share(share));
    d.line(p.x0, y, p.x1, y, share == 0 ? c.line2 : c.line);
    d.text(p.x1 + 8, y, std::to_string(static_cast<int>(share * 100)) + " %", {.size = 12, .colour = c.ink2});
    if (!page.s.gallery.training.curve.empty())
      d.text(p.x0 - 8, y, share == 0 ? "0" : app::format_number(p.most_loss * share, p.most_loss < 20 ? 1 : 0),
             {.size = 12, .face = Face::mono, .colour = c.ink2, .align = 1});
  }
}

void draw_lines(Page& page, const Plot& p, const Training& t) {
  Draw& d = page.d;
  const Palette& c = page.c;
  const auto batch = curve_of(p, t.curve, [&](const heads::Point& point) { return p.share(point.accuracy); });
  const auto loss = curve_of(p, t.curve, [&](const heads::Point& point) { return p.loss(point.loss); });
  if (batch.size() > 1) d.polyline(batch, c.line2, 1);
  if (loss.size() > 1) d.polyline(loss, c.ink2, 2);
  std::vector<ImVec2> held_out;
  for (const app::Checkpoint& checkpoint : t.checkpoints)
    held_out.push_back({p.at(checkpoint.step), p.share(checkpoint.accuracy.value())});
  if (held_out.size() > 1) d.polyline(held_out, c.ink, 2.5f);
  for (const ImVec2& point : held_out) d.circle(point.x, point.y, held_out.size() > 30 ? 2.5f : 3.5f, c.ink);
  // Names on the curves, where they end, apart from each other.
  if (loss.empty()) return;
  const std::string_view accuracy_name = held_out.empty() ? "accuracy" : "accuracy, unseen sentences";
  const ImVec2 accuracy_end = held_out.empty() ? batch.back() : held_out.back();
  float accuracy_y = accuracy_end.y - 12, loss_y = loss.back().y - 12;
  if (accuracy_y < p.y0 + 8) accuracy_y = accuracy_end.y + 14;
  if (std::abs(accuracy_y - loss_y) < 16) (accuracy_y < loss_y ? loss_y : accuracy_y) += 26;
  const auto name = [&](std::string_view text, float x, float y, Face face) {
    const float w = d.width(text, 12, face);
    d.text(std::clamp(x + 6, p.x0 + 4, p.x1 - w - 4), std::clamp(y, p.y0 + 8, p.y1 - 8), text,
           {.size = 12, .face = face, .colour = c.ink});
  };
  name(accuracy_name, accuracy_end.x, accuracy_y, Face::bold);
  name("loss", loss.back().x, loss_y, Face::sans);
}

/// Each click a dotted line with its name in one of a few rows above the plot; what finds no room is only a line.
void draw_clicks(Page& page, const Plot& p, float rows_top, int rows) {
  Draw& d = page.d;
  const Palette& c = page.c;
  std::vector<float> free_from(static_cast<std::size_t>(rows), p.x0 - 40);
  for (const app::ClickNote& click : page.v.gallery.clicks) {
    const float x = std::round(p.at(click.step));
    d.line(x, p.y0 - 4, x, p.y1, c.mark_line, {.dash = 2, .gap = 3});
    const float w = d.width(click.text, 12, Face::sans);
    const float left = std::min(x, p.x1 + 40 - w);
    for (std::size_t row = 0; row < free_from.size(); ++row) {
      if (left < free_from[row]) continue;
      const float y = rows_top + 8 + 15 * static_cast<float>(row);
      d.text(left, y, click.text, {.size = 12, .colour = c.ink});
      d.line(x, y + 7, x, p.y0 - 4, c.mark_line, {.dash = 2, .gap = 3});
      free_from[row] = left + w + 10;
      break;
    }
  }
}

/// The checkpoints, one of them shown: drag the knob, or walk with the arrow keys.
void draw_time_line(Page& page, const Plot& p, float y, float hit_h) {
  Draw& d = page.d;
  const Palette& c = page.c;
  const Training& t = page.s.gallery.training;
  d.rect_filled(p.x0, y - 1, p.x1 - p.x0, 2, c.line2, 1);
  if (t.checkpoints.empty()) {
    d.text(p.x0, y + 18, "A checkpoint every " + std::to_string(heads::kExamEvery) + " steps",
           {.size = 12, .colour = c.ink2});
    return;
  }
  std::vector<std::string> stops;
  std::vector<float> places;
  const std::size_t last = t.checkpoints.size() - 1;
  std::size_t shown = last;
  if (t.scrubbed) shown = std::min(last, static_cast<std::size_t>(std::max(0, *t.scrubbed)));
  for (std::size_t i = 0; i <= last; ++i) {
    const float x = std::round(p.at(t.checkpoints[i].step));
    d.circle(x, y, 3, c.ink2);
    stops.push_back(i == last ? "scrub:" : "scrub:" + std::to_string(t.checkpoints[i].step));
    places.push_back(x);
  }
  const app::Checkpoint& checkpoint = t.checkpoints[shown];
  const float knob = places[shown];
  d.line(knob, p.y0, knob, y - 8, c.ink2, {.dash = 2, .gap = 3});
  d.circle(knob, y, 8, c.surface);
  d.ring(knob, y, 8, c.ink, 2);
  d.circle(knob, y, 3, c.ink);
  std::string text = "Maps of step " + std::to_string(checkpoint.step);
  if (checkpoint.accuracy.count > 0)
    text += ": " + std::to_string(std::lround(100 * checkpoint.accuracy.value())) + " % of hidden words are right";
  d.text(p.x0, y + 20, d.fitting(text, 12, Face::sans, p.x1 - p.x0), {.size = 12, .colour = c.ink});
  if (!t.scrubbed && p.x1 - p.x0 > 420) d.text(p.x1, y + 20, "the newest", {.size = 12, .colour = c.ink2, .align = 1});
  page.slider_region({p.x0 - 10, y - hit_h / 2, p.x1 - p.x0 + 20, hit_h}, "ui:scrub", std::move(stops),
                     std::move(places), static_cast<int>(shown));
}

}  // namespace

void draw_curve(Page& page, const Rect& area) {
  Draw& d = page.d;
  const Training& t = page.s.gallery.training;
  const std::size_t clicks = page.v.gallery.clicks.size();
  const int rows = std::clamp(static_cast<int>(clicks), 1, area.h > 240 ? 4 : 3);
  Plot p{};
  p.x0 = area.x + 36;
  p.x1 = area.x + area.w - 44;
  p.y0 = area.y + 8 + 15 * static_cast<float>(rows);
  p.y1 = area.y + area.h - 58;
  p.steps = std::max(1, t.plan.options.steps);
  p.most_loss = 1;
  for (const heads::Point& point : t.curve)
    if (std::isfinite(point.loss)) p.most_loss = std::max(p.most_loss, std::min(point.loss, 20.0));
  p.most_loss = std::ceil(p.most_loss);
  if (p.y1 < p.y0 + 40) return;
  const TextStyle end{.size = 12, .face = Face::bold, .colour = page.c.ink2};
  if (clicks == 0) {
    d.text(area.x, area.y + 8, "loss", end);
    TextStyle right = end;
    right.align = 1;
    d.text(area.x + area.w, area.y + 8, "accuracy", right);
  }
  draw_axes(page, p);
  draw_clicks(page, p, area.y, rows);
  draw_lines(page, p, t);
  draw_time_line(page, p, p.y1 + 24, page.vp.width < 720 ? 44.f : 24.f);
}

}  // namespace ui
