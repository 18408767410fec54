#version 450 core
// The light that a level passes on to the next coarser one.
#include "frame.glsl"
#include "accumulation.glsl"
#include "smoothing.glsl"

layout(binding = 1) uniform sampler2D source;  // FIRST 1: all light at this level, 0: what arrives at the finer level
layout(binding = 2) uniform sampler2D guide;   // all light, one level coarser than this one, or at the coarsest level
layout(location = 0) uniform float level;      // level of the bodies that are passed on; 0: the accumulated image
layout(location = 1) uniform float last;       // level at which all light stays
layout(location = 2) uniform float body;       // mean light of a body; 1: a white one
layout(location = 3) uniform float guide_scale;  // texels of `guide` per pixel, along an axis
layout(location = 0) out vec4 passed;         // alpha: share kept by the finer level

#if FIRST
vec3 arriving() { return texelFetch(source, ivec2(gl_FragCoord.xy), 0).rgb; }
#else
const float kOffset = 0.75;  // same as in bloom_down.frag

vec3 arriving() {
  vec2 texel = 1.0 / vec2(textureSize(source, 0));
  vec2 at = gl_FragCoord.xy * 2.0 * texel;
  vec2 off = kOffset * texel;
  vec3 sum = texture(source, at - off).rgb + texture(source, at + vec2(off.x, -off.y)).rgb +
             texture(source, at + vec2(-off.x, off.y)).rgb + texture(source, at + off).rgb;
  return 0.25 * sum;
}
#endif

void main() {
  vec3 here = texture(guide, gl_FragCoord.xy * guide_scale / vec2(textureSize(guide, 0))).rgb;
  float bodies = strongest(here) * exp2(2.0 * level) / (light_gain() * frame.units * body);  // per pixel of the level
  float kept = share_kept(bodies, level, last);
  passed = vec4((1.0 - kept) * arriving(), kept);
}
