// The JSON writer: shortest numbers that come back, strings that stay text, and its layouts.
#include "io/json.hpp"

#include "attention_support.hpp"

#include <cstdlib>

using io::JsonWriter;
using io::Lines;
using io::number_text;
using io::quoted_text;

TEST_CASE("numbers are as short as they can be") {
  const std::pair<double, const char*> cases[] = {{0, "0"},
                                                  {1, "1"},
                                                  {-3, "-3"},
                                                  {0.1, "0.1"},
                                                  {-2.5, "-2.5"},
                                                  {1e6, "1000000"},
                                                  {0.3302384506733431, "0.3302384506733431"},
                                                  {0.1 + 0.2, "0.30000000000000004"},
                                                  {1e22, "1e+22"},
                                                  {1e-7, "1e-07"},
                                                  {9007199254740991.0, "9007199254740991"},
                                                  {5e-324, "5e-324"},
                                                  {1.7976931348623157e308, "1.7976931348623157e+308"}};
  for (const auto& [value, text] : cases) CHECK(number_text(value) == text);
}

TEST_CASE("a number's text reads back as the same bits") {
  attention_test::Random random(41);
  int lost = 0;
  for (int i = 0; i < 20000; ++i) {
    const double value = std::bit_cast<double>(random.bits());
    if (!std::isfinite(value)) continue;
    const double back = nlohmann::json::parse(number_text(value)).get<double>();
    if (!attention_test::same_bits(back, value)) ++lost;
  }
  CHECK(lost == 0);
  const double minus_zero = nlohmann::json::parse(number_text(-0.0)).get<double>();
  CHECK(std::signbit(minus_zero));
}

TEST_CASE("what isn't a number says so as text, and is null as a value") {
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK(number_text(infinity) == "inf");
  CHECK(number_text(-infinity) == "-inf");
  CHECK(number_text(std::numeric_limits<double>::quiet_NaN()) == "nan");
  JsonWriter json;
  json.begin_array().value(infinity).value(std::numeric_limits<double>::quiet_NaN()).null().end_array();
  CHECK(json.text() == "[null,null,null]");
}

TEST_CASE("strings stay text: quotes, controls, markup, and bytes that aren't UTF-8") {
  CHECK(quoted_text("a\"b\\c") == R"("a\"b\\c")");
  CHECK(quoted_text("\n\t\x01\x7f") == R"("\u000a\u0009\u0001\u007f")");
  CHECK(quoted_text(std::string_view("a\0b", 3)) == R"("a\u0000b")");
  CHECK(quoted_text("<img onerror> %s √d_k 🐕") == "\"<img onerror> %s √d_k 🐕\"");
  CHECK(quoted_text("\xff") == "\"\uFFFD\"");
  CHECK(quoted_text("a\xC3") == "\"a\uFFFD\"");                                // cut short
  CHECK(quoted_text("\xC0\x80") == "\"\uFFFD\uFFFD\"");                        // overlong
  CHECK(quoted_text("\xED\xA0\x80") == "\"\uFFFD\uFFFD\uFFFD\"");              // a surrogate
  CHECK(quoted_text("\xF4\x90\x80\x80x") == "\"\uFFFD\uFFFD\uFFFD\uFFFDx\"");  // beyond U+10FFFF
}

TEST_CASE("any bytes make a string that a strict reader takes") {
  attention_test::Random random(42);
  for (int i = 0; i < 2000; ++i) {
    std::string bytes;
    for (int length = random.whole(0, 12); length > 0; --length) bytes += static_cast<char>(random.bits());
    CHECK(nlohmann::json::accept(quoted_text(bytes)));
  }
}

TEST_CASE("compact: no white space at all") {
  JsonWriter json;
  json.begin_object().member("step", 2).member("name", "Softmax").member("on", true).key("cells");
  json.begin_array().value(0.5).value(std::string("x")).begin_array().end_array().end_array();
  json.key("none")
      .begin_object()
      .end_object()
      .member("big", 9007199254740993LL)
      .member("size", sizeof(int))
      .end_object();
  CHECK(json.text() ==
        R"({"step":2,"name":"Softmax","on":true,"cells":[0.5,"x",[]],"none":{},"big":9007199254740993,"size":4})");
}

TEST_CASE("indented: members on lines of their own, rows on one") {
  JsonWriter json(2);
  json.begin_object().key("X").begin_array();
  json.begin_array(Lines::one).value(1).value(2).end_array();
  json.begin_array(Lines::one).value(3).begin_object().member("a", 1).member("b", 2).end_object().end_array();
  json.end_array().key("empty").begin_array().end_array().end_object();
  CHECK(json.text() == "{\n  \"X\": [\n    [1, 2],\n    [3, {\"a\": 1, \"b\": 2}]\n  ],\n  \"empty\": []\n}");
}

TEST_CASE("one value alone is a whole text") {
  JsonWriter json;
  json.value(false);
  CHECK(json.text() == "false");
}
