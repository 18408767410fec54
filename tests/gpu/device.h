#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "sim/core/vertex_target.h"

// What the tests need of CUDA itself, for device 0. In a build without CUDA it throws, but no test gets so far there.
namespace pericenter::test {

/// Bytes of the device that are free.
std::size_t free_device_memory();

/// Takes the memory of the device, all but about `left` bytes, for as long as it lives.
class Ballast {
 public:
  explicit Ballast(std::size_t left);
  ~Ballast();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Room for vertices on the device and a stream of its own, as a mapped OpenGL buffer has. Every byte is 0xFF at first.
class DeviceVertices {
 public:
  explicit DeviceVertices(std::size_t count);
  ~DeviceVertices();

  VertexTarget target() const;
  /// What lies there when the stream has come to its end.
  std::vector<Vertex> read() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace pericenter::test
