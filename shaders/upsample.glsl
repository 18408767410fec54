// A level of half the size, at the pixels of this one, with weights without steps; `corners`: of the level, see
// corners.frag. Sizes are rounded up, so positions follow from the factor of two, not from the fraction of the width.
vec3 upsampled(sampler2D corners) {
  return texture(corners, (0.5 * gl_FragCoord.xy + 0.5) / vec2(textureSize(corners, 0))).rgb;
}
