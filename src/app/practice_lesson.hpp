// Makers of the lesson's questions, by what they are about.
#pragma once

#include "app/practice_facts.hpp"

namespace app {

// sizes and counts (practice_lesson_counts.cpp)
Question ask_q1(const State& state, Dice& dice);
Question ask_q1b(const State& state, Dice& dice);
Question ask_q2(const State& state, Dice& dice);
Question ask_q2b(const State& state, Dice& dice);
Question ask_q4(const State& state, Dice& dice);
Question ask_q5(const State& state, Dice& dice);
Question ask_q8(const State& state, Dice& dice);
Question ask_q10(const State& state, Dice& dice);

// shown on live numbers (practice_lesson_live.cpp, practice_lesson_heads.cpp)
Question ask_q3(const State& state, Dice& dice);
Question ask_q6(const State& state, Dice& dice);
Question ask_q7(const State& state, Dice& dice);
Question ask_q9(const State& state, Dice& dice);

/// Choices with one that is right, in the order in which they are shown.
void offer(Question& question, std::vector<Choice> choices, int right);

}  // namespace app
