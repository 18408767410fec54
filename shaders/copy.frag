#version 450 core
// An image, stretched over the viewport.
layout(binding = 0) uniform sampler2D image;
layout(location = 0) uniform vec2 first;  // lower left pixel of the viewport
layout(location = 1) uniform vec2 size;   // viewport size, pixels
layout(location = 0) out vec4 color;

void main() { color = texture(image, (gl_FragCoord.xy - first) / size); }
