// The gallery of heads without a pixel: what is looked at, what was chosen, training as the page sees it, and the words.
// Part of app.hpp, which includes it.
//
// A "map" is one head's picture: rows are the token that asks (query), columns the token it looks at (key).
// Indices are 0-based inside, 1-based in URLs and in everything that people read.
#pragma once

#include "app/held.hpp"
#include "app/part.hpp"
#include "heads/heads.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace app {

// ------------------------------------------------------------------- state

/// One thing to look at: a model, or attention from a file.
struct Specimen {
  std::string name;                           // "the model of this page", a file's name
  std::variant<heads::Model, heads::Attention> what;
  heads::Table table;                         // layers 0: not measured yet
  bool operator==(const Specimen&) const = default;
};

enum class Source : std::uint8_t { shipped, trained, file };
enum class Panel : std::uint8_t { head, training, layers };  // the card beside the maps
inline constexpr int kPanels = 3;

struct MapCell {
  int query = 0, key = 0;
  bool operator==(const MapCell&) const = default;
};

/// The model at one exam of a run.
struct Checkpoint {
  int step = 0;
  Held<Specimen> specimen;
  heads::Share accuracy;  // of held-out hidden words
  bool operator==(const Checkpoint&) const = default;
};

/// Training as the page knows it; the work is a heads::Studio's, elsewhere.
struct Training {
  heads::Plan plan = first_plan();  // of the run, or of the next one while none is started
  bool started = false;             // there is a run; its plan can't be changed
  bool running = false, finished = false;
  std::uint64_t run = 0;            // which; reports of an earlier one are refused
  int step = 0;
  std::string problem;              // "The loss grew …": training stopped itself
  std::vector<heads::Point> curve;  // one point a step
  std::vector<heads::Click> clicks;
  std::vector<Checkpoint> checkpoints;  // in order, at most kMostCheckpoints: then every second one is let go
  std::optional<int> scrubbed;          // index of the checkpoint that is shown; absent: the last
  bool operator==(const Training&) const = default;
  static heads::Plan first_plan();      // heads::plan_for the language
};
inline constexpr std::size_t kMostCheckpoints = 64;

struct Gallery {
  Source source = Source::shipped;
  Held<Specimen> shipped, file;  // empty until the host has brought them
  Training training;
  Panel panel = Panel::head;
  std::string role;              // filter: a subject's id, "diffuse", "none"; "" all heads
  int layer = 0, head = 0;       // the enlarged one
  bool chosen = false;           // somebody chose it; else a head with a role of words is taken, once there is one
  std::optional<MapCell> pinned, hovered, focused;
  std::optional<int> hovered_map;  // layer * heads + head under the pointer
  heads::Asking asking = heads::Asking::hidden;
  bool contributions = false;    // instead of weights; models only
  std::string sentence;          // the learner's own; "": the example
  int example = 0;               // which held-out sentence, from 0
  bool operator==(const Gallery&) const = default;
};
inline constexpr std::size_t kLongestOwnSentence = 400;  // bytes
inline constexpr int kExamples = 1000;

// ------------------------------------------------------------------ actions

struct SelectMap { int layer, head; };
struct HoverMap { std::optional<int> map; };           // layer * heads + head
struct PinMapCell { std::optional<MapCell> cell; };
struct HoverMapCell { std::optional<MapCell> cell; };
struct FocusMapCell { std::optional<MapCell> cell; };
struct FilterRole { std::string role; };               // "": all; refused when no head has it
struct ShowPanel { Panel panel; };
struct SetSource { Source source; };                   // refused while there is nothing of it
struct SetSentence { std::string text; };              // blank: back to the example. Refused for attention from a file
struct ShowExample { int example; };                   // clears the own sentence
struct ShowExampleFor { std::string role; };           // the next example on which this role can be seen
struct SetAsking { heads::Asking asking; };
struct SetContributions { bool on; };
struct OpenSpecimen { Source source; Held<Specimen> specimen; };  // shipped, or a file, which is then shown
/// start: a new run, shown. pause, run (goes on), step (one step and an exam): of a run. rewind: lets go of the run, so
/// that the plan can be changed. new_seed: rewinds, and the next run has the next seed.
enum class TrainingCommand : std::uint8_t { start, pause, run, step, rewind, new_seed };
struct Train { TrainingCommand command; };
struct SetPlan { std::string field, value; };          // task, learning_rate, heads, layers, d_model, seed; refused during a run
struct TakeReport { Held<heads::Report> report; };     // what the studio says
struct Scrub { std::optional<int> step; };             // of a checkpoint, which is then shown; absent: the newest

// ------------------------------------------------------------------ derived

struct RoleChip {
  std::string id, name;  // id as in Gallery::role; name: "Verb → subject"
  int heads = 0;
  bool operator==(const RoleChip&) const = default;
};

/// What stands under one head's map.
struct MapCaption {
  std::string role;      // plain: "verb → subject", "diffuse", "no role found"
  std::string evidence;  // "94 %", or "" for diffuse and none
  bool quiet = false;    // ink3: diffuse or none
  bool shown = true;     // passes the filter
};

struct Evidence {        // a bar in the card
  std::string name;      // "this head", "best fixed offset", "best simple rule"
  double share = 0;
  std::string text;      // "94 %"
};

struct ByLayerNote {
  std::string text;    // plain: "Layer 1: 3 of 4 heads are positional."
  bool quoted = false; // else computed from this model
  std::string source;  // of a quotation: "Clark et al. 2019"
};

struct ClickNote {       // a moment on the curve
  int step = 0;
  std::string text;      // plain: "layer 2, head 1: verb → subject"
};

struct GalleryView {
  std::string title, subtitle, look_for;  // plain: of the page
  Held<Specimen> specimen;       // what is shown; empty: nothing yet
  Held<heads::Reading> reading;  // of the sentence. Of a file it has sizes only: weights are seen through `map`
  std::string empty;             // plain: why nothing is shown; "" when there are maps
  int layers = 0, heads = 0, n = 0;
  int layer = 0, head = 0;                // the enlarged one
  bool measured = false;                  // the specimen has a table of roles
  std::vector<std::string> tokens;        // n, plain: "[CLS]", "dogs"
  std::vector<std::string> unknown;       // words that the model doesn't know, as typed
  bool left_out = false;                  // words beyond the model's longest sentence
  std::string sentence_note;              // plain: says both, "" when all is known
  std::vector<MapCaption> captions;       // layers * heads
  std::vector<RoleChip> chips;            // "All roles" first
  std::vector<heads::LayerShares> by_layer;
  std::vector<ByLayerNote> layer_notes;   // what this model does, low to high, then what others measured
  MapCell shown;                          // the cell that is explained: hovered, focused, pinned, or the role's own
  bool has_cell = false;
  // the card, rich text where it says so
  std::string head_title;                 // "Layer 3, head 2"
  std::string role_title;                 // "verb → subject"
  std::string finding;                    // rich: "<b>bark</b> looks past the nearer noun, <b>barn</b>, and finds <b>dogs</b>."
  std::string other_roles;                // rich, "" when there are none: "Also: next token 91 %"
  std::vector<Evidence> evidence;
  std::string why;                        // rich: why it is called so, or why it has no name
  std::string count;                      // plain: "188 of 200 verbs, 95 % interval 0.90–0.97"
  std::string counted_on;                 // plain: "Counted on 1,000 held-out sentences."
  std::string asking_note;                // plain: "Each row has its own word hidden, as in training."
  std::string not_testable;               // plain; "" or "No verbs here can be tested: try this one."
  std::string try_role;                   // then what ShowExampleFor takes; "": there is no such example
  std::string caveat;                     // plain: attention is not explanation …
  // the strip: empty when no head's role is counted
  std::vector<Part> score_parts;          // "Score = verbs with the largest weight on their subject / all … = 0.94"
  std::vector<Part> baseline_parts;       // "Always look 4 tokens back = 82 / 200 = 0.41"
  std::vector<Part> rule_parts;           // "Nearest noun to the left = …": only where it is better than the offset
  std::string strip_sentence;             // plain: when a head earns a name
  // training
  std::string training;                   // plain: "Step 600 of 2400. …", or what stopped it
  std::vector<ClickNote> clicks;
  const heads::Pattern& map(int layer, int head) const;  // weights or contributions, as chosen
  bool contributions = false;
  heads::Asking asking = heads::Asking::hidden;
};

/// Pure; parts of `before` are used again where they would come out the same.
GalleryView derive_gallery(const Gallery& gallery, const GalleryView* before);

/// The text for the studio that follows from an action that was carried out, if any (heads/studio.hpp).
struct State;
std::optional<std::string> studio_command(const State& state, const Train& action);

/// Makes a specimen of a file's bytes: a model, or attention with an optional companion; or all that is wrong with it.
std::variant<Specimen, std::vector<attention::Problem>> read_specimen(std::string_view name, std::string_view bytes,
                                                                      std::string_view companion = {});

}  // namespace app
