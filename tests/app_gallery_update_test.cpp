// The gallery's actions: what they change, and why some are refused.
#include "app_gallery_support.hpp"

#include <fstream>
#include <iterator>

using namespace app_test;

namespace {

bool has(const std::optional<std::string>& text, std::string_view part) {
  return text && text->find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("gallery: a refused action says why and changes nothing, after any walk") {
  int refused = 0, carried = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Random random(seed + 1000);
    State state = random_gallery_state(seed, 20);
    for (int i = 0; i < 20; ++i) {
      const State before = state;
      const Action action = random_gallery_action(random, state);
      const auto reason = refusal_of(state, action);
      CHECK(update(state, action) == reason);
      (reason ? refused : carried) += 1;
      if (!reason) continue;
      CHECK_FALSE(reason->empty());
      CHECK_MESSAGE(reason->back() == '.', *reason);
      CHECK_MESSAGE(reason->find('!') == std::string::npos, *reason);
      CHECK(reason->size() < 300);
      CHECK(state == before);
    }
  }
  CHECK(refused > 200);
  CHECK(carried > 200);
}

TEST_CASE("gallery: what is chosen stays inside of what is shown, after any walk") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const State state = random_gallery_state(seed);
    const GalleryView view = derive_gallery(state.gallery, nullptr);
    if (!view.specimen) continue;
    CHECK(state.gallery.layer == view.layer);
    CHECK(state.gallery.head == view.head);
    for (const auto& cell : {state.gallery.pinned, state.gallery.hovered, state.gallery.focused})
      if (cell) CHECK((cell->query < view.n && cell->key < view.n));
    if (state.gallery.hovered_map) CHECK(*state.gallery.hovered_map < view.layers * view.heads);
  }
}

TEST_CASE("gallery: without a model there is nothing to select, and the reason says so") {
  State state;
  CHECK(has(update(state, SelectMap{0, 0}), "no head to look at yet"));
  CHECK(has(update(state, HoverMap{0}), "no head"));
  CHECK(has(update(state, PinMapCell{MapCell{0, 0}}), "no head"));
  CHECK(has(update(state, FilterRole{"diffuse"}), "no head"));
  CHECK(has(update(state, SetSource{Source::trained}), "Press Train"));
  CHECK(has(update(state, SetSource{Source::file}), "No file"));
  CHECK(has(update(state, Scrub{std::nullopt}), "no checkpoint"));
  CHECK(!update(state, HoverMap{std::nullopt}));
  CHECK(!update(state, FilterRole{""}));
}

TEST_CASE("gallery: the first model shows a head with a role of words, unless somebody chose") {
  CHECK(gallery_state().gallery.layer == 1);  // verb → subject
  CHECK(gallery_state().gallery.head == 0);
  State state = read_query("page=gallery&map=1.2");
  REQUIRE(!update(state, OpenSpecimen{Source::shipped, model_specimen()}));
  CHECK(state.gallery.layer == 0);
  CHECK(state.gallery.head == 1);
  state = gallery_state();
  REQUIRE(!update(state, SelectMap{0, 1}));
  REQUIRE(!update(state, OpenSpecimen{Source::shipped, model_specimen(small_model(2))}));
  CHECK(state.gallery.layer == 0);
}

TEST_CASE("gallery: a syntactic head is taken before a semantic one with a larger lead") {
  heads::Table table = small_table();
  table.subjects[1].best_offset = {1, 200};
  for (std::size_t row : {0u, 1u, 2u}) table.rows[row].scores[1].share = {2, 200};
  table.rows[3].scores[1].share = {199, 200};
  table.rows[3].scores[0].share = {2, 200};
  heads::decide(table);
  REQUIRE(table.rows[3].roles == std::vector<int>{1});
  State state;
  REQUIRE(!update(state, OpenSpecimen{Source::shipped, model_specimen(small_model(), table)}));
  CHECK(state.gallery.layer == 1);
  CHECK(state.gallery.head == 0);
  table.rows[2].scores[0].share = {2, 200};
  heads::decide(table);
  REQUIRE(!update(state, OpenSpecimen{Source::shipped, model_specimen(small_model(), table)}));
  CHECK(state.gallery.head == 1);
}

TEST_CASE("gallery: a filter needs a head that has the role") {
  State state = gallery_state();
  CHECK(!update(state, FilterRole{"verb_subject"}));
  CHECK(!update(state, FilterRole{"diffuse"}));
  CHECK(!update(state, FilterRole{"none"}));
  CHECK(has(update(state, FilterRole{"pronoun_antecedent"}), "No head has the role"));
  CHECK(has(update(state, FilterRole{"<img onerror>"}), "<img onerror>"));
}

TEST_CASE("gallery: a filter stays while training is scrubbed, and goes with its subject") {
  State state = gallery_state();
  REQUIRE(!update(state, FilterRole{"verb_subject"}));
  heads::Table nobody = small_table();
  for (heads::HeadRoles& row : nobody.rows) row.scores[0].share.right = 0;
  heads::decide(nobody);
  REQUIRE(!update(state, OpenSpecimen{Source::shipped, model_specimen(small_model(), nobody)}));
  CHECK(state.gallery.role == "verb_subject");
  CHECK(state.notice.empty());
  REQUIRE(!update(state, OpenSpecimen{Source::file, file_specimen()}));
  CHECK(state.gallery.role.empty());
  CHECK(state.notice.find("verb_subject") != std::string::npos);
}

TEST_CASE("gallery: an own sentence is kept as one line of UTF-8, at most 400 bytes") {
  State state = gallery_state();
  REQUIRE(!update(state, SetSentence{"the dogs\nbark \xff"}));
  CHECK(state.gallery.sentence == "the dogs bark ?");
  REQUIRE(!update(state, SetSentence{std::string(kLongestOwnSentence, 'a')}));
  CHECK(has(update(state, SetSentence{std::string(kLongestOwnSentence + 1, 'a')}), "401"));
  CHECK(state.gallery.sentence.size() == kLongestOwnSentence);
  REQUIRE(!update(state, SetSentence{" \t\n"}));
  CHECK(state.gallery.sentence.empty());
}

TEST_CASE("gallery: a pinned weight goes with its sentence") {
  State state = gallery_state();
  REQUIRE(!update(state, SetSentence{"the dogs bark ."}));
  REQUIRE(!update(state, PinMapCell{MapCell{3, 2}}));
  CHECK(has(update(state, PinMapCell{MapCell{5, 0}}), "6.1"));
  REQUIRE(!update(state, SelectMap{0, 1}));
  CHECK(state.gallery.pinned == MapCell{3, 2});
  REQUIRE(!update(state, SetSentence{"the cats bark ."}));
  CHECK_FALSE(state.gallery.pinned);
}

TEST_CASE("gallery: attention from a file takes no sentence and no contributions") {
  State state = gallery_state();
  REQUIRE(!update(state, OpenSpecimen{Source::file, file_specimen()}));
  CHECK(state.gallery.source == Source::file);
  for (const Action& action : {Action{SetSentence{"dogs bark"}}, Action{ShowExample{3}}, Action{SetContributions{true}},
                               Action{SetAsking{heads::Asking::visible}}, Action{ShowExampleFor{"verb_subject"}}})
    CHECK(has(update(state, action), "holds weights only"));
  CHECK(!update(state, SetContributions{false}));
  CHECK(!update(state, SelectMap{1, 2}));
  CHECK(has(update(state, SelectMap{2, 0}), "layer 1 to 2 and head 1 to 3"));
}

TEST_CASE("gallery: the next example of a role has a case of it, and an own sentence goes") {
  State state = gallery_state();
  REQUIRE(!update(state, SetSentence{"dogs bark"}));
  for (const char* role : {"verb_subject", "pronoun_antecedent", "induction", "repeated"}) {
    const int before = state.gallery.example;
    REQUIRE(!update(state, ShowExampleFor{role}));
    CHECK(state.gallery.example != before);
    CHECK(state.gallery.sentence.empty());
  }
  CHECK(has(update(state, ShowExampleFor{"previous_token"}), "every sentence"));
  CHECK(has(update(state, ShowExampleFor{"matching_bracket"}), "no role"));
}

TEST_CASE("gallery: until a head is chosen, the one that finds subjects best is enlarged, and it stays") {
  State state;
  std::ifstream file(HEADSCOPE_SOURCE_DIR "/src/heads/shipped.safetensors", std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  auto read = read_specimen("shipped", bytes);
  REQUIRE(std::holds_alternative<Specimen>(read));
  REQUIRE(!update(state, OpenPage{Page::gallery}));
  REQUIRE(!update(state, OpenSpecimen{Source::shipped, Held<Specimen>(std::move(std::get<Specimen>(read)))}));
  const GalleryView view = derive(state).gallery;
  CHECK(view.role_title == "verb → subject");
  CHECK(view.not_testable.empty());
  CHECK(to_plain(view.finding) == "barks looks past the nearer noun, bees, and finds dog.");
  REQUIRE(!update(state, SelectMap{0, 0}));
  CHECK(derive(state).gallery.role_title == "pronoun → noun");
}
