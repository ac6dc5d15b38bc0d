// "How this number was made": equation, sentence, row bar and spoken form.
#include "app_support.hpp"

#include <algorithm>

using namespace app_test;
using Kind = Part::Kind;

namespace {

Strip strip_of_state(const State& state) { return strip_of(state, derive(state)); }

Strip strip_at(Step step, const Cell& cell, State state = {}) {
  REQUIRE(!update(state, GoToStep{step}));
  REQUIRE(!update(state, Pin{cell}));
  return strip_of_state(state);
}

/// The pieces on one line, for comparing with the drawings.
std::string written(const std::vector<Part>& parts) {
  std::string text;
  for (const Part& part : parts) {
    if (part.kind == Kind::line_break_hint) continue;
    if (!text.empty()) text += ' ';
    if (part.kind == Kind::fraction)
      text += "{" + part.text + " / " + part.below + "}";
    else if (part.kind == Kind::root_fraction)
      text += "{" + part.text + " / √" + part.below + "}";
    else
      text += part.text + (part.dim ? "~" : "") + (part.head >= 0 ? "|" + std::to_string(part.head + 1) : "");
  }
  return text;
}

bool close(double shown, double value) {
  if (std::isinf(value)) return shown == value;
  return std::abs(shown - value) <= 0.0005001 || std::abs(shown - value) <= std::abs(value) * 0.051;
}

/// Random walks that end at every step, with a visible number pinned: what a learner can bring about.
void for_each_strip(int walks, auto check) {
  for (int seed = 0; seed < walks; ++seed) {
    State state = random_state(static_cast<std::uint64_t>(seed), 12);
    update(state, GoToStep{static_cast<Step>(seed % kStepCount)});
    state.hovered.reset(), state.focused.reset();
    for (const Cell& cell : visible_cells(state)) {
      state.pinned = cell;
      const Derived derived = derive(state);
      REQUIRE(derived.shown == cell);
      check(state, derived, strip_of(state, derived));
    }
  }
}

}  // namespace

TEST_CASE("the softmax strip is the drawing's") {
  const Strip strip = strip_of_state(at_step(Step::softmax));
  CHECK(written(strip.parts) ==
        "<b>A</b>_{1}[bark, dogs] <q>=</q> {e^{<k>2.828</k>} / e^{<k>2.828</k>} + e^{<k>0.000</k>}} "
        "<q>=</q> {16.92 / 16.92 + 1.00} <q>=</q> {16.92 / 17.92} <q>=</q> 0.944");
  CHECK(written(strip.short_parts) ==
        "<b>A</b>_{1}[bark, dogs] <q>=</q> {e^{<k>2.828</k>} / e^{<k>2.828</k>} + "
        "e^{<k>0.000</k>}} <q>=</q> {16.92 / 17.92} <q>=</q> 0.944");
  CHECK(strip.sentence == "In head 1, <b>bark</b> gives 94.4 % of its attention to <b>dogs</b>.");
  CHECK(strip.short_sentence == "<b>bark</b> gives 94.4 % of its attention to <b>dogs</b>.");
  REQUIRE(strip.bar);
  CHECK(strip.bar->title == "Row <b>bark</b>, head 1");
  CHECK(strip.bar->short_title == "Row <b>bark</b>");
  CHECK(strip.bar->labels == std::vector<std::string>{"dogs", "bark"});
  CHECK(strip.bar->sum == "0.944 + 0.056 = 1.000");
  CHECK(strip.spoken ==
        "A 1, bark, dogs: e to the 2.828 divided by e to the 2.828 plus e to the 0.000, equals 0.944. "
        "In head 1, bark gives 94.4 % of its attention to dogs.");
}

TEST_CASE("the output strip is the drawing's") {
  const Strip strip = strip_of_state(at_step(Step::output));
  CHECK(written(strip.parts) ==
        "<b>Output</b>[bark, 1] <q>=</q> <k>1.944</k>|1 <q>·</q> <k>1</k> <q>+</q> <k>0.944</k>~|1 <q>·</q> <k>0</k>~ "
        "<q>+</q> <k>1.804</k>~|2 <q>·</q> <k>0</k>~ <q>+</q> <k>\u22120.413</k>|2 <q>·</q> <k>1</k> <q>+</q> "
        "<k>2.888</k>~|3 <q>·</q> <k>0</k>~ <q>+</q> <k>1.056</k>~|3 <q>·</q> <k>0</k>~ <q>=</q> 1.531");
  CHECK(written(strip.short_parts) ==
        "<b>Output</b>[bark, 1] <q>=</q> <k>1.944</k>|1 <q>·</q> <k>1</k> <q>+</q> "
        "<k>\u22120.413</k>|2 <q>·</q> <k>1</k> <q>=</q> 1.531");
  CHECK(strip.sentence ==
        "Two of the six numbers count here: one from head 1, one from head 2. "
        "The zeros in <b>W</b>^{O} switch the rest off.");
  CHECK_FALSE(strip.bar);
}

TEST_CASE("each other step's strip reads like its arithmetic") {
  CHECK(written(strip_of_state(at_step(Step::input)).parts) == "<b>X</b>[dogs, noun] <q>=</q> 1");
  CHECK(written(strip_of_state(at_step(Step::score)).parts) ==
        "<b>Score</b>_{1}[bark, dogs] <q>=</q> <k>2</k> <q>·</q> <k>2</k> <q>+</q> <k>0</k>~ <q>·</q> <k>0</k>~ "
        "<q>=</q> 4");
  CHECK(written(strip_of_state(at_step(Step::scale)).parts) ==
        "<b>Scaled</b>_{1}[bark, dogs] <q>=</q> {<k>4</k> / √2} <q>=</q> 2.828");
  CHECK(written(strip_of_state(at_step(Step::mask)).parts) ==
        "<b>Masked</b>_{1}[bark, dogs] <q>=</q> <k>2.828</k> <q>=</q> 2.828");
  CHECK(written(strip_of_state(at_step(Step::weigh)).parts) ==
        "head_{1}[bark, 1] <q>=</q> <k>0.944</k> <q>·</q> <k>2</k> <q>+</q> <k>0.056</k> <q>·</q> <k>1</k> <q>=</q> "
        "1.944");
  CHECK(written(strip_at(Step::concat, {Tensor::concat, -1, 1, 3}).parts) ==
        "<b>Concat</b>[bark, 4] <q>=</q> <k>\u22120.413</k>|2 <q>=</q> \u22120.413");
  const Strip query = strip_of_state(at_step(Step::project));
  CHECK(std::count_if(query.parts.begin(), query.parts.end(), [](const Part& p) { return p.kind == Kind::factor; }) ==
        12);
  CHECK(written(query.short_parts) ==
        "<b>Q</b>_{1}[bark, 1] <q>=</q> <k>1</k> <q>·</q> <k>2</k> <q>+</q> <k>1</k>~ <q>·</q> "
        "<k>0</k>~ <q>+</q> <k>1</k>~ <q>·</q> <k>0</k>~ <q>=</q> 2");
}

TEST_CASE("a sum is said aloud without the products that count nothing") {
  CHECK(strip_of_state(at_step(Step::output))
            .spoken.starts_with(
                "Output, bark, 1: 1.944 times 1 plus \u22120.413 times 1, equals 1.531. Two of the six numbers"));
  CHECK(strip_of_state(at_step(Step::project)).spoken.starts_with("Q 1, bark, 1: 1 times 2, equals 2. "));
  CHECK(strip_at(Step::project, {Tensor::Q, 0, 0, 0})
            .spoken.starts_with("Q 1, dogs, 1: every product is 0, so it is 0. "));
  CHECK(strip_of_state(at_step(Step::scale))
            .spoken.starts_with("Scaled 1, bark, dogs: 4 divided by the square root of 2, equals 2.828. "));
}

TEST_CASE("each sentence says what its number means") {
  const auto sentence = [](Step step, const Cell& cell) { return strip_at(step, cell).sentence; };
  CHECK(sentence(Step::input, {Tensor::X, -1, 0, 0}) ==
        "<b>dogs</b> has 1 for noun. This number is given. Click or press Enter to change it.");
  CHECK(sentence(Step::project, {Tensor::W_V, 0, 3, 1}) ==
        "In head 1, <b>W</b>^{V} multiplies action by \u22121 for the second number of a value. This number is given. "
        "Click or press Enter to change it.");
  CHECK(sentence(Step::output, {Tensor::W_O, -1, 3, 0})
            .starts_with("<b>W</b>^{O} multiplies number 2 of head 2 by 1 for output number 1."));
  CHECK(sentence(Step::project, {Tensor::V, 0, 0, 1}) ==
        "In head 1, the value of <b>dogs</b> gets its second number from animal.");
  CHECK(sentence(Step::project, {Tensor::Q, 0, 0, 0}) ==
        "In head 1, no feature of <b>dogs</b> counts for the first number of its query, so it is 0.");
  CHECK(sentence(Step::score, {Tensor::scores, 1, 0, 0}) ==
        "In head 2, the query of <b>dogs</b> meets its own key: their score is 3.");
  CHECK(sentence(Step::scale, {Tensor::scaled, 0, 1, 1}) ==
        "In head 1, the score of <b>bark</b> for itself is 0. Divided by √2, it is still 0.");
  CHECK(sentence(Step::softmax, {Tensor::pattern, 1, 0, 0}) ==
        "In head 2, <b>dogs</b> gives 80.4 % of its attention to itself.");
  CHECK(sentence(Step::weigh, {Tensor::head, 0, 1, 0}) ==
        "In head 1, <b>bark</b> takes 94.4 % of the value of <b>dogs</b> and 5.6 % of its own.");
  CHECK(sentence(Step::concat, {Tensor::concat, -1, 1, 3}) ==
        "This number is copied from head 2, number 2. Concat computes nothing.");
}

TEST_CASE("an edited number says what it was") {
  State state;
  REQUIRE(!update(state, SetCell{{Tensor::X, -1, 0, 0}, 0.9}));
  CHECK(strip_of_state(state).sentence.starts_with("<b>dogs</b> has 0.9 for noun. It was 1 before you changed it."));
}

TEST_CASE("the output sentence counts the numbers that count") {
  const auto sentence = [](std::vector<double> column) {
    State state = at_step(Step::output);
    for (int row = 0; row < 6; ++row)
      REQUIRE(!update(state, SetCell{{Tensor::W_O, -1, row, 0}, column[static_cast<std::size_t>(row)]}));
    return to_plain(strip_of_state(state).sentence);
  };
  CHECK(sentence({0, 0, 0, 0, 0, 0}) == "None of the six numbers counts here: the zeros in W^O switch them off.");
  CHECK(sentence({0, 0, 0, 0, 2, 0}) ==
        "One of the six numbers counts here: one from head 3. The zeros in W^O switch the rest off.");
  CHECK(sentence({1, 1, 0, 0, 0, 0}) ==
        "Two of the six numbers count here: two from head 1. The zeros in W^O switch the rest off.");
  CHECK(sentence({1, 1, 1, 0, 1, 1}) ==
        "Five of the six numbers count here: two from head 1, one from head 2, two from head 3. The zero in W^O "
        "switches the other one off.");
  CHECK(sentence({1, 1, 1, 1, 1, 1}) ==
        "All six numbers count here: two from head 1, two from head 2, two from head 3.");
}

TEST_CASE("a masked weight is 0 and its strip says why") {
  State state;
  REQUIRE(!update(state, SetCausal{true}));
  Strip strip = strip_at(Step::softmax, {Tensor::pattern, 0, 0, 1}, state);
  CHECK(written(strip.parts) == "<b>A</b>_{1}[dogs, bark] <q>=</q> {0 / e^{<k>0.000</k>} + 0} <q>=</q> 0");
  CHECK(strip.sentence == "<b>dogs</b> may not look at <b>bark</b>, so this weight is 0.");
  strip = strip_at(Step::softmax, {Tensor::pattern, 0, 0, 0}, state);
  CHECK(strip.sentence ==
        "In head 1, <b>dogs</b> gives 100 % of its attention to itself. It may not look at <b>bark</b>: that weight is "
        "0.");
  CHECK(strip.bar->sum == "1.000 + 0 = 1.000");
  strip = strip_at(Step::mask, {Tensor::masked, 0, 0, 1}, state);
  CHECK(written(strip.parts) == "<b>Masked</b>_{1}[dogs, bark] <q>=</q> \u2212∞");
  CHECK(strip.sentence ==
        "<b>bark</b> comes after <b>dogs</b>, so <b>dogs</b> may not look at it: the score becomes \u2212∞.");
}

TEST_CASE("a fully masked row speaks") {
  State state;
  REQUIRE(!update(state, ToggleMay{0, 0}));
  REQUIRE(!update(state, ToggleMay{0, 1}));
  const Strip strip = strip_at(Step::softmax, {Tensor::pattern, 1, 0, 0}, state);
  CHECK(written(strip.parts) == "<b>A</b>_{2}[dogs, dogs] <q>=</q> 0");
  CHECK(strip.sentence == "<b>dogs</b> may look at no token, so all its weights are 0.");
  CHECK(strip.bar->sum == "0 + 0 = 0");
  CHECK(strip.bar->shares == std::vector<double>{0, 0});
  CHECK(strip_at(Step::weigh, {Tensor::head, 1, 0, 0}, state).sentence.find("takes no value") != std::string::npos);
  CHECK(strip_at(Step::mask, {Tensor::masked, 1, 0, 0}, state).sentence.find("all its scores become \u2212∞") !=
        std::string::npos);
}

TEST_CASE("large scores are written with the largest taken off the exponents") {
  State state;
  REQUIRE(!update(state, SetCell{{Tensor::X, -1, 0, 0}, 20}));
  const Strip strip = strip_at(Step::softmax, {Tensor::pattern, 0, 1, 1}, state);
  CHECK(written(strip.parts) ==
        "<b>A</b>_{1}[bark, bark] <q>=</q> {e^{<k>0.000</k>} / e^{<k>56.569</k>} + e^{<k>0.000</k>}} <q>=</q> "
        "{e^{\u221256.569} / e^{0.000} + e^{\u221256.569}} <q>=</q> {0.00 / 1.00} <q>=</q> 0.000");
  CHECK(strip.sentence == "In head 1, <b>bark</b> gives less than 0.1 % of its attention to itself.");
}

TEST_CASE("every number in a strip is the trace's") {
  for_each_strip(90, [](const State& state, const Derived& derived, const Strip& strip) {
    for (const auto* parts : {&strip.parts, &strip.short_parts})
      for (const Part& part : *parts) {
        if (part.kind != Kind::factor && part.kind != Kind::result) continue;
        REQUIRE(part.cell);
        const double value = value_of(state, derived, *part.cell);
        CHECK_MESSAGE(close(shown_number(to_plain(part.text)), value), to_text(*part.cell), " ", part.text, " ", value);
        if (part.kind == Kind::result) CHECK(part.value == value);
      }
  });
}

TEST_CASE("a strip's products add up to its result, in both lengths") {
  for_each_strip(90, [](const State& state, const Derived& derived, const Strip& strip) {
    if (derived.explanation.operation != attention::Operation::dot) return;
    for (const auto* parts : {&strip.parts, &strip.short_parts}) {
      std::vector<double> factors;
      for (const Part& part : *parts)
        if (part.kind == Kind::factor) factors.push_back(value_of(state, derived, *part.cell));
      REQUIRE(factors.size() % 2 == 0);
      double sum = 0;
      for (std::size_t i = 0; i < factors.size(); i += 2) sum += factors[i] * factors[i + 1];
      CHECK(sum == value_of(state, derived, *derived.shown));
    }
  });
}

TEST_CASE("a softmax strip's last fraction is its result") {
  for_each_strip(90, [](const State&, const Derived& derived, const Strip& strip) {
    if (derived.explanation.operation != attention::Operation::softmax) return;
    const Part* last = nullptr;
    for (const Part& part : strip.short_parts)
      if (part.kind == Kind::fraction) last = &part;
    if (!last || last->text.find('e') == 0 || last->text == "0") return;  // a masked weight has no other fraction
    const double ratio = shown_number(last->text) / shown_number(last->below);
    CHECK_MESSAGE(std::abs(ratio - strip.short_parts.back().value) < 0.01, last->text, " / ", last->below);
  });
}

TEST_CASE("every strip starts with its label, has a sentence, and can be said aloud") {
  for_each_strip(90, [](const State& state, const Derived& derived, const Strip& strip) {
    for (const auto* parts : {&strip.parts, &strip.short_parts}) {
      REQUIRE(parts->size() >= 3);
      CHECK((*parts)[0].text == label_of(state, *derived.shown));
      CHECK((*parts)[1].text == "<q>=</q>");
      CHECK(parts->back().kind == Kind::result);
    }
    CHECK(strip.sentence.ends_with("."));
    CHECK(strip.spoken.ends_with(to_plain(strip.sentence)));
    for (const char* markup : {"<b>", "<k>", "</", "_{", "^{"}) CHECK(strip.spoken.find(markup) == std::string::npos);
    if (strip.bar) {
      double sum = 0;
      for (const double share : strip.bar->shares) sum += share;
      CHECK((std::abs(sum - 1) < 1e-12 || (sum == 0 && is_fully_masked(state, derived.shown->row))));
    }
  });
}

TEST_CASE("a scale, an additive mask and a gate stand in the equation and in the sentence") {
  State state;
  state.document.config.scale = 0.5;
  state.document.input.additive_mask =
      attention::Matrix<double>{{0, -std::numeric_limits<double>::infinity()}, {-1.5, 0}};
  state.document.weights.heads[0].gate = 0.25;
  state.document.weights.heads[2].gate = 0;
  const auto strip = [&](Step step, const Cell& cell) { return strip_at(step, cell, state); };

  const Strip scaled = strip(Step::scale, {Tensor::scaled, 0, 1, 0});
  CHECK(written(scaled.parts) == "<b>Scaled</b>_{1}[bark, dogs] <q>=</q> <k>4</k> <q>·</q> 0.5 <q>=</q> 2.000");
  CHECK(scaled.spoken ==
        "Scaled 1, bark, dogs: 4 times 0.5, equals 2.000. In head 1, the score of bark for dogs goes from "
        "4 to 2.000: it is multiplied by 0.5.");
  CHECK(strip(Step::scale, {Tensor::scaled, 0, 0, 0}).sentence ==
        "In head 1, the score of <b>dogs</b> for itself is 0. Multiplied by 0.5, it is still 0.");

  const Strip added = strip(Step::mask, {Tensor::masked, 0, 1, 0});
  CHECK(written(added.parts) ==
        "<b>Masked</b>_{1}[bark, dogs] <q>=</q> <k>2.000</k> <q>+</q> <k>\u22121.5</k> <q>=</q> 0.500");
  CHECK(added.spoken ==
        "Masked 1, bark, dogs: 2.000 plus \u22121.5, equals 0.500. bark may look at dogs, and the mask adds "
        "\u22121.5 to the scaled score.");
  CHECK(strip(Step::mask, {Tensor::masked, 0, 1, 1}).sentence ==
        "<b>bark</b> may look at itself, so the scaled score stays as it is.");
  CHECK(strip(Step::softmax, {Tensor::pattern, 0, 0, 1}).sentence ==
        "<b>dogs</b> may not look at <b>bark</b>, so this weight is 0.");
  CHECK(strip(Step::mask, {Tensor::additive_mask, -1, 1, 0}).sentence ==
        "The mask adds \u22121.5 to the scaled score of <b>bark</b> for <b>dogs</b>, in every head. "
        "This number is given. Click or press Enter to change it.");

  const Strip gated = strip(Step::concat, {Tensor::concat, -1, 1, 1});
  CHECK(written(gated.parts).starts_with("<b>Concat</b>[bark, 2] <q>=</q> "));
  CHECK(written(gated.parts).find("|1 <q>·</q> <k>0.25</k> <q>=</q> ") != std::string::npos);
  CHECK(gated.sentence == "This number is number 2 of head 1, multiplied by the gate of that head, 0.25.");
  CHECK(strip(Step::concat, {Tensor::concat, -1, 1, 2}).sentence ==
        "This number is copied from head 2, number 1. Concat computes nothing.");
  CHECK(strip(Step::concat, {Tensor::concat, -1, 1, 5}).sentence ==
        "The gate of head 3 is 0, so nothing of it comes into concat.");
  CHECK(describe(state, derive(state)).tables.size() == 1);  // X alone at the first step
  REQUIRE(!update(state, GoToStep{Step::mask}));
  CHECK(describe(state, derive(state)).tables[1].caption == "Additive mask: rows are queries, columns are keys");
}

TEST_CASE("tokens with markup are shown as they are") {
  State state = at_step(Step::softmax);
  state.document.tokens = {"<img onerror>", "%s_{1}"};
  const Strip strip = strip_of_state(state);
  CHECK(strip.parts[0].text == "<b>A</b>_{1}[%s\\_{1}, \\<img onerror>]");
  CHECK(strip.sentence == "In head 1, <b>%s\\_{1}</b> gives 94.4 % of its attention to <b>\\<img onerror></b>.");
  CHECK(to_plain(strip.sentence) == "In head 1, %s_{1} gives 94.4 % of its attention to <img onerror>.");
  CHECK(to_plain(words_of(state, Step::softmax).look_for) == "In which head does %s_{1} find its subject?");
  CHECK(strip.bar->labels[0] == "<img onerror>");  // plain by contract
  const Description description = describe(state, derive(state));
  CHECK(description.tables[0].rows[0] == "<img onerror>");
}
