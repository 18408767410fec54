#pragma once

#include <cstddef>
#include <span>

#include "sim/core/bodies.h"

namespace pericenter {

/// Memory for the vertices of a simulation, on the host or on a CUDA device.
struct VertexTarget {
  Vertex* vertices = nullptr;
  std::size_t capacity = 0;  ///< vertices
  bool on_device = false;
  /// The CUDA stream (cudaStream_t) on which the memory was mapped. The writing kernel runs on it, so that map, write
  /// and unmap are ordered without a host wait.
  void* stream = nullptr;
};

inline VertexTarget host_target(std::span<Vertex> vertices) {
  return {.vertices = vertices.data(), .capacity = vertices.size()};
}

}  // namespace pericenter
