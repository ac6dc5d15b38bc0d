// A model's file: parameters by their names, the plan, the step and the table beside them.
#include "heads/half.hpp"
#include "heads/model.hpp"
#include "heads/strict_json.hpp"
#include "heads/studio.hpp"

#include "io/json.hpp"
#include "io/safetensors.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <set>
#include <utility>

namespace heads {
namespace {

constexpr std::string_view kPlan = "headscope", kTable = "table";

std::string half_bytes(std::span<const float> numbers) {
  std::string out;
  out.reserve(2 * numbers.size());
  for (const float number : numbers) {
    const std::uint16_t half = to_half(std::clamp(number, -kLargestHalf, kLargestHalf));
    out += static_cast<char>(static_cast<unsigned char>(half & 0xffu));
    out += static_cast<char>(static_cast<unsigned char>(half >> 8));
  }
  return out;
}

std::string field_of(std::string_view tensor) { return "tensor " + shown(tensor); }

/// The plan, and how far it was carried out: {"plan": {…}, "step": 2400}.
void read_headscope(const std::string& text, Model& model, Refusals& refusals) {
  StrictJson json(std::string(kPlan), text, refusals);
  std::string_view plan;
  json.object("", {{"plan", [&](auto&) { plan = json.raw(); }},
                   {"step", [&](auto& at) { model.step = json.small(at, 0, std::numeric_limits<int>::max()); }}});
  if (!json.end()) return;
  auto read = read_plan(plan);
  if (const auto* problems = std::get_if<std::vector<Problem>>(&read)) return refusals.add(*problems);
  model.plan = std::get<Plan>(std::move(read));
}

/// Each tensor of the plan's shape, of its size and type, and no other.
void read_parameters(const io::Safetensors& file, Model& model, Refusals& refusals) {
  model.parameters = train::zeros<float>(model.plan.shape);
  std::set<std::string, std::less<>> wanted;
  train::for_each(model.parameters, [&](const std::string& name, attention::Matrix<float>& matrix) {
    wanted.insert(name);
    const std::int64_t shape[] = {matrix.rows(), matrix.cols()};
    const io::StoredTensor* tensor = io::find(file, name);
    if (tensor == nullptr) return refusals.add(field_of(name), "nothing", io::shape_text(shape));
    if (!std::equal(tensor->shape.begin(), tensor->shape.end(), std::begin(shape), std::end(shape))) {
      return refusals.add(field_of(name) + " shape", io::shape_text(tensor->shape), io::shape_text(shape));
    }
    if (tensor->dtype != io::Dtype::F32 && tensor->dtype != io::Dtype::F16) {
      return refusals.add(field_of(name) + " dtype", std::string(io::name_of(tensor->dtype)), "F32 or F16");
    }
    auto read = io::read_matrix<float>(*tensor);
    if (auto* numbers = std::get_if<attention::Matrix<float>>(&read)) matrix = std::move(*numbers);
  });
  for (const io::StoredTensor& tensor : file.tensors) {
    if (!wanted.contains(tensor.name))
      refusals.add(field_of(tensor.name), "it", "none of that name in a model of this plan");
  }
  if (refusals.empty()) refusals.add(train::validate(model.plan.shape, model.parameters));
}

void read_table_of(const std::string& text, Model& model, Refusals& refusals) {
  auto read = read_table(text);
  if (const auto* problems = std::get_if<std::vector<Problem>>(&read)) return refusals.add(*problems);
  model.table = std::get<Table>(std::move(read));
  const auto want = [&](const char* field, int found, int wanted) {
    if (found != wanted) refusals.add(field, std::to_string(found), std::to_string(wanted) + ", as in the plan");
  };
  want("table layers", model.table->layers, model.plan.shape.layers);
  want("table heads", model.table->heads, model.plan.shape.heads);
}

}  // namespace

std::string write_model(const Model& model, Precision precision) {
  assert(validate(model.plan).empty() && train::validate(model.plan.shape, model.parameters).empty());
  std::vector<io::StoredTensor> tensors;
  std::vector<std::string> data;
  train::for_each(model.parameters, [&](const std::string& name, const attention::Matrix<float>& matrix) {
    const std::span<const float> numbers(matrix.data(), static_cast<std::size_t>(matrix.size()));
    data.push_back(precision == Precision::half ? half_bytes(numbers) : io::to_bytes(numbers));
    tensors.push_back({.name = name,
                       .dtype = precision == Precision::half ? io::Dtype::F16 : io::Dtype::F32,
                       .shape = {matrix.rows(), matrix.cols()},
                       .data = {}});
  });
  for (std::size_t i = 0; i < tensors.size(); ++i) tensors[i].data = data[i];  // now that no string moves any more

  std::vector<io::MetadataText> metadata = {
      {std::string(kPlan), "{\"plan\":" + to_json(model.plan) + ",\"step\":" + std::to_string(model.step) + "}"}};
  if (model.table) metadata.push_back({std::string(kTable), to_json(*model.table)});
  auto written = io::write_safetensors(tensors, metadata);
  auto* bytes = std::get_if<std::string>(&written);
  assert(bytes != nullptr);  // names are ours and differ, and sizes were counted from the numbers
  return bytes == nullptr ? std::string() : std::move(*bytes);
}

std::variant<Model, std::vector<Problem>> read_model(std::string_view bytes) {
  auto read = io::read_safetensors(bytes);
  if (auto* problems = std::get_if<std::vector<Problem>>(&read)) return std::move(*problems);
  const io::Safetensors& file = std::get<io::Safetensors>(read);
  Refusals refusals;
  Model model;
  const std::string* plan = io::find_text(file, kPlan);
  if (plan == nullptr) {
    return std::vector<Problem>{{"metadata \"headscope\"", "nothing", "the plan of a model that was trained here"}};
  }
  read_headscope(*plan, model, refusals);
  if (!refusals.empty()) return refusals.take();  // without a plan nothing is known about the tensors
  read_parameters(file, model, refusals);
  if (const std::string* table = io::find_text(file, kTable)) read_table_of(*table, model, refusals);
  if (!refusals.empty()) return refusals.take();
  return model;
}

}  // namespace heads
