// The trace as JSON: the worked example's keys, order and numbers, and what a mask, biases and other keys add.
#include "io/trace_json.hpp"

#include "attention_support.hpp"

using namespace attention_test;
using Ordered = nlohmann::ordered_json;

namespace {

using Names = std::vector<std::string>;

std::string write(const Case<double>& it, const Names& tokens = {}, const Names& features = {},
                  const Names& heads = {}) {
  return io::trace_to_json(tokens, features, heads, it.config, it.input, it.weights, forward(it));
}

Names keys_of(const Ordered& object) {
  Names out;
  for (const auto& [key, value] : object.items()) out.push_back(key);
  return out;
}

Ordered example() {
  std::ifstream file(std::string(HEADSCOPE_TEST_DATA) + "/worked-example.json");
  REQUIRE(file.good());
  return Ordered::parse(file);
}

std::string written_example() {
  const auto wanted = read_json(std::string(HEADSCOPE_TEST_DATA) + "/worked-example.json");
  Names heads;
  for (const auto& head : wanted.at("heads")) heads.push_back(head.at("name").get<std::string>());
  return write(case_from<double>(wanted), wanted.at("tokens").get<Names>(), wanted.at("features").get<Names>(), heads);
}

/// Where two JSON values differ by more than 1e-12, or in anything but numbers; "" when nowhere.
std::string difference(const Ordered& found, const Ordered& wanted, const std::string& path) {
  if (wanted.is_number()) {
    const bool near = found.is_number() && std::fabs(found.get<double>() - wanted.get<double>()) <= 1e-12;
    return near ? "" : path;
  }
  if (!wanted.is_structured()) return found == wanted ? "" : path;
  if (found.type() != wanted.type() || found.size() != wanted.size()) return path;
  if (wanted.is_object() && keys_of(found) != keys_of(wanted)) return path + " (keys)";
  for (const auto& [key, value] : wanted.items()) {
    const Ordered& other = wanted.is_object() ? found.at(key) : found.at(static_cast<std::size_t>(std::stoul(key)));
    if (const std::string where = difference(other, value, path + "/" + key); !where.empty()) return where;
  }
  return "";
}

}  // namespace

TEST_CASE("the worked example's trace has its file's keys, in its order, and its numbers to 1e-12") {
  CHECK(difference(Ordered::parse(written_example()), example(), "") == "");
}

TEST_CASE("the trace reads back as the same bits") {
  for (const bool more : {false, true}) {  // with an additive mask, gates and a scale
    const auto it = random_case<double>({3, 4, 5, 2, 3, 2}, {true, true, true, more, more, more}, 51);
    const auto json = nlohmann::json::parse(write(it));
    const auto back = case_from<double>(json);
    CHECK(back.config == it.config);
    CHECK(attention::hash_of(forward(back)) == attention::hash_of(forward(it)));
    CHECK(compare_with(json, forward(it)).difference == 0);
  }
}

TEST_CASE("whole numbers are written whole, a row to a line, and the text ends with a line feed") {
  const std::string text = written_example();
  CHECK(text.find("\"X\": [\n  [1, 0, 1, 0, 1, 0],\n  [0, 1, 0, 1, 0, 1]\n ],\n") != std::string::npos);
  CHECK(text.ends_with("\n}\n"));
}

TEST_CASE("without mask, biases and other keys nothing is added") {
  auto it = random_case<double>({2, 2, 3, 1, 2, 2}, {}, 52);
  const Names plain = {"tokens", "features", "d_model", "h", "d_k", "d_v", "X", "W_O", "heads", "concat", "output"};
  CHECK(keys_of(Ordered::parse(write(it))) == plain);
  it.input.may_attend = MayAttend::Ones(2, 2);  // a mask that masks nothing is none
  CHECK(keys_of(Ordered::parse(write(it))) == plain);
}

TEST_CASE("a mask adds may_attend and masked, where -infinity is null") {
  auto it = random_case<double>({2, 2, 3, 1, 2, 2}, {}, 53);
  it.input.may_attend = causal(2);
  const Ordered json = Ordered::parse(write(it));
  CHECK(json.at("may_attend") == Ordered::parse("[[1, 0], [1, 1]]"));
  const Ordered& masked = json.at("heads")[0].at("masked");
  CHECK(masked[0][1].is_null());
  CHECK(masked[0][0] == json.at("heads")[0].at("scaled")[0][0]);
  CHECK(json.at("heads")[0].at("pattern")[0] == Ordered::parse("[1, 0]"));
}

TEST_CASE("a scale, an additive mask and a gate are written where there are any, a gate of 1 isn't") {
  auto it = random_case<double>({2, 2, 3, 2, 2, 2}, {}, 57);
  it.config.scale = 0.5;
  it.input.additive_mask = Matrix<double>{{0, -std::numeric_limits<double>::infinity()}, {-1.5, 0}};
  it.weights.heads[1].gate = 0.25;
  const Ordered json = Ordered::parse(write(it));
  CHECK(keys_of(json) == Names{"tokens", "features", "d_model", "h", "d_k", "d_v", "scale", "X", "additive_mask", "W_O",
                               "heads", "concat", "output"});
  CHECK(json.at("scale") == 0.5);
  CHECK(json.at("additive_mask") == Ordered::parse("[[0, null], [-1.5, 0]]"));
  CHECK_FALSE(json.at("heads")[0].contains("gate"));
  CHECK(json.at("heads")[1].at("gate") == 0.25);
  CHECK(json.at("heads")[0].at("masked")[0][1].is_null());
}

TEST_CASE("biases and other keys are written where there are any") {
  const auto it = random_case<double>({2, 3, 3, 2, 2, 2}, {true, true, false}, 54);
  const Ordered json = Ordered::parse(write(it));
  CHECK(json.at("X_kv").size() == 3);
  CHECK(json.at("b_O").size() == 1);
  CHECK(keys_of(json.at("heads")[1]) == Names{"name", "W_Q", "W_K", "W_V", "b_Q", "b_K", "b_V", "Q", "K", "V", "scores",
                                              "scaled", "pattern", "output"});
}

TEST_CASE("names are text, never markup, and missing ones are empty") {
  const auto it = random_case<double>({2, 2, 2, 2, 1, 1}, {}, 55);
  const Ordered json = Ordered::parse(write(it, {"<img onerror>", "\"%s\"\n"}, {"α", ""}, {"first"}));
  CHECK(json.at("tokens") == Ordered({"<img onerror>", "\"%s\"\n"}));
  CHECK(json.at("features") == Ordered({"α", ""}));
  CHECK(json.at("heads")[0].at("name") == "first");
  CHECK(json.at("heads")[1].at("name") == "");
}

TEST_CASE("no queries and no keys are still valid JSON") {
  const Ordered json = Ordered::parse(write(random_case<double>({0, 0, 2, 1, 1, 1}, {}, 56)));
  CHECK(json.at("X").empty());
  CHECK(json.at("heads")[0].at("pattern").empty());
}
