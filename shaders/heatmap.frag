// A cell's colour out of the table (nearest entry, as on the CPU), its outline by a signed distance.
uniform sampler2D tables;  // 256 x 2: row 0 sequential, row 1 diverging

in vec2 from_centre;
flat in vec2 half_size;
flat in float radius;
flat in vec4 colour_at;

layout(location = 0) out vec4 colour;

// How much of a pixel's width lies inside an edge that is `inside` pixels to its right, for a band `size` wide.
float covered(float from_middle, float half_extent) {
  return clamp(min(from_middle + 0.5, half_extent) - max(from_middle - 0.5, -half_extent), 0.0, 1.0);
}

void main() {
  float coverage = covered(from_centre.x, half_size.x) * covered(from_centre.y, half_size.y);
  vec2 corner = abs(from_centre) - (half_size - radius);
  if (radius > 0.0 && corner.x > 0.0 && corner.y > 0.0) coverage = clamp(radius + 0.5 - length(corner), 0.0, 1.0);
  int entry = int(floor(clamp(colour_at.x, 0.0, 1.0) * 255.0 + 0.5));
  vec3 fill = texelFetch(tables, ivec2(entry, int(colour_at.y)), 0).rgb;
  colour = vec4(fill, colour_at.z * coverage);
}
