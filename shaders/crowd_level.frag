#version 450 core
// The level over which the light of bodies of each kind is spread: the one whose kernel contains enough of them.
// A first pass (FINEST 0) adds up what coarser levels lack, in cells of twice the side, which is a quarter of the work; a
// second one (FINEST 1) adds the finest.
layout(binding = 0) uniform sampler2D crowds[8];  // bodies per cell of the finest of them, on this level and the coarser ones
layout(binding = 8) uniform sampler2D coarser;    // the first sum
layout(location = 0) uniform float enough;        // bodies per cell of the finest, if all its kernel were as full
#if FINEST
layout(location = 1) uniform float base;    // that is added, too
layout(location = 2) uniform float widest;  // level
#else
layout(location = 1) uniform int levels;
#endif
layout(location = 0) out vec4 level;

// Kernels of young stars are two thirds as wide, because they would blur arms; what noise they leave looks like associations. Those
// of bulges in discs are three quarters as wide, because they would blur nuclei. Spheres without a disc have nothing to blur.
const float kYoung = 0.4, kBulge = 0.58, kSphere = 2.67;
const float kDisc = 0.1;  // bodies of discs per body of the bulge from which on it is one in a disc

vec4 share_of_neighbours(vec4 bodies) {
  float in_disc = min((bodies.x + bodies.y) / (kDisc * bodies.z), 1.0);
  return vec4(1.0, kYoung, mix(kSphere, kBulge, in_disc), 1.0);
}

// What a level lacks; `bodies`: per cell of it. Where the density does not depend on the level, the sum of what each lacks is
// the one that has enough.
vec4 lacking(vec4 bodies, int k, float least) {
  bodies = max(bodies, 1e-6) * exp2(2.0 * float(k));
  return clamp(0.5 * log2(enough * share_of_neighbours(bodies) / bodies), least, 1.0);
}

void main() {
#if FINEST
  vec4 first = texture(coarser, 0.5 * gl_FragCoord.xy / vec2(textureSize(coarser, 0)));
  level = min(base + first + lacking(texelFetch(crowds[0], ivec2(gl_FragCoord.xy), 0), 0, -16.0), widest);
#else
  level = vec4(0.0);
  for (int k = 1; k < levels; ++k) {
    vec2 at = gl_FragCoord.xy * exp2(float(1 - k)) / vec2(textureSize(crowds[k], 0));
    level += lacking(texture(crowds[k], at), k, 0.0);
  }
#endif
}
