#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "sim/bodies.h"
#include "sim/simulation_thread.h"

namespace pericenter::app {

/// Two vertex buffers: one is drawn, the other is lent to the simulation thread. All calls come from the main thread.
class VertexBridge {
 public:
  virtual ~VertexBridge() = default;

  /// Once a frame: takes a filled buffer back, makes it the one to draw, and lends the other. Never waits for a step.
  /// Returns what was published, nullopt when nothing new came.
  virtual std::optional<Published> exchange(SimulationThread& simulation) = 0;

  virtual unsigned buffer() const = 0;        ///< GL name of the buffer to draw; 0 before the first
  virtual std::size_t count() const = 0;      ///< vertices in it
  virtual std::string_view name() const = 0;  ///< for the status line: "host", later "interop" and "staged"
};

/// Persistently mapped buffers that the CPU writes.
std::unique_ptr<VertexBridge> make_host_bridge();

}  // namespace pericenter::app
