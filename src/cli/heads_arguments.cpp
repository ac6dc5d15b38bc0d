// The arguments of `headscope train` and `headscope roles`, from one table, and their help.
#include "cli/heads_commands.hpp"

#include "app/app.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

namespace cli {
namespace {

using attention::Problem;
using Wanted = std::optional<std::string>;  // what a value should have been; nothing when it was right

struct Option {
  std::string_view name, value;  // value empty: a switch
  bool trains, shows;            // goes with train, with roles
  Wanted (*read)(std::string_view, HeadsOptions&);
  std::string_view help;
};

template <class Whole>
Wanted read_whole(std::string_view text, Whole low, Whole high, Whole& out) {
  Whole value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < low || value > high)
    return "a whole number from " + std::to_string(low) + " to " + std::to_string(high);
  out = value;
  return std::nullopt;
}

Wanted read_share(std::string_view text, double high, double& out) {
  const auto number = app::read_number(text);
  const double* value = std::get_if<double>(&number);
  if (value == nullptr || *value < 0 || *value > high) return "a number from 0 to " + app::to_text(high);
  out = *value;
  return std::nullopt;
}

Wanted read_task(std::string_view text, HeadsOptions& options) {
  std::string wanted, plain(text);
  std::replace(plain.begin(), plain.end(), '_', '-');
  for (int i = 0; i < train::kTasks; ++i) {
    const auto task = static_cast<train::Task>(i);
    if (plain == train::name(task)) {
      options.plan = heads::plan_for(task);
      return std::nullopt;
    }
    wanted += (i == 0 ? "" : i + 1 == train::kTasks ? " or " : ", ") + std::string(train::name(task));
  }
  return wanted;
}

constexpr std::array kOptions{
    Option{"--task", "TASK", true, false, read_task,
           "what to learn: language, copy-previous, match-brackets or sort-digits"},
    Option{"--seed", "NUMBER", true, true,
           [](std::string_view text, HeadsOptions& options) {
             options.has_seed = true;
             return read_whole<std::uint64_t>(text, 0, std::numeric_limits<std::uint32_t>::max(), options.seed);
           },
           "where random numbers begin: the same seed, the same model"},
    Option{"--out", "FILE", true, false,
           [](std::string_view text, HeadsOptions& options) {
             options.out = text;
             return Wanted();
           },
           "the model, as safetensors"},
    Option{"--steps", "NUMBER", true, false,
           [](std::string_view text, HeadsOptions& options) {
             const int before = options.plan.options.steps;
             const Wanted wanted = read_whole(text, 1, 1'000'000, options.plan.options.steps);
             if (!wanted) {  // what happens on the way keeps its share of the way
               const auto scaled = [&](int step) {
                 return static_cast<int>(static_cast<double>(step) / before * options.plan.options.steps);
               };
               options.plan.options.sink_from = scaled(options.plan.options.sink_from);
               options.plan.options.sink_rise = scaled(options.plan.options.sink_rise);
             }
             return wanted;
           },
           "steps of training"},
    Option{
        "--layers", "NUMBER", true, false,
        [](std::string_view text, HeadsOptions& options) { return read_whole(text, 1, 6, options.plan.shape.layers); },
        "1 to 6"},
    Option{
        "--heads", "NUMBER", true, false,
        [](std::string_view text, HeadsOptions& options) { return read_whole(text, 1, 8, options.plan.shape.heads); },
        "1 to 8, of each layer; divides d-model"},
    Option{"--d-model", "NUMBER", true, false,
           [](std::string_view text, HeadsOptions& options) {
             return read_whole(text, 16, 128, options.plan.shape.d_model);
           },
           "16 to 128, numbers a token"},
    Option{"--batch", "NUMBER", true, false,
           [](std::string_view text, HeadsOptions& options) { return read_whole(text, 1, 512, options.plan.batch); },
           "sentences a step, 1 to 512"},
    Option{"--learning-rate", "RATE", true, false,
           [](std::string_view text, HeadsOptions& options) {
             return read_share(text, 1, options.plan.options.learning_rate);
           },
           "the highest"},
    Option{"--warm-up", "NUMBER", true, false,
           [](std::string_view text, HeadsOptions& options) {
             return read_whole(text, 0, 100'000, options.plan.options.warm_up);
           },
           "steps on which the rate rises"},
    Option{"--sink-penalty", "NUMBER", true, false,
           [](std::string_view text, HeadsOptions& options) {
             return read_share(text, 1, options.plan.options.sink_penalty);
           },
           "how much a head pays for not resting on token 0"},
    Option{"--sink-from", "NUMBER", true, false,
           [](std::string_view text, HeadsOptions& options) {
             return read_whole(text, 0, 1'000'000, options.plan.options.sink_from);
           },
           "the last step without it"},
    Option{"--feed-forward", "", true, false,
           [](std::string_view, HeadsOptions& options) {
             options.plan.shape.feed_forward = true;
             return Wanted();
           },
           "layers have a feed-forward part"},
    Option{"--causal", "", true, false,
           [](std::string_view, HeadsOptions& options) {
             options.plan.shape.causal = true;
             options.plan.shape.inert_sink = false;
             return Wanted();
           },
           "a token sees only those before it, and predicts the next"},
    Option{"--half", "", true, false,
           [](std::string_view, HeadsOptions& options) {
             options.precision = heads::Precision::half;
             return Wanted();
           },
           "16 bits a number: half the file, and what it then computes is what is counted"},
    Option{"--sentences", "NUMBER", true, true,
           [](std::string_view text, HeadsOptions& options) { return read_whole(text, 1, 100'000, options.sentences); },
           "held-out sentences that roles are counted on"},
    Option{"--json", "", true, true,
           [](std::string_view, HeadsOptions& options) {
             options.json = true;
             return Wanted();
           },
           "answer as JSON"},
    Option{"--help", "", true, true,
           [](std::string_view, HeadsOptions& options) {
             options.help = true;
             return Wanted();
           },
           "print this"},
};

std::string quoted(std::string_view text) { return '"' + std::string(text) + '"'; }

/// --task before all others: it brings the values that they change.
void put_task_first(std::vector<std::pair<const Option*, std::string_view>>& given) {
  std::stable_partition(given.begin(), given.end(), [](const auto& it) { return it.first->name == "--task"; });
}

}  // namespace

std::variant<HeadsOptions, std::vector<Problem>> read_heads_arguments(std::span<const std::string_view> arguments) {
  HeadsOptions options;
  options.plan = heads::plan_for(train::Task::language);
  options.trains = !arguments.empty() && arguments[0] == "train";
  std::vector<Problem> problems;
  std::vector<std::pair<const Option*, std::string_view>> given;
  std::vector<std::string> files;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const std::string_view argument = arguments[i];
    if (!argument.starts_with("--") && argument != "-h") {
      files.emplace_back(argument);
      continue;
    }
    const std::size_t equals = argument.find('=');
    const std::string_view name = argument == "-h" ? "--help" : argument.substr(0, equals);
    const auto option = std::find_if(kOptions.begin(), kOptions.end(), [&](const Option& it) {
      return it.name == name && (options.trains ? it.trains : it.shows);
    });
    if (option == kOptions.end()) {
      std::string names;
      for (const Option& it : kOptions)
        if (options.trains ? it.trains : it.shows) names += (names.empty() ? "one of " : ", ") + std::string(it.name);
      problems.push_back({"option", quoted(argument), names});
      continue;
    }
    std::string_view value = equals == argument.npos ? std::string_view() : argument.substr(equals + 1);
    if (option->value.empty()) {
      if (equals != argument.npos) problems.push_back({std::string(name), quoted(value), "no value"});
    } else if (equals == argument.npos && i + 1 < arguments.size() && !arguments[i + 1].starts_with("--")) {
      value = arguments[++i];
    }
    if (!option->value.empty() && value.empty()) {
      problems.push_back({std::string(name), "nothing", std::string(option->value) + " after it"});
      continue;
    }
    if (std::any_of(given.begin(), given.end(), [&](const auto& it) { return it.first == &*option; })) {
      problems.push_back({std::string(name), "it twice", "it once"});
      continue;
    }
    given.emplace_back(&*option, value);
  }
  put_task_first(given);
  for (const auto& [option, value] : given)
    if (const Wanted wanted = option->read(value, options))
      problems.push_back({std::string(option->name), quoted(value), *wanted});
  if (options.help) return options;

  if (options.has_seed && options.trains) options.plan.seed = options.seed;
  if (options.trains) {
    if (!files.empty())
      problems.push_back({"argument", quoted(files[0]), "options only; the model's file comes after --out"});
    if (options.out.empty()) problems.push_back({"--out", "nothing", "--out FILE, or - for standard output"});
    if (options.out == "-" && options.json)
      problems.push_back({"--json", "--out - too", "one of them on standard output"});
    if (problems.empty()) problems = heads::validate(options.plan);
  } else {
    if (files.empty())
      problems.push_back({"file", "nothing", "a model or attention as safetensors, then perhaps its parse as JSON"});
    if (files.size() > 2) problems.push_back({"file", quoted(files[2]), "two files at most"});
    if (!files.empty()) options.file = files[0];
    if (files.size() > 1) options.companion = files[1];
  }
  if (!problems.empty()) return problems;
  return options;
}

std::string heads_help_text(bool trains) {
  std::string text =
      trains ? "headscope train --out FILE [options]: trains a small transformer and counts what its heads "
               "look for.\nCtrl-C stops and leaves the model as it is by then.\n\n"
             : "headscope roles FILE [PARSE.json] [options]: what the heads of a model, or of attention in "
               "a file, look for.\nWithout PARSE.json, the file beside FILE with that ending is read, if it "
               "is there.\n\n";
  for (const Option& option : kOptions) {
    if (!(trains ? option.trains : option.shows)) continue;
    std::string line = "  " + std::string(option.name) + (option.value.empty() ? "" : " ") + std::string(option.value);
    line.resize(std::max<std::size_t>(line.size() + 1, 26), ' ');
    text += line + std::string(option.help) + '\n';
  }
  return text + "\nExit status: 0 done, 1 it failed, 2 the command line is wrong, 130 stopped by Ctrl-C.\n";
}

}  // namespace cli
