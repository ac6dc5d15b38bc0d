// The budget's words and numbers: the drawing's, to the letter, and that they fit together whatever is chosen.
#include "app_budget_support.hpp"

#include <cmath>
#include <numeric>

using namespace app_test;
using budget_test::has;

namespace {

BudgetView view_of(const State& state) { return derive_budget(state.budget, nullptr); }

BudgetView view_of(std::initializer_list<Action> actions) {
  State state = budget_state();
  for (const Action& action : actions) {
    const auto refused = update(state, action);
    REQUIRE_MESSAGE(!refused, refused.value_or(""));
  }
  return view_of(state);
}

std::string spaces(std::string text) {  // thin spaces, seen
  for (std::size_t place; (place = text.find("\u2009")) != std::string::npos;) text.replace(place, 3, " ");
  return text;
}

std::string said(const std::vector<Part>& parts) {
  std::string text;
  for (const Part& part : parts) {
    if (part.kind == Part::Kind::line_break_hint) continue;
    text += (text.empty() ? "" : " ") + spaces(to_plain(part.text));
    if (part.kind == Part::Kind::fraction) text += "/" + spaces(to_plain(part.below));
  }
  return text;
}

const SizeControl& control_of(const BudgetView& view, std::string_view field) {
  for (const auto* list : {&view.controls, &view.model_controls, &view.text_controls})
    for (const SizeControl& control : *list)
      if (control.field == field) return control;
  FAIL("no control for ", std::string(field));
  return view.controls.front();
}

}  // namespace

TEST_CASE("budget page: large numbers in groups, in short, in bytes") {
  CHECK(spaces(grouped(budget::Whole{0})) == "0");
  CHECK(spaces(grouped(budget::Whole{512})) == "512");
  CHECK(spaces(grouped(budget::Whole{1024})) == "1 024");
  CHECK(spaces(grouped(budget::Whole{57982058496})) == "57 982 058 496");
  CHECK(spaces(grouped(131072.0)) == "131 072");
  CHECK(grouped(1.234e18) == "1.23e18");
  CHECK(in_short(512) == "512");
  CHECK(in_short(999) == "999");
  CHECK(in_short(1000) == "1.00 k");
  CHECK(in_short(131072) == "131 k");
  CHECK(in_short(1048576) == "1.05 M");
  CHECK(in_short(603979776) == "604 M");
  CHECK(in_short(57982058496) == "58.0 B");
  CHECK(in_short(999999) == "1.00 M");
  CHECK(in_short(1.75e14) == "175 T");
  CHECK(in_short(3e20) == "3.00e20");
  CHECK(in_bytes(96) == "96 B");
  CHECK(in_bytes(512 * 1024) == "512 KiB");
  CHECK(in_bytes(1.5 * 1073741824) == "1.5 GiB");
  CHECK(in_bytes(1048575) == "1 MiB");
  CHECK(in_bytes(1e30) == "8.67e11 EiB");
}

TEST_CASE("budget page: it opens on the drawing") {
  const BudgetView view = view_of({});
  CHECK(view.title == "What does multi-head attention cost?");
  CHECK(view.subtitle ==
        "More heads, same bill: if d_{k} = d_{model} / h, every extra head only makes the slices narrower.");
  REQUIRE(view.presets.size() == 13);
  CHECK(view.presets[0].name == "Transformer base");
  CHECK(view.presets[0].d_model == "512");
  CHECK(view.presets[0].heads == "8 heads");
  CHECK(view.presets[0].on);
  const auto on = std::count_if(view.presets.begin(), view.presets.end(), [](const PresetRow& row) { return row.on; });
  CHECK(on == 1);
  for (const auto& [field, caption, value, locked] :
       {std::tuple("d_model", "width of a token", "512", false), std::tuple("h", "heads", "8", false),
        std::tuple("d_k", "query and key, = 512 / 8", "64", true), std::tuple("d_v", "value, = 512 / 8", "64", true)}) {
    const SizeControl& control = control_of(view, field);
    CHECK(control.caption == caption);
    CHECK(control.value == value);
    CHECK(control.locked == locked);
  }
  CHECK(view.keep);
  CHECK(view.keep_label == "Keep d_{k} = d_{v} = d_{model} / h");
  CHECK_FALSE(view.biases);
  CHECK(view.biases_note == "would add 2048");
  CHECK(view.parameters.attention.total == 1048576);
  REQUIRE(view.bars.size() == 4);
  for (const BillBar& bar : view.bars) {
    CHECK(bar.parameters == 262144);
    CHECK(bar.slices == 8);
  }
  CHECK(view.attention_share == doctest::Approx(1.0 / 3));
  CHECK(view.layer_note == "feed-forward width d_{ff} = 4 d_{model} = 2048");
  CHECK(spaces(view.feed_forward_formula) == "2 · 512 · 2048 = 2 097 152");
  CHECK(view.left_out == "Layer norms, embeddings and biases are left out.");
}

TEST_CASE("budget page: the formula has the drawing's columns") {
  const BudgetView view = view_of({});
  std::string symbols, numbers, labels;
  for (const BudgetView::Term& term : view.formula) {
    symbols += to_plain(term.symbol) + " ", numbers += spaces(term.number) + " ";
    if (!term.label.empty()) labels += to_plain(term.label) + " ";
  }
  CHECK(symbols == "h · ( d_model d_k + d_model d_k + d_model d_v ) + h d_v · d_model = parameters ");
  CHECK(numbers == "8 · ( 512 · 64 + 512 · 64 + 512 · 64 ) + 8 · 64 · 512 = 1 048 576 ");
  CHECK(labels == "W^Q W^K W^V W^O ");
  const BudgetView shared = view_of({OpenPreset{"llama3_8b"}, SetSize{"biases", "on"}});
  symbols.clear();
  for (const BudgetView::Term& term : shared.formula) symbols += to_plain(term.symbol) + " ";
  CHECK(symbols == "h · d_model d_k + h_kv · ( d_model d_k + d_model d_v ) + h d_v · d_model + biases = parameters ");
}

TEST_CASE("budget page: the strip makes one head's slice and all of them") {
  const BudgetView view = view_of({});
  CHECK(view.shown == Amount::W_Q);
  CHECK(said(view.parts) == "One head in W^Q = 512 × 64 = 32 768");
  CHECK(said(view.more_parts) == "All 8 heads = 8 × 32 768 = 262 144 = 512 × 512");
  CHECK(view.sentence == "Splitting 512 columns into 8 slices of 64 leaves the matrix as large as before.");
  CHECK(view.spoken ==
        "One head in W^Q = 512 × 64 = 32,768. All 8 heads = 8 × 32,768 = 262,144 = 512 × 512. "
        "Splitting 512 columns into 8 slices of 64 leaves the matrix as large as before.");
  CHECK(said(view_of({PinAmount{Amount::W_O}}).more_parts) == "All 8 heads = 8 × 32 768 = 262 144 = 512 × 512");
  CHECK(has(view_of({PinAmount{Amount::W_O}}).sentence, "512 rows into 8 slices of 64"));
  CHECK(said(view_of({OpenPreset{"gpt3"}, PinAmount{Amount::model}}).parts) ==
        "Attention in all layers = 96 · 603 979 776 = 57 982 058 496");
  CHECK(has(view_of({PinAmount{Amount::model}}).sentence, "48 in the encoder, and 2 · 6 · 8 = 96 in the decoder"));
  CHECK(has(said(view_of({OpenPreset{"llama3_8b"}, PinAmount{Amount::W_K}}).parts), "One key/value head in W^K"));
}

TEST_CASE("budget page: both sentences about one head are there, each with what it compares") {
  const BudgetView view = view_of({});
  REQUIRE(view.rows.size() == 3);
  CHECK(to_plain(view.rows[0].name) == "1 head  d_k = 512");
  CHECK(to_plain(view.rows[2].name) == "8 heads  d_k = 64");
  CHECK(view.rows[0].note == "without W^O");
  CHECK(view.rows[0].parameters == 786432);
  CHECK(view.rows[1].parameters == 1048576);
  CHECK(view.rows[2].parameters == 1048576);
  CHECK(view.rows[1].stored == 16384);
  CHECK(view.rows[2].stored == 131072);
  CHECK(view.rows[2].maps == 8);
  for (const char* part : {"With W^O on both sides", "exactly as many parameters", "no more", "without W^O",
                           "one third more parameters (33.3 %)", "Both are right"})
    CHECK_MESSAGE(has(view.rows_note, part), view.rows_note);
  const BudgetView shared = view_of({OpenPreset{"llama3_8b"}});
  CHECK_FALSE(has(shared.rows_note, "one third"));
  CHECK_FALSE(has(shared.rows_note, "Both are right"));
  CHECK_MESSAGE(has(shared.rows_note, "37.5 % fewer"), shared.rows_note);
}

TEST_CASE("budget page: biases are a bar, a term and no longer left out") {
  const BudgetView view = view_of({SetSize{"biases", "on"}, PinAmount{Amount::biases}});
  REQUIRE(view.bars.size() == 5);
  CHECK(view.bars[4].parameters == 2048);
  CHECK(view.biases_note == "add 2048");
  CHECK(view.parameters.attention.total == 1050624);
  CHECK(view.left_out == "Layer norms and embeddings are left out.");
  CHECK(said(view.parts) == "Biases = 512 + 512 + 512 + 512 = 2048");
}

TEST_CASE("budget page: operations are written with the present numbers, and their formulas come out") {
  const BudgetView view = view_of({ShowBudgetPanel{BudgetPanel::compute}});
  REQUIRE(view.work.size() == 6);
  CHECK(view.work[1].name == "Scores");
  CHECK(view.work[1].formula == "2 · 8 · 128^{2} · 64");
  CHECK(view.work[1].operations == 2.0 * 8 * 128 * 128 * 64);
  CHECK(view.work[0].formula == "2 · 128 · 512 · (512 + 512 + 512)");
  CHECK(view.work[0].bytes == 4 * view.work[0].numbers);
  CHECK_MESSAGE(has(spaces(view.overtakes), "From <b>1005</b> tokens on"), view.overtakes);
  CHECK_MESSAGE(has(spaces(view.weights_line), "8 · 128^{2} = <b>131 072</b>, 512 KiB in one layer"),
                view.weights_line);
  CHECK_MESSAGE(has(spaces(view.cache_line), "6 · 8 · (64 + 64) = <b>6144</b> numbers a token, 24 KiB"),
                view.cache_line);

  // Every formula is multiplied out from its own text.
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const State state = random_budget_state(seed);
    for (const WorkRow& row : view_of(state).work) {
      double product = 1, sum = 0, factor = 0;
      bool in_brackets = false;
      std::string text = row.formula;
      for (std::size_t place; (place = text.find("\u2009")) != std::string::npos;) text.erase(place, 3);
      for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '(') in_brackets = true, sum = 0;
        if (text[i] == ')') in_brackets = false, product *= sum;
        if (text[i] < '0' || text[i] > '9') continue;
        factor = std::strtod(text.c_str() + i, nullptr);
        while (i + 1 < text.size() && text[i + 1] >= '0' && text[i + 1] <= '9') ++i;
        if (text.substr(i + 1, 4) == "^{2}") factor *= factor, i += 4;
        if (in_brackets)
          sum += factor;
        else
          product *= factor;
      }
      CHECK_MESSAGE(product == doctest::Approx(row.operations).epsilon(1e-12), row.formula);
    }
  }
}

TEST_CASE("budget page: the rank says what d_k allows, and of which tokens") {
  const BudgetView view = view_of({ShowBudgetPanel{BudgetPanel::rank}});
  REQUIRE(view.low_rank);
  CHECK(view.low_rank->target.rows() == budget::kMostPictured);
  CHECK(view.low_rank->k == 64);
  CHECK(has(view.rank_title, "64 is less than n = 128"));
  CHECK(has(view.rank_text, "first 96 of 128 tokens"));
  CHECK(has(view.rank_text, "66.7 %"));
  CHECK(has(view.rank_text, "rank 64 keeps 50.0 %"));
  CHECK(said(view.parts) == "Rank of QK^T ≤ min(128, 64) = 64");
  CHECK(view.targets.size() == budget::kTargets);
  const BudgetView small = view_of({SetSize{"n", "32"}});
  CHECK(has(small.rank_title, "no limit for 32 tokens"));
  CHECK(has(small.rank_text, "nothing is lost"));
}

TEST_CASE("budget page: a picture is used again where it comes out the same") {
  State state = budget_state();
  const BudgetView first = view_of(state);
  REQUIRE(!update(state, SetSize{"layers", "3"}));
  const BudgetView second = derive_budget(state.budget, &first);
  CHECK(second.low_rank.is_same_as(first.low_rank));
  REQUIRE(!update(state, SetTarget{budget::Target::average}));
  const BudgetView third = derive_budget(state.budget, &second);
  CHECK_FALSE(third.low_rank.is_same_as(first.low_rank));
  CHECK(third.low_rank->approximation == view_of(state).low_rank->approximation);
}

TEST_CASE("budget page: every amount of every view is explained, and every slider's stop is carried out") {
  for (std::uint64_t seed = 0; seed < 25; ++seed) {
    State state = random_budget_state(seed);
    for (int panel = 0; panel < kBudgetPanels; ++panel) {
      REQUIRE(!update(state, ShowBudgetPanel{static_cast<BudgetPanel>(panel)}));
      int amounts = 0;
      for (int i = 0; i < kAmounts; ++i) {
        State copy = state;
        const auto amount = static_cast<Amount>(i);
        if (update(copy, PinAmount{amount})) continue;
        ++amounts;
        const BudgetView view = view_of(copy);
        CHECK(view.shown == amount);
        REQUIRE(view.parts.size() >= 3);
        CHECK((view.parts[1].text == "<q>=</q>" || amount == Amount::rank));
        CHECK(std::any_of(view.parts.begin(), view.parts.end(),
                          [](const Part& part) { return part.kind == Part::Kind::factor; }));
        CHECK_FALSE(view.sentence.empty());
        CHECK_FALSE(has(view.spoken, "\u2009"));
        CHECK_FALSE(has(view.spoken, "<"));
      }
      CHECK(amounts >= 1);
    }
    const BudgetView view = view_of(state);
    for (const auto* list : {&view.controls, &view.model_controls, &view.text_controls})
      for (const SizeControl& control : *list) {
        REQUIRE(control.stops.size() == control.places.size());
        CHECK(control.places.front() == 0);
        if (control.stops.size() > 1) CHECK(control.places.back() == 1);
        if (control.locked) continue;
        for (std::size_t i = 0; i < control.stops.size(); ++i) {
          const auto action = read_action(control.stops[i]);
          State copy = state;
          CHECK(!update(copy, std::get<Action>(action)));
          if (static_cast<int>(i) == control.stop) CHECK(copy.budget == state.budget);
        }
      }
  }
}
