// How the chain of matrices beside a question looks: cells, headings, arrows, and the arc of the learner's way.
#include "ui/practice_chain.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ui::chain {
namespace {

std::string name_of(const Block& block) {
  switch (block.tensor) {
    case Tensor::X:
    case Tensor::X_kv: return "Input";
    case Tensor::scores: return "Score";
    case Tensor::scaled: return "Scale";
    case Tensor::masked: return "Mask";
    case Tensor::pattern: return "Softmax";
    case Tensor::head: return "Weigh <b>V</b>";
    case Tensor::concat: return "Concat";
    case Tensor::output: return "Output";
    default: return "<b>" + app::symbol_of(block.tensor, block.head) + "</b>";
  }
}

}  // namespace

void Chains::draw_heading(const Chain& chain, std::size_t i) const {
  const Block& block = chain.blocks[i];
  const bool differs = differing(chain) == static_cast<int>(i);
  const Draw::RichStyle name{
      .size = 12, .face = Face::bold, .colour = differs ? c_.ink : c_.ink2, .align = chain.stacked ? 0.f : 0.5f};
  if (chain.stacked) {
    const float w = d_.rich(block.x, block.y - 15, name_of(block), name);
    if (!differs) return;
    const std::string& arc = slip()->arc;
    const float box = d_.width(arc, 12, Face::bold) + 20;
    const float x = std::min(block.x + w + 12, page_.vp.width - box - 20);
    d_.rect(x, block.y - 25, box, 20, c_.warn, {.radius = 4});
    d_.text(x + box / 2, block.y - 15, arc, {.size = 12, .face = Face::bold, .colour = c_.warn, .align = 0.5f});
    return;
  }
  const float middle = block.x + block.w() / 2;
  d_.rich(middle, chain.y - 58, name_of(block), name);
  const attention::Config& config = numbers().state.document.config;
  if (block.tensor == Tensor::scaled && !config.scale) {
    const std::string d_k = std::to_string(config.d_k);
    const float w = d_.width("÷ ", 12, Face::sans) + d_.sqrt_width(d_k, 12), x = std::round(middle - w / 2);
    if (differs) d_.rect_filled(x - 7, chain.y - 50, w + 14, 20, c_.mark, 4);
    const Colour ink = differs ? c_.ink : c_.ink2;
    d_.sqrt(x + d_.text(x, chain.y - 40, "÷ ", {.size = 12, .colour = ink}), chain.y - 40, d_k,
            {.size = 12, .colour = ink});
  } else if (block.tensor == Tensor::masked) {
    d_.rich(middle, chain.y - 40, "+ <b>M</b>", {.size = 12, .colour = c_.ink2, .align = 0.5f});
  }
  const bool by_key = block.tensor == Tensor::scores || block.tensor == Tensor::pattern;
  const bool by_feature = block.tensor == Tensor::X;
  const auto& names = by_key ? numbers().state.document.tokens : numbers().state.document.features;
  if ((!by_key && !by_feature) || static_cast<int>(names.size()) < block.shape.cols) return;
  for (int j = 0; j < block.shape.cols; ++j)
    if (by_feature && d_.width(names[static_cast<std::size_t>(j)], 12, Face::sans) > block.cell_w - 2) return;
  for (int j = 0; j < block.shape.cols; ++j)
    d_.text(block.x + (static_cast<float>(j) + 0.5f) * block.cell_w, block.y - 14,
            d_.fitting(names[static_cast<std::size_t>(j)], 12, Face::sans, block.cell_w - 2),
            {.size = 12, .colour = c_.ink2, .align = 0.5f});
}

void Chains::draw_cell(const Chain& chain, const Block& block, int index, const Cell& cell, const Rect& r) const {
  const Rect inner{r.x + 1, r.y + 1, r.w - 2, r.h - 2};
  const auto asked_cell = asked();
  const bool is_asked = asked_cell == cell, last = index + 1 == static_cast<int>(chain.blocks.size());
  const auto clicked = chosen_cell(view_);
  float size = std::min(16.f, std::floor((r.w - 4) / (0.6f * static_cast<float>(block.characters)) * 2) / 2);
  size = std::clamp(size, r.h < 24 ? 10.f : 12.f, 16.f);
  if (app::is_hidden(view_, cell)) {
    const bool differs = differing(chain) == index && !is_pressable(block);
    if (differs) {
      const Rect box{r.x + 2, r.y + 2, r.w - 4, r.h - 4};
      d_.rect_filled(box.x, box.y, box.w, box.h, c_.mark, 3);
      d_.rect(box.x, box.y, box.w, box.h, c_.mark_line, {.radius = 3, .dash = 3, .gap = 3});
    } else {
      d_.rect_filled(inner.x, inner.y, inner.w, inner.h, c_.bg, 2);
      d_.rect(inner.x, inner.y, inner.w, inner.h, is_asked || is_pressable(block) ? c_.line2 : c_.line, {.radius = 2});
    }
    d_.text(r.x + r.w / 2, r.y + r.h / 2, "?",
            {.size = 16,
             .face = is_asked || differs ? Face::mono_medium : Face::mono,
             .colour = is_asked || differs ? c_.ink : c_.ink3,
             .align = 0.5f});
  } else {
    const double value = app::value_of(numbers().state, numbers().derived, cell);
    const bool operand = std::find(picture_.operands.begin(), picture_.operands.end(), cell) != picture_.operands.end();
    const bool coloured = last && view_.solution_shown && !operand && std::isfinite(value) && index > 0;
    Colour ink = c_.ink;
    if (operand) {
      d_.rect_filled(inner.x, inner.y, inner.w, inner.h, c_.mark, 3);
    } else if (std::isinf(value)) {
      d_.rect_filled(inner.x, inner.y, inner.w, inner.h, c_.sunk, 2);
      d_.rect(inner.x, inner.y, inner.w, inner.h, c_.line2, {.radius = 2});
      ink = c_.ink3;
    } else if (coloured) {
      const bool weights = block.tensor == Tensor::pattern;
      const auto t =
          static_cast<float>(weights ? std::clamp(value, 0.0, 1.0) : 0.5 + 0.5 * std::clamp(value / 4, -1.0, 1.0));
      d_.cell(inner.x, inner.y, inner.w, inner.h, t, !weights, 2);
      ink = text_on(d_.table_colour(t, !weights));
    } else if (is_pressable(block)) {
      d_.rect_filled(inner.x, inner.y, inner.w, inner.h, c_.bg, 2);
      d_.rect(inner.x, inner.y, inner.w, inner.h, c_.line2, {.radius = 2});
    }
    d_.text(r.x + r.w / 2, r.y + r.h / 2, text_of(cell, chain.fewer),
            {.size = size, .face = operand || coloured ? Face::mono_medium : Face::mono, .colour = ink, .align = 0.5f});
  }
  if (clicked == cell && !view_.solution_shown)
    d_.rect(inner.x, inner.y, inner.w, inner.h, c_.warn, {.width = 2, .radius = 2, .dash = 4, .gap = 3});
}

void Chains::draw_block(const Chain& chain, std::size_t i) const {
  const Block& block = chain.blocks[i];
  const int index = static_cast<int>(i);
  const bool last = i + 1 == chain.blocks.size();
  const auto asked_cell = asked();
  const bool any_hidden = app::is_hidden(view_, {block.tensor, block.head, 0, 0});
  if (!any_hidden || !last)
    d_.bracket(block.x - 3, block.y - 1, block.w() + 6, block.h() + 2,
               block.head >= 0 ? page_.head_colour(block.head) : c_.ink3);
  draw_heading(chain, i);
  if (is_pressable(block)) page_.next_group();
  const auto clicked = chosen_cell(view_);
  std::vector<Rect> ringed;  // drawn last, over the neighbours
  for (int row = 0; row < block.shape.rows; ++row) {
    const float y = block.y + static_cast<float>(row) * block.cell_h;
    const bool named = chain.stacked ? rows_are_tokens(block) : i == 0 && chain.rows_named;
    if (named) {
      const bool here = asked_cell && asked_cell->row == row;
      const Face face = here ? Face::bold : Face::sans;
      const std::string& token = numbers().state.document.tokens[static_cast<std::size_t>(row)];
      d_.text(block.x - 12, y + block.cell_h / 2, d_.fitting(token, 12, face, 90),
              {.size = 12, .face = face, .colour = here ? c_.ink : c_.ink2, .align = 1});
    }
    const bool framed = any_hidden && asked_cell && asked_cell->row != row && rows_are_tokens(block);
    if (framed && !is_pressable(block)) {  // a row that isn't asked for
      const float in = last ? 1.f : 3.f, cell_w = (block.w() - 2 * in) / static_cast<float>(block.shape.cols);
      d_.outline(block.x + in, y + 4, 1, block.shape.cols, cell_w, block.cell_h - 8);
      continue;
    }
    for (int col = 0; col < block.shape.cols; ++col) {
      const Cell cell{block.tensor, block.head, row, col};
      const Rect r{block.x + static_cast<float>(col) * block.cell_w, y, block.cell_w, block.cell_h};
      draw_cell(chain, block, index, cell, r);
      if (asked_cell == cell || (is_pressable(block) && page_.is_hovered(r))) ringed.push_back(r);
      if (is_pressable(block))
        page_.region_beside(r, app::to_text(app::Action{app::GiveAnswer{app::to_text(cell)}}), clicked == cell);
    }
  }
  for (const Rect& r : ringed) d_.hover_ring(r.x + 1, r.y + 1, r.w - 2, r.h - 2, c_.surface);
}

void Chains::draw_between(const Chain& chain, std::size_t i) const {
  const Block &from = chain.blocks[i - 1], &to = chain.blocks[i];
  const auto asked_cell = asked();
  if (chain.stacked) {
    const float x = from.x + std::min(from.w(), to.w()) / 2, y0 = from.y + from.h() + 6, y1 = to.y - kStackTitle - 2;
    if (is_made(i)) {
      d_.line(x, y0, x, y1 - 4, c_.line2);
      d_.arrow_head(x + 0.5f, y1, c_.line2, 5, Direction::down);
    }
    return;
  }
  const float end = from.x + from.w(), gap = to.x - end;
  const bool wide = gap >= 50, open = i + 1 == chain.blocks.size() && app::is_hidden(view_, {to.tensor, to.head, 0, 0});
  const float in = wide ? 11.f : 5.f, out = !wide ? 5.f : open ? 7.f : 8.f;  // an open matrix has no brackets
  if (!is_made(i) || (i > 1 && !is_made(i - 1))) {  // a product: its factors and what comes out
    d_.text(end + gap / 2, to.y + to.h() / 2, is_made(i) ? "=" : "×",
            {.size = 16, .face = Face::mono, .colour = c_.ink2, .align = 0.5f});
    return;
  }
  if (from.shape.rows != to.shape.rows) {
    d_.arrow(end + in, to.x - out - 1, to.y + to.h() / 2, c_.line2);
    return;
  }
  for (int row = 0; row < from.shape.rows; ++row) {
    const float y = from.y + (static_cast<float>(row) + 0.5f) * from.cell_h;
    if (asked_cell && asked_cell->row == row)
      d_.hot_arrow(end + in, to.x - out, y);
    else
      d_.arrow(end + in, to.x - out - 1, y, c_.line2);
  }
}

namespace {

/// 6 px on, 4 px off, along a way of short pieces.
void draw_dashed(Draw& d, const std::vector<ImVec2>& points, Colour colour) {
  std::vector<ImVec2> dash;
  float left = 6;
  bool on = true;
  for (std::size_t i = 1; i < points.size(); ++i) {
    ImVec2 from = points[i - 1];
    const ImVec2 to = points[i];
    float length = std::hypot(to.x - from.x, to.y - from.y);
    while (length > 0) {
      const float step = std::min(length, left);
      const ImVec2 end{from.x + (to.x - from.x) * step / length, from.y + (to.y - from.y) * step / length};
      if (on && dash.empty()) dash.push_back(from);
      if (on) dash.push_back(end);
      length -= step;
      left -= step;
      from = end;
      if (left > 0) continue;
      if (on) d.polyline(std::exchange(dash, {}), colour, 2);
      on = !on;
      left = on ? 6.f : 4.f;
    }
  }
  if (dash.size() > 1) d.polyline(dash, colour, 2);
}

}  // namespace

void Chains::draw_arc(const Chain& chain) const {
  const int index = differing(chain);
  if (index < 0 || chain.stacked || slip()->arc.empty()) return;
  const std::size_t i = static_cast<std::size_t>(index), count = chain.blocks.size();
  const auto middle = [](const Block& block) { return block.x + block.w() / 2; };
  const Block& goal = chain.blocks[std::min(i + 1, count - 1)];
  const auto asked_cell = asked();
  const bool in_goal = asked_cell && asked_cell->tensor == goal.tensor;
  const float x0 = i > 0 ? middle(chain.blocks[i - 1]) : chain.blocks[0].x - 4;
  const float x1 = in_goal ? goal.x + (static_cast<float>(asked_cell->col) + 0.5f) * goal.cell_w : middle(goal);
  const float y0 = chain.y - 72, y1 = chain.y - 74, top = chain.y - 120;
  std::vector<ImVec2> points;
  const ImVec2 a{x0, y0}, b{x0 + 20, top - 20}, e{x1 - 20, top - 20}, f{x1, y1};
  constexpr int kPieces = 48;
  for (int k = 0; k <= kPieces; ++k) {
    const float t = static_cast<float>(k) / kPieces, u = 1 - t;
    const float w0 = u * u * u, w1 = 3 * u * u * t, w2 = 3 * u * t * t, w3 = t * t * t;
    points.push_back({w0 * a.x + w1 * b.x + w2 * e.x + w3 * f.x, w0 * a.y + w1 * b.y + w2 * e.y + w3 * f.y});
  }
  draw_dashed(d_, points, c_.warn);
  d_.arrow_head(x1 + 1, chain.y - 68, c_.warn, 8, Direction::down);
  const std::string& text = slip()->arc;
  const float w = d_.width(text, 12, Face::bold) + 20, x = (x0 + x1) / 2 - w / 2;
  d_.rect_filled(x, top - 15, w, 24, c_.surface, 4);
  d_.rect(x, top - 15, w, 24, c_.warn, {.radius = 4});
  d_.text((x0 + x1) / 2, top - 3, text, {.size = 12, .face = Face::bold, .colour = c_.warn, .align = 0.5f});
}

void Chains::draw(const Chain& chain) const {
  for (std::size_t i = 0; i < chain.blocks.size(); ++i) {
    if (i > 0) draw_between(chain, i);
    draw_block(chain, i);
  }
  draw_arc(chain);
}

}  // namespace ui::chain
