#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "sim/core/vertex_target.h"

// CUDA helpers of the tests, for device 0. In a build without CUDA they throw, but no test calls them there.
namespace pericenter::test {

/// Free device memory in bytes.
std::size_t free_device_memory();

/// Allocates all device memory except about `left` bytes during its lifetime.
class Ballast {
 public:
  explicit Ballast(std::size_t left);
  ~Ballast();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Device memory for vertices and a separate stream, like a mapped OpenGL buffer. Every byte is 0xFF at first.
class DeviceVertices {
 public:
  explicit DeviceVertices(std::size_t count);
  ~DeviceVertices();

  VertexTarget target() const;
  /// Contents after the stream has completed.
  std::vector<Vertex> read() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace pericenter::test
