#version 450 core
// Resolves the cells of halo.comp; drawn with addition.
#include "frame.glsl"
#include "accumulation.glsl"

layout(binding = 3) uniform usamplerBuffer cells;
layout(location = 0) uniform ivec2 size;  // image size in cells
layout(location = 1) uniform int side;    // cell size, pixels
layout(location = 0) out vec4 color;

void main() {
  ivec2 cell = min(ivec2(gl_FragCoord.xy), size - 1);
  vec3 units = vec3(texelFetch(cells, cell.y * size.x + cell.x).rgb);
  color = vec4(light_gain() * units / float(side * side), 0.0);
}
