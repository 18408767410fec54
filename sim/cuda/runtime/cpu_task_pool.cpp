#include "sim/cuda/runtime/cpu_task_pool.h"

#include <oneapi/tbb/task_arena.h>

#include "sim/core/parallel.h"

namespace pericenter {
struct CpuTaskPool::Arena {
  tbb::task_arena arena;
};

CpuTaskPool::CpuTaskPool(int wanted) : arena_(std::make_unique<Arena>(arena_threads(wanted))) {}

CpuTaskPool::~CpuTaskPool() = default;

void CpuTaskPool::run(const std::function<void()>& work) const {
  arena_->arena.execute(work);
}

void CpuTaskPool::run_chunks(std::size_t begin, std::size_t end, const Chunk& work) const {
  arena_->arena.execute([&] { parallel_chunks(begin, end, work); });
}

}  // namespace pericenter
