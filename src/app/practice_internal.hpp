// What the files of practice share with each other and with the files that carry all pages.
#pragma once

#include "app/internal.hpp"
#include "app/linked.hpp"
#include "train/train.hpp"

#include <functional>
#include <span>
#include <utility>

namespace app {

// ------------------------------------------- actions (practice_update.cpp)

struct PracticeRefusal {
  const State& all;
  using Reason = std::optional<std::string>;
  Reason operator()(const OpenPractice& action) const;
  Reason operator()(const SetPractice& action) const;
  Reason operator()(const GiveAnswer& action) const;
  Reason operator()(const TryAgain& action) const;
  Reason operator()(const ShowHint& action) const;
  Reason operator()(const ShowSolution& action) const;
  Reason operator()(const GoToQuestion& action) const;
  Reason operator()(const NextQuestion& action) const;
  Reason operator()(const MoreQuestions& action) const;
  Reason operator()(const ShowOnCanvas& action) const;
};

/// A caller's duty: not refused.
struct PracticeCarry {
  State& all;
  void operator()(const OpenPractice& action) const;
  void operator()(const SetPractice& action) const;
  void operator()(const GiveAnswer& action) const;
  void operator()(const TryAgain& action) const;
  void operator()(const ShowHint& action) const;
  void operator()(const ShowSolution& action) const;
  void operator()(const GoToQuestion& action) const;
  void operator()(const NextQuestion& action) const;
  void operator()(const MoreQuestions& action) const;
  void operator()(const ShowOnCanvas& action) const;
};

/// How far the question at this place has come: nothing where another question has taken its place.
Progress progress_at(const State& state, int place);

// ------------------------------------------------ words (practice_words.cpp)

void write_verdict(PracticeView& view);                    // what is said of the answer
void write_frame(PracticeView& view, const State& state);  // counter, tags, sets, result line

// ------------------------------------------- as text (practice_text.cpp)

/// Absent: `verb` is none of practice's.
std::optional<std::variant<Action, attention::Problem>> read_practice_action(std::string_view verb,
                                                                             std::string_view rest);
inline constexpr std::string_view kPracticeVerbs =
    "practice:, practice-seed:, practice-count:, practice-hints:, answer:, question:, try-again, hint, solution, "
    "next-question, more-questions, show-on-canvas";

struct PracticeWriter {
  std::string operator()(const OpenPractice& action) const;
  std::string operator()(const SetPractice& action) const;
  std::string operator()(const GiveAnswer& action) const;
  std::string operator()(const TryAgain&) const { return "try-again"; }
  std::string operator()(const ShowHint&) const { return "hint"; }
  std::string operator()(const ShowSolution&) const { return "solution"; }
  std::string operator()(const GoToQuestion& action) const;
  std::string operator()(const NextQuestion&) const { return "next-question"; }
  std::string operator()(const MoreQuestions&) const { return "more-questions"; }
  std::string operator()(const ShowOnCanvas&) const { return "show-on-canvas"; }
};

// -------------------------------------------- in a link (practice_query.cpp)

std::vector<std::pair<std::string_view, std::string>> query_of(const Practice& practice);
class PracticeReader : Linked {
 public:
  using Linked::Linked;
  bool take(Practice& practice, std::string_view key, std::string_view value);  // false: not practice's
  void end(State& state);  // clamps what depends on the rest

 private:
  int question_ = 1;
};

// ---------------------------------------- described (practice_describe.cpp)

void describe_practice(Description& description, const State& state, const Derived& derived);

// ------------------------------------------------------------ which questions

/// The types of a set in its order, with the seed of each: (type id, seed). At most kMostQuestions.
struct Planned {
  std::string_view type;
  std::uint64_t seed = 0;
};
Planned planned_at(const Practice& practice, int place);
const QuestionType* find_question_type(std::string_view id);
/// What is wrong with a set's name, nothing when it can be asked.
std::optional<std::string> set_problem(std::string_view set);
std::string set_title(std::string_view set);  // plain

// ------------------------------------------------------- making one (all makers)

/// What makers choose by: the same numbers everywhere for one (type, seed).
class Dice {
 public:
  Dice(std::string_view type, std::uint64_t seed);
  int below(int n);                        // 0 … n - 1; n from 1
  int from(int least, int most);
  template <class T>
  const T& one_of(const std::vector<T>& list) { return list[static_cast<std::size_t>(below(static_cast<int>(list.size())))]; }
  template <class T>
  void shuffle(std::vector<T>& list) {
    for (int i = static_cast<int>(list.size()) - 1; i > 0; --i)
      std::swap(list[static_cast<std::size_t>(i)], list[static_cast<std::size_t>(below(i + 1))]);
  }

 private:
  train::Random random_;
};

using Maker = Question (*)(const State& state, Dice& dice);
/// Types by their makers' files; `question_types` joins them.
struct MadeType {
  QuestionType type;
  Maker make;
};
std::span<const MadeType> lesson_makers();   // q1 … q10 (practice_lesson*.cpp)
std::span<const MadeType> number_makers();   // project, score, scaled, mask, weight, head_output, concat, output, largest, no_W_O (practice_live*.cpp)
std::span<const MadeType> other_makers();    // shape, split, count, ffn, maps, role, prune (practice_facts*.cpp)

// ------------------------------------------------- for makers (practice_make.cpp)

/// `serves`: whether the learner's numbers can be asked about; else the shipped ones are taken.
Numbers numbers_for(const State& state, const std::function<bool(const Numbers&)>& serves);
/// A sentence for Question::given, "" while the numbers are the shipped ones: whose numbers these are.
std::string whose_numbers(const Numbers& numbers, const State& state);
double value_at(const Numbers& numbers, const Cell& cell);
/// The same cell when the engine runs on changed numbers, sizes as they are: what a slip would give.
double value_with(const Numbers& numbers, const Cell& cell, const std::function<void(Document&)>& change);
/// All numbers after such a change: another mask, no W^O.
Numbers changed(const Numbers& numbers, const std::function<void(Document&)>& change);
/// Fit to be worked out by hand: finite, magnitude below 10 000.
bool is_handy(double value);

/// Adds a slip unless its answer is the right one, one that is there already, or none (not finite). Numbers that a
/// learner has rounded have to be told apart, too, so two tolerances lie between them.
void add_slip(Question& question, Slip slip);
/// The walkthrough's own equation for this cell (explain, through strip_of), as the solution, and its sentence.
void solve_by_strip(Question& question, const Numbers& numbers, const Cell& cell);
/// Actions that open the walkthrough at this cell: page, step, focus dropped, pin (which selects the head).
std::vector<std::string> walk_to(const Cell& cell);
/// The step at which a tensor is present.
Step step_of(Tensor tensor);
/// A token as words under discussion: "<i>dogs</i>", escaped.
std::string token(const Numbers& numbers, int i);
/// "2.121", U+2212 for minus, no trailing zeros beyond what is needed: at most `decimals`.
std::string short_number(double value, int decimals = 3);
/// A number's text with fixed decimals: "0.804".
std::string fixed(double value, int decimals = 3);
Part words(std::string rich);          // a text part
Part equals();
Part fraction(std::string above, std::string below);
Part root(std::string above, std::string below);  // above / √below
Part blank();
Part chip(std::string rich);           // a factor without a cell: lit

}  // namespace app
