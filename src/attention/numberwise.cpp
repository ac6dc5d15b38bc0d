// What a training step does to each number by itself: sums, the weights behind a norm, Adam.
#include "attention/packs.hpp"
#include "attention/training.hpp"

namespace attention {

void add_numbers(const float* from, Size count, float* to) {
  for_packs(count, [&](Size i, int n) { store_some(to + i, load_some(to + i, n) + load_some(from + i, n), n); });
}

void scale_numbers(float factor, Size count, float* numbers) {
  const Lanes by = splat(factor);
  for_packs(count, [&](Size i, int n) { store_some(numbers + i, load_some(numbers + i, n) * by, n); });
}

bool all_finite(const float* numbers, Size count) {
  LaneBits bad = splat_bits(0);
  const LaneBits exponent = splat_bits(0x7f800000);
  for_packs(count, [&](Size i, int n) { bad |= (bits_of(load_some(numbers + i, n)) & exponent) == exponent; });
  return !any(bad);
}

double sum_of_squares(const float* numbers, Size count) {
  double sums[kLanes] = {};  // a sum waits for its last addition: four at a time hide that
  for_packs(count, [&](Size i, int n) {
    for (int lane = 0; lane < n; ++lane) {
      const double number = static_cast<double>(numbers[i + lane]);
      sums[lane] += number * number;
    }
  });
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

void fold_norm(const float* gain, const float* bias, const float* weights, Size features, Size columns, Size step,
               float* scaled, Size scaled_step, float* start) {
  for (Size f = 0; f < features; ++f, weights += step, scaled += scaled_step) {
    const Lanes by = splat(gain[f]), add = splat(bias[f]);
    for_packs(columns, [&](Size i, int n) {
      const Lanes weight = load_some(weights + i, n);
      store_some(scaled + i, weight * by, n);
      store_some(start + i, load_some(start + i, n) + weight * add, n);
    });
  }
}

void unfold_norm(const float* gain, const float* bias, const float* weights, Size features, Size columns, Size step,
                 const float* sums, Size sums_step, float* d_weights, float* d_gain, float* d_bias) {
  const float* const last = sums + features * sums_step;
  for (Size f = 0; f < features; ++f, weights += step, d_weights += step, sums += sums_step) {
    const Lanes by = splat(gain[f]), add = splat(bias[f]);
    Lanes along_gain = splat(0), along_bias = splat(0);
    for_packs(columns, [&](Size i, int n) {
      const Lanes weight = load_some(weights + i, n), sum = load_some(sums + i, n), whole = load_some(last + i, n);
      store_some(d_weights + i, by * sum + add * whole, n);
      along_gain = along_gain + weight * sum;
      along_bias = along_bias + weight * whole;
    });
    d_gain[f] += sum_of(along_gain);
    d_bias[f] += sum_of(along_bias);
  }
}

void fold_norm_by_words(const float* gain, const float* bias, const float* words, Size features, Size count,
                        float* scaled, float* start) {
  for (Size word = 0; word < count; ++word, words += features, scaled += features) {
    Lanes sum = splat(0);
    for_packs(features, [&](Size i, int n) {
      const Lanes number = load_some(words + i, n);
      store_some(scaled + i, number * load_some(gain + i, n), n);
      sum = sum + number * load_some(bias + i, n);
    });
    start[word] = sum_of(sum);
  }
}

void unfold_norm_by_words(const float* gain, const float* bias, const float* words, Size features, Size count,
                          const float* sums, Size sums_step, float* d_words, float* d_gain, float* d_bias) {
  for (Size word = 0; word < count; ++word, words += features, d_words += features, sums += sums_step) {
    const Lanes whole = splat(sums[features]);
    for_packs(features, [&](Size i, int n) {
      const Lanes number = load_some(words + i, n), sum = load_some(sums + i, n);
      store_some(d_words + i, load_some(gain + i, n) * sum + load_some(bias + i, n) * whole, n);
      store_some(d_gain + i, load_some(d_gain + i, n) + number * sum, n);
      store_some(d_bias + i, load_some(d_bias + i, n) + number * whole, n);
    });
  }
}

void adam_update(const AdamFactors& factors, const float* gradients, Size count, float* means, float* squares,
                 float* numbers) {
  const Lanes beta_1 = splat(factors.beta_1), rest_1 = splat(factors.rest_1), beta_2 = splat(factors.beta_2),
              rest_2 = splat(factors.rest_2), rate = splat(factors.rate), unbias = splat(factors.unbias_square),
              epsilon = splat(factors.epsilon), keep = splat(factors.keep);
  for_packs(count, [&](Size i, int n) {
    const Lanes gradient = load_some(gradients + i, n);
    const Lanes mean = beta_1 * load_some(means + i, n) + rest_1 * gradient;
    const Lanes square = beta_2 * load_some(squares + i, n) + rest_2 * (gradient * gradient);
    store_some(means + i, mean, n);
    store_some(squares + i, square, n);
    const Lanes change = rate * mean / (square_root(square * unbias) + epsilon);
    store_some(numbers + i, load_some(numbers + i, n) * keep - change, n);
  });
}

}  // namespace attention
