#version 450 core
// The trail of a star: line k of its instance connects the k-th newest point to the one before it.
#include "frame.glsl"
#include "vertex_layout.glsl"
#include "colors.glsl"

const uint kPoints = 65u;

layout(binding = 0) uniform usamplerBuffer places;  // one row of stars per time
layout(location = 0) uniform uint stars;            // stars per row
layout(location = 1) uniform uint stride;           // distance of the stars in the vertex buffer
layout(location = 2) uniform uint head;             // the newest row
layout(location = 3) uniform uint on_light_background;
layout(location = 4) uniform float strength[kPoints];
layout(location = 0) out vec3 light;

Vertex point(uint age) {
  uvec4 row = texelFetch(places, int((head + kPoints - age) % kPoints * stars + uint(gl_InstanceID)));
  return Vertex(uintBitsToFloat(row.x), uintBitsToFloat(row.y), uintBitsToFloat(row.z), row.w);
}

void main() {
  uint newer = uint(gl_VertexID) >> 1, age = newer + (uint(gl_VertexID) & 1u);
  Vertex now = point(0u), here = point(age), other = point(2u * newer + 1u - age);
  bool hidden = frame.show_halo == 0u && component_of(now.bits) == kComponentHalo;
  bool gone = strength[newer] <= 0.0 || !is_finite(here) || !is_finite(other);
  // Moves hidden points outside the clip volume.
  gl_Position = hidden || gone ? vec4(2.0, 2.0, 2.0, 1.0) : frame.clip_from_world * vec4(here.x, here.y, here.z, 1.0);
  vec3 color = body_color(now.bits, 0.0, uint(gl_InstanceID) * stride);
  color /= max(max(color.r, max(color.g, color.b)), 1e-6);  // trails of faint stars are as visible as others
  light = strength[age] * (on_light_background != 0u ? 1.0 - 0.6 * color : color);
}
