// What can be asked: all types in one list, sets of them, and which question stands at which place of a set.
#include "app/practice_internal.hpp"

#include <algorithm>

namespace app {
namespace {

constexpr int kGenerated = 8;  // questions of a set that isn't the lesson's, unless a number is wished

const std::vector<MadeType>& made_types() {
  static const std::vector<MadeType> all = [] {
    std::vector<MadeType> list;
    for (const auto makers : {lesson_makers(), number_makers(), other_makers()})
      list.insert(list.end(), makers.begin(), makers.end());
    return list;
  }();
  return all;
}

std::vector<std::string_view> ids(bool lesson) {
  std::vector<std::string_view> list;
  for (const MadeType& made : made_types())
    if (made.type.lesson == lesson) list.push_back(made.type.id);
  return list;
}

/// The types of a set in its order; of one that draws, all that it draws from.
std::vector<std::string_view> types_of(std::string_view set) {
  if (set == "lesson") return ids(true);
  if (set == "mixed") return ids(false);
  std::vector<std::string_view> list;
  for (const std::string_view id : split(set, ','))
    if (const QuestionType* type = find_question_type(id)) list.push_back(type->id);
  return list;
}

}  // namespace

const std::vector<QuestionType>& question_types() {
  static const std::vector<QuestionType> all = [] {
    std::vector<QuestionType> list;
    for (const MadeType& made : made_types()) list.push_back(made.type);
    return list;
  }();
  return all;
}

const QuestionType* find_question_type(std::string_view id) {
  for (const QuestionType& type : question_types())
    if (type.id == id) return &type;
  return nullptr;
}

std::optional<std::string> set_problem(std::string_view set) {
  if (set == "lesson" || set == "mixed") return std::nullopt;
  std::string list = "lesson, mixed";
  for (const QuestionType& type : question_types()) list += ", " + std::string(type.id);
  if (set.size() > 400) return "That set of questions is too long: wanted " + list + ".";
  for (const std::string_view id : split(set, ','))
    if (id.empty())
      return "A name is missing in that set of questions: wanted " + list + ".";
    else if (!find_question_type(id))
      return "There are no questions called " + not_read("", id, "").found + ": wanted " + list + ".";
  return std::nullopt;
}

std::string set_title(std::string_view set) {
  if (set == "lesson") return "The lesson’s questions";
  if (set == "mixed") return "Mixed, without end";
  const auto types = types_of(set);
  if (types.size() == 1) return capitalise(std::string(find_question_type(types[0])->name));
  return "A chosen set";
}

int question_count(const Practice& practice) {
  if (practice.count > 0) return std::min(practice.count, kMostQuestions);
  const auto types = types_of(practice.set);
  // What the lesson asks is the same each time: once is enough.
  const bool fixed = std::any_of(types.begin(), types.end(), [](auto id) { return find_question_type(id)->lesson; });
  return fixed ? std::min(static_cast<int>(types.size()), kMostQuestions) : kGenerated;
}

Planned planned_at(const Practice& practice, int place) {
  const auto types = types_of(practice.set);
  if (types.empty()) return {};
  const auto count = static_cast<int>(types.size());
  const bool in_order = practice.set != "mixed";
  // Mixed: all types once in an order of the seed's own, then all again in another.
  std::vector<std::string_view> order = types;
  const int round = place / count;
  if (!in_order) Dice("order", practice.seed * 1000 + static_cast<std::uint64_t>(round)).shuffle(order);
  return {at(order, place % count), practice.seed * 1000 + static_cast<std::uint64_t>(place)};
}

Question make_question(const State& state, std::string_view id, std::uint64_t seed) {
  for (const MadeType& made : made_types()) {
    if (made.type.id != id) continue;
    Dice dice(id, made.type.lesson ? 0 : seed);
    Question question = made.make(state, dice);
    question.id = id;
    question.tag = made.type.tag;
    return question;
  }
  return {};
}

Question question_at(const State& state, int place) {
  const Planned planned = planned_at(state.practice, place);
  return make_question(state, planned.type, planned.seed);
}

}  // namespace app
