// The native program: reads the command line and does the one thing that it asks for.
#include "cli/cli.hpp"
#include "embedded/licenses.hpp"
#include "embedded/version.hpp"
#include "main/screenshot.hpp"
#include "main/window.hpp"

#include <cstdio>
#include <vector>

namespace {

void complain(std::string_view sentence) { std::fputs(cli::to_message(sentence).c_str(), stderr); }

/// Exit status after `failure`, which is said on standard error.
int finish(const std::optional<std::string>& failure) {
  if (failure) complain(*failure);
  return failure ? cli::kFailed : cli::kDone;
}

int print(std::string_view text) { return finish(cli::write_output("-", text)); }

std::optional<std::string> take_screenshot(const cli::Options& options, const app::State& state) {
  const auto drawn = native::draw_screenshot(options, state);
  if (const auto* why = std::get_if<std::string>(&drawn)) return "no screenshot: " + *why;
  return cli::write_output(options.output, std::get<native::Png>(drawn).bytes);
}

int run(const cli::Options& options) {
  switch (options.command) {
    case cli::Command::help: return print(cli::help_text());
    case cli::Command::version: return print("headscope " + std::string(embedded::version) + '\n');
    case cli::Command::licenses: return print(embedded::licenses);
    default: break;
  }

  const app::State state = cli::state_of(options);
  if (!state.notice.empty()) complain(state.notice);
  switch (options.command) {
    case cli::Command::trace: return finish(cli::write_output(options.output, cli::trace_json(state)));
    case cli::Command::screenshot: return finish(take_screenshot(options, state));
    default: return finish(native::run_window(options, state));
  }
}

}  // namespace

int main(int count, char** values) {
  const std::vector<std::string_view> arguments(values + (count > 0 ? 1 : 0), values + count);
  if (cli::is_heads_command(arguments)) return cli::run_heads_command(arguments);
  const auto read = cli::read_arguments(arguments);
  if (const auto* options = std::get_if<cli::Options>(&read)) return run(*options);
  for (const attention::Problem& problem : std::get<1>(read)) complain(attention::to_sentence(problem));
  complain("--help names the options");
  return cli::kMisused;
}
