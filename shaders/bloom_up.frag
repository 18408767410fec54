#version 450 core
// A bloom level mixed with all coarser ones (after Jimenez 2014, "Next generation post processing in Call of
// Duty").
layout(binding = 1) uniform sampler2D here;
layout(binding = 2) uniform sampler2D coarser;
#if SMOOTHED
layout(binding = 3) uniform sampler2D arrived;  // SmoothingPass::Level
layout(binding = 4) uniform sampler2D result;
#endif
layout(location = 0) uniform float coarser_share;

#include "upsample.glsl"

layout(location = 0) out vec4 bloom;

vec3 light_here() {
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  vec3 light = texelFetch(here, pixel, 0).rgb;
#if SMOOTHED
  light += texelFetch(result, pixel, 0).rgb - texelFetch(arrived, pixel, 0).rgb;
#endif
  return light;
}

void main() {
  bloom = vec4(mix(light_here(), upsampled(coarser), coarser_share), 1.0);
}
