// Training as the gallery knows it: the run, its reports, its checkpoints and its plan.
#include "app_gallery_support.hpp"

using namespace app_test;

namespace {

bool has(const std::optional<std::string>& text, std::string_view part) {
  return text && text->find(part) != std::string::npos;
}

std::optional<std::string> plan(State& state, const char* field, const char* value) {
  return update(state, SetPlan{field, value});
}

}  // namespace

TEST_CASE("gallery: start, pause, go on, rewind") {
  State state = training_state();
  const Training& training = state.gallery.training;
  CHECK(training.started);
  CHECK(training.running);
  CHECK(training.run == 1);
  CHECK(state.gallery.source == Source::trained);
  CHECK(state.gallery.panel == Panel::training);
  CHECK(has(update(state, Train{TrainingCommand::start}), "Rewind"));
  CHECK(has(update(state, Train{TrainingCommand::run}), "Pause it first"));
  CHECK(has(update(state, Train{TrainingCommand::step}), "Pause it first"));
  CHECK(has(plan(state, "heads", "1"), "Rewind"));
  REQUIRE(!update(state, Train{TrainingCommand::pause}));
  CHECK(has(update(state, Train{TrainingCommand::pause}), "isn't running"));
  REQUIRE(!update(state, Train{TrainingCommand::step}));
  CHECK_FALSE(training.running);
  REQUIRE(!update(state, Train{TrainingCommand::run}));
  CHECK(training.running);
  REQUIRE(!take(state, report(training.plan, 1, 50)));
  CHECK(training.checkpoints.size() == 1);
  REQUIRE(!update(state, Train{TrainingCommand::rewind}));
  CHECK_FALSE(training.started);
  CHECK(training.step == 0);
  CHECK(training.curve.empty());
  CHECK(training.checkpoints.empty());
  CHECK(training.plan == small_plan());
  CHECK(!plan(state, "heads", "1"));
  REQUIRE(!update(state, Train{TrainingCommand::start}));
  CHECK(training.run == 2);
}

TEST_CASE("gallery: a new seed lets go of the run and keeps the rest of the plan") {
  State state = training_state();
  REQUIRE(!update(state, Train{TrainingCommand::new_seed}));
  heads::Plan wanted = small_plan();
  ++wanted.seed;
  CHECK(state.gallery.training.plan == wanted);
  CHECK_FALSE(state.gallery.training.started);
  state.gallery.training.plan.seed = 999999999;
  REQUIRE(!update(state, Train{TrainingCommand::new_seed}));
  CHECK(state.gallery.training.plan.seed == 0);
}

TEST_CASE("gallery: the report of an old run is refused and changes nothing") {
  State state = training_state();
  CHECK(!take(state, report(small_plan(), 1, 50)));
  REQUIRE(!update(state, Train{TrainingCommand::rewind}));
  State before = state;
  CHECK(has(take(state, report(small_plan(), 1, 100)), "let go"));
  REQUIRE(!update(state, Train{TrainingCommand::start}));
  before = state;
  CHECK(has(take(state, report(small_plan(), 1, 100)), "let go"));
  CHECK(state == before);
  heads::Plan other = small_plan();
  other.seed = 77;
  CHECK(has(take(state, report(other, 2, 100)), "another plan"));
  CHECK(has(update(state, TakeReport{}), "no report"));
  CHECK(state == before);
}

TEST_CASE("gallery: points come once and in order, clicks once") {
  State state = training_state();
  heads::Report first = report(small_plan(), 1, 50);
  first.points = {{1, 5, 0}, {2, 4, 0}, {3, 3, 0}};
  first.clicks = {{50, "verb_subject", 1, 0, 0.9}};
  REQUIRE(!take(state, first));
  first.points = {{2, 4, 0}, {3, 3, 0}, {4, 2, 0}};
  REQUIRE(!take(state, first));
  const Training& training = state.gallery.training;
  REQUIRE(training.curve.size() == 4);
  CHECK(training.curve[3].step == 4);
  CHECK(training.clicks.size() == 1);
  CHECK(training.checkpoints.size() == 1);
}

TEST_CASE("gallery: a report that was under way doesn't undo Pause") {
  State state = training_state();
  REQUIRE(!update(state, Train{TrainingCommand::pause}));
  REQUIRE(!take(state, report(small_plan(), 1, 50)));
  CHECK_FALSE(state.gallery.training.running);
}

TEST_CASE("gallery: divergence stops the run with its sentence, and the last good state stays") {
  State state = training_state();
  REQUIRE(!take(state, report(small_plan(), 1, 50)));
  heads::Report bad = report(small_plan(), 1, 57);
  bad.exam.reset(), bad.model.reset();
  bad.problem = "step 57: the loss grew <b>";
  REQUIRE(!take(state, bad));
  CHECK_FALSE(state.gallery.training.running);
  CHECK(state.gallery.training.checkpoints.size() == 1);
  CHECK(has(update(state, Train{TrainingCommand::run}), "over"));
  const GalleryView view = derive_gallery(state.gallery, nullptr);
  CHECK(has(view.training, "the loss grew <b>"));
  CHECK(has(view.training, "last good state"));
  CHECK(view.specimen);
}

TEST_CASE("gallery: checkpoints thin out but for the first, the last and the one that is looked at") {
  State state = training_state();
  const Training& training = state.gallery.training;
  for (int i = 0; i <= 63; ++i) REQUIRE(!take(state, report(small_plan(), 1, i * 50)));
  CHECK(training.checkpoints.size() == kMostCheckpoints);
  REQUIRE(!update(state, Scrub{150}));  // an odd one
  CHECK(training.scrubbed == 3);
  REQUIRE(!take(state, report(small_plan(), 1, 64 * 50)));
  CHECK(training.checkpoints.size() == 34);
  CHECK(training.checkpoints.front().step == 0);
  CHECK(training.checkpoints.back().step == 64 * 50);
  REQUIRE(training.scrubbed);
  CHECK(training.checkpoints[static_cast<std::size_t>(*training.scrubbed)].step == 150);
  for (std::size_t i = 1; i < training.checkpoints.size(); ++i)
    CHECK(training.checkpoints[i].step > training.checkpoints[i - 1].step);
  CHECK(has(update(state, Scrub{50}), "no checkpoint of step 50"));
}

TEST_CASE("gallery: scrubbing shows a checkpoint, and nothing to scrub shows the newest") {
  State state = training_state();
  for (int step : {0, 50, 100}) REQUIRE(!take(state, report(small_plan(), 1, step)));
  REQUIRE(!update(state, SetSource{Source::shipped}));
  REQUIRE(!update(state, Scrub{50}));
  CHECK(state.gallery.source == Source::trained);
  CHECK(derive_gallery(state.gallery, nullptr).specimen->name == "this run, step 50");
  REQUIRE(!take(state, report(small_plan(), 1, 150)));
  CHECK(derive_gallery(state.gallery, nullptr).specimen->name == "this run, step 50");
  REQUIRE(!update(state, Scrub{std::nullopt}));
  CHECK(derive_gallery(state.gallery, nullptr).specimen->name == "this run, step 150");
  REQUIRE(!update(state, Scrub{150}));  // the newest: goes on with what comes
  REQUIRE(!take(state, report(small_plan(), 1, 200)));
  CHECK(derive_gallery(state.gallery, nullptr).specimen->name == "this run, step 200");
}

TEST_CASE("gallery: a report doesn't stop the walkthrough's play") {
  State state = training_state();
  REQUIRE(!update(state, OpenPage{Page::walkthrough}));
  REQUIRE(!update(state, SetPlaying{true}));
  REQUIRE(!take(state, report(small_plan(), 1, 50)));
  CHECK(state.playing);
  REQUIRE(!update(state, OpenPage{Page::gallery}));
  CHECK_FALSE(state.playing);
}

TEST_CASE("gallery: a plan is changed field by field, and a refusal names what was found and wanted") {
  State state;
  const auto& now = state.gallery.training.plan;
  REQUIRE(!plan(state, "heads", " 2 "));
  CHECK(now.shape.heads == 2);
  REQUIRE(!plan(state, "heads", "4"));
  REQUIRE(!plan(state, "d_model", "64"));
  CHECK(now.shape.heads == 4);
  CHECK(plan(state, "heads", "5") == "heads 5 does not divide d_model 64: wanted 1, 2, 4 or 8.");
  CHECK(plan(state, "heads", "9") == "heads: found \"9\", wanted 1, 2, 4 or 8.");
  CHECK(plan(state, "heads", "") == "heads: found nothing, wanted 1, 2, 4 or 8.");
  CHECK(plan(state, "d_model", "66") ==
        "d_model 66 can't be shared by four heads: wanted a multiple of 4 from 16 to 128.");
  CHECK(plan(state, "d_model", "999999") == "d_model: found \"999999\", wanted a multiple of 4 from 16 to 128.");
  CHECK(plan(state, "layers", "7") == "layers: found \"7\", wanted 1, 2, 3, 4, 5 or 6.");
  CHECK(has(plan(state, "seed", "-1"), "found \"-1\", wanted a whole number from 0 to 999999999"));
  CHECK(has(plan(state, "seed", "1234567890"), "wanted"));
  CHECK(has(plan(state, "learning_rate", "0"), "above 0"));
  CHECK(has(plan(state, "learning_rate", "nan"), "above 0"));
  CHECK(has(plan(state, "learning_rate", "1.5"), "up to 1"));
  CHECK(has(plan(state, "task", "<b>"), "language, copy-previous, match-brackets or sort-digits"));
  CHECK(has(plan(state, "batch", "3"), "found \"batch\""));
  CHECK(!plan(state, "learning_rate", "0,01"));
  CHECK(now.options.learning_rate == 0.01);
  CHECK(heads::validate(now).empty());
}

TEST_CASE("gallery: another task keeps what the learner chose, where it can be") {
  State state;
  const auto& now = state.gallery.training.plan;
  REQUIRE(!plan(state, "task", "copy_previous"));
  CHECK(now == heads::plan_for(train::Task::copy_previous));
  REQUIRE(!plan(state, "task", "language"));
  CHECK(now == heads::plan_for(train::Task::language));
  REQUIRE(!plan(state, "d_model", "96"));
  REQUIRE(!plan(state, "heads", "3"));  // divides 96, not 64
  REQUIRE(!plan(state, "layers", "3"));
  REQUIRE(!plan(state, "seed", "42"));
  REQUIRE(!plan(state, "learning_rate", "0.01"));
  REQUIRE(!plan(state, "task", "sort-digits"));
  CHECK(now.shape.layers == 3);
  CHECK(now.shape.d_model == 96);
  CHECK(now.shape.heads == 3);
  CHECK(now.seed == 42);
  CHECK(now.options.learning_rate == 0.01);
  CHECK(heads::validate(now).empty());
}

TEST_CASE("gallery: the studio understands every command, and its reports come home") {
  State state;
  heads::Studio studio;
  state.gallery.training.plan = small_plan(train::Task::copy_previous);
  state.gallery.training.plan.options.steps = 60;
  state.gallery.training.plan.batch = 2;
  const auto command = [&](TrainingCommand which) {
    REQUIRE(!update(state, Train{which}));
    const auto text = studio_command(state, Train{which});
    if (text) CHECK_MESSAGE(studio.command(*text).empty(), *text);
    return text;
  };
  CHECK_FALSE(command(TrainingCommand::new_seed));  // nothing to let go of
  command(TrainingCommand::start);
  bool paused = false;
  while (studio.is_busy()) {
    studio.work();
    if (const auto news = studio.take_report()) REQUIRE(!take(state, *news));
    if (state.gallery.training.step == 10 && !std::exchange(paused, true)) {
      command(TrainingCommand::pause), command(TrainingCommand::step), command(TrainingCommand::run);
    }
  }
  CHECK(state.gallery.training.finished);
  CHECK_FALSE(state.gallery.training.running);
  CHECK(state.gallery.training.curve.size() == 60);
  CHECK(state.gallery.training.checkpoints.back().step == 60);
  CHECK(derive_gallery(state.gallery, nullptr).reading);
  command(TrainingCommand::new_seed);
  CHECK_FALSE(studio.is_busy());
  command(TrainingCommand::start);
  REQUIRE(studio.is_busy());
  command(TrainingCommand::rewind);
}
