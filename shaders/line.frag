#version 450 core
#include "lines.glsl"

layout(location = 0) flat in vec4 color;
layout(location = 1) noperspective in float side;
layout(location = 0) out vec4 shown;
layout(location = 44) uniform float line_width;

void main() { shown = vec4(color.rgb, color.a * line_coverage(side, line_width)); }
