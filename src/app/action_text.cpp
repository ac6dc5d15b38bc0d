// Actions and cells as text, both ways: what buttons, the page's messages and links say.
#include "app/budget_internal.hpp"
#include "app/gallery_internal.hpp"
#include "app/practice_internal.hpp"

#include <array>
#include <utility>

namespace app {
namespace {

using attention::Problem;
using Read = std::variant<Action, Problem>;

constexpr std::string_view kWanted =
    "next, previous, again, play, pause, undo, redo, reset, step:, head:, pin:, hover:, focus:, set:, may:, causal:, "
    "theme:, motion:, system:, notice:";

Problem unknown_action(std::string_view text) {
  return not_read("action", text,
                  std::string(kWanted) + ", " + std::string(kGalleryVerbs) + ", " + std::string(kBudgetVerbs) + ", " +
                      std::string(kPracticeVerbs));
}

constexpr std::array<std::pair<std::string_view, Theme>, 4> kThemes = {
    {{"automatic", Theme::automatic}, {"light", Theme::light}, {"dark", Theme::dark}, {"auto", Theme::automatic}}};
constexpr std::array<std::pair<std::string_view, Motion>, 4> kMotions = {{{"automatic", Motion::automatic},
                                                                          {"full", Motion::full},
                                                                          {"reduced", Motion::reduced},
                                                                          {"auto", Motion::automatic}}};

template <class Value, std::size_t count>
std::optional<Value> find(const std::array<std::pair<std::string_view, Value>, count>& list, std::string_view name) {
  for (const auto& [key, value] : list)
    if (key == name) return value;
  return std::nullopt;
}

template <class Value, std::size_t count>
std::string_view find(const std::array<std::pair<std::string_view, Value>, count>& list, Value value) {
  for (const auto& entry : list)
    if (entry.second == value) return entry.first;
  return {};
}

// ------------------------------------------------- one reader for each "verb:"

Read read_step(std::string_view text) {
  if (const auto step = find_step(text)) return Action{GoToStep{*step}};
  if (const auto number = read_count(text); number && *number >= 1 && *number <= kStepCount)
    return Action{GoToStep{static_cast<Step>(*number - 1)}};
  return not_read("step", text, step_list() + ", or 1 to " + std::to_string(kStepCount));
}

Read read_head(std::string_view text) {
  if (const auto number = read_count(text); number && *number >= 1) return Action{SelectHead{*number - 1}};
  return not_read("head", text, "a whole number from 1");
}

template <class Chosen>
Read read_choice(std::string_view field, std::string_view text) {
  if (text.empty()) return Action{Chosen{std::nullopt}};
  if (const auto cell = read_cell(text)) return Action{Chosen{cell}};
  return not_read(field, text, "a number's place such as X.1.3 or pattern.1.2.1");
}

Read read_set(std::string_view text) {
  const std::size_t equals = text.find('=');
  const auto cell = read_cell(text.substr(0, equals));
  if (!cell || equals == std::string_view::npos)
    return not_read("set", text, "a place and a number, such as X.1.3=0.5");
  auto number = read_number(text.substr(equals + 1));
  if (Problem* bad = std::get_if<Problem>(&number)) return Problem{to_text(*cell), bad->found, bad->wanted};
  return Action{SetCell{*cell, *std::get_if<double>(&number)}};
}

Read read_may(std::string_view text) {
  if (const auto pair = read_pair(text)) return Action{ToggleMay{pair->first, pair->second}};
  return not_read("may", text, "query.key, such as 1.2");
}

Read read_on_off(std::string_view text) {
  if (text == "on" || text == "off") return Action{SetCausal{text == "on"}};
  return not_read("causal", text, "on or off");
}

Read read_theme(std::string_view text) {
  if (const auto theme = find_theme(text)) return Action{SetTheme{*theme}};
  return not_read("theme", text, "automatic, light or dark");
}

Read read_motion(std::string_view text) {
  if (const auto motion = find_motion(text)) return Action{SetMotion{*motion}};
  return not_read("motion", text, "automatic, full or reduced");
}

Read read_system(std::string_view text) {
  if (text == "reduced" || text == "full") return Action{SetSystemMotion{text == "reduced"}};
  return not_read("system", text, "reduced or full");
}

Read read_notice(std::string_view text) { return Action{SetNotice{quote(text, 1000)}}; }

struct Writer : GalleryWriter, BudgetWriter, PracticeWriter {
  using GalleryWriter::operator();
  using BudgetWriter::operator();
  using PracticeWriter::operator();
  std::string operator()(const GoToStep& action) const { return "step:" + std::string(slug_of(action.step)); }
  std::string operator()(const NextStep&) const { return "next"; }
  std::string operator()(const PreviousStep&) const { return "previous"; }
  std::string operator()(const StartAgain&) const { return "again"; }
  std::string operator()(const SetPlaying& action) const { return action.on ? "play" : "pause"; }
  std::string operator()(const SelectHead& action) const { return "head:" + std::to_string(action.head + 1); }
  std::string operator()(const Pin& action) const { return "pin:" + optional(action.cell); }
  std::string operator()(const Hover& action) const { return "hover:" + optional(action.cell); }
  std::string operator()(const FocusCell& action) const { return "focus:" + optional(action.cell); }
  std::string operator()(const SetCell& action) const {
    return "set:" + to_text(action.cell) + "=" + to_text(action.value);
  }
  std::string operator()(const ToggleMay& action) const {
    return "may:" + std::to_string(action.query + 1) + "." + std::to_string(action.key + 1);
  }
  std::string operator()(const SetCausal& action) const { return action.on ? "causal:on" : "causal:off"; }
  std::string operator()(const Undo&) const { return "undo"; }
  std::string operator()(const Redo&) const { return "redo"; }
  std::string operator()(const Reset&) const { return "reset"; }
  std::string operator()(const SetTheme& action) const { return "theme:" + std::string(name_of(action.theme)); }
  std::string operator()(const SetMotion& action) const { return "motion:" + std::string(name_of(action.motion)); }
  std::string operator()(const SetNotice& action) const { return "notice:" + action.text; }
  std::string operator()(const SetSystemMotion& action) const {
    return action.reduced ? "system:reduced" : "system:full";
  }

 private:
  static std::string optional(const std::optional<Cell>& cell) { return cell ? to_text(*cell) : ""; }
};

}  // namespace

std::optional<Theme> find_theme(std::string_view name) { return find(kThemes, name); }
std::optional<Motion> find_motion(std::string_view name) { return find(kMotions, name); }
std::string_view name_of(Theme theme) { return find(kThemes, theme); }
std::string_view name_of(Motion motion) { return find(kMotions, motion); }

std::string to_text(const Action& action) { return std::visit(Writer{}, action); }

std::variant<Action, Problem> read_action(std::string_view text) {
  static const std::array<std::pair<std::string_view, Action>, 14> plain = {{{"next", NextStep{}},
                                                                             {"previous", PreviousStep{}},
                                                                             {"again", StartAgain{}},
                                                                             {"play", SetPlaying{true}},
                                                                             {"pause", SetPlaying{false}},
                                                                             {"undo", Undo{}},
                                                                             {"redo", Redo{}},
                                                                             {"reset", Reset{}},
                                                                             {"try-again", TryAgain{}},
                                                                             {"hint", ShowHint{}},
                                                                             {"solution", ShowSolution{}},
                                                                             {"next-question", NextQuestion{}},
                                                                             {"more-questions", MoreQuestions{}},
                                                                             {"show-on-canvas", ShowOnCanvas{}}}};
  if (const auto action = find(plain, text)) return *action;

  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return unknown_action(text);
  const std::string_view verb = text.substr(0, colon), rest = text.substr(colon + 1);
  if (verb == "step") return read_step(rest);
  if (verb == "head") return read_head(rest);
  if (verb == "pin") return read_choice<Pin>("pin", rest);
  if (verb == "hover") return read_choice<Hover>("hover", rest);
  if (verb == "focus") return read_choice<FocusCell>("focus", rest);
  if (verb == "set") return read_set(rest);
  if (verb == "may") return read_may(rest);
  if (verb == "causal") return read_on_off(rest);
  if (verb == "theme") return read_theme(rest);
  if (verb == "motion") return read_motion(rest);
  if (verb == "system") return read_system(rest);
  if (verb == "notice") return read_notice(rest);
  if (auto read = read_gallery_action(verb, rest)) return *std::move(read);
  if (auto read = read_budget_action(verb, rest)) return *std::move(read);
  if (auto read = read_practice_action(verb, rest)) return *std::move(read);
  return unknown_action(text);
}

// -------------------------------------------------------------------- cells

std::string to_text(const Cell& cell) {
  std::string text(attention::name_of(cell.tensor));
  if (attention::is_per_head(cell.tensor)) text += "." + std::to_string(cell.head + 1);
  return text + "." + std::to_string(cell.row + 1) + "." + std::to_string(cell.col + 1);
}

std::optional<Cell> read_cell(std::string_view text) {
  const auto parts = split(text.substr(0, 64), '.');
  const auto tensor = attention::find_tensor(parts[0]);
  if (!tensor || text.size() > 64) return std::nullopt;
  const std::size_t count = attention::is_per_head(*tensor) ? 3 : 2;
  if (parts.size() != count + 1) return std::nullopt;
  std::array<int, 3> index = {0, 0, 0};  // head, row, column; head stays -1 below
  for (std::size_t i = 0; i < count; ++i) {
    const auto number = read_count(parts[i + 1]);
    if (!number || *number < 1) return std::nullopt;
    index[3 - count + i] = *number;
  }
  return Cell{*tensor, index[0] - 1, index[1] - 1, index[2] - 1};
}

}  // namespace app
