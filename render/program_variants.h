#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <vector>

#include "render/lazy_program.h"
#include "render/shader_library.h"

namespace pericenter::render {

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
