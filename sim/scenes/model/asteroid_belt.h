#pragma once

#include <cstdint>

#include "sim/core/random.h"
#include "sim/scenes/model/kepler.h"

namespace pericenter {

/// Elements of a small body; AU and radians.
struct SmallBodyOrbit {
  double a = 1, e = 0, inclination = 0;
  double node = 0, perihelion = 0, longitude = 0;  ///< longitudes; the last one is the mean longitude
  double perihelion_distance() const { return a * (1 - e); }
};

/// Random numbers of the distributions of orbital elements.
class ElementSampler {
 public:
  ElementSampler(std::uint64_t seed, std::uint64_t body) : random_(seed, body) {}

  double uniform(double low, double high) { return low + (high - low) * random_.uniform(); }
  double angle();
  double normal(double mean, double deviation) { return mean + deviation * random_.normal(); }
  /// Rayleigh's distribution below `most`, whose mode is `mode`.
  double rayleigh(double mode, double most);
  /// Semi-major axis in the main belt.
  double belt_axis();
  /// Absolute magnitude: numbers grow as 10^(0.45 H) up to `peak`, and fall as 10^(-0.9 (H - peak)) beyond, where only
  /// some bodies are discovered.
  double magnitude(double peak);

 private:
  Random random_;
};

/// Elements with these a, e and inclination in degrees, and random longitudes.
SmallBodyOrbit with_random_longitudes(ElementSampler& sample, double a, double e, double degrees);

inline constexpr double kMarsAphelion = 1.666;

/// An asteroid of the main belt, whose perihelion is beyond the orbit of Mars.
SmallBodyOrbit main_belt(ElementSampler& sample);

/// The orbit about the Sun in solar units; in dimension 2 the inclination is 0.
KeplerOrbit kepler_orbit(const SmallBodyOrbit& orbit, int dimension);

}  // namespace pericenter
