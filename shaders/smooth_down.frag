#version 450 core
// The light that a level passes on to the next coarser one.
#include "frame.glsl"
#include "accumulation.glsl"
#include "smoothing.glsl"

layout(binding = 1) uniform sampler2D finer;  // the light that arrives at the finer level
layout(binding = 2) uniform sampler2D guide;  // all light, one level coarser than this one
layout(location = 0) uniform float level;     // of the bodies that are passed on; 0: that of the accumulated image
layout(location = 1) uniform float last;      // level at which all light stays
layout(location = 2) uniform float halving;   // pixels of `finer` per pixel of this level, along each axis: 1 or 2
layout(location = 3) uniform float body;      // mean light of a body; 1: a white one
layout(location = 0) out vec4 passed;         // alpha: share kept by the finer level

const float kOffset = 0.75;  // as in bloom_down.frag

void main() {
  vec2 texel = 1.0 / vec2(textureSize(finer, 0));
  vec2 at = gl_FragCoord.xy * halving * texel;
  vec2 off = kOffset * (halving - 1.0) * texel;  // none at the same resolution
  vec3 sum = texture(finer, at - off).rgb + texture(finer, at + vec2(off.x, -off.y)).rgb +
             texture(finer, at + vec2(-off.x, off.y)).rgb + texture(finer, at + off).rgb;
  vec3 here = texture(guide, gl_FragCoord.xy * 0.5 / vec2(textureSize(guide, 0))).rgb;
  float bodies = strongest(here) * exp2(2.0 * level) / (light_gain() * frame.units * body);  // per pixel of the level
  float kept = share_kept(bodies, level, last);
  passed = vec4(0.25 * (1.0 - kept) * sum, kept);
}
