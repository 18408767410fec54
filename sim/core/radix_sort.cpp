#include "sim/core/radix_sort.h"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <cstddef>

namespace pericenter {
namespace {

constexpr int kDigitBits = 11;
constexpr std::size_t kDigits = std::size_t(1) << kDigitBits;
constexpr std::size_t kBlock = 1 << 14;  ///< items per task
using Counts = std::array<std::uint32_t, kDigits>;

std::size_t digit(std::uint64_t key, int shift) {
  return key >> shift & (kDigits - 1);
}

void count_digits(const std::vector<KeyIndex>& items, int shift, std::vector<Counts>& counts) {
  tbb::parallel_for(std::size_t(0), counts.size(), [&](std::size_t block) {
    Counts& count = counts[block];
    count.fill(0);
    const std::size_t last = std::min(items.size(), (block + 1) * kBlock);
    for (std::size_t i = block * kBlock; i < last; ++i) ++count[digit(items[i].key, shift)];
  });
}

/// Turns counts into the output position of each block's first item of each digit; false if all items share one digit.
bool counts_to_places(std::vector<Counts>& counts, std::size_t items) {
  std::uint32_t place = 0;
  bool moves = false;
  for (std::size_t d = 0; d < kDigits; ++d) {
    const std::uint32_t first = place;
    for (Counts& count : counts) {
      const std::uint32_t in_block = count[d];
      count[d] = place;
      place += in_block;
    }
    moves = moves || (place != first && place - first != items);
  }
  return moves;
}

}  // namespace

void radix_sort(std::vector<KeyIndex>& items, std::vector<KeyIndex>& scratch, int ignored_bits) {
  scratch.resize(items.size());
  std::vector<Counts> counts((items.size() + kBlock - 1) / kBlock);
  for (int shift = ignored_bits; shift < 64; shift += kDigitBits) {
    count_digits(items, shift, counts);
    if (!counts_to_places(counts, items.size())) continue;
    tbb::parallel_for(std::size_t(0), counts.size(), [&](std::size_t block) {
      Counts& place = counts[block];
      const std::size_t last = std::min(items.size(), (block + 1) * kBlock);
      for (std::size_t i = block * kBlock; i < last; ++i) scratch[place[digit(items[i].key, shift)]++] = items[i];
    });
    items.swap(scratch);
  }
}

}  // namespace pericenter
