#version 450 core
// A bloom level mixed with all coarser ones (after Jimenez 2014, "Next generation post processing in Call of
// Duty").
layout(binding = 1) uniform sampler2D here;
layout(binding = 2) uniform sampler2D coarser;  // corners of the share of the coarser ones
layout(location = 0) uniform float share;       // of this one
layout(location = 0) out vec4 bloom;

#include "upsample.glsl"

void main() { bloom = vec4(share * texelFetch(here, ivec2(gl_FragCoord.xy), 0).rgb + upsampled(coarser), 1.0); }
