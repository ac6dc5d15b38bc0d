// The names of the patterns whose low-rank limit is shown.
#include "budget/budget.hpp"

#include <array>

namespace budget {
namespace {

constexpr std::array<std::string_view, kTargets> kNames = {"itself", "previous", "shuffled",
                                                           "halves", "first",    "average"};

}  // namespace

std::string_view name_of(Target target) { return kNames[static_cast<std::size_t>(target)]; }

std::optional<Target> find_target(std::string_view name) {
  for (std::size_t i = 0; i < kNames.size(); ++i)
    if (kNames[i] == name) return static_cast<Target>(i);
  return std::nullopt;
}

}  // namespace budget
