#version 450 core
// Means of the four texels around each corner of a level. A bilinear sample of them (upsample.glsl) is the mean of four
// samples of the level, half a texel from it along each axis. MIXED 1: of two levels.
layout(binding = 1) uniform sampler2D level;
#if MIXED
layout(binding = 2) uniform sampler2D other;
#endif
layout(location = 0) uniform float share;  // of `level`
layout(location = 0) out vec4 mean;

void main() {
  vec2 corner = (gl_FragCoord.xy - 0.5) / vec2(textureSize(level, 0));
  mean = share * texture(level, corner);
#if MIXED
  mean += (1.0 - share) * texture(other, corner);
#endif
}
