// Which head does what: a head of the trained model, its map of one sentence, and the roles that its counts give or
// don't give it.
#include "app/gallery_internal.hpp"
#include "app/practice_facts.hpp"

#include <algorithm>

namespace app {
namespace {

using heads::Table;

/// A role that is offered beside the right one: below this share nobody can take the head for it.
constexpr double kSeldom = 0.5;

/// What a head is asked about: one case that its map shows, where its role has cases.
struct Scene {
  int map = 0, subject = 0, example = 0;
  std::optional<RoleCase> seen;
  Held<heads::Reading> reading;
};

/// Reading a sentence runs the model once a token, and a set of questions is made again and again: the last few are
/// kept.
Held<heads::Reading> reading_of(const Held<Specimen>& specimen, int example) {
  struct Kept {
    Held<Specimen> specimen;
    int example = 0;
    Held<heads::Reading> reading;
  };
  static std::vector<Kept> kept;
  constexpr std::size_t kMost = 32;
  for (const Kept& it : kept)
    if (it.example == example && it.specimen.is_same_as(specimen)) return it.reading;
  const heads::Model& model = *model_of(*specimen);
  Gallery gallery;
  gallery.example = example;
  const Asked asked = asked_of(gallery, *specimen);
  Held reading(heads::read_with(model, asked.sentence, heads::Asking::hidden, false));
  if (kept.size() >= kMost) kept.erase(kept.begin());
  kept.push_back({specimen, example, reading});
  return reading;
}

int largest_key_of(const heads::Pattern& pattern, int query) {
  int best = 0;
  for (int key = 1; key < pattern.cols(); ++key)
    if (pattern(query, key) > pattern(query, best)) best = key;
  return best;
}

const heads::Pattern& map_of(const Scene& scene) { return at(scene.reading->patterns, scene.map); }

/// Maps that earned a role.
std::vector<int> named_maps(const Table& table) {
  std::vector<int> maps;
  for (int map = 0; map < static_cast<int>(table.rows.size()); ++map)
    if (!at(table.rows, map).roles.empty()) maps.push_back(map);
  return maps;
}

/// A sentence on which the head does what its role says, where sentences can say so.
Scene find_scene(const Held<Specimen>& specimen, int map, Dice& dice) {
  const Table& table = *table_of(*specimen);
  const heads::Plan& plan = model_of(*specimen)->plan;
  Scene scene;
  scene.map = map;
  scene.subject = at(table.rows, map).roles.front();
  const std::string& role = at(table.subjects, scene.subject).id;
  constexpr int kAsked = 40;  // examples to begin with: few enough to be read once only
  scene.example = dice.below(kAsked);
  constexpr int kTries = 8;
  for (int i = 0; i < kTries && has_cases(plan.task, role); ++i) {
    const auto next = next_example(plan, scene.example, role);
    if (!next) break;
    scene.example = *next;
    scene.reading = reading_of(specimen, scene.example);
    for (const RoleCase& it : cases_of(role, scene.reading->sentence, plan.shape.causal)) {
      if (largest_key_of(map_of(scene), it.query) != it.target) continue;
      scene.seen = it;
      return scene;
    }
  }
  scene.reading = reading_of(specimen, scene.example);
  return scene;
}

/// Tokens as a sentence that one reads: "the duke’s owl, near this cat, barks."
std::string sentence_text(const std::vector<std::string>& tokens) {
  std::string text;
  for (const std::string& word : tokens) {
    if (word.starts_with('[')) continue;  // [CLS]
    const bool hangs = word == "," || word == "." || word.starts_with('\'');
    if (!text.empty() && !hangs) text += ' ';
    text += word.starts_with('\'') ? "’" + word.substr(1) : word;
  }
  return text.ends_with('.') ? text : text + ".";
}

std::string share_of(const heads::Score& score) { return format_whole_percent(score.share.value()); }

/// Why a head is, or isn’t, called so: its share of the cases, and what it has to beat.
std::string why_of(const Table& table, int map, int subject_index) {
  const heads::Subject& subject = at(table.subjects, subject_index);
  const heads::Score& score = at(at(table.rows, map).scores, subject_index);
  std::string why = "It is right in " + mono(share_of(score)) + " of " + counted(Whole{score.share.count}, "case") +
                    " (" + escape_rich(subject.asks) + "). ";
  const bool of_words = subject.family == heads::Family::syntactic || subject.family == heads::Family::semantic;
  if (of_words) {
    const Baseline baseline = baseline_of(subject);
    const std::string reaches = mono(format_whole_percent(baseline.share));
    why += baseline.share + heads::kMargin > 1
               ? "No head can earn the name: " + baseline.name + ", already reaches " + reaches + "."
               : "To earn the name it has to be 10 points above " + baseline.name + ", which reaches " + reaches + ".";
  } else {
    why += "To earn the name it needs " + mono(format_whole_percent(heads::kPositionalShare)) + ".";
  }
  return why;
}

std::string_view family_hint(heads::Family family) {
  switch (family) {
    case heads::Family::positional: return "It goes by places: how far the column is from the row hardly changes.";
    case heads::Family::syntactic: return "It joins words of one phrase or clause, wherever they stand.";
    case heads::Family::semantic: return "It looks for what a word refers to, wherever that stands.";
    case heads::Family::resting: return "Most of its rows look at the same token.";
    case heads::Family::diffuse: break;
  }
  return "Its rows are spread out.";
}

Question on_its_way() {
  Question q;
  q.asks = Asks::choice;
  q.right = 0;
  q.title = "Which head does what?";
  q.waiting = "This question is about the trained model, which isn’t here yet.";
  return q;
}

}  // namespace

Question make_role(const State& state, Dice& dice) {
  const Held<Specimen>& specimen = state.gallery.shipped;
  const Table* table = specimen && model_of(*specimen) ? table_of(*specimen) : nullptr;
  const std::vector<int> maps = table ? named_maps(*table) : std::vector<int>{};
  if (maps.empty()) return on_its_way();
  const Scene scene = find_scene(specimen, dice.one_of(maps), dice);
  const heads::Subject& subject = at(table->subjects, scene.subject);
  const heads::HeadRoles& row = at(table->rows, scene.map);

  std::vector<int>
      others;  // roles that this head hasn’t earned and is mostly not right about, by enough cases to say so
  for (int i = 0; i < static_cast<int>(table->subjects.size()); ++i) {
    const bool earned = std::find(row.roles.begin(), row.roles.end(), i) != row.roles.end();
    const heads::Share& share = at(row.scores, i).share;
    if (!earned && share.count >= heads::kFewestCases && share.value() < kSeldom &&
        at(table->subjects, i).name != subject.name)
      others.push_back(i);
  }
  if (others.empty()) return on_its_way();
  dice.shuffle(others);
  constexpr std::size_t kOthers = 3;
  others.resize(std::min(others.size(), kOthers));
  others.insert(others.begin() + dice.below(static_cast<int>(others.size()) + 1), scene.subject);

  Question q;
  q.asks = Asks::choice;
  q.right = static_cast<int>(std::find(others.begin(), others.end(), scene.subject) - others.begin());
  const int heads = table->heads, layer = scene.map / heads, head = scene.map % heads;
  const std::string where = "layer " + std::to_string(layer + 1) + ", head " + std::to_string(head + 1);
  q.title = "What does this head of the trained model look for?";
  Gallery gallery;
  gallery.example = scene.example;
  const Asked asked = asked_of(gallery, *specimen);
  q.given = "The map shows " + where + ". It reads: <i>" + escape_rich(sentence_text(asked.tokens)) +
            "</i> Rows are the tokens that ask, columns those that they look at.";
  for (const int i : others)
    q.choices.push_back({escape_rich(at(table->subjects, i).name), why_of(*table, scene.map, i)});
  q.hints = {"Take one row at a time: which column has the largest weight?", std::string(family_hint(subject.family))};
  if (scene.seen) {
    const std::string asks = escape_rich(at(asked.tokens, scene.seen->query)),
                      found = escape_rich(at(asked.tokens, scene.seen->target));
    const bool earlier = scene.seen->target < scene.seen->query;
    q.hints.push_back(asks == found ? "In the " + std::string(earlier ? "later" : "earlier") + " row <i>" + asks +
                                          "</i>, the largest weight is on the " + (earlier ? "earlier" : "later") +
                                          " <i>" + found + "</i>."
                                    : "In the row <i>" + asks + "</i>, the largest weight is on <i>" + found + "</i>.");
  }
  const heads::Score& score = at(row.scores, scene.subject);
  q.solution = working("share = " + figure(Whole{score.share.right}) + "|" + figure(Whole{score.share.count}) + " = [" +
                       fixed(score.share.value(), 2) + "]");
  q.solution_says =
      "This head is called <b>" + escape_rich(subject.name) + "</b>. " + why_of(*table, scene.map, scene.subject);

  Picture& picture = q.picture;
  picture.kind = Picture::Kind::map;
  picture.title = capitalise(where);
  picture.layer = layer;
  picture.head = head;
  picture.tokens = asked.tokens;
  const heads::Pattern& pattern = map_of(scene);
  picture.weights.assign(pattern.data(), pattern.data() + pattern.size());
  picture.formula = "role <q>=</q> <k>largest weight on the right token</k>";
  picture.why =
      "A name is earned by counting: on many sentences the largest weight has to fall on the right token more "
      "often than simple rules do. One sentence alone proves nothing.";
  q.show = {to_text(Action{OpenPage{Page::gallery}}), to_text(Action{SetSource{Source::shipped}}),
            to_text(Action{ShowExample{scene.example}}), to_text(Action{SelectMap{layer, head}})};
  q.show_label = "Show me in the gallery";
  return q;
}

}  // namespace app
