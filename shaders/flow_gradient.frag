#version 450 core
// Structure tensor (Bigun and Granlund 1987) of the logarithm of the light, in texels of half the size: xx, xy, yy of the products of its
// slopes, as mean over four of them.
layout(binding = 0) uniform sampler2D logarithm;  // flow_light.frag
layout(location = 0) uniform float divider;       // column between two images in it, over which nothing is compared
layout(location = 0) out vec3 tensor;

void main() {
  ivec2 last = textureSize(logarithm, 0) - 1;
  tensor = vec3(0.0);
  for (int k = 0; k < 4; ++k) {
    ivec2 at = min(2 * ivec2(gl_FragCoord.xy) + ivec2(k & 1, k >> 1), last);
    if (abs(float(at.x) + 0.5 - divider) < 2.0) continue;
    ivec2 low = max(at - 1, ivec2(0)), high = min(at + 1, last);
    vec2 slope = 0.5 * vec2(texelFetch(logarithm, ivec2(high.x, at.y), 0).r - texelFetch(logarithm, ivec2(low.x, at.y), 0).r,
                            texelFetch(logarithm, ivec2(at.x, high.y), 0).r - texelFetch(logarithm, ivec2(at.x, low.y), 0).r);
    tensor += 0.25 * vec3(slope.x * slope.x, slope.x * slope.y, slope.y * slope.y);
  }
}
