#pragma once

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cstddef>

namespace pericenter {

/// Elements of one task in loops that do little with each; fixed, so that sums by chunk do not depend on the threads.
inline constexpr std::size_t kChunk = 4096;

constexpr std::size_t chunk_count(std::size_t elements) {
  return (elements + kChunk - 1) / kChunk;
}

/// Calls function(first, last) for the chunks of begin..end on the threads of the current oneTBB arena.
template <class Function>
void parallel_chunks(std::size_t begin, std::size_t end, const Function& function) {
  tbb::parallel_for(std::size_t(0), chunk_count(end - begin), [&](std::size_t chunk) {
    const std::size_t first = begin + chunk * kChunk;
    function(first, std::min(first + kChunk, end));
  });
}

}  // namespace pericenter
