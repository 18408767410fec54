#pragma once

#include <memory>

namespace pericenter::render {

/// An OpenGL 4.5 core context through EGL, without a display; current on the constructing thread during its lifetime.
/// Throws std::runtime_error with a list of what was tried.
class HeadlessContext {
 public:
  HeadlessContext();
  ~HeadlessContext();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace pericenter::render
