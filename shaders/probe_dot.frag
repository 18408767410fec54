#version 450 core
layout(location = 0) noperspective in vec2 offset;
layout(location = 1) uniform vec4 dot_color;
layout(location = 2) uniform float radius;
layout(location = 3) uniform float hole;  // radius of the inner edge of a ring; negative: a disc
layout(location = 0) out vec4 shown;

void main() {
  float distance = length(offset);
  float coverage = clamp(radius + 0.5 - distance, 0.0, 1.0) * clamp(distance - hole + 0.5, 0.0, 1.0);
  shown = vec4(dot_color.rgb, dot_color.a * coverage);
}
