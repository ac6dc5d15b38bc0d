// The budget without a pixel: the bill, the comparison, operations and memory as tables, every choice as a control, and
// what the pictures say as notes.
#include "app/budget_internal.hpp"
#include "app/gallery_internal.hpp"

#include <array>

namespace app {
namespace {

using budget::Whole;

DescribedCell words_cell(std::string text) {
  DescribedCell cell;
  cell.value = text;
  cell.text = std::move(text);
  return cell;
}
DescribedCell count_cell(double value) {
  DescribedCell cell;
  cell.text = aloud(grouped(value));
  cell.value = to_text(value);
  return cell;
}
DescribedCell count_cell(Whole value) {
  DescribedCell cell;
  cell.text = aloud(grouped(value));
  cell.value = std::to_string(value);
  return cell;
}
DescribedCell bytes_cell(double bytes) {
  DescribedCell cell = count_cell(bytes);
  cell.text = in_bytes(bytes);
  return cell;
}

class Tables {
 public:
  Tables(Description& description, const State& state, const BudgetView& view)
      : description_(description), budget_(state.budget), view_(view) {}

  void add_all() {
    add_parameters();
    add_comparison();
    add_compute();
    add_memory();
  }

 private:
  DescribedTable& table(std::string id, std::string caption, std::vector<std::string> cols, BudgetPanel panel) {
    DescribedTable& it = description_.tables.emplace_back();
    it.id = std::move(id), it.caption = std::move(caption), it.cols = std::move(cols);
    it.stage = "present";
    it.pin = panel == budget_.panel ? "amount:" : "";
    return it;
  }

  /// A row whose cell in `column` can be pinned, as long as the view is shown.
  void row(DescribedTable& to, std::string name, std::vector<DescribedCell> cells, std::optional<Amount> amount,
           std::size_t column) {
    if (amount && !to.pin.empty()) {
      cells[column].cell = name_of(*amount);
      cells[column].pinned = budget_.pinned == amount;
      cells[column].operand = view_.shown == *amount;
    }
    to.rows.push_back(std::move(name));
    to.cells.push_back(std::move(cells));
  }

  void add_parameters() {
    const budget::Parameters& it = view_.parameters;
    DescribedTable& to = table("parameters", "Parameters of each matrix: of one head, of one attention, of the model",
                               {"one head", "one layer", "whole model"}, BudgetPanel::parameters);
    for (const BillBar& bar : view_.bars) {
      const bool cut = bar.amount != Amount::biases;
      row(to, to_plain(bar.symbol),
          {cut ? count_cell(bar.parameters / bar.slices) : words_cell("not per head"), count_cell(bar.parameters),
           count_cell(bar.parameters * it.attentions)},
          bar.amount, 1);
    }
    row(to, "Attention",
        {count_cell(it.one_head_qkv + it.one_head_output), count_cell(it.attention.total),
         count_cell(it.all_attention)},
        Amount::attention, 1);
    row(to, "Feed-forward", {words_cell("not per head"), count_cell(it.feed_forward), count_cell(it.all_feed_forward)},
        Amount::feed_forward, 1);
    row(to, "Both",
        {words_cell("not per head"), count_cell(it.attention.total + it.feed_forward), count_cell(it.model)},
        Amount::model, 2);
  }

  void add_comparison() {
    DescribedTable& to =
        table("comparison", "Same bill, different view: one head of full width against these heads",
              {"W^O", "parameters", "attention maps",
               "weights stored, " + aloud(figure(budget_.sizes.n)) + (budget_.sizes.n == 1 ? " token" : " tokens")},
              BudgetPanel::parameters);
    to.pin = "";
    for (const BillRow& it : view_.rows)
      row(to, aloud(to_plain(it.name)),
          {words_cell(it.note), count_cell(it.parameters), count_cell(it.maps), count_cell(it.stored)}, std::nullopt,
          0);
  }

  void add_compute() {
    DescribedTable& to = table("compute", "One forward pass of one layer, part by part",
                               {"operations", "how", "numbers left", "bytes", "grows with"}, BudgetPanel::compute);
    for (const WorkRow& it : view_.work)
      row(to, it.name,
          {count_cell(it.operations), words_cell(aloud(to_plain(it.formula))), count_cell(it.numbers),
           bytes_cell(it.bytes), words_cell(it.square ? "n^2" : "n")},
          it.has_amount ? std::optional(it.amount) : std::nullopt, 0);
  }

  void add_memory() {
    const budget::Compute it = budget::compute(budget_.sizes);
    const auto size = static_cast<double>(budget_.sizes.bytes);
    DescribedTable& to = table("memory", "What has to be kept", {"numbers", "bytes"}, BudgetPanel::compute);
    const auto add = [&](std::string name, double numbers, std::optional<Amount> amount) {
      row(to, std::move(name), {count_cell(numbers), bytes_cell(numbers * size)}, amount, 0);
    };
    add("Attention weights of one attention", it.weights, Amount::weights);
    add("Attention weights of all layers", it.all_weights, std::nullopt);
    add("Key/value cache of one token", it.cache_a_token, Amount::cache);
    add("Key/value cache of all tokens", it.cache, std::nullopt);
  }

  Description& description_;
  const Budget& budget_;
  const BudgetView& view_;
};

std::vector<std::string> notes_of(const BudgetView& view) {
  std::string formula;
  for (const BudgetView::Term& term : view.formula)
    if (term.symbol != "parameters") formula += to_plain(term.symbol) + " ";
  std::string numbers;
  for (const BudgetView::Term& term : view.formula) numbers += (numbers.empty() ? "" : " ") + term.number;
  std::vector<std::string> notes = {formula + "parameters: " + numbers + ".",
                                    "Biases " + view.biases_note + ".",
                                    view.rows_note,
                                    "Attention is " + format_percent(view.attention_share) + " of one layer; " +
                                        to_plain(view.layer_note) + ": " + view.feed_forward_formula + ". " +
                                        view.left_out,
                                    to_plain(view.model_line),
                                    to_plain(view.overtakes),
                                    to_plain(view.weights_line),
                                    to_plain(view.cache_line),
                                    to_plain(view.rank_title) + ". " + to_plain(view.rank_text)};
  for (std::string& note : notes) note = aloud(std::move(note));
  notes.push_back(to_plain(view.code_note));
  const auto add_code = [&](std::string_view library, const std::vector<std::string>& lines,
                            const std::string& refusal) {
    std::string text = std::string(library) + ":";
    for (const std::string& line : lines) text += "\n" + line;
    notes.push_back(lines.empty() ? text + " " + refusal : text);
  };
  add_code("In PyTorch", view.code.torch, view.code.torch_refusal);
  add_code("In Keras", view.code.keras, view.code.keras_refusal);
  return notes;
}

// ---------------------------------------------------------------- controls

std::string spoken_name(const SizeControl& control) {
  const std::string symbol = to_plain(control.symbol);
  return symbol.empty() ? capitalise(control.caption) : symbol + ", " + aloud(control.caption);
}

std::string name_of_amount(Amount amount) {
  constexpr std::array<std::string_view, kAmounts> names = {"W^Q",
                                                            "W^K",
                                                            "W^V",
                                                            "W^O",
                                                            "the biases",
                                                            "attention in one layer",
                                                            "the feed-forward layer",
                                                            "the whole model",
                                                            "the projections",
                                                            "the scores",
                                                            "softmax",
                                                            "weighing the values",
                                                            "the output",
                                                            "where n^2 overtakes",
                                                            "the attention weights",
                                                            "the key/value cache",
                                                            "the rank"};
  return std::string(names[static_cast<std::size_t>(amount)]);
}

struct Controls {
  Description& description;
  const State& state;
  const BudgetView& view;

  void add(std::string group, const Action& action, std::string label,
           std::optional<bool> pressed = std::nullopt) const {
    add_control(description, state, std::move(group), action, std::move(label), pressed);
  }

  void add_all() const {
    for (const PresetRow& preset : view.presets)
      add("presets", OpenPreset{preset.id}, preset.name + ": d_model " + aloud(preset.d_model) + ", " + preset.heads,
          preset.on);
    for (const auto& [panel, label] :
         {std::pair(BudgetPanel::parameters, "Parameters"), std::pair(BudgetPanel::compute, "Operations and memory"),
          std::pair(BudgetPanel::rank, "What d_k allows"), std::pair(BudgetPanel::code, "As code")})
      add("views", ShowBudgetPanel{panel}, label, state.budget.panel == panel);
    add_sizes();
    for (const Amount amount : amounts_of(state.budget, state.budget.panel))
      add("amounts", PinAmount{amount}, "Explain " + name_of_amount(amount), view.shown == amount);
    if (state.budget.pinned) add("amounts", PinAmount{std::nullopt}, "Let go of what is explained");
    for (const auto& [target, label] : view.targets)
      add("targets", SetTarget{target}, "Target: look at " + label, state.budget.target == target);
  }

  void add_sizes() const {
    add_switch("keep", to_plain(view.keep_label), view.keep);
    add_switch("biases", "Biases, " + aloud(view.biases_note), view.biases);
    add_switch("gated", "Gated feed-forward layer, three matrices", view.gated);
    for (const auto* list : {&view.controls, &view.model_controls, &view.text_controls})
      for (const SizeControl& control : *list) {
        if (!control.locked) add_steps(control);
        description.fields.push_back({"size:" + control.field + "=", spoken_name(control),
                                      budget::text_of(state.budget.sizes, control.field), !control.locked});
      }
  }

  void add_switch(const char* field, std::string label, bool on) const {
    add("sizes", SetSize{field, on ? "off" : "on"}, std::move(label), on);
  }

  /// One stop down, one stop up.
  void add_steps(const SizeControl& control) const {
    for (const int step : {-1, 1}) {
      const int stop = control.stop + step;
      if (stop < 0 || stop >= static_cast<int>(control.stops.size())) continue;
      const std::string& action = at(control.stops, stop);
      const std::string value = action.substr(action.find('=') + 1);
      add("sizes", SetSize{control.field, value},
          spoken_name(control) + ": " + (step < 0 ? "less, " : "more, ") + value);
    }
  }
};

}  // namespace

void describe_budget(Description& description, const State& state, const Derived& derived) {
  const BudgetView& view = derived.budget;
  description.title = view.title;
  description.subtitle = to_plain(view.subtitle);
  description.sentence = view.spoken;
  description.notes = notes_of(view);
  for (const PresetRow& row : view.presets)
    if (const budget::Preset* preset = row.on ? budget::find_preset(row.id) : nullptr)
      description.notes.push_back(row.name + ": " + std::string(preset->source) + ". " + std::string(preset->note));
  Tables(description, state, view).add_all();
  Controls{description, state, view}.add_all();
}

}  // namespace app
