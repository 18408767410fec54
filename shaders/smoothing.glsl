// Adaptive smoothing of an image in which single bodies are visible, on the levels of the bloom: a place keeps its light
// at the first level at which a pixel contains about one body, and passes the rest on. The light is conserved.
// (After Ebeling, White and Rangarajan 2006, doi:10.1111/j.1365-2966.2006.10135.x, with levels instead of kernels.)
const float kEnough = 0.4;  // bodies per pixel at which half of the light stays
const float kSharp = 0.12;  // share of the light that always stays at level 0, so that stars are visible

// Share of the light that stays at a level. `bodies`: per pixel of it. `last`: level at which all light stays.
float share_kept(float bodies, float level, float last) {
  float passed = clamp(last - level, 0.0, 1.0);
  float ratio = bodies * bodies / (kEnough * kEnough);
  float kept = 1.0 - passed / (1.0 + ratio * ratio);
  return level == 0.0 ? max(kept, kSharp) : kept;
}

float strongest(vec3 light) { return max(max(light.r, light.g), light.b); }

// The light of a pixel with that of `wide`, the finest smoothed level (smooth_up.frag), at a place in texels.
vec3 smoothed(vec3 sharp, sampler2D wide, vec2 at) {
  vec4 light = texture(wide, at / vec2(textureSize(wide, 0)));
  return light.a * sharp + light.rgb;
}
