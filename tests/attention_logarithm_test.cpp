// The logarithm of our own, against libm and at the ends of its range.
#include "attention/arithmetic.hpp"
#include "attention_support.hpp"

using namespace attention_test;
using attention::logarithm;

namespace {
constexpr double kInfinity = std::numeric_limits<double>::infinity();
}

TEST_CASE("the logarithm is within 1 ulp of libm's, over the whole range and close to 1") {
  Random random(36);
  double worst = 0, at = 0;
  for (int i = 0; i < 300000; ++i) {
    double x = 0;
    switch (i % 3) {
      case 0: x = random.between(0.5, 2); break;
      case 1: x = std::exp(random.between(-708, 709)); break;
      default: x = 1 + random.between(-1, 1) * std::exp(random.between(-36, -1));
    }
    const double wanted = std::log(x);
    const double ulp = std::nextafter(std::fabs(wanted), kInfinity) - std::fabs(wanted);
    const double off = std::fabs(logarithm(x) - wanted) / ulp;
    if (off <= worst) continue;
    worst = off;
    at = x;
  }
  MESSAGE("worst: " << worst << " ulp at " << at);
  CHECK(worst <= 1);
}

TEST_CASE("the logarithm at the ends of its range") {
  CHECK(logarithm(1) == 0);
  CHECK_FALSE(std::signbit(logarithm(1)));
  CHECK(logarithm(0.0) == -kInfinity);
  CHECK(logarithm(-0.0) == -kInfinity);
  CHECK(logarithm(kInfinity) == kInfinity);
  CHECK(std::isnan(logarithm(-1)));
  CHECK(std::isnan(logarithm(-kInfinity)));
  CHECK(std::isnan(logarithm(std::numeric_limits<double>::quiet_NaN())));
  CHECK(logarithm(2) == 0.6931471805599453);
  CHECK(logarithm(0.5) == -0.6931471805599453);
  CHECK(logarithm(10) == 2.302585092994046);
  CHECK(logarithm(5e-324) == -744.4400719213812);  // the least subnormal
  CHECK(logarithm(0x1p-1022) == -708.3964185322641);
  CHECK(logarithm(std::numeric_limits<double>::max()) == 709.782712893384);
  CHECK(logarithm(1 + 0x1p-52) == 0x1.fffffffffffffp-53);  // 2^-52 - 2^-105
}

TEST_CASE("the logarithm turns the exponential back") {
  Random random(37);
  double worst = 0;
  for (int i = 0; i < 20000; ++i) {
    const double x = random.between(-700, 700);
    worst = std::fmax(worst, std::fabs(logarithm(attention::exponential(x)) - x) / std::fmax(1, std::fabs(x)));
  }
  CHECK(worst <= 4e-16);
}

TEST_CASE("the logarithm never falls as its argument rises") {
  Random random(38);
  int falls = 0;
  for (int i = 0; i < 20000; ++i) {
    const double x = std::exp(random.between(-20, 20));
    if (logarithm(x) > logarithm(std::nextafter(x, kInfinity))) ++falls;
  }
  CHECK(falls == 0);
}
