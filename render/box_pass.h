#pragma once

#include <optional>
#include <span>
#include <vector>

#include "render/box_mesh.h"

namespace pericenter::render {

/// A box projected into the frame: width in pixels and clip w. `box` is null when it is not visible.
struct VisibleBox {
  const Box* box = nullptr;
  float pixels = 0, depth = 0;
};

/// Draws the visible tree cells over the finished frame. The more cells a level has, the fainter it is drawn.
class BoxPass {
 public:
  explicit BoxPass(const ShaderLibrary& library);

  /// Throws std::runtime_error and changes nothing when a shader does not compile.
  void build(const ShaderLibrary& library) { programs_ = BoxPrograms(library); }
  void set_boxes(std::span<const Box> boxes);
  /// Draws into the bound framebuffer, which may be a tile of the frame; the frame uniforms must be bound.
  void draw(const BoxSettings& settings, const OverlayView& view);
  /// Number of boxes whose edges the last draw() drew.
  std::size_t drawn() const { return edges_.count(); }

 private:
  void choose(const BoxSettings& settings, const OverlayView& view);
  void set_styles(const BoxSettings& settings, const OverlayView& view);
  float min_opacity(const OverlayView& view) const;

  BoxPrograms programs_;
  BoxMesh edges_, faces_;
  BoxStyle edges_style_, faces_style_;
  std::vector<Box> boxes_;         ///< fine levels first, so that coarse ones are drawn on top
  std::vector<VisibleBox> found_;  ///< boxes visible from `chosen_for_`
  std::optional<OverlayView> chosen_for_;
  BoxSettings chosen_settings_;
  bool software_;
};

}  // namespace pericenter::render
