// Accumulated light as integers, so that the sum does not depend on the order of the bodies. Four values per pixel, rows
// from the bottom: red, green, blue, and the light of marked bodies. After the last pixel: the number of bodies that are
// not hidden. Written as a storage buffer, read as a buffer texture (one fetch per pixel).
//
// The flux of a body is independent of its distance, so the total light does not depend on zoom, star size or footprint. A
// closer camera raises the gain instead, which conserves surface brightness.
#ifdef LIGHT_WRITER
layout(std430, binding = 1) buffer Light { uint light[]; };
#else
layout(binding = 0) uniform usamplerBuffer light;

// Below this number the brightness per body is constant, or two stars would outshine a galaxy.
const uint kFewBodies = 50u;

float light_gain() {
  uint visible = texelFetch(light, frame.size.x * frame.size.y).r;
  return frame.gain / float(max(visible, kFewBodies));
}

vec4 light_at(ivec2 pixel) { return vec4(texelFetch(light, pixel.y * frame.size.x + pixel.x)); }
#endif
