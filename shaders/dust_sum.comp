#version 450 core
// Optical depth from the camera to the middle of each cell, and density there, in units of the mean of a disc.
layout(local_size_x = 8, local_size_y = 8) in;

#include "dust.glsl"

layout(std430, binding = 1) readonly buffer Cells { uint galaxies, total, squares; uint cells[]; };
layout(binding = 0, rg16f) uniform writeonly image3D dust_cells;
layout(binding = 1, rg16f) uniform writeonly image2D columns;  // optical depth of a whole column, and variance of this by chance

const float kNoise = 0.6;  // share of the noise of bodies at random places that those of a galaxy have
const float kMaxDensity = 1000.0;
const float kSpread = 0.23;  // integral of the squared weight of a body: a cubic B-spline in two directions

// Optical depth of a column, corrected for the noise of its number of bodies, each of optical depth `one`: on average, a
// factor exp(-one) per body passes more light than the mean column does. With Poisson noise, (1 - one) passes as much.
float without_noise(float depth, float one) { return depth * -log(1.0 - one) / one; }
// The same factor where half of the column is in front, and so half of `one`; to 3 %.
float half_without_noise(float one) { return 1.0 + one * (0.25 + one / 12.0); }

uint units(ivec2 column, int slice) {
  return cells[(slice * dust.cells.y + column.y) * dust.cells.x + column.x];
}

void main() {
  ivec2 column = ivec2(gl_GlobalInvocationID.xy);
  ivec3 size = dust.cells.xyz;
  if (any(greaterThanEqual(column, size.xy))) return;
  float share = float(bitCount(galaxies)) / (kDustUnit * float(max(total, 1u)));  // share of a galaxy's dust per unit
  float typical = kDustUnit * float(kDustSquares) * float(squares) / float(max(total, 1u));  // units of a body, weighted by its dust
  float length = (dust.far - dust.near) / float(size.z), density_per_column = dust.volume / length;
  float per_unit = share * float(size.x * size.y) / (dust.height * dust.height * dust.aspect);  // at depth 1, per area
  float typical_one = kSpread * dust.opacity * typical * per_unit;
  float before = 0.0, variance = 0.0;
  int k = 0;
#if SOFTWARE
  while (k < size.z && units(column, k) == 0u) ++k;  // nothing is before the first dust, as in most columns
#endif
  for (; k < size.z; ++k) {
    float depth = dust.near + (float(k) + 0.5) * length, farther = 1.0 / (depth * depth);
    float column_density = per_unit * farther * float(units(column, k));
    float one = clamp(kNoise * typical_one * farther, 1e-4, 0.9);
    float here = without_noise(dust.opacity * column_density, one);
    float density = min(density_per_column * column_density, kMaxDensity);
    float to_middle = 0.5 * dust.opacity * column_density * half_without_noise(one);
    imageStore(dust_cells, ivec3(column, k), vec4(before + to_middle, density, 0.0, 0.0));
    before += here;
    variance += here * one;
  }
  imageStore(columns, column, vec4(before, variance, 0.0, 0.0));
}
