#pragma once

#include <cmath>
#include <cstdint>

#include "sim/core/host_device.h"
#include "sim/core/random.h"

namespace pericenter {

/// Trailing logarithmic spiral arms on which the young stars and the dust of a disc start. Decorative: they mark
/// bodies, which move as all others do, so that the rotation winds the arms. The angle at which they start is random,
/// and so are slight bends.
struct ArmsModel {
  int number = 2;     ///< 0 to kMaxArms; 0: young stars and dust are equally frequent in all directions
  double pitch = 20;  ///< angle between an arm and a circle, degrees: 1 to 90

  friend bool operator==(const ArmsModel&, const ArmsModel&) = default;
};
inline constexpr int kMaxArms = 16;

/// Random numbers at the corners of squares of side 1, and smooth in between: within (-1, 1), with mean 0.
PERICENTER_HOST_DEVICE inline double smooth_noise(double x, double y, std::uint64_t seed) {
  const double left = std::floor(x), low = std::floor(y);
  const auto corner = [&](int i, int k) {
    const auto column = static_cast<std::int64_t>(left) + i, row = static_cast<std::int64_t>(low) + k;
    return 2 * Random(seed, static_cast<std::uint64_t>(column * 0x10000 + row)).uniform() - 1;
  };
  const auto smooth = [](double share) { return share * share * (3 - 2 * share); };
  const double across = smooth(x - left), up = smooth(y - low);
  const double below = corner(0, 0) + across * (corner(1, 0) - corner(0, 0));
  const double above = corner(0, 1) + across * (corner(1, 1) - corner(0, 1));
  return below + up * (above - below);
}

/// The arms of one galaxy, for CPU and CUDA. Lengths in scale lengths of the disc.
struct ArmsView {
  int number = 0;
  double tangent = 1;      ///< tangent of the pitch angle
  double start = 0;        ///< phase of the galaxy, radians
  std::uint64_t seed = 0;  ///< bends and associations depend on it

  /// 0 on the middle of an arm of young stars. A multiple of 2 pi is one arm. Bends keep it from looking drawn.
  PERICENTER_HOST_DEVICE double phase(double x, double y, double r) const {
    return number * (std::atan2(y, x) + std::log(std::fmax(r, kInnermost)) / tangent) + start +
           kBends * smooth_noise(x / kBendLength, y / kBendLength, seed);
  }
  /// How many more young stars are here than elsewhere on the arm, as a share: arms are chains of associations.
  PERICENTER_HOST_DEVICE double association(double x, double y) const {
    return kAssociations * smooth_noise(x / kAssociationLength, y / kAssociationLength, seed + 1);
  }
  /// Share of the bodies at this phase that are young stars: on arms with soft edges.
  PERICENTER_HOST_DEVICE static double young_share(double phase, double r, double association) {
    if (r < kInnermost) return 0;
    return kBetweenArms + kOnArms * (1 + association) * std::exp(kSharpness * (std::cos(phase) - 1));
  }
  /// Dust per cold body, in units of kThinDust: everywhere, most in a lane on the inner side of an arm. `old`: share of
  /// the bodies that are no young stars. Near the centre, all have less by dust_of().
  PERICENTER_HOST_DEVICE static double dust(double phase, double r, double old) {
    const double lane = std::exp(kLaneSharpness * (std::cos(phase + kDustLead) - 1));
    const double most = 1 / std::fmin(kCentralDust + (1 - kCentralDust) * r / kDustyFrom, 1.0);
    return std::fmin((kThinDust + (1 - kThinDust) * lane) / old, most) / kThinDust;
  }

  static constexpr double kInnermost = 0.5;
  static constexpr double kOnArms = 0.65, kBetweenArms = 0.06;
  static constexpr double kSharpness = 4;  ///< the share is half as high 34 degrees of phase beside an arm
  static constexpr double kBends = 0.7, kBendLength = 1.2;  ///< radians of phase, scale lengths
  static constexpr double kAssociations = 0.9, kAssociationLength = 0.35;
  static constexpr double kDustLead = 0.8;  ///< phase by which dust is ahead of the young stars
  static constexpr double kThinDust = 0.12, kLaneSharpness = 10;
  static constexpr double kCentralDust = 0.1, kDustyFrom = 3;  ///< share at the centre; radius without this reduction
};

}  // namespace pericenter
