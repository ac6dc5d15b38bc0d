// Where things stand on the full page, shared by the files that draw it.
#pragma once

#include "ui/page.hpp"

namespace ui {

/// Where things stand. The drawing is 1280 x 800; narrower pages close the gaps, wider ones centre.
struct FullPlaces {
  float left, right;                   // content
  float x_matrix, x_cell;              // X
  float lane;                          // rail
  float qkv, score, scaled, pattern, head, bus, block;
  float score_cell, scaled_cell, pattern_cell, head_cell, block_cell;
  float lane_gap, strip_y, strip_h;
  static constexpr float top = 222, lane_h = 142, row_h = 38, qkv_cell = 28, qkv_row = 17, w_o_row = 18;

  float lane_y(int k) const { return top + static_cast<float>(k) * (lane_h + lane_gap); }
  float row_y(int k) const { return lane_y(k) + 46; }
};
FullPlaces full_places_for(const Viewport& viewport);

void draw_full_header(Page& page, const FullPlaces& p);    // logo, tab, what edits and display need
void draw_full_stepper(Page& page, const FullPlaces& p);   // nine steps and the player
void draw_full_headings(Page& page, const FullPlaces& p);  // the stages' names over their columns
void draw_full_strip(Page& page, const FullPlaces& p);     // how this number was made

}  // namespace ui
