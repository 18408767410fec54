#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

#include "sim/core/host_device.h"
#include "sim/core/vec.h"

namespace pericenter {

/// Random numbers that are the same on every machine: SplitMix64 (Steele, Lea and Flood 2014,
/// doi:10.1145/2660193.2660195).
///
/// Equal (seed, stream) give equal sequences, and the streams of one seed are independent, so each body has its own
/// stream and does not depend on the thread that creates it.
class Random {
 public:
  PERICENTER_HOST_DEVICE explicit Random(std::uint64_t seed, std::uint64_t stream = 0)
      : state_(mix(mix(seed) + stream)) {}

  PERICENTER_HOST_DEVICE std::uint64_t next() { return mix(state_ += 0x9E3779B97F4A7C15u); }

  /// Uniform in the open interval (0, 1).
  PERICENTER_HOST_DEVICE double uniform() { return (static_cast<double>(next() >> 12) + 0.5) * 0x1p-52; }

  /// Normal with mean 0 and variance 1 (Box and Muller 1958, doi:10.1214/aoms/1177706645).
  PERICENTER_HOST_DEVICE double normal() {
    const double radius = std::sqrt(-2 * std::log(uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
  }

  /// Random unit vector, isotropic.
  PERICENTER_HOST_DEVICE Vec3 direction() {
    const double z = 2 * uniform() - 1;
    const double angle = 2 * std::numbers::pi * uniform();
    const double ring = std::sqrt(1 - z * z);
    return {ring * std::cos(angle), ring * std::sin(angle), z};
  }

 private:
  static constexpr std::uint64_t mix(std::uint64_t x) {
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
  }

  std::uint64_t state_;
};

}  // namespace pericenter
