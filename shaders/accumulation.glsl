// Accumulated light as integers, so that the sum does not depend on the order of the bodies. Four values per pixel, rows
// from the bottom: red, green, blue, and in the first pixel the number of bodies that are not hidden. Written as a storage
// buffer, read as a buffer texture (one fetch per pixel).
//
// The flux of a body is independent of its distance, so the total light does not depend on zoom, star size or footprint. A
// closer camera raises the gain instead, which conserves surface brightness.
#ifdef LIGHT_WRITER
layout(std430, binding = 1) buffer Light { uint light[]; };
#else
layout(binding = 0) uniform usamplerBuffer light;

// Below this number the brightness per body is constant, or two stars would outshine a galaxy.
const uint kFewBodies = 50u;

float light_gain() { return frame.gain / float(max(texelFetch(light, 0).a, kFewBodies)); }

vec3 light_at(ivec2 pixel) { return vec3(texelFetch(light, pixel.y * frame.size.x + pixel.x).rgb); }
#endif
