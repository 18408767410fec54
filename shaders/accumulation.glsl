// Accumulated light: integers, so that the sum does not depend on the order in which bodies arrive. Red, green and blue
// of each pixel, rows from the bottom, and a fourth number that is used once: the first pixel's counts the bodies that
// are not hidden, wherever they are. Written as a storage buffer, read as a buffer texture (one fetch a pixel).
//
// A body has the same flux wherever it stands, so the sum over a picture in which all bodies are seen does not depend
// on zoom, star size or footprint. Coming nearer raises the gain instead: that keeps the brightness of a surface.
#ifdef LIGHT_WRITER
layout(std430, binding = 1) buffer Light { uint light[]; };
#else
layout(binding = 0) uniform usamplerBuffer light;

// Below so many bodies each keeps its brightness, or two stars would outshine a galaxy.
const uint kFewBodies = 50u;

float light_gain() { return frame.gain / float(max(texelFetch(light, 0).a, kFewBodies)); }

vec3 light_at(ivec2 pixel) { return vec3(texelFetch(light, pixel.y * frame.size.x + pixel.x).rgb); }
#endif
