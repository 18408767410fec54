#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace pericenter {

/// How a warp evaluates the bodies of a leaf: each of `sets` sets of `width` neighbouring lanes holds all of them,
/// `targets` per lane, and evaluates a share of the sources. The lanes after the last set are idle.
struct LaneSplit {
  std::uint8_t targets, width, sets;
  std::uint8_t part;      ///< sources that are evaluated at once, the same number by each set
  std::uint16_t inverse;  ///< 1024 / width, rounded up

  constexpr unsigned set_of(unsigned lane) const { return lane * inverse >> 10; }
};

inline constexpr unsigned kMinLaneTargets = 3, kMaxLaneTargets = 5;  ///< bodies per lane
inline constexpr unsigned kMaxSets = 28;                             ///< twice as many sources fit into a part

/// Instructions per source of a lane with so many targets: 13 per pair, and the loop.
constexpr unsigned instructions_per_source(unsigned targets) {
  return 13 * targets + 3;
}

/// The split with the fewest instructions for each source. `part` is a multiple of `step` times the sets, and at most
/// `most`.
constexpr LaneSplit lane_split(std::uint32_t bodies, unsigned most, unsigned step) {
  constexpr unsigned kLanes = 32;
  LaneSplit best{};
  for (unsigned targets = kMinLaneTargets; targets <= kMaxLaneTargets; ++targets) {
    const unsigned width = (bodies + targets - 1) / targets;
    if (width == 0 || width > kLanes) continue;
    const unsigned sets = std::min(kMaxSets, kLanes / width);
    // Compares instructions per source and set, without a division.
    if (best.targets != 0 &&
        instructions_per_source(targets) * best.sets >= instructions_per_source(best.targets) * sets) {
      continue;
    }
    const auto byte = [](unsigned x) { return static_cast<std::uint8_t>(x); };
    best = {byte(targets), byte(width), byte(sets), byte(most - most % (step * sets)),
            static_cast<std::uint16_t>((1024 + width - 1) / width)};
  }
  return best;
}

/// By the number of bodies, up to the maximum.
template <std::uint32_t Max>
constexpr std::array<LaneSplit, Max + 1> lane_splits(unsigned most, unsigned step) {
  std::array<LaneSplit, Max + 1> splits{};
  for (std::uint32_t bodies = 0; bodies <= Max; ++bodies) splits[bodies] = lane_split(bodies, most, step);
  return splits;
}

}  // namespace pericenter
