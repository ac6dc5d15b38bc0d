// A ribbon's flat colour; edges softened over one device pixel, thin ones fading instead of breaking up.
in vec2 inside;
in vec2 along;
flat in vec4 paint;

layout(location = 0) out vec4 colour;

void main() {
  float across = clamp(min(inside.x, 0.5) + min(inside.y, 0.5), 0.0, 1.0);
  vec2 ends = clamp(along + 0.5, 0.0, 1.0);
  colour = vec4(paint.rgb, paint.a * across * ends.x * ends.y);
}
