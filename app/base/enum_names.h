#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "app/base/theme.h"
#include "render/frame.h"
#include "sim/core/config.h"

namespace pericenter::app {

/// A value of an enumeration. The tables below have the order of their enumerations.
struct EnumName {
  std::string_view name;  ///< key on the command line, in scene strings and in PNG metadata
  const char* title;      ///< label in the panel
  const char* tip;        ///< effect on appearance, speed and accuracy
};

inline constexpr std::array<EnumName, render::kColorModes> kColorNames = {{
    {"stars", "stars",
     "As in a photograph: young blue stars and H II regions (decorative; no gas is simulated) in the disc, old yellow "
     "and red stars in the bulge. The spectral class of each body is drawn from the Salpeter initial mass function."},
    {"origin", "home galaxy",
     "The galaxy in which a body started, pale near its centre and saturated at its edge. Shows which part of which "
     "galaxy ends up in a tidal tail."},
    {"speed", "speed",
     "Speed of a body: shows rotation, the pericentre passage and the fast random motions in a merger remnant."},
    {"acceleration", "acceleration", "Gravitational acceleration of a body, as the solver computed it."},
    {"density", "density",
     "Local mass density, from the eight nearest neighbours of a body. Takes additional time per frame."},
    {"interactions", "interactions",
     "Number of cells and bodies that acted on a body in the last step, which is its computing cost. The same for all "
     "bodies with direct summation. Takes a little additional time per frame."},
    {"force-error", "force error",
     "Relative difference from direct summation in the last measurement of the force error. Shows where a larger "
     "opening angle reduces accuracy."},
    {"field", "field of the file",
     "A quantity that the loaded file has of each body, such as temperature, age, metallicity, mass or id. Grey bodies "
     "have none."},
    {"type", "type of body", "Gas, dark matter, stars and the other types of GADGET that the loaded file has."},
}};

inline constexpr std::array<EnumName, 4> kMapNames = {{
    {"viridis", "viridis", "Violet, green, yellow: perceptually uniform and readable with colour vision deficiency."},
    {"cividis", "cividis", "Blue to yellow: looks the same with and without red-green colour vision deficiency."},
    {"magma", "magma", "Black, violet, red, pale yellow: good contrast on a weak projector."},
    {"grey", "grey", "For printing."},
}};

inline constexpr std::array<EnumName, 2> kGalaxyColorNames = {{
    {"safe", "blue and orange", "Differ in lightness, too: readable with colour vision deficiency."},
    {"bright", "turquoise and pink", "Vivid on a dark background. Harder to tell apart with colour vision deficiency."},
}};

inline constexpr std::array<EnumName, 3> kStyleNames = {{
    {"automatic", "automatic", "Soft discs for few or nearby bodies, points for many."},
    {"splat", "points", "One point per body, added up: fast with millions of bodies."},
    {"sprites", "soft discs",
     "One soft disc per body: detailed with few bodies, slow with many bodies, especially without a GPU."},
}};

inline constexpr std::array<EnumName, 2> kToneNames = {{
    {"filmic", "filmic", "Like photographic film: deep blacks, and bright nuclei that fade to warm white."},
    {"asinh", "asinh",
     "The asinh stretch of astronomical images: nearly linear in dark areas, logarithmic in bright ones. Shows faint "
     "tidal tails best."},
}};

template <std::size_t Count>
constexpr std::array<std::string_view, Count> names_of(const std::array<EnumName, Count>& table) {
  std::array<std::string_view, Count> names;
  for (std::size_t k = 0; k < Count; ++k) names[k] = table[k].name;
  return names;
}

}  // namespace pericenter::app

namespace pericenter {

template <>
inline constexpr auto kEnumNames<render::ColorMode> = app::names_of(app::kColorNames);
template <>
inline constexpr auto kEnumNames<render::ColorMap> = app::names_of(app::kMapNames);
template <>
inline constexpr auto kEnumNames<render::GalaxyColors> = app::names_of(app::kGalaxyColorNames);
template <>
inline constexpr auto kEnumNames<render::StarStyle> = app::names_of(app::kStyleNames);
template <>
inline constexpr auto kEnumNames<render::ToneCurve> = app::names_of(app::kToneNames);
template <>
inline constexpr std::array<std::string_view, 2> kEnumNames<app::Theme> = {"dark", "light"};

}  // namespace pericenter
