#pragma once

#include <glm/glm.hpp>
#include <vector>

#include "render/camera.h"
#include "render/star_readback.h"

namespace pericenter::app {

/// Coordinates along the axes of a camera: right, up, towards it.
using Places = std::vector<glm::vec3>;

/// What an image of a sample should show.
struct Subject {
  Places bodies;  ///< all that shine
  Places tails;   ///< stars of tidal tails, as is_marked_as_tail(); none without two galaxies
  Places nuclei;  ///< the centres of two or more galaxies, also those of single bodies
};
Subject subject_of(const render::StarSample& sample, const render::Camera& camera);

}  // namespace pericenter::app
