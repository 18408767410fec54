#version 450 core
// Halves a level of the light. BOX 0: four bilinear samples give the binomial weights 1 3 3 1 per axis, which converge to a
// Gaussian; boxes would show squares around single stars. BOX 1: means of four pixels, which take software rendering a
// fourth of the time, for the first step from an image in which most of the light is spread.
layout(binding = 1) uniform sampler2D finer;
#if SPREAD
layout(binding = 2) uniform sampler2D spread;  // light that is added to the level
#endif
layout(location = 0) out vec4 mean;

const float kOffset = 0.75;

void main() {
  vec2 texel = 1.0 / vec2(textureSize(finer, 0));
  vec2 at = gl_FragCoord.xy * 2.0 * texel;
#if BOX
  vec3 light = texture(finer, at).rgb;
#else
  vec2 off = kOffset * texel;
  vec3 light = 0.25 * (texture(finer, at - off).rgb + texture(finer, at + vec2(off.x, -off.y)).rgb +
                       texture(finer, at + vec2(-off.x, off.y)).rgb + texture(finer, at + off).rgb);
#endif
#if SPREAD
  light += texelFetch(spread, ivec2(gl_FragCoord.xy), 0).rgb;
#endif
  mean = vec4(light, 1.0);
}
