#pragma once

#include <cstdint>

namespace pericenter {

/// Levels of cells below the root in a Morton key of 63 (3D) or 62 (2D) bits.
template <int Dim>
inline constexpr int kKeyLevels = Dim == 3 ? 21 : 31;

/// Spreads the low 21 (3D) or 31 (2D) bits so that Dim - 1 zeros follow each.
template <int Dim>
constexpr std::uint64_t spread_bits(std::uint64_t x) {
  if constexpr (Dim == 3) {
    x = (x | x << 32) & 0x001F00000000FFFFull;
    x = (x | x << 16) & 0x001F0000FF0000FFull;
    x = (x | x << 8) & 0x100F00F00F00F00Full;
    x = (x | x << 4) & 0x10C30C30C30C30C3ull;
    x = (x | x << 2) & 0x1249249249249249ull;
  } else {
    x = (x | x << 16) & 0x0000FFFF0000FFFFull;
    x = (x | x << 8) & 0x00FF00FF00FF00FFull;
    x = (x | x << 4) & 0x0F0F0F0F0F0F0F0Full;
    x = (x | x << 2) & 0x3333333333333333ull;
    x = (x | x << 1) & 0x5555555555555555ull;
  }
  return x;
}

/// Inverse of spread_bits for the bits of one coordinate.
template <int Dim>
constexpr std::uint64_t gather_bits(std::uint64_t x) {
  std::uint64_t result = 0;
  for (int bit = 0; bit < kKeyLevels<Dim>; ++bit) result |= (x >> (bit * Dim) & 1u) << bit;
  return result;
}

/// Key of the cell with integer coordinates `cell`, x in the most significant bit of each digit.
template <int Dim>
constexpr std::uint64_t morton_key(const std::uint32_t (&cell)[Dim]) {
  std::uint64_t key = 0;
  for (int k = 0; k < Dim; ++k) key |= spread_bits<Dim>(cell[k]) << (Dim - 1 - k);
  return key;
}

/// The Dim bits of a key that select the child of a cell of level `level` (root = 0).
template <int Dim>
constexpr unsigned morton_digit(std::uint64_t key, int level) {
  return static_cast<unsigned>(key >> (Dim * (kKeyLevels<Dim> - 1 - level))) & ((1u << Dim) - 1);
}

/// Level of the smallest cell that contains both keys.
template <int Dim>
constexpr int common_level(std::uint64_t a, std::uint64_t b) {
  if (a == b) return kKeyLevels<Dim>;
#ifdef __CUDA_ARCH__
  const int highest_bit = 63 - __clzll(static_cast<long long>(a ^ b));
#else
  const int highest_bit = 63 - __builtin_clzll(a ^ b);
#endif
  return kKeyLevels<Dim> - 1 - highest_bit / Dim;
}

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
