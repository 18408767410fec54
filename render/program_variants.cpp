#include "render/program_variants.h"

#include <cassert>
#include <utility>

namespace pericenter::render {

ProgramVariants::ProgramVariants(const ShaderLibrary& library, const std::vector<std::string>& files,
                                 std::vector<Axis> axes, const std::vector<std::string>& definitions)
    : axes_(std::move(axes)) {
  std::size_t variants = 1;
  for (const Axis& axis : axes_) variants *= axis.values;
  for (std::size_t k = 0; k < variants; ++k) {
    std::vector<std::string> all = definitions;
    std::size_t rest = k;
    for (const Axis& axis : axes_) {
      all.push_back(axis.name + ' ' + std::to_string(rest % axis.values));
      rest /= axis.values;
    }
    programs_.emplace_back(library, files, std::move(all));
  }
}

const LazyProgram& ProgramVariants::get(std::initializer_list<std::size_t> values) const {
  assert(values.size() == axes_.size());
  std::size_t variant = 0;
  for (std::size_t k = axes_.size(); k-- > 0;) {
    assert(values.begin()[k] < axes_[k].values);
    variant = variant * axes_[k].values + values.begin()[k];
  }
  return programs_[variant];
}

}  // namespace pericenter::render
