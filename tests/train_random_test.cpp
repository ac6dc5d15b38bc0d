// The generator: known numbers, and a bell that is nearly normal.
#include "train/random.hpp"

#include <doctest/doctest.h>

#include <cmath>

using train::Random;

TEST_CASE("splitmix64 gives the numbers that its authors' program gives") {
  Random random{1234567};
  CHECK(random.bits() == 6457827717110365317u);
  CHECK(random.bits() == 3203168211198807973u);
  CHECK(random.bits() == 9817491932198370423u);
  CHECK(random.bits() == 4593380528125082431u);
  CHECK(random.bits() == 16408922859458223821u);
}

TEST_CASE("a copy continues as the original does") {
  Random a{7};
  a.bits();
  Random b = a;
  CHECK(a == b);
  CHECK(a.bits() == b.bits());
  CHECK(a == b);
  a.bits();
  CHECK_FALSE(a == b);
}

TEST_CASE("below reaches every number and none beyond, unit stays under 1") {
  Random random{8};
  int counts[6] = {};
  double sum = 0;
  for (int i = 0; i < 60000; ++i) {
    const int number = random.below(6);
    REQUIRE(number >= 0);
    REQUIRE(number < 6);
    ++counts[number];
    const double unit = random.unit();
    REQUIRE(unit >= 0);
    REQUIRE(unit < 1);
    sum += unit;
  }
  for (const int count : counts) CHECK(std::abs(count - 10000) < 500);
  CHECK(std::fabs(sum / 60000 - 0.5) < 0.01);
  CHECK(random.below(1) == 0);
}

TEST_CASE("the bell has mean 0, variance 1, and the tails and shoulders of a normal distribution") {
  Random random{9};
  constexpr int kCount = 100000;
  double sum = 0, squares = 0;
  int within_1 = 0, within_2 = 0;
  for (int i = 0; i < kCount; ++i) {
    const double number = random.bell();
    sum += number;
    squares += number * number;
    within_1 += std::fabs(number) < 1 ? 1 : 0;
    within_2 += std::fabs(number) < 2 ? 1 : 0;
  }
  CHECK(std::fabs(sum / kCount) < 0.015);
  CHECK(std::fabs(squares / kCount - 1) < 0.02);
  CHECK(std::fabs(within_1 - 0.6827 * kCount) < 0.01 * kCount);
  CHECK(std::fabs(within_2 - 0.9545 * kCount) < 0.005 * kCount);
}
