// A star as a soft round disc: the tight core and wide wings of a telescope's image (Moffat 1969, beta = 2), let down to
// nothing at the radius.
const float kLeastSprite = 2.25;  // pixels; with this core sums over pixels keep the light to 0.5 % wherever it stands
const float kCore = 1.5;          // pixels
const float kTightest = 40.0;     // square of a large sprite's radius over that of its core
const float kPi = 3.14159265;

struct Sprite {
  vec2 at;
  float radius;
  float tight;
  float peak;  // share of its light in a pixel at its middle
};

Sprite sprite_at(vec2 at, float radius) {
  float ratio = radius / kCore;
  float tight = min(ratio * ratio, kTightest);
  // The integral of ((1 - q) / (1 + tight q))^2 over q from 0 to 1.
  float a = 1.0 + tight;
  float integral = (a * a - 1.0 - 2.0 * a * log(a)) / (tight * tight * tight);
  return Sprite(at, radius, tight, 1.0 / (kPi * radius * radius * integral));
}

float share_of(Sprite sprite, vec2 place) {
  vec2 offset = (place - sprite.at) / sprite.radius;
  float square = dot(offset, offset);
  float height = max(1.0 - square, 0.0) / (1.0 + sprite.tight * square);
  return sprite.peak * height * height;
}
