#pragma once

#include <oneapi/tbb/parallel_for.h>

#include <cstddef>
#include <functional>
#include <vector>
#include <version>

#include "sim/core/parallel.h"
#include "sim/core/radix_sort.h"
#include "sim/core/solver_options.h"

namespace pericenter {

/// Whether the C++ library of this build has parallel algorithms: libc++ has none.
#ifdef __cpp_lib_parallel_algorithm
inline constexpr bool kHasStandardAlgorithms = true;
#else
inline constexpr bool kHasStandardAlgorithms = false;
#endif

/// What the tasks of a loop do. `independent`: they neither take locks nor wait nor keep anything per thread, so that
/// std::execution::par_unseq is legal, which may interleave tasks on a thread. `coupled`: one of these, so that it
/// would deadlock or mix the sums of two tasks; they need the forward progress of std::execution::par (Cassell et al.
/// 2024, doi:10.1109/SCW63240.2024.00099).
enum class Tasks { independent, coupled };

/// Calls task(0) to task(count - 1) by std::for_each on the threads of the current oneTBB arena. An exception must not
/// leave a parallel algorithm: the first one is thrown after it, and tasks that start later do nothing.
void standard_for(Tasks tasks, std::size_t count, const std::function<void(std::size_t)>& task);

/// The order of radix_sort() for items in the order of their indices, by std::sort on the same threads.
void standard_sort(std::vector<KeyIndex>& items);

/// Calls task(0) to task(count - 1) on the threads of the current oneTBB arena.
template <class Task>
void parallel_for(Parallel how, Tasks tasks, std::size_t count, const Task& task) {
  if (how == Parallel::standard) return standard_for(tasks, count, std::cref(task));
  tbb::parallel_for(std::size_t(0), count, task);
}

/// Calls function(first, last) for each chunk of begin..end, as the function of sim/core/parallel.h.
template <std::size_t Chunk = kChunk, class Function>
void parallel_chunks(Parallel how, Tasks tasks, std::size_t begin, std::size_t end, const Function& function) {
  parallel_for(how, tasks, chunk_count(end - begin, Chunk), [&](std::size_t chunk) {
    const std::size_t first = begin + chunk * Chunk;
    function(first, std::min(first + Chunk, end));
  });
}

}  // namespace pericenter
