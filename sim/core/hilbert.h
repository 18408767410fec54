#pragma once

#include <cstdint>

#include "sim/core/morton.h"

namespace pericenter {

/// Index along the Hilbert curve of the cell with integer coordinates `cell`, which have kKeyLevels<Dim> bits (J.
/// Skilling 2004, "Programming the Hilbert curve", doi:10.1063/1.1751381). Consecutive cells share a face.
/// constexpr, so that CUDA kernels can call it.
template <int Dim>
constexpr std::uint64_t hilbert_key(const std::uint32_t (&cell)[Dim]) {
  std::uint32_t x[Dim] = {};
  for (int k = 0; k < Dim; ++k) x[k] = cell[k];
  // From coordinates to the transposed index: undo the rotations of the curve, from the coarsest level on.
  for (int bit = kKeyLevels<Dim> - 1; bit > 0; --bit) {
    const std::uint32_t finer = (1u << bit) - 1;
    for (int k = 0; k < Dim; ++k) {
      // If the bit is set, invert the first axis, else swap it with this one. Branchless, because the bits are
      // unpredictable.
      const std::uint32_t turned = finer & (0u - (x[k] >> bit & 1u));
      const std::uint32_t swapped = (x[0] ^ x[k]) & (finer ^ turned);
      x[0] ^= turned | swapped;
      x[k] ^= swapped;
    }
  }
  for (int k = 1; k < Dim; ++k) x[k] ^= x[k - 1];
  // Each bit is flipped once per higher set bit of the last axis.
  std::uint32_t flips = x[Dim - 1] >> 1;
  for (int shift = 1; shift < 32; shift *= 2) flips ^= flips >> shift;
  for (int k = 0; k < Dim; ++k) x[k] ^= flips;
  return morton_key<Dim>(x);
}

}  // namespace pericenter
