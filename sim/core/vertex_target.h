#pragma once

#include <cstddef>
#include <span>

#include "sim/core/bodies.h"

namespace pericenter {

/// Memory that a simulation writes its vertices to, on the host or on a CUDA device.
struct VertexTarget {
  Vertex* vertices = nullptr;
  std::size_t capacity = 0;  ///< vertices
  bool on_device = false;
  /// The CUDA stream (cudaStream_t) that the memory was mapped on; the kernel that writes it runs there, so that map,
  /// write and unmap follow each other without anybody waiting.
  void* stream = nullptr;
};

inline VertexTarget host_target(std::span<Vertex> vertices) {
  return {.vertices = vertices.data(), .capacity = vertices.size()};
}

}  // namespace pericenter
