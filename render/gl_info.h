#pragma once

#include <string>

namespace pericenter::render {

/// The current context, after glad has loaded it.
struct GlInfo {
  std::string renderer;   ///< GL_RENDERER
  std::string version;    ///< GL_VERSION
  bool software = false;  ///< llvmpipe, softpipe or swrast: the picture shares the CPU with the simulation
};
GlInfo gl_info();

/// Installs a KHR_debug callback on the current context: errors of high and medium severity are thrown from check_gl()
/// when `fatal`, else written once each to stderr.
void install_gl_debug(bool fatal);
/// Throws std::runtime_error with the first message that a fatal callback collected since the last call.
void check_gl();

}  // namespace pericenter::render
