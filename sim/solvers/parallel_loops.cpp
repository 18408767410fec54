#include "sim/solvers/parallel_loops.h"

#ifdef __cpp_lib_parallel_algorithm
#include <algorithm>
#include <atomic>
#include <exception>
#include <execution>
#include <numeric>
#include <tuple>

namespace pericenter {

void standard_for(Tasks tasks, std::size_t count, const std::function<void(std::size_t)>& task) {
  // Numbers in memory, because the iterators of std::views::iota are not random access iterators of C++17: libstdc++
  // would run the loop on one thread.
  std::vector<std::size_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), std::size_t(0));
  // Relaxed: par_unseq forbids synchronisation, and the end of the algorithm orders the accesses to `first`.
  std::atomic<bool> failed = false;
  std::exception_ptr first;
  const auto run = [&](std::size_t i) {
    if (failed.load(std::memory_order_relaxed)) return;
    try {
      task(i);
    } catch (...) {
      if (!failed.exchange(true, std::memory_order_relaxed)) first = std::current_exception();
    }
  };
  if (tasks == Tasks::independent) {
    std::for_each(std::execution::par_unseq, numbers.begin(), numbers.end(), run);
  } else {
    std::for_each(std::execution::par, numbers.begin(), numbers.end(), run);
  }
  if (first) std::rethrow_exception(first);
}

void standard_sort(std::vector<KeyIndex>& items) {
  std::sort(std::execution::par_unseq, items.begin(), items.end(),
            [](const KeyIndex& a, const KeyIndex& b) { return std::tie(a.key, a.index) < std::tie(b.key, b.index); });
}

}  // namespace pericenter

#else
// Never called, because problem_with_value() refuses Parallel::standard.
namespace pericenter {
void standard_for(Tasks, std::size_t, const std::function<void(std::size_t)>&) {}
void standard_sort(std::vector<KeyIndex>&) {}
}  // namespace pericenter
#endif
