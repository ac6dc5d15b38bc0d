// What the gallery's layouts share: the grid of maps, the card beside it with its three panels, the controls around
// them. Private to `ui`. Each part is drawn into a rectangle that its layout gives it.
#pragma once

#include "ui/page.hpp"

#include <string>
#include <vector>

namespace ui {

/// Where the maps stand. A layer may need several lines on a narrow page; the first layer is the lowest.
struct GridPlaces {
  float x = 0, y = 0;            // of the top left map
  float pitch_x = 0, pitch_y = 0;
  float side = 0;                // of a map
  int caption_lines = 0;         // 2: role and how often; 1: role; 0: only what a pointer asks for
  int columns = 1, lines = 1;    // lines: per layer
  float line_y(int layers, int layer, int line) const {
    return y + static_cast<float>((layers - 1 - layer) * lines + line) * pitch_y;
  }
};
/// As large as the area allows. `least_pitch`: maps are never closer; layers break into lines instead.
GridPlaces grid_places_for(const Rect& area, int layers, int heads, int n, float least_pitch = 0);
/// `axis_x`: where the layers' axis stands; negative: their names stand above their first line.
void draw_grid(Page& page, const GridPlaces& places, float axis_x);
void draw_empty(Page& page, const Rect& area);  // why there are no maps

// ---- controls
/// One row of chips; those that find no room before `right` wait behind a last chip. `hit_h`: how tall they can be
/// pressed.
void draw_role_chips(Page& page, float x, float y, float right, float hit_h = 24);
void draw_sources(Page& page, float x, float y, float hit_h = 24);  // chips of the three sources
float sources_width(const Page& page);
void draw_sentence(Page& page, const Rect& rect);  // its field and the button for another example
void draw_panel_tabs(Page& page, float left, float right, float y, float h);
void draw_toggle(Page& page, float x, float y, float hit_h, std::string_view label, bool on, const std::string& action,
                 float size = 14);
/// What has to be said about the sentence, or else how to read the maps.
std::string subtitle_of(const Page& page, bool short_form);
bool has_to_be_said(const Page& page);  // the subtitle is a warning

// ---- the card
void draw_card(Page& page, const Rect& card);  // its ground and the chosen panel
void draw_head_panel(Page& page, const Rect& card);
void draw_training_panel(Page& page, const Rect& card);
void draw_layers_panel(Page& page, const Rect& card);
/// The enlarged map and its ribbons; `top`: where what stands above it ends.
void draw_enlarged(Page& page, const Rect& card, float top);
float enlarged_height(const Page& page, float card_w);  // on a phone: from `top` to the last switch
/// Loss and accuracy by step, clicks with their names, and the time line of checkpoints below.
void draw_curve(Page& page, const Rect& area);

/// How the head's score was made, and what it had to beat, side by side from `second_x` on.
void draw_gallery_strip(Page& page, const Rect& area, float left, float right, float second_x);
float draw_parts(Page& page, float x, float y, std::vector<app::Part> parts, float most);

}  // namespace ui
