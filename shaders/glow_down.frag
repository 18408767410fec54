#version 450 core
// Halves a level of the glow: a wide tent, so that a moving star does not flicker.
layout(binding = 1) uniform sampler2D finer;
layout(location = 0) out vec4 mean;

void main() {
  vec2 texel = 1.0 / vec2(textureSize(finer, 0));
  vec2 at = gl_FragCoord.xy * 2.0 * texel;
  vec3 sum = texture(finer, at + texel * vec2(-1, -1)).rgb + texture(finer, at + texel * vec2(1, -1)).rgb +
             texture(finer, at + texel * vec2(-1, 1)).rgb + texture(finer, at + texel * vec2(1, 1)).rgb;
  mean = vec4(0.25 * sum, 1.0);
}
