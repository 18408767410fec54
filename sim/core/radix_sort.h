#pragma once

#include <cstdint>
#include <vector>

namespace pericenter {

struct KeyIndex {
  std::uint64_t key;
  std::uint32_t index;
};

/// Stable sort by key without its lowest `ignored_bits`, on the threads of the current oneTBB arena; `scratch` is
/// resized as needed. The result does not depend on the number of threads.
void radix_sort(std::vector<KeyIndex>& items, std::vector<KeyIndex>& scratch, int ignored_bits = 0);

}  // namespace pericenter
