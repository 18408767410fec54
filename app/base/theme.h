#pragma once

#include "render/frame.h"

namespace pericenter::app {

/// Light is for bright rooms: paper and ink, in the panel and in the picture.
enum class Theme { dark, light };

/// What the picture is drawn on.
constexpr render::Background background_of(Theme theme) {
  return theme == Theme::dark ? render::Background::dark : render::Background::light;
}

}  // namespace pericenter::app
