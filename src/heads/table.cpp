// Which heads have earned which roles, from counts alone.
#include "heads/table.hpp"

#include <algorithm>
#include <cmath>

namespace heads {
namespace {

/// What a difference of two shares may be rounded by: 0.3 is kMargin above 0.2.
constexpr double kRounding = 1e-12;

/// Roles that are a place, and not a relation that a place could imitate.
bool is_place(Family family) { return family == Family::positional || family == Family::resting; }

double best_baseline(const Subject& subject) {
  return std::max(subject.best_offset.value(), subject.best_rule.value());
}

bool is_earned(const Subject& subject, const Share& share) {
  if (share.count < kFewestCases) return false;
  if (is_place(subject.family)) return share.value() >= kPositionalShare;
  const double baseline = best_baseline(subject);
  return share.value() - baseline >= kMargin - kRounding && interval_of(share).low > baseline;
}

/// Relations first, then places, then where a head rests.
int rank_of(Family family) {
  switch (family) {
    case Family::syntactic:
    case Family::semantic: return 0;
    case Family::positional: return 1;
    case Family::resting: return 2;
    case Family::diffuse: break;
  }
  return 3;
}

}  // namespace

std::string_view name_of(Family family) {
  switch (family) {
    case Family::positional: return "positional";
    case Family::syntactic: return "syntactic";
    case Family::semantic: return "semantic";
    case Family::resting: return "resting";
    case Family::diffuse: return "diffuse";
  }
  return "";
}

/// Wilson 1927: (p + z² / 2n ± z √(p (1 - p) / n + z² / 4n²)) / (1 + z² / n), with z for 95 %.
Interval interval_of(const Share& share) {
  constexpr double z = 1.959963984540054;
  if (share.count <= 0) return {};
  const double n = share.count, p = share.value();
  const double middle = p + z * z / (2 * n), around = z * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n));
  const double divisor = 1 + z * z / n;
  // At the ends the two terms are the same number, but for rounding.
  return {.low = share.right == 0 ? 0.0 : (middle - around) / divisor,
          .high = share.right == share.count ? 1.0 : (middle + around) / divisor};
}

void decide(Table& table) {
  for (HeadRoles& row : table.rows) {
    row.diffuse = row.entropy_share >= kDiffuseShare;
    row.roles.clear();
    for (std::size_t i = 0; i < table.subjects.size(); ++i) {
      row.scores[i].earned = is_earned(table.subjects[i], row.scores[i].share);
      if (row.scores[i].earned) row.roles.push_back(static_cast<int>(i));
    }
    const auto subject_of = [&](int role) -> const Subject& { return table.subjects[static_cast<std::size_t>(role)]; };
    const auto lead_of = [&](int role) {
      return row.scores[static_cast<std::size_t>(role)].share.value() - best_baseline(subject_of(role));
    };
    std::stable_sort(row.roles.begin(), row.roles.end(), [&](int a, int b) {
      const int rank_a = rank_of(subject_of(a).family), rank_b = rank_of(subject_of(b).family);
      return rank_a != rank_b ? rank_a < rank_b : lead_of(a) > lead_of(b);
    });
  }
}

std::vector<LayerShares> by_layer(const Table& table) {
  std::vector<LayerShares> layers(static_cast<std::size_t>(table.layers));
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const HeadRoles& row = table.rows[i];
    LayerShares& layer = layers[i / static_cast<std::size_t>(table.heads)];
    if (row.roles.empty()) {
      ++(row.diffuse ? layer.diffuse : layer.none);
      continue;
    }
    switch (table.subjects[static_cast<std::size_t>(row.roles.front())].family) {
      case Family::positional: ++layer.positional; break;
      case Family::syntactic: ++layer.syntactic; break;
      case Family::semantic: ++layer.semantic; break;
      case Family::resting: ++layer.resting; break;
      case Family::diffuse: ++layer.diffuse; break;
    }
  }
  return layers;
}

}  // namespace heads
