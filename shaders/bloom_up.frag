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
  // Sizes are rounded up, so positions follow from the factor of two, not from the fraction of the width.
  vec2 at = gl_FragCoord.xy * 0.5 / vec2(textureSize(coarser, 0));
  vec2 texel = 0.5 / vec2(textureSize(coarser, 0));
  vec3 wide = texture(coarser, at - texel).rgb + texture(coarser, at + vec2(texel.x, -texel.y)).rgb +
              texture(coarser, at + vec2(-texel.x, texel.y)).rgb + texture(coarser, at + texel).rgb;
  bloom = vec4(mix(light_here(), 0.25 * wide, coarser_share), 1.0);
}
