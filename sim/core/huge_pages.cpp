#include "sim/core/huge_pages.h"

#include <cstdint>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace pericenter {

void advise_huge_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#ifdef MADV_HUGEPAGE
  const auto at = reinterpret_cast<std::uintptr_t>(memory);
  const auto first = (at + kHugePage - 1) / kHugePage * kHugePage, last = (at + bytes) / kHugePage * kHugePage;
  if (first < last) {
    madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);  // failure only means small pages
  }
#endif
}

}  // namespace pericenter
