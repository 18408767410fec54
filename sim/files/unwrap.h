#pragma once

#include "sim/files/snapshot.h"

namespace pericenter {

/// Share of a side of the periodic volume that a group takes, at most: what fills more is no group.
inline constexpr double kGroupShare = 0.5;

/// Joins a group of bodies that a wall of the periodic volume cuts: its smaller part moves by one side along that axis,
/// with a note. The group must be continuous across the wall and leave at least half of the side empty; bodies that
/// fill the volume, or are apart near opposite walls as two isolated galaxies are, stay.
void unwrap(Snapshot& snapshot);

}  // namespace pericenter
