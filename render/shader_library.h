#pragma once

#include <string>
#include <vector>

#include "render/gl_objects.h"

namespace pericenter::render {

/// Builds programs from the shaders in the binary, or from the files of the same names in a folder.
class ShaderLibrary {
 public:
  explicit ShaderLibrary(std::string folder) : folder_(std::move(folder)) {}

  /// Compiles and links `files`, whose endings (.vert, .frag, .comp) tell their stages. `definition` ("NAME VALUE") is
  /// #defined in all of them when it is not empty. Throws std::runtime_error that begins with file and line.
  Program build(const std::vector<std::string>& files, const std::string& definition = {}) const;

 private:
  struct Source;
  std::string text_of(const std::string& file) const;
  void append(const std::string& file, const std::string& definition, Source& source) const;
  Shader compile(const std::string& file, const std::string& definition) const;

  std::string folder_;
};

}  // namespace pericenter::render
