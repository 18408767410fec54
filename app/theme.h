#pragma once

namespace pericenter::app {

/// Light is for bright rooms: paper and ink, in the panel and in the picture.
enum class Theme { dark, light };

}  // namespace pericenter::app
