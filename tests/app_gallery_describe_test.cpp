// The gallery's page without a pixel.
#include "app_gallery_support.hpp"

#include <algorithm>
#include <set>

using namespace app_test;

namespace {

const DescribedTable* table_of(const Description& description, std::string_view id) {
  for (const DescribedTable& table : description.tables)
    if (table.id == id) return &table;
  return nullptr;
}

Description described(const State& state) { return describe(state, derive(state)); }

}  // namespace

TEST_CASE("gallery: a control is enabled exactly when update would carry it out, after any walk") {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    State state = random_gallery_state(seed);
    state.page = Page::gallery;
    std::set<std::string> actions;
    for (const DescribedControl& control : described(state).controls) {
      const auto read = read_action(control.action);
      const Action* action = std::get_if<Action>(&read);
      REQUIRE_MESSAGE(action, control.action);
      CHECK_MESSAGE(actions.insert(control.action).second, control.action);
      State copy = state;
      CHECK_MESSAGE(control.enabled == !update(copy, *action), control.action);
      CHECK_FALSE(control.label.empty());
      CHECK_FALSE(control.group.empty());
    }
  }
}

TEST_CASE("gallery: what is pressed is what is so") {
  State state = training_state();
  for (int step : {0, 50, 100}) REQUIRE(!take(state, report(small_plan(), 1, step)));
  REQUIRE(!update(state, Scrub{50}));
  std::set<std::string> pressed;
  for (const DescribedControl& control : described(state).controls)
    if (control.pressed == true) pressed.insert(control.action);
  const std::set<std::string> wanted = {"page:gallery",    "source:trained",  "role:",    "map:2.1",
                                        "asking:hidden",   "panel:training",  "scrub:50", "plan:task=language",
                                        "theme:automatic", "motion:automatic"};
  CHECK(pressed == wanted);
}

TEST_CASE("gallery: both pages lead to each other") {
  for (const Page page : {Page::walkthrough, Page::gallery}) {
    State state;
    REQUIRE(!update(state, OpenPage{page}));
    const Description description = described(state);
    CHECK(description.page == name_of(page));
    int pages = 0;
    for (const DescribedControl& control : description.controls)
      if (control.group == "pages") {
        ++pages;
        CHECK(control.pressed == (control.action == "page:" + std::string(name_of(page))));
      }
    CHECK(pages == kPages);
  }
}

TEST_CASE("gallery: the table of roles has a row for each head") {
  const Description description = described(gallery_state());
  const DescribedTable* roles = table_of(description, "roles");
  REQUIRE(roles);
  CHECK(roles->cols ==
        std::vector<std::string>{"role", "share", "best fixed offset", "best simple rule", "cases", "95 % interval"});
  REQUIRE(roles->rows.size() == 4);
  CHECK(roles->rows[2] == "Layer 2, head 1");
  const auto texts = [&](std::size_t row) {
    std::vector<std::string> list;
    for (const DescribedCell& cell : roles->cells[row]) list.push_back(cell.text);
    return list;
  };
  CHECK(texts(2) == std::vector<std::string>{"verb → subject", "0.94", "0.41, 4 tokens back",
                                             "0.55, nearest noun to the left", "200 verbs", "0.90–0.97"});
  CHECK(texts(0)[0] == "previous token");
  CHECK(texts(0)[3] == "none");
  CHECK(texts(3)[0] == "no role found, nearest verb → subject");
  CHECK(roles->cells[2][1].value == "0.94");
  for (const auto& row : roles->cells) CHECK(row.size() == roles->cols.size());
}

TEST_CASE("gallery: the enlarged map is listed to the bit, whole up to 32 tokens and else one row") {
  State state = gallery_state();
  REQUIRE(!update(state, PinMapCell{MapCell{2, 1}}));
  const Derived derived = derive(state);
  const Description description = describe(state, derived);
  const DescribedTable* map = table_of(description, "map");
  REQUIRE(map);
  CHECK(map->pin == "at:");
  CHECK(map->rows == derived.gallery.tokens);
  CHECK(map->cols == derived.gallery.tokens);
  int pinned = 0;
  for (int query = 0; query < derived.gallery.n; ++query)
    for (int key = 0; key < derived.gallery.n; ++key) {
      const DescribedCell& cell = map->cells[static_cast<std::size_t>(query)][static_cast<std::size_t>(key)];
      CHECK(std::strtod(cell.value.c_str(), nullptr) == static_cast<double>(derived.gallery.map(1, 0)(query, key)));
      pinned += cell.pinned;
      if (cell.pinned) CHECK(map->pin + cell.cell == "at:3.2");
    }
  CHECK(pinned == 1);

  REQUIRE(
      !update(state, OpenSpecimen{Source::file, file_specimen(small_attention(std::vector<std::string>(33, "a")))}));
  REQUIRE(!update(state, PinMapCell{MapCell{7, 6}}));
  const Description large = described(state);
  map = table_of(large, "map");
  REQUIRE(map);
  CHECK(map->rows.size() == 1);
  CHECK(map->cells[0][6].cell == "8.7");
}

TEST_CASE("gallery: the page's JSON holds the table as the command line prints it") {
  const State state = gallery_state();
  const nlohmann::json json = nlohmann::json::parse(to_json(described(state)), nullptr, false);
  REQUIRE_FALSE(json.is_discarded());
  CHECK(json["roles"] == nlohmann::json::parse(heads::to_json(small_table())));
  CHECK(json["page"] == "gallery");
  CHECK(json["title"] == "What did each head learn to look for?");
  CHECK(json["fields"].size() == 6);
  CHECK(json["fields"][0]["action"] == "sentence:");
  CHECK(json["notes"].size() == 6);
  CHECK(json["tables"].size() == 3);
  State walkthrough;
  CHECK_FALSE(nlohmann::json::parse(to_json(described(walkthrough))).contains("roles"));
}

TEST_CASE("gallery: fields take what they show, and are off when it would be refused") {
  State state = gallery_state();
  for (const DescribedField& field : described(state).fields) {
    const auto read = read_action(field.action + field.value);
    const Action* action = std::get_if<Action>(&read);
    REQUIRE_MESSAGE(action, field.action);
    State copy = state;
    CHECK_MESSAGE(!update(copy, *action), field.action);
    CHECK(copy == state);
    CHECK(field.enabled);
  }
  REQUIRE(!update(state, Train{TrainingCommand::start}));
  for (const DescribedField& field : described(state).fields) CHECK(field.enabled == (field.action == "sentence:"));
  REQUIRE(!update(state, OpenSpecimen{Source::file, file_specimen()}));
  CHECK_FALSE(described(state).fields[0].enabled);
}

TEST_CASE("gallery: the sentence says aloud what the card shows") {
  const Description description = described(gallery_state());
  for (const char* part :
       {"Layer 2, head 1: verb to subject.", "188 of 200 verbs", "39 points above", "Attention is not explanation"})
    CHECK_MESSAGE(description.sentence.find(part) != std::string::npos, description.sentence);
  for (const char* part : {"<b>", "→", "  ", ".."})
    CHECK_MESSAGE(description.sentence.find(part) == std::string::npos, part);
  State state;
  REQUIRE(!update(state, OpenPage{Page::gallery}));
  CHECK(described(state).sentence == "The model of this page is on its way.");
  CHECK(table_of(described(state), "map") == nullptr);
}
