#version 450 core
// The light of an image, before bloom, exposure and tone curve.
#include "smoothing.glsl"

layout(binding = 0) uniform sampler2D image;
layout(binding = 1) uniform sampler2D smooth_light;  // as in tone_map.frag
layout(location = 0) uniform float smooth_pixels;    // pixels per texel of it; 0: not smoothed
layout(location = 0) out vec4 color;

void main() {
  vec3 light = texelFetch(image, ivec2(gl_FragCoord.xy), 0).rgb;
  if (smooth_pixels > 0.0) light = smoothed(light, smooth_light, gl_FragCoord.xy / smooth_pixels);
  color = vec4(light, 1.0);
}
