// The one door: what actions do, what they refuse, and the way back.
#include "app_support.hpp"

#include <algorithm>

using namespace app_test;

namespace {

void is_refused(const State& state, const Action& action) {
  State copy = state;
  const auto reason = update(copy, action);
  CHECK_MESSAGE((reason && !reason->empty()), "carried out: ", to_text(action));
  CHECK_MESSAGE(copy == state, "changed by a refusal: ", to_text(action));
  CHECK(refusal_of(state, action) == reason);
}

State done(State state, const Action& action) {
  const auto reason = update(state, action);
  CHECK_MESSAGE(!reason, to_text(action), ": ", reason.value_or(""));
  return state;
}

constexpr Cell kDogsNoun{Tensor::X, -1, 0, 0};
constexpr Cell kWeight{Tensor::pattern, 0, 1, 0};

}  // namespace

TEST_CASE("a refused action says why and changes nothing") {
  State state;
  state.notice = "kept";
  is_refused(state, PreviousStep{});
  is_refused(state, GoToStep{static_cast<Step>(9)});
  is_refused(state, SelectHead{-1});
  is_refused(state, SelectHead{3});
  is_refused(state, Undo{});
  is_refused(state, Redo{});
  is_refused(state, Reset{});
  is_refused(state, Pin{Cell{Tensor::pattern, 0, 2, 0}});
  is_refused(state, Pin{Cell{Tensor::pattern, -1, 0, 0}});
  is_refused(state, Pin{Cell{Tensor::b_Q, 0, 0, 0}});      // the example has no biases
  is_refused(state, Hover{Cell{Tensor::X_kv, -1, 0, 0}});  // nor a second input
  is_refused(state, FocusCell{Cell{Tensor::X, -1, 0, 6}});
  is_refused(state, SetCell{kWeight, 0.5});
  is_refused(state, SetCell{{Tensor::X, -1, 2, 0}, 0.5});
  is_refused(state, SetCell{kDogsNoun, std::numeric_limits<double>::quiet_NaN()});
  is_refused(state, SetCell{kDogsNoun, -std::numeric_limits<double>::infinity()});
  is_refused(state, SetCell{kDogsNoun, 1000001});
  is_refused(state, ToggleMay{0, 2});
  is_refused(state, ToggleMay{-1, 0});
  is_refused(state, SetTheme{static_cast<Theme>(3)});
  is_refused(state, SetMotion{static_cast<Motion>(3)});
  is_refused(at_step(Step::output), NextStep{});
  is_refused(done(state, SetMotion{Motion::reduced}), SetPlaying{true});
  is_refused(done(state, SetSystemMotion{true}), SetPlaying{true});
}

TEST_CASE("the setting wins over what the system says about motion") {
  State state = done({}, SetSystemMotion{true});
  CHECK(reduced_motion(state));
  state = done(state, SetMotion{Motion::full});
  CHECK_FALSE(reduced_motion(state));
  CHECK(done(state, SetPlaying{true}).playing);
}

TEST_CASE("a refusal is foretold, after any walk") {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    State state = random_state(seed);
    Random random(seed + 1000);
    const Action action = random_action(random, state);
    const State before = state;
    const auto foretold = refusal_of(state, action);
    CHECK(update(state, action) == foretold);
    if (foretold) CHECK(state == before);
  }
}

TEST_CASE("steps go forth, back and to the start, and stop at both ends") {
  State state;
  for (int i = 1; i < kStepCount; ++i) {
    state = done(state, NextStep{});
    CHECK(static_cast<int>(state.step) == i);
  }
  state = done(state, PreviousStep{});
  CHECK(state.step == Step::concat);
  CHECK(done(state, StartAgain{}).step == Step::input);
}

TEST_CASE("a change of step drops what is hovered, keeps the pin, and keeps the focus where it can be seen") {
  State state = at_step(Step::project);
  state = done(state, Pin{Cell{Tensor::W_Q, 1, 0, 0}});
  state = done(state, Hover{kDogsNoun});
  state = done(state, FocusCell{Cell{Tensor::W_Q, 0, 0, 0}});
  State next = done(state, NextStep{});
  CHECK_FALSE(next.hovered);
  CHECK_FALSE(next.focused);
  CHECK(next.pinned == state.pinned);
  CHECK(done(done(state, FocusCell{kDogsNoun}), NextStep{}).focused == kDogsNoun);
}

TEST_CASE("focus follows scaled and masked, which share a place") {
  State state = done(at_step(Step::scale), FocusCell{Cell{Tensor::scaled, 0, 1, 0}});
  state = done(state, NextStep{});
  CHECK(state.focused == Cell{Tensor::masked, 0, 1, 0});
  CHECK(done(state, NextStep{}).focused == Cell{Tensor::scaled, 0, 1, 0});
  state = done(state, SetCausal{true});
  CHECK(done(state, NextStep{}).focused == Cell{Tensor::masked, 0, 1, 0});
}

TEST_CASE("a pin selects its head, and a head takes its pin along") {
  State state = done(at_step(Step::softmax), Pin{Cell{Tensor::pattern, 1, 1, 0}});
  CHECK(state.head == 1);
  state = done(state, SelectHead{2});
  CHECK(state.pinned == Cell{Tensor::pattern, 2, 1, 0});
  CHECK(done(state, Pin{kDogsNoun}).head == 2);
  CHECK_FALSE(done(state, Pin{std::nullopt}).pinned);
}

TEST_CASE("any input but pointing stops the play") {
  State playing = done({}, SetPlaying{true});
  CHECK(done(playing, Hover{kDogsNoun}).playing);
  CHECK(done(playing, FocusCell{kDogsNoun}).playing);
  CHECK(done(playing, SetSystemMotion{false}).playing);
  CHECK_FALSE(done(playing, SetSystemMotion{true}).playing);
  CHECK_FALSE(done(playing, NextStep{}).playing);
  CHECK_FALSE(done(playing, SelectHead{1}).playing);
  CHECK_FALSE(done(playing, SetTheme{Theme::dark}).playing);
  CHECK_FALSE(done(playing, SetCell{kDogsNoun, 2}).playing);
  is_refused(playing, Undo{});  // and a refusal doesn't
}

TEST_CASE("play at the end starts again from the first step") {
  const State again = done(at_step(Step::output), SetPlaying{true});
  CHECK(again.playing);
  CHECK(again.step == Step::input);
}

TEST_CASE("playing goes on to the last step and stops there") {
  State state = done({}, SetPlaying{true});
  for (int i = 0; i < kStepCount - 1; ++i) {
    CHECK(state.playing);
    play_on(state);
  }
  CHECK(state.step == Step::output);
  CHECK_FALSE(state.playing);
  play_on(state);
  CHECK(state.step == Step::output);
}

TEST_CASE("an edit leaves everything but the numbers and the history as it was") {
  State state = done(at_step(Step::softmax), Pin{kWeight});
  state.notice = "kept";
  state.hovered = kWeight;
  const State edited = done(state, SetCell{kDogsNoun, 0.9});
  CHECK(edited.document.input.X(0, 0) == 0.9);
  CHECK(edited.past.size() == 1);
  State undone = edited;
  undone.document = state.document;
  undone.past.clear();
  CHECK(undone == state);
}

TEST_CASE("setting the same bits is no edit") {
  State state;
  CHECK(done(state, SetCell{kDogsNoun, 1}) == state);
  CHECK(done(state, SetCell{{Tensor::X, -1, 0, 1}, -0.0}) == state);
  CHECK(done(state, SetCausal{false}) == state);
}

TEST_CASE("undo and redo bring back every bit") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    State state;
    std::vector<Document> documents = {state.document};
    while (documents.size() < 12) {
      update(state, random_action(random, state));
      if (state.future.empty() && state.past.size() == documents.size() && !(state.document == documents.back()))
        documents.push_back(state.document);
      if (state.past.size() + 1 != documents.size()) state = State{}, documents = {state.document};
    }
    for (std::size_t i = documents.size() - 1; i-- > 0;) {
      state = done(state, Undo{});
      CHECK(state.document == documents[i]);
    }
    is_refused(state, Undo{});
    for (std::size_t i = 1; i < documents.size(); ++i) {
      state = done(state, Redo{});
      CHECK(state.document == documents[i]);
    }
    is_refused(state, Redo{});
  }
}

TEST_CASE("an edit after undo leaves nothing to redo") {
  State state = done(done({}, SetCell{kDogsNoun, 2}), Undo{});
  state = done(state, SetCell{kDogsNoun, 3});
  is_refused(state, Redo{});
  CHECK(done(state, Undo{}).document == example());
}

TEST_CASE("history holds the last 200 edits") {
  State state;
  for (int i = 0; i < kHistory + 10; ++i) state = done(std::move(state), SetCell{kDogsNoun, i + 2.0});
  CHECK(state.past.size() == kHistory);
  CHECK(state.past.front().input.X(0, 0) == 11);
}

TEST_CASE("reset brings back the example, mask and all, and can be undone") {
  State state = done(done({}, SetCell{kDogsNoun, 2}), SetCausal{true});
  const State reset = done(state, Reset{});
  CHECK(reset.document == example());
  CHECK_FALSE(any_edited(reset));
  CHECK(done(reset, Undo{}).document == state.document);
}

TEST_CASE("a mask that allows everything is no mask") {
  State state = done({}, ToggleMay{0, 1});
  CHECK(is_causal(state));
  CHECK(mask_is_on(state));
  CHECK(any_edited(state));
  CHECK(state.document == done({}, SetCausal{true}).document);
  state = done(state, ToggleMay{0, 1});
  CHECK(state.document == example());
  CHECK_FALSE(mask_is_on(state));
  state = done(done(state, ToggleMay{1, 0}), ToggleMay{1, 1});
  CHECK_FALSE(is_causal(state));
  CHECK(is_fully_masked(state, 1));
  CHECK_FALSE(is_fully_masked(state, 0));
  CHECK(is_causal(done(state, SetCausal{true})));
}

TEST_CASE("a notice is plain text of a length that one can read") {
  State state = done({}, SetNotice{"<b>a\n\xff" + std::string(5000, 'x')});
  CHECK(state.notice.starts_with("<b>a??x"));
  CHECK(state.notice.size() < 1100);
  CHECK(done(state, SetNotice{""}).notice.empty());
}
