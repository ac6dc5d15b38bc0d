// A picture of the page, drawn off screen.
#pragma once

#include "cli/cli.hpp"

#include <string>
#include <variant>

namespace native {

struct Png {
  std::string bytes;
};

/// The page that `state` shows, of `options`' size and pixel ratio, at rest; or why it can't be drawn.
std::variant<Png, std::string> draw_screenshot(const cli::Options& options, const app::State& state);

}  // namespace native
