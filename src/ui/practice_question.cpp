// The question of practice: title, what is given, and where it is answered.
#include "ui/even_lines.hpp"
#include "ui/practice.hpp"

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

using Verdict = app::PracticeView::Verdict;

constexpr float kRow = 44, kGivenPitch = 22, kCheckWidth = 92, kGap = 8;

std::string answer_action(const std::string& text) { return app::to_text(app::Action{app::GiveAnswer{text}}); }

void hint_button(Page& page, float x, float y) {
  if (has_hint_button(page)) page.button({x, y, kHintWidth, kRow}, "Hint", "hint", {}, page.v.practice.hint_left);
}

void check_button(Page& page, float x, float y) {
  page.button({x, y, kCheckWidth, kRow}, "Check", "ui:check",
              {.kind = is_over(page.v.practice) ? ButtonStyle::Kind::ghost : ButtonStyle::Kind::primary});
}

void field(Page& page, const Rect& r) {
  Draw& d = page.d;
  const Palette& c = page.c;
  d.rect_filled(r.x, r.y, r.w, r.h, page.is_hovered(r) ? c.sunk : c.surface, 6);
  const bool refused = !page.local.refused_answer.empty();
  const std::string& text = refused ? page.local.refused_answer : page.v.practice.progress.answer;
  d.rect(r.x, r.y, r.w, r.h, refused ? c.warn : c.ink, {.width = 1.5f, .radius = 6});
  if (page.local.editing_field != "answer") {
    float size = 16;  // long numbers are set smaller, then cut
    while (size > 12 && d.width(text, size, Face::mono_medium) > r.w - 28) size -= 1;
    d.text(r.x + 14, r.y + r.h / 2, d.fitting(text, size, Face::mono_medium, r.w - 24),
           {.size = size, .face = Face::mono_medium, .colour = refused ? c.warn : c.ink});
  }
  page.region(r, std::string(kEditAction) + "answer");
}

float typed_answer(Page& page, const Column& at, float y, const PracticeStyle& style) {
  Draw& d = page.d;
  const app::Question& question = page.v.practice.question;
  const std::string label = question.label.empty() ? "" : question.label + " <q>=</q>";
  const float buttons = kCheckWidth + (has_hint_button(page) ? kGap + kHintWidth : 0);
  float field_w = question.whole || question.asks == app::Asks::shape ? 160.f : 128.f;
  const float label_w = label.empty() ? 0 : d.rich_width(label, 16) + 14;
  float x = at.x;
  const bool over = style.phone || label_w + field_w + 16 + buttons > at.w;  // the label has a line of its own
  if (!label.empty() && over) {
    y += d.wrap(x, y + 10, label, {.size = 16, .colour = page.c.ink}, at.w, 24) + 6;
  } else if (!label.empty()) {
    x = std::round(x + d.rich(x, y + kRow / 2, label, {.size = 16, .colour = page.c.ink}) + 14);
  }
  const float gap = style.phone ? kGap : 16;
  if (style.phone) field_w = at.w - buttons - gap;
  field(page, {x, y, field_w, kRow});
  x += field_w + gap;
  check_button(page, x, y);
  hint_button(page, x + kCheckWidth + kGap, y);
  return y + kRow;
}

struct Mark {
  enum class Look : std::uint8_t { none, right, not_yet } look = Look::none;
  std::string_view word;
};

Mark mark_of(const app::PracticeView& view, int choice) {
  const bool right = view.question.right == app::Answer{choice};
  const bool chosen = chosen_choice(view) == choice;
  if (right && (chosen || view.solution_shown)) return {Mark::Look::right, "Right"};
  if (chosen) return {Mark::Look::not_yet, "Not yet"};
  return {};
}

float choices(Page& page, const Column& at, float y) {
  Draw& d = page.d;
  const Palette& c = page.c;
  const app::PracticeView& view = page.v.practice;
  const int chosen = chosen_choice(view), count = static_cast<int>(view.question.choices.size());
  constexpr float kLetter = 40, kMarkRoom = 84, kPitch = 20;
  page.next_group();
  for (int i = 0; i < count; ++i) {
    const app::Choice& choice = view.question.choices[static_cast<std::size_t>(i)];
    const Mark mark = mark_of(view, i);
    const float text_w = at.w - kLetter - (mark.look == Mark::Look::none ? 16 : kMarkRoom);
    const int lines = d.wrap_lines(choice.text, 14, Face::sans, text_w);
    const float h = std::max(kRow, kPitch * static_cast<float>(lines) + 24), middle = y + h / 2;
    const Rect r{at.x, y, at.w, h};
    const bool on = i == chosen;
    d.rect_filled(r.x, r.y, r.w, r.h, page.is_hovered(r) ? c.sunk : c.surface, 6);
    d.rect(r.x, r.y, r.w, r.h, on ? c.ink : c.line2, {.width = on ? 2.f : 1.f, .radius = 6});
    d.text(r.x + 20, middle, std::string(1, static_cast<char>('A' + i)),
           {.face = Face::bold, .colour = on ? c.ink : c.ink2, .align = 0.5f});
    d.wrap(r.x + kLetter, middle - kPitch * static_cast<float>(lines - 1) / 2, choice.text, {.colour = c.ink}, text_w,
           kPitch);
    const float mark_x = r.x + r.w - kMarkRoom + 12;
    if (mark.look == Mark::Look::right) d.icon(Icon::check, mark_x, middle, c.good);
    if (mark.look == Mark::Look::not_yet) draw_warning(page, mark_x - 3, middle);
    if (mark.look != Mark::Look::none)
      d.text(mark_x + 18, middle, mark.word,
             {.size = 12, .face = Face::bold, .colour = mark.look == Mark::Look::right ? c.good : c.warn});
    page.region_beside(r, answer_action(std::to_string(i + 1)), on || (chosen < 0 && i == 0));
    y += h + kGap;
  }
  return y - kGap;
}

float clicked_answer(Page& page, const Column& at, float y, const PracticeStyle& style) {
  Draw& d = page.d;
  const app::Question& question = page.v.practice.question;
  const bool beside = style.picture_beside;
  const std::string where =
      std::string(style.phone && page.vp.touch ? "Tap" : "Click") + " it " + (beside ? "on the right" : "below");
  const std::string label = question.label.empty() ? where : question.label + "<q>:</q> " + where;
  const float room = at.w - (has_hint_button(page) ? kHintWidth + 16 : 0);
  const int lines = d.wrap_lines(label, 16, Face::sans, room);
  const float h = std::max(kRow, 24 * static_cast<float>(lines) + 4);
  d.wrap(at.x, y + h / 2 - 12 * static_cast<float>(lines - 1), label, {.size = 16, .colour = page.c.ink}, room, 24);
  hint_button(page, at.x + at.w - kHintWidth, y);
  return y + h;
}

}  // namespace

bool has_hint_button(const Page& page) { return page.s.practice.hints && !page.v.practice.question.hints.empty(); }

std::string answer_label(const app::Question& question) {
  const std::string label = app::to_plain(question.label);
  return label.empty() ? "Your answer" : label;
}

int chosen_choice(const app::PracticeView& view) {
  if (view.question.asks != app::Asks::choice || view.progress.answer.empty()) return -1;
  const auto read = app::read_answer(view.question, view.progress.answer);
  const auto* answer = std::get_if<app::Answer>(&read);
  const int* choice = answer != nullptr ? std::get_if<int>(answer) : nullptr;
  return choice != nullptr ? *choice : -1;
}

std::optional<app::Cell> chosen_cell(const app::PracticeView& view) {
  if (view.question.asks != app::Asks::click || view.progress.answer.empty()) return std::nullopt;
  const auto read = app::read_answer(view.question, view.progress.answer);
  const auto* answer = std::get_if<app::Answer>(&read);
  const auto* cell = answer != nullptr ? std::get_if<app::Cell>(answer) : nullptr;
  return cell != nullptr ? std::optional(*cell) : std::nullopt;
}

std::string answer_region(const app::PracticeView& view) {
  if (view.question.asks == app::Asks::choice)
    return answer_action(std::to_string(std::max(0, chosen_choice(view)) + 1));
  if (view.question.asks != app::Asks::click) return std::string(kEditAction) + "answer";
  const auto* right = std::get_if<app::Cell>(&view.question.right);
  if (right == nullptr) return {};
  return answer_action(app::to_text(app::Cell{right->tensor, right->head, 0, 0}));
}

float draw_question(Page& page, const Column& at, float y, const PracticeStyle& style) {
  Draw& d = page.d;
  const Palette& c = page.c;
  const app::Question& question = page.v.practice.question;
  const std::string title = tied(question.title), given = tied(question.given);
  y += d.wrap(at.x, y, title, {.size = style.title, .face = Face::bold, .colour = c.ink},
              even_width(d, title, style.title, Face::bold, at.w), style.title_pitch) -
       style.title_pitch;
  y += 34 - kGivenPitch;
  if (!given.empty())
    y += d.wrap(at.x, y + kGivenPitch, given, {.colour = c.ink2}, even_width(d, given, 14, Face::sans, at.w, 0.88f),
                kGivenPitch);
  if (!question.rounding.empty())
    y += d.wrap(at.x, y + kGivenPitch, app::escape_rich(question.rounding), {.colour = c.ink2}, at.w, kGivenPitch);
  y += 28;
  if (!question.waiting.empty()) {
    y += d.wrap(at.x, y + 10, app::escape_rich(question.waiting), {.colour = c.warn}, at.w, kGivenPitch);
    return y;
  }
  switch (question.asks) {
    case app::Asks::number:
    case app::Asks::shape: return typed_answer(page, at, y, style);
    case app::Asks::click: return clicked_answer(page, at, y, style);
    case app::Asks::choice: break;
  }
  y = choices(page, at, y);
  if (!has_hint_button(page)) return y;
  hint_button(page, at.x, y + 12);
  return y + 12 + kRow;
}

}  // namespace ui
