#pragma once

#include <string>

#include "render/image.h"
#include "tests/render/picture.h"

namespace pericenter::render {

/// Compares a picture with the stored one of that name, or stores it when PERICENTER_UPDATE_GOLDEN is set.
///
/// Two versions of Mesa draw one pixel of 230,400 differently, and another GPU may round a body's place or a line's
/// pixels another way, so equality would be too strict. The mean may be off by 0.6 steps of 255: the dither alone moves
/// a value by up to one, which the eye does not see, and a change of brightness of 1 % is more. The maximum is 8 steps,
/// which is where one sees a difference side by side; 0.1 % of the pixels may be off by more, since a star may hit
/// another side of a pixel's edge altogether.
void expect_golden(const std::string& name, const Image& got);
/// The same with a picture that a new Renderer draws.
void expect_golden(const std::string& name, const Scene& scene);

}  // namespace pericenter::render
