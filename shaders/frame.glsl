// What holds for one picture; render/frame_uniforms.h has the same fields.
layout(std140, binding = 0) uniform Frame {
  mat4 clip_from_world;
  ivec2 size;           // of the accumulation image, pixels
  uint color_mode;      // 0 stars, 1 origin, else a scalar
  uint show_halo;
  float units;          // fixed-point value of a body's whole light in one channel
  float radius;         // of a soft sprite at depth 1, pixels
  float low, high;      // scalars at the two ends of the colour map
  float gain;           // light of the picture per accumulated unit, times the number of visible bodies
  float glow;           // share of the light that spreads
  float least_radius, most_radius;  // of a soft sprite, pixels
  ivec2 first;          // lower left pixel of the accumulation image in the whole picture
  uint tone;            // 0 filmic, 1 asinh
  uint ground;          // 0 dark, 1 light
  float stops;          // manual exposure
  uint color_map;
} frame;
