#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/core/bodies.h"

namespace pericenter {

/// Decides which stars of two galaxies' discs are in tails or bridges: those that are farther from both nuclei than 95
/// % of the disc's stars were born, and twice as far from their own nucleus as they were born. Tails consist of disc
/// stars that tides pull out of the outer disc (Toomre and Toomre 1972, doi:10.1086/151823); the second condition
/// leaves out stars that were always far out, and those that a disc of few bodies scatters. The two numbers are our
/// choice: 390 Myr into `collision` with 20,000 bodies, tails have several times the mass that they have in
/// `retrograde`.
struct TailCriterion {
  static constexpr double kBirthShare = 0.95, kTimesBirth = 2;

  struct Disc {
    std::uint32_t galaxy = 0;  ///< galaxy_of()
    Vec3 nucleus;
    double reach = 0;  ///< radius within which 95 % of the disc's stars were born
    double unit = 0;   ///< unit of birth radii; 0: the galaxy has no disc
  };
  std::array<Disc, 2> discs;

  constexpr bool holds(const Vec3& position, std::uint32_t tag) const {
    const bool is_second = galaxy_of(tag) == discs[1].galaxy;
    const Disc &own = discs[is_second ? 1 : 0], &other = discs[is_second ? 0 : 1];
    if (component_of(tag) != Component::disc || galaxy_of(tag) != own.galaxy || own.unit == 0) return false;
    const Vec3 from_own = position - own.nucleus, from_other = position - other.nucleus;
    const double square = dot(from_own, from_own), born = kTimesBirth * own.unit * birth_radius_of(tag);
    return square > own.reach * own.reach && square > born * born &&
           dot(from_other, from_other) > other.reach * other.reach;
  }
};

/// Finds the stars in tails. For this it needs the birth radii in the tags of the bodies, but not their start.
class TailStars {
 public:
  using Nuclei = std::array<std::optional<Vec3>, 2>;

  /// `galaxies` as in galaxy_of(), `nuclei` those of the bodies. A disc needs at least 30 stars with a birth radius.
  TailStars(const Bodies& bodies, const std::array<std::uint32_t, 2>& galaxies, const Nuclei& nuclei);

  /// nullopt: neither galaxy has a disc, or a nucleus is not known.
  std::optional<TailCriterion> criterion(const Nuclei& nuclei) const;
  /// Radius of the larger disc; kNotMeasured without discs.
  double disc_radius() const;
  /// The share of the mass of both discs that is in tails, of test particles that of their number, from at most 25,000
  /// stars of each disc. kNotMeasured without a criterion.
  double fraction(const Bodies& bodies, const Nuclei& nuclei) const;

 private:
  std::array<TailCriterion::Disc, 2> discs_;  ///< positions are not set
  struct Sampled {
    std::size_t body = 0;
    double weight = 0;  ///< stars that it stands for
  };
  std::vector<Sampled> sampled_;
};

/// Indices of all stars in tails.
std::vector<std::size_t> stars_in_tails(const Bodies& bodies, const TailCriterion& criterion);

}  // namespace pericenter
