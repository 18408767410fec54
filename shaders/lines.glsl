// Anti-aliased lines of any width, drawn as quads; OpenGL lines are one pixel wide.

// Corner 0..3 of the quad of a line from `a` to `b` (clip space), `width` pixels wide, in a viewport of `size`. Bit 0 of
// the corner selects the end, bit 1 the side. `side`: distance from the centre line in pixels.
vec4 line_corner(vec4 a, vec4 b, int corner, float width, vec2 size, out float side) {
  side = 0.0;
  // Clip at the near plane.
  float near_a = a.z + a.w, near_b = b.z + b.w;
  if (near_a <= 0.0 && near_b <= 0.0) return vec4(2.0, 2.0, 2.0, 1.0);
  if (near_a < 0.0) {
    a = mix(a, b, near_a / (near_a - near_b));
  } else if (near_b < 0.0) {
    b = mix(b, a, near_b / (near_b - near_a));
  }
  vec2 along = (b.xy / b.w - a.xy / a.w) * size;
  float length_squared = dot(along, along);
  along = length_squared > 1e-12 ? along * inversesqrt(length_squared) : vec2(1.0, 0.0);
  float reach = 0.5 * width + 0.5;
  side = (corner & 2) == 0 ? -reach : reach;
  vec4 end = (corner & 1) == 0 ? a : b;
  // Clip space is 2 units wide.
  end.xy += 2.0 * side * vec2(-along.y, along.x) / size * end.w;
  return end;
}

// Coverage of a pixel by the line.
float line_coverage(float side, float width) { return clamp(0.5 * width + 0.5 - abs(side), 0.0, 1.0); }
