#pragma once

#include <string>
#include <utility>
#include <vector>

#include "render/gl_objects.h"
#include "render/shader_library.h"

namespace pericenter::render {

/// A program that is built when it is first used: compilers of GPUs take 4 to 200 ms for each, and the first frame
/// needs half of them. Shaders in a folder are built at once, so that their errors are found when they are loaded.
/// name() throws as ShaderLibrary::build().
class LazyProgram {
 public:
  LazyProgram() = default;
  LazyProgram(const ShaderLibrary& library, std::vector<std::string> files, std::vector<std::string> definitions = {})
      : library_(library), files_(std::move(files)), definitions_(std::move(definitions)) {
    if (library.is_folder()) name();
  }

  GLuint name() const {
    if (program_.name() == 0) program_ = library_.build(files_, definitions_);
    return program_.name();
  }

 private:
  ShaderLibrary library_{""};
  std::vector<std::string> files_, definitions_;
  mutable Program program_;
};

}  // namespace pericenter::render
