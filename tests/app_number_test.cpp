// Numbers as people type them and as matrices show them.
#include "app_support.hpp"

using namespace app_test;
using attention::Problem;

namespace {

double read(std::string_view text) {
  const auto result = read_number(text);
  const double* value = std::get_if<double>(&result);
  CHECK_MESSAGE(value, "refused: ", text);
  return value ? *value : std::numeric_limits<double>::quiet_NaN();
}

std::string refusal(std::string_view text) {
  const auto result = read_number(text);
  const Problem* problem = std::get_if<Problem>(&result);
  CHECK_MESSAGE(problem, "accepted: ", text);
  return problem ? attention::to_sentence(*problem) : "";
}

bool says(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a typed number is read as it is meant") {
  CHECK(read("0.9") == 0.9);
  CHECK(read("0,9") == 0.9);
  CHECK(read("-3") == -3);
  CHECK(read("\u22123") == -3);
  CHECK(read("+3") == 3);
  CHECK(read(" 5 ") == 5);
  CHECK(read(".5") == 0.5);
  CHECK(read("5.") == 5);
  CHECK(read("1e-3") == 0.001);
  CHECK(read("1E3") == 1000);
  CHECK(read("1e\u22123") == 0.001);
  CHECK(read("1000000") == 1e6);
  CHECK(read("-1e6") == -1e6);
  CHECK(read("4.9e-324") == 4.9e-324);
  CHECK(read("0") == 0);
  CHECK(read("0e-999") == 0);
  CHECK_FALSE(std::signbit(read("-0")));
}

TEST_CASE("a comma that may stand between thousands is refused, a decimal comma is not") {
  CHECK(says(refusal("1,000"), "two ways"));
  CHECK(says(refusal("-12,500"), "two ways"));
  CHECK(read("0,125") == 0.125);
  CHECK(read("1,25") == 1.25);
  CHECK(read("1,2500") == 1.25);
}

TEST_CASE("what is not a number is refused by name") {
  CHECK(says(refusal(""), "found nothing"));
  CHECK(says(refusal(" \t"), "found nothing"));
  CHECK(says(refusal("NaN"), "not a number"));
  CHECK(says(refusal("-nan"), "not a number"));
  CHECK(says(refusal("inf"), "infinite"));
  CHECK(says(refusal("-Infinity"), "infinite"));
  CHECK(says(refusal("\u2212∞"), "infinite"));
  CHECK(says(refusal("1e999"), "too large"));
  CHECK(says(refusal("1000001"), "too large"));
  CHECK(says(refusal("1000001"), "1000000"));
  CHECK(says(refusal("1e-400"), "too close to 0"));
  CHECK(says(refusal("0x10"), "hexadecimal"));
  CHECK(says(refusal("1.2.3"), "more than one separator"));
  CHECK(says(refusal("1,234.5"), "more than one separator"));
  CHECK(says(refusal("5 apples"), "apples"));
  CHECK(says(refusal("1e"), "\"e\" after the number"));
  CHECK(says(refusal("1p3"), "after the number"));
  for (const char* text : {".", "-", "e5", "--3", "one", "<b>3", "%s", "\xff\xfe"}) refusal(text);
  CHECK(refusal(std::string(100000, '9')).size() < 200);
}

TEST_CASE("a number's text reads back as the same bits") {
  Random random(1);
  for (int i = 0; i < 2000; ++i) {
    const double value = i % 2 ? random_number(random) : random.between(-1, 1) * std::pow(10.0, random.whole(-300, 5));
    CHECK(std::bit_cast<std::uint64_t>(read(to_text(value))) == std::bit_cast<std::uint64_t>(value));
  }
  CHECK(to_text(0.1) == "0.1");
  CHECK(to_text(-3.0) == "-3");
  CHECK(to_text(1e22) == "1e22");
}

TEST_CASE("a shown number has fixed decimals, a real minus sign, and no minus zero") {
  CHECK(format_number(0.9441927, 3) == "0.944");
  CHECK(format_number(-0.41328, 2) == "\u22120.41");
  CHECK(format_number(4, 0) == "4");
  CHECK(format_number(-0.0, 3) == "0.000");
  CHECK(format_number(-0.0004, 3) == "0.000");
  CHECK(format_number(-0.4, 0) == "0");
  CHECK(format_number(-0.0006, 3) == "\u22120.001");
  CHECK(format_number(-std::numeric_limits<double>::infinity(), 3) == "\u2212∞");
}

TEST_CASE("a large number stays short") {
  CHECK(format_number(99.9994, 3) == "99.999");
  CHECK(format_number(123.456, 3) == "123.46");
  CHECK(format_number(12345.678, 3) == "12346");
  CHECK(format_number(99999, 0) == "99999");
  CHECK(format_number(100000, 0) == "1e5");
  CHECK(format_number(-7.24e25, 3) == "\u22127.2e25");
}

TEST_CASE("decimals are those that the matrix needs") {
  attention::Matrix<double> matrix(1, 3);
  matrix << 1, -std::numeric_limits<double>::infinity(), 0;
  CHECK(decimals_of(matrix, 3) == 0);
  matrix(0, 0) = 0.5;
  CHECK(decimals_of(matrix, 3) == 3);
  CHECK(decimals_of(matrix, 2) == 2);
}

TEST_CASE("the text of a cell is the drawing's") {
  const State state = at_step(Step::output);
  const Derived derived = derive(state);
  CHECK(text_of(state, derived, {Tensor::X, -1, 0, 0}) == "1");
  CHECK(text_of(state, derived, {Tensor::V, 1, 1, 1}) == "\u22121");
  CHECK(text_of(state, derived, {Tensor::scores, 0, 1, 0}) == "4");
  CHECK(text_of(state, derived, {Tensor::scaled, 0, 1, 1}) == "0.000");
  CHECK(text_of(state, derived, {Tensor::pattern, 0, 1, 0}) == "0.944");
  CHECK(text_of(state, derived, {Tensor::head, 1, 1, 1}) == "\u22120.413");
  CHECK(text_of(state, derived, {Tensor::concat, -1, 1, 3}) == "\u22120.41");
  CHECK(text_of(state, derived, {Tensor::output, -1, 0, 3}) == "\u22120.08");
  CHECK(text_of(state, derived, {Tensor::output, -1, 1, 0}) == "1.53");
}

TEST_CASE("the text of a given number is as short as the number is, and never 0 for what counts") {
  State state;
  const Cell cell{Tensor::X, -1, 0, 0};
  const auto text = [&](double value) {
    REQUIRE(!update(state, SetCell{cell, value}));
    return text_of(state, derive(state), cell);
  };
  CHECK(text(0.9) == "0.9");
  CHECK(text(0.125) == "0.125");
  CHECK(text(-1.5) == "\u22121.5");
  CHECK(text(1.0 / 3) == "0.333");
  CHECK(text(1234) == "1234");
  CHECK(text(123456) == "1.2e5");
  CHECK(text(-1e6) == "\u22121000000");
  CHECK(text(1e-7) == "1e\u22127");
  CHECK(text(-0.04) == "\u22120.04");
}
