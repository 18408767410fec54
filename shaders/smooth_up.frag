#version 450 core
// A level of the spread light with that of the coarser ones. LANES 1: the finest level, where lanes of dust are sharpened.
layout(binding = 1) uniform sampler2D here;
layout(binding = 2) uniform sampler2D coarser;  // corners of the next level, with that of all coarser ones
#if LANES
layout(binding = 3) uniform sampler2D lanes;  // dust_lanes.comp
layout(location = 0) uniform vec2 scale;      // place in it: per pixel
layout(location = 1) uniform float shift;     // and of the first column
#endif
layout(location = 0) out vec4 smoothed;

#include "upsample.glsl"

void main() {
  smoothed = vec4(texelFetch(here, ivec2(gl_FragCoord.xy), 0).rgb + upsampled(coarser), 1.0);
#if LANES
  smoothed.rgb *= texture(lanes, gl_FragCoord.xy * scale + vec2(shift, 0.0)).r;
#endif
}
