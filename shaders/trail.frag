#version 450 core
layout(location = 0) in vec3 light;
layout(location = 0) out vec4 shown;

void main() { shown = vec4(light, 0.0); }
