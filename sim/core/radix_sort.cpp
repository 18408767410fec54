#include "sim/core/radix_sort.h"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <span>

#include "sim/core/huge_pages.h"

namespace pericenter {
namespace {

constexpr int kMaxDigitBits = 9;
constexpr std::size_t kMaxDigits = std::size_t(1) << kMaxDigitBits;
constexpr std::size_t kBlock = 1 << 14;  ///< items per task; fewer items are sorted by one thread
constexpr std::size_t kFew = 32;         ///< up to this number, items are sorted by insertion
constexpr std::size_t kPerDigit = 4;     ///< minimum number of items per value of a digit, on average
using Counts = std::array<std::uint32_t, kMaxDigits>;

/// Sorts by the highest digit first, so that after one or two digits a run of items fits into the cache. Each digit
/// moves the items from one array to the other.
class RadixSort {
 public:
  explicit RadixSort(int ignored_bits) : ignored_bits_(ignored_bits) {}

  /// Sorts `count` items of `from`, which agree in the bits above the lowest `bits`. The result is in `to` if `moves`,
  /// otherwise in `from`; the other array is overwritten.
  void sort(KeyIndex* from, KeyIndex* to, std::size_t count, int bits, bool moves) const {
    if (count <= kFew || bits <= ignored_bits_) {
      if (bits > ignored_bits_) insert(from, count);
      if (moves) std::copy_n(from, count, to);
      return;
    }
    const int width =
        std::min({kMaxDigitBits, bits - ignored_bits_, static_cast<int>(std::bit_width(count / kPerDigit))});
    const Digit digit{bits - width, (std::size_t(1) << width) - 1};
    const auto sort_digit = [&](std::size_t first, std::size_t last) {
      sort(to + first, from + first, last - first, digit.shift, !moves);
    };
    if (count <= kBlock) {
      Counts ends = {};
      count_digits(from, count, digit, ends);
      counts_to_places({&ends, 1}, digit);
      scatter(from, count, digit, ends, to);
      for (std::size_t d = 0; d <= digit.largest; ++d) sort_digit(d > 0 ? ends[d - 1] : 0, ends[d]);
      return;
    }
    std::vector<Counts> counts((count + kBlock - 1) / kBlock);
    const auto for_blocks = [&](auto function) {
      tbb::parallel_for(std::size_t(0), counts.size(), [&](std::size_t block) {
        const std::size_t first = block * kBlock;
        function(from + first, std::min(kBlock, count - first), counts[block]);
      });
    };
    for_blocks([&](const KeyIndex* items, std::size_t size, Counts& of) { count_digits(items, size, digit, of); });
    counts_to_places(counts, digit);
    for_blocks([&](const KeyIndex* items, std::size_t size, Counts& of) { scatter(items, size, digit, of, to); });
    const Counts& ends = counts.back();
    tbb::parallel_for(std::size_t(0), digit.largest + 1,
                      [&](std::size_t d) { sort_digit(d > 0 ? ends[d - 1] : 0, ends[d]); });
  }

 private:
  struct Digit {
    int shift;
    std::size_t largest;
    std::size_t of(const KeyIndex& item) const { return item.key >> shift & largest; }
  };

  static void count_digits(const KeyIndex* items, std::size_t count, Digit digit, Counts& counts) {
    for (std::size_t i = 0; i < count; ++i) ++counts[digit.of(items[i])];
  }

  /// Turns counts into the output position of each block's first item of each digit.
  static void counts_to_places(std::span<Counts> counts, Digit digit) {
    std::uint32_t place = 0;
    for (std::size_t d = 0; d <= digit.largest; ++d) {
      for (Counts& count : counts) {
        const std::uint32_t in_block = count[d];
        count[d] = place;
        place += in_block;
      }
    }
  }

  /// Afterwards `place` is the end of each digit of this block.
  static void scatter(const KeyIndex* items, std::size_t count, Digit digit, Counts& place, KeyIndex* to) {
    for (std::size_t i = 0; i < count; ++i) to[place[digit.of(items[i])]++] = items[i];
  }

  void insert(KeyIndex* items, std::size_t count) const {
    for (std::size_t i = 1; i < count; ++i) {
      const KeyIndex item = items[i];
      std::size_t at = i;
      for (; at > 0 && items[at - 1].key >> ignored_bits_ > item.key >> ignored_bits_; --at) items[at] = items[at - 1];
      items[at] = item;
    }
  }

  const int ignored_bits_;
};

}  // namespace

void radix_sort(std::vector<KeyIndex>& items, std::vector<KeyIndex>& scratch, int ignored_bits) {
  resize_scattered(scratch, items.size());
  RadixSort(ignored_bits).sort(items.data(), scratch.data(), items.size(), 64, false);
}

}  // namespace pericenter
