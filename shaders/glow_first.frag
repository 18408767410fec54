#version 450 core
// Mean light of 4 x 4 pixels: the finest level of the glow.
#include "frame.glsl"
#include "light.glsl"

layout(location = 0) flat in float gain;
layout(location = 0) out vec4 mean;

void main() {
  ivec2 first = ivec2(gl_FragCoord.xy) * 4;
  ivec2 last = frame.size - 1;
  vec3 sum = vec3(0.0);
  for (int y = 0; y < 4; ++y) {
    for (int x = 0; x < 4; ++x) sum += light_at(min(first + ivec2(x, y), last));
  }
  // Half floats end at 65504.
  mean = vec4(min(sum * (gain / 16.0), 60000.0), 1.0);
}
