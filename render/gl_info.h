#pragma once

#include <string>

namespace pericenter::render {

/// Description of the current context; requires that glad is loaded.
struct GlInfo {
  std::string vendor;     ///< GL_VENDOR
  std::string renderer;   ///< GL_RENDERER
  std::string version;    ///< GL_VERSION
  bool software = false;  ///< llvmpipe, softpipe or swrast: rendering shares the CPU with the simulation
};
GlInfo gl_info();

/// Why the current context no longer draws; empty if it does. A GPU that was reset ignores commands, and images are
/// black. Waits for the GPU.
std::string lost_context();

/// Installs a KHR_debug callback on the current context. Messages of high and medium severity are thrown by check_gl()
/// when `fatal`, otherwise written to stderr, each once.
void install_gl_debug(bool fatal);
/// Throws std::runtime_error with the first message since the last call. Requires install_gl_debug(true).
void check_gl();

}  // namespace pericenter::render
