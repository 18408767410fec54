#pragma once

#include <cstddef>

#include "sim/core/config.h"
#include "sim/core/host_memory.h"
#include "sim/scenes/registry.h"

namespace pericenter::app {

/// What decides how much host memory a run needs.
struct PlannedRun {
  Config config = {};
  bool procedural = false;         ///< SceneInfo::procedural: CUDA creates very many bodies itself
  std::size_t vertex_buffers = 2;  ///< copies of the vertices: two in a window or a video, one for an image
  std::size_t whole_copies = 0;    ///< copies of all bodies that the run will make, such as a snapshot to save
};

/// Peak host memory in bytes of a run of `bodies`: scene, solver and vertices. On the CPU, and on CUDA where the CPU
/// creates the bodies, also a scene of the same size that replaces it. An upper estimate without what takes only free
/// memory: checkpoints, the history, and copies that are refused if they do not fit. Device memory is not included; the
/// simulation throws DeviceMemoryError before it allocates any.
double memory_for(std::size_t bodies, const PlannedRun& run);

/// `config` with the solver that would be chosen for very many bodies if `automatic_solver`: it supports the most
/// bodies on CUDA.
Config for_many_bodies(Config config, bool automatic_solver);
/// Maximum number of bodies that the solver of `config` can index.
std::size_t max_addressable_bodies(const Config& config);
/// Maximum number of bodies that fit in this memory (0: unknown), as all smaller numbers do; at least 1.
std::size_t max_bodies(const PlannedRun& run, double available = available_memory());

}  // namespace pericenter::app
