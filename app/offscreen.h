#pragma once

#include <memory>
#include <span>
#include <stdexcept>
#include <string>

#include "app/options.h"
#include "render/image.h"
#include "sim/bodies.h"

namespace pericenter::app {

/// What a picture without a window shows.
struct PictureRequest {
  int width = 1280, height = 720;
  double view_radius = 1;  ///< about the origin
  float speed_scale = 1;
  bool flat = false;  ///< seen from straight above
};

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

  render::Image picture(std::span<const Vertex> vertices, const PictureRequest& request);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace pericenter::app
