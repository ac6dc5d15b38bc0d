// Arguments to Options, and the help text, from one table.
#include "cli/cli.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace cli {
namespace {

using attention::Problem;

constexpr unsigned bit(Command command) { return 1u << static_cast<unsigned>(command); }
constexpr unsigned kDrawing = bit(Command::window) | bit(Command::screenshot);

/// Takes the option's value into `options`, or says what was wanted instead.
using Reader = std::optional<std::string> (*)(std::string_view value, Options& options);

struct Option {
  std::string_view name;
  std::string_view value;          // what follows, empty: nothing
  std::optional<Command> command;  // set: the option is a command
  unsigned goes_with;              // commands, as bits; unused for a command
  Reader read;
  std::string_view help;  // lines, broken by hand
};

std::string sizes_text(Size size) { return std::to_string(size.width) + "x" + std::to_string(size.height); }

std::optional<std::string> read_output(std::string_view value, Options& options) {
  options.output = value;
  return std::nullopt;
}

std::optional<std::string> read_url(std::string_view value, Options& options) {
  const bool whole_address = value.find("://") != value.npos && value.find("://") < value.find('?');
  const std::size_t question = value.find('?');
  if (question != value.npos)
    value.remove_prefix(question);
  else if (whole_address)
    value = {};
  options.query = value.substr(0, value.find('#'));
  return std::nullopt;
}

std::optional<std::string> read_theme(std::string_view value, Options& options) {
  if (value == "light")
    options.theme = app::Theme::light;
  else if (value == "dark")
    options.theme = app::Theme::dark;
  else
    return "light or dark";
  return std::nullopt;
}

/// All of `text` as a number of pixels; 0 when it isn't one.
int read_pixels(std::string_view text) {
  int pixels = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), pixels);
  return error == std::errc{} && end == text.data() + text.size() ? pixels : 0;
}

std::optional<std::string> read_size(std::string_view value, Options& options) {
  const std::size_t cross = value.find('x');
  const Size size{read_pixels(value.substr(0, cross)), cross == value.npos ? 0 : read_pixels(value.substr(cross + 1))};
  const auto inside = [](int side, int low, int high) { return low <= side && side <= high; };
  if (!inside(size.width, kSmallestSize.width, kLargestSize.width) ||
      !inside(size.height, kSmallestSize.height, kLargestSize.height))
    return "WIDTHxHEIGHT in pixels, from " + sizes_text(kSmallestSize) + " to " + sizes_text(kLargestSize);
  options.size = size;
  return std::nullopt;
}

std::optional<std::string> read_pixel_ratio(std::string_view value, Options& options) {
  const auto number = app::read_number(value);
  const double* ratio = std::get_if<double>(&number);
  if (ratio == nullptr || *ratio < kSmallestPixelRatio || *ratio > kLargestPixelRatio) return "a number from 0.5 to 4";
  options.pixel_ratio = *ratio;
  return std::nullopt;
}

constexpr std::array kOptions{
    Option{"--trace", "FILE", Command::trace, 0, read_output,
           "write every number of the worked example, from the input\n"
           "to the output, as JSON; - is standard output"},
    Option{"--screenshot", "FILE", Command::screenshot, 0, read_output,
           "draw the page off screen, write it as PNG; needs no display"},
    Option{"--url", "QUERY", std::nullopt, kDrawing | bit(Command::trace), read_url,
           "open this view: '?step=softmax&theme=dark', or the address\n"
           "of a page that shows it"},
    Option{"--theme", "THEME", std::nullopt, kDrawing, read_theme, "light or dark, whatever the query says"},
    Option{"--size", "WxH", std::nullopt, kDrawing, read_size, "width and height of the page in pixels (1280x800)"},
    Option{"--pixel-ratio", "RATIO", std::nullopt, kDrawing, read_pixel_ratio,
           "device pixels per pixel of the page (the display's own;\n"
           "1 for a screenshot)"},
    Option{"--licenses", "", Command::licenses, 0, nullptr, "name what this program contains, with its licences"},
    Option{"--version", "", Command::version, 0, nullptr, "print the version"},
    Option{"--help", "", Command::help, 0, nullptr, "print this"},
};

const Option* find_option(std::string_view name) {
  if (name == "-h") name = "--help";
  const auto found = std::ranges::find(kOptions, name, &Option::name);
  return found == kOptions.end() ? nullptr : &*found;
}

std::string quoted(std::string_view text) { return '"' + std::string(text) + '"'; }

std::string option_names() {
  std::string names = "one of";
  for (const Option& option : kOptions) names += (&option == kOptions.data() ? " " : ", ") + std::string(option.name);
  return names;
}

/// A screenshot's sides together with its pixel ratio.
void check_device_pixels(const Options& options, std::vector<Problem>& problems) {
  if (options.command != Command::screenshot) return;
  const double ratio = options.pixel_ratio.value_or(1);
  const double longest = std::round(std::max(options.size.width, options.size.height) * ratio);
  if (longest > kLargestSide_device_px)
    problems.push_back({"--size times --pixel-ratio", std::to_string(static_cast<int>(longest)) + " device pixels",
                        "at most " + std::to_string(kLargestSide_device_px) + " on a side"});
}

}  // namespace

std::variant<Options, std::vector<Problem>> read_arguments(std::span<const std::string_view> arguments) {
  Options options;
  std::vector<Problem> problems;
  std::vector<const Option*> given;
  const Option* command = nullptr;

  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view argument = arguments[i];
    const std::size_t equals = argument.starts_with("--") ? argument.find('=') : argument.npos;
    const std::string_view name = argument.substr(0, equals);
    const Option* option = find_option(name);
    if (option == nullptr) {
      problems.push_back({argument.starts_with("-") ? "option" : "argument", quoted(argument), option_names()});
      continue;
    }

    std::string_view value;
    bool has_value = equals != argument.npos;
    if (has_value)
      value = argument.substr(equals + 1);
    else if (option->read != nullptr && i + 1 < arguments.size() && !arguments[i + 1].starts_with("--")) {
      value = arguments[++i];
      has_value = true;
    }

    if (std::ranges::find(given, option) != given.end()) {
      problems.push_back({std::string(option->name), "it twice", "it once"});
      continue;
    }
    given.push_back(option);

    if (option->command) {
      if (command != nullptr)
        problems.push_back({std::string(option->name), std::string(command->name) + " too", "one of the two"});
      else
        command = option;
    }
    if (option->read == nullptr) {
      if (has_value) problems.push_back({std::string(option->name), quoted(value), "no value"});
    } else if (value.empty() && (option->name != "--url" || !has_value)) {
      problems.push_back({std::string(option->name), "nothing", std::string(option->value) + " after it"});
    } else if (const auto wanted = option->read(value, options)) {
      problems.push_back({std::string(option->name), quoted(value), *wanted});
    }
  }

  if (command != nullptr) options.command = *command->command;
  for (const Option* option : given)
    if (command != nullptr && !option->command && (option->goes_with & bit(options.command)) == 0)
      problems.push_back({std::string(option->name), "it with " + std::string(command->name),
                          "it left out: it would change nothing there"});
  check_device_pixels(options, problems);

  if (!problems.empty()) return problems;
  return options;
}

std::string help_text() {
  std::string text =
      "headscope: multi-head attention, step by step, with every number shown.\n"
      "\n"
      "Usage: headscope [options]     opens a window\n"
      "       headscope train --help  trains a small model and counts what its heads look for\n"
      "       headscope roles --help  counts it for a model, or for attention in a file\n"
      "\n";
  constexpr std::size_t kColumn = 24;
  for (const Option& option : kOptions) {
    std::string line = "  " + std::string(option.name) + (option.value.empty() ? "" : " ") + std::string(option.value);
    line.resize(std::max(line.size() + 1, kColumn), ' ');
    for (const char sign : option.help) {
      line += sign;
      if (sign == '\n') line.append(kColumn, ' ');
    }
    text += line + '\n';
  }
  text +=
      "\n"
      "In the window: arrows step, Space plays, Tab moves between matrices and arrows\n"
      "between cells, Enter pins or edits a number, Escape leaves, Ctrl+Z undoes,\n"
      "Ctrl+Q closes.\n"
      "\n"
      "Exit status: 0 done, 1 it failed, 2 the command line is wrong.\n";
  return text;
}

}  // namespace cli
