// The lesson's ten questions, two of which have a second part.
#include "app/practice_lesson.hpp"

namespace app {
namespace {

constexpr MadeType kMakers[] = {
    {{"q1", "Q1", "the width of GPT-3’s heads", true}, ask_q1},
    {{"q1b", "Q1 b", "GPT-3’s attention parameters", true}, ask_q1b},
    {{"q2", "Q2", "512 split by 16", true}, ask_q2},
    {{"q2b", "Q2 b", "what can’t split 512", true}, ask_q2b},
    {{"q3", "Q3", "one head", true}, ask_q3},
    {{"q4", "Q4", "1024 with 16 heads", true}, ask_q4},
    {{"q5", "Q5", "the feed-forward part", true}, ask_q5},
    {{"q6", "Q6", "heads that are all alike", true}, ask_q6},
    {{"q7", "Q7", "without the output projection", true}, ask_q7},
    {{"q8", "Q8", "how many attention maps", true}, ask_q8},
    {{"q9", "Q9", "a head on [SEP]", true}, ask_q9},
    {{"q10", "Q10", "what more heads add", true}, ask_q10},
};

}  // namespace

std::span<const MadeType> lesson_makers() { return kMakers; }

void offer(Question& question, std::vector<Choice> choices, int right) {
  question.asks = Asks::choice;
  question.choices = std::move(choices);
  question.right = right;
}

}  // namespace app
