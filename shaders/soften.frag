#version 450 core
// A level of spread light, each pixel spread over nine by a cubic B-spline.
layout(binding = 0) uniform sampler2D light;
layout(location = 0) out vec4 softened;

void main() {
  const float kWeights[3] = {0.1667, 0.6667, 0.1667};
  ivec2 last = textureSize(light, 0) - 1;
  vec3 sum = vec3(0.0);
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 3; ++x) {
      ivec2 at = clamp(ivec2(gl_FragCoord.xy) + ivec2(x, y) - 1, ivec2(0), last);
      sum += kWeights[x] * kWeights[y] * texelFetch(light, at, 0).rgb;
    }
  softened = vec4(sum, 1.0);
}
