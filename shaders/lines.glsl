// Lines as quads of any width with soft edges: lines of OpenGL are one hard pixel wide.

// Corner 0..3 of the quad of a line from `a` to `b` (clip space) that is `width` pixels wide in a picture of `size`:
// bit 0 is its end, bit 1 its side. `side`: distance from the middle of the line, in pixels.
vec4 line_corner(vec4 a, vec4 b, int corner, float width, vec2 size, out float side) {
  side = 0.0;
  // What lies before the near plane has no place in the picture.
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
  // Clip space is two wide.
  end.xy += 2.0 * side * vec2(-along.y, along.x) / size * end.w;
  return end;
}

// The share of a pixel that such a line covers.
float line_coverage(float side, float width) { return clamp(0.5 * width + 0.5 - abs(side), 0.0, 1.0); }
