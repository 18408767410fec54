#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace pericenter {

/// The threads of the CPU that work for a simulation on the GPU: a oneTBB arena, whose headers nvcc need not read.
class CpuTaskPool {
 public:
  /// `wanted` as Config::threads.
  explicit CpuTaskPool(int wanted);
  ~CpuTaskPool();

  /// Calls `work`, whose own loops of sim/core/parallel.h then run on these threads.
  void run(const std::function<void()>& work) const;

  using Chunk = std::function<void(std::size_t first, std::size_t last)>;
  /// Calls work(first, last) for chunks of begin..end on these threads.
  void run_chunks(std::size_t begin, std::size_t end, const Chunk& work) const;

 private:
  struct Arena;
  std::unique_ptr<Arena> arena_;
};

}  // namespace pericenter
