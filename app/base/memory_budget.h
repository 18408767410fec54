#pragma once

#include <cstddef>

#include "sim/core/config.h"
#include "sim/core/host_memory.h"
#include "sim/scenes/registry.h"

namespace pericenter::app {

/// Vertices of a buffer in a window, whose size is below 4 GiB: CUDA maps larger OpenGL buffers only in part (seen with
/// driver 580 on an H200). Of more bodies, one in every few has a vertex.
inline constexpr std::size_t kMaxSharedVertices = (std::size_t{1} << 28) - 1;

/// From so many vertices on, a window that shares them with CUDA has a single buffer. A second one would add about 14 %
/// memory, and waiting for the fill adds some milliseconds to a step of a hundred milliseconds and more.
inline constexpr std::size_t kOneBufferFrom = 100'000'000;

/// What decides how much host memory a run needs.
struct PlannedRun {
  Config config = {};
  bool procedural = false;         ///< SceneInfo::procedural: CUDA creates very many bodies itself
  std::size_t vertex_buffers = 2;  ///< buffers in host memory: two in a window or a video, one for an image
  std::size_t whole_copies = 0;    ///< copies of all bodies that the run will make, such as a snapshot to save
  std::size_t max_vertices = kMaxSharedVertices;  ///< most in each buffer; without a window, those of all bodies
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
