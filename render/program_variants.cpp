#include "render/program_variants.h"

#include <cassert>
#include <utility>

namespace pericenter::render {

ProgramVariants::ProgramVariants(ShaderLibrary library, std::vector<std::string> files, std::vector<Axis> axes)
    : library_(std::move(library)), files_(std::move(files)), axes_(std::move(axes)) {
  std::size_t variants = 1;
  for (const Axis& axis : axes_) variants *= axis.values;
  programs_.resize(variants);
  for (std::size_t k = 0; k < variants && library_.is_folder(); ++k) at(k);
}

const Program& ProgramVariants::get(std::initializer_list<std::size_t> values) {
  assert(values.size() == axes_.size());
  std::size_t variant = 0;
  for (std::size_t k = axes_.size(); k-- > 0;) {
    assert(values.begin()[k] < axes_[k].values);
    variant = variant * axes_[k].values + values.begin()[k];
  }
  return at(variant);
}

const Program& ProgramVariants::at(std::size_t variant) {
  Program& program = programs_[variant];
  if (program.name() != 0) return program;
  std::vector<std::string> definitions;
  for (const Axis& axis : axes_) {
    definitions.push_back(axis.name + ' ' + std::to_string(variant % axis.values));
    variant /= axis.values;
  }
  program = library_.build(files_, definitions);
  return program;
}

}  // namespace pericenter::render
