// Questions about live numbers: the right answers and the slips against plain loops from X and the weights, and every
// type over 1,000 seeds of several documents.
#include "practice_live_plain.hpp"

using namespace practice_test;

namespace {

constexpr std::string_view kTypes[] = {"project",     "score",  "scaled", "mask",    "weight",
                                       "head_output", "concat", "output", "largest", "no_W_O"};

/// How many questions one can tell apart at least: a document has few numbers.
int different(std::string_view id) { return id == "scaled" || id == "weight" || id == "head_output" ? 4 : 6; }

/// Text of the slip with this id; "" when there is none.
const Slip* find_slip(const Question& question, std::string_view id) {
  for (const Slip& slip : question.slips)
    if (slip.id == id) return &slip;
  return nullptr;
}

/// The first question of a type that `wanted` is true of.
Question first_that(const State& state, std::string_view id, const std::function<bool(const Question&)>& wanted) {
  for (std::uint64_t seed = 1; seed < 400; ++seed)
    if (Question question = make_question(state, id, seed); wanted(question)) return question;
  FAIL("no such question of ", id);
  return {};
}

}  // namespace

TEST_CASE(
    "every type of question about live numbers holds over 1,000 seeds, whatever the learner made of the example") {
  for (const Asked& asked : documents())
    for (const std::string_view id : kTypes)
      check_type(id, asked, 1000, different(id), {},
                 [&](const Question& question) { return live_faults(question, asked.state); });
}

TEST_CASE("numbers that can hardly be asked about still make questions that hold") {
  for (const Asked& asked : hard_documents())
    for (const std::string_view id : kTypes)
      check_type(id, asked, 60, 2, {}, [&](const Question& question) { return live_faults(question, asked.state); });
}

TEST_CASE("questions hold after any walk through the learner's actions") {
  for (std::uint64_t walk = 1; walk <= 60; ++walk) {
    Asked asked{"walk " + std::to_string(walk), walk % 2 ? random_state(walk) : edited_state(walk, 3)};
    asked.state.past.clear(), asked.state.future.clear();
    if (walk % 4 == 0)
      REQUIRE(!update(asked.state, ToggleMay{static_cast<int>(walk / 4 % 2), static_cast<int>(walk / 8 % 2)}));
    asked.state.past.clear();
    for (const std::string_view id : kTypes)
      check_type(id, asked, 12, 1, {}, [&](const Question& question) { return live_faults(question, asked.state); });
  }
}

TEST_CASE("numbers that don't serve are replaced by the lesson's, and the question says so") {
  const std::vector<Asked> hard = hard_documents();
  for (const std::string_view id : {"score", "weight", "head_output", "output"}) {
    const Question question = make_question(hard[0].state, id, 3);
    CHECK(question.given.find("Your own numbers don’t serve here") != std::string::npos);
    CHECK(question.show.empty());
    CHECK(question.picture.numbers->state.document == example());
  }
  // An edit that serves: these are the learner's own, and the canvas has them.
  const State edited = slightly_edited_state(1);
  const Question own = make_question(edited, "project", 3);
  CHECK(own.given.find("your own numbers") != std::string::npos);
  CHECK_FALSE(own.show.empty());
  CHECK(make_question({}, "project", 3).given.find("own numbers") == std::string::npos);
}

TEST_CASE("the drawing's question says what the drawing says") {
  const Question q = first_that({}, "weight", [](const Question& it) {
    return it.title == "How much attention does <i>dogs</i> give to <i>dogs</i> in head 2?";
  });
  CHECK(q.given == "The raw scores of <b>dogs</b> are <m>3</m> for dogs and <m>1</m> for bark. d_{k} = 2.");
  CHECK(q.rounding == "Round to three decimals.");
  CHECK(q.label == "<b>A</b>_{2}[dogs, dogs]");
  CHECK(q.tag == "Softmax");
  const Slip* slip = find_slip(q, "no_scaling");
  REQUIRE(slip);
  CHECK(answer_text(q, slip->answer).substr(0, 5) == "0.880");  // 0.8808
  CHECK(slip->heading == "the scale step is missing");
  CHECK(slip->says ==
        "0.881 is what softmax gives for the raw scores 3 and 1. Attention first divides every score by the square "
        "root of "
        "d_{k}.");
  REQUIRE(slip->way.size() == 5);
  CHECK(slip->way[0] == Part{.kind = Part::Kind::fraction, .text = "e^{3}", .below = "e^{3} + e^{1}"});
  CHECK(slip->way[2] == Part{.kind = Part::Kind::fraction, .text = "20.09", .below = "22.80"});
  CHECK(to_plain(slip->way[4].text) == "0.881");
  CHECK(slip->first_name == "First scale");
  CHECK(plain_of(slip->first) == "3 / √2 = ? 1 / √2 = ?");
  CHECK(slip->differs_at == Tensor::scaled);
  CHECK(slip->arc == "your way skips this step");
  CHECK(q.show_label == "Show me on the canvas");
  CHECK(q.picture.formula == "<b>A</b>_{2} <q>=</q> softmax( <b>Q</b>_{2} <b>K</b>_{2}^{T} <k>/ √d_{k}</k> )");
  CHECK(q.picture.why ==
        "Why scale? Long vectors give large scores, and large scores push softmax towards a single token. Dividing by "
        "the "
        "square root of d_{k} keeps the weights soft.");
  CHECK(q.picture.chain == std::vector<Tensor>{Tensor::scores, Tensor::scaled, Tensor::pattern});
}

TEST_CASE("large exponents lose their largest before they are written out") {
  State state;  // scores of hundreds: e to their power has no place on the page, or none in a double
  for (const Cell& cell : cells_of(state, Tensor::W_K))
    REQUIRE(!update(state, SetCell{cell, cell.row == 2 || cell.row == 3 ? 30.0 + 0.0 * cell.col : 0.0}));
  REQUIRE(!update(state, SetCell{{Tensor::W_K, 1, 2, 0}, 30.5}));
  REQUIRE(!update(state, SetCell{{Tensor::W_Q, 1, 2, 0}, 25.0}));
  const Question q = first_that(state, "weight", [](const Question& it) { return it.picture.numbers->own; });
  CHECK(std::abs(value_of(q.picture.numbers->state, q.picture.numbers->derived, {Tensor::scores, 1, 0, 0})) > 700);
  bool shifted = false;
  for (const Slip& slip : q.slips)
    shifted = shifted || (slip.way.size() == 7 && slip.way[2].kind == Part::Kind::fraction);
  CHECK(shifted);
  CHECK(faults_of(q, state).empty());
}

TEST_CASE("a row with equal scores is never asked for its largest") {
  State state = edited_state(2, 1);
  set_all(state, Tensor::W_Q, [] { return 0.0; });  // all scores are 0
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const Question question = make_question(state, "largest", seed);
    if (question.cell->tensor == Tensor::pattern) CHECK_FALSE(question.picture.numbers->own);
  }
}

TEST_CASE("a mask that the learner has set is the one that is asked about, and the canvas shows it") {
  State causal;
  REQUIRE(!update(causal, SetCausal{true}));
  const Question own = make_question(causal, "mask", 5);
  CHECK(own.title.find("With the causal mask") == 0);
  CHECK(own.show == walk_to(*own.cell));
  // Without one, the question states a mask; the canvas opens where it can be switched on, and nothing is changed.
  const Question stated = make_question({}, "mask", 5);
  CHECK(stated.show_label == "Show me the mask step");
  State shown;
  for (const std::string& text : stated.show) {
    const auto action = read_action(text);
    REQUIRE(!update(shown, std::get<Action>(action)));
  }
  CHECK(shown.step == Step::mask);
  CHECK(shown.document == example());
  CHECK(shown.pinned->row == stated.cell->row);
  CHECK(shown.pinned->col == stated.cell->col);
  // A row that may look at nothing is nobody's question.
  const State none = hard_documents()[4].state;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const Question question = make_question(none, "mask", seed);
    CHECK_FALSE(is_fully_masked(question.picture.numbers->state, question.cell->row));
  }
}

TEST_CASE("without W^O a number is Concat's own, by the engine and by the words") {
  bool number = false, choice = false;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Question q = make_question({}, "no_W_O", seed);
    if (q.asks == Asks::choice) {
      choice = true;
      const int head = std::get<int>(q.right);
      CHECK(head == q.cell->col / 2);
      CHECK(q.choices[static_cast<std::size_t>(head)].text == "Only head " + std::to_string(head + 1));
      continue;
    }
    number = true;
    const Derived derived = derive(State{});
    CHECK(std::get<double>(q.right) == value_of(State{}, derived, {Tensor::concat, -1, q.cell->row, q.cell->col}));
    const Slip* with = find_slip(q, "with_W_O");
    if (with) CHECK(std::get<double>(with->answer) == value_of(State{}, derived, *q.cell));
  }
  CHECK(number);
  CHECK(choice);
}

TEST_CASE("each slip of a type is met, so that none of them is never recognised") {
  const std::pair<std::string_view, std::vector<std::string_view>> kMet[] = {
      {"project",
       {"other_projection_Q", "other_projection_K", "other_projection_V", "other_column_1", "other_head_1",
        "other_token_1", "no_input", "forgot_product"}},
      {"score",
       {"swapped", "no_transpose", "other_key_1", "Q_for_K", "K_for_Q", "scaled_already", "forgot_product", "added"}},
      {"scaled", {"no_scaling", "over_d_k", "sqrt_d_model", "times_root", "over_d_model"}},
      {"mask", {"forgot_mask", "zero_score", "transposed_mask", "reversed_mask", "equal_shares", "other_key_1"}},
      {"weight",
       {"no_scaling", "over_d_k", "sqrt_d_model", "no_exponential", "wrong_axis", "swapped", "other_key_1",
        "other_head_1"}},
      {"head_output",
       {"plain_mean", "no_weights", "other_token_1", "column_of_A", "swapped_values", "other_column_1",
        "scores_for_weights", "K_for_V", "largest_only", "forgot_product"}},
      {"concat",
       {"interleaved", "averaged", "from_zero", "head_too_far", "d_model_wide", "heads_backwards", "other_token_1"}},
      {"output",
       {"row_of_W_O", "no_W_O", "averaged_heads", "other_token_1", "forgot_product", "without_head_1",
        "other_column_1"}},
      {"largest", {"other_key_1", "swapped", "other_query_1", "no_transpose", "other_number_1"}},
      {"no_W_O", {"with_W_O", "averaged_heads", "sum_of_Concat", "other_token_1", "other_column_1", "interleaved"}}};
  for (const auto& [id, slips] : kMet) {
    std::set<std::string> met;
    for (const Asked& asked : documents())
      for (std::uint64_t seed = 1; seed <= 40; ++seed)
        for (const Slip& slip : make_question(asked.state, id, seed).slips) met.insert(slip.id);
    for (const std::string_view slip : slips) CHECK_MESSAGE(met.count(std::string(slip)) == 1, id, ": ", slip);
  }
}

TEST_CASE("what is amiss with a question is found") {
  const Question good = first_that({}, "weight", [](const Question& it) { return it.slips.size() >= 4; });
  const std::vector<std::string> none = faults_of(good, {});
  CHECK_MESSAGE(none.empty(), lines(none));
  const auto spoilt = [&](std::string_view finding, const std::function<void(Question&)>& spoil) {
    Question question = good;
    spoil(question);
    const std::vector<std::string> faults = faults_of(question, {});
    const bool found = std::any_of(faults.begin(), faults.end(),
                                   [&](const std::string& fault) { return fault.find(finding) != std::string::npos; });
    CHECK_MESSAGE(found, "not found: ", finding, lines(faults));
  };
  const double right = std::get<double>(good.right);
  spoilt("tag isn't its type's", [](Question& q) { q.tag = "Else"; });
  spoilt("a tag that stays open", [](Question& q) { q.title = "<b>" + q.title; });
  spoilt("a brace", [](Question& q) { q.given += " d_{k}}"; });
  spoilt("index without braces", [](Question& q) { q.given += " d_k"; });
  spoilt("\"nan\"", [](Question& q) { q.slips[0].says += " It is nan."; });
  spoilt("\"wrong\"", [](Question& q) { q.slips[0].heading = "that is wrong"; });
  spoilt("exclamation", [](Question& q) { q.hints[0] += "!"; });
  spoilt("fonts don't have", [](Question& q) { q.hints[0] += " ∑"; });
  spoilt("hyphen for a minus", [](Question& q) { q.given += " It is -3."; });
  spoilt("head that isn't there", [](Question& q) { q.given += " See head 4."; });
  spoilt("is right", [&](Question& q) { q.slips[1].answer = right; });
  spoilt("gives the same as", [](Question& q) { q.slips[1].answer = q.slips[0].answer; });
  spoilt("isn't recognised once it is rounded",
         [](Question& q) { q.slips[1].answer = std::get<double>(q.slips[0].answer) + 0.00065; });
  spoilt("its way doesn't end in", [](Question& q) { q.slips[0].way.back() = words("0.123"); });
  spoilt("has no blank", [](Question& q) {
    q.slips[0].first.erase(std::remove(q.slips[0].first.begin(), q.slips[0].first.end(), blank()),
                           q.slips[0].first.end());
  });
  spoilt("a matrix that isn't in the picture", [](Question& q) { q.slips[0].differs_at = Tensor::V; });
  spoilt("gives the answer away", [&](Question& q) { q.hints[1] = "It is " + fixed(right) + "."; });
  spoilt("two or three hints", [](Question& q) { q.hints.resize(1); });
  spoilt("solution doesn't end", [](Question& q) { q.solution.back().text = "0.5"; });
  spoilt("two tolerances off", [](Question& q) {
    q.tolerance = 0;
    q.rounding.clear();
  });
  spoilt("has to be rounded", [](Question& q) { q.rounding.clear(); });
  spoilt("another number", [](Question& q) {
    q.show = walk_to({Tensor::pattern, 0, 1, 1});
    q.cell = Cell{Tensor::pattern, 0, 0, 1};
  });
  spoilt("can't be read", [](Question& q) { q.show.emplace_back("dance"); });
  spoilt("is refused", [](Question& q) { q.show.emplace_back("undo"); });
  spoilt("operand that isn't in the picture", [](Question& q) { q.picture.operands.push_back({Tensor::V, 0, 0, 0}); });
  spoilt("nothing is lit", [](Question& q) { q.picture.formula = "<b>A</b>"; });
  spoilt("of another kind", [](Question& q) { q.right = 1; });
}
