#version 450 core
// Logarithm of all light of a level, sharp and spread.
layout(binding = 0) uniform sampler2D here;     // without what is spread on coarser levels
layout(binding = 2) uniform sampler2D coarser;  // corners of what is spread there
layout(location = 0) out float logarithm;

#include "upsample.glsl"

const float kDark = 1e-4;

void main() {
  vec3 light = texelFetch(here, ivec2(gl_FragCoord.xy), 0).rgb + upsampled(coarser);
  logarithm = log2(max(dot(light, vec3(0.2126, 0.7152, 0.0722)), 0.0) + kDark);
}
