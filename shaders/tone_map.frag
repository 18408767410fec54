#version 450 core
// Light to screen. What the curves give is what the screen is given; no gamma follows.
#include "frame.glsl"

layout(binding = 0) uniform sampler2D picture;
layout(binding = 1) uniform sampler2D glow;
layout(std140, binding = 2) uniform Exposure { float automatic; };  // stops
layout(location = 0) uniform float glow_pixels;                     // of the picture, in one texel of the glow
layout(location = 0) out vec4 color;

const vec3 kNight = vec3(0.016, 0.021, 0.040);
const vec3 kPaper = vec3(0.962, 0.951, 0.922);

// Film's characteristic curve: an S over the logarithm of light, which lifts faint tails and never quite burns out
// (Reinhard and Devlin 2005, doi:10.1109/TVCG.2005.9, after Naka and Rushton 1966).
const float kHalf = 1.6;  // light that comes out as half of white

vec3 film_curve(vec3 light) {
  vec3 root = sqrt(light / kHalf);
  vec3 power = root * sqrt(root);  // to 0.75, the contrast; roots are cheap without a GPU
  return power / (1.0 + power);
}

// One channel at a time white is reached over warm tones, as on film; by the strongest, the hue is kept. Tails are to
// keep theirs, a nucleus is to be warm white.
const float kHueKept = 0.85;
const vec3 kWarmWhite = vec3(1.0, 0.965, 0.91);

vec3 filmic(vec3 light) {
  float peak = max(max(light.r, max(light.g, light.b)), 1e-9);
  // Layers of film are never quite apart.
  vec3 each = film_curve(mix(light, vec3(peak), 0.04));
  float top = max(each.r, max(each.g, each.b));
  vec3 kept = light / peak * top;
  float bright = top * top * top;
  return mix(each, kept, kHueKept * (1.0 - bright)) * mix(vec3(1.0), kWarmWhite, bright);
}

// An asinh stretch that keeps hue (Lupton et al. 2004, doi:10.1086/382245).
const float kSoftening = 0.03;  // light at which the stretch turns from linear to logarithmic
const float kWhite = 25.0;      // light that is shown as white

float stretch(float light) { return log(light + sqrt(light * light + 1.0)); }

vec3 stretched(vec3 light) {
  // By the strongest channel, so that no hue is cut off.
  float peak = max(max(light.r, max(light.g, light.b)), 1e-9);
  float value = min(stretch(peak / kSoftening) / stretch(kWhite / kSoftening), 1.0);
  float square = value * value;
  // Towards white where it is brightest, as an overexposed film does.
  return value * mix(light / peak, vec3(1.0), 0.7 * square * square);
}

// Dark on paper as on a photographic plate, in layers of ink: each swallows the more of a channel the less of it a star
// gives, and white stars are black.
const float kInk = 3.0;
const float kTint = 1.8;

vec3 printed(vec3 light, vec3 shown) {
  vec3 hue = light / max(max(light.r, max(light.g, light.b)), 1e-9);
  vec3 swallowed = max(1.0 - kTint * (hue - dot(hue, vec3(1.0 / 3.0))), 0.0);
  return kPaper * exp(-kInk * max(shown.r, max(shown.g, shown.b)) * swallowed);
}

// Triangular noise of a step of 8 bits either way hides their edges in the dark; interleaved gradient noise (Jimenez
// 2014) is the even kind that it is made from. It belongs to the pixel of the whole picture, so that tiles join.
float even_noise(vec2 at) { return fract(52.9829189 * fract(dot(at, vec2(0.06711056, 0.00583715)))); }

float dither() {
  vec2 at = gl_FragCoord.xy + vec2(frame.first);
  return (even_noise(at) - even_noise(at + vec2(47.0, 17.0))) / 255.0;
}

void main() {
  vec3 sharp = texelFetch(picture, ivec2(gl_FragCoord.xy), 0).rgb;
  vec2 at = (gl_FragCoord.xy + vec2(frame.first)) / (glow_pixels * vec2(textureSize(glow, 0)));
  vec3 light = mix(sharp, texture(glow, at).rgb, frame.glow) * exp2(automatic + frame.stops);
  vec3 shown = frame.tone == 0u ? filmic(light) : stretched(light);
  color = vec4((frame.ground == 0u ? kNight + shown : printed(light, shown)) + dither(), 1.0);
}
