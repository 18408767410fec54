#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/analysis/lab_record.h"
#include "sim/analysis/tail_stars.h"
#include "sim/core/bodies.h"

namespace pericenter {

struct CorePoint;  ///< defined in structure.cpp

/// The densest part of a galaxy.
struct Nucleus {
  std::uint32_t galaxy = 0;  ///< galaxy_of()
  Vec3 position;
  Vec3 velocity;  ///< mean of the bodies that determine the position
};

/// Measures where the first two galaxies are and how compact they are, from at most 100,000 of their bodies: the same
/// ones each time, chosen by stride. A galaxy is what bodies of one galaxy_of() form; one with less than a thousandth
/// of the mass of all bodies is none (asteroids).
///
/// A nucleus is found by a shrinking sphere (Power et al. 2003, doi:10.1046/j.1365-8711.2003.05925.x) about the bodies
/// that are not dark matter, or about all if they are few. Unlike the centre of mass it stays in the galaxy after tails
/// have formed. Its last sphere contains a twentieth of these bodies. From there the nucleus goes to the maximum of the
/// density smoothed with a kernel that contained half of them at the start: bodies that enter or leave change it
/// smoothly, so that the separation of two nuclei has one minimum where they pass, and not many that differ by noise. A
/// body with more than half of a galaxy's mass is its nucleus.
class StructureMeter {
 public:
  /// Chooses the bodies.
  explicit StructureMeter(const Bodies& bodies);

  /// Number of bodies that measure() expects.
  std::size_t size() const { return size_; }

  using Nuclei = std::array<std::optional<Vec3>, kMaxPlottedGalaxies>;
  /// `bodies` are those of the constructor, in the same order, at another time. nullopt: there is no such galaxy, or
  /// its bodies are not finite.
  Nuclei nuclei(const Bodies& bodies) const;
  /// The nuclei that exist, with their velocities.
  std::vector<Nucleus> moving_nuclei(const Bodies& bodies) const;
  /// Distance between the two nuclei; kNotMeasured without two.
  double separation(const Bodies& bodies) const;
  /// Separation and tails alone, which takes less time than measure().
  StructureSample measure_encounter(const Bodies& bodies) const;
  /// nullopt: there are no two galaxies, or neither has a disc whose stars have birth radii.
  std::optional<TailCriterion> tail_criterion(const Bodies& bodies) const;
  /// Separation, tails and Lagrange radii; position and time are 0. The radii need at least 30 bodies with mass; those
  /// of 25,000 sampled bodies have a statistical error of 1 %.
  StructureSample measure(const Bodies& bodies) const;

  /// Indices of bodies of the first galaxy's disc, at most 100,000.
  const std::vector<std::size_t>& disc() const { return disc_; }

 private:
  struct Member {
    std::size_t body = 0;
    double mass = 0;  ///< mass of the bodies that it represents
  };
  struct Galaxy {
    std::uint32_t index = 0;  ///< galaxy_of()
    std::vector<Member> core, all;
    std::optional<std::size_t> central;  ///< body with more than half of the mass
    double width = 0;                    ///< width of the kernel that smooths the density; 0: no smoothing
  };
  struct Census;

  void choose(const Bodies& bodies, const Census& census);
  static std::vector<CorePoint> core_points(const Galaxy& galaxy, const Bodies& bodies);
  static double kernel_width(const Galaxy& galaxy, const Bodies& bodies);
  static std::optional<Vec3> nucleus_of(const Galaxy& galaxy, const Bodies& bodies);
  static Vec3 velocity_of(const Galaxy& galaxy, const Bodies& bodies, const Vec3& nucleus);
  static LagrangeRadii radii_of(const Galaxy& galaxy, const Bodies& bodies, const Vec3& nucleus);

  StructureSample sample_with(const Nuclei& nuclei, const Bodies& bodies) const;

  std::size_t size_;
  std::vector<Galaxy> galaxies_;  ///< kMaxPlottedGalaxies at most
  std::vector<std::size_t> disc_;
  std::optional<TailStars> tails_;  ///< nullopt: there are no two galaxies
};

}  // namespace pericenter
