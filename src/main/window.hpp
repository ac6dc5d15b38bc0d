// The app in a window.
#pragma once

#include "cli/cli.hpp"

#include <optional>
#include <string>

namespace native {

/// Opens `state` in a window and returns when it is closed; or why there is no window.
std::optional<std::string> run_window(const cli::Options& options, const app::State& state);

}  // namespace native
