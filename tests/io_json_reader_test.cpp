// The JSON reader: what it takes and refuses, against a reader of others.
#include "io/json_reader.hpp"

#include "attention_support.hpp"

using attention_test::Random;
using io::JsonReader;

namespace {

bool is_taken(std::string_view text) {
  JsonReader json(text);
  json.skip();
  json.end();
  return !json.failed();
}

std::string problem_of(std::string_view text) {
  JsonReader json(text);
  json.skip();
  json.end();
  return json.problem() ? to_sentence(*json.problem()) : "";
}

std::string string_in(std::string_view text) {
  JsonReader json(text);
  return json.string();
}

}  // namespace

TEST_CASE("members come in their order, each as often as it is there") {
  JsonReader json(R"( {"a": [1, -2.50e+3], "b":{} ,"a":"x","c":[[],[true]]} )");
  std::string seen;
  CHECK(json.kind() == JsonReader::Kind::object);
  json.begin();
  for (std::string key; json.next_key(key);) {
    seen += key + ":";
    if (json.kind() == JsonReader::Kind::list && key == "a") {
      json.begin();
      while (json.next_item()) seen += std::string(json.number()) + ",";
    } else if (json.kind() == JsonReader::Kind::string) {
      seen += json.string();
    } else {
      json.skip();
    }
    seen += ";";
  }
  json.end();
  CHECK(seen == "a:1,-2.50e+3,;b:;a:x;c:;");
  CHECK_FALSE(json.failed());
}

TEST_CASE("after a mistake nothing more is read, and the first problem stays") {
  JsonReader json("[1,, 2]");
  json.begin();
  REQUIRE(json.next_item());
  CHECK(json.number() == "1");
  REQUIRE(json.next_item());
  CHECK(json.number() == "");
  CHECK_FALSE(json.next_item());
  CHECK(json.kind() == JsonReader::Kind::none);
  CHECK(json.string() == "");
  json.begin();
  json.skip();
  json.end();
  std::string key;
  CHECK_FALSE(json.next_key(key));
  CHECK(to_sentence(*json.problem()) == "byte 4: found \",\", wanted a digit");
}

TEST_CASE("what isn't JSON is named with its place") {
  CHECK(problem_of("") == "byte 1: found the end, wanted a value");
  CHECK(problem_of("nul") == "byte 1: found \"n\", wanted a value");
  CHECK(problem_of("[1 2]") == "byte 4: found \"2\", wanted a comma or ]");
  CHECK(problem_of("{\"a\" 1}") == "byte 6: found \"1\", wanted a colon");
  CHECK(problem_of("{\"a\":1]") == "byte 7: found \"]\", wanted a comma or }");
  CHECK(problem_of("[1,]") == "byte 4: found \"]\", wanted a value");
  CHECK(problem_of("-") == "byte 2: found the end, wanted a digit");
  CHECK(problem_of("1.") == "byte 3: found the end, wanted a digit");
  CHECK(problem_of("1e+") == "byte 4: found the end, wanted a digit");
  CHECK(problem_of("\"a") == "byte 3: found the end, wanted the string's closing quote");
  CHECK(problem_of("\"\n\"") == "byte 2: found \"\\u000a\", wanted a control character written as \\u and four digits");
  CHECK(problem_of("\"\\x\"") == "byte 3: found \"x\", wanted one of \" \\ / b f n r t u after a backslash");
  CHECK(problem_of("\"\\") == "byte 3: found the end, wanted what the backslash stands before");
  CHECK(problem_of("\"\\u12G4\"") == "byte 6: found \"G\", wanted four hexadecimal digits after \\u");
  CHECK(problem_of("\"\\udc00\"") == "byte 2: found \"\\\\\", wanted surrogates in pairs");
  CHECK(problem_of("\"\\ud800\\u0041\"") == "byte 2: found \"\\\\\", wanted surrogates in pairs");
  CHECK(problem_of("√") == "byte 1: found \"√\", wanted a value");
  CHECK(problem_of("\"\x80\"") == "byte 2: found byte 0x80, wanted UTF-8");
  CHECK(problem_of(std::string(16, '[') + std::string(16, ']')) == "");
  CHECK(problem_of(std::string(17, '[')) == "byte 17: found \"[\", wanted at most 16 brackets inside each other");
}

TEST_CASE("a NUL byte does not end the text, unlike in the other reader") {
  const std::string text("{}\0more", 7);
  CHECK(nlohmann::json::accept(text));
  CHECK(problem_of(text) == "byte 3: found \"\\u0000\", wanted only white space after the last bracket");
}

TEST_CASE("every escaped code unit means what the other reader says") {
  int different = 0;
  for (unsigned unit = 0; unit < 0x10000u; ++unit) {
    char text[32];
    std::snprintf(text, sizeof text, "\"a\\u%04x\\uDc15b\"", unit);  // the second half of a pair only after a first
    const nlohmann::json other = nlohmann::json::parse(text, nullptr, false);
    if (string_in(text) != (other.is_string() ? other.get<std::string>() : "")) ++different;
    std::snprintf(text, sizeof text, "\"a\\u%04Xb\\/\\n\"", unit);
    const nlohmann::json alone = nlohmann::json::parse(text, nullptr, false);
    if (string_in(text) != (alone.is_string() ? alone.get<std::string>() : "")) ++different;
  }
  CHECK(different == 0);
}

TEST_CASE("changed texts are taken or refused as by the other reader") {
  const std::vector<std::string> seeds = {R"({"a": [1, -20.5e0, 0], "b": {"c": null, "d": [true, false]}, "": "x"})",
                                          R"(["\"\\\/\b\f\n\r\t\u00e9\ud83d\udc15é√🐕"])",
                                          R"([[],{},[{}],"", 0, -0, 10.01E+2, 1e-1])", "\t{ \"k\" :\r\n1 } "};
  const std::string letters = "{}[]\",:\\/0129.-+eEu tfnlarsx\n\x01\x7f\x80\xbf\xc3\xe2\xed\xf0\xf4";
  Random random(75);
  int taken = 0, different = 0;
  std::string example;
  for (int round = 0; round < 20000; ++round) {
    std::string text = seeds[static_cast<std::size_t>(random.whole(0, static_cast<int>(seeds.size()) - 1))];
    for (int changes = random.whole(1, 3); changes > 0; --changes) {
      const auto at = static_cast<std::size_t>(random.whole(0, static_cast<int>(text.size()) - 1));
      const char letter = letters[static_cast<std::size_t>(random.whole(0, static_cast<int>(letters.size()) - 1))];
      const int kind = random.whole(0, 3);
      if (kind == 0) text[at] = letter;
      if (kind == 1) text.insert(at, 1, letter);
      if (kind == 2 && text.size() > 1) text.erase(at, 1);
      if (kind == 3) text = text.substr(0, at + 1);
    }
    const bool ours = is_taken(text);
    taken += ours ? 1 : 0;
    if (ours == nlohmann::json::accept(text)) continue;
    ++different;
    example = text;
  }
  INFO(example);
  CHECK(different == 0);
  CHECK(taken > 500);
}
