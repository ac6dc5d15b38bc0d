// Draws the batches, takes the steps and the exams of one run.
#include "heads/course.hpp"

#include <algorithm>
#include <cassert>

namespace heads {
namespace {

constexpr std::uint64_t kExamSeed = 7001;  // not the one that the final table is counted with

train::Sequence draw(const Plan& plan, train::Split split, train::Random& random) {
  const train::Sentence sentence = train::make_sentence(plan.task, split, random);
  return to_sequence(plan.shape, sentence, train::choose_masks(sentence, random));
}

}  // namespace

Course::Course(const Plan& plan) : plan_(plan), trainer_(train::start<float>(plan.shape, plan.options, plan.seed)) {
  assert(validate(plan).empty());
  train::Random random{kExamSeed};
  for (int i = 0; i < kExamSentences; ++i) exam_.push_back(draw(plan, train::Split::held_out, random));
}

Model Course::model() const {
  return {.plan = plan_, .step = step(), .parameters = trainer_.now.parameters, .table = std::nullopt};
}

Point Course::advance() {
  assert(!finished() && problem_.empty());
  batch_.clear();
  for (int i = 0; i < plan_.batch; ++i) batch_.push_back(draw(plan_, train::Split::training, trainer_.random));
  const train::StepReport report = train::fast_step(trainer_, batch_, workspace_);
  if (!report.problems.empty()) problem_ = attention::to_sentence(report.problems.front());
  const train::Loss& loss = report.loss;
  return {.step = report.step,
          .loss = loss.cross_entropy,
          .accuracy = loss.targets == 0 ? 0.0 : static_cast<double>(loss.correct) / loss.targets};
}

Exam Course::examine(std::vector<Click>& clicks) {
  Exam exam;
  exam.step = step();
  const train::Loss loss = train::fast_evaluate(plan_.shape, trainer_.now.parameters, exam_, 0, workspace_);
  exam.accuracy = {.right = loss.correct, .count = loss.targets};
  exam.table = measure(model(), kExamSentences, kExamSeed);
  for (std::size_t subject = 0; subject < exam.table.subjects.size(); ++subject) {
    const std::string& id = exam.table.subjects[subject].id;
    if (std::find(earned_.begin(), earned_.end(), id) != earned_.end()) continue;
    const Score* best = nullptr;
    Click click{.step = exam.step, .subject = id};
    for (std::size_t row = 0; row < exam.table.rows.size(); ++row) {
      const Score& score = exam.table.rows[row].scores[subject];
      if (!score.earned || (best != nullptr && score.share.value() <= best->share.value())) continue;
      best = &score;
      click.layer = static_cast<int>(row) / exam.table.heads;
      click.head = static_cast<int>(row) % exam.table.heads;
      click.share = score.share.value();
    }
    if (best == nullptr) continue;
    earned_.push_back(id);
    clicks.push_back(click);
  }
  return exam;
}

}  // namespace heads
