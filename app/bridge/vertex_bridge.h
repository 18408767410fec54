#pragma once

#include <glad/gl.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "app/base/memory_budget.h"
#include "app/bridge/display_clock.h"
#include "app/settings/options.h"
#include "render/gl_objects.h"
#include "sim/core/device.h"
#include "sim/core/vertex_target.h"
#include "sim/session/simulation_thread.h"

namespace pericenter::app {

/// An OpenGL vertex buffer that is alternately drawn and written by the simulation. For the thread of its OpenGL
/// context, which must be current when the buffer is destroyed.
class VertexBuffer {
 public:
  explicit VertexBuffer(std::size_t capacity) : buffer_(render::make_buffer()), capacity_(capacity) {}
  virtual ~VertexBuffer() { delete_fence(); }
  VertexBuffer(const VertexBuffer&) = delete;
  VertexBuffer& operator=(const VertexBuffer&) = delete;

  unsigned name() const { return buffer_.name(); }
  std::size_t capacity() const { return capacity_; }  ///< vertices

  /// From now on the simulation may write it and OpenGL must not use it. Throws std::runtime_error.
  virtual VertexTarget map() = 0;
  /// From now on it may be drawn. After an exception it is unusable.
  virtual void unmap() = 0;

  /// Call after the last frame that was drawn from it.
  void set_fence();
  /// False while the GPU may still read it.
  bool is_free();

 private:
  void delete_fence();

  render::Buffer buffer_;
  std::size_t capacity_;
  GLsync fence_ = nullptr;
};

/// A persistently mapped buffer in host memory. Throws std::runtime_error if there is not enough memory.
std::unique_ptr<VertexBuffer> make_host_buffer(std::size_t capacity);

/// A buffer that CUDA and OpenGL share. Throws std::runtime_error if interop fails.
std::unique_ptr<VertexBuffer> make_interop_buffer(std::size_t capacity, int device);

/// The CUDA device that OpenGL renders with.
struct GlCudaDevice {
  std::optional<int> device;  ///< value of Config::device; nullopt if no usable device renders
  std::string problem;        ///< reason for nullopt
};
/// The device of the current OpenGL context, among the `usable` ones. Never throws.
GlCudaDevice gl_cuda_device(const CudaStatus& usable);
/// GlCudaDevice::problem if OpenGL runs on this renderer, which is not an NVIDIA GPU.
std::string renders_elsewhere(const std::string& renderer);

/// Interop was requested explicitly and is not available; what() states why.
class NoInterop : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// How a bridge shares its buffers with CUDA. Tests replace the functions.
struct Interop {
  std::string problem;    ///< why interop is not available; empty: it is tried
  bool required = false;  ///< throw NoInterop instead of falling back to a staged copy
  std::function<bool(const SessionState&)> suits = [](const SessionState& state) {
    return state.config.backend == Backend::cuda && !state.playback && !state.timeline.rewound;
  };
  std::function<std::unique_ptr<VertexBuffer>(std::size_t capacity, int device)> make = make_interop_buffer;
  std::size_t max_vertices = kMaxSharedVertices;  ///< most in a buffer, also if it is not shared
  std::size_t one_buffer_from = kOneBufferFrom;   ///< vertices from which a single buffer is used

  bool can_share(const SessionState& state) const { return problem.empty() && suits(state); }
  /// The stride with which the vertices of `bodies` bodies fit: VertexTarget::every.
  std::size_t every(std::size_t bodies) const { return std::max<std::size_t>(1, vertices_of(bodies, max_vertices)); }
};
/// A sentence that says which share of the bodies a window shows; empty if it shows all.
std::string every_sentence(std::size_t every);
/// A message for the user after a fallback to staged copies.
std::string fallback_notice(const std::string& problem);

/// Two vertex buffers: one is drawn while the simulation thread writes the other. With very many bodies both are the
/// same buffer, and one body in every few has a vertex. All calls come from the main thread.
///
/// CUDA writes to buffers that it shares with OpenGL (interop). The CPU writes to host memory, and so does CUDA after
/// the first failure of interop (staged).
class VertexBridge {
 public:
  /// Throws NoInterop.
  explicit VertexBridge(Interop interop = {});

  /// Sets how the next buffers are shared, once CUDA has started. Not for a bridge that requires interop.
  void set_interop(Interop interop) { interop_ = std::move(interop); }

  /// What the image of this frame shows.
  struct Showing {
    bool allows_steps = true;  ///< allows the steps of the next frame
    /// Also moments between steps: the other buffer is lent when the bodies have arrived where the drawn one has them,
    /// and is filled ahead. Not with a single buffer.
    bool between = false;
    bool bends = false;  ///< ways are parabolas; the drawn buffer has no scalars then
    double now = 0;      ///< seconds
  };
  /// Once per frame, with the session state of this frame: takes a filled buffer back and draws it from now on, and
  /// lends the other. Never waits for a step, and for vertices only if there is a single buffer. Returns what was
  /// published; nullopt if there is nothing new. Throws NoInterop, and std::runtime_error if there is not enough memory
  /// for the vertices.
  std::optional<PublishedFrame> exchange(SimulationThread& simulation, const SessionState& state,
                                         const Showing& showing);
  std::optional<PublishedFrame> exchange(SimulationThread& simulation, const SessionState& state) {
    return exchange(simulation, state, {});
  }

  /// Shows the next moment on the way to the bodies of a video (PublishedFrame::video). Call for each of these frames,
  /// before the next exchange().
  void show_video_frame() { clock_.show_video_frame(); }
  /// Call when a frame is drawn that shows a moment between steps.
  void was_drawn();

  /// Draws nothing until the next vertices.
  void clear() {
    count_ = 0;
    every_ = 1;
    clock_.reset();
  }

  unsigned buffer() const;                      ///< OpenGL name of the buffer to draw; 0 before the first
  std::size_t count() const { return count_; }  ///< vertices in it
  std::size_t every() const { return every_; }  ///< VertexTarget::every of its vertices
  /// OpenGL name of the buffer from which the bodies are on their way to buffer(), see clock(); 0: they have arrived.
  unsigned before() const;
  const DisplayClock& clock() const { return clock_; }
  bool bends() const { return bends_; }  ///< Showing::bends of the drawn buffer
  std::string_view name() const;         ///< "host" (CPU), "interop" or "staged" (CUDA)
  std::string_view reason() const;       ///< why it is "staged"; empty otherwise
  /// A message for the user after a fallback to staged copies; empty otherwise. Cleared by this call.
  std::string take_notice() { return std::exchange(notice_, {}); }

 private:
  enum class Transfer { host, interop, staged };
  static constexpr std::size_t kMinCapacity = 1024;
  struct Slot {
    std::unique_ptr<VertexBuffer> buffer;
    bool shared = false;  ///< CUDA writes to the buffer

    /// Whether the buffer is large enough and at most four times too large.
    bool fits(std::size_t capacity) const {
      return buffer && buffer->capacity() >= capacity && buffer->capacity() / 4 <= capacity;
    }
  };

  void suit(const SessionState& state);
  Slot& spare() { return slots_[1 - drawn_]; }
  bool take(const PublishedFrame& published, const SessionState& state, SimulationThread& simulation);
  void take_back_unfilled(SimulationThread& simulation);
  bool unmap_spare();
  bool wants_one_buffer(const SessionState& state) const;
  bool lend(SimulationThread& simulation, const SessionState& state, const Showing& showing);
  std::optional<VertexTarget> map_shared(int device);
  VertexTarget map_host();
  void fall_back_to_staged(const std::string& problem);

  Interop interop_;
  std::string notice_;
  std::array<Slot, 2> slots_;
  Transfer transfer_ = Transfer::host;
  std::size_t capacity_ = kMinCapacity;  ///< size of new buffers, vertices
  std::size_t lent_every_ = 1;           ///< VertexTarget::every of new buffers
  DisplayClock clock_;
  std::size_t drawn_ = 0, count_ = 0, every_ = 1;
  bool is_lent_ = false, one_buffer_ = false;
  bool lends_bends_ = false, bends_ = false;  ///< Showing::bends of the lent and of the drawn buffer
};

/// The CUDA device for the simulation, and whether it can share buffers with the current OpenGL context.
struct InteropPlan {
  int device = 0;  ///< value of Config::device
  Interop interop;
};
InteropPlan plan_interop(Bridge wanted, const CudaStatus& cuda);

/// Whether this content of /proc/version belongs to the Windows Subsystem for Linux, which has no interop.
bool is_wsl(std::string_view kernel_version);

}  // namespace pericenter::app
