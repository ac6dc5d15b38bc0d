// Which roles are earned, and the table as JSON.
#include "heads_support.hpp"

#include "io/json.hpp"

#include <nlohmann/json.hpp>

using namespace heads_test;

namespace {

Subject subject_named(const std::string& id, Family family, int cases, int offset_right, int rule_right) {
  Subject out;
  out.id = id;
  out.name = "name of " + id;
  out.asks = "cases of " + id;
  out.explains = "Why \"" + id + "\" → so.";
  out.family = family;
  out.cases = cases;
  out.best_offset = {offset_right, cases};
  out.offset = -3;
  out.best_rule = {rule_right, cases};
  out.rule = "first noun";
  return out;
}

/// One head; `right` of each subject's cases.
Table table_of(std::vector<Subject> subjects, std::vector<int> right) {
  Table table;
  table.layers = table.heads = 1;
  table.subjects = std::move(subjects);
  table.rows.resize(1);
  for (std::size_t i = 0; i < right.size(); ++i) {
    Score score;
    score.share = {right[i], table.subjects[i].cases};
    score.mean_weight = 0.25;
    table.rows[0].scores.push_back(score);
  }
  table.sentences = 10;
  table.counted_on = "10 sentences";
  return table;
}

bool earns(const Subject& subject, int right) {
  Table table = table_of({subject}, {right});
  decide(table);
  CHECK(table.rows[0].roles.size() == (table.rows[0].scores[0].earned ? 1u : 0u));
  return table.rows[0].scores[0].earned;
}

Subject relation(int cases, int offset_right, int rule_right) {
  return subject_named("verb_subject", Family::syntactic, cases, offset_right, rule_right);
}

/// Two layers of two heads with several subjects, decided.
Table whole_table() {
  Table table = table_of({subject_named("verb_subject", Family::syntactic, 200, 20, 80),
                          subject_named("next_word", Family::positional, 150, 150, 150),
                          subject_named("repeated", Family::semantic, 100, 10, 30),
                          subject_named("first_token", Family::resting, 1000, 60, 0)},
                         {180, 149, 90, 950});
  table.layers = table.heads = 2;
  table.rows.resize(4, table.rows[0]);
  table.subjects[0].accuracy = Share{199, 200};
  table.subjects[3].best_rule = {};
  table.subjects[3].rule = "";
  table.rows[1].scores[0].share.right = table.rows[1].scores[2].share.right = 30;
  for (Score& score : table.rows[2].scores) score.share.right = 3;
  for (Score& score : table.rows[3].scores) score.share.right = 4;
  table.rows[2].entropy_share = 0.8;
  table.rows[3].entropy_share = 0.1 + 0.2;
  table.rows[3].mean_rest = 1.0 / 3;
  decide(table);
  return table;
}

}  // namespace

TEST_CASE("the interval of a share is Wilson's, against Newcombe's printed values") {
  struct Row {
    int right, count;
    double low, high;
  };
  // Newcombe 1998, "Two-sided confidence intervals for the single proportion", table I, method 3.
  for (const Row& row : {Row{81, 263, 0.2553, 0.3662}, Row{15, 148, 0.0624, 0.1605}, Row{0, 20, 0, 0.1611},
                         Row{1, 29, 0.0061, 0.1718}}) {
    const Interval found = interval_of({row.right, row.count});
    CHECK(found.low == doctest::Approx(row.low).epsilon(0.0005));
    CHECK(found.high == doctest::Approx(row.high).epsilon(0.0005));
    const Interval turned = interval_of({row.count - row.right, row.count});
    CHECK(turned.low == doctest::Approx(1 - found.high));
    CHECK(turned.high == doctest::Approx(1 - found.low));
  }
  CHECK(interval_of({0, 20}).low == 0);
  CHECK(interval_of({20, 20}).high == 1);
  CHECK(interval_of({0, 0}).low == 0);
  CHECK(interval_of({0, 0}).high == 1);
}

TEST_CASE("a relation is earned ten points above every simple rule, and not at nine") {
  CHECK(earns(relation(1000, 100, 400), 500));
  CHECK_FALSE(earns(relation(1000, 100, 400), 499));
  CHECK(earns(relation(1000, 400, 100), 500));  // the offset counts like the rule
  CHECK_FALSE(earns(relation(1000, 400, 100), 499));
  CHECK(earns(relation(1000, 200, 200), 300));  // 0.3 - 0.2 is a little less than 0.1 in binary
}

TEST_CASE("the interval's lower end must be above the rules, too: few cases need a larger lead") {
  CHECK_FALSE(earns(relation(20, 8, 8), 11));  // 0.55 against 0.40, from 0.34 on
  CHECK(earns(relation(20, 8, 8), 14));        // from 0.48 on
  CHECK(earns(relation(2000, 800, 800), 1100));
}

TEST_CASE("nothing is earned on fewer than twenty cases") {
  CHECK_FALSE(earns(relation(19, 0, 0), 19));
  CHECK(earns(relation(20, 0, 0), 20));
  CHECK_FALSE(earns(subject_named("first_token", Family::resting, 19, 0, 0), 19));
  CHECK_FALSE(earns(subject_named("previous_token", Family::positional, 0, 0, 0), 0));
}

TEST_CASE("a place is earned at ninety of a hundred, although a fixed offset is always right about it") {
  for (const Family family : {Family::positional, Family::resting}) {
    CHECK(earns(subject_named("place", family, 100, 100, 100), 90));
    CHECK_FALSE(earns(subject_named("place", family, 100, 100, 100), 89));
  }
}

TEST_CASE("a head's roles: relations before places before rest, the one with the largest lead first") {
  Table table = table_of({subject_named("first_token", Family::resting, 100, 5, 0),
                          subject_named("next_token", Family::positional, 100, 100, 0),
                          subject_named("verb_subject", Family::syntactic, 100, 40, 50),
                          subject_named("repeated", Family::semantic, 100, 10, 20),
                          subject_named("object_verb", Family::syntactic, 100, 90, 0)},
                         {99, 91, 95, 80, 95});
  decide(table);
  CHECK(roles_of(table, 0, 0) == "repeated, verb_subject, next_token, first_token");
  table.rows[0].scores[3].share.right = 0;
  decide(table);
  CHECK(roles_of(table, 0, 0) == "verb_subject, next_token, first_token");
  CHECK_FALSE(table.rows[0].scores[3].earned);
}

TEST_CASE("a head is diffuse from four fifths of the largest entropy on") {
  Table table = table_of({}, {});
  table.rows[0].entropy_share = 0.8;
  decide(table);
  CHECK(table.rows[0].diffuse);
  table.rows[0].entropy_share = 0.799;
  decide(table);
  CHECK_FALSE(table.rows[0].diffuse);
}

TEST_CASE("by layer each head counts once, for its first role, else as diffuse or none") {
  const Table table = whole_table();
  CHECK(roles_of(table, 0, 0) == "repeated, verb_subject, next_word, first_token");
  CHECK(roles_of(table, 0, 1) == "next_word, first_token");
  const std::vector<LayerShares> layers = by_layer(table);
  REQUIRE(layers.size() == 2);
  CHECK(layers[0].semantic == 1);
  CHECK(layers[0].positional == 1);
  CHECK(layers[0].syntactic + layers[0].resting + layers[0].diffuse + layers[0].none == 0);
  CHECK(layers[1].diffuse == 1);
  CHECK(layers[1].none == 1);
  CHECK(layers[1].positional + layers[1].syntactic + layers[1].semantic + layers[1].resting == 0);

  Table resting = table_of({subject_named("first_token", Family::resting, 100, 5, 0),
                            subject_named("verb_subject", Family::syntactic, 100, 5, 0)},
                           {99, 0});
  decide(resting);
  CHECK(by_layer(resting)[0].resting == 1);
  resting.rows[0].scores[1].share.right = 50;
  decide(resting);
  CHECK(by_layer(resting)[0].syntactic == 1);
}

TEST_CASE("a table is the same after JSON, with indentation and without") {
  const Table table = whole_table();
  for (const int indent : {0, 1, 2}) CHECK(taken(read_table(to_json(table, indent))) == table);
  Table empty = table_of({}, {});
  decide(empty);
  CHECK(taken(read_table(to_json(empty))) == empty);
}

TEST_CASE("JSON of a table says what a person wants to know of a head: role, share, interval, count") {
  const nlohmann::json json = nlohmann::json::parse(to_json(whole_table()), nullptr, false);
  const nlohmann::json& row = json["rows"][1];
  CHECK(row["layer"] == 1);
  CHECK(row["head"] == 2);
  CHECK(row["roles"] == nlohmann::json({"next_word", "first_token"}));
  const nlohmann::json& score = row["scores"][1];
  CHECK(score["subject"] == "next_word");
  CHECK(score["right"] == 149);
  CHECK(score["count"] == 150);
  CHECK(score["share"] == 149.0 / 150);
  CHECK(score["low"] == interval_of({149, 150}).low);
  CHECK(score["high"] == interval_of({149, 150}).high);
  CHECK(score["earned"] == true);
  CHECK(json["subjects"][0]["best_rule"]["right"] == 80);
  CHECK(json["subjects"][0]["accuracy"]["right"] == 199);
  CHECK(json["subjects"][1]["accuracy"].is_null());
}

namespace {

/// Why the table is refused with its nth `from` as `to`.
std::string refusal_with(const std::string& from, const std::string& to, int nth = 1) {
  std::string json = to_json(whole_table());
  std::size_t at = json.find(from);
  for (int i = 1; i < nth && at != std::string::npos; ++i) at = json.find(from, at + 1);
  INFO(from);
  REQUIRE(at != std::string::npos);
  return refusal_of(read_table(json.replace(at, from.size(), to)));
}

}  // namespace

TEST_CASE("a table that isn't whole is refused, and says where") {
  CHECK(refusal_of(read_table("")).starts_with("table byte 1: found the end"));
  CHECK(refusal_of(read_table("[]")).starts_with("table: found a list, wanted an object of layers, heads"));
  CHECK(refusal_with("\"layers\":2,", "") == "table layers: found nothing, wanted it once");
  CHECK(refusal_with("\"layers\":2", "\"layers\":2,\"layers\":2") == "table layers: found it twice, wanted it once");
  CHECK(
      refusal_with("\"layers\":2", "\"layers\":2,\"more\":[]").starts_with("table \"more\": found a key of that name"));
  CHECK(refusal_with("\"layers\":2", "\"layers\":\"2\"") ==
        "table layers: found a string, wanted a whole number from 1 to 48");
  CHECK(refusal_with("\"layers\":2", "\"layers\":2.0") ==
        "table layers: found 2.0, wanted a whole number from 1 to 48");
  CHECK(refusal_with("\"layers\":2", "\"layers\":49") == "table layers: found 49, wanted a whole number from 1 to 48");
  CHECK(refusal_with("\"layers\":2", "\"layers\":4294967298") ==
        "table layers: found 4294967298, wanted a whole number from 1 to 48");
  CHECK(refusal_with("\"layers\":2", "\"layers\":18446744073709551618") ==  // 2 in 64 bits
        "table layers: found 18446744073709551618, wanted a whole number from 1 to 48");
  CHECK(refusal_with("\"heads\":2", "\"heads\":1").starts_with("table rows: found 4, wanted 2, layers times heads"));
  CHECK(refusal_with("\"family\":\"semantic\"", "\"family\":\"nice\"") ==
        "table subjects[3] family: found \"nice\", wanted one of positional, syntactic, semantic, resting, diffuse");
  CHECK(refusal_with("\"id\":\"next_word\"", "\"id\":\"verb_subject\"")
            .find("table subjects[2] id: found \"verb_subject\" twice, wanted each once") != std::string::npos);
  CHECK(refusal_with("\"id\":\"next_word\"", "\"id\":\"\"").starts_with("table subjects[2] id: found nothing"));
  CHECK(refusal_with("\"accuracy\":{\"right\":199", "\"accuracy\":{\"right\":201") ==
        "table subjects[1] accuracy right: found 201, wanted at most the count, 200");
  CHECK(refusal_with("\"best_offset\":{\"right\":20,\"count\":200}", "\"best_offset\":{\"right\":20,\"count\":199}") ==
        "table subjects[1] best_offset count: found 199, wanted 200, the subject's cases");
  CHECK(refusal_with("\"accuracy\":null", "\"accuracy\":true") ==
        "table subjects[2] accuracy: found true, false or null, wanted an object of right, count");
  CHECK(refusal_with("\"diffuse\":false", "\"diffuse\":null") ==
        "table rows[1] diffuse: found null, wanted true or false");
  CHECK(refusal_with("\"entropy_share\":0.8", "\"entropy_share\":1e999") ==
        "table rows[3] entropy_share: found 1e999, wanted a number from 0 to 1.01");
  CHECK(refusal_with("\"head\":2", "\"head\":1") == "table rows[2] head: found 1, wanted 2, in order");
  CHECK(refusal_with("\"layer\":2", "\"layer\":1") == "table rows[3] layer: found 1, wanted 2, layer by layer");
  CHECK(refusal_of(read_table(to_json(whole_table()) + " x")).starts_with("table byte "));
}

TEST_CASE("a table can't say of a head what its counts don't") {
  CHECK(refusal_with("\"share\":0.9,", "\"share\":0.95,") ==
        "table rows[1] scores[1] share: found 0.95, wanted 0.9, what the counts give");
  const Interval interval = interval_of({180, 200});
  CHECK(refusal_with("\"low\":" + io::number_text(interval.low), "\"low\":0.85")
            .starts_with("table rows[1] scores[1] low: found 0.85, wanted 0.8505"));
  CHECK(refusal_with("\"high\":" + io::number_text(interval.high), "\"high\":1")
            .starts_with("table rows[1] scores[1] high: found 1, wanted 0.934"));
  CHECK(refusal_with("\"right\":180,\"count\":200", "\"right\":180,\"count\":190")
            .starts_with("table rows[1] scores[1] count: found 190, wanted 200, the subject's cases"));
  CHECK(refusal_with("\"right\":180,", "\"right\":201,")
            .starts_with("table rows[1] scores[1] right: found 201, wanted at most the count, 200"));
  CHECK(refusal_with("\"low\":", "\"low\":0,\"x\":").find("wanted subject, right, count") != std::string::npos);
  CHECK(refusal_with("\"earned\":false", "\"earned\":true") ==
        "table rows[2] scores[1] earned: found true, wanted false, what the counts give");
  CHECK(refusal_with("\"roles\":[\"next_word\",\"first_token\"]", "\"roles\":[\"first_token\",\"next_word\"]") ==
        "table rows[2] roles: found \"first_token\", \"next_word\", wanted \"next_word\", \"first_token\", what was "
        "earned");
  CHECK(refusal_with("\"roles\":[]", "\"roles\":[\"repeated\"]") ==
        "table rows[3] roles: found \"repeated\", wanted none, what was earned");
  CHECK(refusal_with("\"diffuse\":true", "\"diffuse\":false") ==
        "table rows[3] diffuse: found false, wanted true, by its entropy");
  CHECK(refusal_with("{\"subject\":\"next_word\"", "{\"subject\":\"repeated\"") ==
        "table rows[1] scores[2] subject: found \"repeated\", wanted \"next_word\", in the subjects' order");
}

TEST_CASE("broken tables by the thousand: refused with reasons, or read to what writes the same") {
  const std::string whole = to_json(whole_table());
  Random random{5};
  const auto place = [&](const std::string& text) {
    return static_cast<std::size_t>(random.below(static_cast<int>(text.size())));
  };
  int read = 0;
  for (int round = 0; round < 4000; ++round) {
    std::string json = whole;
    switch (random.below(4)) {
      case 0: {
        char& byte = json[place(json)];
        byte = "{}[]\",:\\0129 -.e\x01\x7f\x80\xff"[random.below(21)];
        break;
      }
      case 1: {
        const std::size_t at = place(json);
        json.erase(at, static_cast<std::size_t>(1 + random.below(60)));
        break;
      }
      case 2: {  // drawn one by one: compilers differ in which argument they make first
        const std::size_t to = place(json), from = place(whole);
        json.insert(to, whole.substr(from, static_cast<std::size_t>(random.below(60))));
        break;
      }
      default: json.resize(place(json)); break;
    }
    const auto found = read_table(json);
    if (const auto* table = std::get_if<Table>(&found)) {
      ++read;
      CHECK(taken(read_table(to_json(*table))) == *table);
    } else {
      CHECK(refusal_of(found) != "");
    }
  }
  MESSAGE(read << " of 4000 were read");
  CHECK(read > 20);
}
