// What the layouts of practice share: the question with its answer row, the cards below it, the picture beside it, the
// row of answers. Private to `ui`. Each part is drawn into the place that its layout gives it.
#pragma once

#include "ui/page.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ui {

/// A column of text: left edge and width.
struct Column {
  float x = 0, w = 0;
};

/// How roomy a layout is.
struct PracticeStyle {
  float title = 20, title_pitch = 26;
  bool phone = false;      // for fingers: the label stands over its field
  bool picture_beside = true;  // else below
};

// ---------------------------------------------- working (practice_working.cpp)

/// An equation laid out over as many lines as its width asks for.
class Working {
 public:
  /// `inline_roots`: "3 ÷ √2" in one line instead of a fraction.
  Working(Page& page, const std::vector<app::Part>& parts, float w, bool inline_roots = false);
  float height() const;
  float first_middle() const;  // from its top to the middle of its first line
  void draw(float x, float top) const;

 private:
  using Pieces = std::vector<const app::Part*>;
  struct Line {
    Pieces parts;
    float size = 16, half = 20;
    int wrapped = 0;  // lines of words that one part alone needs
  };
  float part_width(const app::Part& part, float size) const;
  float gap_after(const app::Part& part, const app::Part* next, float size) const;
  float width_of(const Pieces& parts, float size) const;
  float half_of(const app::Part& part, float size) const;
  void add_line(Pieces parts, float size);
  void draw_part(const app::Part& part, float x, float y, float size) const;

  Page& page_;
  float w_;
  bool inline_roots_;
  std::vector<Line> lines_;
};

// -------------------------------------------- question (practice_question.cpp)

/// Title, what is given, answer row; `y`: the middle of the title's first line. Returns where it ends.
float draw_question(Page& page, const Column& at, float y, const PracticeStyle& style);
/// The button that asks for a hint, below the choices or beside what is typed.
inline constexpr float kHintWidth = 72;
bool has_hint_button(const Page& page);
/// As a screen reader would call the answer's field.
std::string answer_label(const app::Question& question);
/// The region where Tab and a new question's ring go: the answer's field, a choice, a cell.
std::string answer_region(const app::PracticeView& view);
/// The answer that was given, when it was a choice or a cell.
int chosen_choice(const app::PracticeView& view);  // -1: none
std::optional<app::Cell> chosen_cell(const app::PracticeView& view);

// -------------------------------------------- feedback (practice_feedback.cpp)

/// Hints, feedback, solution and the buttons below them. Scrolls to what has just come. Returns where it ends.
float draw_feedback(Page& page, const Column& at, float y, const PracticeStyle& style);
void draw_warning(Page& page, float x, float y);  // the ring with "!" of what isn't right yet; x: its left edge

// --------------------------------------------- picture (practice_picture.cpp)

void draw_picture(Page& page, const Rect& card);
/// How tall the card has to be at this width.
float picture_height(Page& page, float w);
/// As tall as its layout likes it, but no taller than its words where it has no picture.
float least_card_height(const Page& page, float liked);

/// What the kinds of picture draw into, and how tall they need it.
void draw_chain(Page& page, const Rect& area);
float chain_height(Page& page, float w);
void draw_bars(Page& page, const Rect& area);
float bars_height(Page& page, float w);
void draw_weights_map(Page& page, const Rect& area);
float weights_map_height(Page& page, float w);

// ------------------------------------------------- around it (practice_tags.cpp)

/// One dash a question; the present one is thicker.
void draw_dashes(Page& page, float x, float y, float right);
/// Boxes with names. Where they find no room, those around the present one stay.
void draw_tags(Page& page, float x, float y, float right, float h);
/// The same as small boxes with numbers, `pitch` apart.
void draw_pips(Page& page, float x, float y, float right, float pitch, float h);
/// Next question, or what a finished set offers; from `right` to the left. `least_x`:
/// they share all of the room from there on.
void draw_onward(Page& page, float right, float y, float h, float least_x = -1);
float onward_width(const Page& page);
bool is_over(const app::PracticeView& view);  // the present question: solved, or its solution seen

// -------------------------------------------------- layouts (practice_full.cpp)

/// Question and picture side by side between the header and `strip_y`. Returns where the longer one ends.
float draw_practice_columns(Page& page, const Column& column, float y, float strip_y, const Rect& card,
                            const PracticeStyle& style);
/// What scrolls ends at `end`: sets how far, and goes to what has just come.
void end_scroll(Page& page, float end);
void draw_scroll_thumb(Page& page, float x);

// ------------------------------------------------------ sets (practice_sets.cpp)

/// The chip that names the set and opens the choice of sets, its right edge at `right`, at most `most` wide. Returns
/// where it begins.
float draw_set_chip(Page& page, float right, float y, float hit_h = 24, float most = 244);

}  // namespace ui
