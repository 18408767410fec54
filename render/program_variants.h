#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <vector>

#include "render/gl_objects.h"
#include "render/shader_library.h"

namespace pericenter::render {

/// Programs from the same files that differ by constants, each built when it is first used.
///
/// A constant instead of a uniform saves time in software rendering, which executes both sides of every branch.
class ProgramVariants {
 public:
  /// A constant that is #defined as 0 to `values` - 1.
  struct Axis {
    std::string name;
    std::size_t values = 2;
  };
  /// Variants of shaders in a folder are all built at once, so that their errors are found when they are loaded.
  ProgramVariants(ShaderLibrary library, std::vector<std::string> files, std::vector<Axis> axes);

  /// The program with these values of the constants, one per axis; throws as ShaderLibrary::build().
  const Program& get(std::initializer_list<std::size_t> values);

 private:
  const Program& at(std::size_t variant);

  ShaderLibrary library_;
  std::vector<std::string> files_;
  std::vector<Axis> axes_;
  std::vector<Program> programs_;
};

}  // namespace pericenter::render
