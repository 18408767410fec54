#version 450 core
layout(location = 0) flat in vec2 center;
layout(location = 1) flat in mat2 to_spot;
layout(location = 3) flat in vec4 spot;
layout(location = 0) out vec4 shown;

void main() {
  float distance = length(to_spot * (gl_FragCoord.xy - center));
  float profile = exp(spot.a > 0.5 ? -distance : -0.5 * distance * distance);
  shown = vec4(spot.rgb * profile, 0.0);
}
