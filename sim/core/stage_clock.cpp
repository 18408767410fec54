#include "sim/core/stage_clock.h"

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
bool profiler_attached() {
  // Only a profiler gives a domain a handle. The results of nvtxRangePushA() are no sign: Nsight Systems returns -1.
  static const bool attached = nvtxDomainCreateA("pericenter") != nullptr;
  return attached;
}
#else
ProfilerRange::ProfilerRange(std::string_view /*name*/) {}
ProfilerRange::~ProfilerRange() = default;
bool profiler_attached() {
  return false;
}
#endif

}  // namespace pericenter
