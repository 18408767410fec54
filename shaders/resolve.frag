#version 450 core
// A level of the accumulated light that is spread.
#include "frame.glsl"
#include "accumulation.glsl"

layout(location = 0) uniform ivec2 place;  // number of its first pixel, width
layout(location = 1) uniform float area;   // pixels of the image per pixel of it
layout(location = 0) flat in float gain;
layout(location = 0) out vec4 color;

void main() {
  int pixel = place.x + int(gl_FragCoord.y) * place.y + int(gl_FragCoord.x);
  color = vec4(vec3(texelFetch(light, pixel).rgb) * (gain / area), 1.0);
}
