// The light of a pixel with that of `wide`, the finest level of SmoothingPass, at a place in texels.
vec3 smoothed(vec3 sharp, sampler2D wide, vec2 at) { return sharp + texture(wide, at / vec2(textureSize(wide, 0))).rgb; }
