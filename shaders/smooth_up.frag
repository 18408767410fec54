#version 450 core
// A level of the spread light with that of the coarser ones.
layout(binding = 1) uniform sampler2D here;
layout(binding = 2) uniform sampler2D coarser;  // the same, with that of all coarser ones
layout(location = 0) out vec4 smoothed;

void main() {
  vec2 at = gl_FragCoord.xy * 0.5 / vec2(textureSize(coarser, 0));
  vec2 texel = 0.5 / vec2(textureSize(coarser, 0));
  vec3 wide = texture(coarser, at - texel).rgb + texture(coarser, at + vec2(texel.x, -texel.y)).rgb +
              texture(coarser, at + vec2(-texel.x, texel.y)).rgb + texture(coarser, at + texel).rgb;
  smoothed = vec4(texelFetch(here, ivec2(gl_FragCoord.xy), 0).rgb + 0.25 * wide, 1.0);
}
