// Does this build compute on this machine what it should? A hash of a trace, and the start-up self-test.
#include "attention/exponential.hpp"
#include "attention/kernels.hpp"

#include <algorithm>
#include <bit>
#include <type_traits>

namespace attention {
namespace {

template <class T>
using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

template <class T>
Bits<T> bits_of(T value) {
  if (value != value) value = std::numeric_limits<T>::quiet_NaN();
  return std::bit_cast<Bits<T>>(value);
}

struct Fnv1a {
  std::uint64_t state = 0xcbf29ce484222325u;  // offset basis
  template <class T>
  void add(const Matrix<T>& matrix) {
    for (Eigen::Index i = 0; i < matrix.size(); ++i) {
      Bits<T> bits = bits_of(matrix.data()[i]);
      for (std::size_t byte = 0; byte < sizeof bits; ++byte, bits = static_cast<Bits<T>>(bits >> 8)) {
        state = (state ^ (bits & 0xffu)) * 0x100000001b3u;  // prime
      }
    }
  }
};

template <class T>
bool same_bits(const Matrix<T>& a, const Matrix<T>& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() &&
         std::equal(a.data(), a.data() + a.size(), b.data(), [](T x, T y) { return bits_of(x) == bits_of(y); });
}

/// Numbers of both signs with full mantissas, the same in every build.
template <class T>
Matrix<T> numbers(Eigen::Index rows, Eigen::Index cols, std::uint64_t seed) {
  Matrix<T> out(rows, cols);
  for (Eigen::Index i = 0; i < out.size(); ++i) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;  // Knuth's MMIX generator
    out.data()[i] = static_cast<T>(static_cast<std::int64_t>(seed >> 11)) / T(1LL << 50) - T(4);
  }
  return out;
}

/// Sizes that leave every kind of remainder: of the 2-row tile, of one pack and of four.
template <class T>
bool products_agree() {
  constexpr Eigen::Index kSizes[] = {1, 2, 3, 7, 16, 33};
  Matrix<T> fast, turned, turned_first, reference;
  for (const Eigen::Index rows : kSizes) {
    for (const Eigen::Index depth : {0, 1, 5, 32}) {
      for (const Eigen::Index cols : kSizes) {
        const Matrix<T> a = numbers<T>(rows, depth, 1);
        const Matrix<T> b = numbers<T>(depth, cols, 2);
        multiply_reference(a, b, reference);
        multiply(a, b, fast);
        multiply_transposed(a, Matrix<T>(b.transpose()), turned);
        transposed_multiply(Matrix<T>(a.transpose()), b, turned_first);
        for (const Matrix<T>* found : {&fast, &turned, &turned_first}) {
          if (!same_bits(*found, reference)) return false;
        }
      }
    }
  }
  return true;
}

/// Rounded twice, 1 + 2^-29 squared less 1 + 2^-28 is 0; fused it is 2^-58. Volatile, so that the machine does it.
bool multiply_and_add_are_apart() {
  volatile double a = 1 + 0x1p-29, c = -(1 + 0x1p-28);
  return a * a + c == 0;
}

bool exponential_is_ours() {
  return std::bit_cast<std::uint64_t>(exponential(1.0)) == 0x4005bf0a8b145769u &&
         exponential(-std::numeric_limits<double>::infinity()) == 0 && exponential(0.0) == 1;
}

}  // namespace

template <class T>
std::uint64_t hash_of(const Trace<T>& trace) {
  Fnv1a hash;
  for (const HeadTrace<T>& head : trace.heads) {
    for (const Matrix<T>* matrix :
         {&head.Q, &head.K, &head.V, &head.scores, &head.scaled, &head.masked, &head.pattern, &head.output}) {
      hash.add(*matrix);
    }
  }
  hash.add(trace.concat);
  hash.add(trace.output);
  return hash.state;
}

bool self_test() {
  return products_agree<float>() && products_agree<double>() && multiply_and_add_are_apart() && exponential_is_ours();
}

template std::uint64_t hash_of(const Trace<float>&);
template std::uint64_t hash_of(const Trace<double>&);

}  // namespace attention
