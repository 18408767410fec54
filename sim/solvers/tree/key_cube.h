#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "sim/core/body_arrays.h"
#include "sim/core/solver_options.h"
#include "sim/core/space_filling_curves.h"
#include "sim/core/tree_box.h"

namespace pericenter {

/// The cube (square in 2D) that is subdivided by Morton keys.
template <int Dim>
struct KeyCube {
  std::array<double, Dim> low{};
  double side = 1;
};

/// The cube around all finite bodies, limited to kFarthest. If a few bodies are thousands of times farther out than the
/// bulk, the cube contains the bulk only, because all other bodies would share one cell; outliers get keys at its
/// border.
template <class Real, int Dim>
KeyCube<Dim> key_cube(const BodyArrays<Real, Dim>& bodies, Parallel how = Parallel::own);

// Parts of key_cube(); constexpr, so that CUDA kernels can call them.

/// Range of coordinates along one axis; low > high if empty.
struct CoordinateRange {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  constexpr void add(double x) {
    low = std::min(low, x);
    high = std::max(high, x);
  }
};
template <int Dim>
using CoordinateRanges = std::array<CoordinateRange, Dim>;

/// Maximum number of sampled bodies to find the bulk: every cube_sample_stride(count)-th body.
inline constexpr std::size_t kCubeSample = 1024;
constexpr std::size_t cube_sample_stride(std::size_t count) {
  return count <= kCubeSample ? 1 : (count + kCubeSample - 1) / kCubeSample;
}

/// The bulk are the middle 96 % of `count` coordinates: this many are below it, and as many above.
constexpr std::size_t outside_bulk(std::size_t count) {
  return count / 50;
}

template <int Dim>
constexpr KeyCube<Dim> cube_around(const CoordinateRanges<Dim>& all, const CoordinateRanges<Dim>& bulk) {
  constexpr double kOutlying = 1 << 14;  // distance in sides of the bulk
  constexpr double kMargin = 64;         // side of the cube around the bulk, in the same units
  double side = 0, bulk_side = 0;
  for (int k = 0; k < Dim; ++k) {
    side = std::max(side, all[k].high - all[k].low);
    bulk_side = std::max(bulk_side, bulk[k].high - bulk[k].low);
  }
  const bool bulk_alone = bulk_side > 0 && side > kOutlying * bulk_side;
  if (bulk_alone) side = kMargin * bulk_side;
  if (!(side > 0)) side = 1;
  KeyCube<Dim> cube;
  // Slightly wider, so that the last body is inside the last cell.
  cube.side = side * (1 + 1e-9);
  for (int k = 0; k < Dim; ++k) {
    const CoordinateRange& range = bulk_alone ? bulk[k] : all[k];
    const double middle = range.low <= range.high ? (range.low + range.high) / 2 : 0;
    cube.low[k] = middle - cube.side / 2;
  }
  return cube;
}

/// Side of the cells of level `level`.
constexpr double cell_side(double cube_side, int level) {
  return cube_side / static_cast<double>(std::uint64_t(1) << level);
}

/// Maps positions to the smallest cells of a cube, and cells to keys.
template <int Dim>
class KeyGrid {
 public:
  constexpr explicit KeyGrid(const KeyCube<Dim>& cube) : low_(cube.low), scale_(kCells / cube.side) {}

  /// Integer coordinates of the cell that contains `position` or is nearest to it; NaN maps to the low border.
  template <class Real>
  constexpr void find_cell(const Real (&position)[Dim], std::uint32_t (&cell)[Dim]) const {
    for (int k = 0; k < Dim; ++k) {
      const double x = (static_cast<double>(position[k]) - low_[k]) * scale_;
      cell[k] = static_cast<std::uint32_t>(x >= 0 ? std::min(x, kCells - 1) : 0.0);
    }
  }
  /// The Morton key of that cell.
  template <class Real>
  constexpr std::uint64_t key(const Real (&position)[Dim]) const {
    std::uint32_t cell[Dim] = {};
    find_cell(position, cell);
    return morton_key<Dim>(cell);
  }

 private:
  static constexpr double kCells = static_cast<double>(std::uint64_t(1) << kKeyLevels<Dim>);

  std::array<double, Dim> low_;
  double scale_;
};

/// The cell of level `level` that contains `key`.
template <int Dim>
TreeBox cell_box(const KeyCube<Dim>& cube, std::uint64_t key, int level) {
  TreeBox box;
  box.level = level;
  const double side = std::ldexp(cube.side, -level);
  for (int k = 0; k < Dim; ++k) {
    box.half_width[k] = static_cast<float>(side / 2);
    const std::uint64_t cell = gather_bits<Dim>(key >> (Dim - 1 - k)) >> (kKeyLevels<Dim> - level);
    box.center[k] = static_cast<float>(cube.low[k] + (static_cast<double>(cell) + 0.5) * side);
  }
  return box;
}

}  // namespace pericenter
