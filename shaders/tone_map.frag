#version 450 core
// Light to screen: an asinh stretch that keeps hue (Lupton et al. 2004, doi:10.1086/382245), so that a faint tail and a
// bright nucleus both read. The stretched value is what the screen is given; no gamma follows.
#include "frame.glsl"
#include "light.glsl"

layout(binding = 1) uniform sampler2D glow;
layout(location = 0) flat in float gain;
layout(location = 0) out vec4 color;

const vec3 kBackground = vec3(0.016, 0.021, 0.040);
const float kSoftening = 0.03;  // light at which the stretch turns from linear to logarithmic
const float kWhite = 25.0;       // light that is shown as white

float stretch(float light) { return log(light + sqrt(light * light + 1.0)); }

vec3 stretched(vec3 rgb) {
  // By the strongest channel, so that no hue is cut off.
  float peak = max(max(rgb.r, max(rgb.g, rgb.b)), 1e-9);
  float value = min(stretch(peak / kSoftening) / stretch(kWhite / kSoftening), 1.0);
  float square = value * value;
  // Towards white where it is brightest, as an overexposed film does.
  return value * mix(rgb / peak, vec3(1.0), 0.7 * square * square);
}

void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  vec3 sharp = light_at(pixel) * gain;
  vec3 wide = texture(glow, gl_FragCoord.xy * 0.25 / vec2(textureSize(glow, 0))).rgb;
  // Interleaved gradient noise (Jimenez 2014) hides the steps of 8 bits in the dark.
  float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
  color = vec4(kBackground + stretched(mix(sharp, wide, frame.glow)) + (noise - 0.5) / 255.0, 1.0);
}
