// A trained model as a thing to look at: what it was trained on and how, its file, and its patterns on a sentence.
//
// File: safetensors; tensors are the parameters by train::for_each's names (F32, or F16: then rounded to the nearest,
// beyond its largest to that), metadata "headscope" is {"plan": …, "step": …}, "table" the table of roles that the
// trainer counted. Other metadata may stand there. Refused: a tensor that is missing, too many, of another shape or
// type than the plan's model has, or with a number that isn't finite; a plan that can't be trained; a table of other
// sizes.
#pragma once

#include "heads/table.hpp"
#include "train/train.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace heads {

/// All that decides a run of training: the same plan gives the same numbers.
struct Plan {
  train::Task task = train::Task::language;
  train::Shape shape;  // `vocabulary` and `longest` follow from the task (see plan_for)
  train::Options options;
  int batch = 64;  // sentences a step, 1 … 512
  std::uint64_t seed = 1;
  bool operator==(const Plan&) const = default;
};
/// The plan that the page starts with for this task.
Plan plan_for(train::Task task);
/// All that is wrong with it, empty when it can be trained.
std::vector<Problem> validate(const Plan& plan);

struct Model {
  Plan plan;
  int step = 0;  // steps that it was trained for
  train::Parameters<float> parameters;
  std::optional<Table> table;  // as in its file
  bool operator==(const Model&) const = default;
};

enum class Precision : std::uint8_t { single, half };
/// A caller's duty: plan and parameters as `validate` wants them (asserted).
std::string write_model(const Model& model, Precision precision = Precision::single);
/// Or everything that is wrong with the file, by name.
std::variant<Model, std::vector<Problem>> read_model(std::string_view bytes);

// ---------------------------------------------------------------- what it does with a sentence

/// What the training loss asks: the sequence with these tokens hidden ([MASK]) and their words as targets. For a causal
/// model nothing is hidden and the target stands one token earlier.
train::Sequence to_sequence(const train::Shape& shape, const train::Sentence& sentence, std::span<const int> masks);

/// Which tokens are hidden when token `query` asks, as in training: itself; for a pronoun the verb after it, past
/// adverbs; none for [CLS], punctuation, a pronoun without its verb, and causal models. In bare tasks all that stand
/// for an answer, whoever asks. From words alone, so that it holds for a learner's own sentence, too.
std::vector<int> hidden_for(const Plan& plan, const train::Sentence& sentence, int query);

/// hidden: row `query` of each map is from a run in which hidden_for(query) is hidden; visible: one run, nothing
/// hidden.
enum class Asking : std::uint8_t { hidden, visible };

using Pattern = attention::Matrix<float>;

struct Reading {
  train::Sentence sentence;
  int layers = 0, heads = 0;
  std::vector<Pattern> patterns;       // layers * heads of (n, n), layer-major, rows are queries and sum to 1
  std::vector<Pattern> contributions;  // the same for attention::contributions; empty unless asked for
  // n: the word that the model predicts for a token that is hidden when it asks itself or stands as [MASK]; else ""
  std::vector<std::string> guesses;
  bool operator==(const Reading&) const = default;
};
/// n runs at most, together in one batch. `sentence`: 2 … longest tokens of the model's own vocabulary (asserted).
/// Where numbers grow beyond float, all weights are 0 and nothing is guessed.
Reading read_with(const Model& model, const train::Sentence& sentence, Asking asking, bool with_contributions);

inline constexpr int kMeasuredSentences = 1000;
inline constexpr std::uint64_t kMeasureSeed = 20191;

/// Counted on held-out sentences of the model's task, drawn from `seed`; masks as in training (choose_masks).
/// Subjects: the task's relations, induction (in the language), then previous, next, same and first token; those
/// without cases stay in the table. Relations and both their baselines are counted on the masked labels alone; in a
/// causal model the token before the masked one asks, where the target stands there or before. Places are counted over
/// all tokens but [CLS], and so are entropy and rest.
Table measure(const Model& model, int sentences = kMeasuredSentences, std::uint64_t seed = kMeasureSeed);

}  // namespace heads
