#version 450 core
// An image, stretched over the viewport.
layout(binding = 0) uniform sampler2D image;
layout(location = 0) in vec2 place;
layout(location = 0) out vec4 color;

void main() { color = texture(image, place); }
