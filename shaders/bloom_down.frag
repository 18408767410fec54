#version 450 core
// Halves a bloom level. Four bilinear samples give the binomial weights 1 3 3 1 per axis, which converge to a
// Gaussian; a box filter would show squares around single stars.
layout(binding = 1) uniform sampler2D finer;
#if SPREAD
layout(binding = 2) uniform sampler2D spread;  // light that is added to the level
#endif
layout(location = 0) out vec4 mean;

const float kOffset = 0.75;

void main() {
  vec2 texel = 1.0 / vec2(textureSize(finer, 0));
  vec2 at = gl_FragCoord.xy * 2.0 * texel;
  vec2 off = kOffset * texel;
  vec3 sum = texture(finer, at - off).rgb + texture(finer, at + vec2(off.x, -off.y)).rgb +
             texture(finer, at + vec2(-off.x, off.y)).rgb + texture(finer, at + off).rgb;
  mean = vec4(0.25 * sum, 1.0);
#if SPREAD
  mean.rgb += texelFetch(spread, ivec2(gl_FragCoord.xy), 0).rgb;
#endif
}
