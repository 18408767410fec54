#include "sim/core/bodies.h"

#include "sim/core/host_memory.h"
#include "sim/core/huge_pages.h"

namespace pericenter {
namespace {

constexpr std::size_t kMinHugeBytes = 32 * kHugePage;  // smaller blocks are fast in small pages

}  // namespace

void* allocate_bodies(std::size_t bytes) {
  if (bytes < kMinHugeBytes) return ::operator new(bytes);
  require_memory(bytes);
  void* const memory = ::operator new (bytes, std::align_val_t{kHugePage});
  advise_huge_pages(memory, bytes);
  return memory;
}

void free_bodies(void* memory, std::size_t bytes) noexcept {
  if (bytes < kMinHugeBytes) return ::operator delete(memory);
  ::operator delete (memory, std::align_val_t{kHugePage});
}

Bodies uninitialized_bodies(std::size_t count) {
  Bodies bodies;
  // The assignment moves the memory but not the allocator, so that a later resize() zeroes new bodies again.
  bodies = Bodies(count, BodyAllocator<Body>(Initial::nothing));
  return bodies;
}

std::string body_name(std::size_t index) {
  return "body " + std::to_string(index);
}

std::string body_name(std::size_t index, std::uint32_t tag) {
  constexpr const char* kParts[] = {"disc", "bulge", "halo"};
  const Component component = component_of(tag);
  if (component == Component::other) return body_name(index);
  return body_name(index) + " (" + kParts[static_cast<std::size_t>(component)] + " of galaxy " +
         std::to_string(galaxy_of(tag) + 1) + ")";
}

std::string nonfinite_bodies_message(std::string first, std::size_t count) {
  if (!first.empty()) first[0] = 'B';
  const std::string subject = count > 1 ? first + " and " + std::to_string(count - 1) + " more have" : first + " has";
  return subject + " a NaN or infinite position or velocity.";
}

}  // namespace pericenter
