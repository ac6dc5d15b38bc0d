// One rounded cell per instance: a quad one device pixel larger than the cell, for the soft edge.
// Coordinates in CSS pixels from the top left; `pixel_ratio` turns them into device pixels.
uniform vec2 canvas;        // CSS pixels
uniform float pixel_ratio;  // device pixels per CSS pixel

layout(location = 0) in vec4 box;     // x, y, w, h
layout(location = 1) in vec4 look;    // radius, t, table, alpha

out vec2 from_centre;                 // device pixels
flat out vec2 half_size;              // device pixels
flat out float radius;                // device pixels
flat out vec4 colour_at;              // t, table, alpha

void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
  half_size = 0.5 * box.zw * pixel_ratio;
  from_centre = corner * (half_size + 1.0);
  radius = min(look.x * pixel_ratio, min(half_size.x, half_size.y));
  colour_at = vec4(look.yzw, 0.0);
  vec2 place = (box.xy + 0.5 * box.zw + from_centre / pixel_ratio) / canvas;
  gl_Position = vec4(place.x * 2.0 - 1.0, 1.0 - place.y * 2.0, 0.0, 1.0);
}
