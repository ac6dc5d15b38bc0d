// The budget's part of a link: a preset, and what differs from it.
#include "app/budget_internal.hpp"

#include <algorithm>

namespace app {
namespace {

using budget::Sizes;

constexpr std::string_view kLeading[] = {"keep", "d_model", "h"};  // what others follow
bool is_leading(std::string_view field) {
  return std::find(std::begin(kLeading), std::end(kLeading), field) != std::end(kLeading);
}

using Entries = std::vector<std::pair<std::string, std::string>>;  // field, value

std::string list_of(std::string_view id, const Entries& entries) {
  std::string list(id);
  for (const auto& [field, value] : entries) list += "," + field + ":" + value;
  return list;
}

/// What `sizes` has that a reader of the preset and the leading fields wouldn't know.
Entries entries_of(const Sizes& sizes, const Sizes& preset) {
  Entries entries;
  Sizes followed = preset;
  for (const std::string_view field : kLeading)
    if (budget::text_of(sizes, field) != budget::text_of(preset, field))
      entries.emplace_back(field, budget::text_of(sizes, field));
  budget::set_leading(followed, sizes.keep, sizes.d_model, sizes.h);
  for (const std::string_view field : budget::fields())
    if (!is_leading(field) && budget::text_of(sizes, field) != budget::text_of(followed, field))
      entries.emplace_back(field, budget::text_of(sizes, field));
  return entries;
}

/// By the preset that needs the fewest entries.
std::string text_of(const Sizes& sizes) {
  const budget::Preset* nearest = nullptr;
  Entries fewest;
  for (const budget::Preset& preset : budget::presets()) {
    Entries entries = entries_of(sizes, preset.sizes);
    if (nearest && entries.size() >= fewest.size()) continue;
    nearest = &preset, fewest = std::move(entries);
  }
  return list_of(nearest->id, fewest);
}

}  // namespace

std::vector<std::pair<std::string_view, std::string>> query_of(const Budget& budget) {
  std::vector<std::pair<std::string_view, std::string>> pairs;
  const Budget start;
  if (budget.sizes != start.sizes) pairs.emplace_back("budget", text_of(budget.sizes));
  if (budget.panel != start.panel) pairs.emplace_back("view", name_of(budget.panel));
  if (budget.target != start.target) pairs.emplace_back("target", budget::name_of(budget.target));
  return pairs;
}

/// Puts a number into its limits, and says so.
std::optional<std::string> BudgetReader::value_in_limits(std::string_view entry, std::string_view field,
                                                         std::string_view value) const {
  if (budget::is_switch(field)) {
    if (value == "on" || value == "off") return std::string(value);
    say("budget", entry, "wanted on or off, so it is left out.");
    return std::nullopt;
  }
  const bool digits = !value.empty() && value.find_first_not_of("0123456789") == std::string_view::npos;
  const budget::Limits limits = budget::limits_of(field);
  const budget::Whole read =
      budget::read_whole(value).value_or(digits ? limits.most : limits.least - 1);  // too long to be read: too large
  if (!digits && read < limits.least) {
    say("budget", entry, "not a whole number, so it is left out.");
    return std::nullopt;
  }
  budget::Whole kept = std::clamp(read, limits.least, limits.most);
  if (field == "bytes" && kept == 3) kept = 4;
  if (std::to_string(kept) != value && budget::read_whole(value) != kept)
    say("budget", entry,
        "wanted " + std::to_string(limits.least) + " to " + std::to_string(limits.most) + ", so this takes " +
            std::to_string(kept) + ".");
  return std::to_string(kept);
}

void BudgetReader::take_sizes(Budget& budget, std::string_view text) const {
  std::vector<std::string_view> parts = split(text, ',');
  Sizes sizes = Budget().sizes;
  std::size_t first = 0;
  if (parts.front().find(':') == std::string_view::npos) {
    first = 1;
    if (const budget::Preset* preset = budget::find_preset(parts.front()))
      sizes = preset->sizes;
    else
      say("budget", parts.front(), "not a preset, so this starts from the first one.");
  }
  Entries entries;
  for (std::size_t i = first; i < parts.size(); ++i) {
    const std::size_t colon = parts[i].find(':');
    const std::string_view field = parts[i].substr(0, colon);
    const auto known = budget::fields();
    if (colon == std::string_view::npos || std::find(known.begin(), known.end(), field) == known.end()) {
      say("budget", parts[i], "not a field and its value, such as h:8, so it is left out.");
      continue;
    }
    if (auto value = value_in_limits(parts[i], field, parts[i].substr(colon + 1)))
      entries.emplace_back(field, *std::move(value));
  }

  // The leading fields can be wrong only together.
  const auto entry = [&](std::string_view field, const Sizes& otherwise) {
    std::string value = budget::text_of(otherwise, field);
    for (const auto& [name, text_value] : entries)
      if (name == field) value = text_value;
    return value;
  };
  const bool keep = entry("keep", sizes) == "on";
  const auto number = [&](std::string_view field) { return *budget::read_whole(entry(field, sizes)); };
  if (const auto problem = budget::set_leading(sizes, keep, number("d_model"), number("h")))
    say("budget", text,
        refusal_text(*problem, false) + " So this keeps " + std::to_string(sizes.d_model) +
            " with h = " + std::to_string(sizes.h) + ".");
  for (const std::string_view field : budget::fields()) {
    if (is_leading(field)) continue;
    const std::string value = entry(field, sizes);
    auto changed = budget::with_field(sizes, field, value);
    if (const auto* better = std::get_if<Sizes>(&changed))
      sizes = *better;
    else
      say("budget", std::string(field) + ":" + value,
          refusal_text(std::get<attention::Problem>(changed), false) + " It stays " + budget::text_of(sizes, field) +
              ".");
  }
  budget.sizes = sizes;
}

bool BudgetReader::take(Budget& budget, std::string_view key, std::string_view value) {
  if (key == "budget") {
    take_sizes(budget, value);
  } else if (key == "view") {
    if (const auto panel = find_budget_panel(value))
      budget.panel = *panel;
    else
      say(key, value, "not a view; wanted " + view_list() + ".");
  } else if (key == "target") {
    if (const auto target = budget::find_target(value))
      budget.target = *target;
    else
      say(key, value, "not a target; wanted " + target_list() + ".");
  } else {
    return false;
  }
  return true;
}

}  // namespace app
