// Training and counting without a window: progress on a terminal, Ctrl-C leaves the model as it is by then.
#include "cli/heads_commands.hpp"

#include "cli/cli.hpp"
#include "io/json.hpp"

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

#ifdef _WIN32
#include <io.h>
#else
#include <unistd.h>
#endif

namespace cli {
namespace {

constexpr int kInterrupted = 130;  // as shells count: 128 + SIGINT

volatile std::sig_atomic_t interrupted = 0;

void on_interrupt(int signal) {
  interrupted = 1;
  std::signal(signal, SIG_DFL);  // a second one ends the program at once
}

bool is_terminal() {
#ifdef _WIN32
  return _isatty(_fileno(stderr)) != 0;
#else
  return isatty(STDERR_FILENO) != 0;
#endif
}

void complain(std::string_view sentence) { std::fputs(to_message(sentence).c_str(), stderr); }

int refuse(const std::vector<attention::Problem>& problems) {
  for (const attention::Problem& problem : problems) complain(attention::to_sentence(problem));
  return kFailed;
}

/// One line that is written over; nothing where nobody watches.
class ProgressLine {
 public:
  void show(const heads::Plan& plan, const heads::Point& point, double held_out) {
    if (!watched_) return;
    const auto now = std::chrono::steady_clock::now();
    if (point.step != plan.options.steps && now - shown_ < std::chrono::milliseconds(200)) return;
    shown_ = now;
    const double seconds = std::chrono::duration<double>(now - began_).count();
    const int left = static_cast<int>(seconds / point.step * (plan.options.steps - point.step) + 0.5);
    std::fprintf(stderr, "\r\033[Kstep %d of %d   loss %.3f   held-out words right %.1f %%   %d:%02d left", point.step,
                 plan.options.steps, point.loss, 100 * held_out, left / 60, left % 60);
    std::fflush(stderr);
    drawn_ = true;
  }
  void say(const std::string& line) {
    if (!watched_) return;
    std::fprintf(stderr, "%s%s\n", drawn_ ? "\r\033[K" : "", line.c_str());
    drawn_ = false;
  }
  void end() {
    if (drawn_) std::fputs("\n", stderr);
    drawn_ = false;
  }

 private:
  const bool watched_ = is_terminal();
  const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point shown_{};
  bool drawn_ = false;
};

std::string click_text(const heads::Click& click, const heads::Table& table) {
  std::string name = click.subject;
  for (const heads::Subject& subject : table.subjects)
    if (subject.id == click.subject) name = subject.name;
  return "step " + std::to_string(click.step) + ": layer " + std::to_string(click.layer + 1) + " head " +
         std::to_string(click.head + 1) + " has learned " + name;
}

/// The file's bytes, or why it can't be read.
std::variant<std::string, std::string> read_file(const std::string& path) {
  std::error_code error;
  const auto refusal = [&](std::string_view why) { return "can't read \"" + path + "\": " + std::string(why); };
  if (!std::filesystem::exists(path, error))
    return std::variant<std::string, std::string>(std::in_place_index<1>, refusal("there is no such file"));
  if (std::filesystem::is_directory(path, error))
    return std::variant<std::string, std::string>(std::in_place_index<1>, refusal("it is a folder"));
  std::ifstream file(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  if (!file && bytes.empty())
    return std::variant<std::string, std::string>(std::in_place_index<1>, refusal("it can't be opened"));
  return std::variant<std::string, std::string>(std::in_place_index<0>, std::move(bytes));
}

}  // namespace

int train(const HeadsOptions& options) {
  heads::Course course(options.plan);
  ProgressLine progress;
  interrupted = 0;
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);

  const auto save = [&](const heads::Model& model) {
    return write_output(options.out, heads::write_model(model, options.precision));
  };
  // Written once before the first step: a file that can't be written is said at once, not after minutes.
  if (options.out != "-") {
    if (const auto failure = save(course.model())) return complain(*failure), kFailed;
  }

  double held_out = 0;
  std::vector<heads::Click> clicks;
  while (!course.finished() && course.problem().empty() && interrupted == 0) {
    const heads::Point point = course.advance();
    if (!course.problem().empty()) break;
    if (point.step % heads::kExamEvery == 0) {
      clicks.clear();
      const heads::Exam exam = course.examine(clicks);
      held_out = exam.accuracy.value();
      for (const heads::Click& click : clicks) progress.say(click_text(click, exam.table));
      if (options.out != "-" && point.step % (4 * heads::kExamEvery) == 0) {
        if (const auto failure = save(course.model())) return progress.end(), complain(*failure), kFailed;
      }
    }
    progress.show(options.plan, point, held_out);
  }
  progress.end();
  const bool stopped = interrupted != 0;
  if (!course.problem().empty()) complain(course.problem() + " The model is the last good one.");
  if (stopped) {
    if (const auto failure = save(course.model())) return complain(*failure), kFailed;
    complain("stopped at step " + std::to_string(course.step()) + "; the model is in \"" + options.out + '"');
    return kInterrupted;
  }

  heads::Model model = course.model();
  if (options.precision == heads::Precision::half) {  // what is counted is what the file holds
    auto rounded = heads::read_model(heads::write_model(model, heads::Precision::half));
    if (auto* problems = std::get_if<std::vector<attention::Problem>>(&rounded)) return refuse(*problems);
    model = std::get<heads::Model>(std::move(rounded));
  }
  model.table = heads::measure(model, options.sentences);
  if (const auto failure = save(model)) return complain(*failure), kFailed;
  if (options.out != "-") {
    const std::string answer = options.json ? heads::to_json(*model.table, 1) + '\n' : to_text(*model.table);
    if (const auto failure = write_output("-", answer)) return complain(*failure), kFailed;
  }
  return course.problem().empty() ? kDone : kFailed;
}

int roles(const HeadsOptions& options) {
  auto file = read_file(options.file);
  if (file.index() == 1) return complain(std::get<1>(file)), kFailed;
  const std::string& bytes = std::get<0>(file);

  std::string companion;
  std::filesystem::path beside = options.companion;
  std::error_code error;
  if (options.companion.empty()) {
    beside = std::filesystem::path(options.file).replace_extension(".json");
    if (beside == std::filesystem::path(options.file) || !std::filesystem::is_regular_file(beside, error))
      beside.clear();
  }
  if (!beside.empty()) {
    auto read = read_file(beside.string());
    if (read.index() == 1) return complain(std::get<1>(read)), kFailed;
    companion = std::move(std::get<0>(read));
  }

  heads::Table table;
  auto model = heads::read_model(bytes);
  if (auto* it = std::get_if<heads::Model>(&model)) {
    table = heads::measure(*it, options.sentences, options.has_seed ? options.seed : heads::kMeasureSeed);
  } else {
    auto attention = heads::read_attention(bytes, companion);
    if (auto* weights = std::get_if<heads::Attention>(&attention)) {
      table = heads::measure(*weights);
    } else if (bytes.find("\"headscope\"") != bytes.npos) {  // it says that it is a model of ours
      return refuse(std::get<1>(model));
    } else {
      return refuse(std::get<1>(attention));
    }
  }
  const std::string answer = options.json ? heads::to_json(table, 1) + '\n' : to_text(table);
  if (const auto failure = write_output("-", answer)) return complain(*failure), kFailed;
  return kDone;
}

bool is_heads_command(std::span<const std::string_view> arguments) {
  return !arguments.empty() && (arguments[0] == "train" || arguments[0] == "roles");
}

int run_heads_command(std::span<const std::string_view> arguments) {
  const auto read = read_heads_arguments(arguments);
  if (const auto* problems = std::get_if<std::vector<attention::Problem>>(&read)) {
    for (const attention::Problem& problem : *problems) complain(attention::to_sentence(problem));
    complain(std::string(arguments[0]) + " --help names the options");
    return kMisused;
  }
  const HeadsOptions& options = std::get<HeadsOptions>(read);
  if (options.help) {
    if (const auto failure = write_output("-", heads_help_text(options.trains))) return complain(*failure), kFailed;
    return kDone;
  }
  return options.trains ? train(options) : roles(options);
}

}  // namespace cli
