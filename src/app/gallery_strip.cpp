// The gallery's strip: how the enlarged head's score was made, and what it has to beat.
#include "app/gallery_internal.hpp"

namespace app {
namespace {

/// "… = 188 / 200 = 0.94"
void add_share(std::vector<Part>& parts, const heads::Share& share, std::string_view number) {
  const auto text = [&](std::string rich) { parts.push_back({.text = std::move(rich)}); };
  text("<q>=</q>");
  parts.push_back(
      {.kind = Part::Kind::fraction, .text = std::to_string(share.right), .below = std::to_string(share.count)});
  text("<q>=</q>");
  text(std::string(number) + format_number(share.value(), 2) + (number == "<M>" ? "</M>" : "</m>"));
}

std::vector<Part> equation(std::string label, const heads::Share& share) {
  std::vector<Part> parts = {{.text = std::move(label)}};
  add_share(parts, share, "<m>");
  return parts;
}

/// "on their subject", "on the previous token", "on the right token"
std::string goal_of(const heads::Subject& subject) {
  constexpr std::string_view arrow = " → ";
  if (const std::size_t place = subject.name.find(arrow); place != std::string::npos)
    return "on their " + subject.name.substr(place + arrow.size());
  const bool place = subject.family == heads::Family::positional || subject.family == heads::Family::resting;
  return "on the " + (place ? subject.name : "right token");
}

}  // namespace

void write_strip(GalleryView& view) {
  const int about = subject_of_card(view);
  if (about < 0) return;
  const heads::Table& table = *table_of(*view.specimen);
  const heads::HeadRoles& row = table.at(view.layer, view.head);
  const heads::Subject& subject = at(table.subjects, about);
  const heads::Share& share = at(row.scores, about).share;
  view.score_parts = {{.text = "<b>Score</b>"}, {.text = "<q>=</q>"}};
  view.score_parts.push_back({.kind = Part::Kind::fraction,
                              .text = escape_rich(subject.asks + " with the largest weight " + goal_of(subject)),
                              .below = escape_rich("all test " + subject.asks)});
  add_share(view.score_parts, share, "<M>");
  const bool of_words = subject.family == heads::Family::syntactic || subject.family == heads::Family::semantic;
  if (of_words) {
    const std::string where = subject.offset == 0 ? "at itself" : offset_text(subject.offset);
    view.baseline_parts = equation("Always look " + where, subject.best_offset);
    if (subject.best_rule.count > 0 && subject.best_rule.value() > subject.best_offset.value())
      view.rule_parts = equation(capitalise(escape_rich(subject.rule)), subject.best_rule);
    view.strip_sentence =
        "A head earns a role name only if it beats the best fixed offset and the best simple rule by 10 points on "
        "sentences it has not seen.";
  } else {
    view.baseline_parts = {{.text = "Wanted for a place"}, {.text = "<q>=</q>"}, {.text = "<m>0.90</m>"}};
    view.strip_sentence =
        "A head earns the name of a place only if its largest weight falls there in 90 % of the cases on sentences it "
        "has "
        "not seen.";
  }
}

}  // namespace app
