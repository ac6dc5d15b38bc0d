// What the budget's tests share: sizes by a random walk, and sizes drawn at will.
#pragma once

#include "attention_support.hpp"
#include "budget/budget.hpp"

#include <algorithm>
#include <string>
#include <variant>

namespace budget_test {

using namespace budget;
using attention_test::Random;

inline Sizes sizes_of(std::string_view preset) {
  const Preset* found = find_preset(preset);
  REQUIRE(found);
  return found->sizes;
}

inline Sizes changed(const Sizes& sizes, std::string_view field, std::string_view value) {
  const auto result = with_field(sizes, field, value);
  REQUIRE_MESSAGE(std::holds_alternative<Sizes>(result), std::string(field), "=", std::string(value));
  return std::get<Sizes>(result);
}

/// "" when it is carried out.
inline std::string refusal(const Sizes& sizes, std::string_view field, std::string_view value) {
  const auto result = with_field(sizes, field, value);
  const auto* problem = std::get_if<attention::Problem>(&result);
  return problem ? attention::to_sentence(*problem) : "";
}

inline bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

/// A value that a field may have, small ones more often.
inline std::string random_value(Random& random, const Sizes& sizes, std::string_view field) {
  if (is_switch(field)) return random.coin() ? "on" : "off";
  const auto stops = stops_of(sizes, field);
  if (random.coin())
    return std::to_string(stops[static_cast<std::size_t>(random.whole(0, static_cast<int>(stops.size()) - 1))]);
  const Limits limits = limits_of(field);
  const Whole most = random.coin() ? std::min<Whole>(limits.most, 64) : limits.most;
  return std::to_string(random.whole(static_cast<int>(limits.least), static_cast<int>(most)));
}

inline std::string_view random_field(Random& random) {
  return fields()[static_cast<std::size_t>(random.whole(0, static_cast<int>(fields().size()) - 1))];
}

/// From a preset, by changes that are carried out or refused.
inline Sizes random_sizes(Random& random, int steps = 12) {
  Sizes sizes = presets()[static_cast<std::size_t>(random.whole(0, static_cast<int>(presets().size()) - 1))].sizes;
  for (int i = 0; i < steps; ++i) {
    const std::string_view field = random_field(random);
    const auto result = with_field(sizes, field, random_value(random, sizes, field));
    if (const auto* better = std::get_if<Sizes>(&result)) sizes = *better;
  }
  return sizes;
}

}  // namespace budget_test
