// The budget in a link.
#include "app_budget_support.hpp"

using namespace app_test;
using budget_test::has;

namespace {

std::string wrong(const std::string& query) { return read_query(query).notice; }
budget::Sizes read(const std::string& query) { return read_query(query).budget.sizes; }

}  // namespace

TEST_CASE("budget page: a link restores every preset") {
  for (const budget::Preset& preset : budget::presets()) {
    State state = budget_state();
    REQUIRE(!update(state, OpenPreset{std::string(preset.id)}));
    const State again = read_query(to_query(state));
    CHECK(again.budget == state.budget);
    CHECK(again.notice.empty());
  }
}

TEST_CASE("budget page: a link restores sizes, view and target after any walk") {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    State state = random_budget_state(seed);
    state.budget.hovered.reset(), state.budget.pinned.reset();
    const std::string query = to_query(state);
    const State again = read_query(query);
    CHECK_MESSAGE(again.notice.empty(), query, " says ", again.notice);
    CHECK_MESSAGE(again.budget == state.budget, query);
    CHECK(to_query(again) == query);
  }
}

TEST_CASE("budget page: nothing is written of the start, and of a preset what differs") {
  CHECK(to_query(State{}).empty());
  CHECK(to_query(budget_state()) == "?page=budget");
  State state = budget_state();
  REQUIRE(!update(state, OpenPreset{"gpt3"}));
  REQUIRE(!update(state, SetSize{"n", "2048"}));
  CHECK(read("budget=gpt3,n:2048") == state.budget.sizes);
  CHECK(read(to_query(state)) == state.budget.sizes);
  CHECK(has(to_query(state), "gpt3"));
  CHECK_FALSE(has(to_query(state), "d_model"));
}

TEST_CASE("budget page: what a link leaves out follows as on the page") {
  const budget::Sizes sizes = read("budget=transformer_base,d_model:1024,h:16");
  CHECK(sizes.d_k == 64);
  CHECK(sizes.h_kv == 16);
  CHECK(sizes.d_ff == 4096);
  CHECK(read("budget=h:16").h == 16);
  CHECK(read("budget=gpt3,d_model:12,288").d_model == 12288);  // a comma parts entries: 12 with 96 heads is refused
  CHECK(has(wrong("budget=gpt3,d_model:12,288"), "12 with h = 96"));
  CHECK(has(wrong("budget=gpt3,d_model:12,288"), "288"));
  const budget::Sizes free = read("budget=transformer_base,h:12,d_k:43,d_v:43,keep:off");
  CHECK(free.h == 12);
  CHECK(free.d_k == 43);
  CHECK_FALSE(free.keep);
}

TEST_CASE("budget page: 512 with 12 heads in a link is refused in the right words") {
  for (const char* query : {"budget=transformer_base,h:12", "budget=bert_base,d_model:512"}) {
    const State state = read_query(query);
    for (const char* part : {"512 with h = 12", "42.67", "128, 256 or 512"})
      CHECK_MESSAGE(has(state.notice, part), state.notice);
    CHECK(budget::validate(state.budget.sizes).empty());
    CHECK(budget::preset_of(state.budget.sizes));
  }
  CHECK(has(wrong("budget=transformer_base,h:12"), "keeps 512 with h = 8"));
}

TEST_CASE("budget page: a value that can't be is left out or clamped, and the notice says so") {
  CHECK(has(wrong("budget=gpt5"), "not a preset"));
  CHECK(has(wrong("budget="), "not a preset"));
  CHECK(has(wrong("budget=gpt3,colour:1"), "colour:1: not a field"));
  CHECK(has(wrong("budget=gpt3,n"), "not a field"));
  CHECK(has(wrong("budget=gpt3,n:many"), "not a whole number"));
  CHECK(has(wrong("budget=gpt3,n:-1"), "not a whole number"));
  CHECK(has(wrong("budget=gpt3,biases:yes"), "on or off"));
  CHECK(has(wrong("view=all"), "wanted parameters, compute, rank or code"));
  CHECK(has(wrong("target=x"), "wanted itself"));
  CHECK(read("budget=gpt3,n:0").n == 1);
  CHECK(has(wrong("budget=gpt3,n:0"), "so this takes 1"));
  CHECK(read("budget=gpt3,n:99999999999999999999").n == 1048576);
  CHECK(has(wrong("budget=gpt3,n:99999999999999999999"), "so this takes 1048576"));
  CHECK(read("budget=gpt3,bytes:3").bytes == 4);
  CHECK(has(wrong("budget=gpt3,bytes:3"), "takes 4"));
  CHECK(read("budget=gpt3,h_kv:5").h_kv == 96);
  CHECK(has(wrong("budget=gpt3,h_kv:5"), "It stays 96"));
  CHECK(read("budget=gpt3,d_k:5").d_k == 128);
  CHECK(has(wrong("budget=gpt3,d_k:5"), "as long as keep is on"));
  CHECK(wrong("budget=gpt3,d_k:128").empty());
  CHECK(wrong("budget=gpt3,n:007").empty());
}

TEST_CASE("budget page: any text in a link does no harm") {
  Random random(8);
  const std::string_view pieces[] = {"gpt3", ",",      ":",    "n",   "h",       "0",     "9",
                                     "keep", "off",    "%",    "%2C", "&",       "=",     "budget",
                                     "view", "target", "\xff", "é",   "d_model", "65536", "-"};
  for (int i = 0; i < 400; ++i) {
    std::string query = "budget=";
    for (int j = random.whole(0, 60); j > 0; --j)
      query += pieces[static_cast<std::size_t>(random.whole(0, static_cast<int>(std::size(pieces)) - 1))];
    const State state = read_query(query);
    CHECK_MESSAGE(budget::validate(state.budget.sizes).empty(), query);
  }
  for (const char* piece : {"9", ",h:12", "n:9,", "%2C", "&budget=gpt3,h:12"}) {
    std::string query = "budget=gpt3,n:";
    while (query.size() < 100000) query += piece;
    const State state = read_query(query);
    CHECK(budget::validate(state.budget.sizes).empty());
    CHECK(state.notice.size() < 4000);
  }
}
