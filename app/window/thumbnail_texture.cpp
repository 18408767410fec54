#include "app/window/thumbnail_texture.h"

#include "app/base/decoded_image.h"
#include "app/ui/thumbnails.h"

namespace pericenter::app {

render::Texture load_thumbnails() {
  constexpr int kLevels = 2;  // lists show them at half of their size or more
  render::Texture texture = render::make_texture(GL_TEXTURE_2D);
  const GLuint name = texture.name();
  glTextureStorage2D(name, kLevels, GL_RGBA8, ThumbnailAtlas::kColumns * kThumbnailWidth,
                     ThumbnailAtlas::rows() * kThumbnailHeight);
  glTextureParameteri(name, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
  glClearTexImage(name, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  int place = 0;
  for (const Thumbnail& thumbnail : thumbnails()) {
    const int x = place % ThumbnailAtlas::kColumns * kThumbnailWidth;
    const int y = place++ / ThumbnailAtlas::kColumns * kThumbnailHeight;
    const DecodedImage image = decode_image(thumbnail.begin, thumbnail.end);
    if (image.width == kThumbnailWidth && image.height == kThumbnailHeight)
      glTextureSubImage2D(name, 0, x, y, image.width, image.height, GL_RGBA, GL_UNSIGNED_BYTE, image.rgba.data());
  }
  glGenerateTextureMipmap(name);
  return texture;
}

}  // namespace pericenter::app
