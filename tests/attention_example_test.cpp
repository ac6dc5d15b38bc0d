// The forward pass against numbers that other programs computed, and against itself on every platform.
#include "attention_support.hpp"

#include <iterator>

using namespace attention_test;

namespace {

const std::string kExample = std::string(HEADSCOPE_TEST_DATA) + "/worked-example.json";
const std::string kCases = std::string(HEADSCOPE_TEST_DATA) + "/attention-cases.json";

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

template <class T>
std::uint64_t example_hash() {
  return attention::hash_of(forward(case_from<T>(read_json(kExample))));
}

// Wider than the worked example: every remainder of the SIMD kernels, sums of many terms, masks and biases.
template <class T>
std::uint64_t odd_sizes_hash() {
  return attention::hash_of(forward(random_case<T>({33, 31, 37, 3, 9, 23}, {true, true, true}, 17)));
}

}  // namespace

TEST_CASE("the worked example: every intermediate is the reference's to 1e-12 in double") {
  const nlohmann::json reference = read_json(kExample);
  const Worst worst = compare_with(reference, forward(case_from<double>(reference)));
  MESSAGE("worst cell: " << worst.cell << ", off by " << worst.difference);
  CHECK(worst.difference <= 1e-12);
}

TEST_CASE("the worked example: every intermediate is the reference's to 1e-6 in float") {
  const nlohmann::json reference = read_json(kExample);
  const Worst worst = compare_with(reference, forward(case_from<float>(reference)));
  MESSAGE("worst cell: " << worst.cell << ", off by " << worst.difference);
  CHECK(worst.difference <= 1e-6);
}

TEST_CASE("the worked example has not drifted from the lesson's own file") {
  const std::string shared = std::string(HEADSCOPE_SHARED_DIR) + "/lesson/worked-example.json";
  const std::string wanted = bytes_of(shared);
  if (wanted.empty()) {
    MESSAGE("skipped: " << shared << " is not here");
    return;
  }
  CHECK(bytes_of(kExample) == wanted);
}

TEST_CASE("the golden hash: every build computes the same bits, in double") {
  CHECK(example_hash<double>() == 0x88cf87ae06986300u);
  CHECK(odd_sizes_hash<double>() == 0xa6e2a9f827929ac7u);
}

TEST_CASE("the golden hash: every build computes the same bits, in float") {
  CHECK(example_hash<float>() == 0x38f9e99acbd62bc9u);
  CHECK(odd_sizes_hash<float>() == 0xd8ad0eb6f4225819u);
}

TEST_CASE("another program's attention: cross, causal, biased, ragged shapes, every intermediate") {
  for (const nlohmann::json& reference : read_json(kCases)) {
    const std::string name = reference.at("name").get<std::string>();
    CAPTURE(name);
    const auto in_double = case_from<double>(reference);
    REQUIRE(attention::validate(in_double.config, in_double.input, in_double.weights).empty());
    const Worst worst = compare_with(reference, forward(in_double));
    const Worst worst_float = compare_with(reference, forward(case_from<float>(reference)));
    MESSAGE(name << ": worst cell in double " << worst.cell << ", off by " << worst.difference << "; in float "
                 << worst_float.cell << ", off by " << worst_float.difference);
    CHECK(worst.difference <= 1e-12);
    CHECK(worst_float.difference <= 2e-5);  // scores of tens: seven digits of them, through a softmax
  }
}

TEST_CASE("this build's kernels pass their start-up self-test") {
  MESSAGE("kernels: " << attention::kernel_name());
  CHECK(attention::self_test());
}
