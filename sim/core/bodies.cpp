#include "sim/core/bodies.h"

#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace pericenter {
namespace {

constexpr std::size_t kLargePage = std::size_t{1} << 21;
constexpr std::size_t kMinHugeBytes = 32 * kLargePage;  // smaller blocks are fast in small pages

}  // namespace

void* allocate_bodies(std::size_t bytes) {
  if (bytes < kMinHugeBytes) return ::operator new(bytes);
  void* const memory = ::operator new (bytes, std::align_val_t{kLargePage});
#ifdef MADV_HUGEPAGE
  madvise(memory, bytes, MADV_HUGEPAGE);  // failure only means small pages
#endif
  return memory;
}

void free_bodies(void* memory, std::size_t bytes) noexcept {
  if (bytes < kMinHugeBytes) return ::operator delete(memory);
  ::operator delete (memory, std::align_val_t{kLargePage});
}

Bodies uninitialized_bodies(std::size_t count) {
  Bodies bodies;
  // The assignment moves the memory but not the allocator, so that a later resize() zeroes new bodies again.
  bodies = Bodies(count, BodyAllocator<Body>(Initial::nothing));
  return bodies;
}

}  // namespace pericenter
