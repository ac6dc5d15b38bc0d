// Practice's actions as text, both ways.
#include "app/practice_internal.hpp"

namespace app {

std::optional<std::variant<Action, attention::Problem>> read_practice_action(std::string_view verb,
                                                                             std::string_view rest) {
  if (verb == "practice") return Action{OpenPractice{std::string(rest.substr(0, 500))}};
  if (verb == "practice-seed") return Action{SetPractice{"seed", quote(rest)}};
  if (verb == "practice-count") return Action{SetPractice{"count", quote(rest)}};
  if (verb == "practice-hints") return Action{SetPractice{"hints", quote(rest)}};
  if (verb == "answer") return Action{GiveAnswer{quote(rest, 100)}};
  if (verb == "question") {
    if (const auto number = read_count(rest); number && *number >= 1) return Action{GoToQuestion{*number - 1}};
    return not_read("question", rest, "a question's number from 1");
  }
  return std::nullopt;
}

std::string PracticeWriter::operator()(const OpenPractice& action) const { return "practice:" + action.set; }
std::string PracticeWriter::operator()(const SetPractice& action) const {
  return "practice-" + action.field + ":" + action.value;
}
std::string PracticeWriter::operator()(const GiveAnswer& action) const { return "answer:" + action.text; }
std::string PracticeWriter::operator()(const GoToQuestion& action) const {
  return "question:" + std::to_string(action.question + 1);
}

}  // namespace app
