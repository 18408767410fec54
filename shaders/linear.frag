#version 450 core
// The light of an image, before bloom, exposure and tone curve.
#include "frame.glsl"
#include "accumulation.glsl"
#include "smoothing.glsl"

layout(binding = 1) uniform sampler2D smooth_light;  // as in tone_map.frag
layout(location = 0) uniform float smooth_pixels;    // pixels per texel of it; 0: not smoothed
layout(location = 0) flat in float gain;
layout(location = 0) out vec4 color;

void main() {
  vec3 sum = gain * light_at(ivec2(gl_FragCoord.xy)).rgb;
  if (smooth_pixels > 0.0) sum = smoothed(sum, smooth_light, gl_FragCoord.xy / smooth_pixels);
  color = vec4(sum, 1.0);
}
