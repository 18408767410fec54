// Uniforms of one frame; same fields as in render/shader_interface.h.
layout(std140, binding = 0) uniform Frame {
  mat4 clip_from_world;
  ivec2 size;           // size of the accumulation image, pixels
  uint color_mode;      // 0 stars, 1 origin or type, else a scalar
  uint show_halo;
  float units;          // fixed-point value of the total light of a body in one channel
  float radius;         // radius of a soft sprite at depth 1, pixels
  float low, high;      // scalars at the two ends of the colour map
  float gain;           // light per accumulated unit, times the number of visible bodies
  float bloom;          // fraction of the light that blooms
  float min_radius, max_radius;  // limits of the radius of a soft sprite, pixels
  ivec2 first;          // lower left pixel of the accumulation image in the whole frame
  float stops;          // manual exposure
  uint color_map;       // colour map of scalars; with color_mode 1 the set of galaxy colours, or kTypeColors
  float dust;           // strength of its absorption; 0: no dust
  uint halo_fog;        // 1: bodies of halos are drawn by halo.comp
  float near, far;      // depths of the scene around the target of the camera
  float depth_cue;      // share of the light that a body at depth `far` loses
  float age;            // of the scene, Gyr; 0 if it is not known
  float turn_off;       // of its oldest stars: `heavier` in colors.glsl
  float knots;          // number of H II regions that are drawn, with the light of all, in units of what there are
} frame;
