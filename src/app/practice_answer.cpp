// Answers: read as people type them, compared within the tolerance.
#include "app/practice_internal.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace app {
namespace {

using attention::Problem;
using Read = std::variant<Answer, Problem>;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Text with one kind of sign for each: x for ×, - for −, no thin or no-break spaces.
std::string plain_signs(std::string_view text) {
  std::string out(text);
  for (const auto& [from, to] : {std::pair<std::string_view, std::string_view>{"×", "x"},
                                 {"·", "x"},
                                 {"−", "-"},
                                 {"\u2009", " "},
                                 {"\u00a0", " "},
                                 {"\u202f", " "}})
    for (std::size_t place; (place = out.find(from)) != std::string::npos;) out.replace(place, from.size(), to);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return std::string(trim(out));
}

std::optional<attention::Shape> read_shape(std::string_view text) {
  std::string out = plain_signs(text);
  std::erase_if(out, [](char c) { return c == '(' || c == ')' || c == '[' || c == ']'; });
  for (std::size_t place; (place = out.find("by")) != std::string::npos;) out.replace(place, 2, "x");
  std::vector<int> sizes;
  for (std::size_t i = 0; i < out.size();) {
    if (is_digit(out[i])) {
      std::size_t end = i;
      while (end < out.size() && is_digit(out[end])) ++end;
      const auto count = read_count(std::string_view(out).substr(i, end - i));
      if (!count) return std::nullopt;
      sizes.push_back(*count);
      i = end;
    } else if (out[i] == 'x' || out[i] == ',' || out[i] == '*' || out[i] == ' ' || out[i] == ';') {
      ++i;
    } else {
      return std::nullopt;
    }
  }
  if (sizes.size() != 2 || sizes[0] == 0 || sizes[1] == 0) return std::nullopt;
  return attention::Shape{sizes[0], sizes[1]};
}

/// "603,979,776", "604 million", "0.604 B": digits in groups of three, or a number with a word for its thousands.
struct Amount {
  double value = 0;
  bool rounded = false;  // said in thousands, millions …
};
std::optional<Amount> read_amount(std::string_view text) {
  std::string out = plain_signs(text);
  double unit = 1;
  constexpr std::pair<std::string_view, double> kUnits[] = {
      {"thousand", 1e3}, {"million", 1e6}, {"billion", 1e9}, {"trillion", 1e12}, {"mio", 1e6}, {"bn", 1e9},
      {"k", 1e3},        {"m", 1e6},       {"b", 1e9},       {"g", 1e9},         {"t", 1e12}};
  for (const auto& [word, size] : kUnits)
    if (out.size() > word.size() && out.ends_with(word)) {
      out = std::string(trim(std::string_view(out).substr(0, out.size() - word.size())));
      unit = size;
      break;
    }
  if (const auto whole = budget::read_whole(out)) return Amount{static_cast<double>(*whole) * unit, unit > 1};
  auto read = read_unlimited(out);
  const double* value = std::get_if<double>(&read);
  if (!value || !std::isfinite(*value)) return std::nullopt;
  return Amount{*value * unit, unit > 1 || out.find('e') != std::string::npos};
}

// Examples in a refusal are never a question's answer: it would be given away for nothing.

/// "604 million" is 603,979,776 to the digits that one would say: the known answer that is nearest, within 0.2 %.
double snapped(const Question& question, double said) {
  constexpr double kNear = 0.002;
  std::vector<double> known{std::get<double>(question.right)};
  for (const Slip& slip : question.slips) known.push_back(std::get<double>(slip.answer));
  double best = said, distance = kNear * std::abs(said);
  for (const double value : known)
    if (std::abs(value - said) <= distance) best = value, distance = std::abs(value - said);
  return best;
}

Read read_choice(const Question& question, std::string_view text) {
  const auto count = static_cast<int>(question.choices.size());
  const std::string out = plain_signs(text);
  std::optional<int> number = read_count(out);
  if (out.size() == 1 && out[0] >= 'a' && out[0] <= 'z') number = out[0] - 'a' + 1;
  if (number && *number >= 1 && *number <= count) return Answer{*number - 1};
  return not_read("answer", text, "1 to " + std::to_string(count));
}

Read read_click(const Question& question, std::string_view text) {
  const auto cell = read_cell(trim(text));
  if (cell && std::holds_alternative<Cell>(question.right)) {
    const Cell& right = std::get<Cell>(question.right);
    if (cell->tensor == right.tensor && cell->row >= 0 && cell->col >= 0) return Answer{*cell};
    return Problem{"answer", to_text(*cell), "a number of " + to_plain(symbol_of(right.tensor, right.head))};
  }
  return not_read("answer", text, "a number's place, such as Q.1.1.2");
}

}  // namespace

std::variant<Answer, Problem> read_answer(const Question& question, std::string_view text) {
  if (text.size() > 100) return not_read("answer", text, "something shorter");
  switch (question.asks) {
    case Asks::shape:
      if (const auto shape = read_shape(text)) return Answer{*shape};
      return not_read("answer", text, "rows × columns, such as 2 × 6");
    case Asks::choice: return read_choice(question, text);
    case Asks::click: return read_click(question, text);
    case Asks::number: break;
  }
  if (question.whole) {
    if (const auto amount = read_amount(text))
      return Answer{amount->rounded ? snapped(question, amount->value) : amount->value};
    return not_read("answer", text, "a number, such as 1234567 or 1.23 million");
  }
  const std::string out = plain_signs(text);
  if (out.ends_with('%')) {
    auto read = read_unlimited(trim(std::string_view(out).substr(0, out.size() - 1)));
    if (const double* share = std::get_if<double>(&read); share && std::isfinite(*share)) return Answer{*share / 100};
  }
  if (const std::size_t slash = out.find('/'); slash != std::string::npos) {  // "9/16"
    auto above = read_unlimited(trim(std::string_view(out).substr(0, slash))),
         below = read_unlimited(trim(std::string_view(out).substr(slash + 1)));
    const double *a = std::get_if<double>(&above), *b = std::get_if<double>(&below);
    if (a && b && *b != 0 && std::isfinite(*a / *b)) return Answer{*a / *b};
    return not_read("answer", text, "a number such as 0.9 or 9/10");
  }
  auto read = read_unlimited(text);
  if (const Problem* bad = std::get_if<Problem>(&read)) return Problem{"answer", bad->found, bad->wanted};
  const double value = std::get<double>(read);
  if (!std::isfinite(value)) return not_read("answer", text, "a number");
  return Answer{value};
}

std::string answer_text(const Question& question, const Answer& answer) {
  if (const auto* shape = std::get_if<attention::Shape>(&answer))
    return std::to_string(shape->rows) + " × " + std::to_string(shape->cols);
  if (const auto* choice = std::get_if<int>(&answer)) return std::to_string(*choice + 1);
  if (const auto* cell = std::get_if<Cell>(&answer)) return to_text(*cell);
  return question.whole ? to_text(std::round(std::get<double>(answer))) : to_text(std::get<double>(answer));
}

bool same_answer(const Question& question, const Answer& a, const Answer& b) {
  if (a.index() != b.index()) return false;
  const double *x = std::get_if<double>(&a), *y = std::get_if<double>(&b);
  if (!x) return a == b;
  return std::abs(*x - *y) <= question.tolerance;
}

bool is_right(const Question& question, const Answer& answer) { return same_answer(question, answer, question.right); }

std::uint64_t hash_of(const Question& question) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const std::string& text : {question.id, question.title, question.given, answer_text(question, question.right)})
    for (const char c : text + '\n') hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash == 0 ? 1 : hash;  // 0 is "not known yet"
}

}  // namespace app
