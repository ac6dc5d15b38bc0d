// What practice adds to a link: the set, its seed and length, whether there are hints, where the learner is and how
// far.
#include "app/practice_internal.hpp"

#include <algorithm>

namespace app {
namespace {

/// "1s", "2shx" …: tries, then s solved, h for each hint, x the solution was seen; "" untouched.
std::string entry_of(const Progress& progress) {
  std::string text;
  if (progress.tries > 0) text += std::to_string(std::min(progress.tries, 99));
  if (progress.solved) text += 's';
  text.append(static_cast<std::size_t>(std::clamp(progress.hints, 0, 9)), 'h');
  if (progress.shown) text += 'x';
  return text;
}

std::optional<Progress> read_entry(std::string_view text) {
  Progress progress;
  std::size_t digits = 0;
  while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9') ++digits;
  if (digits > 2) return std::nullopt;
  if (digits > 0) progress.tries = *read_count(text.substr(0, digits));
  for (const char c : text.substr(digits)) {
    if (c == 's')
      progress.solved = true;
    else if (c == 'h' && progress.hints < 9)
      ++progress.hints;
    else if (c == 'x')
      progress.shown = true;
    else
      return std::nullopt;
  }
  if (progress.solved && progress.tries == 0) return std::nullopt;
  return progress;
}

}  // namespace

std::vector<std::pair<std::string_view, std::string>> query_of(const Practice& practice) {
  const Practice start;
  std::vector<std::pair<std::string_view, std::string>> out;
  if (practice == start) return out;
  out.emplace_back("practice", practice.set);
  if (practice.seed != start.seed) out.emplace_back("seed", std::to_string(practice.seed));
  if (practice.count != start.count) out.emplace_back("count", std::to_string(practice.count));
  if (!practice.hints) out.emplace_back("hints", "off");
  if (practice.at != start.at) out.emplace_back("question", std::to_string(practice.at + 1));
  std::string progress;
  for (std::size_t i = 0; i < practice.progress.size(); ++i)
    progress += (i > 0 ? "." : "") + entry_of(practice.progress[i]);
  while (progress.ends_with('.')) progress.pop_back();
  if (!progress.empty()) out.emplace_back("progress", progress);
  return out;
}

bool PracticeReader::take(Practice& practice, std::string_view key, std::string_view value) {
  if (key == "practice") {
    if (const auto problem = set_problem(value))
      say(key, value, *problem + " This opens the lesson’s.");
    else
      practice.set = value;
  } else if (key == "seed") {
    const auto seed = budget::read_whole(value);
    if (seed && *seed >= 0 && static_cast<std::uint64_t>(*seed) <= kLargestPracticeSeed)
      practice.seed = static_cast<std::uint64_t>(*seed);
    else
      say(key, value,
          "wanted a whole number from 0 to " + std::to_string(kLargestPracticeSeed) + ", so 1 takes its place.");
  } else if (key == "count") {
    const auto count = read_count(value);
    practice.count = std::clamp(count.value_or(0), 0, kMostQuestions);
    if (!count || *count < 1 || *count > kMostQuestions)
      say(key, value, "wanted 1 to " + std::to_string(kMostQuestions) + ".");
  } else if (key == "hints") {
    practice.hints = value != "off";
    if (value != "off" && value != "on") say(key, value, "wanted on or off.");
  } else if (key == "question") {
    const auto number = read_count(value);
    question_ = number.value_or(1);
    if (!number) say(key, value, "wanted a question's number from 1.");
  } else if (key == "progress") {
    for (const std::string_view entry : split(value, '.')) {
      if (practice.progress.size() == static_cast<std::size_t>(kMostQuestions)) break;
      const auto progress = read_entry(entry);
      if (!progress) say(key, entry, "not how far a question has come, such as 1s or 2h; it is left out.");
      practice.progress.push_back(progress.value_or(Progress{}));
    }
  } else {
    return false;
  }
  return true;
}

void PracticeReader::end(State& state) {
  Practice& practice = state.practice;
  const int count = question_count(practice);
  const int wanted = std::clamp(question_, 1, std::max(1, count));
  if (wanted != question_)
    say("question", std::to_string(question_),
        "there are " + std::to_string(count) + ", so this opens question " + std::to_string(wanted) + ".");
  practice.at = wanted - 1;
  if (static_cast<int>(practice.progress.size()) > count) practice.progress.resize(static_cast<std::size_t>(count));
}

}  // namespace app
