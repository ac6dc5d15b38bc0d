// The row of answers of practice: names or numbers of all questions, how far each has come, and the way on.
#include "ui/practice.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ui {
namespace {

using Tag = app::PracticeView::Tag;
using Look = Tag::Look;

constexpr float kTagGap = 8, kWidestTag = 96, kNarrowestTag = 76;

/// The boxes of one row: questions first … last, and one at each end for those that found no room.
struct Window {
  int first = 0, last = -1;
};

Window window_of(int count, int now, int room) {
  if (count <= room) return {0, count - 1};
  const int inner = std::max(1, room - 2);  // the ends are for what is folded
  int first = std::clamp(now - inner / 2, 0, count - inner), last = first + inner - 1;
  if (first <= 1) first = 0, last = std::max(last, room - 2);
  if (last >= count - 2) last = count - 1, first = std::min(first, count - room + 1);
  return {first, last};
}

std::string go_to(int question) { return app::to_text(app::Action{app::GoToQuestion{question}}); }

/// How an answer stands, beside its name: colour never says it alone.
void draw_mark(Page& page, Look look, float right, float y) {
  Draw& d = page.d;
  const Palette& c = page.c;
  switch (look) {
    case Look::solved: d.icon(Icon::check, right - 10, y, c.good); return;
    case Look::missed:
      d.ring(right - 6, y, 5, c.warn, 1.5f);
      d.rect_filled(right - 7, y - 3, 2, 3.5f, c.warn);
      d.rect_filled(right - 7, y + 1.5f, 2, 1.5f, c.warn);
      return;
    case Look::shown: d.rect_filled(right - 10, y - 1, 10, 2, c.ink2, 1); return;
    case Look::open:
    case Look::now: return;
  }
}

void draw_box(Page& page, const Rect& r, const Tag& tag) {
  Draw& d = page.d;
  const Palette& c = page.c;
  const bool open = !tag.now && (tag.look == Look::open || tag.look == Look::now);
  const bool hovered = page.is_hovered(r);
  if (open) {
    if (hovered) d.rect_filled(r.x, r.y, r.w, r.h, c.surface, 6);
    d.rect(r.x, r.y, r.w, r.h, c.line2, {.radius = 6, .dash = 3, .gap = 3, .alpha = 0.75f});
  } else {
    d.rect_filled(r.x, r.y, r.w, r.h, hovered && !tag.now ? c.bg : c.surface, 6);
    d.rect(r.x, r.y, r.w, r.h, tag.now ? c.ink : c.line2, {.width = tag.now ? 2.f : 1.f, .radius = 6});
  }
}

void draw_tag(Page& page, const Rect& r, const Tag& tag) {
  Draw& d = page.d;
  const Palette& c = page.c;
  draw_box(page, r, tag);
  const bool open = tag.look == Look::open || tag.look == Look::now || (tag.now && tag.look == Look::missed);
  const float y = r.y + r.h / 2, mark_w = open && !tag.now ? 0 : open ? d.width("now", 12, Face::sans) : 10;
  const Face face = tag.now ? Face::bold : Face::sans;
  float room = r.w - 24 - (mark_w > 0 ? mark_w + 4 : 0);
  const bool mark_fits = !open || d.width(tag.text, 12, face) <= room;  // "now" goes first: the frame says it, too
  if (!mark_fits) room = r.w - 20;
  d.text(r.x + 12, y, d.fitting(tag.text, 12, face, room),
         {.size = 12, .face = face, .colour = tag.now || !open ? c.ink : c.ink3});
  if (open && tag.now && mark_fits)
    d.text(r.x + r.w - 12, y, "now", {.size = 12, .colour = c.warn, .align = 1});
  else if (!open)
    draw_mark(page, tag.look, r.x + r.w - 10.75f, y);
}

void draw_fold(Page& page, const Rect& r, int from, int to, bool before, bool short_form) {
  const int count = to - from + 1;
  page.d.rect(r.x, r.y, r.w, r.h, page.c.line2, {.radius = 6, .alpha = 0.75f});
  const std::string text = short_form ? "…" : std::to_string(count) + " more";
  page.d.text(r.x + r.w / 2, r.y + r.h / 2, text, {.size = 12, .colour = page.c.ink2, .align = 0.5f});
  page.region_beside(r, go_to(before ? to : from));
}

}  // namespace

bool is_over(const app::PracticeView& view) {
  return view.progress.solved || view.progress.shown || !view.question.waiting.empty();
}

void draw_dashes(Page& page, float x, float y, float right) {
  Draw& d = page.d;
  const Palette& c = page.c;
  const auto& tags = page.v.practice.tags;
  const auto count = static_cast<float>(tags.size());
  if (tags.empty() || right - x < 40) return;
  const float pitch = std::min(28.f, (right - x) / count), w = pitch >= 6 ? pitch - std::min(4.f, pitch / 3) : pitch;
  for (std::size_t i = 0; i < tags.size(); ++i) {
    const Tag& tag = tags[i];
    const bool done = tag.look == Look::solved || tag.look == Look::shown;
    const float at = x + static_cast<float>(i) * pitch;
    if (!tag.now) d.rect_filled(at, y - 2, w, 4, done ? c.ink : c.line, std::min(2.f, w / 2));
  }
  for (std::size_t i = 0; i < tags.size(); ++i)
    if (tags[i].now) {
      const float now_w = std::max(w, 4.f);
      d.rect_filled(x + static_cast<float>(i) * pitch + (w - now_w) / 2, y - 4, now_w, 8, c.ink,
                    std::min(4.f, now_w / 2));
    }
}

void draw_tags(Page& page, float x, float y, float right, float h) {
  const app::PracticeView& view = page.v.practice;
  const int count = static_cast<int>(view.tags.size());
  if (count == 0) return;
  float w = std::min(kWidestTag, std::floor((right - x + kTagGap) / static_cast<float>(count)) - kTagGap);
  if (w < kNarrowestTag) w = kNarrowestTag;
  // The present box grows for its "now" where the row has room for it.
  const std::string& present = view.tags[static_cast<std::size_t>(std::clamp(view.at, 0, count - 1))].text;
  const float now_w = std::ceil(page.d.width(present, 12, Face::bold) + page.d.width("now", 12, Face::sans)) + 32;
  const float spare = right - x + kTagGap - static_cast<float>(count) * (w + kTagGap);
  const float grown = std::clamp(now_w - w, 0.f, std::max(0.f, spare));
  const int room = std::max(3, static_cast<int>((right - x + kTagGap + 0.5f) / (w + kTagGap)));
  const Window window = window_of(count, view.at, room);
  page.next_group();
  const auto next = [&](float more = 0) { return Rect{std::exchange(x, x + w + more + kTagGap), y, w + more, h}; };
  if (window.first > 0) draw_fold(page, next(), 0, window.first - 1, true, false);
  for (int i = window.first; i <= window.last; ++i) {
    const Tag& tag = view.tags[static_cast<std::size_t>(i)];
    const Rect r = next(tag.now ? grown : 0);
    draw_tag(page, r, tag);
    page.region_beside(r, go_to(i), tag.now);
  }
  if (window.last + 1 < count) draw_fold(page, next(), window.last + 1, count - 1, false, false);
}

void draw_pips(Page& page, float x, float y, float right, float pitch, float h) {
  Draw& d = page.d;
  const Palette& c = page.c;
  const app::PracticeView& view = page.v.practice;
  const int count = static_cast<int>(view.tags.size());
  if (count == 0) return;
  const float w = pitch - 6;
  const int room = std::max(3, static_cast<int>((right - x + 6.5f) / pitch));
  const Window window = window_of(count, view.at, room);
  page.next_group();
  const auto next = [&] { return Rect{std::exchange(x, x + pitch), y, w, h}; };
  const auto touch = [&](const Rect& r) {  // as wide as its pitch and as tall as a finger
    return Rect{r.x - 3, r.y + r.h / 2 - std::max(44.f, r.h) / 2, pitch, std::max(44.f, r.h)};
  };
  const auto fold = [&](int to) {
    const Rect r = next();
    d.text(r.x + r.w / 2, r.y + r.h / 2, "…", {.colour = c.ink2, .align = 0.5f});
    page.region_beside(touch(r), go_to(to));
  };
  if (window.first > 0) fold(window.first - 1);
  for (int i = window.first; i <= window.last; ++i) {
    const Tag& tag = view.tags[static_cast<std::size_t>(i)];
    const Rect r = next();
    const bool open = tag.look == Look::open || tag.look == Look::now;
    draw_box(page, r, tag);
    d.text(r.x + r.w / 2, r.y + (open ? r.h / 2 : 11), std::to_string(i + 1),
           {.size = 12,
            .face = tag.now ? Face::bold : Face::sans,
            .colour = tag.now || !open ? c.ink : c.ink3,
            .align = 0.5f});
    draw_mark(page, tag.look, r.x + r.w / 2 + 5, r.y + r.h - 9);
    page.region_beside(touch(r), go_to(i), tag.now);
  }
  if (window.last + 1 < count) fold(window.last + 1);
}

namespace {

struct Way {
  std::string_view label, action;
  float w;
  bool primary, enabled;
  Icon icon;
};

std::vector<Way> ways_of(const Page& page) {  // left to right
  const app::PracticeView& view = page.v.practice;
  const bool more = view.finished && page.s.practice.set != "lesson";
  const bool last = view.at + 1 >= view.count, on = is_over(view) && !last;
  std::vector<Way> ways;
  if (view.finished) ways.push_back({"Copy result", "ui:copy:result", 116, false, true, Icon::none});
  if (more)
    ways.push_back({"More questions", "more-questions", 140, true, true, Icon::none});
  else if (!(view.finished && last))
    ways.push_back({"Next question", "next-question", 148, on, on, Icon::next});
  return ways;
}

float width_of(const std::vector<Way>& ways) {
  float w = -kTagGap;
  for (const Way& way : ways) w += way.w + kTagGap;
  return w;
}

}  // namespace

float onward_width(const Page& page) { return width_of(ways_of(page)); }

void draw_onward(Page& page, float right, float y, float h, float least_x) {
  std::vector<Way> ways = ways_of(page);
  float x = right - width_of(ways);
  if (least_x >= 0) {
    const float grow = (x - least_x) / static_cast<float>(ways.size());
    for (Way& way : ways) way.w += grow;
    x = least_x;
  }
  for (const Way& way : ways) {
    // A button that is off is no primary one: its label keeps the usual weight.
    page.button({x, y, way.w, h}, way.label, std::string(way.action),
                {.kind = way.primary ? ButtonStyle::Kind::primary : ButtonStyle::Kind::ghost,
                 .icon = way.icon,
                 .icon_after = true},
                way.enabled);
    x += way.w + kTagGap;
  }
}

}  // namespace ui
