#pragma once

#include "render/frame.h"

namespace pericenter::app {

/// Theme of panel and image. Light is for bright rooms.
enum class Theme { dark, light };

/// Background of the image.
constexpr render::Background background_of(Theme theme) {
  return theme == Theme::dark ? render::Background::dark : render::Background::light;
}

}  // namespace pericenter::app
