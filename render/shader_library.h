#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "render/gl_objects.h"

namespace pericenter::render {

/// Builds programs from the shaders embedded in the binary, or from files of the same names in a folder.
class ShaderLibrary {
 public:
  explicit ShaderLibrary(std::string folder) : folder_(std::move(folder)) {}

  bool is_folder() const { return !folder_.empty(); }
  /// Compiles and links `files`; the extension (.vert, .frag, .comp) selects the stage. Each of `definitions`
  /// ("NAME VALUE") is #defined in all of them, and SOFTWARE 0 or 1. Throws std::runtime_error that starts with file
  /// and line.
  Program build(const std::vector<std::string>& files, const std::vector<std::string>& definitions = {}) const;

 private:
  struct Source;
  std::string text_of(const std::string& file) const;
  void append(const std::string& file, const std::vector<std::string>& definitions, Source& source) const;
  Shader compile(const std::string& file, const std::vector<std::string>& definitions) const;

  std::string folder_;
};

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

/// Programs from the same files that differ by constants.
///
/// A constant instead of a uniform saves time in software rendering, which executes both sides of every branch.
class ProgramVariants {
 public:
  /// A constant that is #defined as 0 to `values` - 1.
  struct Axis {
    std::string name;
    std::size_t values = 2;
  };
  /// `definitions` are those of all variants.
  ProgramVariants(const ShaderLibrary& library, const std::vector<std::string>& files, std::vector<Axis> axes,
                  const std::vector<std::string>& definitions = {});

  /// The program with these values of the constants, one per axis.
  const LazyProgram& get(std::initializer_list<std::size_t> values) const;

 private:
  std::vector<Axis> axes_;
  std::vector<LazyProgram> programs_;
};

}  // namespace pericenter::render
