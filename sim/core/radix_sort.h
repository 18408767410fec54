#pragma once

#include <cstdint>
#include <vector>

namespace pericenter {

struct KeyIndex {
  std::uint64_t key;
  std::uint32_t index;
};

/// Stable sort by key on the threads of the current oneTBB arena; `scratch` is resized as needed. The result does not
/// depend on the number of threads.
void radix_sort(std::vector<KeyIndex>& items, std::vector<KeyIndex>& scratch);

}  // namespace pericenter
