// Counts as text, working line by line, slips that stay apart when they are rounded, and the way to the budget.
#include "app/practice_facts.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace app {
namespace {

constexpr std::string_view kSigns[] = {"=", "+", "−", "·", "/", "×", "≈"};

bool is_sign(std::string_view piece) {
  return std::find(std::begin(kSigns), std::end(kSigns), piece) != std::end(kSigns);
}

bool is_number(std::string_view piece) {
  return (piece[0] >= '0' && piece[0] <= '9') || piece[0] == '(' || piece.starts_with("−") || piece.starts_with("√");
}

std::string with_spaces(std::string_view piece) {
  std::string text(piece);
  std::replace(text.begin(), text.end(), '~', ' ');
  return text;
}

Part part_of(std::string_view piece) {
  if (piece == "?") return blank();
  if (piece == "=") return equals();
  if (is_sign(piece)) return words("<q>" + std::string(piece) + "</q>");
  if (const std::size_t bar = piece.find('|'); bar != std::string_view::npos)
    return fraction(with_spaces(piece.substr(0, bar)), with_spaces(piece.substr(bar + 1)));
  if (piece.starts_with('[')) return chip(with_spaces(piece.substr(1, piece.size() - 2)));
  return words(is_number(piece) ? mono(with_spaces(piece)) : with_spaces(piece));
}

std::vector<std::string> budget_page() { return {to_text(Action{OpenPage{Page::budget}})}; }

void set_show(Question& question, std::vector<std::string> actions, std::vector<std::string> more) {
  question.show = std::move(actions);
  question.show.insert(question.show.end(), more.begin(), more.end());
  question.show_label = "Show me in the budget";
}

}  // namespace

Stack even_stack(Whole d_model, Whole h, Whole layers) {
  assert(d_model % h == 0);
  const Whole d_k = d_model / h;
  return {{.d_model = d_model, .h = h, .h_kv = h, .d_k = d_k, .d_v = d_k, .biases = false}, layers};
}

Stack preset_stack(std::string_view id) {
  const budget::Preset* preset = budget::find_preset(id);
  assert(preset);
  const budget::Sizes& sizes = preset->sizes;
  return {
      {.d_model = sizes.d_model, .h = sizes.h, .h_kv = sizes.h_kv, .d_k = sizes.d_k, .d_v = sizes.d_v, .biases = false},
      sizes.layers};
}

std::string mono(Whole value) { return mono(figure(value)); }
std::string mono(const std::string& text) { return "<m>" + text + "</m>"; }
std::string squared(Whole value) { return figure(value) + "^{2}"; }

std::string counted(Whole n, std::string_view what) {
  return figure(n) + " " + std::string(what) + (n == 1 ? "" : "s");
}

std::string sizes_text(const Stack& stack) {
  const attention::Dimensions& d = stack.sizes;
  std::string text = "d_{model} = " + mono(d.d_model) + ", h = " + mono(d.h);
  if (d.d_k == d.d_v)
    text += ", d_{k} = d_{v} = " + mono(d.d_k);
  else
    text += ", d_{k} = " + mono(d.d_k) + ", d_{v} = " + mono(d.d_v);
  return text + ".";
}

std::vector<Part> working(std::string_view text) {
  std::vector<Part> parts;
  for (const std::string_view piece : split(text, ' ')) {
    if (piece.empty()) continue;
    const bool may_break = !parts.empty() && (piece == "=" || piece == "+" || piece == "−");
    if (may_break) parts.push_back({.kind = Part::Kind::line_break_hint});
    parts.push_back(part_of(piece));
  }
  return parts;
}

void add_number_slip(Question& question, NumberSlip slip, int decimals) {
  if (!std::isfinite(slip.answer)) return;
  // What somebody types is rounded: it has to be this slip, and no other, as well.
  const double unit = question.whole ? 1 : std::pow(10.0, -decimals), rounded = std::round(slip.answer / unit) * unit;
  const auto near = [&](const Answer& other) {
    const double value = std::get<double>(other);
    return std::abs(value - slip.answer) <= question.tolerance || std::abs(value - rounded) <= question.tolerance;
  };
  if (near(question.right)) return;
  for (const Slip& other : question.slips)
    if (near(other.answer)) return;
  Slip made;
  made.id = std::move(slip.id);
  made.answer = slip.answer;
  made.heading = std::move(slip.heading);
  made.says = std::move(slip.says);
  made.way = working(slip.way);
  made.first_name = std::move(slip.first_name);
  made.first = working(slip.first);
  add_slip(question, std::move(made));
}

void show_in_budget(Question& question, const Stack& stack, std::vector<std::string> more) {
  const attention::Dimensions& d = stack.sizes;
  std::vector<std::string> actions = budget_page();
  actions.push_back(to_text(Action{OpenPreset{"transformer_base"}}));
  const auto set = [&](std::string field, const std::string& value) {
    actions.push_back(to_text(Action{SetSize{std::move(field), value}}));
  };
  set("h", "1");  // divides everything, so that d_model can be anything
  set("d_model", std::to_string(d.d_model));
  const bool even = d.d_model == d.h * d.d_k && d.d_k == d.d_v;
  if (!even) set("keep", "off");
  set("h", std::to_string(d.h));
  if (!even) set("d_k", std::to_string(d.d_k)), set("d_v", std::to_string(d.d_v));
  if (d.h_kv != d.h) set("h_kv", std::to_string(d.h_kv));
  if (d.biases) set("biases", "on");
  if (stack.layers > 1) set("cross_layers", "0"), set("layers", std::to_string(stack.layers));
  set_show(question, std::move(actions), std::move(more));
}

void show_preset(Question& question, std::string_view preset, std::vector<std::string> more) {
  std::vector<std::string> actions = budget_page();
  actions.push_back(to_text(Action{OpenPreset{std::string(preset)}}));
  set_show(question, std::move(actions), std::move(more));
}

void draw_bars(Question& question, std::string title, std::vector<NamedLength> bars) {
  double longest = 0;
  for (const NamedLength& bar : bars) longest = std::max(longest, std::abs(bar.length));
  Picture& picture = question.picture;
  picture.kind = Picture::Kind::bars;
  picture.title = std::move(title);
  for (NamedLength& bar : bars)
    picture.bars.push_back({std::move(bar.name), std::move(bar.text), longest > 0 ? bar.length / longest : 0, bar.lit});
}

}  // namespace app
