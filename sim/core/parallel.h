#pragma once

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace pericenter {

/// Elements per task in loops with little work per element; fixed, so that chunked sums do not depend on the number of
/// threads.
inline constexpr std::size_t kChunk = 4096;

/// The same for cells of a tree, which have more work, and of which a generation has few.
inline constexpr std::size_t kCellChunk = 256;

constexpr std::size_t chunk_count(std::size_t elements, std::size_t chunk = kChunk) {
  return (elements + chunk - 1) / chunk;
}

/// Size of an arena for `wanted` threads (0: all), limited to what oneTBB may start, because it warns about more.
inline int arena_threads(int wanted) {
  const auto allowed = tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
  return wanted > 0 ? std::min(wanted, static_cast<int>(allowed)) : tbb::task_arena::automatic;
}

/// Calls function(first, last) for each chunk of begin..end on the threads of the current oneTBB arena.
template <std::size_t Chunk = kChunk, class Function>
void parallel_chunks(std::size_t begin, std::size_t end, const Function& function) {
  tbb::parallel_for(std::size_t(0), chunk_count(end - begin, Chunk), [&](std::size_t chunk) {
    const std::size_t first = begin + chunk * Chunk;
    function(first, std::min(first + Chunk, end));
  });
}

/// The values function(0) to function(count - 1), each of which is expensive, on the threads of the current arena.
template <class Function>
std::vector<double> parallel_values(std::size_t count, const Function& function) {
  std::vector<double> values(count);
  tbb::parallel_for(std::size_t(0), count, [&](std::size_t i) { values[i] = function(i); });
  return values;
}

}  // namespace pericenter
