// Shared by edges and faces of boxes; see render/box_mesh.h.
layout(location = 0) in vec3 center;
layout(location = 1) in vec3 half_width;
layout(location = 2) in int level;

layout(location = 8) uniform float level_opacity[32];
layout(location = 40) uniform float scale;    // pixels per unit length at clip w = 1
layout(location = 41) uniform float legible;  // width in pixels below which a box fades
layout(location = 42) uniform uint is_flat;
layout(location = 43) uniform float focus;    // clip w beyond which boxes fade
layout(location = 46) uniform float shown_size;
layout(location = 48) uniform vec3 palette[21];

// Projected width in pixels.
float box_pixels() {
  float w = (frame.clip_from_world * vec4(center, 1.0)).w;
  float widest = max(half_width.x, max(half_width.y, half_width.z));
  // The camera is inside the box.
  return w > widest ? 2.0 * widest * scale / w : 1e6;
}

vec4 box_color() {
  float fade = clamp(box_pixels() / legible, 0.0, 1.0);
  float depth = clamp(focus / max((frame.clip_from_world * vec4(center, 1.0)).w, 1e-30), 0.3, 1.0);
  return vec4(palette[clamp(level, 0, 20)], level_opacity[clamp(level, 0, 31)] * fade * fade * depth * depth);
}

vec4 box_corner(int corner) {
  vec3 sign_of = vec3((corner & 1) == 0 ? -1.0 : 1.0, (corner & 2) == 0 ? -1.0 : 1.0, (corner & 4) == 0 ? -1.0 : 1.0);
  if (is_flat != 0u) sign_of.z = 0.0;
  return frame.clip_from_world * vec4(center + shown_size * half_width * sign_of, 1.0);
}
