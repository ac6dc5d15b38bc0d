// A run of training as somebody watches it: one step a call, an exam on held-out sentences now and then, and the moments
// at which a head clicks.
#pragma once

#include "heads/model.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heads {

/// One step on the training curve.
struct Point {
  int step = 0;
  double loss = 0;      // cross-entropy of the batch, in nats
  double accuracy = 0;  // of the batch's hidden words
  bool operator==(const Point&) const = default;
};

/// A head has earned a role that no head had before in this run.
struct Click {
  int step = 0;
  std::string subject;      // Subject::id
  int layer = 0, head = 0;  // from 0
  double share = 0;
  bool operator==(const Click&) const = default;
};

/// What the held-out sentences say at one step; `table.subjects[i].accuracy` is the model's own, by relation.
struct Exam {
  int step = 0;
  Share accuracy;  // over all hidden words, among all words of the vocabulary
  Table table;     // on kExamSentences: counts are small, intervals wide
  bool operator==(const Exam&) const = default;
};
inline constexpr int kExamSentences = 192;

class Course {
 public:
  /// As `validate` wants the plan (asserted).
  explicit Course(const Plan& plan);

  const Plan& plan() const { return plan_; }
  int step() const { return trainer_.now.step; }
  bool finished() const { return step() >= plan_.options.steps; }
  /// Training stopped itself: "The loss grew beyond all bounds at step 41 …"; then the model is the last good one.
  const std::string& problem() const { return problem_; }
  Model model() const;  // as it is now, without a table

  /// Exactly one step; a caller's duty: neither finished nor stopped (asserted). A caller takes exams when it wants.
  /// Where training stops itself, the point is of the step that was not taken.
  Point advance();
  /// The same held-out sentences each time. Remembers which roles were earned, so that clicks come once.
  Exam examine(std::vector<Click>& clicks);

 private:
  Plan plan_;
  train::Trainer<float> trainer_;
  train::FastWorkspace workspace_;
  std::vector<train::Sequence> batch_, exam_;
  std::vector<std::string> earned_;  // subjects by id
  std::string problem_;
};

}  // namespace heads
