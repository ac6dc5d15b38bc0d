// What a training step does to each token by itself: norms and the loss, four tokens side by side.
#include "attention/packs.hpp"
#include "attention/training.hpp"

#include <limits>

namespace attention {
namespace {

constexpr int kPacks = kPanelTokens / kLanes;

/// Of one pack of tokens; a step is floats from feature to feature.
void normalise_pack(const float* x, Size x_step, Size features, float epsilon, float* normal, Size normal_step,
                    float* inverse) {
  const Lanes share = splat(1.0f / static_cast<float>(features));
  Lanes sum = splat(0), squares = splat(0);
  for (Size f = 0; f < features; ++f) sum = sum + load(x + f * x_step);
  const Lanes mean = sum * share;
  for (Size f = 0; f < features; ++f) {
    const Lanes apart = load(x + f * x_step) - mean;
    squares = squares + apart * apart;
  }
  const Lanes factor = splat(1) / square_root(squares * share + splat(epsilon));
  store(inverse, factor);
  for (Size f = 0; f < features; ++f) store(normal + f * normal_step, (load(x + f * x_step) - mean) * factor);
}

void normalise_pack_backward(const float* g, Size g_step, const float* normal, Size normal_step, const float* inverse,
                             Size features, float* d_x, Size d_x_step) {
  const Lanes share = splat(1.0f / static_cast<float>(features));
  Lanes sum = splat(0), along = splat(0);
  for (Size f = 0; f < features; ++f) {
    const Lanes here = load(g + f * g_step);
    sum = sum + here;
    along = along + here * load(normal + f * normal_step);
  }
  const Lanes mean = sum * share, mean_along = along * share, factor = load(inverse);
  for (Size f = 0; f < features; ++f) {
    float* const to = d_x + f * d_x_step;
    store(to, load(to) + (load(g + f * g_step) - mean - load(normal + f * normal_step) * mean_along) * factor);
  }
}

/// `targets`: one a lane, -1 where the lane only fills up.
void softmax_loss_pack(float* logits, Size step, Size words, const int* targets, float share, float* largest,
                       float* sums, const PowerOfTwo& power_of_two) {
  Lanes top = splat(-std::numeric_limits<float>::infinity());
  for (Size word = 0; word < words; ++word) top = larger(top, load(logits + word * step));
  const Lanes log2_e = splat(0x1.715476p+0f);
  for (Size word = 0; word < words; ++word) {
    float* const here = logits + word * step;
    store(here, power_of_two((load(here) - top) * log2_e));
  }
  // The target's own share is left out of the sum first: 1 - softmax[target] would cancel where the model is sure.
  Lanes own = splat(0), shares = splat(0);
  for (int lane = 0; lane < kLanes; ++lane) {
    if (targets[lane] < 0) continue;
    float& at = logits[targets[lane] * step + lane];
    own[lane] = at;
    shares[lane] = share;
    at = 0;
  }
  Lanes others = splat(0);
  for (Size word = 0; word < words; ++word) others = others + load(logits + word * step);
  const Lanes sum = others + own, factor = shares / sum;
  for (Size word = 0; word < words; ++word) store(logits + word * step, load(logits + word * step) * factor);
  const Lanes d_target = splat(0) - others * factor;
  for (int lane = 0; lane < kLanes; ++lane) {
    if (targets[lane] >= 0) logits[targets[lane] * step + lane] = d_target[lane];
  }
  store(largest, top);
  store(sums, sum);
}

}  // namespace

void normalise_tokens(const Tokens& x, Size features, Size panels, float epsilon, const Tokens& normal,
                      float* inverse) {
  for (Size pack = 0; pack < panels * kPacks; ++pack) {
    const Size panel = pack / kPacks, half = pack % kPacks * kLanes;
    normalise_pack(x.data + panel * x.panel_step + half, x.row_step, features, epsilon,
                   normal.data + panel * normal.panel_step + half, normal.row_step, inverse + pack * kLanes);
  }
}

void normalise_tokens_backward(const Tokens& g, const Tokens& normal, const float* inverse, Size features, Size panels,
                               const Tokens& d_x) {
  for (Size pack = 0; pack < panels * kPacks; ++pack) {
    const Size panel = pack / kPacks, half = pack % kPacks * kLanes;
    normalise_pack_backward(g.data + panel * g.panel_step + half, g.row_step,
                            normal.data + panel * normal.panel_step + half, normal.row_step, inverse + pack * kLanes,
                            features, d_x.data + panel * d_x.panel_step + half, d_x.row_step);
  }
}

void softmax_loss(const Tokens& logits, Size words, const int* targets, Size tokens, float share, float* largest,
                  float* sums) {
  const PowerOfTwo power_of_two;
  for (Size pack = 0; pack < panels_of(tokens) * kPacks; ++pack) {
    const Size panel = pack / kPacks, half = pack % kPacks * kLanes, token = pack * kLanes;
    int here[kLanes];
    for (int lane = 0; lane < kLanes; ++lane) here[lane] = token + lane < tokens ? targets[token + lane] : -1;
    softmax_loss_pack(logits.data + panel * logits.panel_step + half, logits.row_step, words, here, share,
                      largest + token, sums + token, power_of_two);
  }
}

}  // namespace attention
