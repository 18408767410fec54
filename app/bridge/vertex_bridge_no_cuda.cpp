// Replaces vertex_bridge_cuda.cpp in a build without nvcc.
#include <stdexcept>

#include "app/bridge/vertex_bridge.h"

namespace pericenter::app {

std::unique_ptr<VertexBuffer> make_interop_buffer(std::size_t, int) {
  throw std::runtime_error(cuda_status().missing);
}

GlCudaDevice gl_cuda_device(const CudaStatus&) {
  return {std::nullopt, cuda_status().missing};
}

}  // namespace pericenter::app
