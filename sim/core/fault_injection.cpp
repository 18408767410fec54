#include "sim/core/fault_injection.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <thread>

namespace pericenter {
namespace {

constexpr FaultInfo kFaults[] = {
    {Fault::no_kernel_image, "no_kernel_image"},
    {Fault::old_driver, "old_driver"},
    {Fault::slow_cuda, "slow_cuda"},
    {Fault::device_memory, "device_memory"},
    {Fault::one_gpu, "one_gpu"},
    {Fault::distant_gpus, "distant_gpus"},
    {Fault::gl_devices, "gl_devices"},
    {Fault::gl_register, "gl_register"},
    {Fault::gl_map, "gl_map"},
    {Fault::gl_context_lost, "gl_context_lost"},
    {Fault::device_lost, "device_lost"},
    {Fault::step_hangs, "step_hangs"},
    {Fault::not_finite, "not_finite"},
    {Fault::gui_assertion, "gui_assertion"},
    {Fault::disk_full, "disk_full"},
    {Fault::history_memory, "history_memory"},
    {Fault::snapshot_memory, "snapshot_memory"},
};
static_assert(std::size(kFaults) == static_cast<std::size_t>(Fault::count));

// Global, because faults are injected in code that receives no parameters.
std::atomic<Fault> planned{Fault::count};
std::atomic<bool> at_each_call{true};
std::atomic<long> calls_until{0};  ///< remaining calls until the fault, unless at_each_call

}  // namespace

std::span<const FaultInfo> faults() {
  return kFaults;
}

std::string plan_fault(std::string_view plan) {
  const std::size_t colon = plan.find(':');
  const std::string_view name = plan.substr(0, colon);
  const FaultInfo* info = std::ranges::find(kFaults, name, &FaultInfo::name);
  long count = 0;
  if (colon != std::string_view::npos) {
    const std::string_view digits = plan.substr(colon + 1);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
    if (error != std::errc() || end != digits.data() + digits.size() || count < 1) {
      return "the fault '" + std::string(plan) + "' needs a count of at least 1 after its colon";
    }
  }
  if (!plan.empty() && info == std::end(kFaults)) {
    std::string names;
    for (const FaultInfo& each : kFaults) names += (names.empty() ? "" : ", ") + std::string(each.name);
    return "there is no fault '" + std::string(name) + "'; available: " + names;
  }
  planned = Fault::count;
  at_each_call = colon == std::string_view::npos;
  calls_until = count;
  planned = plan.empty() ? Fault::count : info->fault;
  return {};
}

bool should_fail(Fault fault) {
  if (planned.load(std::memory_order_relaxed) != fault) return false;
  return at_each_call || calls_until.fetch_sub(1) == 1;
}

void hang() {
  using namespace std::chrono_literals;
  const auto end = std::chrono::steady_clock::now() + 10s;
  while (planned == Fault::step_hangs && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(5ms);
}

}  // namespace pericenter
