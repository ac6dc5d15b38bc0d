// What the program is at any moment, how it changes, and how it is described,
// without a pixel: State, Action, update, derive, the URL codec and describe.
//
// Indices are 0-based inside, 1-based in URLs and in everything that people read.
#pragma once

#include "app/budget.hpp"
#include "app/gallery.hpp"
#include "app/part.hpp"
#include "app/practice.hpp"
#include "attention/attention.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace app {

using attention::Cell;
using attention::Tensor;

// ------------------------------------------------------------------- state

enum class Page : std::uint8_t { walkthrough, gallery, budget, practice };
inline constexpr int kPages = 4;

enum class Step : std::uint8_t { input, project, score, scale, mask, softmax, weigh, concat, output };
inline constexpr int kStepCount = 9;

enum class Theme : std::uint8_t { automatic, light, dark };  // automatic: what the page or system says
enum class Motion : std::uint8_t { automatic, full, reduced };

/// The numbers a learner can change. Compared with the shipped example to find the edited ones.
struct Document {
  std::vector<std::string> tokens;    // n: text, never markup
  std::vector<std::string> features;  // d_model: names of X's columns
  std::vector<std::string> head_names;  // h: "syntax", "semantics", "position"
  attention::Config config;
  attention::Input<double> input;
  attention::Weights<double> weights;
};
bool operator==(const Document& a, const Document& b);  // bit for bit

/// The worked example that ships: two tokens, three heads.
const Document& example();

struct State {
  Page page = Page::walkthrough;
  Step step = Step::input;
  int head = 0;                  // the head that the phone shows and that the strip explains when nothing is pinned
  std::optional<Cell> pinned;    // clicked: stays in the strip
  std::optional<Cell> hovered;   // under the pointer
  std::optional<Cell> focused;   // has the keyboard's ring
  Theme theme = Theme::automatic;
  Motion motion = Motion::automatic;
  bool playing = false;
  Document document = example();
  std::vector<Document> past, future;  // undo and redo, oldest first; at most kHistory
  Gallery gallery;
  Budget budget;
  Practice practice;
  std::string notice;                  // plain: something the learner has to know, empty when nothing
  bool system_reduces_motion = false;  // what the system says (prefers-reduced-motion); not part of a link
  bool operator==(const State&) const = default;
};
inline constexpr int kHistory = 200;
inline constexpr double kLargestNumber = 1e6;  // an edit's magnitude

// ------------------------------------------------------------------ actions

struct OpenPage { Page page; };
struct GoToStep { Step step; };
struct NextStep {};       // refused on the last step
struct PreviousStep {};   // refused on the first step
struct StartAgain {};     // to the first step
struct SetPlaying { bool on; };  // from the last step it starts again; refused when motion is reduced (see `reduced_motion`)
struct SelectHead { int head; };          // a pinned number of another head moves to the same place in this one
struct Pin { std::optional<Cell> cell; };  // a number of a head selects its head
struct Hover { std::optional<Cell> cell; };
struct FocusCell { std::optional<Cell> cell; };
struct SetCell { Cell cell; double value; };     // given tensors only; finite, magnitude at most kLargestNumber
struct ToggleMay { int query, key; };            // may this query attend to this key
struct SetCausal { bool on; };                   // on: exactly key <= query; off: everything allowed
struct Undo {};
struct Redo {};
struct Reset {};          // back to the example's numbers; can be undone
struct SetTheme { Theme theme; };
struct SetMotion { Motion motion; };
struct SetNotice { std::string text; };          // empty: dismiss
struct SetSystemMotion { bool reduced; };        // what prefers-reduced-motion says: stops only a play that it forbids

using Action = std::variant<OpenPage, GoToStep, NextStep, PreviousStep, StartAgain, SetPlaying, SelectHead, Pin, Hover,
                            FocusCell, SetCell, ToggleMay, SetCausal, Undo, Redo, Reset, SetTheme, SetMotion,
                            SetNotice, SetSystemMotion, SelectMap, HoverMap, PinMapCell, HoverMapCell, FocusMapCell,
                            FilterRole, ShowPanel, SetSource, SetSentence, ShowExample, ShowExampleFor, SetAsking,
                            SetContributions, OpenSpecimen, Train, SetPlan, TakeReport, Scrub, OpenPreset, SetSize,
                            ShowBudgetPanel, SetTarget, PinAmount, HoverAmount, OpenPractice, SetPractice, GiveAnswer,
                            TryAgain, ShowHint, ShowSolution, GoToQuestion, NextQuestion, MoreQuestions, ShowOnCanvas>;

/// Carries out `action`, or returns why not (plain); a refusal changes nothing.
/// Any action but pointing (Hover, FocusCell, …), SetPlaying and what comes from outside (SetSystemMotion,
/// OpenSpecimen, TakeReport) stops playing (the player's own step: `play_on`).
/// An edit leaves step, head, pin and notice as they are. A change of step drops what is hovered, and the
/// keyboard's focus when its matrix isn't visible any more. -0 is stored as 0.
std::optional<std::string> update(State& state, const Action& action);

/// Why `update` would refuse `action`, nothing when it would carry it out: for buttons that are off.
std::optional<std::string> refusal_of(const State& state, const Action& action);

/// True when it takes more than the walkthrough: another page, or something on one. On the web their code comes later.
bool needs_other_pages(const Action& action);

/// The player's own step: goes on, and stops at the end.
void play_on(State& state);

/// True when nothing may move by itself: the setting says so, or the system does and the setting is automatic.
bool reduced_motion(const State& state);

/// A control's or message's text as an action: "next", "previous", "again", "play", "pause", "undo", "redo",
/// "reset", "step:softmax", "head:2", "theme:dark", "motion:reduced", "causal:on", "may:1.2",
/// "pin:pattern.1.2.1", "pin:", "set:X.1.3=0.5", "notice:", and likewise "hover:", "focus:",
/// "system:reduced", "system:full"; "page:gallery", "map:2.1" (layer.head), "map-hover:5" (maps in reading order, low
/// layer first), "at:3.5" (query.key), "at-hover:", "at-focus:", "role:verb_subject", "panel:training",
/// "source:trained", "sentence:the dogs bark", "example:7", "example-for:verb_subject", "asking:visible",
/// "contributions:on", "train:start", "plan:heads=4", "scrub:600" (a checkpoint's step), "scrub:"; "preset:gpt3",
/// "size:d_model=768", "view:compute", "target:previous", "amount:W_Q", "amount:", "amount-hover:W_Q"; "practice:mixed",
/// "practice-seed:7", "practice-count:10", "practice-hints:off", "answer:0.881", "try-again", "hint", "solution",
/// "question:3", "next-question", "more-questions", "show-on-canvas". OpenSpecimen and TakeReport have no text ("", which
/// nothing reads). Steps and themes also as in URLs ("step:6", "theme:auto").
/// Unknown text: what was found and wanted.
std::variant<Action, attention::Problem> read_action(std::string_view text);

/// The text that read_action reads back as this action.
std::string to_text(const Action& action);

/// "pattern.1.2.1" (tensor.head.row.col, 1-based) or "X.1.3" (no head).
std::string to_text(const Cell& cell);
std::optional<Cell> read_cell(std::string_view text);

/// A number as people type it: "0.9", "0,9", "-3", U+2212 minus, "1e-3". Refused by name: empty, nan,
/// infinity, hexadecimal, trailing text, more than one separator, magnitude above kLargestNumber, and a number
/// so close to 0 that it would silently become 0 (1e-400). -0 is read as 0.
std::variant<double, attention::Problem> read_number(std::string_view text);

/// Shortest text that reads back as the same bits: "0.1", "1e22".
std::string to_text(double value);

// ---------------------------------------------------------------------- URL

/// "?step=softmax&head=2&cell=pattern.1.2.1&theme=dark&mask=causal&set=X.1.3:0.5,W_Q.1.2.1:-3": what differs
/// from the start state, in a fixed order; "" for the start state. What is foreign (a sentence, a role) is
/// percent-encoded, spaces are "+".
///   step    a slug ("softmax") or a number from 1
///   head    a number from 1
///   cell    the pinned number
///   theme   light, dark (automatic)      motion   full, reduced (automatic)
///   page    gallery, budget, practice (walkthrough)
///   budget  a preset, and field:value where they differ from it ("gpt3,n:2048"); view, target: of the budget
///   practice  a set; with it seed, count, hints=off, question (from 1), progress ("1s.2sh.3", one entry a question)
///   map     layer.head: the enlarged one, once it has been chosen      at   query.key: the pinned weight
///   role, panel, sentence, example, asking, contributions=on, source=trained: of the gallery
///   task, seed, layers, heads, d_model, learning_rate: of the plan, where it differs from heads::plan_for the task; in a
///                   link with `practice`, `seed` is that one's and the plan's is plan_seed, which is read everywhere
///   mask    row.col pairs that are MASKED (the query may not look at the key), 1-based: "1.2,2.1"; or "causal"
///   set     cell:value, the numbers that differ from the example's
std::string to_query(const State& state);

/// A state from a query (with or without "?"): unknown keys ignored, bad or out-of-range values clamped or left
/// out, each said in `notice`. Never fails; at most kLongestQuery bytes are read, up to the last whole entry.
/// read_query(to_query(s)) restores page, step, head, pin, theme, motion, mask and numbers to the bit, and of the
/// gallery what is listed above. What depends on a model (a map, a role) is checked when the model is there.
State read_query(std::string_view query);
/// True when the query opens another page than the walkthrough or says anything of one.
bool needs_other_pages(std::string_view query);
inline constexpr std::size_t kLongestQuery = 8192;  // all 156 numbers of the example with 17 digits fit

// ------------------------------------------------------------------ derived

enum class Stage : std::uint8_t { past, present, future };

struct Derived {
  attention::Trace<double> trace;
  std::optional<Cell> shown;                 // the cell that the strip explains: hovered, focused, pinned, or the step's own
  attention::Explanation explanation;        // of `shown`
  std::vector<Cell> operands;                // cells lit as operands: only such as are visible at this step
  GalleryView gallery;                       // each of its own page only, else empty
  BudgetView budget;
  PracticeView practice;
};

/// What a question of practice is about: the learner's numbers, or the shipped example's where those don't serve.
struct Numbers {
  State state;            // page walkthrough, step output, nothing chosen
  Derived derived;
  bool own = true;        // the learner's own document, edited or not
  bool edited = false;    // … and it differs from the shipped one
  bool operator==(const Numbers& other) const { return state == other.state; }
};

/// A pure function of State; what of `before` would come out the same is used again.
Derived derive(const State& state, const Derived* before = nullptr);

/// Present: what the step makes, and the given matrices that it brings in. `masked` shares the place of
/// `scaled`, which is present at both steps.
Stage stage_of(const State& state, Tensor tensor);
/// What stands in the place that `scaled` and `masked` share: `masked` at the mask step, and after it while a
/// mask is on; else `scaled`. The other one is not visible.
Tensor scaled_place(const State& state);
/// Drawn with its numbers at this step: X always, W_Q W_K W_V (and their biases) at the project step only, W_O
/// at the output step only, the rest once their step is reached.
bool is_visible(const State& state, Tensor tensor);
double value_of(const State& state, const Derived& derived, const Cell& cell);
bool is_edited(const State& state, const Cell& cell);   // differs from the example's bits
bool any_edited(const State& state);                    // numbers or mask differ from the example's
bool mask_is_on(const State& state);                    // some pair may not attend, or scores are added to
bool is_causal(const State& state);                     // exactly the causal mask
bool is_operand(const Derived& derived, const Cell& cell);
/// Fully masked row: the pattern is all zeros there.
bool is_fully_masked(const State& state, int query);

// ------------------------------------------------------------------- words
// Rich text: <b> SemiBold, <i> Italic, <m> Mono, <M> Mono Medium, <q> ink2, <w> ink3, <k> operand chip, each
// closed by </…>; _{…} subscript, ^{…} superscript, ^{…}_{…} stacked; "\" before < _ ^ \ means the sign itself.

std::string escape_rich(std::string_view plain);
/// Rich text as a screen reader should say it: tags gone, "W^Q", "head 1", "d_k", minus as "−".
std::string to_plain(std::string_view rich);

std::string_view name_of(Step step);        // "Softmax"
std::string_view slug_of(Step step);        // "softmax"
struct StepWords {
  std::string title;        // rich, the point: "Softmax turns each row of scores into weights that add up to 1"
  std::string short_title;  // rich, compact: "Softmax: each row becomes weights that add up to 1"
  std::array<std::string, 2> phone_title;  // two lines, 20 px SemiBold within 358 px
  std::string subtitle;     // rich, one line
  std::string look_for;     // rich, a question for the margin, wraps at 200 px
  std::string band_note;    // rich, beside or under the stage's name: "each row adds up to 1"
};
StepWords words_of(const State& state, Step step);

/// A number for a matrix: decimals fixed per matrix, U+2212 minus, no "-0". Large numbers stay short: a number
/// of 100 or more gives up decimals ("123.46", "1234.5"), from 1e5 on it is "7.2e25". Infinity is "−∞".
std::string format_number(double value, int decimals);
/// 0 when every number of the matrix is whole (infinities don't count), else `most`.
int decimals_of(const attention::Matrix<double>& matrix, int most);
/// The number in a cell as the mirror says it: three decimals in the lanes, two in concat and output, none in a
/// whole matrix; given numbers, Q, K and V up to three ("0.9"); "−∞" and "0" where masked. The canvas shows the same
/// wherever its cells are wide enough.
std::string text_of(const State& state, const Derived& derived, const Cell& cell);

/// The row bar at the right of the strip: how the row's weight is split (softmax and after).
struct RowBar {
  std::string title;                  // rich: "Row <b>bark</b>, head 1"
  std::string short_title;            // rich, compact: "Row <b>bark</b>"
  std::vector<std::string> labels;    // plain token names
  std::vector<double> shares;         // sum 1, or all 0
  std::string sum;                    // "0.944 + 0.056 = 1.000"
};

/// "How this number was made": the canvas draws it, the mirror says it.
struct Strip {
  std::vector<Part> parts;        // long: "A_1[bark, dogs] = e^2.828 / … = 16.92 / (16.92 + 1.00) = 16.92 / 17.92 = 0.944"
  std::vector<Part> short_parts;  // compact and phone: without the middle
  std::string sentence;           // rich, one plain sentence: "In head 1, <b>bark</b> gives 94.4 % …"
  std::string short_sentence;     // rich, phone (one head is on screen): "<b>bark</b> gives 94.4 % …"
  std::optional<RowBar> bar;
  std::string spoken;             // plain: equation and sentence as one reads them aloud
};
Strip strip_of(const State& state, const Derived& derived);

/// "A_1[bark, dogs]", "X[dogs, noun]", "W^Q_1[noun, 1]": rich.
std::string label_of(const State& state, const Cell& cell);
/// "A", "Q", "W^{Q}": rich symbol of a tensor, with the head as subscript where it has one.
std::string symbol_of(Tensor tensor, int head);

// ----------------------------------------------------------- description

struct DescribedCell {
  std::string cell;    // "X.1.3"
  std::string text;    // as the canvas shows it
  std::string value;   // exact: to_text
  bool editable = false, edited = false, masked = false, operand = false, pinned = false;
};
struct DescribedTable {
  std::string id, caption;                    // "pattern.1", "Weights of head 1 (syntax)"; "roles", "map", "layers"
  std::string pin = "pin:";                   // and a cell's name: the action that pins it; "": cells can't be pinned
  std::string stage;                          // "past", "present", "future"
  std::vector<std::string> rows, cols;        // headers
  std::vector<std::vector<DescribedCell>> cells;
};
struct DescribedControl {
  std::string action;  // for read_action
  std::string label;
  bool enabled = true;
  std::optional<bool> pressed;  // a toggle's state
  std::string group;   // "pages", "steps", "player", "numbers", "mask", "display", "heads"; of the gallery: "source",
                       // "maps", "roles", "sentence", "asking", "panels", "training", "checkpoints", "task"; of the
                       // budget: "presets", "views", "sizes", "amounts", "targets"; of practice: "sets", "questions",
                       // "answers", "help"
};
/// Something to type in: its action is `action` and the text.
struct DescribedField {
  std::string action;  // "sentence:", "plan:heads="
  std::string label, value;
  bool enabled = true;
};
struct Description {
  std::string title, subtitle, sentence, look_for, notice;  // plain
  int step = 1, steps = kStepCount;
  std::string step_name, query;
  std::string theme, motion;                                // "automatic", …
  bool playing = false;
  std::string page;                                         // "walkthrough", "gallery", "budget", "practice"
  std::string training;                  // of the gallery: how far training is, plain; "" elsewhere
  std::string paste;                     // of practice: the result in one line, to hand in; "" elsewhere
  std::vector<std::string> notes;        // plain. Of the gallery: by layer, computed and quoted, and the clicks; of the
                                         // budget: formula, code, sources; of practice: hints, working, solution
  std::vector<DescribedTable> tables;    // every matrix that is visible (not future), in reading order
  std::vector<DescribedControl> controls;
  std::vector<DescribedField> fields;
  std::string roles;  // of the gallery: heads::to_json of the table of roles, a member of the JSON; "": none
};
std::string_view name_of(Page page);   // "walkthrough": in URLs and actions
std::string_view title_of(Page page);  // "Head gallery": on its tab
Description describe(const State& state, const Derived& derived);
std::string to_json(const Description& description);

}  // namespace app
