#pragma once

#include <string>

#include "render/image.h"
#include "tests/render/test_scene.h"

namespace pericenter::render {

/// Compares an image with the golden image of that name, or stores it when PERICENTER_UPDATE_GOLDEN is set.
///
/// Mesa versions differ in 1 of 230,400 pixels, and GPUs round positions and lines differently, so equality would be
/// too strict. The mean error may be 0.6 of 255 steps: dither alone changes a value by up to one step, invisibly, and a
/// brightness change of 1 % exceeds it. The maximum error is 8 steps, which is visible side by side; 0.1 % of the
/// pixels may exceed it, because a star may fall on the other side of a pixel boundary.
void expect_golden(const std::string& name, const Image& got);
/// Draws `scene` with a new Renderer and compares the image.
void expect_golden(const std::string& name, const Scene& scene);

}  // namespace pericenter::render
