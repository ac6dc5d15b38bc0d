// The command line: what the caller asked for, the texts that answer, and
// files that are written whole or not at all. No window, no GL.
//
// Sizes are CSS pixels; pixel_ratio is device pixels per CSS pixel.
#pragma once

#include "app/app.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace cli {

/// What the program exits with.
inline constexpr int kDone = 0;
inline constexpr int kFailed = 1;   // asked well, couldn't be done: no display, a file that can't be written
inline constexpr int kMisused = 2;  // the command line itself is wrong

enum class Command : std::uint8_t { window, trace, screenshot, version, help, licenses };

struct Size {
  int width = 0, height = 0;
  bool operator==(const Size&) const = default;
};
inline constexpr Size kSmallestSize{320, 400};  // the page's layouts begin here
inline constexpr Size kLargestSize{8192, 8192};
inline constexpr double kSmallestPixelRatio = 0.5, kLargestPixelRatio = 4;
inline constexpr int kLargestSide_device_px = 16384;  // of a picture: what OpenGL drivers commonly hold

struct Options {
  Command command = Command::window;
  std::string output;               // trace, screenshot: a file, or "-" for standard output
  std::string query;                // "?step=softmax", cut out of a whole address
  std::optional<app::Theme> theme;  // wins over the query's
  Size size{1280, 800};
  std::optional<double> pixel_ratio;  // empty: the display's own, 1 for a screenshot
  bool operator==(const Options&) const = default;
};

/// Reads the arguments, program name left out. All that is wrong at once: each problem names the option.
std::variant<Options, std::vector<attention::Problem>> read_arguments(std::span<const std::string_view> arguments);

/// The state that `options` open. Its `notice` says what of the query was ignored or clamped.
app::State state_of(const Options& options);

/// The state's document with every intermediate, as JSON with the keys of worked-example.json.
std::string trace_json(const app::State& state);

std::string help_text();

/// `headscope train …` and `headscope roles …`: does it all, says what went wrong, returns the exit status.
bool is_heads_command(std::span<const std::string_view> arguments);
int run_heads_command(std::span<const std::string_view> arguments);

/// "headscope: " and the sentence and a line end, for standard error.
std::string to_message(std::string_view sentence);

/// Writes all bytes to `path` ("-": standard output), or returns why not. A regular file appears or changes in one
/// step, so that a reader never finds half of it: the bytes go to a new file beside it, which is then renamed.
/// Links are followed; devices and pipes are written directly.
std::optional<std::string> write_output(const std::string& path, std::string_view bytes);

}  // namespace cli
