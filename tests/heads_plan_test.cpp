// Plans of training: what the page starts with, what is refused, and JSON.
#include "heads_support.hpp"

#include <limits>

using namespace heads_test;

namespace {

constexpr Task kAll[] = {Task::language, Task::copy_previous, Task::match_brackets, Task::sort_digits};

std::string refusal_with(const std::string& from, const std::string& to) {
  std::string json = to_json(plan_for(Task::language));
  const std::size_t at = json.find(from);
  INFO(from);
  REQUIRE(at != std::string::npos);
  return refusal_of(read_plan(json.replace(at, from.size(), to)));
}

}  // namespace

TEST_CASE("the plans that the page starts with can be trained") {
  for (const Task task : kAll) {
    const Plan plan = plan_for(task);
    CHECK(sentences_of(validate(plan)) == "");
    CHECK(plan.task == task);
    CHECK(plan.shape.vocabulary == static_cast<int>(train::vocabulary(task).size()));
    CHECK(plan.shape.longest == train::kLongestSentence);
    CHECK(plan.shape.inert_sink);
    CHECK_FALSE(plan.shape.feed_forward);
  }
  const Plan plan = plan_for(Task::language);
  CHECK(plan.shape.layers == 2);
  CHECK(plan.shape.heads == 4);
  CHECK(plan.shape.d_model == 64);
  CHECK(plan.options.steps == 2000);
  CHECK(train::sink_penalty_at(plan.options, 900) == 0);
  CHECK(train::sink_penalty_at(plan.options, 1200) == 0.03);
}

TEST_CASE("a plan is the same after JSON, whatever is in it") {
  for (const Task task : kAll) CHECK(taken(read_plan(to_json(plan_for(task)))) == plan_for(task));
  Plan plan = plan_for(Task::sort_digits);
  plan.seed = std::numeric_limits<std::uint64_t>::max();
  plan.batch = 512;
  plan.shape = {.vocabulary = plan.shape.vocabulary,
                .longest = plan.shape.longest,
                .layers = 6,
                .heads = 1,
                .d_model = 17,
                .feed_forward = true,
                .biases = false,
                .tied = false,
                .causal = true,
                .inert_sink = false};
  plan.options = {.steps = 1,
                  .learning_rate = 0.1 + 0.2,
                  .warm_up = 7,
                  .decay = train::Decay::none,
                  .final_share = 1.0 / 3,
                  .beta_1 = 0.125,
                  .beta_2 = 0.999,
                  .epsilon = 1e-300,
                  .clip = std::nullopt,
                  .weight_decay = 1e300,
                  .sink_penalty = 0.25,
                  .sink_from = 3,
                  .sink_rise = 2147483647};
  CHECK(taken(read_plan(to_json(plan))) == plan);
  plan.options.decay = train::Decay::linear;
  plan.options.clip = 2.5;
  CHECK(taken(read_plan(to_json(plan))) == plan);
}

TEST_CASE("a plan that can't be trained is refused by name, all at once") {
  Plan plan = plan_for(Task::language);
  plan.batch = 0;
  plan.shape.heads = 7;
  plan.shape.vocabulary = 12;
  plan.shape.longest = 31;
  plan.options.steps = 0;
  plan.options.beta_1 = 1;
  const std::string found = sentences_of(validate(plan));
  const std::string words = std::to_string(train::vocabulary(Task::language).size());
  for (const std::string& wanted :
       {std::string("batch: found 0, wanted a whole number from 1 to 512"),
        "vocabulary: found 12, wanted " + words + " for the task language", std::string("longest: found 31, wanted 32"),
        std::string("steps: found 0"), std::string("beta_1: found 1"), std::string("d_k: found 64 with h = 7")}) {
    CAPTURE(found);
    CAPTURE(wanted);
    CHECK(found.find(wanted) != std::string::npos);
  }
  plan = plan_for(Task::language);
  plan.batch = 513;
  CHECK(sentences_of(validate(plan)) == "batch: found 513, wanted a whole number from 1 to 512");
}

TEST_CASE("JSON that isn't a plan is refused, and says where") {
  CHECK(refusal_of(read_plan("")).starts_with("plan byte 1: found the end"));
  CHECK(refusal_of(read_plan("7")) == "plan: found a number, wanted an object of task, seed, batch, shape, options");
  CHECK(refusal_with("\"language\"", "\"chess\"") ==
        "plan task: found \"chess\", wanted one of language, copy_previous, match_brackets, sort_digits");
  CHECK(refusal_with("\"language\"", "2") ==
        "plan task: found a number, wanted one of language, copy_previous, match_brackets, sort_digits");
  CHECK(refusal_with("\"seed\":1", "\"seed\":-1").starts_with("plan seed: found -1, wanted a whole number from 0"));
  CHECK(
      refusal_with("\"seed\":1", "\"seed\":18446744073709551616").starts_with("plan seed: found 18446744073709551616"));
  CHECK(refusal_with("\"seed\":1", "\"seed\":1e3").starts_with("plan seed: found 1e3"));
  CHECK(refusal_with("\"seed\":1,", "") == "plan seed: found nothing, wanted it once");
  CHECK(
      refusal_with("\"layers\":2", "\"layers\":-0").starts_with("plan shape layers: found -0, wanted a whole number"));
  CHECK(refusal_with("\"layers\":2", "\"layers\":7") == "plan layers: found 7, wanted a whole number from 1 to 6");
  CHECK(refusal_with("\"causal\":false", "\"causal\":0").starts_with("plan shape causal: found a number, wanted true"));
  CHECK(refusal_with("\"decay\":\"cosine\"", "\"decay\":\"Cosine\"") ==
        "plan options decay: found \"Cosine\", wanted one of none, linear, cosine");
  CHECK(refusal_with("\"warm_up\":200", "\"warm_up\":200,\"clip\":null")
            .starts_with("plan options clip: found it twice"));
  CHECK(refusal_with("\"tied\":true", "\"tied\":true,\"tide\":true").starts_with("plan shape \"tide\": found a key"));
}
