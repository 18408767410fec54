#pragma once

#include <string>
#include <vector>

#include "render/gl_objects.h"

namespace pericenter::render {

/// Builds programs from the shaders embedded in the binary, or from files of the same names in a folder.
class ShaderLibrary {
 public:
  explicit ShaderLibrary(std::string folder) : folder_(std::move(folder)) {}

  bool is_folder() const { return !folder_.empty(); }
  /// Compiles and links `files`; the extension (.vert, .frag, .comp) selects the stage. Each of `definitions`
  /// ("NAME VALUE") is #defined in all of them. Throws std::runtime_error that starts with file and line.
  Program build(const std::vector<std::string>& files, const std::vector<std::string>& definitions = {}) const;

 private:
  struct Source;
  std::string text_of(const std::string& file) const;
  void append(const std::string& file, const std::vector<std::string>& definitions, Source& source) const;
  Shader compile(const std::string& file, const std::vector<std::string>& definitions) const;

  std::string folder_;
};

}  // namespace pericenter::render
