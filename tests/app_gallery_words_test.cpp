// The gallery's words, on hand-made tables and maps.
#include "app_gallery_support.hpp"

#include <algorithm>

using namespace app_test;

namespace {

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

GalleryView view_of(int layer, int head, const heads::Table& table = small_table()) {
  State state = gallery_state();
  REQUIRE(!update(state, OpenSpecimen{Source::shipped, model_specimen(small_model(), table)}));
  REQUIRE(!update(state, SelectMap{layer, head}));
  return derive(state).gallery;
}

std::string line(const std::vector<Part>& parts) {
  std::string text;
  for (const Part& part : parts)
    text += (text.empty() ? "" : " ") + to_plain(part.text) +
            (part.kind == Part::Kind::fraction ? " / " + to_plain(part.below) : "");
  return text;
}

/// A file of one head whose row for `query` has its largest weight on `key`.
State looking(std::vector<std::string> tokens, int query, int key) {
  heads::Attention attention = small_attention(std::move(tokens));
  attention.layers = attention.heads = 1;
  attention.patterns.resize(1);
  attention.patterns[0].setConstant(0.0f);
  attention.patterns[0].col(0).setConstant(1.0f);
  attention.patterns[0].row(query).setConstant(0.2f / static_cast<float>(attention.tokens.size() - 1));
  attention.patterns[0](query, key) = 0.8f;
  State state;
  REQUIRE(!update(state, OpenPage{Page::gallery}));
  REQUIRE(!update(state, OpenSpecimen{Source::file, file_specimen(attention)}));
  REQUIRE(!update(state, PinMapCell{MapCell{query, key}}));
  return state;
}

/// A model whose maps we write ourselves: the finding of the verb's row of example 0 with its weight on `token`.
std::string finding_with(int token_or_target, bool nearer_noun) {
  State state = gallery_state();
  Derived derived = derive(state);
  const MapCell own = derived.gallery.shown;
  heads::Reading reading = *derived.gallery.reading;
  const auto words = train::vocabulary(train::Task::language);
  int key = token_or_target < 0 ? own.key : token_or_target;
  if (nearer_noun)
    for (key = own.query - 1;
         !train::is_noun(words[static_cast<std::size_t>(reading.sentence.tokens[static_cast<std::size_t>(key)])].kind);)
      --key;
  heads::Pattern& map = reading.patterns[2];
  map.row(own.query).setConstant(0.01f);
  map(own.query, key) = 0.8f;
  derived.gallery.reading = Held(std::move(reading));
  return derive(state, &derived).gallery.finding;
}

}  // namespace

TEST_CASE("gallery: captions say the first role and its share, or that there is none") {
  const GalleryView view = view_of(1, 0);
  REQUIRE(view.captions.size() == 4);
  const auto is = [&](std::size_t map, const char* role, const char* evidence, bool quiet) {
    CHECK(view.captions[map].role == role);
    CHECK(view.captions[map].evidence == evidence);
    CHECK(view.captions[map].quiet == quiet);
    CHECK(view.captions[map].shown);
  };
  is(0, "previous token", "97 %", false);
  is(1, "diffuse", "", true);
  is(2, "verb → subject", "94 %", false);
  is(3, "no role found", "", true);
}

TEST_CASE("gallery: chips count heads, places first, and a filter lets only its heads through") {
  State state = gallery_state();
  GalleryView view = derive(state).gallery;
  const std::vector<RoleChip> wanted = {{"", "All roles", 4},
                                        {"previous_token", "Previous token", 1},
                                        {"verb_subject", "Verb → subject", 1},
                                        {"diffuse", "Diffuse", 1},
                                        {"none", "No role found", 1}};
  CHECK(view.chips == wanted);
  for (const auto& [role, map] : {std::pair("verb_subject", 2), std::pair("diffuse", 1), std::pair("none", 3)}) {
    REQUIRE(!update(state, FilterRole{role}));
    view = derive(state).gallery;
    for (int i = 0; i < 4; ++i) CHECK(view.captions[static_cast<std::size_t>(i)].shown == (i == map));
  }
}

TEST_CASE("gallery: the card of a head with a role of words") {
  const GalleryView view = view_of(1, 0);
  CHECK(view.head_title == "Layer 2, head 1");
  CHECK(view.role_title == "verb → subject");
  CHECK(view.count == "188 of 200 verbs, 95 % interval 0.90–0.97");
  CHECK(view.counted_on == "Counted on 1,000 held-out sentences.");
  CHECK(view.why ==
        "Its largest weight falls on the right token. That is so in 94 % of the cases, 39 points above the best "
        "simple rule, <b>nearest noun to the left</b>.");
  REQUIRE(view.evidence.size() == 3);
  CHECK(view.evidence[0].text == "94 %");
  CHECK(view.evidence[1].name == "best fixed offset");
  CHECK(view.evidence[1].share == 0.41);
  CHECK(view.evidence[2].text == "55 %");
  CHECK(line(view.score_parts) ==
        "Score = verbs with the largest weight on their subject / all test verbs = 188 / 200 = 0.94");
  CHECK(line(view.baseline_parts) == "Always look 4 tokens back = 82 / 200 = 0.41");
  CHECK(line(view.rule_parts) == "Nearest noun to the left = 110 / 200 = 0.55");
  CHECK(has(view.strip_sentence, "by 10 points on sentences it has not seen."));
}

TEST_CASE("gallery: a rule that isn't better than the offset has no equation") {
  heads::Table table = small_table();
  table.subjects[0].best_rule.right = 82;
  const GalleryView view = view_of(1, 0, table);
  CHECK(view.rule_parts.empty());
  CHECK(has(view.why, "53 points above the best fixed offset, <b>4 tokens back</b>."));
}

TEST_CASE("gallery: offsets are said as one looks") {
  heads::Table table = small_table();
  for (const auto& [offset, text] :
       {std::pair(-1, "Always look 1 token back"), std::pair(2, "Always look 2 tokens ahead"),
        std::pair(0, "Always look at itself")}) {
    table.subjects[0].offset = offset;
    CHECK(to_plain(view_of(1, 0, table).baseline_parts[0].text) == text);
  }
}

TEST_CASE("gallery: the card of a place says that 90 % are wanted") {
  const GalleryView view = view_of(0, 0);
  CHECK(view.role_title == "previous token");
  CHECK(has(view.why, "That is so in 97 % of the cases; 90 % are wanted."));
  CHECK(line(view.score_parts) ==
        "Score = tokens with the largest weight on the previous token / all test tokens = 970 / 1000 = 0.97");
  CHECK(line(view.baseline_parts) == "Wanted for a place = 0.90");
}

TEST_CASE("gallery: the card of a diffuse head tells how even it is") {
  const GalleryView view = view_of(0, 1);
  CHECK(view.role_title == "diffuse");
  CHECK(view.why == "It spreads its attention almost evenly: on average 93 % of the largest entropy that is possible.");
  CHECK(view.evidence[0].text == "93 %");
  CHECK(view.evidence[1].text == "80 %");
  CHECK(view.count.empty());
}

TEST_CASE("gallery: a head without a role names its nearest miss") {
  const GalleryView view = view_of(1, 1);
  CHECK(view.role_title == "no role found");
  CHECK(view.why ==
        "No role beats its baseline by 10 points on 1,000 held-out sentences. Nearest is <b>verb → subject</b>: "
        "60 %, 5 points above the best simple rule, <b>nearest noun to the left</b>.");
  CHECK(view.evidence[0].text == "60 %");
}

TEST_CASE("gallery: further roles are listed, the best first") {
  heads::Table table = small_table();
  table.rows[2].scores[2].share.right = 910;
  heads::decide(table);
  const GalleryView view = view_of(1, 0, table);
  CHECK(view.role_title == "verb → subject");
  CHECK(view.other_roles == "Also: previous token 91 %");
  CHECK(view.chips[1].heads == 2);
}

TEST_CASE("gallery: a share that is almost everything or almost nothing isn't rounded to it") {
  heads::Table table = small_table();
  table.rows[0].scores[2].share.right = 999;
  CHECK(view_of(0, 0, table).captions[0].evidence == "over 99 %");
  table.rows[0].scores[2].share.right = 1000;
  CHECK(view_of(0, 0, table).captions[0].evidence == "100 %");
}

TEST_CASE("gallery: too few cases make no miss") {
  heads::Table table = small_table();
  for (heads::HeadRoles& row : table.rows)
    for (heads::Score& score : row.scores) score.share = {0, 10};
  heads::decide(table);
  const GalleryView view = view_of(1, 1, table);
  CHECK(view.why == "No role can be tested here: fewer than 20 cases each.");
  CHECK(view.evidence.empty());
  CHECK(view.score_parts.empty());
}

TEST_CASE("gallery: a case that is found past a nearer noun, found elsewhere, and missed") {
  const std::string found = finding_with(-1, false);
  CHECK_MESSAGE(has(found, "looks past the nearer noun"), found);
  CHECK(has(found, "and finds"));
  const std::string fooled = finding_with(0, true);
  CHECK_MESSAGE((has(fooled, "does not find") && has(fooled, "is on the nearer noun")), fooled);
  const std::string rests = finding_with(0, false);
  CHECK_MESSAGE((has(rests, "does not find") && has(rests, "its largest weight, 0.80, is on <b>[CLS]</b>")), rests);
}

TEST_CASE("gallery: other weights are said as they are") {
  State state = looking({"[CLS]", "dogs", "bark", "loudly"}, 2, 1);
  CHECK(derive(state).gallery.finding == "<b>bark</b> gives its largest weight, 0.80, to <b>dogs</b>.");
  REQUIRE(!update(state, PinMapCell{MapCell{2, 3}}));
  CHECK(derive(state).gallery.finding ==
        "<b>bark</b> gives 0.07 of its attention to <b>loudly</b>; its largest weight, 0.80, goes to <b>dogs</b>.");
  REQUIRE(!update(state, PinMapCell{MapCell{2, 2}}));
  CHECK(has(derive(state).gallery.finding, "to itself;"));
  state = looking({"[CLS]", "the", "dog", "saw", "the", "cat"}, 3, 4);
  CHECK(derive(state).gallery.finding == "<b>saw</b> gives its largest weight, 0.80, to <b>the</b> (token 5).");
}

TEST_CASE("gallery: contributions are said as what a token adds") {
  State state = gallery_state();
  REQUIRE(!update(state, SetContributions{true}));
  const GalleryView view = derive(state).gallery;
  CHECK_MESSAGE(has(view.finding, " in this head"), view.finding);
  CHECK_FALSE(has(view.finding, "attention"));
  CHECK(has(view.caveat, "Kobayashi et al. 2020"));
}

TEST_CASE("gallery: hostile tokens are plain text, on the canvas and aloud") {
  for (const char* token : {"<img onerror>", "%s%n", "_{", "^{x}", "\\", "<b>"}) {
    const State state = looking({"[CLS]", token, "bark", "."}, 2, 1);
    const Derived derived = derive(state);
    CHECK(derived.gallery.tokens[1] == token);
    CHECK(has(derived.gallery.finding, "<b>" + escape_rich(token) + "</b>"));
    CHECK(has(to_plain(derived.gallery.finding), std::string("to ") + token + "."));
    const auto json = nlohmann::json::parse(to_json(describe(state, derived)), nullptr, false);
    REQUIRE_FALSE(json.is_discarded());
    CHECK(json["tables"][1]["cols"][1] == token);
  }
  const State state = looking({"[CLS]", "a\n\xff", "bark", "."}, 2, 1);
  CHECK(derive(state).gallery.tokens[1] == "a??");
}

TEST_CASE("gallery: unknown words are quoted, each once, and no more than five") {
  State state = gallery_state();
  REQUIRE(!update(state, SetSentence{"<img onerror> zork zork"}));
  CHECK(derive(state).gallery.sentence_note ==
        "This model doesn't know \"<\", \"img\", \"onerror\", \">\" and \"zork\": [MASK] stands there.");
  REQUIRE(!update(state, SetSentence{"aa bb cc dd ee ff gg"}));
  CHECK(has(derive(state).gallery.sentence_note, "\"ee\" and two more:"));
}

TEST_CASE("gallery: what is asked is said") {
  State state = gallery_state();
  CHECK(derive(state).gallery.asking_note == "Each row has its own word hidden, as in training.");
  REQUIRE(!update(state, SetAsking{heads::Asking::visible}));
  CHECK(derive(state).gallery.asking_note == "Every word is visible, unlike in training.");
  REQUIRE(!update(state, OpenSpecimen{Source::file, file_specimen()}));
  CHECK(derive(state).gallery.asking_note == "Weights as they stand in the file.");
  CHECK_FALSE(has(derive(state).gallery.caveat, "Contributions"));
}

TEST_CASE("gallery: by layer, what is computed stands apart from what is quoted") {
  const GalleryView view = view_of(0, 0);
  const auto& notes = view.layer_notes;
  REQUIRE(notes.size() == 6);
  CHECK(notes[0].text == "Layer 1, 2 heads: 1 positional and 1 diffuse.");
  CHECK(notes[1].text == "Layer 2, 2 heads: 1 syntactic and 1 without a role.");
  CHECK(notes[2].text ==
        "On average this model has positional heads in layer 1.0 and syntactic heads in layer 2.0: the order that the "
        "lesson "
        "gives.");
  for (std::size_t i = 0; i < notes.size(); ++i) {
    CHECK(notes[i].quoted == (i >= 3));
    CHECK(notes[i].source.empty() == (i < 3));
  }
  heads::Table upside_down = small_table();
  std::swap(upside_down.rows[0], upside_down.rows[2]);
  CHECK(has(view_of(0, 0, upside_down).layer_notes[2].text, "not the order"));
}

TEST_CASE("gallery: training in words") {
  State state = gallery_state();
  CHECK(derive(state).gallery.training == "Ready to train: two layers of four heads, 2000 steps, seed 1.");
  state = training_state();
  heads::Report made = report(small_plan(), 1, 350);
  made.clicks = {{350, "verb_subject", 1, 0, 0.94}};
  REQUIRE(!take(state, made));
  GalleryView view = derive(state).gallery;
  CHECK(view.training ==
        "Training, step 350 of 2000. On sentences that it has not seen, 62 % of the hidden words are right. "
        "Step 350: layer 2, head 1: verb → subject.");
  REQUIRE(view.clicks.size() == 1);
  CHECK(view.clicks[0].text == "layer 2, head 1: verb → subject");
  REQUIRE(!update(state, Train{TrainingCommand::pause}));
  CHECK(has(derive(state).gallery.training, "Paused at step 350 of 2000."));
  made.step = 2000, made.finished = true;
  REQUIRE(!take(state, made));
  CHECK(has(derive(state).gallery.training, "Finished after 2000 steps."));
}

TEST_CASE("gallery: no word shouts, and rich text is closed, after any walk") {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    State state = random_gallery_state(seed);
    state.page = Page::gallery;
    if (!state.gallery.sentence.empty()) continue;  // whose words are the learner's
    const GalleryView view = derive(state).gallery;
    for (const std::string& text : {view.finding, view.why, view.other_roles, view.count, view.asking_note, view.caveat,
                                    view.training, view.empty, view.strip_sentence, view.not_testable}) {
      CHECK_MESSAGE(text.find('!') == std::string::npos, text);
      CHECK_MESSAGE(text.find("wrong") == std::string::npos, text);
      const std::string plain = to_plain(text);
      CHECK_MESSAGE(plain.find("<b>") == std::string::npos, text);
      CHECK_MESSAGE(plain.find("  ") == std::string::npos, text);
    }
  }
}
