#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/core/space_filling_curves.h"
#include "sim/solvers/tree/tree_view.h"

// An octree from the sorted keys of its bodies without a walk from the root. Two neighbours along the curve have a
// boundary between them, whose level is that of the smallest cell that contains both. Cells that are divided have
// boundaries between their children; what lies between two such boundaries is a leaf. All functions are constexpr, so
// that CUDA kernels can call them.
namespace pericenter {

constexpr int lowest_bit(std::uint64_t x) {
#ifdef __CUDA_ARCH__
  return __ffsll(static_cast<long long>(x)) - 1;
#else
  return __builtin_ctzll(x);
#endif
}
constexpr int highest_bit(std::uint64_t x) {
#ifdef __CUDA_ARCH__
  return 63 - __clzll(static_cast<long long>(x));
#else
  return 63 - __builtin_clzll(x);
#endif
}
constexpr int bits_set(std::uint64_t x) {
#ifdef __CUDA_ARCH__
  return __popcll(static_cast<long long>(x));
#else
  return __builtin_popcountll(x);
#endif
}

/// Whether divides_cell() can be true, from a few keys: more than half a leaf lies on one side of the boundary.
template <int Dim, class Key>
constexpr bool may_divide_cell(const Key& key, std::uint32_t i, std::uint32_t count, const LeafSize& leaf_size) {
  const std::uint64_t own = key(i);
  const int level = common_level<Dim>(key(i - 1), own);
  if (level == kKeyLevels<Dim>) return false;
  const int shift = Dim * (kKeyLevels<Dim> - level);
  const std::uint32_t half = leaf_size.at(level) / 2;
  return (i > half && (key(i - half - 1) ^ own) >> shift == 0) ||
         (i + half < count && (key(i + half) ^ own) >> shift == 0);
}

/// Whether the boundary between the bodies `i` - 1 and `i` lies between two children of a cell that is divided: the
/// cell and all cells around it have more bodies than a leaf. `key(j)` must return the keys from i - leaf_size.most() -
/// 1 to i + leaf_size.most(), as far as they exist.
template <int Dim, class Key>
constexpr bool divides_cell(const Key& key, std::uint32_t i, std::uint32_t count, const LeafSize& leaf_size) {
  const std::uint64_t own = key(i);
  const std::uint32_t most = leaf_size.most();
  for (int level = common_level<Dim>(key(i - 1), own); level >= 0 && level < kKeyLevels<Dim>;) {
    const int shift = Dim * (kKeyLevels<Dim> - level);
    const auto in_cell = [&](std::uint32_t j) { return j < count && (key(j) ^ own) >> shift == 0; };
    // With more bodies than this, no cell around it is a leaf either.
    const std::uint32_t size = leaf_size.at(level);
    const std::uint32_t reach = level > leaf_size.mean_level ? most : std::max(size, leaf_size.at(level - 1));
    if (i >= reach && in_cell(i - reach)) return true;
    std::uint32_t begin = i >= reach ? i - reach + 1 : 0;
    for (std::uint32_t inside = i - 1; begin < inside;) {
      const std::uint32_t middle = begin + (inside - begin) / 2;
      if (in_cell(middle)) {
        inside = middle;
      } else {
        begin = middle + 1;
      }
    }
    if (!in_cell(begin + size)) return false;
    if (in_cell(begin + reach)) return true;
    // The cell has more bodies than a leaf of its level, but the cells around it may have larger leaves.
    std::uint32_t end = i + 1;
    while (in_cell(end)) ++end;
    level = begin > 0 ? common_level<Dim>(key(begin - 1), own) : -1;
    if (end < count) level = std::max(level, common_level<Dim>(own, key(end)));
    if (level < 0) return true;
  }
  return false;
}

/// A cell of each of some levels, each within those of lower levels, and how many of its boundaries were passed: Dim
/// bits per level, 0 if there is no cell of this level. Joining the boundaries from the first one on gives the cells
/// that begin before a leaf and do not end before it; joining them from the last one back gives those that end after it
/// and do not begin after it.
template <int Dim>
struct OpenCells {
  std::uint64_t passed;

  /// After a boundary of a cell of this level.
  static constexpr OpenCells at(int level) { return {std::uint64_t(1) << Dim * level}; }
  /// After these boundaries and then those of `next`, which end all cells of higher levels than its lowest.
  constexpr OpenCells then(const OpenCells& next) const {
    if (next.passed == 0) return *this;
    const int after_lowest = Dim * (lowest_bit(next.passed) / Dim + 1);
    return {(passed & ((std::uint64_t(1) << after_lowest) - 1)) + next.passed};
  }
  constexpr std::uint32_t boundaries(int level) const {
    return static_cast<std::uint32_t>(passed >> Dim * level) & ((1u << Dim) - 1);
  }
  /// One bit per level, Dim bits from the next.
  constexpr std::uint64_t levels() const {
    std::uint64_t any = passed;
    for (int k = 1; k < Dim; ++k) any |= passed >> k;
    return any & spread_bits<Dim>((std::uint64_t(1) << kKeyLevels<Dim>)-1);
  }
};

/// The cells around a leaf, one per generation from the root on; those of the generations from `first` on begin with
/// the leaf, those from `last` on end with it.
template <int Dim>
struct LeafPlace {
  std::uint64_t levels;  ///< see OpenCells::levels()
  int generation, first, last;

  /// From the boundaries up to the begin of the leaf, and from those from its end on.
  constexpr LeafPlace(const OpenCells<Dim>& before, const OpenCells<Dim>& after)
      : levels(before.levels() | after.levels()),
        generation(bits_set(levels)),
        first(generations_up_to(before)),
        last(generations_up_to(after)) {}

 private:
  /// Cells up to the level of the nearest boundary, which is the highest of `cells`.
  constexpr int generations_up_to(const OpenCells<Dim>& cells) const {
    if (cells.passed == 0) return 0;
    return bits_set(levels & ((std::uint64_t(2) << highest_bit(cells.levels())) - 1));
  }
};

}  // namespace pericenter
