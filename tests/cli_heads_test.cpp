// The command line of `headscope train` and `headscope roles`: what it reads, and how it refuses.
#include "cli/heads_commands.hpp"

#include <doctest/doctest.h>

namespace {

using Arguments = std::vector<std::string_view>;

cli::HeadsOptions read(const Arguments& arguments) {
  const auto read = cli::read_heads_arguments(arguments);
  if (const auto* problems = std::get_if<1>(&read))
    for (const auto& problem : *problems) FAIL_CHECK(attention::to_sentence(problem));
  return read.index() == 0 ? std::get<0>(read) : cli::HeadsOptions{};
}

std::string refusals(const Arguments& arguments) {
  const auto read = cli::read_heads_arguments(arguments);
  std::string sentences;
  if (const auto* problems = std::get_if<1>(&read))
    for (const auto& problem : *problems) sentences += attention::to_sentence(problem) + '\n';
  return sentences;
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

}  // namespace

TEST_CASE("train with a file only takes the plan of the language") {
  const auto options = read({"train", "--out", "model.safetensors"});
  CHECK(options.trains);
  CHECK(options.out == "model.safetensors");
  CHECK(options.plan == heads::plan_for(train::Task::language));
  CHECK_FALSE(options.json);
}

TEST_CASE("what is asked for stands in the plan, wherever --task stands") {
  const auto options =
      read({"train", "--heads", "2", "--seed=7", "--out", "-", "--layers", "1", "--d-model", "32", "--batch", "8",
            "--learning-rate", "0.01", "--feed-forward", "--task", "sort_digits", "--warm-up", "5"});
  CHECK(options.plan.task == train::Task::sort_digits);
  CHECK(options.plan.shape.vocabulary == static_cast<int>(train::vocabulary(train::Task::sort_digits).size()));
  CHECK(options.plan.shape.heads == 2);
  CHECK(options.plan.shape.layers == 1);
  CHECK(options.plan.shape.d_model == 32);
  CHECK(options.plan.shape.feed_forward);
  CHECK(options.plan.seed == 7);
  CHECK(options.plan.batch == 8);
  CHECK(options.plan.options.learning_rate == 0.01);
  CHECK(options.plan.options.warm_up == 5);
}

TEST_CASE("fewer steps keep the share of them that the penalty waits for") {
  const auto plan = heads::plan_for(train::Task::language);
  const auto options = read({"train", "--out", "x", "--steps", std::string_view("1200")});
  CHECK(options.plan.options.steps == 1200);
  CHECK(options.plan.options.sink_from == plan.options.sink_from * 1200 / plan.options.steps);
}

TEST_CASE("a wrong train says all that is wrong at once") {
  CHECK(contains(refusals({"train"}), "--out: found nothing, wanted --out FILE"));
  CHECK(contains(refusals({"train", "--out"}), "--out: found nothing, wanted FILE after it"));
  const std::string many = refusals({"train", "--out", "x", "--task", "chess", "--heads", "9", "--sise=3", "--steps",
                                     "0", "--learning-rate", "fast", "file"});
  for (const char* part : {"--task: found \"chess\", wanted language, copy-previous, match-brackets or sort-digits",
                           "--heads: found \"9\", wanted a whole number from 1 to 8", "option: found \"--sise=3\"",
                           "--steps: found \"0\"", "--learning-rate: found \"fast\"", "argument: found \"file\""})
    CHECK_MESSAGE(contains(many, part), part);
  CHECK(contains(refusals({"train", "--out", "x", "--out", "y"}), "--out: found it twice"));
  CHECK(contains(refusals({"train", "--out", "x", "--json=yes"}), "--json: found \"yes\", wanted no value"));
  CHECK(contains(refusals({"train", "--out", "-", "--json"}), "--json"));
  const std::string split = refusals({"train", "--out", "x", "--heads", "5"});
  CHECK(contains(split, "5"));
  CHECK(contains(split, std::to_string(heads::plan_for(train::Task::language).shape.d_model)));
}

TEST_CASE("roles takes a file, perhaps its parse, and how many sentences") {
  const auto options = read({"roles", "a.safetensors", "b.json", "--json", "--sentences", "50", "--seed", "3"});
  CHECK_FALSE(options.trains);
  CHECK(options.file == "a.safetensors");
  CHECK(options.companion == "b.json");
  CHECK(options.json);
  CHECK(options.sentences == 50);
  CHECK(options.seed == 3);
  CHECK(contains(refusals({"roles"}), "file: found nothing"));
  CHECK(contains(refusals({"roles", "a", "b", "c"}), "file: found \"c\""));
  CHECK(contains(refusals({"roles", "a", "--heads", "2"}), "option: found \"--heads\", wanted one of --seed"));
}

TEST_CASE("help is help whatever else is missing, and names every option") {
  CHECK(read({"train", "--help"}).help);
  CHECK(read({"roles", "-h"}).help);
  for (const char* option : {"--task", "--seed", "--out", "--json", "--half"})
    CHECK(contains(cli::heads_help_text(true), option));
  CHECK(contains(cli::heads_help_text(false), "--json"));
  CHECK_FALSE(contains(cli::heads_help_text(false), "--out"));
}
