// What the files of `budget` share with each other and with nobody else.
#pragma once

#include "budget/budget.hpp"

namespace budget {

/// The field of this name, which is a whole number or a switch (asserted).
Whole& number_of(Sizes& sizes, std::string_view field);
Whole number_of(const Sizes& sizes, std::string_view field);
bool& switch_of(Sizes& sizes, std::string_view field);

/// Of a number from 1, the largest divisor that isn't above `most`.
Whole largest_divisor(Whole number, Whole most);

}  // namespace budget
