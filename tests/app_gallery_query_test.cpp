// The gallery in a link, and its actions as text.
#include "app_gallery_support.hpp"

#include <algorithm>

using namespace app_test;

namespace {

bool is_safe(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         std::string_view("?&=._,:-+%").find(c) != std::string_view::npos;
}

bool says(const State& state, std::string_view part) { return state.notice.find(part) != std::string::npos; }

std::string start_query(const std::string& query) { return to_query(read_query(query)); }

}  // namespace

TEST_CASE("gallery: a link restores what was chosen, after any walk") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const State state = random_gallery_state(seed);
    const std::string query = to_query(state);
    CHECK(query.size() <= kLongestQuery);
    CHECK_MESSAGE(std::all_of(query.begin(), query.end(), is_safe), query);
    const State again = read_query(query);
    CHECK_MESSAGE(again.notice.empty(), query, " says ", again.notice);
    CHECK(to_query(again) == query);
    const Gallery &a = state.gallery, &b = again.gallery;
    CHECK(again.page == state.page);
    if (a.chosen) CHECK((b.layer == a.layer && b.head == a.head && b.chosen));
    CHECK(b.pinned == a.pinned);
    CHECK(b.role == a.role);
    CHECK(b.panel == a.panel);
    CHECK((b.source == Source::trained) == (a.source == Source::trained));
    CHECK(b.sentence == a.sentence);
    CHECK(b.example == a.example);
    CHECK(b.asking == a.asking);
    CHECK(b.contributions == a.contributions);
    CHECK_MESSAGE(b.training.plan == a.training.plan, query);
    CHECK(again.document == state.document);
  }
}

TEST_CASE("gallery: a query is written in a fixed order, with what is foreign encoded") {
  const std::string query =
      "?page=gallery&map=2.1&at=3.5&role=verb_subject&panel=training&source=trained&sentence=the+dogs+%3Cb%3E+50%25"
      "&example=7&asking=visible&contributions=on&task=sort-digits&seed=7&layers=3&heads=2&d_model=32&learning_rate=0."
      "01";
  CHECK(start_query(query) == query);
  CHECK(read_query(query).gallery.sentence == "the dogs <b> 50%");
  CHECK(read_query(query).notice.empty());
}

TEST_CASE("gallery: hostile sentences come back to the byte") {
  for (const char* text : {"<img onerror>", "%s%n", "_{", "a&b=c#d?e", "é→\"'", "++ %2B", "[MASK]"}) {
    State state = gallery_state();
    REQUIRE(!update(state, SetSentence{text}));
    const State again = read_query(to_query(state));
    CHECK(again.gallery.sentence == text);
    CHECK(again.notice.empty());
  }
}

TEST_CASE("gallery: heads and width that only go together are read together, in any order") {
  for (const char* query : {"heads=5&d_model=80", "d_model=80&heads=5"}) {
    const State state = read_query(query);
    CHECK_MESSAGE(state.notice.empty(), state.notice);
    CHECK(state.gallery.training.plan.shape.heads == 5);
    CHECK(state.gallery.training.plan.shape.d_model == 80);
  }
  CHECK(read_query("seed=3&task=sort-digits").gallery.training.plan.seed == 3);
}

TEST_CASE("gallery: a value that can't be is left out or clamped, and the notice says so") {
  CHECK(says(read_query("page=quiz"), "page=quiz"));
  CHECK(says(read_query("map=x"), "wanted layer.head"));
  CHECK(says(read_query("at=0.1"), "wanted query.key"));
  CHECK(says(read_query("at=600.1"), "wanted query.key"));
  CHECK(says(read_query("role=%00"), "role"));
  CHECK(says(read_query("panel=x"), "head, training or layers"));
  CHECK(says(read_query("source=file"), "can't bring a file"));
  CHECK(says(read_query("source=x"), "shipped or trained"));
  CHECK(says(read_query("asking=x"), "hidden or visible"));
  CHECK(says(read_query("contributions=x"), "on or off"));
  State state = read_query("example=5000");
  CHECK(state.gallery.example == kExamples - 1);
  CHECK(says(state, "opens 1000"));
  state = read_query("heads=7&learning_rate=9&layers=99");
  CHECK(state.gallery.training.plan == Training::first_plan());
  CHECK(says(state, "does not divide"));
  CHECK(says(state, "It stays 0.003."));
  state = read_query("sentence=" + std::string(399, 'a') + "%C3%A9");
  CHECK(state.gallery.sentence == std::string(399, 'a'));
  CHECK(says(state, "399"));
}

TEST_CASE("gallery: a link's heads that no model has are clamped when the model comes") {
  State state = read_query("page=gallery&map=9.9&at=500.500&role=foo");
  CHECK(state.notice.empty());
  REQUIRE(!update(state, OpenSpecimen{Source::shipped, model_specimen()}));
  CHECK(state.gallery.layer == 1);
  CHECK(state.gallery.head == 1);
  CHECK_FALSE(state.gallery.pinned);
  CHECK(says(state, "foo"));
}

TEST_CASE("gallery: a link with every number edited and a sentence of 400 bytes still fits") {
  Random random(7);
  State state;
  for (const Tensor tensor : {Tensor::X, Tensor::W_Q, Tensor::W_K, Tensor::W_V, Tensor::W_O})
    for (const Cell& cell : cells_of(state, tensor)) update(state, SetCell{cell, random.between(0, 1) / 3});
  REQUIRE(!update(state, SetSentence{std::string(kLongestOwnSentence, '%')}));
  CHECK(to_query(state).size() <= kLongestQuery);
}

TEST_CASE("gallery: every action's text reads back as the same action") {
  std::vector<bool> seen(std::variant_size_v<Action>, false);
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Random random(seed);
    const State state = random_gallery_state(seed, 5);
    for (int i = 0; i < 50; ++i) {
      const Action action = random_gallery_action(random, state);
      const std::string text = to_text(action);
      const auto read = read_action(text);
      seen[action.index()] = true;
      if (std::holds_alternative<OpenSpecimen>(action) || std::holds_alternative<TakeReport>(action)) {
        CHECK(text.empty());
        CHECK(std::holds_alternative<attention::Problem>(read));
        continue;
      }
      const Action* again = std::get_if<Action>(&read);
      REQUIRE_MESSAGE(again, text);
      CHECK(again->index() == action.index());
      CHECK(to_text(*again) == text);
      State a = state, b = state;
      CHECK(update(a, action) == update(b, *again));
      CHECK(a == b);
    }
  }
  CHECK(std::count(seen.begin(), seen.end(), true) == 19);
}

TEST_CASE("gallery: the texts of the contract are understood, and others are said") {
  for (const char* text : {"page:gallery",
                           "map:2.1",
                           "map-hover:5",
                           "map-hover:",
                           "at:3.5",
                           "at:",
                           "at-hover:",
                           "at-focus:1.1",
                           "role:verb_subject",
                           "role:",
                           "panel:training",
                           "source:trained",
                           "sentence:the dogs bark",
                           "sentence:",
                           "example:7",
                           "example-for:verb_subject",
                           "asking:visible",
                           "contributions:on",
                           "train:start",
                           "train:new_seed",
                           "plan:heads=4",
                           "scrub:600",
                           "scrub:"})
    CHECK_MESSAGE(std::holds_alternative<Action>(read_action(text)), text);
  for (const char* text :
       {"page:",  "page:quiz", "map:",       "map:0.1",   "map:1",     "map:1.2.3", "map-hover:0",
        "at:a.b", "panel:x",   "source:",    "example:0", "example:x", "asking:",   "contributions:yes",
        "train:", "train:go",  "plan:heads", "plan:=4",   "scrub:x",   "scrub:-1"}) {
    const auto read = read_action(text);
    const auto* problem = std::get_if<attention::Problem>(&read);
    REQUIRE_MESSAGE(problem, text);
    CHECK_FALSE(problem->found.empty());
    CHECK_FALSE(problem->wanted.empty());
  }
}
