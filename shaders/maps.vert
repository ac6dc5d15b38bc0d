// One whole map per instance: a quad that the fragment shader fills with cells. Coordinates as in heatmap.vert; edges
// lie on device pixels, so nothing is smoothed.
uniform vec2 canvas;        // CSS pixels
uniform float pixel_ratio;  // device pixels per CSS pixel
uniform float side;         // n, cells in a row

layout(location = 0) in vec4 box;   // x, y, w, h
layout(location = 1) in vec2 look;  // which map, alpha

out vec2 place;             // cells from the top left
flat out int map;
flat out float opacity;
flat out int level;         // the finest whose cells are at least a device pixel wide

void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  place = corner * side;
  map = int(look.x + 0.5);
  opacity = look.y;
  float pixels = max(min(box.z, box.w) * pixel_ratio, 1.0);
  level = int(max(ceil(log2(side / pixels) - 0.001), 0.0));
  vec2 at = (box.xy + corner * box.zw) / canvas;
  gl_Position = vec4(at.x * 2.0 - 1.0, 1.0 - at.y * 2.0, 0.0, 1.0);
}
