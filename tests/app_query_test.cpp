// The whole view in a link.
#include "app_support.hpp"

#include <algorithm>

using namespace app_test;

namespace {

bool says(const State& state, std::string_view part) { return state.notice.find(part) != std::string::npos; }

bool is_safe(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         std::string_view("?&=._,:-").find(c) != std::string_view::npos;
}

/// What a link can bring back.
void check_same_view(const State& a, const State& b) {
  CHECK(a.page == b.page);
  CHECK(a.step == b.step);
  CHECK(a.head == b.head);
  CHECK(a.pinned == b.pinned);
  CHECK(a.theme == b.theme);
  CHECK(a.motion == b.motion);
  CHECK(a.document == b.document);
}

}  // namespace

TEST_CASE("the start state needs no query") {
  CHECK(to_query({}).empty());
  CHECK(read_query("") == State{});
  CHECK(read_query("?") == State{});
}

TEST_CASE("a query is written in a fixed order") {
  State state = read_query("set=W_Q.1.2.1:-3,X.1.3:0.5&mask=causal&theme=dark&cell=pattern.1.2.1&step=softmax&head=2");
  CHECK(state.notice.empty());
  CHECK(to_query(state) == "?step=softmax&head=2&cell=pattern.1.2.1&theme=dark&mask=causal&set=X.1.3:0.5,W_Q.1.2.1:-3");
}

TEST_CASE("a link restores the view to the bit, after any walk") {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const State state = random_state(seed, 40);
    const std::string query = to_query(state);
    CHECK(std::all_of(query.begin(), query.end(), is_safe));
    const State again = read_query(query);
    CHECK_MESSAGE(again.notice.empty(), query, " says ", again.notice);
    check_same_view(again, state);
    CHECK(to_query(again) == query);
    CHECK(again.past.empty());
  }
}

TEST_CASE("a link restores a state in which every number is edited") {
  Random random(7);
  State state;
  for (const Tensor tensor : {Tensor::X, Tensor::W_Q, Tensor::W_K, Tensor::W_V, Tensor::W_O})
    for (const Cell& cell : cells_of(state, tensor)) update(state, SetCell{cell, -random.between(1e-9, 1e-8)});
  const std::string query = to_query(state);
  CHECK(query.size() <= kLongestQuery);
  const State again = read_query(query);
  CHECK(again.notice.empty());
  check_same_view(again, state);
}

TEST_CASE("a link that a browser or a mail program has encoded is the same link") {
  const State plain = read_query("?step=softmax&mask=1.2,2.1&set=X.1.3:0.5,W_Q.1.2.1:-3");
  const State encoded = read_query("?step=softmax&mask=1%2E2%2c2.1&set=X.1.3%3A0.5%2CW%5FQ.1.2.1%3a%2D3");
  CHECK(plain == encoded);
  CHECK(plain.notice.empty());
  CHECK(plain.document.weights.heads[0].W_Q(1, 0) == -3);
}

TEST_CASE("the mask of a link lists the pairs that are masked") {
  const State state = read_query("mask=2.1");
  CHECK(is_fully_masked(read_query("mask=1.1,1.2"), 0));
  CHECK(state.document.input.may_attend(1, 0) == 0);
  CHECK(state.document.input.may_attend(0, 1) == 1);
  CHECK(is_causal(read_query("mask=1.2")));
}

TEST_CASE("values out of range are clamped, and the notice says so") {
  State state = read_query("step=12");
  CHECK(state.step == Step::output);
  CHECK(state.notice == "step=12: there are 9 steps, so this opens the last one, Output.");
  state = read_query("step=0");
  CHECK(state.step == Step::input);
  CHECK(says(state, "first one, Input"));
  CHECK(read_query("step=6").step == Step::softmax);
  CHECK(read_query("step=99999999999999999999").step == Step::output);
  CHECK(read_query("step=-5").step == Step::input);
  state = read_query("head=9");
  CHECK(state.head == 2);
  CHECK(says(state, "there are 3 heads"));
  CHECK(read_query("head=0").head == 0);
  state = read_query("set=X.1.1:1e9,X.1.2:-1e999");
  CHECK(state.document.input.X(0, 0) == 1e6);
  CHECK(state.document.input.X(0, 1) == -1e6);
  CHECK(says(state, "X.1.1:1e9"));
}

TEST_CASE("values that can't be read are left out, and the notice names what was wanted") {
  State state = read_query("step=foo&theme=pink&motion=fast&cell=nowhere&head=first&page=quiz&mask=x");
  CHECK(state.step == Step::input);
  CHECK(state.theme == Theme::automatic);
  CHECK(says(state, "step=foo: not a step; wanted input, project, score"));
  CHECK(says(state, "theme=pink"));
  CHECK(says(state, "more."));
  CHECK(to_query(state).empty());
  CHECK(says(read_query("cell=pattern.9.1.1"), "cell=pattern.9.1.1"));
  CHECK(says(read_query("cell=b_Q.1.1.1"), "no such number"));
}

TEST_CASE("each bad edit is named, and the others are done") {
  const State state =
      read_query("set=X.1.1:0.5,foo,X.9.1:1,pattern.1.1.1:1,X.1.2:nan,b_O.1.1:1,X.1.3,X.1.4:0x1,X.2.1:-2");
  CHECK(state.document.input.X(0, 0) == 0.5);
  CHECK(state.document.input.X(1, 0) == -2);
  CHECK(state.document.input.X(0, 1) == 0);
  CHECK(says(state, "foo"));
  CHECK(says(state, "X.9.1:1"));
  CHECK(says(state, "computed"));
  CHECK(says(state, "NaN") == false);
  CHECK(says(state, "X.1.2:nan"));
  CHECK(says(state, "And 3 more."));
}

TEST_CASE("a decimal comma in a link is never read as 0") {
  CHECK(read_query("set=X.1.1:0,9").document.input.X(0, 0) == 0.9);
  CHECK(read_query("set=X.1.1:0%2C9,X.1.2:1,25").document.input.X(0, 1) == 1.25);
}

TEST_CASE("minus zero in a link is 0") {
  const State state = read_query("set=X.1.2:-0");
  CHECK_FALSE(is_edited(state, {Tensor::X, -1, 0, 1}));
}

TEST_CASE("a key that another version knows does no harm") {
  const State state = read_query("?lesson=3&step=scale&quiz&=&&utm_source=mail");
  CHECK(state.step == Step::scale);
  CHECK(state.notice.empty());
}

TEST_CASE("a hostile link is a link with a notice") {
  for (const char* query :
       {"step=%s%n%d", "step=<img onerror=alert(1)>", "step=%3Cimg%20onerror%3D1%3E", "cell=%", "cell=%2", "set=%zz",
        "set=:::,,,:=", "head=%00", "mask=....", "mask=1.2.3,-1.1", "set=X.1.1:\xff\xfe", "step=\x01\x02",
        "theme=a&theme=b", "???", "&&&&", "=====", "set=X.1.1:1,2,3,4", "page=\"><script>"}) {
    const State state = read_query(query);
    CHECK_MESSAGE(state.document == example(), query);
    CHECK(state.notice.size() < 1500);
    const Derived derived = derive(state);
    const auto json = nlohmann::json::parse(to_json(describe(state, derived)), nullptr, false);
    CHECK_MESSAGE(!json.is_discarded(), query);
  }
  CHECK(read_query("step=%3Cimg onerror%3E").notice.find("<img onerror>") != std::string::npos);  // text, as it is
}

TEST_CASE("a link of 100 KB is cut at a whole entry") {
  for (std::size_t shift = 0; shift < 20; ++shift) {  // wherever the cut falls
    std::string query = "step=softmax&other=" + std::string(shift, 'x') + "&set=";
    while (query.size() < 100000) query += "X.1.1:0.123456789,";
    const State state = read_query(query);
    CHECK(state.step == Step::softmax);
    CHECK(state.document.input.X(0, 0) == 0.123456789);
    CHECK(state.notice == "The link is too long: only its first 8192 characters are read.");
  }
  CHECK(read_query(std::string(100000, 'a')).document == example());
  CHECK(read_query("set=" + std::string(100000, ',')).document == example());
  CHECK(read_query("set=X.1.1:0." + std::string(100000, '5')).document == example());
}
