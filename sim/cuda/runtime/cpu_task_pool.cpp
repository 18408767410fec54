#include "sim/cuda/runtime/cpu_task_pool.h"

#include <oneapi/tbb/task_arena.h>

#include "sim/core/parallel.h"

namespace pericenter {
struct HostThreads::Arena {
  tbb::task_arena arena;
};

HostThreads::HostThreads(int wanted) : arena_(std::make_unique<Arena>(arena_threads(wanted))) {}

HostThreads::~HostThreads() = default;

void HostThreads::run(const std::function<void()>& work) const {
  arena_->arena.execute(work);
}

void HostThreads::run_chunks(std::size_t begin, std::size_t end, const Chunk& work) const {
  arena_->arena.execute([&] { parallel_chunks(begin, end, work); });
}

}  // namespace pericenter
