// The same layer in two libraries' words, and who can't make which.
#include "budget_support.hpp"

using namespace budget_test;

namespace {

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

bool balanced(const std::string& text) {
  return std::count(text.begin(), text.end(), '(') == std::count(text.begin(), text.end(), ')');
}

}  // namespace

TEST_CASE("budget: an even split is the same layer in both libraries") {
  const Code code = code_of(sizes_of("transformer_base"));
  CHECK(code.torch_refusal.empty());
  CHECK(code.keras_refusal.empty());
  const std::string torch = joined(code.torch), keras = joined(code.keras);
  for (const char* part : {"torch.nn.MultiheadAttention(", "embed_dim=512", "num_heads=8", "bias=False",
                           "batch_first=True", "torch.rand(1, 128, 512)"})
    CHECK_MESSAGE(has(torch, part), torch);
  for (const char* part : {"keras.layers.MultiHeadAttention(", "num_heads=8", "key_dim=64", "value_dim=64",
                           "use_bias=False", "(1, 128, 512)"})
    CHECK_MESSAGE(has(keras, part), keras);
  Sizes biased = sizes_of("transformer_base");
  biased.biases = true;
  CHECK(has(joined(code_of(biased).torch), "bias=True"));
  CHECK(has(joined(code_of(biased).keras), "use_bias=True"));
}

TEST_CASE("budget: 512 with 12 heads: Keras can, PyTorch can't and says why") {
  Sizes sizes = changed(changed(sizes_of("transformer_base"), "keep", "off"), "h", "12");
  sizes = changed(changed(sizes, "d_k", "43"), "d_v", "43");
  const Code code = code_of(sizes);
  CHECK(code.torch.empty());
  for (const char* part : {"512", "12", "42.67"}) CHECK_MESSAGE(has(code.torch_refusal, part), code.torch_refusal);
  CHECK(has(joined(code.keras), "key_dim=43"));
  CHECK(code.keras_refusal.empty());
}

TEST_CASE("budget: a width that isn't d_model / h is Keras's alone, even where h divides") {
  Sizes sizes = changed(changed(sizes_of("transformer_base"), "keep", "off"), "d_v", "32");
  const Code code = code_of(sizes);
  CHECK(code.torch.empty());
  for (const char* part : {"d_k = d_v = 64", "d_v = 32"})
    CHECK_MESSAGE(has(code.torch_refusal, part), code.torch_refusal);
  CHECK(has(joined(code.keras), "value_dim=32"));
}

TEST_CASE("budget: shared key/value heads are Keras's GroupQueryAttention") {
  const Code code = code_of(sizes_of("llama3_8b"));
  CHECK(code.torch.empty());
  CHECK_MESSAGE(has(code.torch_refusal, "no h_kv = 8"), code.torch_refusal);
  for (const char* part : {"GroupQueryAttention(", "head_dim=128", "num_query_heads=32", "num_key_value_heads=8"})
    CHECK_MESSAGE(has(joined(code.keras), part), joined(code.keras));
  Sizes odd = sizes_of("llama3_8b");
  odd.keep = false, odd.d_v = 64;
  CHECK(code_of(odd).keras.empty());
  CHECK(has(code_of(odd).keras_refusal, "d_v = 64"));
}

TEST_CASE("budget: every library has either lines or a reason, and closes its brackets") {
  Random random(5);
  for (int i = 0; i < 300; ++i) {
    const Code code = code_of(random_sizes(random));
    CHECK(code.torch.empty() == !code.torch_refusal.empty());
    CHECK(code.keras.empty() == !code.keras_refusal.empty());
    CHECK(balanced(joined(code.torch)));
    CHECK(balanced(joined(code.keras)));
  }
}
