// What follows from the gallery's state: what is shown, what is used again, which weight is explained.
#include "app_gallery_support.hpp"

#include <algorithm>

using namespace app_test;

namespace {

/// A model of the small plan whose maps don't matter, with this table.
State state_with(const heads::Table& table) {
  State state = gallery_state();
  REQUIRE(!update(state, OpenSpecimen{Source::shipped, model_specimen(small_model(), table)}));
  return state;
}

}  // namespace

TEST_CASE("gallery: the walkthrough's page leaves the gallery empty, and the gallery's keeps the trace") {
  State state = gallery_state();
  CHECK(derive(state).trace.heads.size() == 3);
  CHECK(derive(state).gallery.reading);
  REQUIRE(!update(state, OpenPage{Page::walkthrough}));
  CHECK_FALSE(derive(state).gallery.specimen);
  CHECK(derive(state).gallery.title.empty());
}

TEST_CASE("gallery: a reading is used again until model, sentence, asking or contributions change") {
  State state = gallery_state();
  Derived before = derive(state);
  const auto same = [&](const Action& action) {
    REQUIRE(!update(state, action));
    Derived after = derive(state, &before);
    const bool again = after.gallery.reading.is_same_as(before.gallery.reading);
    CHECK(*after.gallery.reading == *derive(state).gallery.reading);
    before = std::move(after);
    return again;
  };
  CHECK(same(HoverMapCell{MapCell{1, 1}}));
  CHECK(same(SelectMap{0, 1}));
  CHECK(same(FilterRole{"diffuse"}));
  CHECK(same(HoverMap{2}));
  CHECK(same(ShowPanel{Panel::layers}));
  CHECK_FALSE(same(SetAsking{heads::Asking::visible}));
  CHECK_FALSE(same(SetContributions{true}));
  CHECK_FALSE(same(SetSentence{"the dogs bark ."}));
  CHECK(same(SetSentence{"The  dogs bark."}));  // the same tokens
  CHECK_FALSE(same(ShowExample{5}));
  CHECK_FALSE(same(OpenSpecimen{Source::shipped, model_specimen(small_model(9))}));
}

TEST_CASE("gallery: with or without what was before, the view says the same") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    State state = random_gallery_state(seed, 10);
    state.page = Page::gallery;
    Derived before = derive(state);
    for (int i = 0; i < 10; ++i) {
      update(state, random_gallery_action(random, state));
      state.page = Page::gallery;
      Derived after = derive(state, &before);
      CHECK(to_json(describe(state, after)) == to_json(describe(state, derive(state))));
      before = std::move(after);
    }
  }
}

TEST_CASE("gallery: maps are weights whose rows sum to 1, of the sentence that is shown") {
  State state = gallery_state();
  REQUIRE(!update(state, SetSentence{"the dogs zork bark ."}));
  const GalleryView view = derive(state).gallery;
  CHECK(view.tokens == std::vector<std::string>{"[CLS]", "the", "dogs", "[MASK]", "bark", "."});
  CHECK(view.unknown == std::vector<std::string>{"zork"});
  CHECK(view.sentence_note == "This model doesn't know \"zork\": [MASK] stands there.");
  for (int layer = 0; layer < 2; ++layer)
    for (int head = 0; head < 2; ++head) {
      const heads::Pattern& map = view.map(layer, head);
      REQUIRE(map.rows() == view.n);
      for (int query = 0; query < view.n; ++query) CHECK(std::abs(map.row(query).sum() - 1) < 1e-5f);
    }
}

TEST_CASE("gallery: more words than the model reads are left out, and that is said") {
  State state = gallery_state();
  std::string many;
  for (int i = 0; i < 60; ++i) many += "dogs ";
  REQUIRE(!update(state, SetSentence{many}));
  const GalleryView view = derive(state).gallery;
  CHECK(view.n == train::kLongestSentence);
  CHECK(view.left_out);
  CHECK(view.sentence_note == "It reads 32 tokens at most, so the rest is left out.");
}

TEST_CASE("gallery: examples are held out, and each number is another sentence") {
  State state = gallery_state();
  const auto first = derive(state).gallery.reading->sentence;
  CHECK(train::split_of(first) == train::Split::held_out);
  REQUIRE(!update(state, ShowExample{1}));
  CHECK_FALSE(derive(state).gallery.reading->sentence == first);
  REQUIRE(!update(state, ShowExample{0}));
  CHECK(derive(state).gallery.reading->sentence == first);
}

TEST_CASE("gallery: the first example is short and has a verb whose subject isn't the nearest noun") {
  const auto sentence = derive(gallery_state()).gallery.reading->sentence;
  CHECK(sentence.tokens.size() <= 14);
  CHECK(std::any_of(sentence.labels.begin(), sentence.labels.end(), [&](const train::Label& label) {
    return label.relation == train::Relation::verb_subject && label.maskable && train::has_attractor(sentence, label);
  }));
}

TEST_CASE("gallery: hovered goes before focused, focused before pinned, and then the role's own case") {
  State state = gallery_state();
  const GalleryView view = derive(state).gallery;
  const auto& labels = view.reading->sentence.labels;
  CHECK(std::any_of(labels.begin(), labels.end(), [&](const train::Label& label) {
    return label.relation == train::Relation::verb_subject && label.asker == view.shown.query &&
           label.target == view.shown.key;
  }));
  REQUIRE(!update(state, PinMapCell{MapCell{1, 1}}));
  CHECK(derive(state).gallery.shown == MapCell{1, 1});
  REQUIRE(!update(state, FocusMapCell{MapCell{1, 2}}));
  CHECK(derive(state).gallery.shown == MapCell{1, 2});
  REQUIRE(!update(state, HoverMapCell{MapCell{2, 1}}));
  CHECK(derive(state).gallery.shown == MapCell{2, 1});
}

TEST_CASE("gallery: of several cases one with a nearer noun is shown first") {
  State state = gallery_state();
  int tried = 0;
  for (int example = 0; example < 300; ++example) {
    REQUIRE(!update(state, ShowExample{example}));
    const GalleryView view = derive(state).gallery;
    const train::Sentence& sentence = view.reading->sentence;
    std::vector<train::Label> verbs;
    for (const train::Label& label : sentence.labels)
      if (label.relation == train::Relation::verb_subject && label.maskable) verbs.push_back(label);
    const auto hard = std::find_if(verbs.begin(), verbs.end(),
                                   [&](const train::Label& label) { return train::has_attractor(sentence, label); });
    if (hard == verbs.end() || hard == verbs.begin()) continue;
    ++tried;
    CHECK(view.shown == MapCell{hard->asker, hard->target});
  }
  CHECK(tried > 0);
}

TEST_CASE("gallery: in an own sentence the row of a word that asks is shown, with its largest weight") {
  State state = gallery_state();
  REQUIRE(!update(state, SetSentence{"the dogs near the barn bark ."}));
  const GalleryView view = derive(state).gallery;
  CHECK(view.shown.query == 6);
  const auto row = view.map(1, 0).row(6);
  for (int key = 0; key < view.n; ++key) CHECK(row(key) <= row(view.shown.key));
}

TEST_CASE("gallery: a head without a role shows its sharpest row, but none that rests") {
  State state;
  REQUIRE(!update(state, OpenPage{Page::gallery}));
  heads::Attention attention = small_attention({"[CLS]", "a", "b", "c", "[SEP]"});
  for (heads::Pattern& map : attention.patterns) {
    map.setConstant(0.1f);
    map.col(0).setConstant(0.6f);  // all rest …
    map.row(3) << 0.1f, 0.5f, 0.2f, 0.1f, 0.1f;
    map.row(2) << 0.1f, 0.4f, 0.3f, 0.1f, 0.1f;
    map.row(0) << 1, 0, 0, 0, 0;
  }
  REQUIRE(!update(state, OpenSpecimen{Source::file, file_specimen(attention)}));
  CHECK(derive(state).gallery.shown == MapCell{3, 1});  // … but these two
}

TEST_CASE("gallery: attention from a file is seen through its own maps") {
  State state;
  REQUIRE(!update(state, OpenPage{Page::gallery}));
  REQUIRE(!update(state, SetContributions{true}));
  const auto file = file_specimen();
  REQUIRE(!update(state, OpenSpecimen{Source::file, file}));
  const GalleryView view = derive(state).gallery;
  CHECK(view.layers == 2);
  CHECK(view.heads == 3);
  CHECK(view.tokens == std::vector<std::string>{"[CLS]", "dogs", "bark", "[SEP]"});
  CHECK_FALSE(view.contributions);
  CHECK(&view.map(1, 2) == &std::get_if<heads::Attention>(&file->what)->patterns[5]);
  CHECK(view.captions.size() == 6);
}

TEST_CASE("gallery: a trained run without an exam shows nothing yet, and says so") {
  State state = training_state();
  GalleryView view = derive(state).gallery;
  CHECK_FALSE(view.specimen);
  CHECK(view.empty == "The first maps come with the first exam.");
  CHECK(view.n == 0);
  REQUIRE(!update(state, Train{TrainingCommand::rewind}));
  CHECK(derive(state).gallery.empty.find("Press Train") != std::string::npos);
}

TEST_CASE("gallery: a sentence without a case of the head's role says which example has one") {
  State state = gallery_state();
  const auto is_testable = [&] { return derive(state).gallery.not_testable.empty(); };
  CHECK(is_testable());
  int example = 0;
  while (is_testable() && example < 100) REQUIRE(!update(state, ShowExample{++example}));
  const GalleryView view = derive(state).gallery;
  CHECK(view.not_testable == "This sentence has no case of verb → subject: try this one.");
  CHECK(view.try_role == "verb_subject");
  REQUIRE(!update(state, ShowExampleFor{view.try_role}));
  CHECK(is_testable());
  REQUIRE(!update(state, SetSentence{"the old dogs"}));
  CHECK_FALSE(is_testable());
  REQUIRE(!update(state, SetSentence{"the dogs bark"}));
  CHECK(is_testable());
}

TEST_CASE("gallery: a table that doesn't fit its model counts for nothing") {
  heads::Table wrong = small_table();
  wrong.heads = 1;
  const GalleryView view = derive(state_with(wrong)).gallery;
  CHECK_FALSE(view.measured);
  CHECK(view.role_title == "not tested yet");
  CHECK(view.captions.size() == 4);
  CHECK(view.chips.size() == 1);
  CHECK(view.score_parts.empty());
}
