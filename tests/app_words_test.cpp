// What each step says, and rich text.
#include "app_support.hpp"

using namespace app_test;

namespace {

std::size_t length_of(std::string_view rich) {
  std::size_t count = 0;
  for (const char c : to_plain(rich)) count += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  return count;
}

std::vector<State> with_every_mask() {
  std::vector<State> states;
  for (int mask = 0; mask < 16; ++mask) {
    State state;
    for (int pair = 0; pair < 4; ++pair)
      if (mask >> pair & 1) REQUIRE(!update(state, ToggleMay{pair / 2, pair % 2}));
    states.push_back(state);
  }
  return states;
}

void for_each_words(auto check) {
  for (const State& state : with_every_mask())
    for (int step = 0; step < kStepCount; ++step) check(words_of(state, static_cast<Step>(step)));
}

}  // namespace

TEST_CASE("the softmax step says the drawing's words") {
  const StepWords words = words_of({}, Step::softmax);
  CHECK(words.title == "Softmax turns each row of scores into weights that add up to 1");
  CHECK(words.short_title == "Softmax: each row becomes weights that add up to 1");
  CHECK(words.phone_title[0] == "Each row becomes weights");
  CHECK(words.phone_title[1] == "that add up to 1");
  CHECK(words.subtitle ==
        "Each token splits its attention over all tokens. A larger scaled score takes a larger share.");
  CHECK(words.look_for == "In which head does <b>bark</b> find its subject?");
  CHECK(words.band_note == "each row adds up to 1");
}

TEST_CASE("the output step says the drawing's words") {
  const StepWords words = words_of({}, Step::output);
  CHECK(words.title == "<b>W</b>^{O} mixes the three heads into one vector per token");
  CHECK(words.subtitle ==
        "Until here the heads never met. Each output number is a weighted sum of all six head numbers.");
  CHECK(words.look_for == "Which heads reach this output number?");
}

TEST_CASE("words fit their places, under every mask") {
  for_each_words([](const StepWords& words) {
    CHECK_MESSAGE(length_of(words.title) <= 62, words.title);
    CHECK_MESSAGE(length_of(words.short_title) <= 52, words.short_title);
    for (const std::string& line : words.phone_title) CHECK_MESSAGE(length_of(line) <= 28, line);
    CHECK_MESSAGE(length_of(words.subtitle) <= 95, words.subtitle);
    CHECK_MESSAGE(length_of(words.look_for) <= 60, words.look_for);
    CHECK_MESSAGE(length_of(words.band_note) <= 28, words.band_note);
  });
}

TEST_CASE("words keep the house's voice") {
  for_each_words([](const StepWords& words) {
    const std::string all = words.title + words.short_title + words.subtitle + words.look_for + words.band_note;
    for (const char* banned : {"wrong", "Wrong", "!", "simply", "just "})
      CHECK_MESSAGE(all.find(banned) == std::string::npos, all);
    for (const std::string& text : {words.title, words.short_title, words.phone_title[0], words.phone_title[1],
                                    words.subtitle, words.look_for, words.band_note})
      CHECK_FALSE(text.empty());
    CHECK(words.look_for.ends_with("?"));
    CHECK(words.subtitle.ends_with("."));
  });
}

TEST_CASE("the mask step says what the mask is, and who may look at nothing") {
  State state;
  CHECK(to_plain(words_of(state, Step::mask).title).find("off") != std::string::npos);
  REQUIRE(!update(state, SetCausal{true}));
  CHECK(to_plain(words_of(state, Step::mask).title).find("causal") != std::string::npos);
  REQUIRE(!update(state, ToggleMay{0, 0}));
  for (const Step step : {Step::mask, Step::softmax, Step::weigh})
    CHECK(words_of(state, step).subtitle == "<b>dogs</b> may look at no token, so all its weights are 0.");
  CHECK(words_of(state, Step::softmax).band_note != "each row adds up to 1");
}

TEST_CASE("slugs are unique and read back") {
  for (int i = 0; i < kStepCount; ++i) {
    const Step step = static_cast<Step>(i);
    CHECK(read_query("step=" + std::string(slug_of(step))).step == step);
    CHECK_FALSE(name_of(step).empty());
  }
}

TEST_CASE("rich text is read aloud without its tags") {
  CHECK(to_plain("In head 1, <b>bark</b> gives 94.4 % to <b>dogs</b>.") == "In head 1, bark gives 94.4 % to dogs.");
  CHECK(to_plain("<b>W</b>^{Q}_{1}") == "W^Q 1");
  CHECK(to_plain("head_{1}") == "head 1");
  CHECK(to_plain("÷ √d_{k}") == "÷ √d_k");
  CHECK(to_plain("e^{<k>2.828</k>}") == "e^2.828");
  CHECK(to_plain("<k>\u22120.413</k> <q>=</q>") == "\u22120.413 =");
}

TEST_CASE("foreign text in rich text stays text") {
  for (const char* text : {"<b>bold</b>", "<img onerror=x>", "a_{1}^{2}", "\\", "\\<", "%s", "}{", "a < b", "", "日本"})
    CHECK(to_plain(escape_rich(text)) == text);
  CHECK(escape_rich("<b>") == "\\<b>");
}

TEST_CASE("rich text that ends too soon does no harm") {
  for (const char* text : {"_{", "^{a", "<", "<b", "\\", "^{_{", "a_", "<k>"}) to_plain(text);
  CHECK(to_plain("x_{1") == "x 1");
}
