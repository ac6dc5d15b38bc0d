// What the app's tests share: random walks through the actions, and the cells that one can see.
#pragma once

#include "app/app.hpp"
#include "attention_support.hpp"

#include <cstdlib>

namespace app_test {

using namespace app;
using attention_test::Random;

inline std::vector<Cell> cells_of(const State& state, Tensor tensor) {
  std::vector<Cell> cells;
  const attention::Config& config = state.document.config;
  const attention::Shape shape = attention::shape_of(config, tensor);
  const bool heads = attention::is_per_head(tensor);
  for (int head = heads ? 0 : -1; head < (heads ? config.h : 0); ++head)
    for (int row = 0; row < shape.rows; ++row)
      for (int col = 0; col < shape.cols; ++col) cells.push_back({tensor, head, row, col});
  return cells;
}

/// The tensors that the worked example has: no biases, no X_kv.
inline std::vector<Tensor> tensors() {
  return {Tensor::X,       Tensor::W_Q,  Tensor::W_K,    Tensor::W_V,    Tensor::Q,
          Tensor::K,       Tensor::V,    Tensor::scores, Tensor::scaled, Tensor::masked,
          Tensor::pattern, Tensor::head, Tensor::concat, Tensor::W_O,    Tensor::output};
}

inline std::vector<Cell> all_cells(const State& state) {
  std::vector<Cell> cells;
  for (const Tensor tensor : tensors())
    for (const Cell& cell : cells_of(state, tensor)) cells.push_back(cell);
  return cells;
}

inline std::vector<Cell> visible_cells(const State& state) {
  std::vector<Cell> cells;
  for (const Cell& cell : all_cells(state))
    if (is_visible(state, cell.tensor)) cells.push_back(cell);
  return cells;
}

inline const Cell& any(Random& random, const std::vector<Cell>& cells) {
  return cells[static_cast<std::size_t>(random.whole(0, static_cast<int>(cells.size()) - 1))];
}

/// Small whole numbers, decimals, very large and very small ones.
inline double random_number(Random& random) {
  switch (random.whole(0, 4)) {
    case 0: return random.whole(-3, 3);
    case 1: return random.between(-kLargestNumber, kLargestNumber);
    case 2: return random.between(-1, 1) * 1e-9;
    default: return random.between(-4, 4);
  }
}

inline Action random_action(Random& random, const State& state) {
  const std::vector<Cell> all = all_cells(state);
  switch (random.whole(0, 18)) {
    case 0: return GoToStep{static_cast<Step>(random.whole(0, kStepCount - 1))};
    case 1: return NextStep{};
    case 2: return PreviousStep{};
    case 3: return StartAgain{};
    case 4: return SetPlaying{random.coin()};
    case 5: return SelectHead{random.whole(0, 2)};
    case 6: return Pin{random.coin() ? std::optional(any(random, all)) : std::nullopt};
    case 7: return Hover{any(random, all)};
    case 8: return FocusCell{any(random, all)};
    case 9: return ToggleMay{random.whole(0, 1), random.whole(0, 1)};
    case 10: return SetCausal{random.coin()};
    case 11: return Undo{};
    case 12: return Redo{};
    case 13: return Reset{};
    case 14: return SetTheme{static_cast<Theme>(random.whole(0, 2))};
    case 15: return SetMotion{static_cast<Motion>(random.whole(0, 2))};
    case 16: return SetSystemMotion{random.coin()};
    default: {
      constexpr Tensor given[] = {Tensor::X, Tensor::W_Q, Tensor::W_K, Tensor::W_V, Tensor::W_O};
      return SetCell{any(random, cells_of(state, given[random.whole(0, 4)])), random_number(random)};
    }
  }
}

inline State random_state(std::uint64_t seed, int actions = 30) {
  Random random(seed);
  State state;
  for (int i = 0; i < actions; ++i) update(state, random_action(random, state));
  return state;
}

inline State at_step(Step step) {
  State state;
  REQUIRE(!update(state, GoToStep{step}));
  return state;
}

/// A number as the canvas shows it, read back: "−∞", "−0.413", "7.2e25".
inline double shown_number(std::string text) {
  for (std::size_t at; (at = text.find("\u2212")) != std::string::npos;) text.replace(at, 3, "-");
  if (text == "-∞") return -std::numeric_limits<double>::infinity();
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  CHECK_MESSAGE((!text.empty() && *end == '\0'), "not a number: \"", text, "\"");
  return value;
}

}  // namespace app_test
