#version 450 core
// The level over which the light of bodies of each kind is spread: the one whose kernel contains enough of them.
// A first pass adds up what coarser levels lack, in cells of twice the side, which is a quarter of the work; a second one
// adds the finest.
layout(binding = 0) uniform sampler2D crowds[8];  // bodies per cell of the finest of them, on this level and the coarser ones
layout(binding = 8) uniform sampler2D coarser;    // the first sum
layout(location = 0) uniform ivec2 range;         // of the levels to add: first and end
layout(location = 1) uniform float base;          // that is added, too
layout(location = 2) uniform float widest;        // level
layout(location = 3) uniform float enough;        // bodies per cell of the first, if all its kernel were as full
layout(location = 4) uniform float share;         // of the first sum: 0 or 1
layout(location = 0) out vec4 level;

// Kernels of young stars are two thirds as wide, because they would blur arms; what noise they leave looks like associations. Those
// of bulges in discs are three quarters as wide, because they would blur nuclei. Spheres without a disc have nothing to blur.
const float kYoung = 0.4, kBulge = 0.58, kSphere = 2.67;
const float kDisc = 0.1;  // bodies of discs per body of the bulge from which on it is one in a disc

vec4 share_of_neighbours(vec4 bodies) {
  float in_disc = min((bodies.x + bodies.y) / (kDisc * bodies.z), 1.0);
  return vec4(1.0, kYoung, mix(kSphere, kBulge, in_disc), 1.0);
}

void main() {
  level = base + share * texture(coarser, 0.5 * gl_FragCoord.xy / vec2(textureSize(coarser, 0)));
  for (int k = range.x; k < range.y; ++k) {
    vec2 at = gl_FragCoord.xy * exp2(float(range.x - k)) / vec2(textureSize(crowds[k], 0));
    vec4 bodies = max(texture(crowds[k], at), 1e-6) * exp2(2.0 * float(k));
    // Where the density does not depend on the level, the sum of what each level lacks is the level that has enough.
    vec4 lacking = 0.5 * log2(enough * share_of_neighbours(bodies) / bodies);
    level += clamp(lacking, k == 0 ? -16.0 : 0.0, 1.0);
  }
  level = min(level, widest);
}
