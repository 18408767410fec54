// Dust in a grid over the view: columns are equal parts of the frame, slices equal parts of the depth between `near` and `far`.
// Same fields as in render/dust_pass.cpp.
layout(std140, binding = 3) uniform Dust {
  mat4 clip_from_world;  // projection of the whole frame
  ivec4 cells;           // columns, rows, slices, unused
  float near, far;       // depths
  float height;          // frame height at depth 1, in scene units
  float aspect;
  float opacity;         // optical depth times area of all dust of one galaxy
  float volume;          // dust mass of a disc divided by the density at its centre
} dust;

const float kDustUnit = 3.0;    // increment of a cell per unit of dust; the dust of 8 million bodies does not overflow
const uint kDustSquares = 64u;  // unit of the sum of squares, for the same reason

// Place in the grid, 0 to 1 in each direction.
vec3 dust_place(vec4 clip) {
  return vec3(clip.xy / clip.w * 0.5 + 0.5, (clip.w - dust.near) / (dust.far - dust.near));
}
