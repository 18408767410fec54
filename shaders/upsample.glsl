// A level of half the size, at the pixels of this one: four bilinear samples, which weigh three texels per axis. Software
// rendering fetches these nine, because a bilinear sample costs as much as four fetches.
// Sizes are rounded up, so positions follow from the factor of two, not from the fraction of the width.
#if SOFTWARE
vec3 row_of(sampler2D coarser, ivec3 x, int y, vec3 weights) {
  return weights.x * texelFetch(coarser, ivec2(x.x, y), 0).rgb + weights.y * texelFetch(coarser, ivec2(x.y, y), 0).rgb +
         weights.z * texelFetch(coarser, ivec2(x.z, y), 0).rgb;
}

vec3 upsampled(sampler2D coarser) {
  const vec3 kEven = vec3(0.375, 0.5, 0.125), kOdd = vec3(0.125, 0.5, 0.375);
  ivec2 pixel = ivec2(gl_FragCoord.xy), middle = pixel >> 1, last = textureSize(coarser, 0) - 1;
  ivec3 x = clamp(middle.x + ivec3(-1, 0, 1), ivec3(0), ivec3(last.x));
  ivec3 y = clamp(middle.y + ivec3(-1, 0, 1), ivec3(0), ivec3(last.y));
  vec3 across = (pixel.x & 1) == 0 ? kEven : kOdd, up = (pixel.y & 1) == 0 ? kEven : kOdd;
  return up.x * row_of(coarser, x, y.x, across) + up.y * row_of(coarser, x, y.y, across) +
         up.z * row_of(coarser, x, y.z, across);
}
#else
vec3 upsampled(sampler2D coarser) {
  vec2 at = gl_FragCoord.xy * 0.5 / vec2(textureSize(coarser, 0));
  vec2 texel = 0.5 / vec2(textureSize(coarser, 0));
  return 0.25 * (texture(coarser, at - texel).rgb + texture(coarser, at + vec2(texel.x, -texel.y)).rgb +
                 texture(coarser, at + vec2(-texel.x, texel.y)).rgb + texture(coarser, at + texel).rgb);
}
#endif
