// What a map's coarser levels hold: the largest of what they cover, for every size and at its far edge, too.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "render/render.hpp"

namespace {

std::vector<float> random_map(int n, std::uint32_t seed) {
  std::vector<float> map(static_cast<std::size_t>(n) * static_cast<std::size_t>(n));
  for (float& weight : map) {
    seed = seed * 1664525u + 1013904223u;
    weight = static_cast<float>(seed >> 8) / static_cast<float>(1u << 24);
  }
  return map;
}

int entry(const render::MapLevel& level, int row, int column) {
  return level.entries[static_cast<std::size_t>(row * level.side + column)];
}

}  // namespace

TEST_CASE("a map's finest level is its weights as table entries, its coarsest the largest of all") {
  for (const int n : {1, 2, 3, 7, 11, 16, 31, 100}) {
    CAPTURE(n);
    const std::vector<float> map = random_map(n, static_cast<std::uint32_t>(n));
    const auto levels = render::make_map_levels(map.data(), n);
    REQUIRE(levels.front().side == n);
    for (std::size_t i = 0; i < map.size(); ++i) CHECK(levels[0].entries[i] == render::colour_index(map[i]));
    REQUIRE(levels.back().side == 1);
    CHECK(levels.back().entries[0] == render::colour_index(*std::max_element(map.begin(), map.end())));
    CHECK(static_cast<int>(levels.size()) == static_cast<int>(std::floor(std::log2(n))) + 1);
    for (std::size_t k = 1; k < levels.size(); ++k) CHECK(levels[k].side == n >> k);
  }
}

TEST_CASE("a coarse cell is the largest of exactly the cells that the shader looks up in it") {
  for (const int n : {5, 11, 13, 37, 64}) {
    CAPTURE(n);
    const std::vector<float> map = random_map(n, 99);
    const auto levels = render::make_map_levels(map.data(), n);
    for (std::size_t k = 0; k < levels.size(); ++k) {
      const int side = levels[k].side;
      std::vector<int> largest(static_cast<std::size_t>(side * side), 0);
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {  // as in maps.frag: the cell's place, halved k times, at most the last
          const int row = std::min(i >> k, side - 1), column = std::min(j >> k, side - 1);
          int& at = largest[static_cast<std::size_t>(row * side + column)];
          at = std::max(at, entry(levels[0], i, j));
        }
      for (int i = 0; i < side; ++i)
        for (int j = 0; j < side; ++j) CHECK(entry(levels[k], i, j) == largest[static_cast<std::size_t>(i * side + j)]);
    }
  }
}

TEST_CASE("one lone weight of 512 x 512 stays in sight at every size, wherever it stands") {
  for (const int at : {0, 1, 255, 510, 511}) {
    std::vector<float> map(512 * 512, 0.f);
    map[static_cast<std::size_t>(at * 512 + (511 - at))] = 0.75f;
    for (const render::MapLevel& level : render::make_map_levels(map.data(), 512))
      CHECK(*std::max_element(level.entries.begin(), level.entries.end()) == render::colour_index(0.75f));
  }
}

TEST_CASE("values with another largest one use all colours") {
  const float map[4] = {0, 0.5f, 1, 2};
  CHECK(render::make_map_levels(map, 2, 2)[0].entries == std::vector<std::uint8_t>{0, 64, 128, 255});
}

TEST_CASE("weights that are no numbers, below 0 or above 1 have entries, too") {
  const float map[4] = {std::numeric_limits<float>::quiet_NaN(), -3, 7, 0.5f};
  const auto levels = render::make_map_levels(map, 2);
  CHECK(levels[0].entries == std::vector<std::uint8_t>{0, 0, 255, 128});
  CHECK(levels[1].entries == std::vector<std::uint8_t>{255});
}
