// One piece of an equation in the strip, as the canvas lays it out. Part of app.hpp, which includes it.
#pragma once

#include "attention/attention.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace app {

using attention::Cell;
using attention::Tensor;

/// One piece of the strip's equation, left to right. The first piece is always the label of the number (phones
/// put it on a line of its own), the second "=". "=", "+" and "·" are pieces of their own: "<q>=</q>" …
struct Part {
  enum class Kind : std::uint8_t {
    text, fraction, root_fraction, factor, result,
    line_break_hint,  // no width, a line may break here
    blank             // a "?" in a dashed box: what is asked
  } kind = Kind::text;
  std::string text = {};     // rich; fraction: above the line
  std::string below = {};    // rich; fraction: below the line; root_fraction: under the radical sign
  int head = -1;             // factor: 3 px bar of the head's colour under the chip
  bool dim = false;          // counts nothing (times zero)
  std::optional<Cell> cell = {};  // factor, result: which cell it is
  double value = 0;          // result: for the fill; -infinity for a masked score
  bool operator==(const Part&) const = default;
};

}  // namespace app
