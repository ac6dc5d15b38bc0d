// What web/attention.mjs calls for the fast layer.
#include "library/instance.hpp"

#include <emscripten/em_macros.h>

#include <algorithm>
#include <cmath>
#include <limits>

using attention::Config;
using attention::Problem;
using namespace library;

namespace {

constexpr int kAbsent = std::numeric_limits<int>::min();  // a size that wasn't given

/// Finite, also as a float.
void check_scale(std::vector<Problem>& problems, double scale) {
  if (std::fabs(scale) <= double(std::numeric_limits<float>::max())) return;
  problems.push_back({"scale", brief(scale), "a finite number, also as a float"});
}

/// Numbers in the largest matrix of a run.
double largest_matrix(int batch, double n_q, double n_k, bool weights) {
  const Config& c = config();
  const double width = double(c.h) * std::max(c.d_k, c.d_v), tokens = std::max(n_q, n_k) + 32;
  const double block = std::min(tokens, std::max(32.0, 65536.0 / c.d_model));
  return std::max({block * c.d_model, block * width, (n_k + 32) * width, batch * n_q * c.d_model + 32,
                   weights ? batch * c.h * n_q * n_k + 32 : 0});
}

/// What the layer leaves unlooked at, because it costs time: each number of the mask that allows, and the gates.
std::vector<Problem> look_at_numbers(const attention::LayerInput& in) {
  std::vector<Problem> problems;
  const double pairs = in.may_attend == nullptr ? 0 : double(in.n_q) * in.n_k * (in.mask_per_sequence ? in.batch : 1);
  const std::uint8_t* end = in.may_attend + static_cast<std::size_t>(pairs);
  const std::uint8_t* bad = std::find_if(in.may_attend, end, [](std::uint8_t number) { return number > 1; });
  if (bad != end) problems.push_back({"may_attend", std::to_string(*bad), wanted_numbers_of(kMayAttend)});
  for (int i = 0; in.gates != nullptr && i < config().h; ++i) {
    if (in.gates[i] >= 0 && in.gates[i] <= 1) continue;
    problems.push_back({"head " + std::to_string(i + 1) + " gate", brief(double(in.gates[i])), "a number from 0 to 1"});
  }
  return problems;
}

}  // namespace

extern "C" {

EMSCRIPTEN_KEEPALIVE const char* problems() { return it().problems.c_str(); }
EMSCRIPTEN_KEEPALIVE const char* kernel() {
  static const std::string name(attention::kernel_name());
  return name.c_str();
}
EMSCRIPTEN_KEEPALIVE int self_test() { return attention::self_test() && attention::layer_self_test() ? 1 : 0; }
EMSCRIPTEN_KEEPALIVE const char* slot_name(int slot) { return library::name_of(slot); }
EMSCRIPTEN_KEEPALIVE const char* slot_wants(int slot) { return wanted_numbers_of(slot); }
EMSCRIPTEN_KEEPALIVE const char* tensor_name(int tensor) {
  static std::string name;
  name = tensor < attention::kTensorCount ? std::string(name_of(static_cast<attention::Tensor>(tensor))) : "";
  return name.c_str();
}

/// Without d_k: d_model / h, which must be whole; without d_v: d_k. has_scale = 0: 1 / sqrt(d_k).
EMSCRIPTEN_KEEPALIVE int create(int d_model, int h, int d_k, int d_v, int has_scale, double scale) {
  std::vector<Problem> problems;
  if (d_k == kAbsent) {
    problems = attention::validate_split(d_model, h);
    if (problems.empty()) d_k = d_model / h;
  }
  Config config;
  config.d_model = d_model;
  config.h = h;
  config.d_k = d_k;
  config.d_v = d_v == kAbsent ? d_k : d_v;
  if (has_scale != 0) config.scale = scale;
  if (problems.empty()) problems = attention::validate(config);
  if (has_scale != 0) check_scale(problems, scale);
  if (problems.empty()) it().layer = std::make_unique<attention::Layer>(config);
  return answer(problems);
}
EMSCRIPTEN_KEEPALIVE int d_k() { return config().d_k; }
EMSCRIPTEN_KEEPALIVE int d_v() { return config().d_v; }

// ---------------------------------------------------------------- the fast layer

/// Room for `count` numbers of a slot (float; uint8 in may_attend, int32 in key_lengths), which then counts as given.
EMSCRIPTEN_KEEPALIVE void* room(int slot, double count, double row) {
  if (!fits(slot, count, row)) return nullptr;
  if (!it().rooms[slot].reserve(static_cast<std::size_t>(count) * (slot == kMayAttend ? 1 : 4))) {
    answer({{"memory", "no room", numbers(count) + " for " + library::name_of(slot)}});
    return nullptr;
  }
  it().given[slot] = true;
  return it().rooms[slot].data();
}

EMSCRIPTEN_KEEPALIVE void begin_weights() {
  for (int slot = kW_Q; slot < kSlots; ++slot) it().given[slot] = false;
}
/// Packs what the rooms hold, and gives the rooms back.
EMSCRIPTEN_KEEPALIVE int set_weights() {
  const auto given = [](int slot) { return it().given[slot] ? static_cast<float*>(it().rooms[slot].data()) : nullptr; };
  const std::vector<Problem> problems = it().layer->set_weights(
      {given(kW_Q), given(kW_K), given(kW_V), given(kW_O), given(kB_Q), given(kB_K), given(kB_V), given(kB_O)});
  for (int slot = kW_Q; slot < kSlots; ++slot) it().rooms[slot].clear();
  if (problems.empty()) it().has_weights = true;
  return answer(problems);
}

/// How long the next run is, from how many numbers X, X_kv (-1 for none) and the larger of the masks have.
EMSCRIPTEN_KEEPALIVE int begin(int batch, double x_count, double x_kv_count, double mask_count, int causal,
                               int first_query, int weights) {
  std::vector<Problem> problems;
  if (!it().has_weights) problems.push_back({"weights", "none", "setWeights before"});
  const auto row = [&] {
    return "a multiple of " + std::to_string(batch) + " x " + std::to_string(config().d_model) + " (batch x d_model)";
  };
  if (batch < 0) problems.push_back({"batch", std::to_string(batch), "0 or more"});
  if (first_query < 0) problems.push_back({"first_query", std::to_string(first_query), "0 or more"});
  const int n_q = batch < 0 ? 0 : tokens_in(x_count, batch), n_k = x_kv_count < 0 ? n_q : tokens_in(x_kv_count, batch);
  if (n_q < 0) problems.push_back({"X", numbers(x_count), row()});
  if (n_k < 0 && x_kv_count >= 0) problems.push_back({"X_kv", numbers(x_kv_count), row()});
  if (problems.empty()) {
    const double largest = largest_matrix(batch, n_q, n_k, weights != 0);
    if (weights != 0 && largest > kMostFloats) {
      Config sized = config();
      sized.n_q = n_q;
      sized.n_k = n_k;
      problems = attention::validate(sized);
    }
    if (problems.empty() && largest > kMostFloats) {
      problems.push_back({"memory", "no room", numbers(largest) + " for the largest matrix of the run"});
    }
  }
  if (!problems.empty()) return answer(problems);
  attention::LayerInput& in = it().input;
  in = {};
  in.batch = batch;
  in.n_q = n_q;
  in.n_k = n_k;
  in.mask_per_sequence = batch > 1 && mask_count > double(n_q) * n_k;
  in.causal = causal != 0;
  in.first_query = std::min(first_query, n_k);  // from there on every key is seen; no sum overflows
  in.weights = weights != 0;
  for (int slot = kX; slot <= kGates; ++slot) it().given[slot] = false;
  return answer({});
}

EMSCRIPTEN_KEEPALIVE int run() {
  attention::LayerInput& in = it().input;
  const auto given = [](int slot) { return it().given[slot] ? it().rooms[slot].data() : nullptr; };
  in.X = static_cast<float*>(given(kX));
  in.X_kv = static_cast<float*>(given(kX_kv));
  in.may_attend = static_cast<std::uint8_t*>(given(kMayAttend));
  in.additive_mask = static_cast<float*>(given(kAdditiveMask));
  in.key_lengths = static_cast<int*>(given(kKeyLengths));
  in.gates = static_cast<float*>(given(kGates));
  std::vector<Problem> problems = look_at_numbers(in);
  if (problems.empty()) problems = it().layer->run(in, it().output);
  return problems.empty() ? 1 : answer(problems);
}
EMSCRIPTEN_KEEPALIVE int n_q() { return it().input.n_q; }
EMSCRIPTEN_KEEPALIVE int n_k() { return it().input.n_k; }
EMSCRIPTEN_KEEPALIVE const float* output() { return it().output.output; }
EMSCRIPTEN_KEEPALIVE const float* attention_weights() { return it().output.weights; }

}  // extern "C"
