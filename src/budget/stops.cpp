// Where a slider stops.
#include "budget/internal.hpp"

#include <algorithm>

namespace budget {
namespace {

constexpr std::size_t kMostStops = 40;

void add(std::vector<Whole>& stops, Whole stop) {
  const auto place = std::lower_bound(stops.begin(), stops.end(), stop);
  if (place == stops.end() || *place != stop) stops.insert(place, stop);
}

std::vector<Whole> divisors_of(Whole number, Whole most) {
  std::vector<Whole> divisors;
  for (Whole divisor = 1; divisor <= std::min(number, most); ++divisor)
    if (number % divisor == 0) divisors.push_back(divisor);
  return divisors;
}

/// unit · 1, 2, 3, 4, 6, 8, 12, 16 …: the threes from below, as many as there is room for.
std::vector<Whole> ladder(Whole unit, Limits limits) {
  std::vector<Whole> stops;
  for (Whole stop = unit; stop <= limits.most; stop *= 2) add(stops, stop);
  for (Whole stop = 3 * unit; stop <= limits.most && stops.size() + 2 < kMostStops; stop *= 2) add(stops, stop);
  if (limits.least == 0) add(stops, 0);
  return stops;
}

/// Evenly thinned; the first and the last stay.
std::vector<Whole> thinned(const std::vector<Whole>& stops, std::size_t most) {
  if (stops.size() <= most) return stops;
  std::vector<Whole> kept;
  for (std::size_t i = 0; i < most; ++i) kept.push_back(stops[i * (stops.size() - 1) / (most - 1)]);
  return kept;
}

std::vector<Whole> usual_stops(const Sizes& sizes, std::string_view field) {
  const Limits limits = limits_of(field);
  if (field == "h" && sizes.keep) return divisors_of(sizes.d_model, limits.most);
  if (field == "h_kv") return divisors_of(sizes.h, limits.most);
  if (field == "d_model" && sizes.keep) return ladder(sizes.h, limits);
  if (field == "bytes") return {1, 2, 4};
  if (field != "d_ff") return ladder(1, limits);
  std::vector<Whole> stops;  // around the rule of four times d_model
  for (const Whole halves : {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 20, 24, 32})
    add(stops, std::clamp(halves * sizes.d_model / 2, limits.least, limits.most));
  return stops;
}

}  // namespace

std::vector<Whole> stops_of(const Sizes& sizes, std::string_view field) {
  std::vector<Whole> stops = thinned(usual_stops(sizes, field), kMostStops - 1);
  add(stops, number_of(sizes, field));
  return stops;
}

}  // namespace budget
