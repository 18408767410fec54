#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

#include "sim/core/host_device.h"
#include "sim/core/vec.h"

namespace pericenter {

/// What is drawn from the numbers that Numbers::uniform() returns one after the other.
template <class Numbers>
class Draws {
 public:
  /// Normal with mean 0 and variance 1 (Box and Muller 1958, doi:10.1214/aoms/1177706645). Takes two numbers.
  PERICENTER_HOST_DEVICE double normal() {
    const double radius = std::sqrt(-2 * std::log(uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
  }

  /// Unit vector, isotropic. Takes two numbers.
  PERICENTER_HOST_DEVICE Vec3 direction() {
    const double z = 2 * uniform() - 1;
    const double angle = 2 * std::numbers::pi * uniform();
    const double ring = std::sqrt(1 - z * z);
    return {ring * std::cos(angle), ring * std::sin(angle), z};
  }

 protected:
  /// The middle of one of 2^52 equal parts of (0, 1).
  PERICENTER_HOST_DEVICE static double share_of(std::uint64_t bits) {
    return (static_cast<double>(bits >> 12) + 0.5) * 0x1p-52;
  }

 private:
  PERICENTER_HOST_DEVICE double uniform() { return static_cast<Numbers*>(this)->uniform(); }
};

/// Random numbers that are the same on every machine: SplitMix64 (Steele, Lea and Flood 2014,
/// doi:10.1145/2660193.2660195).
///
/// Equal (seed, stream) give equal sequences, and the streams of one seed are independent, so each body has its own
/// stream and does not depend on the thread that creates it.
class Random : public Draws<Random> {
 public:
  PERICENTER_HOST_DEVICE explicit Random(std::uint64_t seed, std::uint64_t stream = 0)
      : state_(mix(mix(seed) + stream)) {}

  PERICENTER_HOST_DEVICE std::uint64_t next() { return mix(state_ += 0x9E3779B97F4A7C15u); }

  /// Uniform in the open interval (0, 1).
  PERICENTER_HOST_DEVICE double uniform() { return share_of(next()); }
  PERICENTER_HOST_DEVICE double random() { return uniform(); }

 private:
  static constexpr std::uint64_t mix(std::uint64_t x) {
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
  }

  std::uint64_t state_;
};

/// Numbers that fill (0, 1) more evenly than random ones, without the noise of counts: the n-th number of the streams
/// 0, 1, 2 ... is a start, which depends on the seed, plus a multiple of an irrational number, modulo 1 (additive
/// recurrence: Niederreiter 1992, doi:10.1137/1.9781611970081, chapter 4). The first kNumbers numbers of neighbouring
/// streams also fill squares evenly. Each kStreams streams have another start, because longer sequences show rows.
class EvenRandom : public Draws<EvenRandom> {
 public:
  static constexpr int kNumbers = 13;
  static constexpr std::uint64_t kStreams = 4096;

  PERICENTER_HOST_DEVICE EvenRandom(std::uint64_t seed, std::uint64_t stream)
      : starts_(seed, ~(stream / kStreams + 2)), random_(seed, stream), stream_(stream) {}

  /// In the open interval (0, 1).
  PERICENTER_HOST_DEVICE double uniform() {
    // In units of 2^-64: the golden ratio and the square roots of 5659, 10037, 7549, 10861, 2903, 9631, 11003, 9127,
    // 9277, 2389, 10463 and 547, modulo 1. They were chosen one after the other, so that the counts of 500 to 50,000
    // points in squares have little noise: for any two of the first nine, at most 0.69 of the variance of random
    // points.
    constexpr std::uint64_t kSteps[kNumbers] = {
        0x9E3779B97F4A7C15, 0x39F0726BDFF3D25C, 0x2F50F7420D27C5F3, 0xE28E24CA9704F14F, 0x3753BEA839454FED,
        0xE12698792542F44F, 0x233D950867A08524, 0xE52AE5349D5D84C6, 0x890BA26B4B2F8251, 0x5132FE414331F36D,
        0xE09D21B6CF3C73AE, 0x49EF3E58EBB025FD, 0x6356020885CCA539};
    if (drawn_ == kNumbers) return random();
    return share_of(starts_.next() + stream_ * kSteps[drawn_++]);
  }
  /// A random number in (0, 1), as later ones are.
  PERICENTER_HOST_DEVICE double random() { return random_.uniform(); }

 private:
  Random starts_, random_;
  std::uint64_t stream_;
  int drawn_ = 0;
};

}  // namespace pericenter
