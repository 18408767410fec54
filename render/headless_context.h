#pragma once

#include <memory>
#include <string>

namespace pericenter::render {

/// An OpenGL 4.5 core context without any display, through EGL; current on the constructing thread while it lives.
/// Throws std::runtime_error that says what was tried.
class HeadlessContext {
 public:
  HeadlessContext();
  ~HeadlessContext();
  HeadlessContext(const HeadlessContext&) = delete;
  HeadlessContext& operator=(const HeadlessContext&) = delete;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace pericenter::render
