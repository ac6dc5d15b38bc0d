// A trace as JSON, in the order and with the keys of the worked example.
#include "io/trace_json.hpp"

#include "io/json.hpp"

namespace io {
namespace {

template <class T>
void write_matrix(JsonWriter& json, std::string_view name, const attention::Matrix<T>& matrix) {
  json.key(name).begin_array();
  for (Eigen::Index row = 0; row < matrix.rows(); ++row) {
    json.begin_array(Lines::one);
    for (Eigen::Index col = 0; col < matrix.cols(); ++col) json.value(matrix(row, col));
    json.end_array();
  }
  json.end_array();
}

void write_bias(JsonWriter& json, std::string_view name, const attention::Matrix<double>& bias) {
  if (bias.size() > 0) write_matrix(json, name, bias);
}

void write_names(JsonWriter& json, std::string_view key, std::span<const std::string> names) {
  json.key(key).begin_array(Lines::one);
  for (const std::string& name : names) json.value(name);
  json.end_array();
}

void write_head(JsonWriter& json, const std::string& name, const attention::HeadWeights<double>& weights,
                const attention::HeadTrace<double>& head, bool with_mask) {
  json.begin_object().member("name", name);
  write_matrix(json, "W_Q", weights.W_Q);
  write_matrix(json, "W_K", weights.W_K);
  write_matrix(json, "W_V", weights.W_V);
  write_bias(json, "b_Q", weights.b_Q);
  write_bias(json, "b_K", weights.b_K);
  write_bias(json, "b_V", weights.b_V);
  if (weights.gate != 1) json.member("gate", weights.gate);
  write_matrix(json, "Q", head.Q);
  write_matrix(json, "K", head.K);
  write_matrix(json, "V", head.V);
  write_matrix(json, "scores", head.scores);
  write_matrix(json, "scaled", head.scaled);
  if (with_mask) write_matrix(json, "masked", head.masked);
  write_matrix(json, "pattern", head.pattern);
  write_matrix(json, "output", head.output);
  json.end_object();
}

bool masks_anything(const attention::MayAttend& may_attend) {
  return may_attend.size() > 0 && (may_attend.array() == 0).any();
}

}  // namespace

std::string trace_to_json(std::span<const std::string> tokens, std::span<const std::string> features,
                          std::span<const std::string> head_names, const attention::Config& config,
                          const attention::Input<double>& input, const attention::Weights<double>& weights,
                          const attention::Trace<double>& trace) {
  const bool with_may_attend = masks_anything(input.may_attend), with_additive = input.additive_mask.size() > 0;
  JsonWriter json(1);
  json.begin_object();
  write_names(json, "tokens", tokens);
  write_names(json, "features", features);
  json.member("d_model", config.d_model).member("h", config.h).member("d_k", config.d_k).member("d_v", config.d_v);
  if (config.scale) json.member("scale", *config.scale);
  write_matrix(json, "X", input.X);
  if (!attention::is_self_attention(input)) write_matrix(json, "X_kv", input.X_kv);
  if (with_may_attend) write_matrix(json, "may_attend", input.may_attend);
  if (with_additive) write_matrix(json, "additive_mask", input.additive_mask);
  write_matrix(json, "W_O", weights.W_O);
  write_bias(json, "b_O", weights.b_O);
  json.key("heads").begin_array();
  for (std::size_t i = 0; i < trace.heads.size(); ++i) {
    write_head(json, i < head_names.size() ? head_names[i] : "", weights.heads[i], trace.heads[i],
               with_may_attend || with_additive);
  }
  json.end_array();
  write_matrix(json, "concat", trace.concat);
  write_matrix(json, "output", trace.output);
  json.end_object();
  return json.text() + "\n";
}

}  // namespace io
