#pragma once

#include <memory>
#include <string>

#include "app/output/annotator.h"
#include "app/settings/options.h"
#include "render/renderer.h"

namespace pericenter::app {

/// OpenGL 4.5 is not available (kUnavailable), or a shader of --shader-dir is invalid (kDataError).
class OffscreenError : public ExitError {
 public:
  using ExitError::ExitError;
};

/// An OpenGL context without a display, with a renderer.
class Offscreen {
 public:
  /// Throws OffscreenError.
  explicit Offscreen(const std::string& shader_dir);
  ~Offscreen();

  render::Renderer& renderer();
  /// Created on first use. Throws OffscreenError.
  Annotator& annotator();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace pericenter::app
