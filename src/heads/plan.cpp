// The plan of a run of training: the one that the page starts with, what is wrong with one, and its JSON.
#include "heads/model.hpp"
#include "heads/strict_json.hpp"
#include "heads/studio.hpp"

#include "io/json.hpp"

#include <array>
#include <limits>
#include <utility>

namespace heads {
namespace {

constexpr int kMostBatch = 512;
constexpr int kMostWhole = std::numeric_limits<int>::max();
constexpr double kMostNumber = std::numeric_limits<double>::max();

constexpr std::array<std::string_view, train::kTasks> kTaskNames = {"language", "copy_previous", "match_brackets",
                                                                    "sort_digits"};  // in the enum's order
constexpr std::array<std::string_view, 3> kDecayNames = {"none", "linear", "cosine"};

std::string name_of(train::Task task) { return std::string(kTaskNames[static_cast<std::size_t>(task)]); }

int words_of(train::Task task) { return static_cast<int>(train::vocabulary(task).size()); }

void write_shape(io::JsonWriter& json, const train::Shape& shape) {
  json.key("shape").begin_object().member("vocabulary", shape.vocabulary).member("longest", shape.longest);
  json.member("layers", shape.layers).member("heads", shape.heads).member("d_model", shape.d_model);
  json.member("feed_forward", shape.feed_forward).member("biases", shape.biases).member("tied", shape.tied);
  json.member("causal", shape.causal).member("inert_sink", shape.inert_sink).end_object();
}

void write_options(io::JsonWriter& json, const train::Options& options) {
  json.key("options").begin_object().member("steps", options.steps).member("learning_rate", options.learning_rate);
  json.member("warm_up", options.warm_up).member("decay", kDecayNames[static_cast<std::size_t>(options.decay)]);
  json.member("final_share", options.final_share).member("beta_1", options.beta_1).member("beta_2", options.beta_2);
  json.member("epsilon", options.epsilon).key("clip");
  if (options.clip) {
    json.value(*options.clip);
  } else {
    json.null();
  }
  json.member("weight_decay", options.weight_decay).member("sink_penalty", options.sink_penalty);
  json.member("sink_from", options.sink_from).member("sink_rise", options.sink_rise).end_object();
}

train::Shape read_shape(StrictJson& json, const std::string& field) {
  train::Shape out;
  json.object(field, {{"vocabulary", [&](auto& at) { out.vocabulary = json.small(at, 0, kMostWhole); }},
                      {"longest", [&](auto& at) { out.longest = json.small(at, 0, kMostWhole); }},
                      {"layers", [&](auto& at) { out.layers = json.small(at, 0, kMostWhole); }},
                      {"heads", [&](auto& at) { out.heads = json.small(at, 0, kMostWhole); }},
                      {"d_model", [&](auto& at) { out.d_model = json.small(at, 0, kMostWhole); }},
                      {"feed_forward", [&](auto& at) { out.feed_forward = json.truth(at); }},
                      {"biases", [&](auto& at) { out.biases = json.truth(at); }},
                      {"tied", [&](auto& at) { out.tied = json.truth(at); }},
                      {"causal", [&](auto& at) { out.causal = json.truth(at); }},
                      {"inert_sink", [&](auto& at) { out.inert_sink = json.truth(at); }}});
  return out;
}

train::Options read_options(StrictJson& json, const std::string& field) {
  train::Options out;
  const auto whole = [&](int& to) { return [&](const std::string& at) { to = json.small(at, 0, kMostWhole); }; };
  const auto number = [&](double& to) { return [&](const std::string& at) { to = json.number(at, 0, kMostNumber); }; };
  json.object(field, {{"steps", whole(out.steps)},
                      {"learning_rate", number(out.learning_rate)},
                      {"warm_up", whole(out.warm_up)},
                      {"decay", [&](auto& at) { out.decay = static_cast<train::Decay>(json.choice(at, kDecayNames)); }},
                      {"final_share", number(out.final_share)},
                      {"beta_1", number(out.beta_1)},
                      {"beta_2", number(out.beta_2)},
                      {"epsilon", number(out.epsilon)},
                      {"clip",
                       [&](auto& at) {
                         out.clip.reset();
                         if (!json.take_null()) out.clip = json.number(at, 0, kMostNumber);
                       }},
                      {"weight_decay", number(out.weight_decay)},
                      {"sink_penalty", number(out.sink_penalty)},
                      {"sink_from", whole(out.sink_from)},
                      {"sink_rise", whole(out.sink_rise)}});
  return out;
}

}  // namespace

Plan plan_for(train::Task task) {
  const bool language = task == train::Task::language;
  Plan plan;
  plan.task = task;
  plan.shape = {.vocabulary = words_of(task),
                .longest = train::kLongestSentence,
                .layers = 2,
                .heads = 4,
                .d_model = 64,
                .inert_sink = true};
  plan.options = {.steps = language ? 2000 : 600,
                  .learning_rate = 3e-3,
                  .warm_up = language ? 200 : 50,
                  .decay = train::Decay::cosine,
                  .final_share = 0.05};
  if (language) {  // from 45 % of the steps on: first the heads learn, then those with nothing to do come to rest
    plan.options.sink_penalty = 0.03;
    plan.options.sink_from = 900;
    plan.options.sink_rise = 100;
  }  // bare tasks are so easy that the penalty would leave the one head that works just above nothing
  return plan;
}

std::vector<Problem> validate(const Plan& plan) {
  std::vector<Problem> problems = train::validate(plan.shape);
  const auto want = [&](const char* field, int found, int wanted) {
    if (found == wanted) return;
    problems.push_back({field, std::to_string(found), std::to_string(wanted) + " for the task " + name_of(plan.task)});
  };
  want("vocabulary", plan.shape.vocabulary, words_of(plan.task));
  want("longest", plan.shape.longest, train::kLongestSentence);
  for (Problem& problem : train::validate(plan.options)) problems.push_back(std::move(problem));
  if (plan.batch < 1 || plan.batch > kMostBatch) {
    problems.push_back({"batch", std::to_string(plan.batch), "a whole number from 1 to " + std::to_string(kMostBatch)});
  }
  return problems;
}

std::string to_json(const Plan& plan) {
  io::JsonWriter json;
  json.begin_object().member("task", name_of(plan.task)).member("seed", plan.seed);
  json.member("batch", plan.batch);
  write_shape(json, plan.shape);
  write_options(json, plan.options);
  json.end_object();
  return json.text();
}

std::variant<Plan, std::vector<Problem>> read_plan(std::string_view text) {
  Refusals refusals;
  StrictJson json("plan", text, refusals);
  Plan plan;
  json.object("", {{"task", [&](auto& at) { plan.task = static_cast<train::Task>(json.choice(at, kTaskNames)); }},
                   {"seed", [&](auto& at) { plan.seed = json.large(at); }},
                   {"batch", [&](auto& at) { plan.batch = json.small(at, 0, kMostWhole); }},
                   {"shape", [&](auto& at) { plan.shape = read_shape(json, at); }},
                   {"options", [&](auto& at) { plan.options = read_options(json, at); }}});
  if (json.end()) {
    for (const Problem& it : validate(plan)) refusals.add("plan " + it.field, it.found, it.wanted);
  }
  if (!refusals.empty()) return refusals.take();
  return plan;
}

}  // namespace heads
