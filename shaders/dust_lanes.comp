#version 450 core
// The factor that sharpens lanes: the light of few bodies is spread into them, and a cell of the grid is wider than a lane, so
// that they would be shallow. Where few bodies carry the dust, it is 1, because spots are no lanes.
layout(local_size_x = 8, local_size_y = 8) in;

#include "dust.glsl"

layout(binding = 0) uniform sampler2D columns;  // see dust_sum.comp
layout(binding = 0, r16f) uniform writeonly image2D lanes;
layout(location = 0) uniform float strength;    // weight of the difference from the four cells around
layout(location = 1) uniform float absorption;  // see DustView

const float kSureFrom = 12.0;  // bodies in the kernel of a cell from which lanes are told from single bodies
const float kLighter = 0.06;   // what sharpening takes from the light of a disc, which is brightest where the dust is

const ivec2 kNeighbours[4] = ivec2[](ivec2(1, 0), ivec2(-1, 0), ivec2(0, 1), ivec2(0, -1));

vec2 column_at(ivec2 at) { return texelFetch(columns, clamp(at, ivec2(0), dust.cells.xy - 1), 0).rg; }
// Half of the stars are behind the dust.
float passing(float depth) { return 0.5 + 0.5 * exp(-absorption * depth); }

void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  if (any(greaterThanEqual(at, dust.cells.xy))) return;
  float here = passing(column_at(at).r), around = 0.0;
  vec2 sum = vec2(0.0);
  for (int k = 0; k < 4; ++k) {
    vec2 column = column_at(at + kNeighbours[k]);
    around += 0.25 * passing(column.r);
    sum += column;
  }
  float bodies = sum.r * sum.r / max(4.0 * sum.g, 1e-9), square = bodies * bodies;
  float sharpened = strength * square / (square + kSureFrom * kSureFrom);
  float factor = max(1.0 + sharpened * (1.0 - around / here), 0.0);
  imageStore(lanes, at, vec4(factor * (1.0 + kLighter * strength * strength * (1.0 - here))));
}
