#include "render/color_tables.h"

#include "render/color_map.h"
#include "render/shader_interface.h"

namespace pericenter::render {
namespace {

constexpr std::size_t kMaps = 4;

/// The uniform block of shaders/colors.glsl, in std140.
struct Block {
  glm::vec4 maps[kMaps * kMapSteps];
  glm::vec4 inner[kGalaxyColorSets * kGalaxyColors], outer[kGalaxyColorSets * kGalaxyColors];
  glm::vec4 classes[kStellarClasses];
  glm::vec4 gas, halo, other, unknown;
  glm::vec4 marked[2];
};

constexpr float kUnknown = 0.35f;  // brightness of bodies without a value, relative to stars
constexpr float kHalo = 0.05f;     // brightness of the fog that shows a halo

Block filled() {
  Block block{};
  for (std::size_t map = 0; map < kMaps; ++map) {
    for (std::size_t k = 0; k < kMapSteps; ++k) {
      const float at = static_cast<float>(k) / static_cast<float>(kMapSteps - 1);
      block.maps[map * kMapSteps + k] = glm::vec4(light_of(map_color(static_cast<ColorMap>(map), at)), 1);
    }
  }
  for (std::size_t k = 0; k < kGalaxyColorSets * kGalaxyColors; ++k) {
    const auto set = static_cast<GalaxyColors>(k / kGalaxyColors);
    block.inner[k] = glm::vec4(light_of(origin_color(k % kGalaxyColors, 0, set)), 1);
    block.outer[k] = glm::vec4(light_of(origin_color(k % kGalaxyColors, 1, set)), 1);
  }
  for (std::size_t k = 0; k < kStellarClasses; ++k) {
    block.classes[k] = glm::vec4(light_of(stellar_classes()[k].color), 1);
  }
  block.gas = glm::vec4(light_of(ionized_gas_color()), 1);
  block.halo = glm::vec4(kHalo * light_of(halo_color()), 1);
  block.other = glm::vec4(light_of(other_color()), 1);
  block.unknown = glm::vec4(kUnknown * light_of(unknown_color()), 1);
  for (const Background background : {Background::dark, Background::light})
    block.marked[static_cast<std::size_t>(background)] = glm::vec4(marked_color(background), 1);
  return block;
}

}  // namespace

ColorTables::ColorTables() {
  const Block block = filled();
  allocate(buffer_, sizeof block, &block);
}

void ColorTables::bind() const {
  glBindBufferBase(GL_UNIFORM_BUFFER, kColorsBinding, buffer_.name());
}

}  // namespace pericenter::render
