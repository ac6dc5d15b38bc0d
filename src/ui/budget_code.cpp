// The fourth panel: the same layer in two libraries' words, or why one of them can't make it.
#include "ui/budget.hpp"

#include <algorithm>

namespace ui {
namespace {

constexpr float kPitch = 20, kPad = 16;

/// A line of code keeps its indent when it is broken. Returns the height used.
float draw_code_line(Page& page, float x, float y, float w, const std::string& line, float size, bool draws) {
  const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
  const std::string text = app::escape_rich(line.substr(indent));
  const float shift = static_cast<float>(indent) * page.d.width(" ", size, Face::mono);
  const float room = w - shift;
  const Draw::RichStyle style{.size = size, .face = Face::mono, .colour = page.c.ink};
  const int lines = std::max(1, page.d.wrap_lines(text, size, Face::mono, room));
  if (draws) page.d.wrap(x + shift, y, text, style, room, kPitch);
  return static_cast<float>(lines) * kPitch;
}

/// "h_kv" as the page writes it elsewhere.
std::string with_indices(std::string rich) {
  constexpr std::string_view kPlain = "h\\_kv", kRich = "h_{kv}";
  for (std::size_t at = 0; (at = rich.find(kPlain, at)) != std::string::npos; at += kRich.size())
    rich.replace(at, kPlain.size(), kRich);
  return rich;
}

/// Its height; drawn when `draws`.
float code_card(Page& page, const Rect& card, std::string_view name, const std::vector<std::string>& lines,
                const std::string& refusal, float size, bool draws) {
  Draw& d = page.d;
  const Palette& c = page.c;
  const float w = card.w - 2 * kPad;
  if (draws) {
    d.rect_filled(card.x, card.y, card.w, card.h, c.sunk, 8);
    d.rect(card.x, card.y, card.w, card.h, c.line, {.radius = 8});
    d.text(card.x + kPad, card.y + 22, name, {.size = 14, .face = Face::bold, .colour = c.ink});
  }
  float y = card.y + 52;
  for (const std::string& line : lines) y += draw_code_line(page, card.x + kPad, y, w, line, size, draws);
  if (lines.empty() && !refusal.empty()) {
    const std::string words = with_indices(app::escape_rich(refusal));
    const float h = 20 * static_cast<float>(d.wrap_lines(words, 14, Face::sans, w - 12));
    if (draws) {
      d.rect_filled(card.x + kPad, y - 12, 3, h + 4, c.warn, 1);
      d.wrap(card.x + kPad + 12, y, words, {.colour = c.ink}, w - 12, 20);
    }
    y += h;
  }
  return y - card.y + 6;
}

float widest(const Draw& d, const std::vector<std::string>& lines, float size) {
  float w = 0;
  for (const std::string& line : lines) w = std::max(w, d.width(line, size, Face::mono));
  return w;
}

}  // namespace

float draw_code(Page& page, const Rect& area) {
  Draw& d = page.d;
  const budget::Code& code = page.v.budget.code;
  const bool narrow = area.w < 480;
  float y = area.y + 7;
  d.text(area.x, y, "The same layer in two libraries", {.size = 12, .face = Face::bold, .colour = page.c.ink2});
  y += 20;
  constexpr float kGap = 16;
  const float half = std::floor((area.w - kGap) / 2);
  const auto needed = [&](float size) { return std::max(widest(d, code.torch, size), widest(d, code.keras, size)); };
  const bool beside = !narrow && needed(13) <= half - 2 * kPad;
  const float w = beside ? half : area.w;
  const float size = needed(13) > w - 2 * kPad && needed(12) <= w - 2 * kPad ? 12.f : 13.f;  // else lines break
  Rect torch{area.x, y, w, 0}, keras{beside ? area.x + w + kGap : area.x, y, w, 0};
  torch.h = code_card(page, torch, "PyTorch", code.torch, code.torch_refusal, size, false);
  if (!beside) keras.y = torch.y + torch.h + 12;
  keras.h = code_card(page, keras, "Keras", code.keras, code.keras_refusal, size, false);
  if (beside) torch.h = keras.h = std::max(torch.h, keras.h);
  code_card(page, torch, "PyTorch", code.torch, code.torch_refusal, size, true);
  code_card(page, keras, "Keras", code.keras, code.keras_refusal, size, true);
  y = keras.y + keras.h + 24;
  return y + d.wrap(area.x, y, page.v.budget.code_note, {.colour = page.c.ink}, area.w, 20);
}

float draw_budget_panel(Page& page, const Rect& area, float touch) {
  const bool phone = touch > 0;
  switch (page.s.budget.panel) {
    case app::BudgetPanel::parameters: return phone ? draw_bill_phone(page, area, touch) : draw_bill(page, area);
    case app::BudgetPanel::compute: return phone ? draw_compute_phone(page, area, touch) : draw_compute(page, area);
    case app::BudgetPanel::rank: return draw_rank(page, area);
    case app::BudgetPanel::code: return draw_code(page, area);
  }
  return area.y;
}

}  // namespace ui
