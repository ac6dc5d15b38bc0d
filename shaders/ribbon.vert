// One ribbon per instance: a strip of 2 * (segments + 3) vertices along the curve's parameter s. Both edges are cubic
// Beziers with horizontal tangents whose control points share their x, so that at one s they share x.
uniform vec2 canvas;        // CSS pixels
uniform float pixel_ratio;
uniform float segments;

layout(location = 0) in vec3 from;    // x, y of the upper edge, y of the lower edge
layout(location = 1) in vec3 to;
layout(location = 2) in float bend;   // control points' distance from the ends, as a share of the width
layout(location = 3) in vec4 ink;

out vec2 inside;             // device pixels, at right angles: below the upper edge, above the lower edge
out vec2 along;              // device pixels from the left end, from the right end
flat out vec4 paint;

// cosine of an edge's slope: turns a vertical distance into one at right angles
float cosine(float dx, float dy) { return dx / max(length(vec2(dx, dy)), 1e-6); }

void main() {
  float step_index = float(gl_VertexID >> 1) - 1.0;
  bool lower = (gl_VertexID & 1) == 1;
  float s = clamp(step_index / segments, 0.0, 1.0);
  float width = to.x - from.x, k = bend * width;
  float a = (1.0 - s) * (1.0 - s) * (1.0 - s), b = 3.0 * s * (1.0 - s) * (1.0 - s);
  float c = 3.0 * s * s * (1.0 - s), d = s * s * s;
  float x = from.x * a + (from.x + k) * b + (to.x - k) * c + to.x * d;
  float rise = c + d;
  float top = mix(from.y, to.y, rise), bottom = mix(from.z, to.z, rise);

  float dx = 3.0 * ((1.0 - s) * (1.0 - s) * k + 2.0 * s * (1.0 - s) * (width - 2.0 * k) + s * s * k);
  float d_rise = 6.0 * s * (1.0 - s);
  vec2 slope = vec2(cosine(dx, (to.y - from.y) * d_rise), cosine(dx, (to.z - from.z) * d_rise));

  // one device pixel more on every side for the soft edge; steep edges need more of it vertically
  float margin = 1.0 / pixel_ratio;
  float y = lower ? bottom + margin / max(slope.y, 0.1) : top - margin / max(slope.x, 0.1);
  if (step_index < 0.0) x -= margin;
  if (step_index > segments) x += margin;

  inside = vec2((y - top) * slope.x, (bottom - y) * slope.y) * pixel_ratio;
  along = vec2(x - from.x, to.x - x) * pixel_ratio;
  paint = ink;
  vec2 place = vec2(x, y) / canvas;
  gl_Position = vec4(place.x * 2.0 - 1.0, 1.0 - place.y * 2.0, 0.0, 1.0);
}
