#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace pericenter {

/// CPU threads of a simulation on the GPU: a oneTBB arena whose headers nvcc does not have to parse.
class CpuTaskPool {
 public:
  /// `wanted` is Config::threads.
  explicit CpuTaskPool(int wanted);
  ~CpuTaskPool();

  /// Calls `work`; the loops of sim/core/parallel.h inside it run on these threads.
  void run(const std::function<void()>& work) const;

  using Chunk = std::function<void(std::size_t first, std::size_t last)>;
  /// Calls work(first, last) for chunks of begin..end on these threads.
  void run_chunks(std::size_t begin, std::size_t end, const Chunk& work) const;

 private:
  struct Arena;
  std::unique_ptr<Arena> arena_;
};

}  // namespace pericenter
