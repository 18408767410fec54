// A soft round star: the point spread function of a telescope (Moffat 1969, beta = 2), tapered to zero at the radius.
const float kMinSprite = 2.25;  // pixels; conserves the light to 0.5 % at any subpixel position
const float kCore = 1.5;          // pixels
const float kTightest = 40.0;     // maximum of (radius / core radius)^2
const float kPi = 3.14159265;

struct Sprite {
  vec2 at;
  float radius;
  float tight;
  float peak;  // fraction of the light in a pixel at the centre
};

// `core`: kCore, or more for a body that is larger than others.
Sprite sprite_at(vec2 at, float radius, float core) {
  float ratio = radius / core;
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
