// What the gallery's files share with each other and with the files that carry all pages.
#pragma once

#include "app/internal.hpp"
#include "app/linked.hpp"
#include "train/train.hpp"

#include <span>
#include <utility>

namespace app {

// ---------------------------------------------------- names (gallery_names.cpp)

std::string_view name_of(Source source);  // "shipped"
std::string_view name_of(Panel panel);
std::string_view name_of(heads::Asking asking);
std::string_view name_of(TrainingCommand command);  // "new_seed"
std::optional<Page> find_page(std::string_view name);
std::string page_list();  // "walkthrough, gallery, …"
std::optional<Source> find_source(std::string_view name);
std::optional<Panel> find_panel(std::string_view name);
std::optional<heads::Asking> find_asking(std::string_view name);
std::optional<TrainingCommand> find_command(std::string_view name);
std::optional<train::Task> find_task(std::string_view name);  // as train::name says it, "_" for "-" too
inline constexpr std::string_view kDiffuse = "diffuse", kNone = "none";  // roles that aren't subjects

/// "3.5" as two numbers from 0.
std::optional<std::pair<int, int>> read_pair(std::string_view text);
std::string pair_text(int a, int b);  // 1-based

// ---------------------------------------------- what is shown (gallery_specimen.cpp)

/// Of the gallery's source; empty when there is nothing yet.
Held<Specimen> shown_specimen(const Gallery& gallery);
const heads::Model* model_of(const Specimen& specimen);            // null: attention from a file
const heads::Attention* attention_of(const Specimen& specimen);
struct MapCount {
  int layers = 0, heads = 0;
  int all() const { return layers * heads; }
};
MapCount maps_of(const Specimen& specimen);
/// Null while the roles aren't measured.
const heads::Table* table_of(const Specimen& specimen);
/// The subject of this id, -1 when there is none.
int find_subject(const heads::Table& table, std::string_view id);
/// "diffuse" and "none" count as roles here.
bool has_role(const heads::Table& table, int map, std::string_view role);
int heads_with(const heads::Table& table, std::string_view role);
/// Its first role is one of words, not of places: syntactic or semantic.
bool tells(const heads::Table& table, int map);
/// Its first role is a relation between words of one clause: what the page opens with.
bool is_syntactic(const heads::Table& table, int map);
/// The head that tells most: syntactic before semantic, then by its lead over the baselines; absent: none tells.
std::optional<int> most_telling(const heads::Table& table);

// --------------------------------------------------- its sentence (gallery_sentence.cpp)

/// What a specimen is asked about.
struct Asked {
  train::Sentence sentence;             // of a model; with labels when it is an example
  std::vector<std::string> tokens;      // plain, fit to be shown
  std::vector<std::string> unknown;
  bool left_out = false, own = false;   // own: the learner's
};
Asked asked_of(const Gallery& gallery, const Specimen& specimen);
train::Sentence example_sentence(train::Task task, int example);
/// The relation whose table column has this id ("verb_subject").
std::optional<train::Relation> find_relation(std::string_view id);
std::string_view id_of(train::Relation relation);
/// One that a head can be tested on: who asks, and where the answer stands.
struct RoleCase {
  int query = 0, target = 0;
  std::optional<int> nearer;  // a noun of the other number that stands between them (train::has_attractor)
  bool operator==(const RoleCase&) const = default;
};
/// Of a relation or "induction"; none of a learner's own sentence, whose answers nobody has written down.
std::vector<RoleCase> cases_of(std::string_view role, const train::Sentence& sentence, bool causal);
/// Whether sentences say on which tokens a head has this role: not for places such as "previous_token".
bool has_cases(train::Task task, std::string_view role);
/// The next example after `example` on which this can be seen, round to the present one.
std::optional<int> next_example(const heads::Plan& plan, int example, std::string_view role);
/// May this word ask for its relation: a verb for its subject.
bool may_ask(train::Relation relation, const train::Word& word);

// ------------------------------------------------------ the plan (gallery_plan.cpp)

inline constexpr std::uint64_t kLargestSeed = 999999999;
/// The plan with one field changed, or what is wrong with that.
std::variant<heads::Plan, std::string> with_field(const heads::Plan& plan, std::string_view field,
                                                  std::string_view value);
/// The plan for another task; what differs from the present task's usual plan is kept where it can be.
heads::Plan with_task(const heads::Plan& plan, train::Task task);
std::string plan_text(const heads::Plan& plan, std::string_view field);  // the value of one field
inline constexpr std::string_view kPlanFields[] = {"task", "seed", "layers", "heads", "d_model", "learning_rate"};

// ------------------------------------------- actions (gallery_refusal.cpp, gallery_update.cpp)

struct GalleryRefusal {
  const Gallery& gallery;
  using Reason = std::optional<std::string>;
  Reason operator()(const SelectMap& action) const;
  Reason operator()(const HoverMap& action) const;
  Reason operator()(const PinMapCell& action) const { return no_weight(action.cell); }
  Reason operator()(const HoverMapCell& action) const { return no_weight(action.cell); }
  Reason operator()(const FocusMapCell& action) const { return no_weight(action.cell); }
  Reason operator()(const FilterRole& action) const;
  Reason operator()(const ShowPanel& action) const;
  Reason operator()(const SetSource& action) const;
  Reason operator()(const SetSentence& action) const;
  Reason operator()(const ShowExample& action) const;
  Reason operator()(const ShowExampleFor& action) const;
  Reason operator()(const SetAsking& action) const;
  Reason operator()(const SetContributions& action) const;
  Reason operator()(const OpenSpecimen& action) const;
  Reason operator()(const Train& action) const;
  Reason operator()(const SetPlan& action) const;
  Reason operator()(const TakeReport& action) const;
  Reason operator()(const Scrub& action) const;

 private:
  Reason no_weight(const std::optional<MapCell>& cell) const;
  Reason only_weights() const;
};

/// A caller's duty: not refused.
struct GalleryCarry {
  Gallery& gallery;
  void operator()(const SelectMap& action) const;
  void operator()(const HoverMap& action) const;
  void operator()(const PinMapCell& action) const;
  void operator()(const HoverMapCell& action) const;
  void operator()(const FocusMapCell& action) const;
  void operator()(const FilterRole& action) const;
  void operator()(const ShowPanel& action) const;
  void operator()(const SetSource& action) const;
  void operator()(const SetSentence& action) const;
  void operator()(const ShowExample& action) const;
  void operator()(const ShowExampleFor& action) const;
  void operator()(const SetAsking& action) const;
  void operator()(const SetContributions& action) const;
  void operator()(const OpenSpecimen& action) const;
  void operator()(const Train& action) const;
  void operator()(const SetPlan& action) const;
  void operator()(const TakeReport& action) const;
  void operator()(const Scrub& action) const;
};

/// Keeps what is chosen inside of what is shown. Answers with what has to be said about that, "" when nothing.
std::string settle(Gallery& gallery);

// ------------------------------------------------ as text (gallery_action_text.cpp)

/// Absent: `verb` is none of the gallery's.
std::optional<std::variant<Action, attention::Problem>> read_gallery_action(std::string_view verb,
                                                                            std::string_view rest);
inline constexpr std::string_view kGalleryVerbs =
    "page:, map:, map-hover:, at:, at-hover:, at-focus:, role:, panel:, source:, sentence:, example:, example-for:, "
    "asking:, contributions:, train:, plan:, scrub:";

struct GalleryWriter {
  std::string operator()(const OpenPage& action) const;
  std::string operator()(const SelectMap& action) const;
  std::string operator()(const HoverMap& action) const;
  std::string operator()(const PinMapCell& action) const;
  std::string operator()(const HoverMapCell& action) const;
  std::string operator()(const FocusMapCell& action) const;
  std::string operator()(const FilterRole& action) const;
  std::string operator()(const ShowPanel& action) const;
  std::string operator()(const SetSource& action) const;
  std::string operator()(const SetSentence& action) const;
  std::string operator()(const ShowExample& action) const;
  std::string operator()(const ShowExampleFor& action) const;
  std::string operator()(const SetAsking& action) const;
  std::string operator()(const SetContributions& action) const;
  std::string operator()(const OpenSpecimen& action) const;
  std::string operator()(const Train& action) const;
  std::string operator()(const SetPlan& action) const;
  std::string operator()(const TakeReport& action) const;
  std::string operator()(const Scrub& action) const;
};

// --------------------------------------------------- in a link (gallery_query.cpp)

/// What the gallery adds to a query, in its order: keys and plain values.
std::vector<std::pair<std::string_view, std::string>> query_of(const Gallery& gallery);
/// Takes the gallery's pairs one by one and the plan at the end, for its fields depend on each other.
class GalleryReader : Linked {
 public:
  using Linked::Linked;
  bool take(Gallery& gallery, std::string_view key, std::string_view value);  // false: not the gallery's
  void end(Gallery& gallery);

 private:
  void take_plan(heads::Plan& plan, std::string_view field, std::string_view value) const;

  std::vector<std::pair<std::string, std::string>> plan_;
};
/// For a query: letters, digits, ".", "_" and "-" as they are, "+" for a space, "%2C" for the rest.
std::string encode(std::string_view plain);

// -------------------------------------------------- described (gallery_describe.cpp)

void describe_gallery(Description& description, const State& state, const Derived& derived);
/// With whether it can be pressed now (describe.cpp).
void add_control(Description& description, const State& state, std::string group, const Action& action,
                 std::string label, std::optional<bool> pressed = std::nullopt);

// ------------------------------------------------------------------ words

std::string format_whole_percent(double share);  // "94 %"; "over 99 %" and "under 1 %" aren't the whole and nothing
std::string head_name(int map, int heads);       // "Layer 2, head 1"

/// What a head is shown by: its first role, else the one that it misses by least; -1: there is nothing to count.
int subject_of(const heads::Table& table, int map);
int subject_of_card(const GalleryView& view);  // of the enlarged head
std::string role_of(const heads::Table& table, int map);  // "verb → subject", "diffuse", "no role found"
/// How much of the margin is missing: 0 or less where the share is high enough.
double missing_share(const heads::Subject& subject, const heads::Score& score);
/// What a share has to beat: the best offset or the best rule, whichever is better.
struct Baseline {
  double share = 0;
  std::string name;  // rich: "the best fixed offset", "the rule <b>nearest noun to the left</b>"
};
Baseline baseline_of(const heads::Subject& subject);
std::string offset_text(int offset);  // "4 tokens back", "1 token ahead", "itself"

void write_captions(GalleryView& view, const Gallery& gallery);          // and chips (gallery_captions.cpp)
void choose_cell(GalleryView& view, const Gallery& gallery, const Asked& asked);      // (gallery_cell.cpp)
void write_finding(GalleryView& view, const Asked& asked);                            // (gallery_finding.cpp)
void write_card(GalleryView& view, const Gallery& gallery, const Asked& asked);       // (gallery_card.cpp)
void write_strip(GalleryView& view);                                                  // (gallery_strip.cpp)
void write_layers(GalleryView& view);                                                 // (gallery_layers.cpp)
void write_training(GalleryView& view, const Training& training);                     // (gallery_training.cpp)
/// The case of one of the enlarged head's roles (or of the one that it misses by least) that this token asks.
std::optional<RoleCase> case_at(const GalleryView& view, const Asked& asked, int query);
int largest_key(const GalleryView& view, int query);  // the first of the largest

}  // namespace app
