// What the commands without a window answer.
#include "cli/cli.hpp"

#include "io/trace_json.hpp"

namespace cli {

app::State state_of(const Options& options) {
  app::State state = app::read_query(options.query);
  if (options.theme) state.theme = *options.theme;
  return state;
}

std::string trace_json(const app::State& state) {
  const app::Document& document = state.document;
  attention::Trace<double> trace;
  attention::forward(document.config, document.input, document.weights, trace);
  return io::trace_to_json(document.tokens, document.features, document.head_names, document.config, document.input,
                           document.weights, trace);
}

std::string to_message(std::string_view sentence) { return "headscope: " + std::string(sentence) + '\n'; }

}  // namespace cli
