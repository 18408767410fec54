#pragma once

#include <memory>
#include <span>
#include <stdexcept>
#include <string>

#include "app/cli/options.h"
#include "app/output/annotator.h"
#include "render/renderer.h"
#include "sim/core/bodies.h"

namespace pericenter::app {

/// There is no OpenGL 4.5 (kUnavailable), or a shader of --shader-dir is wrong (kDataError).
class OffscreenError : public std::runtime_error {
 public:
  OffscreenError(ExitCode exit_code, const std::string& message) : std::runtime_error(message), code(exit_code) {}
  ExitCode code;
};

/// An OpenGL context without any display, with the renderer in it.
class Offscreen {
 public:
  /// Throws OffscreenError.
  explicit Offscreen(const std::string& shader_dir);
  ~Offscreen();
  Offscreen(const Offscreen&) = delete;
  Offscreen& operator=(const Offscreen&) = delete;

  render::Renderer& renderer();
  /// Made when it is first asked for. Throws OffscreenError.
  Annotator& annotator();

  /// These stars, in a buffer that is theirs until the next call.
  render::Stars upload(std::span<const Vertex> vertices);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace pericenter::app
