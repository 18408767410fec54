#pragma once

#include <string>
#include <vector>

#include "render/gl_objects.h"

namespace pericenter::render {

/// Builds programs from the shaders embedded in the binary, or from files of the same names in a folder.
class ShaderLibrary {
 public:
  explicit ShaderLibrary(std::string folder) : folder_(std::move(folder)) {}

  /// Compiles and links `files`; the extension (.vert, .frag, .comp) selects the stage. `definition` ("NAME VALUE") is
  /// #defined in all of them if not empty. Throws std::runtime_error that starts with file and line.
  Program build(const std::vector<std::string>& files, const std::string& definition = {}) const;

 private:
  struct Source;
  std::string text_of(const std::string& file) const;
  void append(const std::string& file, const std::string& definition, Source& source) const;
  Shader compile(const std::string& file, const std::string& definition) const;

  std::string folder_;
};

}  // namespace pericenter::render
