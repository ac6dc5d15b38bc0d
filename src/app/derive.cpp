// What follows from the state: every number, what is visible, and which number the strip explains.
#include "app/practice_internal.hpp"

#include <algorithm>
#include <cassert>

namespace app {

/// The step at which a tensor appears.
Step step_of(Tensor tensor) {
  switch (tensor) {
    case Tensor::X:
    case Tensor::X_kv: return Step::input;
    case Tensor::W_Q:
    case Tensor::b_Q:
    case Tensor::W_K:
    case Tensor::b_K:
    case Tensor::W_V:
    case Tensor::b_V:
    case Tensor::Q:
    case Tensor::K:
    case Tensor::V: return Step::project;
    case Tensor::scores: return Step::score;
    case Tensor::scaled: return Step::scale;
    case Tensor::additive_mask:
    case Tensor::masked: return Step::mask;
    case Tensor::pattern: return Step::softmax;
    case Tensor::head: return Step::weigh;
    case Tensor::gate:
    case Tensor::concat: return Step::concat;
    case Tensor::W_O:
    case Tensor::b_O:
    case Tensor::output: return Step::output;
  }
  return Step::input;
}

namespace {

/// The number that a step shows when nobody has chosen one: the second token's row, where head 1 is at its clearest.
Cell own_cell(const State& state) {
  const int row = std::min(1, state.document.config.n_q - 1), head = state.head;
  switch (state.step) {
    case Step::input: return {Tensor::X, -1, 0, 0};
    case Step::project: return {Tensor::Q, head, row, 0};
    case Step::score: return {Tensor::scores, head, row, 0};
    case Step::scale: return {Tensor::scaled, head, row, 0};
    case Step::mask: return {Tensor::masked, head, row, 0};
    case Step::softmax: return {Tensor::pattern, head, row, 0};
    case Step::weigh: return {Tensor::head, head, row, 0};
    case Step::concat: return {Tensor::concat, -1, row, 0};
    case Step::output: return {Tensor::output, -1, row, 0};
  }
  return {};
}

std::optional<Cell> shown_cell(const State& state) {
  for (const std::optional<Cell>& chosen : {state.hovered, state.focused, state.pinned}) {
    if (!chosen || !has_cell(state.document, *chosen)) continue;
    const Cell cell = at_its_place(state, *chosen);
    if (is_visible(state, cell.tensor)) return cell;
  }
  const Cell cell = own_cell(state);
  return has_cell(state.document, cell) ? std::optional(cell) : std::nullopt;
}

}  // namespace

Tensor scaled_place(const State& state) {
  const bool masked = state.step == Step::mask || (state.step > Step::mask && mask_is_on(state));
  return masked ? Tensor::masked : Tensor::scaled;
}

Cell at_its_place(const State& state, Cell cell) {
  if (cell.tensor == Tensor::scaled || cell.tensor == Tensor::masked) cell.tensor = scaled_place(state);
  return cell;
}

Stage stage_of(const State& state, Tensor tensor) {
  if (state.step == Step::mask && tensor == Tensor::scaled) return Stage::present;  // its place is
  const Step own = step_of(tensor);
  return own < state.step ? Stage::past : own == state.step ? Stage::present : Stage::future;
}

bool is_visible(const State& state, Tensor tensor) {
  switch (tensor) {
    case Tensor::scaled:
    case Tensor::masked: return tensor == scaled_place(state) && stage_of(state, tensor) != Stage::future;
    case Tensor::W_Q:
    case Tensor::b_Q:
    case Tensor::W_K:
    case Tensor::b_K:
    case Tensor::W_V:
    case Tensor::b_V: return state.step == Step::project;
    default: return stage_of(state, tensor) != Stage::future;
  }
}

Derived derive(const State& state, const Derived* before) {
  const Document& document = state.document;
  Derived derived;
  if (state.page == Page::gallery) derived.gallery = derive_gallery(state.gallery, before ? &before->gallery : nullptr);
  if (state.page == Page::budget) derived.budget = derive_budget(state.budget, before ? &before->budget : nullptr);
  if (state.page == Page::practice) derived.practice = derive_practice(state);
  attention::forward(document.config, document.input, document.weights, derived.trace);
  derived.shown = shown_cell(state);
  if (!derived.shown) return derived;
  derived.explanation = attention::explain(document.config, document.input, document.weights, *derived.shown);
  for (const Cell& operand : attention::operands_of(derived.explanation)) {
    const Cell cell = at_its_place(state, operand);
    if (cell != *derived.shown && is_visible(state, cell.tensor)) derived.operands.push_back(cell);
  }
  return derived;
}

double value_of(const State& state, const Derived& derived, const Cell& cell) {
  assert(attention::exists(state.document.config, cell));
  return attention::value_of(state.document.input, state.document.weights, derived.trace, cell);
}

bool is_edited(const State& state, const Cell& cell) {
  const auto* now = matrix_of(state.document, nullptr, cell.tensor, cell.head);
  if (!now || !has_cell(state.document, cell)) return false;
  const auto* shipped = matrix_of(example(), nullptr, cell.tensor, cell.head);
  if (!shipped || !has_cell(example(), cell)) return true;
  return !same_bits((*now)(cell.row, cell.col), (*shipped)(cell.row, cell.col));
}

bool any_edited(const State& state) { return !same_numbers(state.document, example()); }

bool mask_is_on(const State& state) {
  return state.document.input.may_attend.size() != 0 || state.document.input.additive_mask.size() != 0;
}

bool is_causal(const State& state) {
  if (!mask_is_on(state)) return false;
  for (int query = 0; query < state.document.config.n_q; ++query)
    for (int key = 0; key < state.document.config.n_k; ++key)
      if (may_attend(state.document, query, key) != (key <= query)) return false;
  return true;
}

bool is_operand(const Derived& derived, const Cell& cell) {
  return std::find(derived.operands.begin(), derived.operands.end(), cell) != derived.operands.end();
}

bool is_fully_masked(const State& state, int query) {
  for (int key = 0; key < state.document.config.n_k; ++key)
    if (may_attend(state.document, query, key)) return false;
  return true;
}

}  // namespace app
