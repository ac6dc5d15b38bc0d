// The walkthrough's matrices beside a question, each made from the one before: what is known stands in them, what is
// asked is a "?", and an arc leads over the step that the learner's way leaves out.
#include "ui/practice_chain.hpp"

#include <algorithm>
#include <cmath>

namespace ui::chain {
namespace {

constexpr float kArcRoom = 138, kPlainRoom = 74, kBelow = 30;

std::size_t characters_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char ch) { return (ch & 0xC0) != 0x80; }));
}

bool is_roomy(float w) { return w >= 500; }

}  // namespace

std::string Chains::text_of(const Cell& cell, int fewer) const {
  const std::string text = app::text_of(numbers().state, numbers().derived, cell);
  const std::size_t point = text.find('.');
  if (fewer == 0 || point == std::string::npos || text.find('e') != std::string::npos) return text;
  const int decimals = static_cast<int>(text.size() - point) - 1, most = 3 - fewer;
  if (decimals <= most) return text;
  return app::format_number(app::value_of(numbers().state, numbers().derived, cell), most);
}

std::vector<Block> Chains::blocks(int fewer) const {
  std::vector<Block> out;
  for (const Tensor tensor : picture_.chain) {
    Block block;
    block.tensor = tensor;
    block.head = attention::is_per_head(tensor) ? std::max(0, picture_.head) : -1;
    block.shape = attention::shape_of(numbers().state.document.config, tensor);
    for (int i = 0; i < block.shape.rows; ++i)
      for (int j = 0; j < block.shape.cols; ++j)
        block.characters =
            std::max(block.characters, static_cast<int>(characters_of(text_of({tensor, block.head, i, j}, fewer))));
    out.push_back(block);
  }
  return out;
}

bool Chains::rows_are_tokens(const Block& block) const {
  switch (block.tensor) {
    case Tensor::W_Q:
    case Tensor::W_K:
    case Tensor::W_V:
    case Tensor::W_O:
    case Tensor::b_Q:
    case Tensor::b_K:
    case Tensor::b_V:
    case Tensor::b_O:
    case Tensor::gate: return false;
    default: return block.shape.rows <= static_cast<int>(numbers().state.document.tokens.size());
  }
}

float Chains::names_width() const {
  float w = 0;
  for (const std::string& token : numbers().state.document.tokens) w = std::max(w, d_.width(token, 12, Face::bold));
  return std::min(std::ceil(w), 90.f) + 12;
}

bool Chains::is_made(std::size_t i) const {
  const auto is_projection = [](Tensor t) { return t == Tensor::Q || t == Tensor::K || t == Tensor::V; };
  const Tensor before = picture_.chain[i - 1], tensor = picture_.chain[i];
  if (attention::is_given(tensor)) return false;
  return !is_projection(tensor) || before == Tensor::X || before == Tensor::X_kv || attention::is_given(before);
}

Chain Chains::layout(const Rect& area) const {
  const bool roomy = is_roomy(area.w);
  Chain chain;
  chain.blocks = blocks(0);
  if (chain.blocks.empty()) return chain;
  chain.rows_named = rows_are_tokens(chain.blocks.front());
  const std::size_t count = chain.blocks.size();
  const float names = !chain.rows_named ? 8 : roomy ? std::max(62.f, names_width()) : names_width();
  const float right = roomy ? 20.f : 4.f, room = area.w - names - right;
  const auto wish = [&](const Block& block) {
    return std::max({block.characters <= 2 ? 48.f : 64.f, 9.6f * static_cast<float>(block.characters) + 12,
                     is_pressable(block) ? 44.f : 0.f});
  };
  float longest_name = 0;  // of a token over its column
  for (const std::string& token : numbers().state.document.tokens)
    longest_name = std::max(longest_name, d_.width(token, 12, Face::sans));
  const auto key_name = [&](const Block& block) {
    return block.tensor == Tensor::scores || block.tensor == Tensor::pattern ? std::min(longest_name + 4, 34.f) : 0.f;
  };
  const auto least = [&](const Block& block) {
    return std::max({is_pressable(block) && page_.vp.width < 720 ? 44.f : 24.f,
                     7.2f * static_cast<float>(block.characters) + 3, key_name(block)});
  };
  const auto gap_wish = [&](std::size_t i) { return !roomy ? 40.f : count == 2 ? 90.f : i == 0 ? 70.f : 80.f; };
  constexpr float kLeastGap = 24;
  const auto total = [&](auto&& cell_w) {
    float w = 0;
    for (const Block& block : chain.blocks) w += static_cast<float>(block.shape.cols) * cell_w(block);
    return w;
  };
  float gaps = 0;
  for (std::size_t i = 0; i + 1 < count; ++i) gaps += gap_wish(i);
  const float least_gaps = kLeastGap * static_cast<float>(count - 1);
  for (chain.fewer = 0; chain.fewer < 2 && total(least) + least_gaps > room; ++chain.fewer)
    chain.blocks = blocks(chain.fewer + 1);
  int most_rows = 1;
  for (const Block& block : chain.blocks) most_rows = std::max(most_rows, block.shape.rows);
  chain.stacked = total(least) + least_gaps > room;
  if (chain.stacked) {
    chain.fewer = 0;
    chain.blocks = blocks(0);
    float rows = 0;
    for (const Block& block : chain.blocks) rows += static_cast<float>(block.shape.rows);
    const float titles = kStackTitle * static_cast<float>(count) + kStackGap * static_cast<float>(count - 1) + 12;
    const float cell_h = std::floor(std::clamp((area.h - titles) / rows, 20.f, 44.f));
    float y = area.y + std::max(0.f, std::floor((area.h - titles - rows * cell_h) / 2)) + kStackTitle;
    for (std::size_t i = 0; i < count; ++i) {
      Block& block = chain.blocks[i];
      const float own_room = area.w - names - 8;
      block.cell_w = std::floor(std::min(wish(block), own_room / static_cast<float>(block.shape.cols)));
      block.cell_h = is_pressable(block) && page_.vp.width < 720 ? std::max(cell_h, 44.f) : cell_h;
      block.x = area.x + names;
      block.y = y;
      y += block.h() + kStackGap + kStackTitle;
    }
    return chain;
  }
  const float wished = total(wish) + gaps, smallest = total(least) + least_gaps;
  const float t = wished <= room ? 1.f : std::clamp((room - smallest) / std::max(1.f, wished - smallest), 0.f, 1.f);
  const float top_room = has_arcs() ? kArcRoom : kPlainRoom;
  const float cell_h = std::floor(std::clamp((area.h - top_room - 14) / static_cast<float>(most_rows), 20.f, 48.f));
  const float rows_h = cell_h * static_cast<float>(most_rows);
  chain.y = area.y + std::clamp(area.h - rows_h - kBelow, top_room, std::max(top_room, 178.f));
  float x = area.x + names + std::max(0.f, std::floor((room - wished) / 2));
  for (std::size_t i = 0; i < count; ++i) {
    Block& block = chain.blocks[i];
    block.cell_w = std::floor(least(block) + (wish(block) - least(block)) * t);
    block.cell_h = cell_h;
    block.x = std::round(x);
    block.y = chain.y + std::floor((rows_h - block.h()) / 2);
    x += block.w() + kLeastGap + (gap_wish(i) - kLeastGap) * t;
  }
  return chain;
}

float Chains::height(float w) const {
  const Chain chain = layout({0, 0, w, 400});
  if (chain.blocks.empty()) return 0;
  const bool fingers = page_.vp.width < 720;
  float rows = 0, most_rows = 0, h = 12;
  for (const Block& block : chain.blocks) {
    const auto own = static_cast<float>(block.shape.rows) * (is_pressable(block) && fingers ? 44.f
                                                             : block.shape.rows <= 2        ? 34.f
                                                                                            : 24.f);
    most_rows = std::max(most_rows, own);
    rows += own;
  }
  const auto count = static_cast<float>(chain.blocks.size());
  if (chain.stacked) return h + rows + kStackTitle * count + kStackGap * (count - 1);
  return (has_arcs() ? kArcRoom : kPlainRoom) + most_rows + 14;
}

}  // namespace ui::chain

namespace ui {

void draw_chain(Page& page, const Rect& area) {
  if (!page.v.practice.question.picture.numbers) return;
  const chain::Chains chains(page);
  chains.draw(chains.layout(area));
}

float chain_height(Page& page, float w) {
  if (!page.v.practice.question.picture.numbers) return 0;
  return chain::Chains(page).height(w);
}

}  // namespace ui
