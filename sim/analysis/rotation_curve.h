#pragma once

#include <cstddef>
#include <span>

#include "sim/analysis/lab_record.h"
#include "sim/core/bodies.h"

namespace pericenter {

/// Rotation of the bodies `disc` (indices) about `nucleus`, in up to 40 rings of equal number, out to the ring that
/// contains 95 % of them. The axis is their angular momentum, and the frame moves and accelerates as the inner half of
/// them does, so that the other galaxy's pull on the whole disc does not count. Positive: about the axis.
///
/// `accelerations` are those of all bodies; if they are empty, `circular` is kNotMeasured. circular^2 is the mean of
/// r times the inward acceleration, 0 where that is outward. Empty with fewer than 200 finite bodies, or without
/// rotation. The time is 0.
RotationCurve rotation_curve(const Bodies& bodies, std::span<const Vec3> accelerations,
                             std::span<const std::size_t> disc, const Vec3& nucleus);

}  // namespace pericenter
