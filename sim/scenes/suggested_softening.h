#pragma once

#include <cstddef>

#include "sim/scenes/registry.h"

namespace pericenter {

/// The most bodies for which SceneInfo::softening is suggested.
inline constexpr std::size_t kSofteningBodies = 20'000;
/// By which power of the number of bodies the softening with the smallest error of the forces falls (Athanassoula et
/// al. 2000, doi:10.1046/j.1365-8711.2000.03316.x; Dehnen 2001, doi:10.1046/j.1365-8711.2001.04237.x).
inline constexpr double kSofteningPower = -0.26;

/// Softening for this number of bodies, to three digits, so that it is the same on all machines; 0: none is suggested.
/// Fewer bodies are noisier and need more softening; more of them show more of the nuclei with less.
double suggested_softening(const SceneInfo& scene, std::size_t bodies);

/// Whether the request has it.
bool has_suggested_softening(const SceneInfo& scene, const SceneRequest& request);

}  // namespace pericenter
