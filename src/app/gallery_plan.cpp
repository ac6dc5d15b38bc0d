// The plan of the next run, as a learner changes it: one field at a time, never into something that can't be trained.
#include "app/gallery_internal.hpp"

#include <algorithm>

namespace app {
namespace {

using Changed = std::variant<heads::Plan, std::string>;

std::string refused(std::string_view field, std::string_view value, std::string_view wanted) {
  return attention::to_sentence(not_read(field, value, wanted)) + ".";
}

std::optional<std::uint64_t> read_seed(std::string_view text) {
  if (text.empty() || text.size() > 9) return std::nullopt;
  std::uint64_t seed = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    seed = seed * 10 + static_cast<std::uint64_t>(c - '0');
  }
  return seed;
}

int* size_of(train::Shape& shape, std::string_view field) {
  return field == "layers"    ? &shape.layers
         : field == "heads"   ? &shape.heads
         : field == "d_model" ? &shape.d_model
                              : nullptr;
}

/// "1, 2, 4 or 8": what may stand in this field beside the other sizes.
std::string possible(train::Shape shape, std::string_view field) {
  std::vector<std::string> list;
  for (int value = 1; value <= 128; ++value) {
    *size_of(shape, field) = value;
    if (train::validate(shape).empty()) list.push_back(std::to_string(value));
  }
  if (list.size() <= 8) return join(list, "or");
  const std::string step = field == "d_model" ? "a multiple of " + std::to_string(shape.heads) : "a whole number";
  return step + " from " + list.front() + " to " + list.back();
}

Changed with_size(heads::Plan plan, std::string_view field, std::string_view value) {
  const auto number = read_count(value);
  const heads::Plan before = plan;
  int& size = *size_of(plan.shape, field);
  size = number.value_or(0);
  if (number && train::validate(plan.shape).empty()) return plan;
  const std::string wanted = possible(before.shape, field);
  train::Shape other = plan.shape;  // is it right by itself, and only doesn't go with the other size?
  if (field == "heads") other.d_model = 16 * std::clamp(size, 1, 8);
  if (field == "d_model") other.heads = 1;
  const bool divides_not = field != "layers" && number && train::validate(other).empty();
  if (divides_not && field == "heads")
    return "heads " + std::to_string(size) + " does not divide d_model " + std::to_string(plan.shape.d_model) +
           ": wanted " + wanted + ".";
  if (divides_not)
    return "d_model " + std::to_string(size) + " can't be shared by " + count_word(plan.shape.heads) +
           " heads: wanted " + wanted + ".";
  return refused(field, value, wanted);
}

Changed with_rate(heads::Plan plan, std::string_view value) {
  const auto read = read_number(value);
  const double* rate = std::get_if<double>(&read);
  if (!rate)
    return attention::to_sentence({"learning_rate", std::get_if<attention::Problem>(&read)->found,
                                   "a number above 0 and up to 1, such as 0.003"}) +
           ".";
  if (!(*rate > 0 && *rate <= 1)) return refused("learning_rate", value, "a number above 0 and up to 1, such as 0.003");
  plan.options.learning_rate = *rate;
  return plan;
}

}  // namespace

std::variant<heads::Plan, std::string> with_field(const heads::Plan& plan, std::string_view field,
                                                  std::string_view value) {
  value = trim(value);
  if (field == "task") {
    if (const auto task = find_task(value)) return with_task(plan, *task);
    std::vector<std::string> names;
    for (int i = 0; i < train::kTasks; ++i) names.emplace_back(train::name(static_cast<train::Task>(i)));
    return refused(field, value, join(names, "or"));
  }
  if (field == "seed") {
    const auto seed = read_seed(value);
    if (!seed) return refused(field, value, "a whole number from 0 to " + std::to_string(kLargestSeed));
    heads::Plan changed = plan;
    changed.seed = *seed;
    return changed;
  }
  if (field == "layers" || field == "heads" || field == "d_model") return with_size(plan, field, value);
  if (field == "learning_rate") return with_rate(plan, value);
  std::vector<std::string> fields(std::begin(kPlanFields), std::end(kPlanFields));
  return refused("plan", field, join(fields, "or"));
}

heads::Plan with_task(const heads::Plan& plan, train::Task task) {
  if (task == plan.task) return plan;
  const heads::Plan usual = heads::plan_for(plan.task);
  heads::Plan changed = heads::plan_for(task);
  changed.seed = plan.seed;
  const auto keep = [](auto& now, const auto& before, const auto& as_usual) {
    if (before != as_usual) now = before;
  };
  keep(changed.options.learning_rate, plan.options.learning_rate, usual.options.learning_rate);
  heads::Plan kept = changed;
  keep(kept.shape.layers, plan.shape.layers, usual.shape.layers);
  keep(kept.shape.heads, plan.shape.heads, usual.shape.heads);
  keep(kept.shape.d_model, plan.shape.d_model, usual.shape.d_model);
  if (heads::validate(kept).empty()) return kept;
  changed.shape.layers = kept.shape.layers;  // heads and width don't go together: both as usual
  return changed;
}

std::string plan_text(const heads::Plan& plan, std::string_view field) {
  if (field == "task") return std::string(train::name(plan.task));
  if (field == "seed") return std::to_string(plan.seed);
  if (field == "learning_rate") return to_text(plan.options.learning_rate);
  train::Shape shape = plan.shape;
  const int* size = size_of(shape, field);
  return size ? std::to_string(*size) : "";
}

}  // namespace app
