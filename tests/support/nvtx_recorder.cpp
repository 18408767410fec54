// Takes the place of a profiler: NVTX loads this library if NVTX_INJECTION64_PATH names it. Records the ranges of all
// threads as lines "outer/inner".
#include <nvtx3/nvToolsExt.h>

#include <mutex>
#include <string>
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

}  // namespace

extern "C" const char* recorded_ranges() {
  return lines.c_str();
}

extern "C" int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get_table) {
  const auto* callbacks = static_cast<const NvtxExportTableCallbacks*>(get_table(NVTX_ETID_CALLBACKS));
  NvtxFunctionTable table = nullptr;
  unsigned size = 0;
  if (callbacks == nullptr || callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE, &table, &size) == 0) return 0;
  *table[NVTX_CBID_CORE_RangePushA] = reinterpret_cast<NvtxFunctionPointer>(push);
  *table[NVTX_CBID_CORE_RangePop] = reinterpret_cast<NvtxFunctionPointer>(pop);
  return 1;
}
