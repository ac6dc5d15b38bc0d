// The parameter budget without a pixel: what was chosen, and the words and numbers of the page. Part of app.hpp, which
// includes it.
#pragma once

#include "app/held.hpp"
#include "app/part.hpp"
#include "budget/budget.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace app {

// ------------------------------------------------------------------- state

enum class BudgetPanel : std::uint8_t { parameters, compute, rank, code };
inline constexpr int kBudgetPanels = 4;

/// What the strip can explain: of each panel some.
enum class Amount : std::uint8_t {
  W_Q, W_K, W_V, W_O, biases, attention, feed_forward, model,    // parameters
  project, scores, softmax, weigh, output, overtakes, weights, cache,  // compute
  rank                                                           // rank
};
inline constexpr int kAmounts = 17;

struct Budget {
  budget::Sizes sizes;                 // the first preset's at the start
  BudgetPanel panel = BudgetPanel::parameters;
  budget::Target target = budget::Target::itself;
  std::optional<Amount> pinned, hovered;
  bool operator==(const Budget&) const = default;
};

// ------------------------------------------------------------------ actions

struct OpenPreset { std::string id; };           // keeps n, batch and bytes; the lesson's own brings its n
struct SetSize { std::string field, value; };    // budget::with_field's rules and refusals
struct ShowBudgetPanel { BudgetPanel panel; };
struct SetTarget { budget::Target target; };
struct PinAmount { std::optional<Amount> amount; };
struct HoverAmount { std::optional<Amount> amount; };

// ------------------------------------------------------------------ derived

struct PresetRow {
  std::string id, name, d_model, heads;  // "512", "8 heads", "32 heads, 8 key/value"
  bool on = false;
};

/// A number that can be chosen: by a slider, by typing.
struct SizeControl {
  std::string field;                // budget::fields()
  std::string symbol, caption;      // rich "<b>d</b>_{model}"; plain "width of a token", "query and key, = 512 / 8"
  std::string value;                // grouped for reading: "12 288" with no-break gaps drawn by the canvas: see `groups`
  bool locked = false;              // follows others; caption says how
  std::vector<std::string> stops;   // actions, "size:h=8"
  std::vector<float> places;        // of each stop, 0 … 1 along the slider (even steps)
  int stop = 0;                     // present one
};

/// A bar of the big bill: one matrix.
struct BillBar {
  Amount amount = Amount::W_Q;
  std::string symbol;               // rich "<b>W</b>^{Q}"
  budget::Whole parameters = 0;
  int slices = 1;                   // heads (or key/value heads) that it is cut into; at most 128 are drawn
};

/// A line of "Same bill, different view".
struct BillRow {
  std::string name;                 // rich: "<b>1 head</b>  <q>d_{k} = 512</q>"
  std::string note;                 // plain: "without W^O", "one third more", …; may be empty
  budget::Whole parameters = 0;
  int slices = 1;
  budget::Whole maps = 1;           // attention maps
  double stored = 0;                // attention weights stored, of n tokens
};

/// A line of the compute panel's table.
struct WorkRow {
  Amount amount = Amount::project;
  bool has_amount = true;           // the feed-forward line explains nothing
  std::string name, formula;        // plain "Scores"; rich, with the present numbers: "2 · 8 · 128^{2} · 64"
  double operations = 0, numbers = 0, bytes = 0;
  bool square = false;              // grows with n * n
};

struct BudgetView {
  std::string title, subtitle;              // plain; rich
  std::vector<PresetRow> presets;
  std::vector<SizeControl> controls;        // d_model, h, h_kv, d_k, d_v
  std::vector<SizeControl> model_controls;  // layers, cross_layers, d_ff
  std::vector<SizeControl> text_controls;   // n, batch, bytes
  bool keep = true, biases = false, gated = false;
  std::string keep_label;                   // rich: "Keep d_{k} = d_{v} = d_{model} / h"
  std::string biases_note;                  // plain: "would add 2048", "add 2048"

  // parameters
  budget::Parameters parameters;
  std::vector<BillBar> bars;                // four, and the biases' where there are some
  /// The formula, symbols above their present numbers: columns from left to right; `label` stands above (rich, W^Q).
  struct Term { std::string symbol, number, label; };
  std::vector<Term> formula;                // the last is "parameters" over the total
  std::vector<BillRow> rows;                // one head without W^O, one head with it, these heads
  std::string rows_note;                    // plain: what both comparisons say: no more, and one third more
  double attention_share = 0;               // of one layer
  std::string layer_note;                   // rich: "feed-forward width d_{ff} = 4 d_{model} = 2048"
  std::string feed_forward_formula;         // rich: "2 · 512 · 2048 = 2 097 152"
  std::string model_line;                   // rich: attention in all layers, the whole stack, with numbers
  std::string left_out;                     // plain: what isn't counted

  // compute
  std::vector<WorkRow> work;
  std::string overtakes;                    // rich sentence: from which n on the n^2 parts cost more
  std::string weights_line, cache_line;     // rich: attention weights' and cache's size, with formula and bytes
  double linear_share = 0;                  // of attention's operations

  // rank
  Held<budget::LowRank> low_rank;
  std::string rank_title, rank_text;        // rich: what d_k allows here; shown tokens
  std::vector<std::pair<budget::Target, std::string>> targets;  // plain names for chips

  // code
  budget::Code code;
  std::string code_note;                    // rich

  // the strip
  Amount shown = Amount::W_Q;
  std::vector<Part> parts, more_parts;      // "One head in W^Q = 512 × 64 = [32 768]"; "All 8 heads = 8 × [32 768] = …"
  std::string sentence;                     // rich
  std::string spoken;                       // plain
};

/// Pure; the pictures of `before` are used again where they would come out the same.
BudgetView derive_budget(const Budget& budget, const BudgetView* before);

/// "1 048 576" with U+2009 between groups of three; the canvas draws these gaps 0.28 em wide. From four digits on.
std::string grouped(budget::Whole value);
std::string grouped(double value);            // rounded to a whole number; from 2^53 on as "1.23e18"
/// "604 M", "58.0 B", "1.05 M", "131 k": three digits, for captions.
std::string in_short(double value);
std::string in_bytes(double bytes);           // "512 KiB", "1.5 GiB", "96 B"

std::string_view name_of(BudgetPanel panel);  // "parameters"
std::string_view name_of(Amount amount);      // "W_Q", "overtakes"
std::optional<BudgetPanel> find_budget_panel(std::string_view name);
std::optional<Amount> find_amount(std::string_view name);

}  // namespace app
