#version 450 core
// Light, or the lanes of dust, smoothed along tails, arms and lanes by a Gaussian.
layout(binding = 0) uniform sampler2D light;
layout(binding = 1) uniform sampler2D flow;     // flow.frag
layout(location = 0) uniform vec2 in_flow;      // place in it: per texel of the light
layout(location = 1) uniform float shift;       // and of its first column
layout(location = 2) uniform vec2 deviation;    // standard deviation where there is one direction, in texels
layout(location = 0) out vec4 smoothed;

// Up to two standard deviations on each side. Texels are fetched, because a bilinear sample takes software rendering as long as
// four fetches; enlarging the result hides the difference.
const int kSide = 3;
const float kWeights[kSide + 1] = {0.2707, 0.2167, 0.1113, 0.0366};
const float kSpacing = 0.6667;  // standard deviations

void main() {
  vec2 twice = texture(flow, gl_FragCoord.xy * in_flow + vec2(shift, 0.0)).rg;  // cosine and sine of twice the angle
  float strength = length(twice);
  float cosine = strength > 0.0 ? twice.x / strength : 1.0;
  vec2 along = sqrt(max(0.5 + vec2(0.5, -0.5) * cosine, 0.0));
  if (twice.y < 0.0) along.y = -along.y;
  vec2 off = kSpacing * strength * deviation * along;
  ivec2 last = textureSize(light, 0) - 1;
  vec3 sum = kWeights[0] * texelFetch(light, ivec2(gl_FragCoord.xy), 0).rgb;
  for (int k = 1; k <= kSide; ++k) {
    ivec2 ahead = ivec2(gl_FragCoord.xy + float(k) * off), behind = ivec2(gl_FragCoord.xy - float(k) * off);
    sum += kWeights[k] * (texelFetch(light, clamp(ahead, ivec2(0), last), 0).rgb +
                          texelFetch(light, clamp(behind, ivec2(0), last), 0).rgb);
  }
  smoothed = vec4(sum, 1.0);
}
