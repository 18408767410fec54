#pragma once

#include <array>
#include <cstddef>
#include <string>

#include "sim/core/bodies.h"

namespace pericenter {

/// What particle types of the GADGET family mean in a run.
struct ParticleTypes {
  bool comoving = false;   ///< cosmological run
  bool dark_only = false;  ///< neither gas nor stars

  /// Whether a type is dark matter of low resolution around the zoomed region of a cosmological run. MUSIC makes it
  /// type 5, which black holes have in runs with gas or stars.
  constexpr bool is_coarse(std::size_t type) const {
    return comoving && (type == 2 || type == 3 || (type == 5 && dark_only));
  }
  constexpr Component component(std::size_t type) const {
    constexpr std::array kTypes = {Component::disc, Component::halo, Component::disc, Component::bulge,
                                   Component::disc};
    if (is_coarse(type)) return Component::halo;
    return type < kTypes.size() ? kTypes[type] : Component::other;
  }
};

inline constexpr const char* kCoarse = "are dark matter of low resolution";

/// "Bodies of type 2, 3 WHAT." of the first `count` types that `holds`; empty if there are none.
std::string note_on_types(std::size_t count, const std::string& what, const auto& holds) {
  std::string types;
  for (std::size_t type = 0; type < count; ++type) {
    if (holds(type)) types += (types.empty() ? "" : ", ") + std::to_string(type);
  }
  return types.empty() ? types : "Bodies of type " + types + " " + what + ".";
}

}  // namespace pericenter
