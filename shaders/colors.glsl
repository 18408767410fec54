// Colour of a body, as light. No channel exceeds 1; the fixed-point range relies on this.

const int kMapSteps = 33;

// Colours of render/color_map.h as light; same fields as there.
layout(std140, binding = 1) uniform Colors {
  vec4 maps[4 * kMapSteps];
  vec4 inner[2 * 7], outer[2 * 7];  // galaxy colours: the safe set, then the bright one
  vec4 classes[7];          // O B A F G K M
  vec4 gas, halo, other, unknown;
  vec4 marked[2];           // screen values, on a dark and on a light background
} colors;

// Uniform random number in [0, 1) per body; vertex i is always body i. PCG hash, Jarzynski and Olano 2020, Journal of
// Computer Graphics Techniques 9(3).
float chance(uint index) {
  uint h = index * 747796405u + 668265263u;
  h = (h >> (h >> 28) + 4u ^ h) * 277803737u;
  return float((h >> 22 ^ h) >> 8) / 16777216.0;
}

// Stellar masses follow Salpeter 1955 (doi:10.1086/145971), dN/dm ~ m^-2.35: the number of stars above m solar masses is
// `heavier` = m^-1.35. The values are at the class limits of 16, 2.1, 1.4, 1.04, 0.8 and 0.45 solar masses (Habets and
// Heintze 1981).
const float kHeavier[6] = float[](0.0237, 0.367, 0.635, 0.948, 1.351, 2.939);

vec3 class_color(float heavier) {
  int number = 0;
  for (int k = 0; k < 6; ++k) number += heavier >= kHeavier[k] ? 1 : 0;
  return colors.classes[number].rgb;
}

// Stars whose `heavier` values are equally likely between two limits. Their light grows with mass, but much less than for real
// stars, or a few would outshine a galaxy. The mean light is 15/64 of the brightest.
struct Population {
  float fewest, most;  // `heavier` values
  float light;         // relative to that of other populations
  float nebulae;       // share of H II regions
};

const float kBrightest = 8.0;  // light of the brightest, in units of the faintest

vec3 star_color(Population stars, float u) {
  return class_color(mix(stars.fewest, stars.most, u)) * min(inversesqrt(max(u, 1e-6)), kBrightest) / kBrightest;
}

// A star of known mass, in solar masses. The light of real stars would differ more.
const float kHeaviestStar = 8.0, kFaintestStar = 0.025;
vec3 star_of_mass(float mass) {
  return class_color(pow(max(mass, 0.03), -1.35)) * mix(kFaintestStar, 1.0, min(mass / kHeaviestStar, 1.0));
}

// Stars form in the spiral arms: there young, massive stars dominate, and ionise gas (H II regions). Between the arms the
// disc is old, most of all inside. Its light there is a third to a half of that on the arms in blue, as in galaxies with clear
// arms.
const float kOldDisc = 0.28, kBulge = 0.7;           // light relative to that of young stars
const float kFirstKnot = 2.0, kBrightestKnot = 6.0;  // times the density at the start, between which knots light up
const float kKnotLight = 1.5;                         // light that is added to the brightest
const float kNebulae = 0.05, kKnotNebulae = 0.15;    // share of H II regions among young stars: inside, and in knots
const float kNebulaLight = 0.5;

// How far the cold matter has been compressed where a body is, 0 to 1. `density`: in units of the centre of a disc, which
// was exponential.
float knot(float density, float birth) { return smoothstep(kFirstKnot, kBrightestKnot, density * exp(min(birth, 5.0))); }

float birth_of(uint bits) { return kBirthRange * float(radius_byte_of(bits)) / 255.0; }

Population old_disc(float birth) {
  float outside = smoothstep(0.2, 3.0, birth);
  return Population(mix(0.9, 0.38, outside), mix(3.6, 2.4, outside), kOldDisc, 0.0);
}

// At the start of a scene. One population for all components, because software rendering executes every branch.
Population population_of(uint bits, float density) {
  // Bulge: old, without stars above 1.1 solar masses.
  if (component_of(bits) != kComponentDisc) return Population(0.88, 4.2, kBulge, 0.0);
  float birth = birth_of(bits);
  if (is_young(bits)) {
    float compressed = knot(density, birth), share = smoothstep(0.3, 1.5, birth);
    return Population(mix(0.4, 0.0, share), mix(2.0, 1.0, share), 1.0 + kKnotLight * compressed,
                      kNebulae * (1.0 - smoothstep(2.5, 4.5, birth)) + kKnotNebulae * compressed);
  }
  return old_disc(birth);
}

// Share of young stars that are still replaced. Gas is used up first where it is dense: inside, and where it was driven
// together, as in remnants.
const float kUse = 3.0;  // rate in the centre of a disc, per Gyr
float still_forming(uint bits, float density) {
  if (component_of(bits) != kComponentDisc || !is_young(bits)) return 1.0;
  return exp(-kUse * frame.age * max(exp(-birth_of(bits)), min(density, 1.0)));
}

// The others become the old disc; the most massive die first.
Population aged(Population start, uint bits, float forming) {
  Population old = old_disc(birth_of(bits));
  return Population(mix(min(max(frame.turn_off, start.fewest), old.fewest), start.fewest, forming),
                    mix(old.most, start.most, forming), mix(old.light, start.light, forming), start.nebulae);
}

// Whether the population of a body is known; otherwise it has a colour of its own.
bool has_population(uint bits) {
  return component_of(bits) == kComponentDisc || component_of(bits) == kComponentBulge;
}

bool has_mass(uint bits) { return component_of(bits) == kComponentOther && is_young(bits); }

vec3 color_without_population(uint bits) {
  if (component_of(bits) == kComponentHalo) return colors.halo.rgb;
  return is_young(bits) ? star_of_mass(birth_of(bits)) : colors.other.rgb;
}

bool is_nebula(float share, uint index) { return chance(~index) < share; }

vec3 stars_color(uint bits, float density, uint index) {
  if (!has_population(bits)) return color_without_population(bits);
  float forming = still_forming(bits, density);
  Population stars = aged(population_of(bits, density), bits, forming);
  vec3 light = min(stars.light * star_color(stars, chance(index)), 1.0);
  return is_nebula(stars.nebulae, index) ? mix(light, kNebulaLight * colors.gas.rgb, forming) : light;
}

bool is_unknown(float scalar) { return is_finite(scalar) && scalar <= kNoScalar; }

// Home galaxy and birth radius, or the type of the body.
const uint kTypeColors = 2u;
vec3 origin_color(uint bits) {
  if (frame.color_map == kTypeColors) {
    float type = scalar_of(bits);
    return is_unknown(type) ? colors.unknown.rgb : colors.outer[uint(type + 0.5) % 7u].rgb;
  }
  uint galaxy = galaxy_of(bits) % 7u + 7u * frame.color_map;
  return mix(colors.inner[galaxy].rgb, colors.outer[galaxy].rgb, min(birth_of(bits) / 5.0, 1.0));
}

// Place of a scalar on the colour map, 0 to 1.
float map_place(float scalar) {
  return is_finite(scalar) ? clamp((scalar - frame.low) / max(frame.high - frame.low, 1e-6), 0.0, 1.0) : 1.0;
}

vec3 map_light(float place) {
  float at = place * float(kMapSteps - 1);
  int below = min(int(at), kMapSteps - 2);
  int first = int(frame.color_map) * kMapSteps + below;
  return mix(colors.maps[first].rgb, colors.maps[first + 1].rgb, at - float(below));
}

vec3 scalar_color(float scalar) { return is_unknown(scalar) ? colors.unknown.rgb : map_light(map_place(scalar)); }

// COLORS is 0 for stars, 1 for the origin and 2 for a scalar.
#ifndef COLORS
#define COLORS min(frame.color_mode, 2u)
#endif
bool shows_scalar() { return COLORS == 2u; }

const float kHaloLight = 0.2;  // relative to other bodies

// `index`: vertex index in the whole buffer. `density`: of cold matter where the body is, see knot().
vec3 body_color(uint bits, float density, uint index) {
  if (COLORS == 0u) return stars_color(bits, density, index);
  vec3 color = COLORS == 1u ? origin_color(bits) : scalar_color(scalar_of(bits));
  return component_of(bits) == kComponentHalo ? kHaloLight * color : color;
}

// The same for a body of a halo, which is fog unless the colour is that of a scalar.
vec3 fog_color(uint bits) { return COLORS == 0u ? colors.halo.rgb : kHaloLight * origin_color(bits); }

// What a body adds to an image in which the light of faint stars is spread: `sharp` at its own place, `wide` over the distance to
// its neighbours. On average over many bodies, the sum is body_color() (nearly so where stars have aged).
struct Shine {
  vec3 sharp, wide;
  float narrower;  // levels by which the light is spread less
};

const float kSharp = 0.12;        // share of the light of a body that stays sharp, if its population is not known
const float kHotSharp = 0.15;     // the same for O and B stars of many bodies
const float kKnotNarrower = 1.0;  // levels by which an H II region of many bodies is smaller than the kernel of young stars

// Light of the share `u` of a population, the brightest: integral of that of star_color().
float light_up_to(float u, float brightest) {
  return u * brightest * brightest < 1.0 ? brightest * u : 2.0 * sqrt(u) - 1.0 / brightest;
}

// Mean light of the spectral classes of a population, and that of its O and B stars in `hot`.
vec3 mean_color(Population stars, out vec3 hot) {
  float brightest = kBrightest / max(stars.light, 1.0), before = 0.0;
  vec3 sum = vec3(0.0);
  for (int k = 0; k < 7; ++k) {
    float u = k < 6 ? clamp((kHeavier[min(k, 5)] - stars.fewest) / (stars.most - stars.fewest), 0.0, 1.0) : 1.0;
    float after = light_up_to(u, brightest);
    sum += (after - before) * colors.classes[k].rgb;
    before = after;
    if (k == 1) hot = sum;
  }
  hot *= stars.light / kBrightest;
  return sum * stars.light / kBrightest;
}

Shine stars_shine(uint bits, float density, uint index) {
  if (!has_population(bits)) {
    vec3 color = color_without_population(bits);
    return Shine(kSharp * color, (1.0 - kSharp) * color, 0.0);
  }
  float forming = still_forming(bits, density);
  Population start = population_of(bits, density);
  vec3 hot, mean = mean_color(aged(start, bits, forming), hot);
  if (!is_young(bits)) return Shine(vec3(0.0), mean, 0.0);
  if (is_nebula(frame.knots * start.nebulae, index)) {
    vec3 knot = max(mean + (kNebulaLight * colors.gas.rgb - mean) / frame.knots, 0.0);
    return Shine(vec3(0.0), mix(mean, knot, forming), kKnotNarrower / max(frame.knots, 1.0) * forming);
  }
  float sharp = kHotSharp / max(frame.knots, 1.0);  // a single body of few would be a pinprick
  vec3 wide = mean - sharp * hot;
  float u = chance(index);
  if (mix(start.fewest, start.most, u) >= kHeavier[1]) return Shine(vec3(0.0), wide, 0.0);
  // It fades, because it would leap if it became a star that is not seen by itself.
  return Shine(forming * sharp * min(start.light * star_color(start, u), 1.0), wide, 0.0);
}

Shine body_shine(uint bits, float density, uint index) {
  if (COLORS == 0u) return stars_shine(bits, density, index);
  vec3 color = body_color(bits, density, index);
  return Shine(kSharp * color, (1.0 - kSharp) * color, 0.0);
}

// What the accumulation image sums: the colour of a body or, for scalars, the amount of light, the place on the colour map
// times that amount, and the amount without a value. The mean place then has the colour of the legend.
const float kUnknownLight = 0.2;
vec3 body_light(uint bits, float density, uint index) {
  if (!shows_scalar()) return body_color(bits, density, index);
  float scalar = scalar_of(bits);
  float amount = component_of(bits) == kComponentHalo ? kHaloLight : 1.0;
  return amount * (is_unknown(scalar) ? vec3(0.0, 0.0, kUnknownLight) : vec3(1.0, map_place(scalar), 0.0));
}
