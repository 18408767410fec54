#pragma once

#include <array>

#include "sim/body_arrays.h"

namespace pericenter {

/// The cube (square in 2D) that Morton keys divide.
template <int Dim>
struct KeyCube {
  std::array<double, Dim> low{};
  double side = 1;
};

/// The cube around all finite bodies, within kFarthest. When a few lie thousands of times farther out than the bulk, it
/// holds the bulk alone, or they would squeeze all others into one cell; their keys are then those of its border.
template <class Real, int Dim>
KeyCube<Dim> key_cube(const BodyArrays<Real, Dim>& bodies);

}  // namespace pericenter
