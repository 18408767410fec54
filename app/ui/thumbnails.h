#pragma once

#include <span>
#include <string_view>

struct ImDrawList;
struct ImVec2;

namespace pericenter::app {

/// A small picture of a scene: a JPEG of kThumbnailWidth x kThumbnailHeight pixels.
struct Thumbnail {
  std::string_view scene;
  const unsigned char *begin, *end;
};
inline constexpr int kThumbnailWidth = 160, kThumbnailHeight = 90;

/// Those of assets/gallery/thumbnails, which are embedded in the program.
std::span<const Thumbnail> thumbnails();

/// All pictures in one texture, row by row. The window creates it when a list first shows one.
struct ThumbnailAtlas {
  static constexpr int kColumns = 8;
  static int rows() { return (static_cast<int>(thumbnails().size()) + kColumns - 1) / kColumns; }

  bool wanted = false;
  unsigned texture = 0;  ///< name in OpenGL; 0: none yet
};

/// The width of a picture of this height.
inline float thumbnail_width(float height) {
  return height * kThumbnailWidth / kThumbnailHeight;
}

/// Draws the picture of a scene; nothing if it has none.
void draw_thumbnail(ImDrawList& draw, std::string_view scene, ImVec2 low, float height, ThumbnailAtlas& atlas);

}  // namespace pericenter::app
