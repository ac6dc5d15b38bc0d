// The same layer in PyTorch's and in Keras's words (torch 2.x: torch.nn.MultiheadAttention; Keras 3:
// keras.layers.MultiHeadAttention and GroupQueryAttention, whose values are as wide as its keys).
#include "budget/budget.hpp"

namespace budget {
namespace {

std::string number(Whole value) { return std::to_string(value); }

bool is_split_evenly(const Sizes& sizes) { return sizes.h * sizes.d_k == sizes.d_model && sizes.d_v == sizes.d_k; }

std::string why_not_torch(const Sizes& sizes) {
  const std::string split = "embed_dim = " + number(sizes.d_model) + ", num_heads = " + number(sizes.h);
  if (sizes.d_model % sizes.h != 0)
    return attention::to_sentence(
               attention::validate_split(static_cast<int>(sizes.d_model), static_cast<int>(sizes.h)).front()) +
           ". torch.nn.MultiheadAttention has no other width to give: it splits embed_dim evenly.";
  if (!is_split_evenly(sizes))
    return "torch.nn.MultiheadAttention splits embed_dim evenly: " + split +
           " always means d_k = d_v = " + number(sizes.d_model / sizes.h) + ", not d_k = " + number(sizes.d_k) +
           " and d_v = " + number(sizes.d_v) + ".";
  if (sizes.h_kv != sizes.h)
    return "torch.nn.MultiheadAttention gives each of the " + number(sizes.h) +
           " heads keys and values of its own. It has no shared ones, so no h_kv = " + number(sizes.h_kv) + ".";
  return "";
}

std::string why_not_keras(const Sizes& sizes) {
  if (sizes.h_kv == sizes.h || sizes.d_v == sizes.d_k) return "";
  return "keras.layers.GroupQueryAttention has one head_dim for keys and values: it can’t have d_k = " +
         number(sizes.d_k) + " and d_v = " + number(sizes.d_v) + ".";
}

std::string comment_of(const Sizes& sizes) {
  return "(" + number(sizes.batch) + ", " + number(sizes.n) + ", " + number(sizes.d_model) + ")";
}

std::vector<std::string> torch_lines(const Sizes& sizes) {
  return {"import torch",
          "",
          "attention = torch.nn.MultiheadAttention(",
          "    embed_dim=" + number(sizes.d_model) + ",",
          "    num_heads=" + number(sizes.h) + ",",
          std::string("    bias=") + (sizes.biases ? "True" : "False") + ",",
          "    batch_first=True)",
          "",
          "x = torch.rand" + comment_of(sizes),
          "y, weights = attention(x, x, x)"};
}

std::vector<std::string> keras_lines(const Sizes& sizes) {
  std::vector<std::string> lines = {"import keras", ""};
  const auto add = [&](std::string line) { lines.push_back("    " + std::move(line)); };
  if (sizes.h_kv == sizes.h) {
    lines.push_back("attention = keras.layers.MultiHeadAttention(");
    add("num_heads=" + number(sizes.h) + ",");
    add("key_dim=" + number(sizes.d_k) + ",");
    add("value_dim=" + number(sizes.d_v) + ",");
  } else {
    lines.push_back("attention = keras.layers.GroupQueryAttention(");
    add("head_dim=" + number(sizes.d_k) + ",");
    add("num_query_heads=" + number(sizes.h) + ",");
    add("num_key_value_heads=" + number(sizes.h_kv) + ",");
  }
  add(std::string("use_bias=") + (sizes.biases ? "True)" : "False)"));
  lines.push_back("");
  lines.push_back("x = keras.random.normal(" + comment_of(sizes) + ")");
  lines.push_back("y, weights = attention(");
  add("x, x, return_attention_scores=True)");
  return lines;
}

}  // namespace

Code code_of(const Sizes& sizes) {
  Code code;
  code.torch_refusal = why_not_torch(sizes);
  if (code.torch_refusal.empty()) code.torch = torch_lines(sizes);
  code.keras_refusal = why_not_keras(sizes);
  if (code.keras_refusal.empty()) code.keras = keras_lines(sizes);
  return code;
}

}  // namespace budget
