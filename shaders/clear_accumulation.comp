#version 450 core
// Clears the accumulation image; on a GPU much faster than glClearNamedBufferData.

layout(local_size_x = 128) in;

layout(std430, binding = 1) buffer Light { uvec4 light[]; };
layout(location = 0) uniform uint count;  // pixels

void main() {
  uint i = gl_WorkGroupID.y * gl_NumWorkGroups.x * gl_WorkGroupSize.x + gl_GlobalInvocationID.x;
  if (i < count) light[i] = uvec4(0u);
}
