// Forward and backward against torch.nn.MultiheadAttention in float64: vectors by
// tests/reference/make_torch_vectors.py.
//
// How torch's names map to ours, with d = embed_dim / num_heads = d_k = d_v and heads counted from 0:
//   W_Q of head i     rows i d … (i + 1) d - 1 of q_proj_weight, turned: torch computes x W^T where we compute x W
//   q_proj_weight     the first embed_dim rows of in_proj_weight; W_K the next, W_V the last; biases likewise
//   W_O, b_O          out_proj.weight, turned, and out_proj.bias
//   attn_mask         true forbids there, 1 allows here; numbers are our additive mask. key_padding_mask: true forbids
//   key, value        ours are one matrix, X_kv. Where torch has two of widths kdim and vdim, X_kv is them side by side
//                     (and zeros up to embed_dim), and W_K and W_V are zero outside their own rows
// Gradients map the same way.
#include "attention_support.hpp"

using namespace attention_test;

namespace {

const std::string kReference = std::string(HEADSCOPE_SOURCE_DIR) + "/tests/reference/torch-";

/// One of torch's projections: (embed_dim, width of what it reads) numbers, in torch's orientation, and a bias.
struct Projection {
  Matrix<double> weight;  // (embed_dim, width)
  Matrix<double> bias;    // (1, embed_dim), or empty
  int first_row = 0;      // of our weight matrix: where the input of this projection stands in X or X_kv
};

struct Module {
  int embed_dim = 0, num_heads = 0;
  Projection q, k, v;
  Matrix<double> out_weight, out_bias;
  int head_width() const { return embed_dim / num_heads; }
};

/// From "parameters" or "gradients", which have the same names.
Module module_from(const nlohmann::json& file, const char* which) {
  const nlohmann::json& named = file.at(which);
  Module made;
  made.embed_dim = file.at("embed_dim").get<int>();
  made.num_heads = file.at("num_heads").get<int>();
  const int width = made.embed_dim;
  if (named.contains("in_proj_weight")) {
    const Matrix<double> packed = matrix_from<double>(named, "in_proj_weight");
    made.q.weight = packed.topRows(width);
    made.k.weight = packed.middleRows(width, width);
    made.v.weight = packed.bottomRows(width);
  } else {
    made.q.weight = matrix_from<double>(named, "q_proj_weight");
    made.k.weight = matrix_from<double>(named, "k_proj_weight");
    made.v.weight = matrix_from<double>(named, "v_proj_weight");
    made.v.first_row = static_cast<int>(made.k.weight.cols());
  }
  if (named.contains("in_proj_bias")) {
    const Matrix<double> packed = matrix_from<double>(named, "in_proj_bias");
    made.q.bias = packed.leftCols(width);
    made.k.bias = packed.middleCols(width, width);
    made.v.bias = packed.rightCols(width);
  }
  made.out_weight = matrix_from<double>(named, "out_proj.weight");
  made.out_bias = matrix_from<double>(named, "out_proj.bias");
  return made;
}

template <class T>
Matrix<T> weight_of_head(const Projection& from, int head, int d, int d_model) {
  Matrix<T> out = Matrix<T>::Zero(d_model, d);
  for (int i = 0; i < from.weight.cols(); ++i) {
    for (int j = 0; j < d; ++j) out(from.first_row + i, j) = static_cast<T>(from.weight(head * d + j, i));
  }
  return out;
}

template <class T>
Matrix<T> bias_of_head(const Projection& from, int head, int d) {
  if (from.bias.size() == 0) return {};
  return from.bias.middleCols(head * d, d).template cast<T>();
}

template <class T>
Weights<T> weights_from(const Module& module) {
  Weights<T> made;
  const int d = module.head_width();
  for (int i = 0; i < module.num_heads; ++i) {
    HeadWeights<T> head;
    head.W_Q = weight_of_head<T>(module.q, i, d, module.embed_dim);
    head.W_K = weight_of_head<T>(module.k, i, d, module.embed_dim);
    head.W_V = weight_of_head<T>(module.v, i, d, module.embed_dim);
    head.b_Q = bias_of_head<T>(module.q, i, d);
    head.b_K = bias_of_head<T>(module.k, i, d);
    head.b_V = bias_of_head<T>(module.v, i, d);
    made.heads.push_back(head);
  }
  made.W_O = module.out_weight.transpose().cast<T>();
  made.b_O = module.out_bias.cast<T>();
  return made;
}

/// Torch's masks, of which true forbids, in our sense. Additive ones go to `additive_mask`.
template <class T>
void read_masks(const nlohmann::json& file, const nlohmann::json& sequence, int n_q, int n_k, Input<T>& input) {
  MayAttend by_mask, by_padding;
  if (file.contains("attn_mask")) {
    const nlohmann::json& mask = file.at("attn_mask");
    if (mask[0][0].is_boolean()) {
      by_mask.resize(n_q, n_k);
      for (int i = 0; i < n_q; ++i) {
        for (int j = 0; j < n_k; ++j) by_mask(i, j) = mask[i][j].get<bool>() ? 0 : 1;
      }
    } else {
      input.additive_mask = matrix_from<T>(file, "attn_mask");
    }
  }
  if (sequence.contains("key_padding_mask")) {
    int length = 0;
    for (const nlohmann::json& is_padding : sequence.at("key_padding_mask")) length += is_padding.get<bool>() ? 0 : 1;
    by_padding = attention::padding_mask(n_q, n_k, length);
    for (int key = 0; key < n_k; ++key) {
      REQUIRE(by_padding(0, key) == (sequence.at("key_padding_mask")[key].get<bool>() ? 0 : 1));
    }
  }
  input.may_attend = attention::both(by_mask, by_padding);
}

template <class T>
Input<T> input_from(const nlohmann::json& file, const nlohmann::json& sequence, const Module& module) {
  Input<T> input;
  input.X = matrix_from<T>(sequence, "query");
  if (sequence.contains("key")) {
    const Matrix<T> key = matrix_from<T>(sequence, "key"), value = matrix_from<T>(sequence, "value");
    input.X_kv = Matrix<T>::Zero(key.rows(), module.embed_dim);
    input.X_kv.leftCols(key.cols()) = key;
    if (value.size() != 0) input.X_kv.middleCols(module.v.first_row, value.cols()) = value;  // else it is the key
  }
  const Eigen::Index n_q = input.X.rows(), n_k = sequence.contains("key") ? input.X_kv.rows() : n_q;
  read_masks(file, sequence, static_cast<int>(n_q), static_cast<int>(n_k), input);
  return input;
}

/// Our gradients of one projection, in torch's orientation and place, against torch's.
template <class T>
void compare_projection(const std::string& name, const Module& wanted, const Projection& projection,
                        const Weights<T>& found, Matrix<T> HeadWeights<T>::*weight, Matrix<T> HeadWeights<T>::*bias,
                        Worst& worst) {
  const int d = wanted.head_width();
  Matrix<T> turned(projection.weight.rows(), projection.weight.cols()), row(1, projection.bias.cols());
  for (int i = 0; i < wanted.num_heads; ++i) {
    const HeadWeights<T>& head = found.heads[static_cast<std::size_t>(i)];
    for (int j = 0; j < d; ++j) {
      for (int k = 0; k < turned.cols(); ++k) turned(i * d + j, k) = (head.*weight)(projection.first_row + k, j);
      if (projection.bias.size() != 0) row(0, i * d + j) = (head.*bias)(0, j);
    }
    if (projection.bias.size() == 0) CHECK((head.*bias).size() == 0);
  }
  worst.compare("d_" + name + "_proj_weight", turned, projection.weight);
  if (projection.bias.size() != 0) worst.compare("d_" + name + "_proj_bias", row, projection.bias);
}

template <class T>
void compare_weights(const Module& wanted, const Weights<T>& found, Worst& worst) {
  REQUIRE(found.heads.size() == static_cast<std::size_t>(wanted.num_heads));
  using Head = HeadWeights<T>;
  compare_projection("q", wanted, wanted.q, found, &Head::W_Q, &Head::b_Q, worst);
  compare_projection("k", wanted, wanted.k, found, &Head::W_K, &Head::b_K, worst);
  compare_projection("v", wanted, wanted.v, found, &Head::W_V, &Head::b_V, worst);
  worst.compare("d_out_proj.weight", Matrix<T>(found.W_O.transpose()), wanted.out_weight);
  worst.compare("d_out_proj.bias", found.b_O, wanted.out_bias);
}

/// The mean over heads, which torch returns unless it is asked for each head's.
template <class T>
Matrix<T> average_pattern(const Trace<T>& trace) {
  Matrix<T> sum = trace.heads[0].pattern;
  for (std::size_t i = 1; i < trace.heads.size(); ++i) sum += trace.heads[i].pattern;
  return sum / static_cast<T>(trace.heads.size());
}

template <class T>
void compare_inputs(const nlohmann::json& sequence, const Module& module, const attention::Gradients<T>& found,
                    Worst& worst) {
  worst.compare("d_query", found.d_X, matrix_from<double>(sequence, "d_query"));
  if (!sequence.contains("key")) {
    CHECK(found.d_X_kv.size() == 0);
    return;
  }
  const Matrix<double> key = matrix_from<double>(sequence, "d_key"), value = matrix_from<double>(sequence, "d_value");
  worst.compare("d_key", Matrix<T>(found.d_X_kv.leftCols(key.cols())), key);
  if (value.size() == 0) return;
  worst.compare("d_value", Matrix<T>(found.d_X_kv.middleCols(module.v.first_row, value.cols())), value);
}

Worst worse(const Worst& a, const Worst& b) { return a.difference > b.difference ? a : b; }

struct Differences {
  Worst forward, backward;
};

/// Every intermediate and every gradient of the file's module, over its batch.
template <class T>
Differences differences_from(const nlohmann::json& file) {
  const Module module = module_from(file, "parameters");
  const Weights<T> weights = weights_from<T>(module);
  std::vector<Input<T>> inputs;
  std::vector<Matrix<T>> d_outputs;
  for (const nlohmann::json& sequence : file.at("batch")) {
    inputs.push_back(input_from<T>(file, sequence, module));
    d_outputs.push_back(matrix_from<T>(sequence.at("d_trace"), "output"));
  }
  Config config;
  config.n_q = static_cast<int>(inputs[0].X.rows());
  config.n_k = static_cast<int>(inputs[0].X_kv.size() == 0 ? inputs[0].X.rows() : inputs[0].X_kv.rows());
  config.d_model = module.embed_dim;
  config.h = module.num_heads;
  config.d_k = config.d_v = module.head_width();
  for (const Input<T>& input : inputs) REQUIRE(attention::validate(config, input, weights).empty());

  std::vector<Trace<T>> traces;
  attention::forward(config, inputs, weights, traces);
  std::vector<attention::Gradients<T>> gradients;
  Weights<T> d_weights;
  attention::backward(config, inputs, weights, traces, d_outputs, gradients, d_weights);

  Differences out;
  Matrix<T> d_additive_mask = Matrix<T>::Zero(inputs[0].additive_mask.rows(), inputs[0].additive_mask.cols());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const nlohmann::json& sequence = file.at("batch")[i];
    out.forward = worse(out.forward, compare_with(sequence, traces[i]));
    out.forward.compare("average pattern", average_pattern(traces[i]),
                        matrix_from<double>(sequence, "average_pattern"));
    out.backward = worse(out.backward, compare_with(sequence.at("d_trace"), gradients[i].d_trace));
    compare_inputs(sequence, module, gradients[i], out.backward);
    d_additive_mask += gradients[i].d_additive_mask;
  }
  const Module wanted = module_from(file, "gradients");
  compare_weights(wanted, d_weights, out.backward);
  out.backward.compare("d_attn_mask", d_additive_mask, matrix_from<double>(file.at("gradients"), "attn_mask"));
  return out;
}

void check(const std::string& name) {
  CAPTURE(name);
  const nlohmann::json file = read_json(kReference + name + ".json");
  const Differences in_double = differences_from<double>(file), in_float = differences_from<float>(file);
  const auto report = [&](const std::string& precision, const Differences& found) {
    MESSAGE(name << " in " << precision << ": worst intermediate " << found.forward.cell << ", off by "
                 << found.forward.difference << "; worst gradient " << found.backward.cell << ", off by "
                 << found.backward.difference);
  };
  report("double", in_double);
  report("float", in_float);
  CHECK(in_double.forward.difference <= 1e-13);
  CHECK(in_double.backward.difference <= 1e-13);
  CHECK(in_float.forward.difference <= 2e-5);   // scores of tens: seven digits of them
  CHECK(in_float.backward.difference <= 5e-5);  // gradients of tens, summed over the batch
}

}  // namespace

TEST_CASE("torch: self-attention without biases, every intermediate and gradient") { check("self"); }
TEST_CASE("torch: biases, and gradients summed over a batch") { check("biases"); }
TEST_CASE("torch: heads of width 1") { check("narrow-heads"); }
TEST_CASE("torch: a causal mask, true where a query may not attend") { check("causal"); }
TEST_CASE("torch: an additive mask with -infinity, and its gradient") { check("additive"); }
TEST_CASE("torch: a causal mask and padding of different lengths in one batch") { check("causal-padding"); }
TEST_CASE("torch: cross-attention with more keys than queries") { check("cross"); }
TEST_CASE("torch: cross-attention with fewer keys, an additive mask and padding") { check("cross-additive-padding"); }
TEST_CASE("torch: keys and values of widths of their own, projected separately, masked") { check("separate"); }
