#version 450 core
// The level over which the light of bodies of each kind is spread: the one whose kernel contains enough of them.
layout(binding = 0) uniform sampler2D crowds[8];  // bodies per cell of the finest of them, on this level and the coarser ones
layout(location = 0) uniform int number;          // of them
layout(location = 1) uniform float finest;        // level of the first
layout(location = 2) uniform float widest;        // level
layout(location = 3) uniform float enough;        // bodies per cell of the first, if all its kernel were as full
layout(location = 0) out vec4 level;

// Kernels of young stars are half as wide, because they would blur arms; what noise they leave looks like associations.
const vec4 kShareOfNeighbours = vec4(1.0, 0.4, 1.0, 1.0);

void main() {
  level = vec4(finest);
  for (int k = 0; k < number; ++k) {
    vec2 at = gl_FragCoord.xy * exp2(-float(k)) / vec2(textureSize(crowds[k], 0));
    vec4 bodies = max(texture(crowds[k], at), 1e-6) * exp2(2.0 * float(k));
    // Where the density does not depend on the level, the sum of what each level lacks is the level that has enough.
    vec4 lacking = 0.5 * log2(enough * kShareOfNeighbours / bodies);
    level += clamp(lacking, k == 0 ? -16.0 : 0.0, 1.0);
  }
  level = min(level, widest);
}
