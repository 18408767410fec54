#pragma once

#include "app/ui/ui_style.h"

namespace pericenter::app {

/// apply_style() for a context that ImGui's OpenGL backend draws, with a new texture of the letters. What that is made
/// of, megabytes of outlines and pixels, is given back.
Fonts upload_style(float scale, Theme theme);

}  // namespace pericenter::app
