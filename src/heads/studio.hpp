// Training behind a door: takes commands as text, works in slices, and answers in bytes, so that a page's worker, a
// window's own loop and a test drive it in the same way. Nothing outside of C++ looks into either.
//
// Commands (JSON): {"do":"start","run":3,"plan":{…}} begins at step 0 and runs, under the number that reports then carry;
// {"do":"pause"}; {"do":"run"}; {"do":"step"} one step and an exam; {"do":"rewind"} forgets the run.
// Answers (bytes): safetensors; metadata "report" is JSON, and one tensor "model" of bytes, a model file, where an exam
// was taken.
#pragma once

#include "heads/course.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace heads {

std::string to_json(const Plan& plan);
std::variant<Plan, std::vector<Problem>> read_plan(std::string_view json);

/// What the studio has to say since the last time.
struct Report {
  std::uint64_t run = 0;        // as the start said: a page can tell what it has let go of
  bool running = false, finished = false;
  int step = 0;
  std::string problem;          // "" when all is well
  std::vector<Point> points;    // new ones, in order
  std::vector<Click> clicks;    // new ones
  std::optional<Exam> exam;     // the newest; always together with `model`
  std::optional<Model> model;   // at exam->step, with the exam's table
  bool operator==(const Report&) const = default;
};
std::string write_report(const Report& report);
std::variant<Report, std::vector<Problem>> read_report(std::string_view bytes);

inline constexpr int kExamEvery = 50;  // steps

class Studio {
 public:
  /// Carries it out, or says why not and changes nothing.
  std::vector<Problem> command(std::string_view json);
  /// True while there is work for `work`.
  bool is_busy() const { return course_.has_value() && (exam_due_ || running_ || one_more_); }
  /// One step, or one exam: tens of milliseconds. Nothing when not busy.
  void work();
  /// What there is to say; nothing when nothing happened.
  std::optional<Report> take_report();

 private:
  bool can_go_on() const { return course_ && !course_->finished() && course_->problem().empty(); }

  std::optional<Course> course_;
  std::uint64_t run_ = 0;
  bool running_ = false, one_more_ = false, exam_due_ = false;
  std::optional<Report> news_;  // gathers
};

}  // namespace heads
