#version 450 core
// The edges of a cell of the tree: 12 of a box, or the first 4 of a rectangle.
#include "frame.glsl"

layout(location = 0) in vec3 center;
layout(location = 1) in vec3 half_width;
layout(location = 2) in int level;
layout(location = 0) flat out vec4 color;
layout(location = 0) uniform float level_opacity[32];

const int kLevelsOfRamp = 12;
const vec3 kRamp[5] = vec3[](vec3(1.00, 0.45, 0.35), vec3(1.00, 0.78, 0.30), vec3(0.45, 0.90, 0.50),
                             vec3(0.30, 0.75, 1.00), vec3(0.65, 0.55, 1.00));

vec3 level_color(int at_level) {
  float at = 4.0 * float(clamp(at_level, 0, kLevelsOfRamp)) / float(kLevelsOfRamp);
  int below = min(int(at), 3);
  return mix(kRamp[below], kRamp[below + 1], at - float(below));
}

void main() {
  // Edge 0-3 runs around the lower square, 4-7 around the upper one, 8-11 between them.
  int edge = gl_VertexID >> 1;
  int corner = (edge + (edge < 8 ? gl_VertexID & 1 : 0)) & 3;
  bool upper = edge < 8 ? edge >= 4 : (gl_VertexID & 1) == 1;
  vec3 sign_of = vec3(corner == 1 || corner == 2 ? 1 : -1, corner >= 2 ? 1 : -1, upper ? 1 : -1);
#if FLAT
  sign_of.z = 0.0;
#endif
  gl_Position = frame.clip_from_world * vec4(center + half_width * sign_of, 1.0);
  color = vec4(level_color(level), level_opacity[clamp(level, 0, 31)]);
}
