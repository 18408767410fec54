#include "app/bridge/vertex_bridge.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <stdexcept>
#include <utility>

#include "sim/core/fault_injection.h"

namespace pericenter::app {
namespace {

constexpr double kLongestFilling = 1;  // seconds; only a GPU that is lost takes longer

void fail_if_planned(Fault fault, const char* words) {
  if (should_fail(fault)) throw std::runtime_error(words);
}

/// The first line of /proc/version; empty where there is none.
std::string kernel_version() {
  std::string line;
  std::ifstream file("/proc/version");
  std::getline(file, line);
  return line;
}

}  // namespace

VertexBridge::VertexBridge(Interop interop) : interop_(std::move(interop)) {
  if (interop_.demanded && !interop_.problem.empty()) throw NoInterop(interop_.problem);
}

std::optional<Published> VertexBridge::exchange(SimulationThread& simulation) {
  std::optional<Published> shown;
  const auto take_back = [&](double seconds) {
    const std::optional<Published> published = simulation.take_back(seconds);
    if (published && take(*published, simulation)) shown = published;
  };
  take_back(0);
  const bool one = wants_one_buffer(simulation.state());
  if (std::exchange(one_buffer_, one) != one) simulation.request(request::ShareBuffer{one});
  if (!is_lent_ && lend(simulation) && one_buffer_) take_back(kLongestFilling);
  simulation.allow_steps();
  return shown;
}

bool VertexBridge::wants_one_buffer(const SessionState& state) const {
  return interop_.suits(state) && interop_.problem.empty() && capacity_ >= interop_.one_buffer_from;
}

/// Makes the filled buffer the one to draw; false when it did not suit the simulation, or could not be had back.
bool VertexBridge::take(const Published& published, SimulationThread& simulation) {
  is_lent_ = false;
  capacity_ = std::max(kMinCapacity, simulation.state().bodies);
  if (!unmap_spare()) {
    simulation.request(request::Publish{});  // what was in it is lost
    return false;
  }
  if (published.count == 0) return false;
  if (VertexBuffer* shown = slots_[drawn_].buffer.get()) shown->set_fence();
  drawn_ = 1 - drawn_;
  count_ = published.count;
  return true;
}

bool VertexBridge::unmap_spare() {
  try {
    spare().buffer->unmap();
    return true;
  } catch (const std::runtime_error& error) {
    give_up_interop(error.what());
    return false;
  }
}

bool VertexBridge::lend(SimulationThread& simulation) {
  if (one_buffer_) {
    if (!simulation.awaits_buffer()) return false;
    spare() = std::exchange(slots_[drawn_], {});
  } else if (spare().buffer && !spare().buffer->is_free()) {
    return false;  // a picture may wait a frame for its buffer; the program never waits for the GPU here
  }
  const SessionState state = simulation.state();
  const bool suits = interop_.suits(state);
  std::optional<VertexTarget> target;
  if (suits && interop_.problem.empty()) target = map_shared(state.config.device);
  way_ = !suits ? Way::host : target ? Way::interop : Way::staged;
  simulation.lend(target ? *target : map_host());
  is_lent_ = true;
  return true;
}

/// nullopt when it cannot be had.
std::optional<VertexTarget> VertexBridge::map_shared(int device) {
  try {
    Slot& slot = spare();
    if (!slot.shared || !slot.holds(capacity_)) {
      slot = {};  // before the new one is made: both might not fit
      fail_if_planned(Fault::gl_register, "CUDA cannot share OpenGL's vertex buffer");
      slot = {interop_.make(capacity_, device), true};
    }
    fail_if_planned(Fault::gl_map, "CUDA cannot map OpenGL's vertex buffer");
    return slot.buffer->map();
  } catch (const std::runtime_error& error) {
    give_up_interop(error.what());
    return std::nullopt;
  }
}

VertexTarget VertexBridge::map_host() {
  Slot& slot = spare();
  if (slot.shared || !slot.holds(capacity_)) {
    slot = {};
    slot = {make_host_buffer(capacity_), false};
  }
  return slot.buffer->map();
}

/// From here on map_host() replaces shared buffers, the one that is drawn when there is another.
void VertexBridge::give_up_interop(const std::string& problem) {
  interop_.problem = problem;
  if (interop_.demanded) throw NoInterop(problem);
  news_ = "From now on the stars are copied through the computer's memory, which is a little slower: " + problem + ".";
}

unsigned VertexBridge::buffer() const {
  return slots_[drawn_].buffer ? slots_[drawn_].buffer->name() : 0;
}

std::string_view VertexBridge::name() const {
  switch (way_) {
    case Way::interop:
      return "interop";
    case Way::staged:
      return "staged";
    case Way::host:
      break;
  }
  return "host";
}

std::string_view VertexBridge::reason() const {
  return way_ == Way::staged ? std::string_view(interop_.problem) : std::string_view();
}

std::string drawn_elsewhere(const std::string& renderer) {
  return "OpenGL runs on " + renderer +
         " and not on the NVIDIA GPU; start with __NV_PRIME_RENDER_OFFLOAD=1 __GLX_VENDOR_LIBRARY_NAME=nvidia to draw "
         "there too";
}

bool is_wsl(std::string_view kernel_version) {
  std::string text(kernel_version);
  for (char& letter : text) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return text.find("microsoft") != text.npos;
}

InteropPlan plan_interop(Bridge wanted, const CudaStatus& cuda) {
  InteropPlan plan;
  plan.interop.demanded = wanted == Bridge::interop;
  std::string& problem = plan.interop.problem;
  if (!cuda.available()) {
    problem = cuda.missing;
    return plan;
  }
  plan.device = cuda.devices.front().index;
  if (wanted == Bridge::staged) {
    problem = "--bridge staged asks for it";
  } else if (is_wsl(kernel_version())) {
    problem = "OpenGL and CUDA share no buffers under WSL2";
  } else {
    const GlCudaDevice drawing = should_fail(Fault::gl_devices)
                                     ? GlCudaDevice{std::nullopt, drawn_elsewhere("another GPU")}
                                     : gl_cuda_device(cuda);
    plan.device = drawing.device.value_or(plan.device);
    problem = drawing.problem;
  }
  return plan;
}

}  // namespace pericenter::app
