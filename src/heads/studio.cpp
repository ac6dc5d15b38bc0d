// Commands in, work in slices, reports out.
#include "heads/studio.hpp"

#include "io/json_reader.hpp"

#include <utility>

namespace heads {
namespace {

struct Command {
  std::string verb;
  std::uint64_t run = 0;
  std::optional<Plan> plan;
};

std::variant<Command, std::vector<Problem>> read_command(std::string_view text) {
  using Kind = io::JsonReader::Kind;
  Command command;
  std::vector<Problem> problems;
  io::JsonReader json(text);
  if (json.kind() != Kind::object) return std::vector<Problem>{{"command", "no JSON object", R"({"do": …})"}};
  json.begin();
  for (std::string key; json.next_key(key);) {
    if (key == "do") {
      command.verb = json.string();
    } else if (key == "run") {
      const std::string_view digits = json.number();
      for (const char digit : digits) {
        if (digit < '0' || digit > '9' || digits.size() > 18) {
          problems.push_back({"run", std::string(digits), "a whole number from 0"});
          break;
        }
        command.run = command.run * 10 + static_cast<std::uint64_t>(digit - '0');
      }
    } else if (key == "plan") {
      const std::size_t begin = json.at();
      json.skip();
      auto plan = read_plan(text.substr(begin, json.at() - begin));
      if (auto* bad = std::get_if<std::vector<Problem>>(&plan))
        problems.insert(problems.end(), bad->begin(), bad->end());
      else
        command.plan = std::move(std::get<Plan>(plan));
    } else {
      problems.push_back({"command", '"' + key + '"', R"("do", "run" or "plan")"});
      json.skip();
    }
  }
  json.end();
  if (json.problem()) return std::vector<Problem>{*json.problem()};
  if (!problems.empty()) return problems;
  return command;
}

}  // namespace

std::vector<Problem> Studio::command(std::string_view json) {
  auto read = read_command(json);
  if (auto* problems = std::get_if<std::vector<Problem>>(&read)) return std::move(*problems);
  const Command& command = std::get<Command>(read);

  if (command.verb == "start") {
    if (!command.plan) return {{"plan", "nothing", "the plan of the run"}};
    if (auto problems = validate(*command.plan); !problems.empty()) return problems;
    course_.emplace(*command.plan);
    run_ = command.run;
    running_ = exam_due_ = true;
    one_more_ = false;
    news_.reset();
    return {};
  }
  if (command.verb == "rewind") {
    course_.reset();
    running_ = one_more_ = exam_due_ = false;
    news_.reset();
    return {};
  }
  const bool goes_on = command.verb == "run" || command.verb == "step";
  if (!goes_on && command.verb != "pause")
    return {{"do", '"' + command.verb + '"', "start, run, step, pause or rewind"}};
  if (!course_) return {{"do", command.verb + " before any start", "start first"}};
  if (goes_on && !can_go_on()) return {{"do", command.verb + " after the last step", "rewind or start"}};
  const bool was_running = std::exchange(running_, command.verb == "run");
  one_more_ = command.verb == "step";
  if (command.verb == "pause") exam_due_ = was_running;
  if (!news_) news_.emplace();
  return {};
}

void Studio::work() {
  if (!is_busy()) return;
  if (!news_) news_.emplace();
  if (exam_due_) {
    exam_due_ = false;
    news_->exam = course_->examine(news_->clicks);
    news_->model = course_->model();
    news_->model->table = news_->exam->table;
    if (!can_go_on()) running_ = false;
    return;
  }
  if (!can_go_on()) {
    running_ = one_more_ = false;
    return;
  }
  news_->points.push_back(course_->advance());
  if (!course_->problem().empty()) news_->points.pop_back();  // the step that was not taken
  exam_due_ = !can_go_on() || one_more_ || course_->step() % kExamEvery == 0;
  one_more_ = false;
}

std::optional<Report> Studio::take_report() {
  if (!news_) return std::nullopt;
  Report report = std::move(*news_);
  news_.reset();
  report.run = run_;
  report.running = running_;
  report.finished = course_ && course_->finished();
  report.step = course_ ? course_->step() : 0;
  if (course_) report.problem = course_->problem();
  return report;
}

}  // namespace heads
