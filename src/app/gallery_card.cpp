// The card about the enlarged head: its name, the bars, why it is called so or why it has no name, and what to keep in
// mind.
#include "app/gallery_internal.hpp"

#include <algorithm>
#include <cmath>

namespace app {
namespace {

struct Card {
  GalleryView& view;
  const Gallery& gallery;
  const Asked& asked;
  const heads::Table& table;
  const heads::HeadRoles& row;
  int about;  // the subject, -1: none

  const heads::Subject& subject() const { return at(table.subjects, about); }
  const heads::Score& score() const { return at(row.scores, about); }
  bool is_of_words() const {
    return subject().family == heads::Family::syntactic || subject().family == heads::Family::semantic;
  }
  /// Between two shares as they are shown, so that a reader who subtracts comes to the same.
  static std::string points(double share, double from) {
    const long whole = std::abs(std::lround(share * 100) - std::lround(from * 100));
    return std::to_string(whole) + (whole == 1 ? " point" : " points");
  }

  void write_titles() const {
    view.role_title = role_of(table, view.layer * view.heads + view.head);
    std::string others;
    for (std::size_t i = 1; i < row.roles.size(); ++i)
      others += (i > 1 ? ", " : "Also: ") + escape_rich(at(table.subjects, row.roles[i]).name) + " " +
                format_whole_percent(at(row.scores, row.roles[i]).share.value());
    if (!row.roles.empty() && row.diffuse) others += others.empty() ? "Also: diffuse" : ", diffuse";
    view.other_roles = others;
  }

  void add_bar(std::string name, double share) const {
    view.evidence.push_back({std::move(name), share, format_whole_percent(share)});
  }
  void write_evidence() const {
    if (row.roles.empty() && row.diffuse) {
      add_bar("how even its rows are", row.entropy_share);
      return add_bar("called diffuse from", heads::kDiffuseShare);
    }
    if (about < 0) return;
    add_bar("this head", score().share.value());
    add_bar("best fixed offset", subject().best_offset.value());
    if (subject().best_rule.count > 0) add_bar("best simple rule", subject().best_rule.value());
  }

  std::string why_earned() const {
    std::string text = escape_rich(subject().explains) + " That is so in " +
                       format_whole_percent(score().share.value()) + " of the cases";
    if (is_of_words()) {
      const Baseline baseline = baseline_of(subject());
      return text + ", " + points(score().share.value(), baseline.share) + " above " + baseline.name + ".";
    }
    return text + (subject().explains.find("90 %") == std::string::npos ? "; 90 % are wanted." : ".");
  }

  std::string nearest_miss() const {
    const Baseline baseline = baseline_of(subject());
    const double share = score().share.value();
    const bool misses = missing_share(subject(), score()) > 0;
    std::string text = " Nearest is <b>" + escape_rich(subject().name) + "</b>: " + format_whole_percent(share);
    if (!is_of_words()) return text + ", where 90 % are wanted.";
    std::string far = points(share, baseline.share);
    if (misses && share > baseline.share && far == points(heads::kMargin, 0)) far = "just under " + far;
    text += ", " + far + (share < baseline.share ? " below " : " above ") + baseline.name + ".";
    return misses ? text : text + " On so few cases that can be chance.";
  }

  std::string why() const {
    if (!row.roles.empty()) return why_earned();
    if (row.diffuse)
      return "It spreads its attention almost evenly: on average " + format_whole_percent(row.entropy_share) +
             " of the largest entropy that is possible.";
    if (about < 0)
      return "No role can be tested here: fewer than " + std::to_string(heads::kFewestCases) + " cases each.";
    return "No role beats its baseline by " + points(heads::kMargin, 0) + " on " +
           (table.counted_on.empty() ? "the held-out sentences" : escape_rich(table.counted_on)) + "." + nearest_miss();
  }

  void write_count() const {
    if (about < 0 || (row.roles.empty() && row.diffuse)) return;
    const heads::Share& share = score().share;
    const heads::Interval interval = heads::interval_of(share);
    view.count = std::to_string(share.right) + " of " + std::to_string(share.count) + " " + subject().asks +
                 ", 95 % interval " + format_number(interval.low, 2) + "–" + format_number(interval.high, 2);
    if (!table.counted_on.empty()) view.counted_on = "Counted on " + table.counted_on + ".";
  }

  /// Whether this sentence shows the head's role, and else which does.
  void write_not_testable() const {
    const heads::Model* model = model_of(*view.specimen);
    if (!model || row.roles.empty() || !has_cases(model->plan.task, subject().id)) return;
    const auto relation = find_relation(subject().id);
    if (asked.own) {
      if (!relation) return;
      const auto words = train::vocabulary(model->plan.task);
      if (std::any_of(asked.sentence.tokens.begin(), asked.sentence.tokens.end(),
                      [&](int id) { return may_ask(*relation, words[static_cast<std::size_t>(id)]); }))
        return;
    } else if (!cases_of(subject().id, asked.sentence, model->plan.shape.causal).empty()) {
      return;
    }
    view.not_testable = "This sentence has no case of " + subject().name;
    const bool other = next_example(model->plan, gallery.example, subject().id).has_value();
    view.not_testable += other ? ": try this one." : ".";
    if (other) view.try_role = subject().id;
  }
};

std::string asking_note(const GalleryView& view) {
  const heads::Model* model = model_of(*view.specimen);
  if (!model) return "Weights as they stand in the file.";
  if (model->plan.shape.causal) return "Each token sees itself and the tokens before it; nothing is hidden.";
  if (view.asking == heads::Asking::visible) return "Every word is visible, unlike in training.";
  if (model->plan.task != train::Task::language) return "The answers are hidden, as in training.";
  return "Each row has its own word hidden, as in training.";
}

std::string caveat(const GalleryView& view) {
  if (view.contributions)
    return "A contribution is the weight times the length of what the token passes on through this head (Kobayashi et "
           "al. 2020). It is still one head of one layer.";
  const std::string text =
      "Attention is not explanation: a large weight says where a head looks, not what the model makes of it.";
  return model_of(*view.specimen) ? text + " Contributions show how much each token adds." : text;
}

}  // namespace

void write_card(GalleryView& view, const Gallery& gallery, const Asked& asked) {
  view.head_title = head_name(view.layer * view.heads + view.head, view.heads);
  view.asking_note = asking_note(view);
  view.caveat = caveat(view);
  const heads::Table* table = table_of(*view.specimen);
  if (!table) {
    view.role_title = "not tested yet";
    view.why = "This model's heads have not been counted, so none has a role yet.";
    return;
  }
  const Card card{view, gallery, asked, *table, table->at(view.layer, view.head), subject_of_card(view)};
  card.write_titles();
  card.write_evidence();
  view.why = card.why();
  card.write_count();
  card.write_not_testable();
}

}  // namespace app
