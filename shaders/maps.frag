// A cell of a map: its table entry was chosen on the CPU (8 bits are exactly one of 256 colours); level k holds the
// largest of 2^k x 2^k cells, so that a lone dark cell of a long sentence never falls between two pixels.
uniform sampler2D tables;              // as in heatmap.frag
uniform highp sampler2DArray maps;     // one layer for each map, levels of largest cells
uniform float side;

in vec2 place;
flat in int map;
flat in float opacity;
flat in int level;

layout(location = 0) out vec4 colour;

void main() {
  int last_level = int(floor(log2(side) + 0.001));
  int from = min(level, last_level);
  ivec2 cell = ivec2(clamp(place, vec2(0.0), vec2(side - 1.0))) >> from;
  int last = max(int(side) >> from, 1) - 1;
  float weight = texelFetch(maps, ivec3(min(cell, ivec2(last)), map), from).r;
  int entry = int(floor(weight * 255.0 + 0.5));
  colour = vec4(texelFetch(tables, ivec2(entry, 0), 0).rgb, opacity);
}
