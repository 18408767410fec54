#include "sim/core/bodies.h"

#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace pericenter {
namespace {

constexpr std::size_t kLargePage = std::size_t{1} << 21;
constexpr std::size_t kMuch = 32 * kLargePage;  // less is taken from smaller pages in no time

}  // namespace

void* allocate_bodies(std::size_t bytes) {
  if (bytes < kMuch) return ::operator new(bytes);
  void* const memory = ::operator new (bytes, std::align_val_t{kLargePage});
#ifdef MADV_HUGEPAGE
  madvise(memory, bytes, MADV_HUGEPAGE);  // a system that refuses has small pages only
#endif
  return memory;
}

void free_bodies(void* memory, std::size_t bytes) noexcept {
  if (bytes < kMuch) return ::operator delete(memory);
  ::operator delete (memory, std::align_val_t{kLargePage});
}

Bodies uninitialized_bodies(std::size_t count) {
  Bodies bodies;
  // Assigned, which takes the memory and leaves the allocator: what is resized later begins with zeros again.
  bodies = Bodies(count, BodyAllocator<Body>(Initial::nothing));
  return bodies;
}

}  // namespace pericenter
