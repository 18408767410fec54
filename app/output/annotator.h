#pragma once

#include <imgui.h>

#include <functional>

#include "app/ui/ui_style.h"
#include "render/renderer.h"

namespace pericenter::app {

/// Draws annotations over images and video frames of any size.
///
/// Has its own Dear ImGui context, which is current only within its functions. Needs no window; the current OpenGL
/// context must outlive it.
class Annotator {
 public:
  /// Throws std::runtime_error.
  Annotator();
  ~Annotator();
  Annotator(const Annotator&) = delete;
  Annotator& operator=(const Annotator&) = delete;

  /// Draws over the image from `low` to `high`; 1 is the text scale of the panel.
  using Drawing = std::function<void(ImDrawList& draw, const Fonts& fonts, float scale, ImVec2 low, ImVec2 high)>;

  /// Draws over one tile of an image; the text size follows the height of the whole image. `projector_size`: as in
  /// projector_sizes().
  void draw(const render::Tile& tile, const Drawing& drawing, float projector_size = 1);

 private:
  ImGuiContext* context_;
  float font_scale_ = 0;
  Fonts fonts_;
};

}  // namespace pericenter::app
