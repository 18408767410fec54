#version 450 core
// Copies every stride-th vertex of a range of the vertex buffer.

layout(local_size_x = 64) in;

#include "bodies.glsl"

layout(std430, binding = 1) writeonly buffer Copies { Vertex copies[]; };
layout(location = 0) uniform uint count;   // number of copied vertices
layout(location = 1) uniform uint first;   // first vertex
layout(location = 2) uniform uint stride;
layout(location = 3) uniform uint target;  // row of the first copy

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i < count) copies[target + i] = body_at(first + i * stride);
}
