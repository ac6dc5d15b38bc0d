// A run of training: the same plan gives the same numbers, heads click, divergence stops, the studio behind its door.
#include "heads/heads.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

namespace {

using heads::Course;
using heads::Plan;
using heads::Report;
using heads::Studio;

/// Small enough for a debug build, and learned within its steps.
Plan small_plan() {
  Plan plan = heads::plan_for(train::Task::copy_previous);
  plan.shape.layers = 1;
  plan.shape.heads = 2;
  plan.shape.d_model = 32;
  plan.batch = 16;
  plan.options.steps = 90;
  plan.options.warm_up = 10;
  plan.options.learning_rate = 1e-2;
  plan.options.sink_penalty = 0;
  return plan;
}

std::string start_text(const Plan& plan, std::uint64_t run = 1) {
  return R"({"do":"start","run":)" + std::to_string(run) + R"(,"plan":)" + heads::to_json(plan) + "}";
}

/// Works until there is nothing to do; all reports as one.
Report run_to_end(Studio& studio) {
  Report all;
  while (studio.is_busy()) {
    studio.work();
    if (auto news = studio.take_report()) {
      news->points.insert(news->points.begin(), all.points.begin(), all.points.end());
      news->clicks.insert(news->clicks.begin(), all.clicks.begin(), all.clicks.end());
      if (!news->exam) {
        news->exam = std::move(all.exam);
        news->model = std::move(all.model);
      }
      all = std::move(*news);
    }
  }
  return all;
}

}  // namespace

TEST_CASE("the same plan gives the same curve and the same model, another seed another one") {
  const Plan plan = small_plan();
  Course a(plan), b(plan);
  Plan other = plan;
  other.seed = 2;
  Course c(other);
  for (int i = 0; i < 10; ++i) {
    const heads::Point point = a.advance();
    CHECK(point.step == i + 1);
    CHECK(point == b.advance());
    CHECK(point != c.advance());
  }
  CHECK(a.model() == b.model());
}

TEST_CASE("an exam changes nothing of what is learned, and asks the same sentences each time") {
  const Plan plan = small_plan();
  Course with(plan), without(plan);
  std::vector<heads::Click> clicks;
  const heads::Exam first = with.examine(clicks), again = with.examine(clicks);
  CHECK(first == again);
  CHECK(first.accuracy.count > 100);
  for (int i = 0; i < 3; ++i) {
    CHECK(with.advance() == without.advance());
    with.examine(clicks);
  }
  CHECK(with.model() == without.model());
}

TEST_CASE("a head clicks once, when it has learned to copy the previous digit") {
  Course course(small_plan());
  std::vector<heads::Click> clicks;
  while (!course.finished()) {
    course.advance();
    if (course.step() % 10 == 0) course.examine(clicks);
  }
  int of_previous_word = 0;
  for (const heads::Click& click : clicks) {
    if (click.subject != "previous_word") continue;
    ++of_previous_word;
    CHECK(click.step % 10 == 0);
    CHECK(click.share >= heads::kPositionalShare);
    CHECK(click.layer == 0);
  }
  CHECK(of_previous_word == 1);
}

TEST_CASE("divergence stops the run, says at which step, and keeps the last good model") {
  Plan plan = small_plan();
  plan.options.learning_rate = 100;
  plan.options.warm_up = 0;
  plan.options.clip.reset();
  plan.options.steps = 400;
  plan.shape.feed_forward = true;
  Course course(plan);
  while (!course.finished() && course.problem().empty()) course.advance();
  REQUIRE_FALSE(course.problem().empty());
  INFO(course.problem());
  CHECK(course.problem().find("step") != std::string::npos);
  std::vector<heads::Click> clicks;
  const heads::Exam exam = course.examine(clicks);
  CHECK(exam.accuracy.count > 0);
}

TEST_CASE("the studio gives the same run as a course does, in slices") {
  const Plan plan = small_plan();
  Studio studio;
  CHECK_FALSE(studio.is_busy());
  CHECK_FALSE(studio.take_report());
  REQUIRE(studio.command(start_text(plan, 5)).empty());
  const Report all = run_to_end(studio);
  CHECK(all.run == 5);
  CHECK(all.finished);
  CHECK_FALSE(all.running);
  REQUIRE(all.points.size() == 90);
  REQUIRE(all.model);
  REQUIRE(all.exam);
  CHECK(all.exam->step == 90);

  Course course(plan);
  for (const heads::Point& point : all.points) CHECK(point == course.advance());
  CHECK(all.model->parameters == course.model().parameters);
  CHECK(all.model->table == all.exam->table);
}

TEST_CASE("pause, step, run and rewind do what they say") {
  const Plan plan = small_plan();
  Studio studio;
  REQUIRE(studio.command(start_text(plan)).empty());
  for (int i = 0; i < 6; ++i) studio.work();  // the exam before the first step, and five steps
  REQUIRE(studio.command(R"({"do":"pause"})").empty());
  while (studio.is_busy()) studio.work();
  Report report = *studio.take_report();
  CHECK_FALSE(report.running);
  CHECK(report.step == 5);
  REQUIRE(report.exam);
  CHECK(report.exam->step == 5);  // what is seen while paused is what there is

  REQUIRE(studio.command(R"({"do":"step"})").empty());
  while (studio.is_busy()) studio.work();
  report = *studio.take_report();
  CHECK(report.step == 6);
  CHECK(report.points.size() == 1);
  CHECK(report.exam->step == 6);
  CHECK_FALSE(report.running);

  REQUIRE(studio.command(R"({"do":"run"})").empty());
  CHECK(studio.is_busy());
  const Report rest = run_to_end(studio);
  CHECK(rest.finished);
  CHECK(rest.points.size() == 84);
  CHECK_FALSE(studio.command(R"({"do":"run"})").empty());

  REQUIRE(studio.command(R"({"do":"rewind"})").empty());
  CHECK_FALSE(studio.is_busy());
  REQUIRE(studio.command(start_text(plan, 2)).empty());
  const Report again = run_to_end(studio);
  CHECK(again.run == 2);
  CHECK(again.points.back() == rest.points.back());
  CHECK(again.model == rest.model);
}

TEST_CASE("a command that can't be is refused by name and changes nothing") {
  const Plan plan = small_plan();
  Studio studio;
  for (const char* text :
       {"", "[]", "{", R"({"do":"fly"})", R"({"do":"run"})", R"({"do":"pause"})", R"({"do":"start"})",
        R"({"do":"start","run":1,"plan":{}})", R"({"do":"start","run":-1})", R"({"go":1})"})
    CHECK_MESSAGE(!studio.command(text).empty(), text);
  CHECK_FALSE(studio.is_busy());
  CHECK_FALSE(studio.take_report());

  Plan bad = plan;
  bad.shape.heads = 5;
  REQUIRE(studio.command(start_text(plan)).empty());
  studio.work();
  const auto problems = studio.command(start_text(bad, 9));
  REQUIRE_FALSE(problems.empty());
  CHECK(attention::to_sentence(problems[0]).find("5") != std::string::npos);
  studio.work();
  CHECK(studio.take_report()->run == 1);
}

TEST_CASE("a report comes back from its bytes as it was") {
  Studio studio;
  REQUIRE(studio.command(start_text(small_plan(), 3)).empty());
  for (int i = 0; i < 4; ++i) studio.work();
  Report report = *studio.take_report();
  report.clicks.push_back({.step = 50, .subject = "previous_word", .layer = 1, .head = 3, .share = 0.9375});
  report.problem = "The loss grew \"beyond\" bounds.";
  auto read = heads::read_report(heads::write_report(report));
  REQUIRE(std::holds_alternative<Report>(read));
  CHECK(std::get<Report>(read) == report);

  Report plain;
  plain.points.push_back({.step = 7, .loss = std::nan(""), .accuracy = 0.5});
  read = heads::read_report(heads::write_report(plain));
  REQUIRE(std::holds_alternative<Report>(read));
  CHECK(std::isnan(std::get<Report>(read).points.at(0).loss));
  CHECK_FALSE(std::get<Report>(read).exam);
}

TEST_CASE("bytes that are no report are refused") {
  CHECK(std::holds_alternative<std::vector<heads::Problem>>(heads::read_report("")));
  CHECK(std::holds_alternative<std::vector<heads::Problem>>(
      heads::read_report("rubbish that is long enough to be read")));
  Studio studio;
  REQUIRE(studio.command(start_text(small_plan())).empty());
  studio.work();
  const std::string bytes = heads::write_report(*studio.take_report());
  for (std::size_t length = 0; length < bytes.size(); length += bytes.size() / 97 + 1)
    CHECK(std::holds_alternative<std::vector<heads::Problem>>(
        heads::read_report(std::string_view(bytes).substr(0, length))));
}
