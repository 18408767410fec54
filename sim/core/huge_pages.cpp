#include "sim/core/huge_pages.h"

#include <cstdint>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace pericenter {

void advise_huge_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#ifdef MADV_HUGEPAGE
  constexpr std::uintptr_t kPage = std::uintptr_t{1} << 21;
  const auto at = reinterpret_cast<std::uintptr_t>(memory);
  const std::uintptr_t first = (at + kPage - 1) / kPage * kPage, last = (at + bytes) / kPage * kPage;
  if (first < last) {
    madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);  // failure only means small pages
  }
#endif
}

}  // namespace pericenter
