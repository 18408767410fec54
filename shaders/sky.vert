#version 450 core
// A spot of the sky, as a rectangle around its centre. Places refer to the whole image, so that tiles match.
layout(location = 0) in vec4 place;    // centre and long axis, pixels
layout(location = 1) in vec4 look;     // colour at the centre; length of the short axis, pixels
layout(location = 2) in float galaxy;  // 1: exponential profile, 0: Gaussian
layout(location = 0) uniform vec2 first;  // lower left pixel of the tile in the image
layout(location = 1) uniform vec2 size;   // tile size, pixels
layout(location = 0) flat out vec2 center;  // pixels of the tile
layout(location = 1) flat out mat2 to_spot; // maps pixels to lengths of the axes
layout(location = 3) flat out vec4 spot;    // colour, profile

const float kReach = 3.2, kGalaxyReach = 5.5;  // lengths of the axes, where the profile is below a step of the display

void main() {
  vec2 corner = vec2((gl_VertexID & 1) == 0 ? -1.0 : 1.0, (gl_VertexID & 2) == 0 ? -1.0 : 1.0);
  float along = length(place.zw), across = look.a;
  vec2 ahead = place.zw / along, aside = vec2(-ahead.y, ahead.x);
  corner *= galaxy > 0.5 ? kGalaxyReach : kReach;
  center = place.xy - first;
  to_spot = transpose(mat2(ahead / along, aside / across));
  spot = vec4(look.rgb, galaxy);
  vec2 at = center + corner.x * along * ahead + corner.y * across * aside;
  gl_Position = vec4(2.0 * at / size - 1.0, 0.0, 1.0);
}
