#include "render/color_map.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "render/shader_interface.h"

namespace pericenter::render {
namespace {

using Steps = std::array<std::uint32_t, kMapSteps>;

// Viridis and magma (van der Walt and Smith 2015, CC0), cividis (Nunez, Anderton and Renslow 2018, CC0,
// doi:10.1371/journal.pone.0199239), each sampled at 33 equal steps of its 256 colours.
constexpr Steps kViridis = {0x440154, 0x470D60, 0x48186A, 0x482374, 0x472D7B, 0x453681, 0x424086, 0x3F4989, 0x3B528B,
                            0x375A8D, 0x33638D, 0x2F6A8E, 0x2C728E, 0x297A8E, 0x26818E, 0x23898E, 0x21908C, 0x1F988B,
                            0x1F9F88, 0x21A685, 0x28AE80, 0x31B57B, 0x3EBC74, 0x4CC26C, 0x5DC963, 0x6ECE58, 0x82D34C,
                            0x96D83F, 0xABDC32, 0xC0DF24, 0xD5E21A, 0xEAE51A, 0xFDE725};
constexpr Steps kCividis = {0x00224E, 0x00285B, 0x002E6A, 0x043371, 0x1A386F, 0x273E6E, 0x32436D, 0x3B496C, 0x434E6C,
                            0x4B546C, 0x52596D, 0x5A5F6E, 0x61656F, 0x686A71, 0x6F7073, 0x757676, 0x7C7B78, 0x848179,
                            0x8B8778, 0x938D78, 0x9B9376, 0xA39A75, 0xABA072, 0xB3A670, 0xBBAD6C, 0xC3B469, 0xCCBA64,
                            0xD4C15F, 0xDDC958, 0xE6D051, 0xEFD748, 0xF8DF3C, 0xFEE838};
constexpr Steps kMagma = {0x000004, 0x030311, 0x0A0822, 0x130D33, 0x1D1146, 0x28115A, 0x36106A, 0x430F76, 0x50127C,
                          0x5D177F, 0x691C81, 0x762181, 0x822681, 0x8F2A81, 0x9C2E7F, 0xA9327D, 0xB63779, 0xC33B75,
                          0xCF4170, 0xDB486A, 0xE65163, 0xEE5C5E, 0xF5695C, 0xF9785D, 0xFB8761, 0xFD9668, 0xFEA571,
                          0xFEB47B, 0xFEC387, 0xFED194, 0xFDE0A2, 0xFCEEB0, 0xFCFDBF};
constexpr float kDarkShare = 0.2f;  // skipped at the dark end of magma and grey, which start at black

// The hues of Okabe and Ito 2008 ("Color Universal Design"), with lightnesses that keep them apart for people with a
// colour vision deficiency. tests/app/ui/color_vision_tests.cpp has the limits.
constexpr std::array<std::uint32_t, kGalaxyColors> kGalaxies = {0x2A86FF, 0xFFA012, 0x18E6C4, 0xB4259C,
                                                                0xFFF150, 0x62BAF0, 0xF0384A};

// The pair of galaxies in turquoise and hot pink.
constexpr std::array<std::uint32_t, 2> kBrightPair = {0x1FE0E8, 0xFF3D8B};

float peak_of(const glm::vec3& color) {
  return std::max({color.r, color.g, color.b, 1e-9f});
}

glm::vec3 color_of(std::uint32_t rgb) {
  return glm::vec3(rgb >> 16 & 0xFFu, rgb >> 8 & 0xFFu, rgb & 0xFFu) / 255.0f;
}

glm::vec3 between(const Steps& steps, float at) {
  const float place = at * static_cast<float>(kMapSteps - 1);
  const std::size_t below = std::min(static_cast<std::size_t>(place), kMapSteps - 2);
  return glm::mix(color_of(steps[below]), color_of(steps[below + 1]), place - static_cast<float>(below));
}

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
    block.classes[k] = glm::vec4(light_of(stellar_classes()[k].light), 1);
  }
  block.gas = glm::vec4(light_of(ionized_gas_light()), 1);
  block.halo = glm::vec4(kHalo * light_of(halo_light()), 1);
  block.other = glm::vec4(light_of(other_light()), 1);
  block.unknown = glm::vec4(kUnknown * light_of(unknown_color()), 1);
  for (const Background background : {Background::dark, Background::light})
    block.marked[static_cast<std::size_t>(background)] = glm::vec4(marked_color(background), 1);
  return block;
}

}  // namespace

glm::vec3 map_color(ColorMap map, float at) {
  at = at > 0 ? std::min(at, 1.0f) : 0;
  const float lifted = kDarkShare + (1 - kDarkShare) * at;
  switch (map) {
    case ColorMap::viridis:
      return between(kViridis, at);
    case ColorMap::cividis:
      return between(kCividis, at);
    case ColorMap::magma:
      return between(kMagma, lifted);
    case ColorMap::grey:
      return glm::vec3(lifted);
  }
  return {};
}

// Black bodies at 40,000, 20,000, 8,750, 6,750, 5,650, 4,450 and 3,300 K: Planck's law seen by the CIE 1931 observer
// (the fits of Wyman, Sloan and Shirley 2013, Journal of Computer Graphics Techniques 2(2)), as the light of the sRGB
// primaries. They agree visually with stellar atmospheres (Harre and Heller 2021, doi:10.1002/asna.202113868). The
// saturation is raised by a quarter, as in photographs of galaxies.
const std::array<StellarClass, kStellarClasses>& stellar_classes() {
  static const std::array<StellarClass, kStellarClasses> kClasses = {{{"O", {0.273f, 0.424f, 1.0f}},
                                                                      {"B", {0.335f, 0.480f, 1.0f}},
                                                                      {"A", {0.639f, 0.710f, 1.0f}},
                                                                      {"F", {0.942f, 0.900f, 1.0f}},
                                                                      {"G", {1.0f, 0.838f, 0.747f}},
                                                                      {"K", {1.0f, 0.675f, 0.399f}},
                                                                      {"M", {1.0f, 0.477f, 0.106f}}}};
  return kClasses;
}

// Shown as (1, 0.42, 0.60).
glm::vec3 ionized_gas_light() {
  return {1.0f, 0.179f, 0.426f};
}

glm::vec3 origin_color(std::size_t galaxy, float birth, GalaxyColors colors) {
  const std::size_t place = galaxy % kGalaxyColors;
  const bool bright = colors == GalaxyColors::bright && place < kBrightPair.size();
  const glm::vec3 deep = color_of(bright ? kBrightPair[place] : kGalaxies[place]);
  const float out = birth > 0 ? std::min(birth, 1.0f) : 0;
  return glm::mix(glm::mix(deep, glm::vec3(1), 0.6f), deep * 0.8f, out);
}

// Shown as (0.40, 0.33, 0.52).
glm::vec3 halo_light() {
  return {0.409f, 0.231f, 0.520f};
}
// Shown as (0.91, 0.94, 1).
glm::vec3 other_light() {
  return {1.0f, 0.93f, 1.0f};
}

glm::vec3 unknown_color() {
  return {0.32f, 0.32f, 0.33f};
}

glm::vec3 marked_color(Background background) {
  return background == Background::dark ? glm::vec3(0.62f, 1.0f, 0.31f) : glm::vec3(0.0f, 0.36f, 0.13f);
}

glm::vec3 on_light_background(const glm::vec3& color) {
  constexpr float kInk = 3, kTint = 2.2f;
  constexpr float kShown = 0.36f;  // brightness of a star after the tone curve, at which its hue is visible
  const glm::vec3 hue = color / peak_of(color);
  const glm::vec3 absorbed = glm::max(1.0f - kTint * (hue - (hue.r + hue.g + hue.b) / 3), 0.0f);
  return glm::vec3(0.962f, 0.951f, 0.922f) * glm::exp(-kInk * kShown * absorbed);
}

glm::vec3 star_color(const glm::vec3& light, Background background) {
  constexpr float kVivid = 1.4f;
  const glm::vec3 balanced = light / glm::vec3(1.0f, 0.903f, 0.877f);  // white: 6,000 K
  if (background == Background::light) return on_light_background(balanced);
  const glm::vec3 encoded = glm::sqrt(balanced);
  const float excess = 0.5f * (kVivid - 1) * (encoded.r - encoded.b);
  const glm::vec3 strong = glm::max(encoded + glm::vec3(excess, 0, -excess), 0.0f);
  return strong * (peak_of(light) / peak_of(strong));
}

glm::vec3 light_of(const glm::vec3& color) {
  const float peak = std::max({color.r, color.g, color.b});
  return peak > 0 ? color / std::sqrt(peak) : color;
}

ColorTables::ColorTables() {
  const Block block = filled();
  allocate(buffer_, sizeof block, &block);
}

void ColorTables::bind() const {
  glBindBufferBase(GL_UNIFORM_BUFFER, kColorsBinding, buffer_.name());
}

}  // namespace pericenter::render
