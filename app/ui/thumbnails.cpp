#include "app/ui/thumbnails.h"

#include <imgui.h>

#include <algorithm>

#include "app/ui/imgui_versions.h"

namespace pericenter::app {

void draw_thumbnail(ImDrawList& draw, std::string_view scene, ImVec2 low, float height, ThumbnailAtlas& atlas) {
  const auto all = thumbnails();
  const auto found = std::ranges::find(all, scene, &Thumbnail::scene);
  if (found == all.end()) return;
  atlas.wanted = true;
  if (atlas.texture == 0) return;
  const auto place = static_cast<int>(found - all.begin());
  const auto column = static_cast<float>(place % ThumbnailAtlas::kColumns),
             row = static_cast<float>(place / ThumbnailAtlas::kColumns);
  const float across = ThumbnailAtlas::kColumns, down = static_cast<float>(ThumbnailAtlas::rows());
  constexpr float kEdge = 0.5f;  // half a pixel, which would blend with the next picture
  const float x = kEdge / kThumbnailWidth, y = kEdge / kThumbnailHeight;
  draw.AddImage(imgui::texture_id(atlas.texture), low, {low.x + thumbnail_width(height), low.y + height},
                {(column + x) / across, (row + y) / down}, {(column + 1 - x) / across, (row + 1 - y) / down});
}

}  // namespace pericenter::app
