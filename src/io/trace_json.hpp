// A trace as JSON: the sizes, what was given and every intermediate, for other programs to read and compare.
//
// Keys and nesting are those of the shipped worked example (tests/data/worked-example.json):
//   tokens, features, d_model, h, d_k, d_v, X, W_O, heads [ name, W_Q, W_K, W_V, Q, K, V, scores, scaled, pattern,
//   output ], concat, output.
// More keys only where there is more to say: scale (where it is given), X_kv (keys from elsewhere), b_Q b_K b_V b_O
// (biases), gate (of a head, where it isn't 1), and with masks may_attend (1 may attend, 0 masked), additive_mask, and
// each head's masked. A matrix is a list of rows; rows are queries.
// JSON has no infinities: -infinity in a mask or in `masked`, or a score that overflowed, is null.
#pragma once

#include "attention/attention.hpp"

#include <span>
#include <string>

namespace io {

/// Ends with a line feed. Missing names become "". A caller's duty: `trace` is `forward` of the rest.
std::string trace_to_json(std::span<const std::string> tokens, std::span<const std::string> features,
                          std::span<const std::string> head_names, const attention::Config& config,
                          const attention::Input<double>& input, const attention::Weights<double>& weights,
                          const attention::Trace<double>& trace);

}  // namespace io
