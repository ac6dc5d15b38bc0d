// Practice without a pixel: questions made from a seed and from the present numbers, known slips, hints, progress, and
// the words of the page. Part of app.hpp, which includes it.
//
// A question is a pure function of (set, seed, place, the state's numbers): it is never stored, only asked for again.
// Right answers and those that a slip gives are computed by the engine, never written down.
#pragma once

#include "app/held.hpp"
#include "app/part.hpp"
#include "attention/attention.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace app {

// --------------------------------------------------------------- questions

struct Numbers;  // what a chain shows (app.hpp)

enum class Asks : std::uint8_t { number, shape, choice, click };

/// What a learner may answer: a number, a shape, the index of a choice, or a cell of the picture.
using Answer = std::variant<double, attention::Shape, int, Cell>;

/// A wrong answer that is recognised.
struct Slip {
  std::string id;            // "no_scaling", "sqrt_d_model", "wrong_axis", …: stable
  Answer answer;             // what it gives here
  std::string heading;       // plain, goes on "Not yet: ": "the scale step is missing"
  std::string says;          // rich, one or two short sentences: "0.881 is what softmax gives for the raw scores 3 and 1. …"
  std::vector<Part> way;     // rebuilds the learner's number, ends in it: "e^3/(e^3 + e^1) = 20.09/22.80 = 0.881"
  std::string first_name;    // plain: "First scale"; "" when there is no such line
  std::vector<Part> first;   // the first step that differs, its result a blank: "3/√2 = [?]"
  std::optional<Tensor> differs_at;  // the matrix of the picture where the way leaves the right one
  std::string arc;           // plain, over that matrix: "your way skips this step", "your way does this differently"
};

struct Choice {
  std::string text;          // rich, short
  std::string why;           // rich: what is said when it is taken, right or not
};

/// What stands beside the question.
struct Picture {
  /// chain: up to three matrices of the walkthrough, each made from the one before. bars: lengths by name. scores: a
  /// table of numbers by head (pruning). map: a head's weights over a sentence. none: formula and reason only.
  enum class Kind : std::uint8_t { none, chain, bars, scores, map } kind = Kind::none;
  Held<Numbers> numbers;              // chain: whose
  std::vector<Tensor> chain;          // left to right; the last one holds the asked cell
  int head = -1;                      // chain: whose
  std::vector<Cell> operands;         // chain: lit
  bool hides_asked = true;            // see `is_hidden`; else all numbers are there
  struct Bar {
    std::string name, text;           // plain; "0.91", "604 M"
    double length = 0;                // relative to the largest; may be negative (scores)
    bool lit = false;
  };
  std::vector<Bar> bars;              // bars, scores
  std::optional<double> threshold;    // scores: where the line stands
  std::string title;                  // plain, over bars, scores, map
  int layer = 0;                      // map: of the shipped model, with `head`
  std::vector<std::string> tokens;    // map
  std::vector<float> weights;         // map: tokens x tokens, row by row
  std::string formula;                // rich; <k> lights the part that the question is about
  std::string why;                    // rich: a short paragraph
};

struct Question {
  std::string id;            // its type: "q1", "weight", …
  std::string tag;           // at most 10 characters, for the row of answers: "Softmax", "Q1"
  Asks asks = Asks::number;
  std::string title;         // rich, one line or two: "How much attention does <i>dogs</i> give to <i>dogs</i> in head 2?"
  std::string given;         // rich: what one needs to know; may be empty
  std::string rounding;      // plain: "Round to three decimals."; may be empty
  std::string label;         // rich, before the field: "<b>A</b>_{2}[dogs, dogs]"; may be empty
  Answer right;
  double tolerance = 0;      // number: |answer - right| at most this
  bool whole = false;        // number: a count; "604 million" and "604M" are read, too, and are near enough by their digits
  std::vector<Choice> choices;      // choice
  std::vector<Slip> slips;          // none of them equal to `right` or to each other (within the tolerance)
  std::vector<std::string> hints;   // rich, two or three, each says more; none gives the answer away
  std::vector<Part> solution;       // from explain or the counts: "… = [0.804]"
  std::string solution_says;        // rich: one or two sentences
  std::optional<Cell> cell;         // where it is in the walkthrough; of a click: what is to be clicked (= right)
  std::vector<std::string> show;    // actions that open the place where it can be seen, in order; may be empty
  std::string show_label;           // "Show me on the canvas", "Show me in the budget"
  Picture picture;
  std::string waiting;       // plain: why it can't be asked yet (the trained model isn't there); "" usually
};

/// Everything that can be asked. `lesson` types are the ten of the lesson, in order, and have no seed.
struct QuestionType {
  std::string_view id, tag, name;  // "weight", "Softmax", "a softmax weight"
  bool lesson = false;
};
const std::vector<QuestionType>& question_types();

struct State;
/// Type `id` (one of question_types, asserted) about the state's numbers. Where the learner's numbers don't serve (not
/// finite, too large to be typed, nothing to tell apart) it falls back to the shipped example and says so in `given`.
Question make_question(const State& state, std::string_view id, std::uint64_t seed);

// ------------------------------------------------------------------- state

/// How far one question has come.
struct Progress {
  int tries = 0;             // answers given
  int hints = 0;             // hints seen
  bool solved = false, shown = false;  // shown: the solution was looked at before it was solved
  std::string answer;        // the last one given, as typed; "" none, or "Try again"
  std::uint64_t of = 0;      // the question it belongs to (a hash): another question starts anew
  bool operator==(const Progress&) const = default;
};

struct Practice {
  std::string set = "lesson";        // "lesson", "mixed", or types "weight,score,q4"
  std::uint64_t seed = 1;
  int count = 0;                     // how many; 0: each once where the lesson asks, 8 of what is generated
  int at = 0;                        // which, from 0
  bool hints = true;                 // a teacher can hide them
  std::vector<Progress> progress;    // as many as there are questions, or fewer
  bool operator==(const Practice&) const = default;
};
inline constexpr int kMostQuestions = 100;
inline constexpr std::uint64_t kLargestPracticeSeed = 999999999;

// ------------------------------------------------------------------ actions

struct OpenPractice { std::string set; };          // starts it: progress is let go of
struct SetPractice { std::string field, value; };  // seed, count, hints ("on", "off"); seed and count start anew
struct GiveAnswer { std::string text; };           // refused when it can't be read, which costs no try
struct TryAgain {};                                // takes the answer away
struct ShowHint {};                                // the next one; refused without hints, and after the last
struct ShowSolution {};
struct GoToQuestion { int question; };
struct NextQuestion {};
struct MoreQuestions {};                           // the next seed; refused for the lesson's
struct ShowOnCanvas {};                            // opens the place where it can be seen

// ------------------------------------------------------------------ derived

struct PracticeView {
  bool there = false;                 // the page shows, and this is made
  Question question;
  int at = 0, count = 0;
  Progress progress;                  // of this question
  enum class Verdict : std::uint8_t { none, right, slip, wrong } verdict = Verdict::none;
  int slip = -1;                      // index into question.slips
  std::string heading;                // plain: "Not yet: the scale step is missing", "Right"
  std::string says;                   // rich, of a slip, a choice, a right answer or an unknown wrong one
  std::vector<std::string> hints;     // rich: those shown
  bool hint_left = false, solution_shown = false;
  struct Tag {
    std::string text;                 // "Scale"
    enum class Look : std::uint8_t { open, now, solved, missed, shown } look = Look::open;
    bool now = false;
  };
  std::vector<Tag> tags;              // of all questions
  std::string counter;                // plain: "Question 3 of 8"
  std::string foot;                   // plain: "Wrong answers cost nothing. You can try as often as you like."
  std::string result;                 // plain, one line to paste: "Practice mixed, seed 7: 6 of 8 solved, 4 at the first try, …"
  bool finished = false;              // every question solved or its solution seen
  std::vector<std::pair<std::string, std::string>> sets;  // action, name: for chips
  std::string set_name;               // "The lesson’s questions", "Mixed, without end"
  std::string spoken;                 // plain: question, given and feedback as one reads them aloud
};

PracticeView derive_practice(const State& state);

/// True for a number of the chain that isn't shown before the question is solved or its solution seen: those of the
/// matrices that are neither the first nor hold an operand. The asked row shows "?" there, the others a dashed frame.
bool is_hidden(const PracticeView& view, const Cell& cell);

/// The question at a place of the state's set.
Question question_at(const State& state, int place);
int question_count(const Practice& practice);
/// Reads what was typed for this kind of answer: "0.881", "2 x 6" (also "2×6", "2, 6", "(2, 6)", "2 by 6"), a choice
/// from 1 or its letter, a cell; or what was found and wanted.
std::variant<Answer, attention::Problem> read_answer(const Question& question, std::string_view text);
/// As typed: what read_answer reads back.
std::string answer_text(const Question& question, const Answer& answer);
/// Right within the tolerance.
bool is_right(const Question& question, const Answer& answer);
/// Same within the question's tolerance.
bool same_answer(const Question& question, const Answer& a, const Answer& b);
std::uint64_t hash_of(const Question& question);

}  // namespace app
