#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "app/bridge/vertex_buffer.h"
#include "app/cli/options.h"
#include "sim/session/simulation_thread.h"

namespace pericenter::app {

/// Interop was demanded and cannot be had; what() is a sentence that says why.
class NoInterop : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// How a bridge shares its buffers with CUDA. The functions are replaced in tests.
struct Interop {
  std::string problem;    ///< why it is not to be tried; empty: it is
  bool demanded = false;  ///< without it NoInterop is thrown, where else the vertices are copied
  std::function<bool(const SessionState&)> suits = [](const SessionState& state) {
    return state.config.backend == Backend::cuda && !state.recorded;
  };
  std::function<std::unique_ptr<VertexBuffer>(std::size_t capacity, int device)> make = make_interop_buffer;
  /// So many bodies share one buffer: a second one would take a seventh of what they take in all, and to fill it while
  /// nobody draws takes some milliseconds of a step that takes a hundred and more.
  std::size_t one_buffer_from = 100'000'000;
};

/// Two vertex buffers: one is drawn, the other is lent to the simulation thread; of a great many bodies it is the same
/// one. All calls come from the main thread.
///
/// CUDA writes into buffers that it shares with OpenGL. Where it cannot, at the first try or at any later one, and for
/// the CPU, they are memory of the host.
class VertexBridge {
 public:
  /// Throws NoInterop.
  explicit VertexBridge(Interop interop = {});

  /// Once a frame: takes a filled buffer back, makes it the one to draw, lends the other, and allows the steps of a
  /// picture. Never waits for a step, and for vertices only where there is one buffer.
  /// Returns what was published, nullopt when nothing new came. Throws NoInterop, and std::runtime_error when there is
  /// no memory for the stars.
  std::optional<Published> exchange(SimulationThread& simulation);

  unsigned buffer() const;                      ///< GL name of the buffer to draw; 0 before the first
  std::size_t count() const { return count_; }  ///< vertices in it
  std::string_view name() const;                ///< "host" (CPU), "interop" or "staged" (CUDA)
  std::string_view reason() const;              ///< why it is "staged"; else empty
  /// Once, when sharing failed and the stars are copied from then on: a sentence that says so; else empty.
  std::string take_news() { return std::exchange(news_, {}); }

 private:
  enum class Way { host, interop, staged };
  static constexpr std::size_t kMinCapacity = 1024;
  struct Slot {
    std::unique_ptr<VertexBuffer> buffer;
    bool shared = false;  ///< with CUDA

    /// Neither too small nor a waste of memory.
    bool holds(std::size_t capacity) const {
      return buffer && buffer->capacity() >= capacity && buffer->capacity() / 4 <= capacity;
    }
  };

  Slot& spare() { return slots_[1 - drawn_]; }
  bool take(const Published& published, SimulationThread& simulation);
  bool unmap_spare();
  bool wants_one_buffer(const SessionState& state) const;
  bool lend(SimulationThread& simulation);
  std::optional<VertexTarget> map_shared(int device);
  VertexTarget map_host();
  void give_up_interop(const std::string& problem);

  Interop interop_;
  std::string news_;
  std::array<Slot, 2> slots_;
  Way way_ = Way::host;
  std::size_t capacity_ = kMinCapacity;  ///< of new buffers, vertices
  std::size_t drawn_ = 0, count_ = 0;
  bool is_lent_ = false, one_buffer_ = false;
};

/// The device on which a simulation shares its buffers with the current OpenGL context, if any does.
struct InteropPlan {
  int device = 0;  ///< for Config::device
  Interop interop;
};
InteropPlan plan_interop(Bridge wanted, const CudaStatus& cuda);

/// Whether this text of /proc/version is that of the Windows Subsystem for Linux, where CUDA shares no buffers.
bool is_wsl(std::string_view kernel_version);

}  // namespace pericenter::app
