// The chain of matrices beside a question: where they stand (practice_chain.cpp) and how they look
// (practice_chain_draw.cpp). Private to `ui`.
#pragma once

#include "ui/practice.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace ui::chain {

using app::Cell;
using app::Tensor;

/// Above a matrix that stands over another one: its name, and the arrow from the one before.
inline constexpr float kStackTitle = 24, kStackGap = 26;

struct Block {
  Tensor tensor = Tensor::X;
  int head = -1;
  attention::Shape shape;
  int characters = 1;    // of its longest number
  float x = 0, y = 0, cell_w = 0, cell_h = 0;
  float w() const { return static_cast<float>(shape.cols) * cell_w; }
  float h() const { return static_cast<float>(shape.rows) * cell_h; }
};

struct Chain {
  std::vector<Block> blocks;
  bool stacked = false;   // one below the other
  bool rows_named = false;
  int fewer = 0;          // decimals that are left out
  float y = 0;            // where the rows begin
};

class Chains {
 public:
  explicit Chains(Page& page)
      : page_(page), view_(page.v.practice), picture_(view_.question.picture), d_(page.d), c_(page.c) {}

  Chain layout(const Rect& area) const;
  float height(float w) const;
  void draw(const Chain& chain) const;

 private:
  const app::Numbers& numbers() const { return *picture_.numbers; }
  /// What may be shown as asked: a click's own cell would give it away.
  std::optional<Cell> asked() const {
    if (view_.question.asks == app::Asks::click && !view_.solution_shown) return std::nullopt;
    return view_.question.cell;
  }
  bool is_pressable(const Block& block) const {
    const auto* right = std::get_if<Cell>(&view_.question.right);
    return view_.question.asks == app::Asks::click && right != nullptr && right->tensor == block.tensor;
  }
  bool is_in_chain(const app::Slip& slip) const {
    return slip.differs_at &&
           std::find(picture_.chain.begin(), picture_.chain.end(), *slip.differs_at) != picture_.chain.end();
  }
  /// Beside the question the matrices keep their places when an arc comes; below it they can make room then.
  bool has_arcs() const {
    if (page_.vp.width < 720) return slip() != nullptr && is_in_chain(*slip());
    return std::any_of(view_.question.slips.begin(), view_.question.slips.end(),
                       [&](const app::Slip& slip) { return is_in_chain(slip); });
  }
  const app::Slip* slip() const {
    if (view_.verdict != app::PracticeView::Verdict::slip || view_.slip < 0 || view_.solution_shown) return nullptr;
    return &view_.question.slips[static_cast<std::size_t>(view_.slip)];
  }
  int differing(const Chain& chain) const {  // index of the block where the learner's way leaves; -1: none
    const app::Slip* way = slip();
    if (way == nullptr || !way->differs_at) return -1;
    for (std::size_t i = 0; i < chain.blocks.size(); ++i)
      if (chain.blocks[i].tensor == *way->differs_at) return static_cast<int>(i);
    return -1;
  }
  std::vector<Block> blocks(int fewer) const;
  std::string text_of(const Cell& cell, int fewer) const;
  bool rows_are_tokens(const Block& block) const;
  float names_width() const;
  bool is_made(std::size_t i) const;  // from the block before; else it is multiplied with it
  void draw_block(const Chain& chain, std::size_t i) const;
  void draw_cell(const Chain& chain, const Block& block, int index, const Cell& cell, const Rect& r) const;
  void draw_heading(const Chain& chain, std::size_t i) const;
  void draw_between(const Chain& chain, std::size_t i) const;
  void draw_arc(const Chain& chain) const;

  Page& page_;
  const app::PracticeView& view_;
  const app::Picture& picture_;
  Draw& d_;
  const Palette& c_;
};

}  // namespace ui::chain
