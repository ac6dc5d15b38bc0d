// A map's values as table entries, and the largest of ever more of them: what thumbs show of long sentences.
#include "render/render.hpp"

#include <algorithm>
#include <utility>

namespace render {

std::vector<MapLevel> make_map_levels(const float* values, int n, float largest) {
  const auto side = static_cast<std::size_t>(n);
  std::vector<MapLevel> levels(1);
  levels[0].side = n;
  levels[0].entries.resize(side * side);
  for (std::size_t i = 0; i < side * side; ++i)
    levels[0].entries[i] = static_cast<std::uint8_t>(colour_index(values[i] / largest));
  while (levels.back().side > 1) {
    const MapLevel& fine = levels.back();
    MapLevel coarse;
    coarse.side = fine.side / 2;
    coarse.entries.resize(static_cast<std::size_t>(coarse.side) * static_cast<std::size_t>(coarse.side));
    for (int i = 0; i < fine.side; ++i) {
      const std::uint8_t* from = fine.entries.data() + i * fine.side;
      std::uint8_t* to = coarse.entries.data() + std::min(i / 2, coarse.side - 1) * coarse.side;
      for (int j = 0; j < fine.side; ++j) {
        std::uint8_t& cell = to[std::min(j / 2, coarse.side - 1)];
        cell = std::max(cell, from[j]);
      }
    }
    levels.push_back(std::move(coarse));
  }
  return levels;
}

}  // namespace render
