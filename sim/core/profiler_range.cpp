#include "sim/core/profiler_range.h"

#ifdef PERICENTER_HAS_CUDA
#include <nvtx3/nvToolsExt.h>
#endif

namespace pericenter {

#ifdef PERICENTER_HAS_CUDA
ProfilerRange::ProfilerRange(std::string_view name) {
  nvtxRangePushA(name.data());
}
ProfilerRange::~ProfilerRange() {
  nvtxRangePop();
}
#else
ProfilerRange::ProfilerRange(std::string_view /*name*/) {}
ProfilerRange::~ProfilerRange() = default;
#endif

}  // namespace pericenter
