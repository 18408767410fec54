#version 450 core
// Where a star has been: line k of its instance joins the k-th newest of its points with the one before it.
#include "frame.glsl"
#include "vertex_layout.glsl"
#include "colors.glsl"

const uint kPoints = 65u;

layout(binding = 0) uniform usamplerBuffer places;  // a row of stars for each moment
layout(location = 0) uniform uint stars;            // in a row
layout(location = 1) uniform uint stride;           // from one to the next in the bodies' buffer
layout(location = 2) uniform uint head;             // the newest row
layout(location = 3) uniform uint as_ink;
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
  // Outside of what is drawn.
  gl_Position = hidden || gone ? vec4(2.0, 2.0, 2.0, 1.0) : frame.clip_from_world * vec4(here.x, here.y, here.z, 1.0);
  vec3 color = body_color(now.bits, uint(gl_InstanceID) * stride);
  color /= max(max(color.r, max(color.g, color.b)), 1e-6);  // the way of a faint star is seen as well as another
  light = strength[age] * (as_ink != 0u ? 1.0 - 0.6 * color : color);
}
