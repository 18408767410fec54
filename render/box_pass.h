#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "render/box_mesh.h"

namespace pericenter::render {

/// A box in a picture: its width in pixels and its clip w. Without box there is nothing to be seen of it.
struct SeenBox {
  const Box* box = nullptr;
  float pixels = 0, depth = 0;
};

/// Draws the cells of the tree over the finished picture: those that can be seen, each level as strong as its number
/// allows.
class BoxPass {
 public:
  explicit BoxPass(const ShaderLibrary& library);

  /// Throws std::runtime_error and changes nothing when a shader is wrong.
  void build(const ShaderLibrary& library) { programs_ = BoxPrograms(library); }
  void set_boxes(std::span<const Box> boxes);
  /// Draws into the bound framebuffer, which may be a tile of the picture; the frame's uniforms are bound.
  void draw(const BoxSettings& settings, const OverlayView& view);
  /// Boxes whose edges the last draw() has drawn.
  std::size_t seen() const { return edges_.count(); }

 private:
  void choose(const BoxSettings& settings, const OverlayView& view);
  void set_looks(const BoxSettings& settings, const OverlayView& view);
  float faintest_drawn(const OverlayView& view) const;

  BoxPrograms programs_;
  BoxMesh edges_, faces_;
  BoxLook edges_look_, faces_look_;
  std::vector<Box> boxes_;      ///< fine levels first, so that coarse ones are drawn over them
  std::vector<SeenBox> found_;  ///< of those what can be seen from `chosen_for_`
  std::optional<OverlayView> chosen_for_;
  BoxSettings chosen_settings_;
  bool software_;
};

}  // namespace pericenter::render
