#version 450 core
// Optical depth from the camera to the middle of each cell, and density there, in units of the mean of a disc.
layout(local_size_x = 8, local_size_y = 8) in;

#include "dust.glsl"

layout(std430, binding = 1) readonly buffer Cells { uint galaxies, total, squares; uint cells[]; };
layout(binding = 0, rg16f) uniform writeonly image3D dust_cells;

const float kUnit = 16.0;
const float kMaxDensity = 1000.0;
const float kSpread = 0.23;  // integral of the squared weight of a body: a cubic B-spline in two directions

// Optical depth of a column, corrected for the noise of its number of bodies, each of optical depth `one`: on average, a
// factor exp(-one) per body passes more light than the mean column does. With Poisson noise, (1 - one) passes as much.
float without_noise(float depth, float one) { return depth * -log(1.0 - one) / one; }

void main() {
  ivec2 column = ivec2(gl_GlobalInvocationID.xy);
  ivec3 size = dust.cells.xyz;
  if (any(greaterThanEqual(column, size.xy))) return;
  float share = float(bitCount(galaxies)) / (kUnit * float(max(total, 1u)));  // share of a galaxy's dust per unit
  float typical = kUnit * float(squares) / float(max(total, 1u));  // units of a body, weighted by its dust
  float length = (dust.far - dust.near) / float(size.z);
  float before = 0.0;
  for (int k = 0; k < size.z; ++k) {
    float depth = mix(dust.near, dust.far, (float(k) + 0.5) / float(size.z));
    float side = dust.height * depth;
    float area = side * side * dust.aspect / float(size.x * size.y);
    float column_density = share * float(cells[(k * size.y + column.y) * size.x + column.x]) / area;
    float one = clamp(kSpread * dust.opacity * typical * share / area, 1e-4, 0.9);
    float here = without_noise(dust.opacity * column_density, one);
    float density = min(dust.volume * column_density / length, kMaxDensity);
    imageStore(dust_cells, ivec3(column, k), vec4(before + 0.5 * here, density, 0.0, 0.0));
    before += here;
  }
}
