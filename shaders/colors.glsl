// Colour of a body; no channel exceeds 1, which the fixed-point range relies on.

// Okabe-Ito palette (Okabe and Ito 2008, "Color Universal Design"), the dark ones lifted so that they shine on black.
const vec3 kGalaxyColors[7] = vec3[](
    vec3(0.12, 0.50, 1.00), vec3(1.00, 0.56, 0.05), vec3(0.10, 0.85, 0.55), vec3(0.95, 0.45, 0.70),
    vec3(0.95, 0.88, 0.25), vec3(0.45, 0.78, 1.00), vec3(1.00, 0.38, 0.10));

// Plasma (Smith and van der Walt 2015, CC0) at equal steps, its dark end lifted: a slow star must be seen on black.
const vec3 kSpeedColors[9] = vec3[](
    vec3(0.16, 0.17, 0.80), vec3(0.34, 0.13, 0.85), vec3(0.53, 0.12, 0.80), vec3(0.70, 0.18, 0.66),
    vec3(0.84, 0.29, 0.50), vec3(0.93, 0.42, 0.36), vec3(0.98, 0.58, 0.23), vec3(0.99, 0.76, 0.15),
    vec3(0.96, 0.97, 0.45));

// A number in 0..1 that stays with a body: its place in the buffer may change from step to step, its tag does not.
// Bodies of one birth radius share it, so only a slight variation draws no rings.
float variation(uint bits) {
  uint h = (bits >> 4 & 0xFFFu) * 747796405u + 2891336453u;
  h = (h >> (h >> 28) + 4u ^ h) * 277803737u;
  return float(h >> 8 & 0xFFFFu) / 65535.0;
}

vec3 disc_color(uint bits) {
  // Young, blue stars lie further out than old ones.
  float outer = smoothstep(0.0, 0.40, float(radius_byte_of(bits)) / 255.0);
  return mix(vec3(1.00, 0.78, 0.54), vec3(0.40, 0.63, 1.00), outer) * (0.85 + 0.15 * variation(bits));
}

vec3 component_color(uint bits) {
  uint component = component_of(bits);
  if (component == kComponentDisc) return disc_color(bits);
  if (component == kComponentBulge) return vec3(0.75, 0.54, 0.29);
  if (component == kComponentHalo) return vec3(0.16, 0.14, 0.22);
  return vec3(0.80, 0.86, 1.00);
}

vec3 speed_color(float speed) {
  if (!is_finite(speed)) return kSpeedColors[8];
  float at = clamp((speed - frame.low) / (frame.high - frame.low), 0.0, 1.0) * 8.0;
  int below = min(int(at), 7);
  return mix(kSpeedColors[below], kSpeedColors[below + 1], at - float(below));
}

vec3 body_color(uint bits) {
  if (frame.color_mode == 0u) return component_color(bits);
  vec3 color = frame.color_mode == 1u ? kGalaxyColors[galaxy_of(bits) % 7u] : speed_color(speed_of(bits));
  return component_of(bits) == kComponentHalo ? 0.2 * color : color;
}
