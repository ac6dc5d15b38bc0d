// What is said of an answer: cards with hints, the recognised slip and its working, the solution, and the way on.
#include "ui/even_lines.hpp"
#include "ui/practice.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace ui {
namespace {

using Verdict = app::PracticeView::Verdict;

constexpr float kInset = 22, kLabelWidth = 84, kLine = 21, kButton = 44;

struct CardWords {
  enum class Look : std::uint8_t { calm, warn, good } look = Look::calm;
  std::string heading;  // plain
  std::string says;     // rich
  std::vector<app::Part> way, first, solution;
  std::string first_name;
  std::string link;  // plain: what the link below is called
};

/// A card, drawn at `top` or only measured. Returns its height.
class Card {
 public:
  /// `close`: with less room above and below its lines.
  Card(Page& page, const CardWords& words, const Column& at, bool close)
      : page_(page), words_(words), at_(at), close_(close) {}

  float height() {
    dry_ = true;
    const float h = lay(0);
    dry_ = false;
    return h;
  }

  float draw(float top) {
    const float h = height();
    Draw& d = page_.d;
    const Palette& c = page_.c;
    d.rect_filled(at_.x, top, at_.w, h, c.surface, 8);
    d.rect(at_.x, top, at_.w, h, c.line, {.radius = 8});
    if (words_.look != CardWords::Look::calm)
      d.rect_filled(at_.x, top + 8, 3, h - 16, words_.look == CardWords::Look::warn ? c.warn : c.good, 1);
    lay(top);
    return h;
  }

 private:
  float wrap(float x, float y, const std::string& text, const Draw::RichStyle& style, float w) const {
    return dry_ ? kLine * static_cast<float>(page_.d.wrap_lines(text, style.size, style.face, w))
                : page_.d.wrap(x, y, text, style, w, kLine);
  }

  /// Each sentence on lines of its own where that takes no more of them.
  float sentences(float x, float y, float w) const {
    const Draw::RichStyle style{.colour = page_.c.ink};
    const std::string& says = words_.says;
    std::vector<std::string> parts;
    std::size_t from = 0;
    for (std::size_t end; (end = says.find(". ", from)) != std::string::npos; from = end + 2)
      parts.push_back(says.substr(from, end + 1 - from));
    parts.push_back(says.substr(from));
    int apart = 0;
    bool whole = true;  // no tag reaches from one into the next
    for (const std::string& part : parts) {
      apart += page_.d.wrap_lines(part, style.size, style.face, w);
      whole = whole && std::count(part.begin(), part.end(), '<') % 2 == 0;
    }
    if (!whole || apart > page_.d.wrap_lines(says, style.size, style.face, w)) return wrap(x, y, says, style, w);
    float used = 0;
    for (const std::string& part : parts) used += wrap(x, y + used, part, style, w);
    return used;
  }

  /// Wide enough for both names, so that both lines begin at the same place.
  float label_width() const {
    return std::max(kLabelWidth, std::ceil(page_.d.width(words_.first_name, 12, Face::bold)) + 14);
  }

  float working(float x, float top, std::string_view name, const std::vector<app::Part>& parts, float w,
                bool inline_roots) const {
    const bool beside = !name.empty() && at_.w >= 420;  // else the name stands over it
    const bool above = !name.empty() && !beside;
    const float indent = beside ? label_width() : 0;
    const Working laid(page_, parts, w - indent, inline_roots);
    const float label_y = above ? top + 17 : top + laid.first_middle();
    if (above) top += 24;
    if (!dry_) {
      if (!name.empty())
        page_.d.rich(x, label_y, with_superscripts(name), {.size = 12, .face = Face::bold, .colour = page_.c.ink2});
      laid.draw(x + indent, top);
    }
    return top + laid.height();
  }

  float lay(float top) const {
    Draw& d = page_.d;
    const Palette& c = page_.c;
    using Look = CardWords::Look;
    const float x = at_.x + kInset, right = at_.x + at_.w - 20, w = right - x;
    float y = top + (close_ ? 21.f : 25.f);
    const float heading_x = x + (words_.look == Look::calm ? 0 : 26);
    if (!dry_ && words_.look == Look::warn) draw_warning(page_, x, y);
    if (!dry_ && words_.look == Look::good) d.icon(Icon::check, x + 2, y, c.good);
    y += wrap(heading_x, y, with_superscripts(words_.heading), {.face = Face::bold, .colour = c.ink},
              right - heading_x) -
         kLine;
    if (!words_.says.empty()) y += 29 + sentences(x, y + 29, w) - kLine;
    if (!words_.way.empty()) {
      y = working(x, y + 13, "Your way", words_.way, w, false);
      if (!words_.first.empty()) {
        if (!dry_) d.line(x, y, right, y, c.line);
        y = working(x, y + 12, words_.first_name, words_.first, w, true);
      }
    } else if (!words_.first.empty()) {
      y = working(x, y + 13, words_.first_name, words_.first, w, true);
    }
    if (!words_.solution.empty()) y = working(x, y + 13, "", words_.solution, w, false);
    const bool worked = !words_.way.empty() || !words_.first.empty() || !words_.solution.empty();
    if (words_.link.empty()) return y + (worked ? 12 : 24);
    y += (worked ? 26.f : 35.f) - (close_ ? 5.f : 0.f);
    if (!dry_) link(x, y);
    return y + (close_ ? 22.f : 28.f);
  }

  void link(float x, float y) const {
    Draw& d = page_.d;
    const float w = d.text(x, y, words_.link, {.face = Face::bold, .colour = page_.c.ink});
    d.rect_filled(x, y + 9, std::round(w), 1.5f, page_.c.ink);
    const float tip = x + w + 24;
    d.polyline({{tip - 14, y}, {tip, y}}, page_.c.ink, 1.75f);
    d.polyline({{tip - 5, y - 5}, {tip, y}, {tip - 5, y + 5}}, page_.c.ink, 1.75f);
    page_.region({x - 6, y - 22, w + 24 + 12, 44}, "show-on-canvas");
  }

  Page& page_;
  const CardWords& words_;
  Column at_;
  bool close_, dry_ = false;
};

struct HintPlaces {
  float indent, w;  // of the words
};

HintPlaces hint_places(const Column& at) {
  const float indent = at.w < 420 ? 56.f : kLabelWidth;
  return {indent, at.w - kInset - 20 - indent};
}

/// `pad`: above and below the words together.
float hints_height(const Page& page, const Column& at, float pad) {
  float h = pad - 8;
  for (const std::string& hint : page.v.practice.hints)
    h += kLine * static_cast<float>(page.d.wrap_lines(hint, 14, Face::sans, hint_places(at).w)) + 8;
  return h;
}

/// Hints seen so far, one below the other; their names stand at the left.
float draw_hints(Page& page, const Column& at, float top, float pad) {
  Draw& d = page.d;
  const Palette& c = page.c;
  const auto& hints = page.v.practice.hints;
  const auto [indent, w] = hint_places(at);
  const float x = at.x + kInset, h = hints_height(page, at, pad);
  d.rect_filled(at.x, top, at.w, h, c.surface, 8);
  d.rect(at.x, top, at.w, h, c.line, {.radius = 8});
  float y = top + pad / 2 + 11;
  for (std::size_t i = 0; i < hints.size(); ++i) {
    d.text(x, y, "Hint " + std::to_string(i + 1), {.size = 12, .face = Face::bold, .colour = c.ink2});
    y += d.wrap(x + indent, y, hints[i], {.colour = c.ink}, even_width(d, hints[i], 14, Face::sans, w), kLine) + 8;
  }
  return h;
}

CardWords words_of_answer(const Page& page) {
  const app::PracticeView& view = page.v.practice;
  const app::Question& question = view.question;
  CardWords words;
  words.heading = view.heading;
  words.says = view.says;
  const bool can_show = !question.show.empty();
  if (view.verdict == Verdict::right) {
    words.look = CardWords::Look::good;
    words.solution = question.solution;
    if (can_show) words.link = question.show_label;
    return words;
  }
  words.look = CardWords::Look::warn;
  if (view.verdict == Verdict::slip && view.slip >= 0 && !view.solution_shown) {
    const app::Slip& slip = question.slips[static_cast<std::size_t>(view.slip)];
    words.way = slip.way;
    words.first = slip.first;
    words.first_name = slip.first_name;
  }
  if (can_show && !view.solution_shown) words.link = question.show_label;
  return words;
}

CardWords words_of_solution(const Page& page) {
  const app::Question& question = page.v.practice.question;
  CardWords words;
  words.heading = "Solution";
  words.says = question.solution_says;
  words.solution = question.solution;
  if (!question.show.empty()) words.link = question.show_label;
  return words;
}

struct Gaps {
  float before = 28, between = 12, buttons = 22, hint_pad = 26;
  bool close = false;
};

/// Closer where the cards and their buttons, as drawn, would reach beyond what is seen.
Gaps gaps_for(Page& page, const Column& at, float y, const PracticeStyle& style, bool answered, bool solution) {
  Gaps gaps;
  if (style.phone) {
    gaps.before = 16;
    return gaps;  // it scrolls anyhow
  }
  const Rect& area = page.local.scroll_area;
  float end = y + page.local.scroll + gaps.before + kButton + 12;
  if (!page.v.practice.hints.empty()) end += hints_height(page, at, gaps.hint_pad) + gaps.between;
  const auto add = [&](const CardWords& words) { end += Card(page, words, at, false).height() + gaps.between; };
  if (answered) add(words_of_answer(page));
  if (solution) add(words_of_solution(page));
  return end > area.y + area.h ? Gaps{16, 8, 12, 20, true} : gaps;
}

/// Which cards are there: when it changes, the page scrolls to the newest.
std::string signature_of(const app::PracticeView& view) {
  const app::Progress& p = view.progress;
  return std::to_string(view.at) + "|" + p.answer + "|" + std::to_string(p.hints) + (p.shown ? "|shown" : "");
}

/// Scrolls to the newest card when it has just come.
void note_seen(Page& page, const std::optional<Rect>& newest) {
  std::string signature = signature_of(page.v.practice);
  if (page.local.practice_seen == signature) return;
  page.local.practice_seen = std::move(signature);
  page.local.hints_seen = page.v.practice.hints.size();
  if (newest) page.local.scroll_target = newest;
}

}  // namespace

void draw_warning(Page& page, float x, float y) {
  page.d.ring(x + 8, y, 8, page.c.warn, 1.75f);
  page.d.rect_filled(x + 7, y - 5, 2, 6, page.c.warn);
  page.d.rect_filled(x + 7, y + 3, 2, 2, page.c.warn);
}

float draw_feedback(Page& page, const Column& at, float y, const PracticeStyle& style) {
  const app::PracticeView& view = page.v.practice;
  const bool solution = view.progress.shown && view.verdict != Verdict::right;
  const bool answered = view.verdict != Verdict::none;
  const bool can_show = view.question.waiting.empty() && !view.solution_shown;
  const auto solution_button = [&](float x, float top) {
    page.button({x, top, 144, kButton}, "See the solution", "solution", {},
                page.s.practice.hints || view.progress.tries > 0);
  };
  const bool alone = view.hints.empty() && !answered && !solution;
  if (alone && can_show && view.question.asks == app::Asks::choice && has_hint_button(page)) {
    solution_button(at.x + kHintWidth + 8, y - kButton);  // beside the hint, below the choices
    note_seen(page, {});
    return y;
  }
  const Gaps gaps = gaps_for(page, at, y, style, answered, solution);
  y += gaps.before;
  float newest_top = 0, newest_end = -1;
  const auto put = [&](auto&& draw) {
    newest_top = y;
    y += draw();
    newest_end = y;
    y += gaps.between;
  };
  const bool fresh = page.local.practice_seen != signature_of(view);
  // A hint that has just come is the newest even where feedback stands below it.
  const bool new_hint = fresh && view.hints.size() > page.local.hints_seen;
  if (!view.hints.empty()) put([&] { return draw_hints(page, at, y, gaps.hint_pad); });
  const float hint_top = newest_top, hint_end = newest_end;
  if (answered)
    put([&] {
      const CardWords words = words_of_answer(page);
      return Card(page, words, at, gaps.close).draw(y);
    });
  if (solution)
    put([&] {
      const CardWords words = words_of_solution(page);
      return Card(page, words, at, gaps.close).draw(y);
    });
  if (newest_end >= 0) y += gaps.buttons - gaps.between;
  const bool again = answered && view.verdict != Verdict::right;
  float x = at.x;
  if (again) {
    page.button({x, y, 116, kButton}, "Try again", "try-again");
    x += 124;
  }
  if (can_show) solution_button(x, y);
  if (again || can_show) y += kButton;
  if (new_hint) newest_top = hint_top, newest_end = hint_end;
  std::optional<Rect> newest;
  if (newest_end >= 0) newest = Rect{at.x, newest_top, at.w, newest_end - newest_top};
  note_seen(page, newest);
  return y;
}

}  // namespace ui
