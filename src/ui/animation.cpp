// Durations and easing of everything that moves.
#include "ui/animation.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace ui {

float ease_out(double t) {
  t = std::clamp(t, 0.0, 1.0);
  return static_cast<float>(1 - (1 - t) * (1 - t) * (1 - t));
}

void Animation::begin(double now_ms, bool reduced) {
  now_ = now_ms;
  reduced_ = reduced;
  const double life = reduced ? kStillPulseMs : kPulseMs;
  std::erase_if(updated_, [&](const Updated& u) { return now_ - u.at >= life; });
}

bool Animation::running() const {
  if (reduced_) return false;
  const double step_end = forward_ ? kTravelMs + kFillMs + kRowDelayMs * (rows_ - 1) : kFillMs;
  return now_ - step_at_ < step_end || now_ - band_at_ < kBandMs || now_ - row_bar_.at < kBarMs ||
         now_ - evidence_.at < kBarMs || !updated_.empty();
}

double Animation::wakes_in(double now_ms) const {
  if (!reduced_ || updated_.empty()) return -1;
  double soonest = kStillPulseMs;
  for (const Updated& u : updated_) soonest = std::min(soonest, kStillPulseMs - (now_ms - u.at));
  return std::max(0.0, soonest);
}

void Animation::settle() {
  step_at_ = band_at_ = row_bar_.at = evidence_.at = -1e9;
  updated_.clear();
}

void Animation::step_changed(app::Step from, app::Step to) {
  forward_ = to > from;
  step_at_ = now_;
}

void Animation::numbers_changed(const app::State& before, const app::Derived& before_derived,
                                const app::State& after, const app::Derived& after_derived) {
  if (before.document.config != after.document.config) return;
  const auto& config = after.document.config;
  for (int t = 0; t < attention::kTensorCount; ++t) {
    const auto tensor = static_cast<app::Tensor>(t);
    if (attention::is_given(tensor)) continue;
    const auto shape = attention::shape_of(config, tensor);
    const int heads = attention::is_per_head(tensor) ? config.h : 1;
    for (int head = 0; head < heads; ++head)
      for (int row = 0; row < shape.rows; ++row)
        for (int col = 0; col < shape.cols; ++col) {
          const app::Cell cell{tensor, attention::is_per_head(tensor) ? head : -1, row, col};
          const auto old_bits = std::bit_cast<std::uint64_t>(app::value_of(before, before_derived, cell));
          const auto new_bits = std::bit_cast<std::uint64_t>(app::value_of(after, after_derived, cell));
          if (old_bits == new_bits) continue;
          std::erase_if(updated_, [&](const Updated& u) { return u.cell == cell; });
          updated_.push_back({cell, now_});
        }
  }
}

Rect Animation::band(const Rect& target) {
  if (!band_to_) {
    band_from_ = band_to_ = target;
  } else if (band_to_->x != target.x || band_to_->y != target.y || band_to_->w != target.w ||
             band_to_->h != target.h) {
    band_from_ = band_to_;
    band_to_ = target;
    // A change of size alone (the window) is no move.
    band_at_ = now_ - step_at_ < kBandMs ? now_ : -1e9;
  }
  if (reduced_) return target;
  const float t = ease_out((now_ - band_at_) / kBandMs);
  const auto mix = [t](float a, float b) { return a + (b - a) * t; };
  return {mix(band_from_->x, target.x), mix(band_from_->y, target.y), mix(band_from_->w, target.w),
          mix(band_from_->h, target.h)};
}

std::vector<double> Animation::Bars::on_its_way(const std::vector<double>& target, double now_ms, bool reduced) {
  if (to != target) {
    const bool same_bars = now.size() == target.size();
    from = same_bars ? now : target;
    at = same_bars ? now_ms : -1e9;
    to = target;
  }
  now = target;
  if (reduced) return target;
  const double t = ease_out((now_ms - at) / kBarMs);
  for (std::size_t i = 0; i < target.size(); ++i) now[i] = from[i] + (target[i] - from[i]) * t;
  return now;
}

Animation::Arrival Animation::arrival(int row) {
  rows_ = std::max(rows_, row + 1);
  if (reduced_) return {1, 1};
  const double since = now_ - step_at_;
  if (!forward_) return {1, ease_out(since / kFillMs)};
  const double own = since - kRowDelayMs * row;
  return {ease_out(own / kTravelMs), static_cast<float>(std::clamp((own - kTravelMs) / kFillMs, 0.0, 1.0))};
}

float Animation::pulse(const app::Cell& cell) const {
  for (const Updated& u : updated_)
    if (u.cell == cell) return reduced_ ? 1.f : static_cast<float>(1 - (now_ - u.at) / kPulseMs);
  return 0;
}

}  // namespace ui
