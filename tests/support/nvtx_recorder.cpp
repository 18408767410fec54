// Takes the place of a profiler: NVTX loads this library if NVTX_INJECTION64_PATH names it. Records the ranges of all
// threads as lines "outer/inner".
#include <nvtx3/nvToolsExt.h>

#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace {

std::mutex mutex;
std::string lines;
thread_local std::vector<std::string> open_ranges;

int push(const char* name) {
  const int level = static_cast<int>(open_ranges.size());
  open_ranges.emplace_back(name);
  const std::scoped_lock lock(mutex);
  for (const std::string& range : open_ranges) lines += range + "/";
  lines.back() = '\n';
  return level;
}

int pop() {
  if (open_ranges.empty()) return -1;
  open_ranges.pop_back();
  return static_cast<int>(open_ranges.size());
}

/// A program takes any handle as the sign of a profiler.
nvtxDomainHandle_t create_domain(const char* /*name*/) {
  return reinterpret_cast<nvtxDomainHandle_t>(&lines);
}

}  // namespace

/// The ranges since the last call.
extern "C" const char* take_recorded_ranges() {
  static std::string taken;
  const std::scoped_lock lock(mutex);
  taken = std::exchange(lines, {});
  return taken.c_str();
}

extern "C" int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get_table) {
  const auto* callbacks = static_cast<const NvtxExportTableCallbacks*>(get_table(NVTX_ETID_CALLBACKS));
  NvtxFunctionTable ranges = nullptr, domains = nullptr;
  unsigned size = 0;
  if (callbacks == nullptr || callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE, &ranges, &size) == 0 ||
      callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE2, &domains, &size) == 0) {
    return 0;
  }
  *ranges[NVTX_CBID_CORE_RangePushA] = reinterpret_cast<NvtxFunctionPointer>(push);
  *ranges[NVTX_CBID_CORE_RangePop] = reinterpret_cast<NvtxFunctionPointer>(pop);
  *domains[NVTX_CBID_CORE2_DomainCreateA] = reinterpret_cast<NvtxFunctionPointer>(create_domain);
  return 1;
}
