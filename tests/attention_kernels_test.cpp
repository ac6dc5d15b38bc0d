// The arithmetic underneath: products bit for bit as three plain loops, and an exponential of our own.
#include "attention/kernels.hpp"

#include "attention/exponential.hpp"
#include "attention_support.hpp"

using namespace attention_test;

namespace {
constexpr double kInfinity = std::numeric_limits<double>::infinity();
}

TEST_CASE_TEMPLATE("products have the reference's bits for every width from 0 to 40", T, float, double) {
  Random random(31);
  Matrix<T> fast, turned, turned_first, reference;
  std::string different;  // the first size that differs
  for (int cols = 0; cols <= 40; ++cols) {
    for (const int rows : {0, 1, 2, 3, 8}) {
      for (const int depth : {0, 1, 4, 17}) {
        const Matrix<T> a = random.matrix<T>(rows, depth), b = random.matrix<T>(depth, cols);
        attention::multiply_reference(a, b, reference);
        attention::multiply(a, b, fast);
        attention::multiply_transposed(a, Matrix<T>(b.transpose()), turned);
        attention::transposed_multiply(Matrix<T>(a.transpose()), b, turned_first);
        if (same_bits(fast, reference) && same_bits(turned, reference) && same_bits(turned_first, reference)) continue;
        if (!different.empty()) continue;
        different = std::to_string(rows) + " x " + std::to_string(depth) + " x " + std::to_string(cols);
      }
    }
  }
  CHECK(different == "");
}

TEST_CASE("sums start at +0 and run in index order") {
  Matrix<double> a(1, 3), b(3, 9), out;
  a << 1, 1, 1;
  b.setZero();
  b.row(0).setConstant(1e16);
  b.row(1).setConstant(1);
  b.row(2).setConstant(-1e16);
  attention::multiply(a, b, out);
  CHECK((out.array() == 0).all());  // (1e16 + 1) - 1e16: in any other order it would be 1
  a << -1, 0, 0;
  b.setZero();
  attention::multiply(a, b, out);
  CHECK_FALSE(std::signbit(out(0, 0)));  // 0 + -0 is 0
}

TEST_CASE("NaN and infinity pass through products as IEEE 754 says") {
  Matrix<float> a(1, 2), b(2, 5), out;
  a << 0, 1;
  b.setOnes();
  b(0, 4) = std::numeric_limits<float>::infinity();
  attention::multiply(a, b, out);
  CHECK(out(0, 0) == 1);
  CHECK(std::isnan(out(0, 4)));  // 0 * infinity is not skipped
}

TEST_CASE("the exponential is within 1 ulp of libm's, over the whole range") {
  Random random(32);
  double worst = 0, at = 0;
  for (int i = 0; i < 200000; ++i) {
    const double x = i % 2 == 0 ? random.between(-2, 2) : random.between(-708, 709.78);
    const double wanted = std::exp(x);
    const double ulp = std::nextafter(wanted, kInfinity) - wanted;
    const double off = std::fabs(attention::exponential(x) - wanted) / ulp;
    if (off > worst) {
      worst = off;
      at = x;
    }
  }
  MESSAGE("worst: " << worst << " ulp at " << at);
  CHECK(worst <= 1);
}

TEST_CASE("the exponential in float is the nearest float, or its neighbour") {
  Random random(33);
  int far = 0;
  for (int i = 0; i < 20000; ++i) {
    const float x = static_cast<float>(random.between(-100, 88.7));
    const float wanted = static_cast<float>(std::exp(static_cast<double>(x)));
    const float found = attention::exponential(x);
    if (std::fabs(found - wanted) > std::nextafter(wanted, std::numeric_limits<float>::infinity()) - wanted) ++far;
  }
  CHECK(far == 0);
}

TEST_CASE("the exponential at the ends of its range") {
  using attention::exponential;
  CHECK(exponential(0.0) == 1);
  CHECK(exponential(-0.0) == 1);
  CHECK(exponential(1.0) == 2.718281828459045);
  CHECK(exponential(-kInfinity) == 0);
  CHECK_FALSE(std::signbit(exponential(-kInfinity)));
  CHECK(exponential(kInfinity) == kInfinity);
  CHECK(std::isnan(exponential(std::numeric_limits<double>::quiet_NaN())));
  CHECK(exponential(1e300) == kInfinity);
  CHECK(exponential(-1e300) == 0);
  CHECK(exponential(5e-324) == 1);
  CHECK(std::isfinite(exponential(709.782712893384)));  // the last before overflow
  CHECK(exponential(709.7827128933841) == kInfinity);
  CHECK(exponential(-745.13) == 5e-324);  // the last subnormal
  CHECK(exponential(-745.14) == 0);
  CHECK(exponential(-200.0f) == 0);
  CHECK(exponential(89.0f) == std::numeric_limits<float>::infinity());
}

TEST_CASE("the exponential's subnormals are within one of the last place") {
  Random random(34);
  int far = 0;
  for (int i = 0; i < 20000; ++i) {
    const double x = random.between(-745.2, -708);
    const double wanted = std::exp(x);
    if (std::fabs(attention::exponential(x) - wanted) > std::fmax(5e-324, wanted * 0x1p-52)) ++far;
  }
  CHECK(far == 0);
}

TEST_CASE("the exponential never falls as its argument rises") {
  Random random(35);
  int falls = 0;
  for (int i = 0; i < 20000; ++i) {
    const double x = random.between(-20, 20);
    if (attention::exponential(x) > attention::exponential(x + 1e-14 * std::fabs(x) + 1e-14)) ++falls;
  }
  CHECK(falls == 0);
}

TEST_CASE("softmax of one row: in place, shifted, alone, and with nothing allowed") {
  std::vector<double> row = {1, 2, 3};
  std::vector<double> out(3);
  attention::softmax_row(row.data(), nullptr, 3, out.data());
  std::vector<double> shifted = {1001, 1002, 1003};
  attention::softmax_row(shifted.data(), nullptr, 3, shifted.data());
  CHECK(shifted == out);  // adding the same to every score changes nothing
  const std::uint8_t only_second[] = {0, 1, 0}, nothing[] = {0, 0, 0};
  attention::softmax_row(row.data(), only_second, 3, out.data());
  CHECK(out == std::vector<double>{0, 1, 0});
  attention::softmax_row(row.data(), nothing, 3, out.data());
  CHECK(out == std::vector<double>{0, 0, 0});
  attention::softmax_row<double>(nullptr, nullptr, 0, nullptr);  // no keys: nothing to write
}

TEST_CASE("back through one row of softmax: in place, past an overflow under a weight of 0, and with nothing allowed") {
  const std::vector<double> pattern = {0.5, 0, 0.25, 0.25}, d_pattern = {2, kInfinity, -4, 0};
  std::vector<double> out(4);
  attention::softmax_row_backward(pattern.data(), d_pattern.data(), 4, out.data());
  CHECK(out == std::vector<double>{1, 0, -1, 0});  // the mean under the pattern is 2 / 2 - 4 / 4 = 0
  std::vector<double> in_place = d_pattern;
  attention::softmax_row_backward(pattern.data(), in_place.data(), 4, in_place.data());
  CHECK(in_place == out);
  const std::vector<double> closed(4, 0.0);
  attention::softmax_row_backward(closed.data(), d_pattern.data(), 4, out.data());
  CHECK(out == closed);
  attention::softmax_row_backward<double>(nullptr, nullptr, 0, nullptr);
}

TEST_CASE("a NaN among the scores stays in its row, and out of what is masked") {
  std::vector<double> row = {1, std::numeric_limits<double>::quiet_NaN(), 3};
  const std::uint8_t allowed[] = {1, 1, 0}, without_it[] = {1, 0, 1};
  std::vector<double> out(3);
  attention::softmax_row(row.data(), allowed, 3, out.data());
  CHECK(std::isnan(out[0]));
  CHECK(out[2] == 0);
  attention::softmax_row(row.data(), without_it, 3, out.data());
  CHECK(out[1] == 0);
  CHECK(out[0] + out[2] == doctest::Approx(1));
}
