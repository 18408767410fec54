#version 450 core
// A level of the spread light with that of the coarser ones.
layout(binding = 1) uniform sampler2D here;
layout(binding = 2) uniform sampler2D coarser;  // the same, with that of all coarser ones
layout(location = 0) out vec4 smoothed;

#include "upsample.glsl"

void main() {
  smoothed = vec4(texelFetch(here, ivec2(gl_FragCoord.xy), 0).rgb + upsampled(coarser), 1.0);
}
