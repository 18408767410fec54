#include "render/star_picker.h"

namespace pericenter::render {

StarPicker::StarPicker(const ShaderLibrary& /*library*/) {}

std::optional<std::uint32_t> StarPicker::pick(const Picture& /*picture*/, glm::vec2 /*at*/, glm::ivec2 /*size*/) {
  return std::nullopt;
}

}  // namespace pericenter::render
