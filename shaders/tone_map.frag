#version 450 core
// Tone mapping from light to screen values; the curves include the display gamma.
// COLORS 2: the light encodes values. TONE 0: filmic, 1: asinh. BACKGROUND 0: dark, 1: light. MARKS 1: the fourth channel
// is shown. SMOOTHED 1: with the light of SmoothingPass.
#include "frame.glsl"
#include "accumulation.glsl"
#include "vertex_layout.glsl"
#include "colors.glsl"
#include "smoothing.glsl"
#include "film_curve.glsl"

layout(binding = 1) uniform sampler2D bloom;
layout(std140, binding = 2) uniform Exposure { float automatic; };  // stops
layout(location = 0) uniform float bloom_pixels;                     // frame pixels per bloom texel
layout(location = 0) flat in float gain;
layout(location = 0) out vec4 color;

#if SMOOTHED
layout(binding = 2) uniform sampler2D smooth_light;  // smooth_up.frag
layout(location = 1) uniform float smooth_pixels;    // frame pixels per texel of it

#endif

const vec3 kNight = vec3(0.016, 0.021, 0.040);
const vec3 kWhiteBackground = vec3(0.962, 0.951, 0.922);

// Screen values of the light of stars, relative to the strongest channel. Ratios of light are encoded as light is (by the
// square root, nearly the curve of sRGB): as ratios of screen values they would make arms lilac and old stars orange. Light
// of stars of many ages is pale: the difference of red and blue is strengthened, as in most published photographs, but
// green is not, or blue would become lilac. Same as in color_map.cpp.
const vec3 kWhiteStar = vec3(1.0, 0.903, 0.877);  // light that is white: a black body of 6,000 K, nearly the Sun
const float kVivid = 1.4;

vec3 star_hue(vec3 light) {
  vec3 encoded = sqrt(light);
  float excess = 0.5 * (kVivid - 1.0) * (encoded.r - encoded.b);
  vec3 strong = max(encoded + vec3(excess, 0.0, -excess), 0.0);
  return strong / max(max(strong.r, max(strong.g, strong.b)), 1e-9);
}

// Colours that say where bodies come from are those of the legend, whose ratios the light has.
vec3 screen_hue(vec3 light, float peak) { return COLORS == 0 ? star_hue(light) : light / peak; }

// Per channel, highlights shift to warm white, as on film; scaled by the strongest channel, the hue is preserved. Tails
// keep their hue, nuclei become warm white.
const vec3 kWarmWhite = vec3(1.0, 0.965, 0.91);

vec3 filmic(vec3 light) {
  float peak = max(max(light.r, max(light.g, light.b)), 1e-9);
  // The layers of film overlap slightly.
  vec3 each = film_curve(mix(light, vec3(peak), 0.04));
  float top = max(each.r, max(each.g, each.b));
  float bright = smoothstep(0.72, 0.97, top);
  return mix(top * screen_hue(light, peak), each, bright) * mix(vec3(1.0), kWarmWhite, bright);
}

// An asinh stretch that keeps hue (Lupton et al. 2004, doi:10.1086/382245).
const float kSoftening = 0.03;  // transition from linear to logarithmic
const float kWhite = 25.0;      // light that maps to white

float stretch(float light) { return log(light + sqrt(light * light + 1.0)); }

vec3 stretched(vec3 light) {
  // Scaled by the strongest channel, so that the hue does not clip.
  float peak = max(max(light.r, max(light.g, light.b)), 1e-9);
  float value = min(stretch(peak / kSoftening) / stretch(kWhite / kSoftening), 1.0);
  float square = value * value;
  // Towards white in the highlights, as overexposed film.
  return value * mix(screen_hue(light, peak), vec3(1.0), 0.7 * square * square);
}

// Dark stars on a light background, as on a photographic plate: each channel is absorbed in proportion to what the star
// lacks in it, and white stars are black. Faint light leaves the paper white: the eye sees a faint spot on white that it would not
// see on black.
const float kInk = 3.4;
const float kTint = 2.2;
const float kDenseInk = 0.8;  // share that dense ink absorbs of any colour, or light that dust reddens would glow

vec3 on_light_background(vec3 light, vec3 shown) {
  vec3 hue = light / max(max(light.r, max(light.g, light.b)), 1e-9);
  float dark = max(shown.r, max(shown.g, shown.b));
  float least = COLORS == 0 ? kDenseInk * smoothstep(0.5, 0.9, dark) : 0.0;
  vec3 absorbed = max(1.0 - kTint * (hue - dot(hue, vec3(1.0 / 3.0))), least);
  return kWhiteBackground * exp(-kInk * dark * dark * absorbed);
}

// Colours that encode numbers are those of the legend: the background shows through where there are few stars, and bright
// places are neither bleached nor mixed with the bloom of their surroundings.
const float kOpaque = 1.15;  // times the brightness that covers the background
const vec3 kUnknownGrey = vec3(0.45);

vec3 value_color(vec3 sums, vec3 background) {
  float known = sums.r, all = known + sums.b;
  if (all <= 0.0) return background;
  vec3 light = map_light(clamp(sums.g / max(known, 1e-9), 0.0, 1.0));
  vec3 legend = light * max(light.r, max(light.g, light.b));  // light_of() of color_map.h, reversed
  float shown = TONE == 0 ? film_curve(vec3(all)).r
                                 : min(stretch(all / kSoftening) / stretch(kWhite / kSoftening), 1.0);
  return mix(background, mix(kUnknownGrey, legend, known / all), min(kOpaque * shown, 1.0));
}

// Marked stars are bright discs of a hue that no star has, over an image of a quarter of its luminance; they differ by
// lightness alone, too.
const float kOthersOnDark = 0.53, kOthersOnLight = 0.4;  // screen value with a quarter of the luminance; as much contrast
const float kMarkedLight = 4.0;                          // times the brightest star

vec3 with_marks(vec3 shown, vec3 background, float marked) {
  float amount = film_curve(vec3(kMarkedLight * marked)).r;
  float others = BACKGROUND == 0 ? kOthersOnDark : kOthersOnLight;
  return mix(mix(background, shown, others), colors.marked[BACKGROUND].rgb, min(kOpaque * amount, 1.0));
}

// Triangular dither of one 8-bit step hides banding; it is made from interleaved gradient noise (Jimenez 2014). It depends
// on the pixel in the whole frame, so that tiles match.
float gradient_noise(vec2 at) { return fract(52.9829189 * fract(dot(at, vec2(0.06711056, 0.00583715)))); }

float dither() {
  vec2 at = gl_FragCoord.xy + vec2(frame.first);
  return (gradient_noise(at) - gradient_noise(at + vec2(47.0, 17.0))) / 255.0;
}

// Local adaptation, as of the eye: bright surroundings lower the sensitivity, so that nuclei show structure at an exposure
// that shows tails (Reinhard and Devlin 2005).
const float kAdaptation = 20.0;  // light of the surroundings that lowers it by the square root of 2

vec3 adapted(vec3 light, vec3 around) {
  float surroundings = max(around.r, max(around.g, around.b));
  return inversesqrt(1.0 + surroundings / kAdaptation) * light;
}

vec3 screen_color(vec3 sharp, vec3 background) {
  if (shows_scalar()) return value_color(sharp, background);
  vec2 at = (gl_FragCoord.xy + vec2(frame.first)) / (bloom_pixels * vec2(textureSize(bloom, 0)));
  vec3 around = texture(bloom, at).rgb * exp2(automatic + frame.stops);
  vec3 light = adapted(mix(sharp, around, frame.bloom), around);
  if (COLORS == 0) light /= kWhiteStar;
  vec3 shown = TONE == 0 ? filmic(light) : stretched(light);
  return BACKGROUND == 0 ? background + shown : on_light_background(light, shown);
}

void main() {
  vec4 sharp = gain * light_at(ivec2(gl_FragCoord.xy));
#if SMOOTHED
  sharp.rgb = smoothed(sharp.rgb, smooth_light, (gl_FragCoord.xy + vec2(frame.first)) / smooth_pixels);
#endif
  sharp *= exp2(automatic + frame.stops);
  vec3 background = BACKGROUND == 0 ? kNight : kWhiteBackground;
  vec3 shown = screen_color(sharp.rgb, background);
  if (MARKS == 1) shown = with_marks(shown, background, sharp.a);
  color = vec4(shown + dither(), 1.0);
}
