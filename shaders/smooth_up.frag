#version 450 core
// A level with the light that it keeps and the smoothed light of the coarser ones.
layout(binding = 1) uniform sampler2D here;     // the light that arrives; alpha: share kept by the finer level
layout(binding = 2) uniform sampler2D coarser;  // the same, smoothed; alpha: share kept by this level
layout(location = 0) out vec4 smoothed;

void main() {
  vec2 at = gl_FragCoord.xy * 0.5 / vec2(textureSize(coarser, 0));
  vec2 texel = 0.5 / vec2(textureSize(coarser, 0));
  vec4 wide = 0.25 * (texture(coarser, at - texel) + texture(coarser, at + vec2(texel.x, -texel.y)) +
                      texture(coarser, at + vec2(-texel.x, texel.y)) + texture(coarser, at + texel));
  vec4 arrived = texelFetch(here, ivec2(gl_FragCoord.xy), 0);
  smoothed = vec4(wide.a * arrived.rgb + wide.rgb, arrived.a);
}
