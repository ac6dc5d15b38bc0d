// Two curves over n: attention's operations that grow with n, and those that grow with n * n. They cross once.
#include "ui/budget.hpp"

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

struct Plot {
  float x0, x1, y0, y1;  // y0 above
  double most_n, most;
  float x(double n) const { return x0 + (x1 - x0) * static_cast<float>(n / most_n); }
  float y(double operations) const {
    return y1 - (y1 - y0) * static_cast<float>(std::clamp(operations / most, 0.0, 1.0));
  }
};

/// Four digits without a gap, as the sentences beside it have them.
std::string whole(double n) { return n < 9999.5 ? app::format_number(std::round(n), 0) : app::grouped(std::round(n)); }

}  // namespace

void draw_growth(Page& page, const Rect& area) {
  Draw& d = page.d;
  const Palette& c = page.c;
  const budget::Compute compute = budget::compute(page.s.budget.sizes);
  const double n = static_cast<double>(page.s.budget.sizes.n), crossing = compute.overtakes_at;
  if (!(compute.linear > 0) || !(compute.square > 0) || !(crossing > 0) || area.h < 60) return;
  const double a_token = compute.linear / n, a_pair = compute.square / (n * n);
  Plot p{};
  p.x0 = area.x + 4;
  p.x1 = area.x + area.w - 12;
  p.y0 = area.y + 22;
  p.y1 = area.y + area.h - 22;
  p.most_n = std::max(2 * crossing, 1.15 * n);
  p.most = std::max(a_token * p.most_n, a_pair * p.most_n * p.most_n);
  const TextStyle note{.size = 12, .colour = c.ink2}, note_right{.size = 12, .colour = c.ink2, .align = 1};
  d.text(p.x0, area.y + 8, "operations of one attention", note);
  d.line(p.x0, p.y0, p.x0, p.y1, c.line2);
  d.line(p.x0, p.y1, p.x1, p.y1, c.line2);
  // curves
  d.line(p.x0, p.y1, p.x1, p.y(a_token * p.most_n), c.ink2, {.width = 2, .dash = 6, .gap = 4});
  std::vector<ImVec2> curve;
  constexpr int kPieces = 48;
  for (int i = 0; i <= kPieces; ++i) {
    const double at = p.most_n * i / kPieces;
    curve.push_back({p.x(at), p.y(a_pair * at * at)});
  }
  d.polyline(curve, c.ink, 2.5f);
  // their names: the square one left of its steep end, the other below its own end, or above where there is no room
  const double near_end = 0.86 * p.most_n;
  d.rich(p.x(near_end) - 12, p.y(a_pair * near_end * near_end), "grows with n^{2}",
         {.size = 12, .face = Face::bold, .colour = c.ink, .align = 1});
  const float line_end = p.y(a_token * p.most_n);
  const bool below = line_end + 30 < p.y1;
  const double far = p.most_n * 0.985;
  d.text(p.x(far), below ? p.y(a_token * p.most_n * 0.86) + 18 : line_end - 12, "grows with n", note_right);
  // where they cross
  const float cross_x = p.x(crossing), cross_y = p.y(a_token * crossing);
  d.line(cross_x, cross_y, cross_x, p.y1, c.line2, {.dash = 2, .gap = 3});
  d.circle(cross_x, cross_y, 4, c.ink);
  const std::string equal = "equal at " + whole(crossing);
  const float equal_w = d.width(equal, 12, Face::sans);
  const bool left = cross_x + 10 + equal_w > p.x1;
  if (p.y1 - cross_y > 24)
    // at the foot of its drop line, far from the line's own name
    d.text(left ? cross_x - 8 - equal_w : cross_x + 8, p.y1 - 10, equal, {.size = 12, .colour = c.ink});
  // the present n
  const float now_x = p.x(n), now_y = p.y(a_pair * n * n);
  d.line(now_x, now_y, now_x, p.y1 + 4, c.mark_line, {.dash = 2, .gap = 3});
  d.circle(now_x, now_y, 4.5f, c.surface);
  d.ring(now_x, now_y, 4.5f, c.ink, 2);
  const std::string now = "n = " + whole(n), end = whole(p.most_n) + " tokens";
  const float now_w = d.width(now, 12, Face::bold), end_w = d.width(end, 12, Face::sans);
  const float label_x = std::clamp(now_x - now_w / 2, p.x0, p.x1 - now_w);
  d.text(label_x, p.y1 + 14, now, {.size = 12, .face = Face::bold, .colour = c.ink});
  if (label_x + now_w + 12 < p.x1 - end_w) d.text(p.x1, p.y1 + 14, end, note_right);
}

}  // namespace ui
