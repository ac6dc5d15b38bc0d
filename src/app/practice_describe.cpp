// Practice without a pixel: the question, what was said of the answer, and everything that can be pressed or typed.
#include "app/gallery_internal.hpp"
#include "app/practice_internal.hpp"

namespace app {
namespace {

std::string plain(const std::vector<Part>& parts) {
  std::string text;
  for (const Part& part : parts) {
    if (part.kind == Part::Kind::line_break_hint) continue;
    std::string piece = to_plain(part.text);
    if (part.kind == Part::Kind::fraction) piece = "(" + piece + ") / (" + to_plain(part.below) + ")";
    if (part.kind == Part::Kind::root_fraction) piece += " / √" + to_plain(part.below);
    text += (text.empty() ? "" : " ") + piece;
  }
  return text;
}

DescribedCell words_cell(std::string text) {
  DescribedCell cell;
  cell.value = text;
  cell.text = std::move(text);
  return cell;
}

DescribedTable list(std::string id, std::string caption, std::vector<std::string> cols) {
  DescribedTable table;
  table.id = std::move(id), table.caption = std::move(caption), table.cols = std::move(cols);
  table.pin = "", table.stage = "present";
  return table;
}

/// The matrices of the picture: what is asked is not given away.
void add_picture(Description& description, const PracticeView& view) {
  const Picture& picture = view.question.picture;
  if (picture.kind == Picture::Kind::bars || picture.kind == Picture::Kind::scores) {
    DescribedTable table = list("picture", picture.title, {"number"});
    for (const Picture::Bar& bar : picture.bars) {
      table.rows.push_back(bar.name);
      table.cells.push_back({words_cell(bar.text)});
    }
    description.tables.push_back(std::move(table));
  }
  if (picture.kind == Picture::Kind::map) {
    DescribedTable table = list("picture", picture.title + ": rows ask, columns are looked at", picture.tokens);
    const std::size_t n = picture.tokens.size();
    for (std::size_t row = 0; row < n; ++row) {
      table.rows.push_back(picture.tokens[row]);
      auto& cells = table.cells.emplace_back();
      for (std::size_t col = 0; col < n; ++col)
        cells.push_back(words_cell(format_number(static_cast<double>(picture.weights[row * n + col]), 2)));
    }
    description.tables.push_back(std::move(table));
  }
  if (picture.kind != Picture::Kind::chain || !picture.numbers) return;
  const Derived& derived = picture.numbers->derived;
  const State& numbers = picture.numbers->state;
  for (const Tensor tensor : picture.chain) {
    const int head = attention::is_per_head(tensor) ? picture.head : -1;
    const attention::Shape shape = attention::shape_of(numbers.document.config, tensor);
    DescribedTable table = list(std::string(attention::name_of(tensor)), to_plain(symbol_of(tensor, head)),
                                col_names(numbers.document, tensor));
    table.rows = row_names(numbers.document, tensor);
    for (int row = 0; row < shape.rows; ++row) {
      auto& cells = table.cells.emplace_back();
      for (int col = 0; col < shape.cols; ++col) {
        const Cell cell{tensor, head, row, col};
        const bool hidden = is_hidden(view, cell);
        DescribedCell described;
        described.cell = to_text(cell);
        described.text = hidden ? "?" : text_of(numbers, derived, cell);
        described.value = hidden ? "?" : to_text(value_of(numbers, derived, cell));
        cells.push_back(std::move(described));
      }
    }
    description.tables.push_back(std::move(table));
  }
}

/// What a pointer can click: each number of the asked matrix.
void add_cells(Description& description, const State& state, const Question& question, const Cell& asked) {
  const Document& document = question.picture.numbers->state.document;
  const auto rows = row_names(document, asked.tensor), cols = col_names(document, asked.tensor);
  for (int row = 0; row < static_cast<int>(rows.size()); ++row)
    for (int col = 0; col < static_cast<int>(cols.size()); ++col) {
      const Cell cell{asked.tensor, asked.head, row, col};
      add_control(description, state, "answers", GiveAnswer{to_text(cell)}, at(rows, row) + ", " + at(cols, col));
    }
}

}  // namespace

void describe_practice(Description& description, const State& state, const Derived& derived) {
  const PracticeView& view = derived.practice;
  const Question& question = view.question;
  description.title = "Practice: " + view.set_name;
  description.subtitle = view.foot;
  description.sentence = view.spoken;
  description.look_for = view.hints.empty() ? "" : to_plain(view.hints.back());
  auto& notes = description.notes;
  for (std::size_t i = 0; i < view.hints.size(); ++i)
    notes.push_back("Hint " + std::to_string(i + 1) + ": " + to_plain(view.hints[i]));
  if (view.slip >= 0) {
    const Slip& slip = at(question.slips, view.slip);
    if (!slip.way.empty()) notes.push_back("Your way: " + plain(slip.way));
    if (!slip.first.empty()) notes.push_back(slip.first_name + ": " + plain(slip.first));
  }
  if (view.solution_shown && view.question.waiting.empty()) {
    notes.push_back("Solution: " + plain(question.solution));
    if (!question.solution_says.empty()) notes.push_back(to_plain(question.solution_says));
  }
  if (!question.picture.formula.empty()) notes.push_back("Formula: " + to_plain(question.picture.formula));
  if (!question.picture.why.empty()) notes.push_back(to_plain(question.picture.why));
  description.paste = view.result;
  add_picture(description, view);

  const auto add = [&](std::string group, const Action& action, std::string label,
                       std::optional<bool> pressed = std::nullopt) {
    add_control(description, state, std::move(group), action, std::move(label), pressed);
  };
  if (question.asks == Asks::choice)
    for (std::size_t i = 0; i < question.choices.size(); ++i)
      add("answers", GiveAnswer{std::to_string(i + 1)}, to_plain(question.choices[i].text),
          view.progress.answer == std::to_string(i + 1));
  if (const Cell* asked = std::get_if<Cell>(&question.right); asked && question.picture.numbers)
    add_cells(description, state, question, *asked);
  add("help", ShowHint{}, "Hint");
  add("help", TryAgain{}, "Try again");
  add("help", ShowSolution{}, "See the solution");
  if (!question.show.empty()) add("help", ShowOnCanvas{}, question.show_label);
  add("questions", NextQuestion{}, "Next question");
  add("questions", MoreQuestions{}, "More questions");
  constexpr std::string_view kLooks[] = {"open", "now", "solved", "not yet", "solution seen"};
  for (std::size_t i = 0; i < view.tags.size(); ++i)
    add("questions", GoToQuestion{static_cast<int>(i)},
        "Question " + std::to_string(i + 1) + ": " + view.tags[i].text + ", " +
            std::string(kLooks[static_cast<std::size_t>(view.tags[i].look)]),
        view.tags[i].now);
  for (const auto& [action, name] : view.sets) {
    const auto read = read_action(action);
    if (const auto* known = std::get_if<Action>(&read))
      add("sets", *known, name, action == to_text(Action{OpenPractice{state.practice.set}}));
  }
  add("sets", SetPractice{"hints", state.practice.hints ? "off" : "on"}, "Hints", state.practice.hints);
  if (question.waiting.empty() && question.asks != Asks::choice && question.asks != Asks::click)
    description.fields.push_back({.action = "answer:",
                                  .label = question.label.empty() ? "Your answer" : to_plain(question.label),
                                  .value = view.progress.answer});
  description.fields.push_back(
      {.action = "practice-seed:", .label = "Seed", .value = std::to_string(state.practice.seed)});
  description.fields.push_back(
      {.action = "practice-count:", .label = "Number of questions", .value = std::to_string(view.count)});
}

}  // namespace app
