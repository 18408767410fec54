#version 450 core
// Where light changes least: cosine and sine of twice the angle, with the length 0 (no direction) to 1.
layout(binding = 0) uniform sampler2D tensors;  // flow_gradient.frag
layout(location = 0) out vec2 direction;

const float kFlat = 0.01;  // squared slope, in factors of two per texel of the light, that is not more than noise

void main() {
  const float kWeights[5] = {0.0625, 0.25, 0.375, 0.25, 0.0625};
  ivec2 last = textureSize(tensors, 0) - 1;
  vec3 tensor = vec3(0.0);
  for (int y = 0; y < 5; ++y)
    for (int x = 0; x < 5; ++x) {
      ivec2 at = clamp(ivec2(gl_FragCoord.xy) + ivec2(x, y) - 2, ivec2(0), last);
      tensor += kWeights[x] * kWeights[y] * texelFetch(tensors, at, 0).rgb;
    }
  // Across the largest slope.
  direction = vec2(tensor.z - tensor.x, -2.0 * tensor.y) / (tensor.x + tensor.z + kFlat);
}
