// A trained model's own numbers: nano-sort-gpt sorts three letters; layer 0 of it, for a batch of three.
//
// c_attn and c_proj are torch Linear layers, (out, in) and applied as x W^T: c_attn.weight is W_Q, W_K and W_V over
// each other, (3 * 48, 48), heads in blocks of 16 rows. `att` is our `masked`: scaled by 1 / sqrt(16), -infinity above
// the diagonal; `attSm` is the pattern, `y` is concat and `yProj` the output before the residual is added.
#include "safetensors_support.hpp"

using namespace attention_test;
using safetensors_test::matrix_of;
using safetensors_test::Safetensors;
using safetensors_test::tensor_of;

namespace {

constexpr int kBatch = 3, kTokens = 11, kHeads = 3, kWidth = 16, kModel = kHeads * kWidth;

/// Where W_Q, W_K and W_V (0, 1, 2) begin in c_attn.
int first_row(int projection, int head) { return projection * kModel + head * kWidth; }

template <class T>
Weights<T> layer_0(const Safetensors& file) {
  const std::string layer = "transformer.h.0.attn.";
  const Matrix<T> weight = matrix_of<T>(tensor_of(file, layer + "c_attn.weight")),
                  bias = matrix_of<T>(tensor_of(file, layer + "c_attn.bias"));
  Weights<T> made;
  for (int head = 0; head < kHeads; ++head) {
    const auto weight_of = [&](int projection) {
      return Matrix<T>(weight.middleRows(first_row(projection, head), kWidth).transpose());
    };
    const auto bias_of = [&](int projection) {
      return Matrix<T>(bias.middleCols(first_row(projection, head), kWidth));
    };
    made.heads.push_back({weight_of(0), weight_of(1), weight_of(2), bias_of(0), bias_of(1), bias_of(2)});
  }
  made.W_O = matrix_of<T>(tensor_of(file, layer + "c_proj.weight")).transpose();
  made.b_O = matrix_of<T>(tensor_of(file, layer + "c_proj.bias"));
  return made;
}

template <class T>
Worst compare_with_layer_0(const Safetensors& wanted, const Trace<T>& trace, int sequence) {
  Worst worst;
  const std::string which = "sequence " + std::to_string(sequence + 1) + " ";
  for (int i = 0; i < kHeads; ++i) {
    const HeadTrace<T>& head = trace.heads[static_cast<std::size_t>(i)];
    const auto compare = [&](const std::string& name, const Matrix<T>& found) {
      worst.compare(which + "head " + std::to_string(i + 1) + " " + name, found,
                    matrix_of<double>(tensor_of(wanted, name), sequence * kHeads + i));
    };
    compare("q", head.Q);
    compare("k", head.K);
    compare("v", head.V);
    compare("att", head.masked);
    compare("attSm", head.pattern);
  }
  worst.compare(which + "y", trace.concat, matrix_of<double>(tensor_of(wanted, "y"), sequence));
  worst.compare(which + "yProj", trace.output, matrix_of<double>(tensor_of(wanted, "yProj"), sequence));
  return worst;
}

template <class T>
Worst worst_of_batch(const Safetensors& model, const Safetensors& trace) {
  const Weights<T> weights = layer_0<T>(model);
  Config config;
  config.n_q = config.n_k = kTokens;
  config.d_model = kModel;
  config.h = kHeads;
  config.d_k = config.d_v = kWidth;
  std::vector<Input<T>> inputs(kBatch);
  for (int i = 0; i < kBatch; ++i) {
    Input<T>& input = inputs[static_cast<std::size_t>(i)];
    input.X = matrix_of<T>(tensor_of(trace, "ln1"), i);
    input.may_attend = attention::causal_mask(kTokens, kTokens);
    REQUIRE(attention::validate(config, input, weights).empty());
  }
  std::vector<Trace<T>> found;
  attention::forward(config, inputs, weights, found);
  REQUIRE(found.size() == kBatch);
  Worst worst;
  for (int i = 0; i < kBatch; ++i) {
    const Worst here = compare_with_layer_0(trace, found[static_cast<std::size_t>(i)], i);
    if (here.difference > worst.difference) worst = here;
  }
  return worst;
}

}  // namespace

TEST_CASE("nano-sort-gpt: layer 0's q, k, v, att, attSm, y and yProj, for a batch of three") {
  const std::string folder = std::string(HEADSCOPE_SHARED_DIR) + "/real/";
  const std::string model_bytes = safetensors_test::read_file(folder + "nano-sort-gpt.safetensors");
  const std::string trace_bytes = safetensors_test::read_file(folder + "nano-sort-gpt.layer0.safetensors");
  if (model_bytes.empty() || trace_bytes.empty()) {
    MESSAGE("skipped: " << folder << " has no nano-sort-gpt");
    return;
  }
  const Safetensors model = safetensors_test::read_whole(model_bytes);
  const Safetensors trace = safetensors_test::read_whole(trace_bytes);
  const Worst in_float = worst_of_batch<float>(model, trace), in_double = worst_of_batch<double>(model, trace);
  MESSAGE("worst cell in float " << in_float.cell << ", off by " << in_float.difference << "; in double "
                                 << in_double.cell << ", off by " << in_double.difference);
  CHECK(in_float.difference <= 1e-5);
  CHECK(in_double.difference <= 1e-5);
}
