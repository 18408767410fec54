#version 450 core
// Bodies per cell, each kind by itself. FIRST 1: from the counts. 0: in cells of twice the side, the mean of the finer ones, with
// the weights of bloom_down.frag.
layout(location = 0) out vec4 bodies;

#if FIRST
layout(binding = 0) uniform usamplerBuffer cells;
layout(location = 0) uniform int width;  // cells

const float kMost = 60000.0;  // the maximum of a half float is 65504

void main() {
  bodies = min(vec4(texelFetch(cells, int(gl_FragCoord.y) * width + int(gl_FragCoord.x))), kMost);
}
#else
layout(binding = 1) uniform sampler2D finer;

const float kOffset = 0.75;

void main() {
  vec2 texel = 1.0 / vec2(textureSize(finer, 0));
  vec2 at = gl_FragCoord.xy * 2.0 * texel;
  vec2 off = kOffset * texel;
  bodies = 0.25 * (texture(finer, at - off) + texture(finer, at + vec2(off.x, -off.y)) +
                   texture(finer, at + vec2(-off.x, off.y)) + texture(finer, at + off));
}
#endif
