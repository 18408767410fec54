// Replaces device.cpp in a build without nvcc.
#include <stdexcept>

#include "sim/core/device.h"
#include "tests/gpu/device.h"

namespace pericenter::test {
namespace {

[[noreturn]] void refuse() {
  throw std::runtime_error(cuda_status().missing);
}

}  // namespace

struct Ballast::Impl {};
struct DeviceVertices::Impl {};

std::size_t free_device_memory() {
  refuse();
}

Ballast::Ballast(std::size_t) {
  refuse();
}
Ballast::~Ballast() = default;

DeviceVertices::DeviceVertices(std::size_t) {
  refuse();
}
DeviceVertices::~DeviceVertices() = default;

VertexTarget DeviceVertices::target() const {
  refuse();
}
std::vector<Vertex> DeviceVertices::read() const {
  refuse();
}

}  // namespace pericenter::test
