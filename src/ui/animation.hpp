// What moves, how long, and whether anything still does. Durations are the
// design system's; with reduced motion they are 0 and the pulse stands still.
#pragma once

#include "app/app.hpp"
#include "ui/ui.hpp"

#include <optional>
#include <vector>

namespace ui {

inline constexpr double kBandMs = 180, kTravelMs = 320, kFillMs = 160, kRowDelayMs = 60, kPulseMs = 600,
                        kStillPulseMs = 1500, kBarMs = 240, kPlayStepMs = 2400;

class Animation {
 public:
  /// Opens a frame at `now_ms`.
  void begin(double now_ms, bool reduced);
  /// True while a later frame would look different.
  bool running() const;
  /// Milliseconds until something must be redrawn though nothing glides (a still pulse that ends); negative: never.
  double wakes_in(double now_ms) const;
  void settle();

  void step_changed(app::Step from, app::Step to);
  /// Marks every computed number that differs between the two.
  void numbers_changed(const app::State& before, const app::Derived& before_derived, const app::State& after,
                       const app::Derived& after_derived);

  Rect band(const Rect& target);  // where the band is now on its way to `target`
  std::vector<double> shares(const std::vector<double>& target) { return row_bar_.on_its_way(target, now_, reduced_); }
  std::vector<double> evidence(const std::vector<double>& target) {
    return evidence_.on_its_way(target, now_, reduced_);
  }
  struct Arrival {
    float travel;  // 0 at the operand … 1 at its place
    float fill;    // alpha of the fill
  };
  Arrival arrival(int row);
  float pulse(const app::Cell& cell) const;  // alpha of the updated ring

 private:
  struct Updated {
    app::Cell cell;
    double at;
  };
  double now_ = 0;
  bool reduced_ = false;
  bool forward_ = false;
  double step_at_ = -1e9;
  int rows_ = 2;
  std::optional<Rect> band_from_, band_to_;
  double band_at_ = -1e9;
  struct Bars {
    std::vector<double> from, to, now;
    double at = -1e9;
    std::vector<double> on_its_way(const std::vector<double>& target, double now_ms, bool reduced);
  };
  Bars row_bar_, evidence_;  // of the walkthrough's strip, of the gallery's card
  std::vector<Updated> updated_;
};

float ease_out(double t);  // cubic, clamped to 0..1

}  // namespace ui
