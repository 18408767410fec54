#include "app/bridge/vertex_bridge.h"

#include <cctype>
#include <fstream>

#include "sim/core/bodies.h"
#include "sim/core/fault_injection.h"

namespace pericenter::app {
namespace {

constexpr double kMaxFillSeconds = 1;  // only a lost GPU takes longer

void fail_if_planned(Fault fault, const char* message) {
  if (should_fail(fault)) throw std::runtime_error(message);
}

/// The first line of /proc/version; empty if there is none.
std::string kernel_version() {
  std::string line;
  std::ifstream file("/proc/version");
  std::getline(file, line);
  return line;
}

class HostBuffer final : public VertexBuffer {
 public:
  explicit HostBuffer(std::size_t capacity) : VertexBuffer(capacity) {
    constexpr GLbitfield kFlags = GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
    const auto bytes = static_cast<GLsizeiptr>(capacity * sizeof(Vertex));
    glNamedBufferStorage(name(), bytes, nullptr, kFlags);
    vertices_ = static_cast<Vertex*>(glMapNamedBufferRange(name(), 0, bytes, kFlags));
    if (!vertices_)
      throw std::runtime_error("the graphics driver cannot allocate a vertex buffer for " + std::to_string(capacity) +
                               " bodies");
  }

  VertexTarget map() override { return {.vertices = vertices_, .capacity = capacity()}; }
  void unmap() override {}

 private:
  Vertex* vertices_ = nullptr;
};

}  // namespace

VertexBridge::VertexBridge(Interop interop) : interop_(std::move(interop)) {
  if (interop_.required && !interop_.problem.empty()) throw NoInterop(interop_.problem);
}

std::optional<PublishedFrame> VertexBridge::exchange(SimulationThread& simulation, const SessionState& state,
                                                     const Showing& showing) {
  std::optional<PublishedFrame> shown;
  const auto take_back = [&](double seconds) {
    const std::optional<PublishedFrame> published = simulation.take_back(seconds);
    if (published && take(*published, state, simulation)) shown = published;
  };
  take_back(0);
  if (count_ == 0) suit(state);
  const bool one = wants_one_buffer(state), between = showing.between && !one;
  if (std::exchange(one_buffer_, one) != one) simulation.request(request::SetSingleBuffer{one});
  if (shown)
    clock_.publish(*shown, showing.now, state.mean_step_seconds());
  else if (clock_.has_video_frames())
    clock_.arrive();  // they have been drawn
  clock_.advance(showing.now, state.running);
  if (!between || is_lent_) clock_.arrive();
  if (is_lent_ && lends_bends_ && !showing.bends) take_back_unfilled(simulation);
  if (!is_lent_ && !clock_.is_between() && lend(simulation, state, {.between = between, .bends = showing.bends}) &&
      one) {
    take_back(kMaxFillSeconds);
    if (shown) clock_.publish(*shown, showing.now, 0);
    clock_.arrive();  // there is no buffer of before
  }
  if (showing.allows_steps) simulation.allow_steps();
  return shown;
}

void VertexBridge::was_drawn() {
  if (clock_.is_between()) spare().buffer->set_fence();
}

bool VertexBridge::wants_one_buffer(const SessionState& state) const {
  return interop_.can_share(state) && capacity_ >= interop_.one_buffer_from;
}

/// Chooses the size of new buffers: for the next scene, if it is known, and for the present one as well if both have
/// all of their bodies in it.
void VertexBridge::suit(const SessionState& state) {
  const std::size_t next = state.next_bodies > 0 ? state.next_bodies : state.bodies;
  lent_every_ = interop_.every(next);
  const std::size_t most = interop_.every(state.bodies) == lent_every_ ? std::max(state.bodies, next) : next;
  capacity_ = std::max(std::min(kMinCapacity, interop_.max_vertices), vertices_of(most, lent_every_));
}

/// Draws the filled buffer from now on; false if it did not fit the simulation or could not be unmapped.
bool VertexBridge::take(const PublishedFrame& published, const SessionState& state, SimulationThread& simulation) {
  is_lent_ = false;
  suit(state);
  if (!unmap_spare()) {
    simulation.request(request::Publish{});  // its content is lost
    return false;
  }
  if (published.count == 0) return false;
  if (VertexBuffer* shown = slots_[drawn_].buffer.get()) shown->set_fence();
  drawn_ = 1 - drawn_;
  count_ = published.count;
  every_ = published.every;
  bends_ = published.bends;
  return true;
}

/// The colours show scalars now, which the lent buffer would not get.
void VertexBridge::take_back_unfilled(SimulationThread& simulation) {
  simulation.recall();
  is_lent_ = false;
  unmap_spare();
}

bool VertexBridge::unmap_spare() {
  try {
    spare().buffer->unmap();
    return true;
  } catch (const std::runtime_error& error) {
    fall_back_to_staged(error.what());
    return false;
  }
}

bool VertexBridge::lend(SimulationThread& simulation, const SessionState& state, const Showing& showing) {
  if (one_buffer_) {
    if (!simulation.awaits_buffer()) return false;
    spare() = std::exchange(slots_[drawn_], {});
  } else if (spare().buffer && !spare().buffer->is_free()) {
    return false;  // the GPU may still read it: try again in the next frame instead of waiting
  }
  const bool suits = interop_.suits(state);
  std::optional<VertexTarget> target;
  if (interop_.can_share(state)) target = map_shared(state.config.device);
  transfer_ = !suits ? Transfer::host : target ? Transfer::interop : Transfer::staged;
  VertexTarget lent = target ? *target : map_host();
  lent.every = lent_every_;
  lent.bends = lends_bends_ = showing.between && showing.bends;
  simulation.lend(lent, showing.between);
  is_lent_ = true;
  return true;
}

/// nullopt if interop fails.
std::optional<VertexTarget> VertexBridge::map_shared(int device) {
  try {
    Slot& slot = spare();
    if (!slot.shared || !slot.fits(capacity_)) {
      slot = {};  // free it first: there may not be enough memory for both
      fail_if_planned(Fault::gl_register, "CUDA cannot register the OpenGL vertex buffer");
      slot = {interop_.make(capacity_, device), true};
    }
    fail_if_planned(Fault::gl_map, "CUDA cannot map the OpenGL vertex buffer");
    return slot.buffer->map();
  } catch (const std::runtime_error& error) {
    fall_back_to_staged(error.what());
    return std::nullopt;
  }
}

VertexTarget VertexBridge::map_host() {
  Slot& slot = spare();
  if (slot.shared || !slot.fits(capacity_)) {
    slot = {};
    slot = {make_host_buffer(capacity_), false};
  }
  return slot.buffer->map();
}

/// From now on map_host() replaces shared buffers; the one that is drawn stays until there is another.
void VertexBridge::fall_back_to_staged(const std::string& problem) {
  interop_.problem = problem;
  if (interop_.required) throw NoInterop(problem);
  notice_ = fallback_notice(problem);
}

std::string fallback_notice(const std::string& problem) {
  return "CUDA–OpenGL interop failed; falling back to a staged copy through host memory: " + problem + ".";
}

std::string every_sentence(std::size_t every) {
  if (every == 1) return {};
  return "The window shows one body in " + std::to_string(every) + ": CUDA and OpenGL share at most 4 GiB.";
}

unsigned VertexBridge::buffer() const {
  return slots_[drawn_].buffer ? slots_[drawn_].buffer->name() : 0;
}

unsigned VertexBridge::before() const {
  return clock_.is_between() ? slots_[1 - drawn_].buffer->name() : 0;
}

std::string_view VertexBridge::name() const {
  switch (transfer_) {
    case Transfer::interop:
      return "interop";
    case Transfer::staged:
      return "staged";
    case Transfer::host:
      break;
  }
  return "host";
}

std::string_view VertexBridge::reason() const {
  if (transfer_ != Transfer::staged) return {};
  return interop_.problem;
}

std::string renders_elsewhere(const std::string& renderer) {
  return "OpenGL runs on " + renderer +
         " and not on the NVIDIA GPU; set __NV_PRIME_RENDER_OFFLOAD=1 __GLX_VENDOR_LIBRARY_NAME=nvidia to render there";
}

bool is_wsl(std::string_view kernel_version) {
  std::string text(kernel_version);
  for (char& letter : text) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return text.find("microsoft") != text.npos;
}

InteropPlan plan_interop(Bridge wanted, const CudaStatus& cuda) {
  InteropPlan plan;
  plan.interop.required = wanted == Bridge::interop;
  std::string& problem = plan.interop.problem;
  if (!cuda.available()) {
    problem = cuda.missing;
    return plan;
  }
  plan.device = cuda.devices.front().index;
  if (wanted == Bridge::staged) {
    problem = "selected with --bridge staged";
  } else if (is_wsl(kernel_version())) {
    problem = "WSL2 does not support CUDA–OpenGL interop";
  } else {
    const GlCudaDevice drawing = should_fail(Fault::gl_devices)
                                     ? GlCudaDevice{std::nullopt, renders_elsewhere("another GPU")}
                                     : gl_cuda_device(cuda);
    plan.device = drawing.device.value_or(plan.device);
    problem = drawing.problem;
  }
  return plan;
}

void VertexBuffer::set_fence() {
  delete_fence();
  fence_ = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
}

bool VertexBuffer::is_free() {
  if (!fence_) return true;
  if (glClientWaitSync(fence_, GL_SYNC_FLUSH_COMMANDS_BIT, 0) == GL_TIMEOUT_EXPIRED) return false;
  delete_fence();
  return true;
}

void VertexBuffer::delete_fence() {
  if (fence_) glDeleteSync(fence_);
  fence_ = nullptr;
}

std::unique_ptr<VertexBuffer> make_host_buffer(std::size_t capacity) {
  return std::make_unique<HostBuffer>(capacity);
}

}  // namespace pericenter::app
