#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "render/frame.h"

namespace pericenter::app {

/// How a value of an enumeration is called, and what it does. The tables below are each in the order of theirs.
struct EnumName {
  std::string_view name;  ///< on the command line, in scene strings and in saved pictures
  const char* title;      ///< in the panel
  const char* tip;        ///< what it does to looks, speed and accuracy
};

template <class Enum, std::size_t Count>
std::string name_of(Enum value, const std::array<EnumName, Count>& table) {
  return std::string(table[static_cast<std::size_t>(value)].name);
}
template <class Enum, std::size_t Count>
std::string name_of(Enum value, const std::array<std::string_view, Count>& names) {
  return std::string(names[static_cast<std::size_t>(value)]);
}

inline constexpr std::array<EnumName, render::kColorModes> kColorNames = {{
    {"stars", "stars",
     "As a photograph shows them: young blue stars and glowing gas in the disc, old yellow and red ones in the bulge. "
     "Each body draws its class from Salpeter's law. No cost."},
    {"origin", "home galaxy",
     "The galaxy that a body came with, pale where it was near the centre and deep where it was far out: shows which "
     "part of which galaxy was thrown into a tail. No cost."},
    {"speed", "speed", "How fast a body moves: rotation, the rush through the pericentre, hot remnants. No cost."},
    {"acceleration", "acceleration", "How strongly a body is pulled. No cost: the solver has it anyway."},
    {"density", "density",
     "Mass about a body: that of its eight nearest neighbours over the space that they take. Takes some time for each "
     "picture."},
    {"interactions", "interactions",
     "How many cells and bodies acted on a body in the last step: what it cost. The same for all in a direct sum. "
     "Takes a little time."},
    {"force-error", "force error",
     "How far the force on a body was from the direct sum when it was measured last: shows where a larger opening "
     "angle hurts. No cost but that of the measurement."},
}};

inline constexpr std::array<EnumName, 4> kMapNames = {{
    {"viridis", "viridis",
     "Violet, green, yellow: equal steps look equal, and every kind of colour vision reads it. No cost."},
    {"cividis", "cividis", "Blue to yellow, made to look alike with and without red-green blindness. No cost."},
    {"magma", "magma", "Violet, red, pale yellow: like glowing iron, good on a weak projector. No cost."},
    {"grey", "grey", "For printing. No cost."},
}};

inline constexpr std::array<EnumName, 3> kStyleNames = {{
    {"automatic", "automatic", "Soft discs for few or near bodies, points for many."},
    {"splat", "points of light", "One point a body, added up: quick with millions of bodies."},
    {"sprites", "soft discs", "A soft disc a body: pretty with few bodies, slow with many, above all without a GPU."},
}};

inline constexpr std::array<EnumName, 2> kToneNames = {{
    {"filmic", "film", "As photographic film: deep darks, and nuclei that turn to warm white. No cost."},
    {"asinh", "asinh",
     "As astronomers show images: nearly linear in the dark, logarithmic above, so that faint tails read best. No "
     "cost."},
}};

inline constexpr std::array<std::string_view, 2> kThemeNames = {"dark", "light"};

// Of what Config holds.
inline constexpr std::array<std::string_view, 2> kBackendNames = {"cpu", "cuda"};
inline constexpr std::array<std::string_view, 2> kPrecisionNames = {"float", "double"};
inline constexpr std::array<std::string_view, 2> kMultipoleNames = {"monopole", "quadrupole"};
inline constexpr std::array<std::string_view, 4> kSimdNames = {"plain", "avx2", "avx512", "best"};

}  // namespace pericenter::app
