#pragma once

#include "render/gl_objects.h"

namespace pericenter::app {

/// The texture of a ThumbnailAtlas. A picture that cannot be decoded stays black.
render::Texture load_thumbnails();

}  // namespace pericenter::app
