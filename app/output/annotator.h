#pragma once

#include <imgui.h>

#include <functional>

#include "app/ui/ui_style.h"
#include "render/renderer.h"

namespace pericenter::app {

/// Draws letters and lines over pictures that are not the window's: stills and films of any size.
///
/// It has a Dear ImGui context of its own, which is current only within its functions, and works without any window on
/// the current OpenGL context, which must outlive it.
class Annotator {
 public:
  /// Throws std::runtime_error.
  Annotator();
  ~Annotator();
  Annotator(const Annotator&) = delete;
  Annotator& operator=(const Annotator&) = delete;

  /// What draws over a picture from `low` to `high`, with letters as large as `scale` says.
  using Drawing = std::function<void(ImDrawList& draw, const Fonts& fonts, float scale, ImVec2 low, ImVec2 high)>;

  /// Over a part of a picture; letters are as large as in a window as high as the whole.
  void draw(const render::Tile& tile, const Drawing& drawing);

 private:
  ImGuiContext* context_;
  float scale_ = 0;
  Fonts fonts_;
};

}  // namespace pericenter::app
